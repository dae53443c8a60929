// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * The pages of one batch that whoever asks for it wants: asked page by page, each of them once, the
 * best of each question first. So what it answers may depend on what it has accepted, a number of
 * pages for each host, say.
 *
 * <p>How many pages are passed over nobody knows before. So the best are looked up as many as are
 * asked for, then eight times as many, and so on: to look all of them up takes little longer than
 * the last time alone. Not safe for use by several threads.
 */
public final class WantedPages {
  /** Pages gone through for one batch at most, or as many as it is to have, if that is more. */
  public static final int MOST = 1 << 17;

  private static final int STEP = 8;

  private final Predicate<String> wanted; // null for all
  private final Map<String, Boolean> answers = new HashMap<>();
  private int passed;

  private WantedPages(Predicate<String> wanted) {
    this.wanted = wanted;
  }

  /** All pages, without a question. */
  public static WantedPages all() {
    return new WantedPages(null);
  }

  /**
   * The pages that a predicate accepts.
   *
   * @throws NullPointerException if it is null
   */
  public static WantedPages of(Predicate<String> wanted) {
    return new WantedPages(
        Objects.requireNonNull(wanted, "pages are wanted by a predicate, was null"));
  }

  /** Whether a page is wanted; asks once. */
  private boolean wants(String page) {
    if (wanted == null) {
      return true;
    }
    Boolean known = answers.get(page);
    if (known == null) {
      known = wanted.test(page);
      answers.put(page, known);
    }
    return known;
  }

  /**
   * The first pages wanted, so many if there are so many among the {@value #MOST} best.
   *
   * @param begun how many of the best it took the last time, 0 if that is not known
   * @param accepted pages that were asked about before and count otherwise: each has its place
   *     beside the others, if it is among the best
   * @param key of a page
   * @param best gives the best of all pages, so many or fewer, best first
   */
  public <T> List<T> first(
      int count,
      int begun,
      Set<String> accepted,
      Function<T, String> key,
      IntFunction<List<T>> best) {
    if (wanted == null || count == 0) {
      return best.apply(count);
    }
    int most = Math.max(MOST, count);
    long size = count;
    while (size < Math.min(begun, most)) {
      size *= STEP;
    }
    while (true) {
      int looked = (int) Math.min(size, most);
      List<T> pages = best.apply(looked);
      List<T> first = new ArrayList<>();
      int others = count - accepted.size();
      passed = 0;
      for (T page : pages) {
        boolean counts = !accepted.contains(key.apply(page));
        if (counts && others == 0) {
          return first;
        }
        passed++;
        if (!counts || wants(key.apply(page))) {
          first.add(page);
          others -= counts ? 1 : 0;
        }
      }
      if (others == 0 || pages.size() < looked || looked == most) {
        return first;
      }
      size *= STEP;
    }
  }

  /** How many of the best it took. */
  public int passed() {
    return passed;
  }
}
