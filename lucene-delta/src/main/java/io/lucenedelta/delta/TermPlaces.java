// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/**
 * Where a segment's dictionaries hold the workload's terms, each looked up once: queries of several
 * terms share them, and a look-up takes longer than most results do. For one thread.
 *
 * <p>Memory, from the first look-up on: a reference a term and field, and about a hundred bytes for
 * each that was found. Terms for which there is no {@link Room} are looked up every time.
 */
final class TermPlaces {
  private static final int REFERENCE_BYTES = 8; // of a JVM with a large heap
  private static final int STATE_BYTES = 100;

  private final int fields;
  private final int size; // 0: nothing is remembered
  private final Room room;
  private TermState[] places; // null before the first look-up, and when there is no room
  private FixedBitSet missing; // likewise

  private TermPlaces(int fields, int size, Room room) {
    this.fields = fields;
    this.size = size;
    this.room = room;
  }

  /** Heap for the places of several segments that are held at the same time; for one thread. */
  static final class Room {
    private long bytes;

    /** So many bytes may be taken. */
    Room(long bytes) {
      this.bytes = bytes;
    }

    private boolean take(long wanted) {
      boolean there = wanted <= bytes;
      bytes -= there ? wanted : 0;
      return there;
    }
  }

  /** Places of a segment for many queries. */
  static TermPlaces remembered(int terms, int fields) {
    return remembered(terms, fields, new Room(Long.MAX_VALUE));
  }

  /** Places of a segment for many queries, as far as there is room for them. */
  static TermPlaces remembered(int terms, int fields, Room room) {
    return new TermPlaces(fields, Math.multiplyExact(terms, fields), room);
  }

  /** Looks up each term every time: for a few queries. */
  static TermPlaces notRemembered() {
    return new TermPlaces(0, 0, new Room(0));
  }

  /** Moves a field's cursor to a term; false when it is not there. */
  boolean seek(TermsEnum cursor, int field, int term, BytesRef text) throws IOException {
    if (places == null && !makeRoom()) {
      return cursor.seekExact(text);
    }
    int place = term * fields + field;
    if (missing.get(place)) {
      return false;
    }
    if (places[place] != null) {
      cursor.seekExact(text, places[place]);
      return true;
    }
    if (!cursor.seekExact(text)) {
      missing.set(place);
      return false;
    }
    if (room.take(STATE_BYTES)) {
      places[place] = cursor.termState();
    }
    return true;
  }

  private boolean makeRoom() {
    if (size == 0 || !room.take((long) REFERENCE_BYTES * size)) {
      return false;
    }
    places = new TermState[size];
    missing = new FixedBitSet(size);
    return true;
  }
}
