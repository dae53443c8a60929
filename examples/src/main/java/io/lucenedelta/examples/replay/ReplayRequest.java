// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What to replay: made by {@link #of} with defaults, narrowed down by {@code with…}, each of which
 * returns a new request. Immutable.
 *
 * @param workload the queries users ask; every one counts in quality; how often they may be asked
 *     is as for an index, see {@link DeltaConfig#requireFrequencies}
 * @param policies names of strategies
 * @param budgets refreshes a week, each a run of its own
 * @param scoring how pages are scored
 * @param inlinks in-link counts by page key, for {@link Scoring#IMPORTANCE} and for strategies that
 *     weigh pages by them; missing pages have 0, and if none is given all pages are alike
 * @param knowledge what strategies that can do both may learn from
 * @param hints share of the pages that publish their changes, in [0, 1]; null leaves 0, or half for
 *     strategies that cannot do without
 * @param seed of every random choice
 * @param audit whether every refresh of one run is measured exactly as well
 * @param tuning which settings of the strategies are tried, and how pages are cut into fragments
 * @param learnWeeks 0, or how many weeks from the start are for learning alone: the repository is
 *     synchronised in the last of them and only later weeks are judged
 * @param hidden share of the pages whose address is known but which were never fetched at the start
 * @param titles whether the titles of pages are known before they are fetched, as links tell
 * @param threads runs at a time, at least 1
 */
public record ReplayRequest(
    Workload workload,
    List<String> policies,
    List<Budget> budgets,
    Scoring scoring,
    Map<String, Integer> inlinks,
    Knowledge knowledge,
    Double hints,
    long seed,
    boolean audit,
    Tuning tuning,
    int learnWeeks,
    double hidden,
    boolean titles,
    int threads) {
  /** Checks the ranges. */
  public ReplayRequest {
    Objects.requireNonNull(workload, "a replay needs a workload, was null");
    DeltaConfig.requireFrequencies(workload); // which an index refuses, or sums are no numbers
    Objects.requireNonNull(tuning, "a replay needs settings to try, was null");
    policies = List.copyOf(policies);
    budgets = List.copyOf(budgets);
    requireShare("hints", hints == null ? 0 : hints);
    requireShare("hidden", hidden);
    if (learnWeeks < 0) {
      throw new IllegalArgumentException("learnWeeks must not be negative, was " + learnWeeks);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, was " + threads);
    }
    policies.forEach(Strategies::require);
  }

  private static void requireShare(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(name + " must lie between 0 and 1, was " + share);
    }
  }

  /** Five strategies, BM25, hindsight as in the paper, budgets from 1 % to 50 %. */
  public static ReplayRequest of(Workload workload) {
    return new ReplayRequest(
        workload,
        List.of("user-utility", "user-centric", "uniform", "never", "clairvoyant"),
        List.of("1%", "2%", "5%", "10%", "20%", "50%").stream().map(Budget::of).toList(),
        Scoring.BM25,
        Map.of(),
        Knowledge.HINDSIGHT,
        null,
        42,
        false,
        Tuning.USUAL,
        0,
        0,
        false,
        Runtime.getRuntime().availableProcessors());
  }

  /** With these queries. */
  public ReplayRequest withWorkload(Workload queries) {
    return with(draft -> draft.workload = queries);
  }

  /** With these strategies; {@link Strategies#names} lists them. */
  public ReplayRequest withPolicies(List<String> names) {
    return with(draft -> draft.policies = names);
  }

  /** With these budgets. */
  public ReplayRequest withBudgets(List<Budget> chosen) {
    return with(draft -> draft.budgets = chosen);
  }

  /**
   * With this scoring and these in-link counts, by which {@link Scoring#IMPORTANCE} scores and
   * {@linkplain Strategies#WITH_IMPORTANCE some strategies} weigh pages under every scoring.
   */
  public ReplayRequest withScoring(Scoring chosen, Map<String, Integer> inlinkCounts) {
    return with(
        draft -> {
          draft.scoring = chosen;
          draft.inlinks = Map.copyOf(inlinkCounts);
        });
  }

  /**
   * Static importance by page of a crawl, 1 + in-links.
   *
   * @throws IllegalArgumentException if none of the pages has a count although there are counts, or
   *     pages are scored by them
   */
  float[] importance(ReplayCorpus corpus) {
    float[] importance = new float[corpus.pageCount()];
    boolean counted = false;
    for (int page = 0; page < importance.length; page++) {
      Integer links = inlinks.get(corpus.page(page));
      counted |= links != null;
      importance[page] = links == null ? 1 : 1 + links;
    }
    if (!counted && (scoring == Scoring.IMPORTANCE || !inlinks.isEmpty())) {
      throw new IllegalArgumentException(
          "none of the %d addresses with in-link counts is among the pages of the crawl that are chosen, such as %s: name the counts of these, or choose others"
              .formatted(inlinks.size(), importance.length == 0 ? "none" : corpus.page(0)));
    }
    return importance;
  }

  /** With this knowledge and this share of pages that publish their changes, or null. */
  public ReplayRequest withKnowledge(Knowledge chosen, Double hintedShare) {
    return with(
        draft -> {
          draft.knowledge = chosen;
          draft.hints = hintedShare;
        });
  }

  /** With this seed. */
  public ReplayRequest withSeed(long chosen) {
    return with(draft -> draft.seed = chosen);
  }

  /** With or without the exact measurement of every refresh. */
  public ReplayRequest withAudit(boolean audited) {
    return with(draft -> draft.audit = audited);
  }

  /** With these settings tried. */
  public ReplayRequest withTuning(Tuning chosen) {
    return with(draft -> draft.tuning = chosen);
  }

  /** With the first weeks for learning alone. */
  public ReplayRequest withLearnWeeks(int weeks) {
    return with(draft -> draft.learnWeeks = weeks);
  }

  /** With a share of pages never fetched at the start. */
  public ReplayRequest withHidden(double share) {
    return with(draft -> draft.hidden = share);
  }

  /** With or without titles of pages before they are fetched. */
  public ReplayRequest withTitles(boolean known) {
    return with(draft -> draft.titles = known);
  }

  /** With this many runs at a time; results do not depend on it. */
  public ReplayRequest withThreads(int count) {
    return with(draft -> draft.threads = count);
  }

  private ReplayRequest with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.request();
  }

  /** The same values, to be changed. */
  private static final class Draft {
    private Workload workload;
    private List<String> policies;
    private List<Budget> budgets;
    private Scoring scoring;
    private Map<String, Integer> inlinks;
    private Knowledge knowledge;
    private Double hints;
    private long seed;
    private boolean audit;
    private Tuning tuning;
    private int learnWeeks;
    private double hidden;
    private boolean titles;
    private int threads;

    Draft(ReplayRequest request) {
      workload = request.workload;
      policies = request.policies;
      budgets = request.budgets;
      scoring = request.scoring;
      inlinks = request.inlinks;
      knowledge = request.knowledge;
      hints = request.hints;
      seed = request.seed;
      audit = request.audit;
      tuning = request.tuning;
      learnWeeks = request.learnWeeks;
      hidden = request.hidden;
      titles = request.titles;
      threads = request.threads;
    }

    ReplayRequest request() {
      return new ReplayRequest(
          workload,
          policies,
          budgets,
          scoring,
          inlinks,
          knowledge,
          hints,
          seed,
          audit,
          tuning,
          learnWeeks,
          hidden,
          titles,
          threads);
    }
  }
}
