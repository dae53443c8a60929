// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The distinct terms of a query as it was asked, taken apart: the terms in their own order, which
 * tells queries apart, and the order of asking, which is only for people to read.
 *
 * @param terms distinct, in the order of their UTF-8 bytes
 * @param order at i, the place in {@code terms} of the i-th term asked, an unsigned byte; empty
 *     when the terms were asked in their own order, or are more than a byte can number
 */
record AskedTerms(List<String> terms, byte[] order) {
  static final byte[] OWN_ORDER = {};
  private static final int MOST = 256;

  /** Whether a workload can keep a term apart from others: zero bytes part the keys of queries. */
  static boolean isTerm(String term) {
    return !term.isEmpty() && term.indexOf('\0') < 0;
  }

  /**
   * A term as Lucene indexes it: half a surrogate pair, as analyzers leave that cut tokens, is
   * written as U+FFFD.
   */
  static String indexed(String term) {
    for (int i = 0; i < term.length(); i++) {
      if (Character.isSurrogate(term.charAt(i))) {
        return term.codePoints()
            .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return term;
  }

  /** Takes apart what was asked; repeated terms count where they come first. */
  static AskedTerms of(List<String> asked) {
    List<String> distinct = asked.stream().map(AskedTerms::indexed).distinct().toList();
    List<String> terms = new ArrayList<>(distinct);
    terms.sort(Utf8Order.STRINGS);
    if (terms.equals(distinct) || terms.size() > MOST) {
      return new AskedTerms(terms, OWN_ORDER);
    }
    byte[] order = new byte[terms.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = (byte) Collections.binarySearch(terms, distinct.get(i), Utf8Order.STRINGS);
    }
    return new AskedTerms(terms, order);
  }

  /** The order of asking written out for {@code count} terms. */
  static byte[] written(byte[] order, int count) {
    if (order.length == count) {
      return order;
    }
    byte[] own = new byte[count];
    for (int i = 0; i < count; i++) {
      own[i] = (byte) i;
    }
    return own;
  }

  /** Which term, by their own order, was asked as the i-th. */
  static int place(byte[] written, int i) {
    return written.length > MOST ? i : written[i] & 0xff;
  }

  /** The other way round: empty when it is the terms' own order. */
  static byte[] shortened(byte[] order) {
    return Arrays.equals(order, written(OWN_ORDER, order.length)) ? OWN_ORDER : order;
  }
}
