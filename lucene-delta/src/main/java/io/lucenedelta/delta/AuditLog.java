// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.EstimateAgreement;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * The last refreshes that were measured exactly as well, estimate beside exact change, in a file of
 * their own: {@code audit_N}, the largest N counts.
 *
 * <pre>
 * file → header, since (zigzag), audited, broken off, kept, (estimate, exact (float64)) ^ kept, footer
 * </pre>
 *
 * A file is written as a whole under a pending name, made durable, renamed, like the manifest: of
 * one that cannot be written the one before stays, and who looks meanwhile finds that.
 *
 * <p>Nothing else depends on it: losing it loses a statistic. For one thread.
 */
final class AuditLog {
  private static final String CODEC = "LuceneDeltaAudit";
  private static final int VERSION = 0;
  private static final String PREFIX = "audit_";

  /** What a file is called while it is written. */
  static final String PENDING = "pending_audit";

  private static final NumberedFiles FILES = new NumberedFiles(PREFIX);
  private static final int KEPT = 1000;

  /** Estimate and exact change of a refresh. */
  record Pair(double estimate, double exact) {
    private boolean isFinite() {
      return Double.isFinite(estimate) && Double.isFinite(exact);
    }
  }

  private final List<Pair> pairs = new ArrayList<>(); // oldest first
  private long number;
  private long since;
  private long audited;
  private long brokenOff;

  /** Adds what was measured of a batch. */
  void add(List<Pair> measured, long notMeasured, Instant now) {
    add(measured, measured.size(), notMeasured, now.toEpochMilli());
  }

  /** Adds what a log has that was begun while this one could not be read. */
  void add(AuditLog later) {
    add(later.pairs, later.audited, later.brokenOff, later.since);
  }

  private void add(List<Pair> measured, long count, long notMeasured, long at) {
    since = audited + brokenOff == 0 ? at : since;
    pairs.addAll(measured);
    pairs.subList(0, Math.max(0, pairs.size() - KEPT)).clear();
    audited += count;
    brokenOff += notMeasured;
  }

  /** What the log tells; null before the first entry. */
  SelfAudit selfAudit() {
    if (audited + brokenOff == 0) {
      return null;
    }
    double[] estimates = pairs.stream().mapToDouble(Pair::estimate).toArray();
    double[] exact = pairs.stream().mapToDouble(Pair::exact).toArray();
    return new SelfAudit(
        EstimateAgreement.of(estimates, exact),
        pairs.size(),
        audited,
        brokenOff,
        Instant.ofEpochMilli(since));
  }

  void write(Directory directory) throws IOException {
    number++;
    StateFiles.write(directory, PENDING, PREFIX + number, CODEC, VERSION, this::writeTo);
    FILES.deleteBefore(directory, number);
  }

  private void writeTo(IndexOutput out) throws IOException {
    out.writeZLong(since);
    out.writeVLong(audited);
    out.writeVLong(brokenOff);
    out.writeVInt(pairs.size());
    for (Pair pair : pairs) {
      out.writeLong(Double.doubleToRawLongBits(pair.estimate()));
      out.writeLong(Double.doubleToRawLongBits(pair.exact()));
    }
  }

  /** The file that counts now; none when there is none. */
  static List<String> names(Directory directory) throws IOException {
    long latest = FILES.latest(directory);
    return latest == 0 ? List.of() : List.of(PREFIX + latest);
  }

  /** The latest log in a folder, empty when there is none. */
  static AuditLog read(Directory directory) throws IOException {
    return read(directory, names(directory));
  }

  /** The latest of some files, empty when there is none. */
  static AuditLog read(Directory directory, List<String> names) throws IOException {
    AuditLog log = new AuditLog();
    log.number = FILES.latest(names);
    if (log.number > 0) {
      String name = PREFIX + log.number;
      try (IndexInput in = StateFiles.openWhole(directory, name, CODEC, VERSION)) {
        log.since = in.readZLong();
        log.audited = in.readVLong();
        log.brokenOff = in.readVLong();
        int kept = in.readVInt();
        for (int i = 0; i < kept; i++) {
          double estimate = Double.longBitsToDouble(in.readLong());
          Pair pair = new Pair(estimate, Double.longBitsToDouble(in.readLong()));
          if (pair.isFinite()) { // once any was kept; what is no number cannot be compared
            log.pairs.add(pair);
          }
        }
      }
    }
    return log;
  }

  /** Deletes every log of a folder. */
  static void clear(Directory directory) throws IOException {
    FILES.deleteBefore(directory, Long.MAX_VALUE);
  }

  // What follows is for tests.

  /** The refreshes kept, the oldest first. */
  List<Pair> pairs() {
    return List.copyOf(pairs);
  }
}
