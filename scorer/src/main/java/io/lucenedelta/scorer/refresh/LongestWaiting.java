// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The share of a batch for pages whose utility does not grow with time: those that have waited
 * longest have a place in it whatever they seem to be worth, so that none waits for ever. Ties are
 * broken as {@link TopPages} does. Not safe for use by several threads.
 */
public final class LongestWaiting {
  private final int places;
  private final TopPages longest; // their priority is the days waited
  private final Instant now;
  private final long seed;

  /**
   * The share of one batch: {@link GainParameters#waitingShare} of it. A place left over where that
   * comes to no whole number is given by chance, the same for the same time and seed.
   *
   * @param batch pages in the batch, 0 or more
   */
  public LongestWaiting(GainParameters parameters, int batch, Instant now, long seed) {
    double share = parameters.waitingShare() * batch + TopPages.fraction(seed, now.toString());
    this.places = Math.min(batch, (int) share);
    this.longest = new TopPages(places, seed);
    this.now = now;
    this.seed = seed;
  }

  private LongestWaiting(LongestWaiting share, int kept) {
    this.places = share.places;
    this.longest = new TopPages(kept, share.seed);
    this.now = share.now;
    this.seed = share.seed;
  }

  /**
   * The same share, to which nothing was offered yet, where some pages may turn out not to be
   * wanted.
   *
   * @param pages how many are kept of those offered, 0 or more
   */
  public LongestWaiting keeping(int pages) {
    return new LongestWaiting(this, pages);
  }

  /** Whether the share comes to any place; if not, no page need be offered. */
  public boolean hasPlaces() {
    return places > 0;
  }

  /** How many places the share comes to. */
  public int places() {
    return places;
  }

  /** Whether a page that waits since a time can be among them; spares asking more about others. */
  public boolean mayTake(Instant since) {
    return Days.between(since, now) >= longest.leastKept();
  }

  /** A page that waits since a time. */
  public void offer(String page, Instant since) {
    longest.offer(page, Days.between(since, now));
  }

  /** Those that have waited longest, no more than are kept, the longest first. */
  public Set<String> pages() {
    Set<String> pages = new LinkedHashSet<>();
    longest.bestFirst().forEach(candidate -> pages.add(candidate.page()));
    return pages;
  }

  /**
   * A batch in which they have their place: where their priority gives them one, else at the end.
   *
   * @param best a batch by priority alone, best first
   * @param waiting those that have waited longest, no more than {@code budget}
   * @param budget pages in the batch at most
   */
  public static List<RefreshCandidate> placedIn(
      List<RefreshCandidate> best, List<RefreshCandidate> waiting, int budget) {
    Map<String, RefreshCandidate> others = new LinkedHashMap<>();
    waiting.forEach(candidate -> others.put(candidate.page(), candidate));
    Set<String> keep = Set.copyOf(others.keySet());
    best.forEach(candidate -> others.remove(candidate.page()));
    List<RefreshCandidate> batch = new ArrayList<>(best);
    for (int i = best.size() - 1; i >= 0 && batch.size() + others.size() > budget; i--) {
      if (!keep.contains(best.get(i).page())) {
        batch.remove(i);
      }
    }
    batch.addAll(others.values());
    return batch;
  }
}
