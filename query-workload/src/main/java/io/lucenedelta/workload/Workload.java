// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The queries users ask and how often: Q of the 2005 paper (section 1.2), or, by {@link
 * #singleTerm}, its approximation Q′ (section 5.1.1).
 *
 * <p>A query is a set of distinct terms: order and repetition of words do not matter, since a page
 * scores the sum of its scores for the terms; the order asked most often is kept for people to
 * read. Terms are numbered from 0 in the order of their UTF-8 bytes, which is Lucene's term order.
 * Queries are numbered from 0 by descending frequency, ties in the order of their term numbers.
 * Frequencies are positive and finite, in occurrences; merging workloads with a decay makes them
 * fractional.
 *
 * <p>On the heap when {@linkplain WorkloadBuilder built}, mapped from a file when {@linkplain #open
 * opened}; both behave alike. A query takes 12 bytes, and 5 for each of its terms.
 *
 * <p>For speed numbers are hardly checked: outside of this workload they throw an {@link
 * IndexOutOfBoundsException}, but {@link #queryTerm} beyond a query may be a term of another one.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class Workload {
  private static final long MERGE_BYTES = 96L << 20;

  private final WorkloadSections sections;

  private final WorkloadFile.Mapped mapped; // null when it does not come from a file

  Workload(WorkloadSections sections) {
    this.sections = sections;
    this.mapped = null;
  }

  private Workload(WorkloadFile.Mapped mapped) {
    this(mapped.sections(), mapped);
  }

  private Workload(WorkloadSections sections, WorkloadFile.Mapped mapped) {
    this.sections = sections;
    this.mapped = mapped;
  }

  /** The same, made of another one, which may have been opened from a corrupt file. */
  Workload madeOf(Workload other) {
    return new Workload(sections, other.mapped);
  }

  /** Returns an empty builder. */
  public static WorkloadBuilder builder() {
    return new WorkloadBuilder();
  }

  /**
   * Opens the workload that {@link #write} wrote. The file is mapped, not read into the heap; it
   * may be replaced by another {@code write} while this workload is in use, but not changed in
   * place. Windows, though, neither replaces nor deletes a file that is mapped, as this one is
   * until the workload and what was made of it are collected: write to another file there. Only its
   * header and its length are verified, so that it takes no longer for a large file than for a
   * small one; see {@link #checkIntegrity()} for the rest.
   *
   * @throws WorkloadFileException if the file is no workload, of another version or truncated, or
   *     its header is corrupt
   * @throws NullPointerException if the file is null
   * @throws IOException if it is not there or cannot be read
   */
  public static Workload open(Path file) throws IOException {
    Objects.requireNonNull(file, "a workload is opened from a file, was null");
    return new Workload(WorkloadFile.open(file));
  }

  /**
   * Verifies the checksum of the file that the workload, or the one that it was {@linkplain #filter
   * made} of, was opened from; does nothing if it was built here. Costs one pass over the file:
   * about 0.1 ms a megabyte once it is cached. A {@code DeltaIndexWriter} does so when it is
   * opened.
   *
   * @throws WorkloadFileException if the file is corrupt
   */
  public void checkIntegrity() throws IOException {
    if (mapped != null) {
      mapped.checkIntegrity();
    }
  }

  /**
   * Writes this workload to a file, in place of one that is there: {@code file} holds the old
   * content or the new, at any instant and after any failure.
   *
   * <p>Windows does not replace a file from which a workload in use was opened.
   *
   * @throws WorkloadFileException if it was opened from a file that is corrupt
   * @throws IOException if the folder is not there, or the file cannot be written
   */
  public void write(Path file) throws IOException {
    Objects.requireNonNull(file, "a workload is written to a file, was null");
    checkIntegrity(); // or the damage would have a checksum of its own
    WorkloadFile.write(sections, file);
  }

  /** Number of distinct terms. */
  public int termCount() {
    return sections.terms().count();
  }

  /** The text of a term, {@code 0 <= term < termCount()}; decoded anew on each call. */
  public String term(int term) {
    return new String(sections.terms().term(term), StandardCharsets.UTF_8);
  }

  /** The UTF-8 bytes of a term, {@code 0 <= term < termCount()}; the array is the caller's. */
  public byte[] termUtf8(int term) {
    return sections.terms().term(term);
  }

  /** The number of a term, or -1 when no query contains it. */
  public int termNumber(String term) {
    Objects.requireNonNull(term, "a term with a number is a text, was null");
    byte[] utf8 = AskedTerms.indexed(term).getBytes(StandardCharsets.UTF_8);
    return sections.terms().number(utf8, 0, utf8.length);
  }

  /** Number of distinct queries. */
  public int queryCount() {
    return sections.queryCount();
  }

  /** Number of terms of a query, at least 1. */
  public int queryLength(int query) {
    return sections.queryStart().get(query + 1) - sections.queryStart().get(query);
  }

  /** The i-th term of a query, ascending, {@code 0 <= i < queryLength(query)}. */
  public int queryTerm(int query, int i) {
    return sections.queryTerms().get(sections.queryStart().get(query) + i);
  }

  /** How often a query was asked: f_q. */
  public double frequency(int query) {
    return sections.frequency().get(query);
  }

  /** The terms of a query, in the order of their numbers. */
  public List<String> queryTerms(int query) {
    return IntStream.range(0, queryLength(query)).mapToObj(i -> term(queryTerm(query, i))).toList();
  }

  /**
   * The query for people to read: its terms, joined by spaces in the order in which they were asked
   * most often.
   */
  public String queryText(int query) {
    return String.join(" ", askedTerms(query));
  }

  /**
   * The terms of a query, in the order in which they were asked most often; of a corrupt file,
   * which {@link #checkIntegrity} tells, any of them.
   */
  List<String> askedTerms(int query) {
    byte[] asked = sections.asked(query);
    return IntStream.range(0, asked.length)
        .map(i -> Math.min(AskedTerms.place(asked, i), asked.length - 1))
        .mapToObj(place -> term(queryTerm(query, place)))
        .toList();
  }

  /** The sum of the frequencies of all queries. */
  public double totalFrequency() {
    return sections.totalFrequency();
  }

  /** Its size in one line, and no query: what users ask may be private. */
  @Override
  public String toString() {
    String size = queryCount() + " queries over " + termCount() + " terms";
    return "workload of " + size + ", asked " + totalFrequency() + " times in all";
  }

  /**
   * Q′ (2005, section 5.1.1): one single-term query a term, its frequency the summed frequency of
   * the queries in which the term occurs. Term numbers stay.
   */
  public Workload singleTerm() {
    double[] sums = new double[termCount()];
    for (int query = 0; query < queryCount(); query++) {
      for (int i = 0; i < queryLength(query); i++) {
        sums[queryTerm(query, i)] += frequency(query);
      }
    }
    return new Workload(sections.singleTerm(sums), mapped);
  }

  /**
   * The queries that {@code keep} accepts by number, frequencies unchanged. Terms that occur in
   * none of them are dropped and the others renumbered.
   */
  public Workload filter(IntPredicate keep) {
    Objects.requireNonNull(keep, "queries are kept that a predicate accepts, was null");
    return new Workload(sections.filter(keep), mapped);
  }

  /**
   * This workload grown older, plus a newer one: f_q = weight · f_q(this) + f_q(newer). A daily log
   * merged with {@code weight = 2^(-1/halfLifeDays)} makes a running workload with exponential
   * decay. Queries whose frequency falls below {@code floor} are dropped, or a running workload
   * would keep each query for ever. The sum of the frequencies comes to newer / (1 − weight): begin
   * with about as much, for the gains that an index measured with a workload are added to those of
   * the next as they stand. Workloads of any size: what exceeds some heap goes to the directory for
   * temporary files meanwhile, where Windows keeps it as long as the workload has it mapped.
   *
   * @param weight over 0, at most 1
   * @param floor 0 or more; 0 keeps all whose frequency a {@code double} can still hold
   * @throws NullPointerException if the newer one is null
   * @throws IllegalArgumentException if the weight or the floor is out of range, or the frequencies
   *     add up to more than a {@code double} holds
   * @throws WorkloadFileException if one of the two was opened from a file that is corrupt
   * @throws IOException if the directory for temporary files cannot be written
   */
  public Workload merge(double weight, Workload newer, double floor) throws IOException {
    Objects.requireNonNull(newer, "a workload is merged with a newer one, was null");
    if (!(weight > 0 && weight <= 1)) {
      throw new IllegalArgumentException("weight must be in (0, 1], was " + weight);
    }
    if (!(floor >= 0)) {
      throw new IllegalArgumentException("floor must be 0 or more, was " + floor);
    }
    checkIntegrity(); // or the damage would be in the sum, under a checksum of its own
    newer.checkIntegrity();
    Path directory = TemporaryFiles.folder("workload-merge");
    try (WorkloadAssembly assembly = new WorkloadAssembly(directory, MERGE_BYTES, 1)) {
      assembly.add(sections, weight);
      assembly.add(newer.sections, 1);
      return assembly.assemble(floor);
    } finally {
      TemporaryFiles.delete(directory);
    }
  }
}
