// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * The text of a gzip archive of one member or several, as {@code cat} makes them. Zero bytes behind
 * a member are padding; anything else that is no member is damage.
 *
 * <p>The JDK's stream ends without a word where a later member does not begin as it should, and the
 * rest of the log would be lost. Damage is told only after all text before it was given.
 */
final class GzipMembers extends InputStream {
  private final InputStream packed;
  private GzipCompressorInputStream member; // null at the end
  private IOException damage;

  /**
   * @param packed supports marks
   * @throws IOException if the first member does not begin as it should
   */
  GzipMembers(InputStream packed) throws IOException {
    this.packed = packed;
    this.member = new GzipCompressorInputStream(packed);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int count = -1;
    while (count < 0 && member != null) {
      count = readMember(into, from, length);
      if (count < 0) {
        member = isAtEnd() ? null : new GzipCompressorInputStream(packed);
      }
    }
    return count;
  }

  /** A member that turns out damaged has written into the array what it had read until then. */
  private int readMember(byte[] into, int from, int length) throws IOException {
    if (damage != null) {
      throw damage;
    }
    long before = member.getBytesRead();
    try {
      return member.read(into, from, length);
    } catch (IOException broken) {
      damage = broken;
      int count = (int) (member.getBytesRead() - before);
      if (count == 0) {
        throw broken;
      }
      return count;
    }
  }

  private boolean isAtEnd() throws IOException {
    int next;
    do {
      packed.mark(1);
      next = packed.read();
    } while (next == 0);
    packed.reset();
    return next < 0;
  }

  @Override
  public void close() throws IOException {
    if (member != null) {
      member.close();
    }
    packed.close();
  }
}
