// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How often each query text was asked, and from that the {@link Workload}: each distinct text is
 * normalised once, however often it was asked.
 *
 * <p>The normalizer gets texts as they were added: {@code -word} is one more word to it. For what
 * users typed, where that is an operator, give {@link #workload} a {@link
 * io.lucenedelta.workload.log.TypedQueries}.
 *
 * <p>Exact, and larger than memory: counts beyond the heap budget go to temporary files. With
 * {@code minSessions} over 1, a query (after normalisation) that fewer sessions asked is left out:
 * k-anonymity. Sessions are told apart by number here and are not stored in the workload.
 *
 * <p>A workload holds all that was added before it was asked for. Another can be asked for, with
 * more texts or by another normalizer, until this is closed. Not safe for use by several threads.
 */
public final class QueryCounts implements Closeable {
  private static final byte END = 0;

  /** The least heap that counting can do with. */
  public static final long LEAST_HEAP_BYTES = 1 << 16;

  private final Path directory;
  private final long budgetBytes;
  private final int minSessions;
  private final SpillingSums texts;
  private final KeyBytes key = new KeyBytes();
  private boolean closed;

  /**
   * Counts nothing yet.
   *
   * @param directory where temporary files go if there must be any; made when needed
   * @param heapBytes heap to use, roughly; at least 64 KB
   * @param minSessions leave out queries asked by fewer sessions; 1 keeps all
   * @throws NullPointerException if there is no directory
   * @throws IllegalArgumentException if there is less heap, or fewer sessions than 1
   */
  public QueryCounts(Path directory, long heapBytes, int minSessions) {
    Objects.requireNonNull(directory, "a directory for temporary files is needed, was null");
    if (heapBytes < LEAST_HEAP_BYTES) {
      throw new IllegalArgumentException(
          "heapBytes must be at least " + LEAST_HEAP_BYTES + ", was " + heapBytes);
    }
    if (minSessions < 1) {
      throw new IllegalArgumentException("minSessions must be at least 1, was " + minSessions);
    }
    this.directory = directory;
    this.budgetBytes = heapBytes / 2;
    this.minSessions = minSessions;
    this.texts = new SpillingSums(directory, "texts", budgetBytes);
  }

  /**
   * Adds a text that one session asked {@code count} times; NUL characters in it count as spaces.
   *
   * @param session a number for the session, equal for equal sessions
   * @param count positive and finite
   * @throws NullPointerException if the text is null
   * @throws IllegalArgumentException if the count is not
   * @throws IllegalStateException if this is closed
   * @throws IOException if a temporary file cannot be written
   */
  public void add(String text, long session, double count) throws IOException {
    Objects.requireNonNull(text, "a text that was asked is needed, was null");
    byte[] utf8 = text.replace('\0', ' ').getBytes(StandardCharsets.UTF_8);
    add(utf8, 0, utf8.length, session, count);
  }

  /**
   * The same for the text that is the UTF-8 in {@code [from, from + length)} of an array, without
   * NUL.
   *
   * @throws IllegalArgumentException if the count is not positive and finite
   * @throws IllegalStateException if this is closed
   * @throws IOException if a temporary file cannot be written
   */
  public void add(byte[] utf8, int from, int length, long session, double count)
      throws IOException {
    requireOpen();
    if (!(count > 0 && count <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "a text is asked a positive and finite number of times, was " + count);
    }
    if (minSessions == 1) {
      texts.add(utf8, from, length, count);
    } else {
      key.clear().put(utf8, from, length).put(END).putLong(session);
      texts.add(key.array(), 0, key.length(), count);
    }
  }

  /**
   * Builds the workload of what was added so far.
   *
   * @throws NullPointerException if the normalizer, or what it gives for a text, is null
   * @throws IllegalArgumentException if the counts add up to more than a {@code double} holds
   * @throws IllegalStateException if this is closed
   * @throws IOException if a temporary file cannot be read or written
   */
  public CountedWorkload workload(QueryNormalizer normalizer) throws IOException {
    Objects.requireNonNull(normalizer, "a workload needs a normalizer of its queries, was null");
    requireOpen();
    try (WorkloadAssembly assembly = new WorkloadAssembly(directory, budgetBytes, minSessions)) {
      Normalization normalization = new Normalization(normalizer, assembly, minSessions > 1);
      if (minSessions == 1) {
        texts.forEachInAnyOrder(normalization);
      } else {
        texts.forEach(normalization);
      }
      Workload workload = assembly.assemble(0);
      return new CountedWorkload(
          workload,
          normalization.distinctTexts(),
          normalization.withoutTerms(),
          assembly.withheldQueries(),
          assembly.withheldFrequency());
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "these counts are closed, and what was on disk is deleted; count in new ones");
    }
  }

  /** Deletes the temporary files. */
  @Override
  public void close() throws IOException {
    closed = true;
    texts.close();
  }

  /** Raw texts, the sessions of each together → queries. */
  private static final class Normalization implements SpillingSums.Receiver {
    private final QueryNormalizer normalizer;
    private final WorkloadAssembly assembly;
    private final boolean sessions;
    private String lastText;
    private List<byte[]> lastTerms = List.of();
    private byte[] lastOrder = AskedTerms.OWN_ORDER;
    private long distinctTexts;
    private double withoutTerms;

    Normalization(QueryNormalizer normalizer, WorkloadAssembly assembly, boolean sessions) {
      this.normalizer = normalizer;
      this.assembly = assembly;
      this.sessions = sessions;
    }

    long distinctTexts() {
      return distinctTexts;
    }

    double withoutTerms() {
      return withoutTerms;
    }

    @Override
    public void accept(byte[] key, int length, double count) throws IOException {
      int textLength = sessions ? length - 1 - Long.BYTES : length;
      String text = new String(key, 0, textLength, StandardCharsets.UTF_8);
      if (!text.equals(lastText)) {
        lastText = text;
        takeApart(text);
        distinctTexts++;
      }
      if (lastTerms.isEmpty()) {
        withoutTerms += count;
      } else {
        assembly.add(lastTerms, lastOrder, sessions ? session(key, length) : 0, count);
      }
    }

    private void takeApart(String text) {
      List<String> terms = new ArrayList<>(given(normalizer.terms(text)));
      terms.removeIf(term -> !AskedTerms.isTerm(term));
      AskedTerms asked = AskedTerms.of(terms);
      lastTerms = new ArrayList<>(asked.terms().size());
      for (String term : asked.terms()) {
        lastTerms.add(term.getBytes(StandardCharsets.UTF_8));
      }
      lastOrder = asked.order();
    }

    private static List<String> given(List<String> terms) {
      Objects.requireNonNull(terms, "a normalizer gives a list, if need be an empty one, was null");
      for (String term : terms) {
        Objects.requireNonNull(term, "a normalizer gives terms that are texts, one was null");
      }
      return terms;
    }

    private static long session(byte[] key, int length) {
      long session = 0;
      for (int i = length - Long.BYTES; i < length; i++) {
        session = session << 8 | (key[i] & 0xff);
      }
      return session;
    }
  }
}
