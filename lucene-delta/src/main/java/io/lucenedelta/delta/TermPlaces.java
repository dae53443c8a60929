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
 * <p>Memory: a reference a term and field, and about a hundred bytes for each that was found.
 */
final class TermPlaces {
  private final int fields;
  private final TermState[] places; // null: nothing is remembered
  private final FixedBitSet missing;

  private TermPlaces(int fields, TermState[] places) {
    this.fields = fields;
    this.places = places;
    this.missing = new FixedBitSet(places == null ? 1 : Math.max(1, places.length));
  }

  /** Places of a segment for many queries. */
  static TermPlaces remembered(int terms, int fields) {
    return new TermPlaces(fields, new TermState[Math.multiplyExact(terms, fields)]);
  }

  /** Looks up each term every time: for a few queries. */
  static TermPlaces notRemembered() {
    return new TermPlaces(0, null);
  }

  /** Moves a field's cursor to a term; false when it is not there. */
  boolean seek(TermsEnum cursor, int field, int term, BytesRef text) throws IOException {
    if (places == null) {
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
    places[place] = cursor.termState();
    return true;
  }
}
