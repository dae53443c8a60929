// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Lines of a log after parsing, column by column, so that no line costs an object. Each line has
 * its fate or, where that depends on the lines before, all that must be known to tell it.
 *
 * <p>Texts are kept without blanks around them. Not safe for use by several threads.
 */
final class ParsedLines {
  /** Characters that a query may have: nobody types more, programs paste whole pages. */
  static final int LONGEST_TEXT = 2048;

  private static final int TYPICAL_LINES = 1 << 12;
  private static final int TYPICAL_TEXT = 16;

  private int count;
  private Fate[] fates = new Fate[TYPICAL_LINES]; // null while it is open
  private int[] ranks = new int[TYPICAL_LINES];
  private long[] sessions = new long[TYPICAL_LINES];
  private long[] seconds = new long[TYPICAL_LINES];
  private long[] fingerprints = new long[TYPICAL_LINES];
  private double[] times = new double[TYPICAL_LINES];
  private int[] shards = new int[TYPICAL_LINES];
  private int[] textEnds = new int[TYPICAL_LINES];
  private byte[] texts = new byte[TYPICAL_LINES * TYPICAL_TEXT];
  private final Map<Fate, Integer> samplesByFate = new EnumMap<>(Fate.class);
  private final List<Excerpt> excerpts = new ArrayList<>();
  private final ResultNumbering numbering = new ResultNumbering();
  private final JsonTexts jsonTexts = new JsonTexts();
  private int recoded;

  /**
   * What a line looks like that needs explaining.
   *
   * @param line its number among these lines, from 0
   * @param text its beginning
   */
  record Excerpt(int line, String text) {}

  /** Forgets the lines, keeps the room. */
  void clear() {
    count = 0;
    recoded = 0;
    excerpts.clear();
    samplesByFate.clear();
    numbering.clear();
    jsonTexts.clear();
  }

  /** Adds a line that is neither query nor click. */
  void remark(Fate fate) {
    close(fate, 0, 1);
  }

  /** Adds a line that reports a click, at a rank as of {@link LogClick}. */
  void click(int rank) {
    numbering.clicks(rank);
    close(Fate.CLICK, rank, 1);
  }

  /** Adds a line that asks something. */
  void ask(EntryDraft entry) {
    byte[] bytes = entry.textBytes();
    int from = entry.textFrom();
    int to = entry.textTo();
    while (from < to && isBlank(bytes[from])) {
      from++;
    }
    while (from < to && isBlank(bytes[to - 1])) {
      to--;
    }
    if (from < to && (bytes[from] < 0 || bytes[to - 1] < 0)) {
      // only String knows the blanks beyond ASCII
      bytes =
          new String(bytes, from, to - from, StandardCharsets.UTF_8)
              .strip()
              .getBytes(StandardCharsets.UTF_8);
      from = 0;
      to = bytes.length;
    }
    if (from == to) {
      remark(Fate.EMPTY); // without its click, which no query that counts can be weighed against
    } else if (isTooLong(bytes, from, to)) {
      remark(Fate.TOO_LONG);
      if (isSampled()) {
        sample(BlockLines.excerpt(entry.text()));
      }
    } else {
      numbering.asks(entry.offset, entry.rank);
      jsonTexts.add(bytes, from, to);
      if (entry.offset > 0) {
        close(Fate.NEXT_PAGE, entry.rank, entry.count);
        if (entry.rank > 0) {
          describe(count - 1, entry, bytes, from, to);
        }
      } else {
        open(entry, bytes, from, to);
      }
    }
  }

  /** Keeps the beginning of the last line, if it is among the first of its fate. */
  void sample(String excerpt) {
    if (isSampled()) {
      samplesByFate.merge(fates[count - 1], 1, Integer::sum);
      excerpts.add(new Excerpt(count - 1, excerpt));
    }
  }

  /** Whether the last line is among the first of its fate. */
  boolean isSampled() {
    return samplesByFate.getOrDefault(fates[count - 1], 0) < ParseTally.SAMPLES;
  }

  /** Notes that the last line was not UTF-8 and was read as windows-1252. */
  void recoded() {
    recoded++;
  }

  /** How many lines there are. */
  int count() {
    return count;
  }

  /** How many of them were not UTF-8. */
  int recodedCount() {
    return recoded;
  }

  /** The excerpts, in the order of the lines. */
  List<Excerpt> excerpts() {
    return excerpts;
  }

  /** How the lines number results. */
  ResultNumbering numbering() {
    return numbering;
  }

  /** How many of their texts are JSON. */
  JsonTexts jsonTexts() {
    return jsonTexts;
  }

  /** What became of a line; null when that depends on the lines before. */
  Fate fate(int line) {
    return fates[line];
  }

  /** The rank of the result that a line says was clicked, from 1; 0 for none. */
  int rank(int line) {
    return ranks[line];
  }

  /**
   * The number of the session of a line whose fate is open, or that clicks on a further page; 0
   * when it is not told from others.
   */
  long session(int line) {
    return sessions[line];
  }

  /** When such a line was asked, or {@link LogEntry#NO_TIME}. */
  long epochSecond(int line) {
    return seconds[line];
  }

  /** Whether the session and the time of such a line are known, so that others can repeat it. */
  boolean isOfSession(int line) {
    return sessions[line] != 0 && seconds[line] != LogEntry.NO_TIME;
  }

  /** By what the text of such a line is told from others, blanks around it aside. */
  long fingerprint(int line) {
    return fingerprints[line];
  }

  /** How often a line counts: as a query, and, if it has a rank, as a click. */
  double times(int line) {
    return times[line];
  }

  /** The shard that reports a line whose fate is open, or -1. */
  int shard(int line) {
    return shards[line];
  }

  /** The texts of all lines in UTF-8, one behind the other. */
  byte[] texts() {
    return texts;
  }

  /** Where the text of a line begins in {@link #texts}. */
  int textFrom(int line) {
    return line == 0 ? 0 : textEnds[line - 1];
  }

  /** Where it ends; lines whose fate is known have none. */
  int textTo(int line) {
    return textEnds[line];
  }

  private static boolean isBlank(byte b) {
    return b <= ' ' && Character.isWhitespace(b);
  }

  private static boolean isTooLong(byte[] utf8, int from, int to) {
    return to - from > LONGEST_TEXT
        && new String(utf8, from, to - from, StandardCharsets.UTF_8).length() > LONGEST_TEXT;
  }

  private void close(Fate fate, int rank, double asked) {
    room(0);
    int textEnd = textFrom(count);
    fates[count] = fate;
    ranks[count] = Math.max(0, rank);
    sessions[count] = 0;
    seconds[count] = LogEntry.NO_TIME;
    times[count] = asked;
    textEnds[count] = textEnd;
    count++;
  }

  private void open(EntryDraft entry, byte[] bytes, int from, int to) {
    room(to - from);
    int textEnd = textFrom(count);
    System.arraycopy(bytes, from, texts, textEnd, to - from);
    fates[count] = null;
    ranks[count] = Math.max(0, entry.rank);
    describe(count, entry, bytes, from, to);
    times[count] = entry.count;
    shards[count] = entry.shard;
    textEnds[count] = textEnd + to - from;
    count++;
  }

  /** Who asked what and when. */
  private void describe(int line, EntryDraft entry, byte[] bytes, int from, int to) {
    sessions[line] = entry.sessionNumber();
    seconds[line] = entry.epochSecond;
    fingerprints[line] = Fingerprint.of(bytes, from, to);
  }

  private void room(int textLength) {
    if (count == fates.length) {
      int more = 2 * count;
      fates = Arrays.copyOf(fates, more);
      ranks = Arrays.copyOf(ranks, more);
      sessions = Arrays.copyOf(sessions, more);
      seconds = Arrays.copyOf(seconds, more);
      fingerprints = Arrays.copyOf(fingerprints, more);
      times = Arrays.copyOf(times, more);
      shards = Arrays.copyOf(shards, more);
      textEnds = Arrays.copyOf(textEnds, more);
    }
    int end = textFrom(count) + textLength;
    if (end > texts.length) {
      texts = Arrays.copyOf(texts, Math.max(end, 2 * texts.length));
    }
  }
}
