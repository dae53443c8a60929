// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.BitUtil;

/**
 * Where the parts of a {@link Refresh} lie among bytes, so that merging files copies them: no
 * object is made of a refresh, nor of the queries that it shows. Reusable, for one thread.
 *
 * <p>What is copied is what {@link Refresh#read} and {@link Refresh#write} would make of it, but
 * for the bits of a usefulness that is not finite.
 */
final class StoredRefresh {
  private final ByteArrayDataInput in = new ByteArrayDataInput();
  private byte[] bytes;
  private int begin;
  private int flags; // places where parts begin; each ends where the next begins
  private int fetched;
  private int measurement;
  private int usefulness;
  private int candidate;
  private int details;
  private int end;

  /**
   * Finds the parts of the refresh that begins at a place.
   *
   * @param limit the end of what was written to the bytes
   * @return where it ends
   * @throws CorruptIndexException if that is beyond the limit
   * @throws RuntimeException if it is beyond the bytes
   */
  int read(byte[] bytes, int begin, int limit) throws IOException {
    find(bytes, begin);
    end = has(Refresh.DETAILS) ? RefreshDetails.end(bytes, details) : details;
    if (end > limit || end < begin) {
      throw new CorruptIndexException("a refresh ends behind the others: the file is damaged", in);
    }
    return end;
  }

  /** Finds the parts of one that was read before, and is known to end at a place. */
  void readAgain(byte[] bytes, int begin, int end) throws IOException {
    find(bytes, begin);
    this.end = end;
  }

  private void find(byte[] bytes, int begin) throws IOException {
    this.bytes = bytes;
    this.begin = begin;
    flags = endOfNumber(bytes, begin);
    fetched = flags + 1;
    measurement = endOfNumber(bytes, fetched);
    usefulness =
        has(Refresh.MEASURED) ? endOfNumber(bytes, measurement) + Double.BYTES : measurement;
    candidate = has(Refresh.USEFULNESS) ? usefulness + Float.BYTES : usefulness;
    details = candidate;
    if (has(Refresh.CANDIDATE)) {
      in.reset(bytes, candidate, bytes.length - candidate);
      int name = Refresh.readNameLength(in);
      details = endOfNumber(bytes, in.getPosition() + name) + Long.BYTES;
    }
  }

  /** Where a number of variable length ends. */
  static int endOfNumber(byte[] bytes, int begin) {
    int at = begin;
    while (bytes[at] < 0) {
      at++;
    }
    return at + 1;
  }

  private boolean has(int flag) {
    return (bytes[flags] & flag) != 0;
  }

  /** As {@link Refresh#generation}. */
  long generation() throws IOException {
    in.reset(bytes, begin, flags - begin);
    return in.readVLong();
  }

  /** As {@link Refresh#isVisit}. */
  boolean isVisit() throws IOException {
    in.reset(bytes, fetched, measurement - fetched);
    return in.readZLong() != FetchTimes.UNKNOWN;
  }

  /** As {@link Refresh#measured}. */
  private boolean isMeasured() {
    return has(Refresh.MEASURED)
        && Double.isFinite(
            Double.longBitsToDouble(
                (long) BitUtil.VH_LE_LONG.get(bytes, usefulness - Double.BYTES)));
  }

  /** As {@link Refresh#tellsUsefulness}. */
  boolean tellsUsefulness() {
    return has(Refresh.USEFULNESS) && !((float) BitUtil.VH_LE_FLOAT.get(bytes, usefulness) < 0);
  }

  /** Whether it shows queries. */
  boolean hasDetails() {
    return end > details && isMeasured();
  }

  /** Writes it {@linkplain Refresh#settled settled}, with the queries that it shows or without. */
  void writeSettled(DataOutput out, boolean withDetails) throws IOException {
    boolean measured = isMeasured();
    boolean shows = withDetails && hasDetails();
    boolean useful = tellsUsefulness();
    out.writeBytes(bytes, begin, flags - begin);
    out.writeByte(Refresh.flags(measured, false, shows, useful));
    out.writeBytes(bytes, fetched, (measured ? usefulness : measurement) - fetched);
    if (useful) {
      out.writeBytes(bytes, usefulness, candidate - usefulness);
    }
    if (shows) {
      out.writeBytes(bytes, details, end - details);
    }
  }
}
