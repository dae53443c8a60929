// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.ByteBuffer;

/**
 * What the page store knew of a batch's pages, their vectors apart, kept outside the heap from
 * being measured until the batch is settled: then the store is written, but need not be asked
 * again.
 *
 * <pre>
 * page → stored, stored head (int32), edition, place, key place (int64), key length (int32), head
 * </pre>
 *
 * <p>Holds {@value #MOST_PAGES} pages at most; those after them are not here. Reused from batch to
 * batch; several threads may add or read different pages at once.
 */
final class FoundPages {
  private static final int MOST_PAGES = 1 << 20;
  private static final int FIRST_PAGES = 1 << 10;

  // where what is kept of a page begins, after its stored bytes
  private static final int STORED_HEAD_AT = Integer.BYTES;
  private static final int EDITION_AT = STORED_HEAD_AT + Integer.BYTES;
  private static final int PLACE_AT = EDITION_AT + Long.BYTES;
  private static final int KEY_PLACE_AT = PLACE_AT + Long.BYTES;
  private static final int KEY_LENGTH_AT = KEY_PLACE_AT + Long.BYTES;
  private static final int HEAD = KEY_LENGTH_AT + Integer.BYTES;
  private static final int SLOT = HEAD + PageEntry.LONGEST_HEAD;

  private final int mostPages;
  private ByteBuffer heads = ByteBuffer.allocateDirect(0);
  private int pages; // how many of the batch are here
  private PageStore store; // the store that was asked

  FoundPages() {
    this(MOST_PAGES);
  }

  FoundPages(int mostPages) {
    this.mostPages = mostPages;
  }

  /** Forgets everything; so many pages of the given store are to come. */
  void begin(PageStore asked, int count) {
    store = asked;
    pages = Math.min(count, mostPages);
    if (pages * SLOT > heads.capacity()) {
      int slots = Math.max(pages, Math.min(mostPages, Math.max(FIRST_PAGES, pages + pages / 2)));
      try {
        heads = ByteBuffer.allocateDirect(slots * SLOT);
      } catch (OutOfMemoryError outsideTheHeap) {
        pages = heads.capacity() / SLOT;
      }
    }
  }

  /** Keeps a page of the batch as it was found, known or not. */
  void add(int page, PageEntry entry) {
    if (page >= pages) {
      return;
    }
    int slot = page * SLOT;
    heads.putInt(slot, entry.stored);
    heads.putInt(slot + STORED_HEAD_AT, entry.storedHead);
    heads.putLong(slot + EDITION_AT, entry.edition);
    heads.putLong(slot + PLACE_AT, entry.place);
    heads.putLong(slot + KEY_PLACE_AT, entry.keyPlace);
    heads.putInt(slot + KEY_LENGTH_AT, entry.keyLength);
    entry.encodeHead();
    heads.put(slot + HEAD, entry.bytes(), 0, PageEntry.LONGEST_HEAD);
  }

  /** Reads a page of the batch, without its vector; false when it is not here. */
  boolean get(int page, PageStore of, PageEntry entry) {
    if (page >= pages || of != store) {
      return false;
    }
    int slot = page * SLOT;
    heads.get(slot + HEAD, entry.buffer(PageEntry.LONGEST_HEAD), 0, PageEntry.LONGEST_HEAD);
    entry.decodeHead();
    entry.stored = heads.getInt(slot);
    entry.storedHead = heads.getInt(slot + STORED_HEAD_AT);
    entry.edition = heads.getLong(slot + EDITION_AT);
    entry.place = heads.getLong(slot + PLACE_AT);
    entry.keyPlace = heads.getLong(slot + KEY_PLACE_AT);
    entry.keyLength = heads.getInt(slot + KEY_LENGTH_AT);
    return true;
  }
}
