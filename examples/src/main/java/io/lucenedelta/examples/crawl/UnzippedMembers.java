// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * What the members of a gzip stream hold, one behind the other; bytes behind the last that are no
 * member are passed over.
 *
 * <p>Where a member has ended and another follows, {@code read} of the JDK calls itself: one call
 * for each empty member in a row, of which a megabyte holds 50,000, and the stack does not. Here
 * the inner call only notes that a member follows, and a loop reads on.
 */
final class UnzippedMembers extends GZIPInputStream {
  private boolean reading;
  private boolean memberFollows;

  /**
   * @throws IOException if no member begins here
   */
  UnzippedMembers(InputStream packed) throws IOException {
    super(packed);
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (reading) {
      memberFollows = true;
      return 0;
    }
    reading = true;
    try {
      int count;
      do {
        memberFollows = false;
        count = super.read(into, from, length);
      } while (memberFollows);
      return count;
    } finally {
      reading = false;
    }
  }
}
