// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the lines of all logs: {@code read} is the sum over all fates, so nothing is lost
 * silently. Not safe for use by several threads.
 */
public final class ParseTally {
  /** How many lines of a fate are shown. */
  static final int SAMPLES = 3;

  private final Map<Fate, long[]> lines = new EnumMap<>(Fate.class); // one number each
  private final Map<Fate, List<String>> samples = new EnumMap<>(Fate.class);
  private final List<String> damages = new ArrayList<>();
  private final List<String> doubts = new ArrayList<>();
  private long recoded;

  ParseTally() {}

  /** The same as it stands now. */
  ParseTally copy() {
    ParseTally copy = new ParseTally();
    lines.forEach((fate, count) -> copy.lines.put(fate, count.clone()));
    samples.forEach((fate, kept) -> copy.samples.put(fate, new ArrayList<>(kept)));
    copy.damages.addAll(damages);
    copy.doubts.addAll(doubts);
    copy.recoded = recoded;
    return copy;
  }

  void add(Fate fate) {
    long[] count = lines.get(fate);
    if (count == null) {
      count = new long[1];
      lines.put(fate, count);
    }
    count[0]++;
  }

  /** Keeps the first few lines of a fate, each with its place. */
  void sample(Fate fate, String log, long lineNumber, String excerpt) {
    keep(fate, log + ":" + lineNumber + ": " + excerpt);
  }

  /** The same without their text. */
  void withhold(Fate fate, String log, long lineNumber) {
    keep(fate, log + ":" + lineNumber);
  }

  private void keep(Fate fate, String sample) {
    List<String> kept = samples.computeIfAbsent(fate, f -> new ArrayList<>());
    if (kept.size() < SAMPLES) {
      kept.add(sample);
    }
  }

  void recoded(int more) {
    recoded += more;
  }

  void damaged(String log, long lineNumber, String why) {
    damages.add(log + " breaks off after line " + lineNumber + ": " + why);
  }

  void doubtful(String log, String why) {
    doubts.add(log + ": " + why);
  }

  void passedOver(String why) {
    damages.add(why);
  }

  /** Lines read. */
  public long read() {
    return lines.values().stream().mapToLong(count -> count[0]).sum();
  }

  /** Lines with a fate. */
  public long of(Fate fate) {
    long[] count = lines.get(fate);
    return count == null ? 0 : count[0];
  }

  /** Lines that could not be read, whatever the cause. */
  public long rejected() {
    return lines.entrySet().stream()
        .filter(entry -> entry.getKey().isRejection())
        .mapToLong(entry -> entry.getValue()[0])
        .sum();
  }

  /**
   * Lines that were not UTF-8, or whose query was sent in escapes that are not, and were read as
   * windows-1252; they have another fate besides.
   */
  public long readAsWestern() {
    return recoded;
  }

  /**
   * The first few lines of a fate that needs explaining, each with its place; the places alone
   * where queries are left out that few sessions asked ({@link IngestSettings#minSessions} over 1).
   */
  public List<String> samples(Fate fate) {
    return List.copyOf(samples.getOrDefault(fate, List.of()));
  }

  /** The logs that broke off or were passed over, each with the cause. */
  public List<String> damages() {
    return List.copyOf(damages);
  }

  /**
   * The logs that may be something else than they were taken for, each with what to do then: mostly
   * to {@linkplain LogFormats#withColumns name the columns}.
   */
  public List<String> doubts() {
    return List.copyOf(doubts);
  }

  /** All counts in one line, for people; 0 is left out, and so are the lines themselves. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    line.append(read()).append(" lines read, ").append(rejected()).append(" rejected");
    String separator = ": ";
    for (Map.Entry<Fate, long[]> fate : lines.entrySet()) {
      line.append(separator).append(fate.getValue()[0]).append(' ').append(fate.getKey().label());
      separator = ", ";
    }
    if (recoded > 0) {
      line.append("; ").append(recoded).append(" read as windows-1252");
    }
    if (!damages.isEmpty()) {
      line.append("; logs damaged or passed over: ").append(damages.size());
    }
    if (!doubts.isEmpty()) {
      line.append("; logs in doubt: ").append(doubts.size());
    }
    return line.toString();
  }
}
