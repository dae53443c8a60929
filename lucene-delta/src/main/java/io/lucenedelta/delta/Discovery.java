// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.WordEvidence;
import io.lucenedelta.scorer.refresh.DirectoryPath;
import java.time.Instant;
import java.util.stream.IntStream;

/**
 * What is known of a page that was never fetched. Only the {@link #evidence} of its words changes;
 * for one thread at a time.
 */
final class Discovery {
  /** Terms kept of a page: some anchors are whole paragraphs, some pages have a million links. */
  static final int KEPT = 32;

  private final DirectoryPath directories;
  private final Instant since;
  private final int[] terms;
  private double evidence;
  private Object evidenceBy; // by which edition of the evidence; null before it was asked for

  /**
   * What is known of a page.
   *
   * @param directories it lies in, kept since every look at the page needs them
   * @param since when its address became known
   * @param terms the workload's terms among the words told of it, ascending; null when it was never
   *     told with words
   */
  Discovery(DirectoryPath directories, Instant since, int[] terms) {
    this.directories = directories;
    this.since = since;
    this.terms = terms;
  }

  /** A page of which no word was told. */
  static Discovery of(String page, Instant since, long hashSeed) {
    return new Discovery(DirectoryPath.of(page, hashSeed), since, null);
  }

  /**
   * Words that were told as terms of another workload, a negative number for each that is none
   * there. Null when all are: it is no longer known what was told, and a workload that asks for
   * nothing of it may be there for a day.
   */
  static int[] known(IntStream words) {
    int[] all = words.toArray();
    int[] terms = IntStream.of(all).filter(term -> term >= 0).toArray();
    return terms.length == 0 && all.length > 0 ? null : terms;
  }

  /** With more words told; those that come first stay when there are too many. */
  Discovery with(int[] told) {
    IntStream before = terms == null ? IntStream.empty() : IntStream.of(terms);
    IntStream all = IntStream.concat(before, IntStream.of(told));
    return new Discovery(directories, since, all.distinct().limit(KEPT).sorted().toArray());
  }

  /** The same by a clock that was set back. */
  Discovery from(Instant now) {
    return new Discovery(directories, now, terms);
  }

  DirectoryPath directories() {
    return directories;
  }

  Instant since() {
    return since;
  }

  int[] terms() {
    return terms;
  }

  /**
   * The evidence of its words, kept since it is asked for with every look at the page, and who
   * chooses the words chooses how many queries have them.
   *
   * @param edition of the evidence: another object whenever that is made of other rank functions,
   *     which would stay in memory if what was made of them were kept here
   */
  double evidence(WordEvidence words, Object edition) {
    if (!edition.equals(evidenceBy)) {
      evidence = words.of(terms);
      evidenceBy = edition;
    }
    return evidence;
  }

  boolean hasWords() {
    return terms != null;
  }
}
