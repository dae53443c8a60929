// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.divergence.Fragments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When the fragments of one page came and went. A stay that began with the first version or lasts
 * to the end is not complete: its length is unknown (2008, section 3.2). Another stay of the same
 * fragment is, which the source leaves out with the fragment.
 *
 * <p>Only counts are kept: the stays on all pages of a crawl would take more than all else of it.
 */
final class FragmentLives {
  private final ReplayCorpus corpus;
  private final int page;
  private final int[] byWeeks; // complete stays by the weeks they lasted
  private final int[] byUpdates; // complete stays by K, the versions they lasted

  private record Stay(long hash, int firstVersion, int lastVersion) {
    int updates() {
      return lastVersion - firstVersion + 1;
    }
  }

  private FragmentLives(ReplayCorpus corpus, int page) {
    this.corpus = corpus;
    this.page = page;
    int[] weeks = new int[corpus.weeks() + 1];
    int[] updates = new int[corpus.versionCount(page) + 1];
    for (Stay stay : stays()) {
      if (complete(stay)) {
        weeks[weeks(stay)]++;
        updates[stay.updates()]++;
      }
    }
    this.byWeeks = upToLongest(weeks);
    this.byUpdates = upToLongest(updates);
  }

  static FragmentLives of(ReplayCorpus corpus, int page) {
    return new FragmentLives(corpus, page);
  }

  private static int[] upToLongest(int[] counts) {
    int length = counts.length;
    while (length > 0 && counts[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(counts, length);
  }

  /** All stays, in no order. */
  private List<Stay> stays() {
    List<Stay> stays = new ArrayList<>();
    Map<Long, Integer> present = new HashMap<>();
    Fragments[] versions = corpus.fragments(page);
    int last = versions.length - 1;
    for (int version = 0; version <= last; version++) {
      Fragments fragments = versions[version];
      int gone = version - 1;
      present
          .entrySet()
          .removeIf(
              entry -> {
                boolean left = !fragments.contains(entry.getKey());
                if (left) {
                  stays.add(new Stay(entry.getKey(), entry.getValue(), gone));
                }
                return left;
              });
      for (int i = 0; i < fragments.size(); i++) {
        present.putIfAbsent(fragments.hash(i), version);
      }
    }
    present.forEach((hash, first) -> stays.add(new Stay(hash, first, last)));
    return stays;
  }

  private boolean complete(Stay stay) {
    return stay.firstVersion > 0 && stay.lastVersion < corpus.versionCount(page) - 1;
  }

  private int firstWeek(Stay stay) {
    return corpus.since(page, stay.firstVersion);
  }

  private int lastWeek(Stay stay) {
    return stay.lastVersion == corpus.versionCount(page) - 1
        ? corpus.weeks() - 1
        : corpus.since(page, stay.lastVersion + 1) - 1;
  }

  private int weeks(Stay stay) {
    return lastWeek(stay) - firstWeek(stay) + 1;
  }

  int page() {
    return page;
  }

  /** Number of complete stays. */
  int completed() {
    return Arrays.stream(byUpdates).sum();
  }

  /** Changes a week since the page appeared; 0 if that was the last week. */
  double changeFrequency() {
    int compared = corpus.weeks() - 1 - corpus.since(page, 0);
    return (corpus.versionCount(page) - 1.0) / Math.max(1, compared);
  }

  /**
   * The most common K among complete stays, the lowest of equally common ones: 1, 2, or 3 for
   * anything above.
   */
  int dominant() {
    int dominant = 1;
    for (int k = 2; k < byUpdates.length; k++) {
      dominant = byUpdates[k] > byUpdates[dominant] ? k : dominant;
    }
    return Math.min(3, dominant);
  }

  Longevity.PageLongevity longevity() {
    double weeks = 0;
    for (int length = 1; length < byWeeks.length; length++) {
      weeks += (double) length * byWeeks[length];
    }
    return new Longevity.PageLongevity(
        corpus.page(page), changeFrequency(), weeks / completed(), completed());
  }

  /** Adds the complete stays to counts by weeks and by K. */
  void count(double[] weeks, double[] updates) {
    for (int length = 1; length < byWeeks.length; length++) {
      weeks[length] += byWeeks[length];
    }
    for (int k = 1; k < byUpdates.length; k++) {
      updates[k] += byUpdates[k];
    }
  }

  /**
   * The page's fragments in order of appearance, evenly thinned out to at most so many. Follows
   * them once more.
   */
  List<Longevity.Lifeline> lifelines(int most) {
    List<Stay> stays = stays();
    stays.sort(
        Comparator.comparingInt(Stay::firstVersion)
            .thenComparingInt(Stay::lastVersion)
            .thenComparingLong(Stay::hash));
    int n = Math.min(most, stays.size());
    List<Longevity.Lifeline> lines = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      int number = (int) ((long) i * stays.size() / n);
      Stay stay = stays.get(number);
      lines.add(new Longevity.Lifeline(corpus.page(page), number, firstWeek(stay), lastWeek(stay)));
    }
    return lines;
  }
}
