// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.KeyedHash;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.IntroSorter;

/**
 * Visits that found their pages unchanged, one a page, until a batch records them: on the heap as
 * long as they take little of it, then in a file that is mapped and deleted when closed.
 *
 * <pre>
 * visit → time (int64), number (int64), key length (int32), key
 * slot  → 0, or 1 and the visit's address (int64); found by the hash of the key
 * </pre>
 *
 * <p>Takes 20 bytes and the key a visit, and 11 to 21 for its slot. Visits are heard, then
 * {@linkplain #end ended}; only then they can be gone through. Not safe for several threads.
 */
final class HeardVisits implements Closeable {
  /** What the names of the files begin with. */
  static final String PREFIX = "heard_";

  private static final int FIRST_SLOTS = 1 << 6;
  private static final int MOST_SLOTS = 1 << 27;
  private static final int LARGEST_BLOCK = 1 << 18; // G1 may give one of 1 MB two regions of it
  private static final int MAPPED_BLOCK = 1 << 20;
  private static final int NUMBER_AT = Long.BYTES;
  private static final int LENGTH_AT = NUMBER_AT + Long.BYTES;
  private static final int HEAD = LENGTH_AT + Integer.BYTES;

  /** No visit, and no room for any. */
  static final HeardVisits NONE = new HeardVisits(0, null);

  private final long seed = ThreadLocalRandom.current().nextLong();
  private final long mostHeap;
  private final Path file; // null: none
  private final int mostSlots;
  private final OffHeapBytes visits = new OffHeapBytes(this::memory, LARGEST_BLOCK);
  private MappedBlocks mapped;
  private long heap;
  private ByteBuffer slots = ByteBuffer.allocate(0);
  private int slotCount;
  private int size;
  private IOException trouble; // why no more pages are heard of
  private boolean interrupted; // before or while a visit is heard
  private int ahead; // visits of days to come left out for others of their pages
  private BytesRef firstAhead;
  private byte[] scratch = new byte[256];
  private final BytesRef found = new BytesRef(new byte[256]);
  private final ByteBuffer head = ByteBuffer.allocate(HEAD);

  /**
   * Nothing was heard yet.
   *
   * @param mostHeap bytes on the heap beyond which the file is used
   * @param file made when it is needed; null for none
   */
  HeardVisits(long mostHeap, Path file) {
    this(mostHeap, file, MOST_SLOTS);
  }

  /** The same of fewer pages; for tests. A power of two that is 64 or more. */
  HeardVisits(long mostHeap, Path file, int mostSlots) {
    this.mostHeap = mostHeap;
    this.file = file;
    this.mostSlots = mostSlots;
  }

  /** Number of pages. */
  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Why there is no room for more pages, null while there is. */
  IOException trouble() {
    return trouble;
  }

  /** Bytes on the heap; for tests. */
  long heapBytes() {
    return heap;
  }

  /** Number of visits of days to come that are left out for others to their pages. */
  int ahead() {
    return ahead;
  }

  /** The page of the first of them, null if there is none. */
  BytesRef firstAhead() {
    return firstAhead;
  }

  /** Goes on counting what was left out before. */
  void goOnAfter(HeardVisits before) {
    ahead += before.ahead;
    firstAhead = before.firstAhead == null ? firstAhead : before.firstAhead;
  }

  /**
   * Hears of a visit; of several to a page the latest time and number count. One of a wrong clock's
   * days to come does not if there is another: it would not be recorded, and hide one that can be.
   *
   * @param latest a later time is of days to come, as it seems now
   * @return false when there is no room for its page
   */
  boolean hear(BytesRef page, long time, long number, long latest) {
    interrupted = Thread.interrupted(); // or the file would be closed
    try {
      makeRoomForSlot();
      int slot = slotCount == 0 ? -1 : slotOf(page);
      long address = slot < 0 ? 0 : slots.getLong(slot * Long.BYTES);
      if (address != 0) {
        long counts = better(page, time, head.getLong(0), latest); // its head was read with its key
        write(counts, Math.max(number, head.getLong(NUMBER_AT)), page);
        visits.overwrite(address - 1, head.array(), HEAD);
        return true;
      }
      if (trouble != null) {
        return false;
      }
      write(time, number, page);
      byte[] record = room(HEAD + page.length);
      System.arraycopy(head.array(), 0, record, 0, HEAD);
      System.arraycopy(page.bytes, page.offset, record, HEAD, page.length);
      slots.putLong(slot * Long.BYTES, 1 + visits.append(record, HEAD + page.length));
      size++;
      return true;
    } catch (IOException e) {
      trouble = e;
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private long better(BytesRef page, long one, long other, long latest) {
    long later = Math.max(one, other);
    if (later <= latest) {
      return later;
    }
    ahead++;
    firstAhead = firstAhead == null ? BytesRef.deepCopyOf(page) : firstAhead;
    return Math.min(one, other);
  }

  private void write(long time, long number, BytesRef page) {
    head.putLong(0, time).putLong(NUMBER_AT, number).putInt(LENGTH_AT, page.length);
  }

  private void readHead(long address) {
    visits.read(address, head.array(), HEAD);
  }

  private byte[] room(int bytes) {
    if (scratch.length < bytes) {
      scratch = new byte[Math.max(bytes, 2 * scratch.length)];
    }
    return scratch;
  }

  /** Reads what is at an address: its head, and its key into the given one. */
  private void read(long address, BytesRef key) {
    readHead(address);
    int length = head.getInt(LENGTH_AT);
    if (key.bytes.length < HEAD + length) {
      key.bytes = new byte[2 * (HEAD + length)];
    }
    visits.read(address, key.bytes, HEAD + length);
    key.offset = HEAD;
    key.length = length;
  }

  /** The slot of a page, or the empty one where it belongs. */
  private int slotOf(BytesRef page) {
    int slot = firstSlot(page);
    while (true) {
      long address = slots.getLong(slot * Long.BYTES);
      if (address == 0) {
        return slot;
      }
      read(address - 1, found);
      if (found.bytesEquals(page)) {
        return slot;
      }
      slot = slot + 1 & slotCount - 1;
    }
  }

  /** By a seed that nobody knows: a site could choose keys that share the hash of a BytesRef. */
  int firstSlot(BytesRef page) {
    return (int) KeyedHash.of(page.bytes, page.offset, page.length, seed) & slotCount - 1;
  }

  /** What fails here keeps nobody from finding the pages that are there. */
  private void makeRoomForSlot() {
    if (size >= slotCount / 4 * 3 && trouble == null) {
      try {
        grow();
      } catch (IOException e) {
        trouble = e;
      }
    }
  }

  private void grow() throws IOException {
    if (slotCount == mostSlots) {
      throw new IOException(size + " pages are as many as one batch can hold");
    }
    ByteBuffer before = slots;
    int count = slotCount;
    int more = Math.max(FIRST_SLOTS, 2 * count);
    slots = memory(more * Long.BYTES);
    slotCount = more;
    for (int i = 0; i < count; i++) {
      long address = before.getLong(i * Long.BYTES);
      if (address != 0) {
        read(address - 1, found);
        int slot = firstSlot(found);
        while (slots.getLong(slot * Long.BYTES) != 0) {
          slot = slot + 1 & slotCount - 1;
        }
        slots.putLong(slot * Long.BYTES, address);
      }
    }
    if (before.hasArray()) {
      heap -= before.capacity();
    }
  }

  /** Zeros, on the heap while there is room for them. */
  private ByteBuffer memory(int bytes) throws IOException {
    if (heap + bytes <= mostHeap) {
      ByteBuffer zeros = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
      heap += bytes;
      return zeros;
    }
    if (file == null) {
      throw new IOException("no more than " + mostHeap + " bytes on the heap are set aside");
    }
    return block(Math.max(bytes, MAPPED_BLOCK));
  }

  /**
   * Zeros of the file; of another one in its place where an interrupt has closed it meanwhile, or
   * one thread that is interrupted would keep the visits of all others out. Blocks stay mapped.
   */
  private ByteBuffer block(int bytes) throws IOException {
    while (true) {
      try {
        if (mapped == null) {
          mapped = MappedBlocks.create(file);
        }
        return mapped.add(bytes);
      } catch (ClosedChannelException e) {
        if (!Thread.interrupted()) {
          throw e;
        }
        interrupted = true;
        MappedBlocks closed = mapped;
        mapped = null;
        closed.close(); // deletes it
      }
    }
  }

  /**
   * Ends hearing: what is here can be gone through, and grows no more. Visits with a number above a
   * limit do not count any more; they come after the others.
   *
   * @return how many there are with them
   */
  int end(long until) {
    int all = 0;
    for (int i = 0; i < slotCount; i++) {
      long address = slots.getLong(i * Long.BYTES);
      if (address != 0) {
        slots.putLong(all++ * Long.BYTES, address);
      }
    }
    int kept = 0;
    for (int i = 0; i < all; i++) {
      read(i);
      if (number() <= until) {
        swap(i, kept++);
      }
    }
    size = kept;
    return all;
  }

  private void swap(int i, int j) {
    long address = slots.getLong(i * Long.BYTES);
    slots.putLong(i * Long.BYTES, slots.getLong(j * Long.BYTES));
    slots.putLong(j * Long.BYTES, address);
  }

  /** Moves to a visit, of those that are {@linkplain #end ended}. */
  void read(int visit) {
    read(slots.getLong(visit * Long.BYTES) - 1, found);
  }

  /** The key of the page that was visited, reused for the next. */
  BytesRef page() {
    return found;
  }

  /** When, in milliseconds. */
  long time() {
    return head.getLong(0);
  }

  /** The visit's number. */
  long number() {
    return head.getLong(NUMBER_AT);
  }

  /** Puts what is ended into the order of keys. */
  void sort() {
    new ByKey().sort(0, size);
  }

  /** Sorts the addresses, which are in the first slots. */
  private final class ByKey extends IntroSorter {
    private final BytesRef pivot = new BytesRef(new byte[256]);

    @Override
    protected void setPivot(int i) {
      read(slots.getLong(i * Long.BYTES) - 1, pivot);
    }

    @Override
    protected int comparePivot(int j) {
      HeardVisits.this.read(j);
      return pivot.compareTo(found);
    }

    @Override
    protected void swap(int i, int j) {
      HeardVisits.this.swap(i, j);
    }
  }

  @Override
  public void close() {
    IOUtils.closeWhileHandlingException(mapped);
  }
}
