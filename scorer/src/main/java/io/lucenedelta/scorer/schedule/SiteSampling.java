// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.TopPages;
import io.lucenedelta.scorer.refresh.Visits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Samples a few pages of each site, then fetches the sites that changed most (survey, section 3.1,
 * after Cho and Ntoulas 2002).
 *
 * <p>In a period, first k pages of every site are fetched. ρ is the share of a site's pages fetched
 * in this period that had changed, l and h its confidence bounds (Wilson's interval). The threshold
 * ρ_t is the ρ of the site at which the budget would run out if sites were fetched whole in
 * descending order of ρ, counting what is left of it and the pages not yet fetched in the period; 0
 * where it pays for all. Sites with h under ρ_t are left; sites with l above it are fetched whole,
 * best first; if there are none, k more pages are sampled of each of the others, best first as
 * well. Then all is worked out anew. When no more than one site is undecided and budget is left, it
 * goes to the next best site. Nothing is remembered from period to period.
 *
 * <p>Parameters: k, 5 where nothing else is tried; the survey says it follows from the resources.
 *
 * <p>Choices: k is at most what spends half of the budget on the first samples, but at least 1.
 * Where sites outnumber half of the budget, one page of each takes more than that, and where they
 * outnumber all of it, it goes to one page each of as many sites as it pays for, others every
 * period. Confidence is 95 % (z = 1.96); samples are drawn anew each period by hash. A page that is
 * fetched for the first time counts as a sample without a change. A crawl of one site degenerates
 * to random sampling, so pages can be grouped by directory as well, as deep as it takes for ten
 * groups.
 */
public final class SiteSampling implements RefreshPolicy {
  /** What counts as a site. */
  public enum SampleBy {
    /** A site. */
    SITE,
    /** A directory, as deep as it takes for ten of them. */
    DIRECTORY
  }

  private static final double Z = 1.96;
  private static final int ENOUGH_GROUPS = 10;
  private static final int DEEPEST = 6;

  private final int samples;
  private final SampleBy by;
  private final long seed;

  /**
   * The policy.
   *
   * @param samples k, at least 1
   * @param by what counts as a site
   * @throws IllegalArgumentException if there is to be no sample
   * @throws NullPointerException if it is not named what counts as a site
   */
  public SiteSampling(int samples, SampleBy by, long seed) {
    if (samples < 1) {
      throw new IllegalArgumentException("samples must be at least 1, was " + samples);
    }
    this.samples = samples;
    this.by =
        Objects.requireNonNull(
            by, "what is sampled, sites or directories, must be named, was null");
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    return (pages, now, left) -> round(pages, now, left, budget.perPeriod());
  }

  private List<RefreshCandidate> round(KnownPages known, Instant now, int left, int budget) {
    int depth = by == SampleBy.DIRECTORY ? depth(known) : 0;
    Map<String, Site> sites = new TreeMap<>();
    known.forEach(
        page -> {
          String name = depth > 0 ? directory(page.page(), depth) : page.facts().site();
          Site site = sites.computeIfAbsent(name, s -> new Site(TopPages.hash(lot(now), s)));
          Visits visits = page.visits();
          if (page.neverFetched() || page.lastRefresh().isBefore(now)) {
            site.rest.add(page.page());
          } else {
            site.fetched++;
            site.changed += visits.size() > 1 && visits.changed(visits.size() - 1) ? 1 : 0;
          }
        });
    List<Site> ranked = new ArrayList<>(sites.values());
    ranked.sort(
        Comparator.comparingDouble(Site::changedShare).reversed().thenComparingLong(Site::tie));
    int k = Math.max(1, Math.min(samples, budget / (2 * Math.max(1, sites.size()))));
    if (ranked.stream().allMatch(site -> site.fetched == 0)) {
      return some(ranked, k, left, now);
    }
    double threshold = threshold(ranked, left);
    List<Site> better = ranked.stream().filter(s -> s.open() && s.lower() > threshold).toList();
    if (!better.isEmpty()) {
      return some(better, Integer.MAX_VALUE, left, now);
    }
    List<Site> undecided = ranked.stream().filter(s -> s.open() && s.upper() >= threshold).toList();
    if (undecided.size() > 1) {
      return some(undecided, k, left, now);
    }
    return some(ranked.stream().filter(Site::open).limit(1).toList(), Integer.MAX_VALUE, left, now);
  }

  /** Up to {@code each} pages of every site, in the sites' order, until the budget is spent. */
  private List<RefreshCandidate> some(List<Site> sites, int each, int left, Instant now) {
    List<RefreshCandidate> order = new ArrayList<>();
    for (Site site : sites) {
      TopPages drawn = new TopPages(Math.min(each, left - order.size()), lot(now));
      site.rest.forEach(page -> drawn.offer(page, site.changedShare()));
      order.addAll(drawn.bestFirst());
    }
    return order;
  }

  /** The seed of a period's lots. */
  private long lot(Instant now) {
    return seed ^ now.getEpochSecond();
  }

  private static double threshold(List<Site> ranked, int left) {
    long needed = 0;
    for (Site site : ranked) {
      needed += site.rest.size();
      if (needed >= left) {
        return site.changedShare();
      }
    }
    return 0;
  }

  /** The depth of directories, at most six, at which the pages fall into enough groups. */
  private static int depth(KnownPages known) {
    for (int depth = 1; depth < DEEPEST; depth++) {
      Set<String> groups = new HashSet<>();
      int tried = depth;
      known.forEach(page -> groups.add(directory(page.page(), tried)));
      if (groups.size() >= ENOUGH_GROUPS) {
        return depth;
      }
    }
    return DEEPEST;
  }

  /** The address up to the end of so many directories, or of as many as it has. */
  static String directory(String address, int depth) {
    int end = PageFacts.afterScheme(address) + PageFacts.siteOf(address).length();
    for (int i = 0; i < depth; i++) {
      int next = address.indexOf('/', end + 1);
      if (next < 0) {
        break;
      }
      end = next;
    }
    return address.substring(0, end);
  }

  private static final class Site {
    private final List<String> rest = new ArrayList<>();
    private final long tie;
    private int fetched;
    private int changed;

    Site(long tie) {
      this.tie = tie;
    }

    /** Orders sites that changed alike, in another way each period. */
    long tie() {
      return tie;
    }

    boolean open() {
      return !rest.isEmpty();
    }

    /** ρ; a site without samples counts as changed throughout, so that it is looked at. */
    double changedShare() {
      return fetched == 0 ? 1 : (double) changed / fetched;
    }

    /** l; 0 where nothing changed, which rounding would make a little more of some samples. */
    double lower() {
      return changed == 0 ? 0 : wilson(-1);
    }

    /** h; 1 where all changed, likewise. */
    double upper() {
      return changed == fetched ? 1 : wilson(1);
    }

    private double wilson(int side) {
      double p = changedShare();
      double n = fetched;
      double root = Math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
      return (p + Z * Z / (2 * n) + side * Z * root) / (1 + Z * Z / n);
    }
  }
}
