// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * One refresh of a page as the refresh files hold it.
 *
 * <pre>
 * refresh → generation, flags (byte), fetched (zigzag), [interval, ΔQ_A (float64)],
 *           [usefulness (float32)], [segment (string), document, vector hash (int64)], [details]
 * flags   → 1 measured: interval and ΔQ_A follow · 2 candidate: segment … hash follow
 *           · 4 details follow · 8 usefulness follows
 * </pre>
 *
 * A ΔQ_A that is not finite is read as not measured, a usefulness as {@link #FORGOTTEN}. Times are
 * milliseconds since 1970, intervals milliseconds. A candidate is a captured copy of a page of
 * which it was not yet known, when it was written, whether it would be the live one.
 *
 * @param generation the batch
 * @param fetched milliseconds since 1970; {@link FetchTimes#UNKNOWN} of {@linkplain #isVisit no
 *     visit}
 * @param measured whether interval and quality change exist
 * @param interval milliseconds since the fetch before, 0 when not measured
 * @param qualityChange ΔQ_A, 0 when not measured
 * @param usefulness of the page as fetched then, negative when it is what it was before, {@link
 *     #FORGOTTEN} when it no longer is and was not found
 * @param segment the flushed segment, null when not a candidate
 * @param document number in that segment
 * @param vectorHash hash of the captured vector
 * @param details or null
 */
record Refresh(
    long generation,
    long fetched,
    boolean measured,
    long interval,
    double qualityChange,
    float usefulness,
    String segment,
    int document,
    long vectorHash,
    RefreshDetails details) {
  static final int MEASURED = 1;
  static final int CANDIDATE = 2;
  static final int DETAILS = 4;
  static final int USEFULNESS = 8;

  /**
   * The usefulness of a page that is another now and was not measured, or that comes to no finite
   * number: none is known any more.
   */
  static final float FORGOTTEN = Float.NaN;

  /** Bytes that a name of a segment, and so of its files, has at most. */
  private static final int LONGEST_NAME = 255;

  /** What {@link #write} takes at most. */
  static final int MOST_BYTES =
      9 + 1 + 10 + 9 + 8 + 4 + (2 + LONGEST_NAME + 5 + 8) + RefreshDetails.MOST_BYTES;

  /**
   * Tells what users get from a page, or {@link #FORGOTTEN}, of no visit; found with the rank
   * functions of a batch.
   */
  static Refresh useful(long generation, float usefulness) {
    return new Refresh(generation, FetchTimes.UNKNOWN, false, 0, 0, usefulness, null, 0, 0, null);
  }

  /** Whether the page was fetched: otherwise only its usefulness is told. */
  boolean isVisit() {
    return fetched != FetchTimes.UNKNOWN;
  }

  /** Whether the usefulness from then on is another, or no longer known. */
  boolean tellsUsefulness() {
    return !(usefulness < 0);
  }

  /**
   * Whether it enters the sums of its page: measured, over an interval that begins at a time that
   * somebody knows. Others were recorded as measured once.
   */
  boolean counts() {
    return isVisit() && measured && fetched - interval >= FetchTimes.EARLIEST;
  }

  static byte flags(boolean measured, boolean candidate, boolean details, boolean usefulness) {
    return (byte)
        ((measured ? MEASURED : 0)
            | (candidate ? CANDIDATE : 0)
            | (details ? DETAILS : 0)
            | (usefulness ? USEFULNESS : 0));
  }

  void write(DataOutput out) throws IOException {
    out.writeVLong(generation);
    out.writeByte(flags(measured, segment != null, details != null, tellsUsefulness()));
    out.writeZLong(fetched);
    if (measured) {
      out.writeVLong(interval);
      out.writeLong(Double.doubleToRawLongBits(qualityChange));
    }
    if (tellsUsefulness()) {
      out.writeInt(Float.floatToRawIntBits(usefulness));
    }
    if (segment != null) {
      out.writeString(segment);
      out.writeVInt(document);
      out.writeLong(vectorHash);
    }
    if (details != null) {
      details.write(out);
    }
  }

  static Refresh read(DataInput in) throws IOException {
    long generation = in.readVLong();
    int flags = in.readByte();
    long fetched = in.readZLong();
    boolean written = (flags & MEASURED) != 0;
    long since = written ? in.readVLong() : 0;
    double gain = written ? Double.longBitsToDouble(in.readLong()) : 0;
    boolean measured = written && Double.isFinite(gain);
    long interval = measured ? since : 0;
    double qualityChange = measured ? gain : 0;
    float useful = (flags & USEFULNESS) != 0 ? Float.intBitsToFloat(in.readInt()) : -1;
    float usefulness = Float.isFinite(useful) ? useful : FORGOTTEN;
    boolean candidate = (flags & CANDIDATE) != 0;
    String segment = candidate ? readSegment(in) : null;
    int document = candidate ? in.readVInt() : 0;
    long hash = candidate ? in.readLong() : 0;
    RefreshDetails details = null;
    if ((flags & DETAILS) != 0) {
      details = new RefreshDetails();
      details.read(in);
    }
    return new Refresh(
        generation,
        fetched,
        measured,
        interval,
        qualityChange,
        usefulness,
        segment,
        document,
        hash,
        measured ? details : null);
  }

  private static String readSegment(DataInput in) throws IOException {
    byte[] name = new byte[readNameLength(in)];
    in.readBytes(name, 0, name.length);
    return new String(name, StandardCharsets.UTF_8);
  }

  /** As {@link DataInput#readString} begins, which would believe any length. */
  static int readNameLength(DataInput in) throws IOException {
    int length = in.readVInt();
    if (length < 0 || length > LONGEST_NAME) {
      throw new CorruptIndexException(
          "a segment's name of %d bytes, where 0 to %d are possible: the file is damaged"
              .formatted(length, LONGEST_NAME),
          in);
    }
    return length;
  }

  /** The refresh without what was only needed to find out whether it happened. */
  Refresh settled() {
    return new Refresh(
        generation, fetched, measured, interval, qualityChange, usefulness, null, 0, 0, details);
  }
}
