// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.AdaptiveInterval;
import io.lucenedelta.scorer.refresh.Clairvoyant;
import io.lucenedelta.scorer.refresh.ContentProvider;
import io.lucenedelta.scorer.refresh.GainParameters;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.NeverRefresh;
import io.lucenedelta.scorer.refresh.Recency;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.SiteMetadata;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.UserCentric;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.scorer.schedule.BoundBased;
import io.lucenedelta.scorer.schedule.ChoGarciaMolina;
import io.lucenedelta.scorer.schedule.ClusterSampling;
import io.lucenedelta.scorer.schedule.CurveFitting;
import io.lucenedelta.scorer.schedule.Divergence;
import io.lucenedelta.scorer.schedule.DynamicUtility;
import io.lucenedelta.scorer.schedule.Embarrassment;
import io.lucenedelta.scorer.schedule.IncrementalBuckets;
import io.lucenedelta.scorer.schedule.LambdaCrawl;
import io.lucenedelta.scorer.schedule.Polling;
import io.lucenedelta.scorer.schedule.Rates;
import io.lucenedelta.scorer.schedule.SiteSampling;
import io.lucenedelta.scorer.schedule.Staleness;
import io.lucenedelta.scorer.schedule.StaticUtility;
import io.lucenedelta.scorer.schedule.UtilityForm;
import io.lucenedelta.scorer.schedule.UtilitySettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * The catalogue: every strategy by name, with the settings a replay tries.
 *
 * <p>The law book tests what is listed here without being told; {@code CONTRIBUTING.md} says what
 * else belongs to a new strategy.
 */
public final class Strategies {
  /** Those that try every {@linkplain Tuning#taus threshold} as a setting. */
  public static final List<String> WITH_THRESHOLDS = List.of("staleness", "embarrassment");

  /** Those that weigh pages by their importance, however pages are scored. */
  public static final List<String> WITH_IMPORTANCE = List.of("cluster-sampling", "lambda-crawl");

  /** Those that make use of what pages publish of their changes. */
  public static final List<String> WITH_HINTS =
      List.of("user-utility", "lambda-crawl", "site-metadata", "content-provider");

  /** Those that make use of the titles of pages that were never fetched. */
  public static final List<String> WITH_TITLES = List.of("user-utility");

  /**
   * Those that look at measured quality changes, measuring which is most of a run: online, others
   * are told that every refresh gained 0. The number and times of fetches, and how many found a
   * change, are not quality changes.
   */
  private static final Set<String> LEARN_FROM_GAINS = Set.of("user-centric", "user-utility");

  /** The lower reference, part of every replay. */
  static final String NEVER = "never";

  /**
   * Share of pages that publish changes for strategies that live on it, where none is asked for.
   */
  private static final double USUAL_COVERAGE = 0.5;

  private static final double[] OFFLINE_T = {0, 0.5, 1, 2, 5, 10, 20, 50};
  private static final double[] FEW_OFFLINE_T = {0, 1, 10};
  private static final String NAIVE = "T=0 utility=naive";
  private static final double[] ONLINE_T = {0.5, 1, 2, 4, 8, 16, 32, 64, 128};
  private static final double[] FEW_ONLINE_T = {2, 16, 64};

  private static final Map<String, Entry> CATALOGUE = catalogue();
  private static final String STUDIED = "user-utility";
  private static final Map<String, Entry> STUDIES =
      Map.of("user-utility-variants", Strategies::userUtilityVariants);

  private Strategies() {}

  /** Adds the variants that a name stands for in a request. */
  private interface Entry {
    void addTo(VariantList variants);
  }

  /** The names of all strategies. */
  public static List<String> names() {
    return List.copyOf(CATALOGUE.keySet());
  }

  /** What a strategy does, in one sentence for people; empty if there is no such strategy. */
  public static String idea(String name) {
    return StrategyIdeas.of(name);
  }

  /**
   * Whether a strategy looks at measured quality changes; one that is not in the catalogue is taken
   * to.
   */
  static boolean learnsFromGains(String name) {
    return LEARN_FROM_GAINS.contains(name) || !CATALOGUE.containsKey(name);
  }

  /** Whether one of some strategies is replayed, or a study of it. */
  public static boolean isReplayed(List<String> some, ReplayRequest request) {
    return request.policies().stream()
        .anyMatch(name -> some.contains(STUDIES.containsKey(name) ? STUDIED : name));
  }

  /**
   * Checks a name.
   *
   * @throws IllegalArgumentException with all names, if there is no such strategy
   */
  static void require(String name) {
    if (!CATALOGUE.containsKey(name) && !STUDIES.containsKey(name)) {
      throw new IllegalArgumentException(
          "no strategy '" + name + "': choose from " + String.join(", ", CATALOGUE.keySet()));
    }
  }

  /** The variants of a request, {@link #NEVER} first whether asked for or not. */
  static List<Variant> of(ReplayRequest request) {
    List<Variant> variants = new ArrayList<>();
    CATALOGUE.get(NEVER).addTo(new VariantList(NEVER, request, variants));
    for (String name : request.policies().stream().distinct().toList()) {
      if (!name.equals(NEVER)) {
        Entry entry = STUDIES.getOrDefault(name, CATALOGUE.get(name));
        entry.addTo(new VariantList(name, request, variants));
      }
    }
    return variants;
  }

  private static Map<String, Entry> catalogue() {
    Map<String, Entry> entries = new LinkedHashMap<>();
    entries.put(NEVER, v -> v.add("", (foresight, seed) -> new NeverRefresh()));
    entries.put("user-centric", Strategies::userCentric);
    entries.put("user-utility", Strategies::userUtility);
    entries.put("uniform", Strategies::uniform);
    entries.put("staleness", Strategies::staleness);
    entries.put("embarrassment", Strategies::embarrassment);
    entries.put("fragment-static", v -> staticUtility(v, Divergence.FRAGMENT));
    entries.put("holistic-static", v -> staticUtility(v, Divergence.HOLISTIC));
    entries.put("fragment-dynamic", v -> dynamicUtility(v, Divergence.FRAGMENT));
    entries.put("holistic-dynamic", v -> dynamicUtility(v, Divergence.HOLISTIC));
    entries.put("curve-fitting", v -> onlineUtility(v, CurveFitting::new));
    entries.put("bound-based", v -> onlineUtility(v, BoundBased::new));
    entries.put("cgm", Strategies::cgm);
    entries.put("site-metadata", v -> published(v, SiteMetadata::new));
    entries.put("content-provider", v -> published(v, ContentProvider::new));
    entries.put("incremental-buckets", Strategies::buckets);
    entries.put("polling", Strategies::polling);
    entries.put("site-sampling", Strategies::siteSampling);
    entries.put("cluster-sampling", Strategies::clusterSampling);
    entries.put("lambda-crawl", Strategies::lambdaCrawl);
    entries.put("adaptive-interval", Strategies::adaptiveInterval);
    entries.put("clairvoyant", v -> v.offline("", Clairvoyant::new));
    return entries;
  }

  private static void userCentric(VariantList v) {
    v.paper("", (foresight, seed) -> new UserCentric(seed));
    if (v.request.tuning().all()) {
      v.add("estimate=multi-term", (foresight, seed) -> new UserCentric(seed));
      v.realRanks("estimate=real-ranks", (foresight, seed) -> new UserCentric(seed));
      userCentricByRecency(v);
    }
  }

  private static void userUtility(VariantList v) {
    GainParameters parameters = gainParameters(v.request);
    v.add("", (foresight, seed) -> new UserUtility(parameters, seed));
  }

  private static void uniform(VariantList v) {
    boolean hindsight = v.request.knowledge() == Knowledge.HINDSIGHT;
    Uniform.StaticPages staticPages =
        hindsight ? Uniform.StaticPages.SKIP : Uniform.StaticPages.FETCH;
    v.add("", (foresight, seed) -> new Uniform(staticPages, seed));
    if (v.request.tuning().all()) {
      v.add(
          "order=random",
          (foresight, seed) -> new Uniform(Uniform.Order.RANDOM, staticPages, seed));
      v.add(
          "order=purely-random",
          (foresight, seed) -> new Uniform(Uniform.Order.PURELY_RANDOM, staticPages, seed));
    }
  }

  /**
   * In hindsight over the judged weeks themselves rates are known. They are learned otherwise, also
   * when some weeks are learned from and others judged.
   */
  private static Rates rates(ReplayRequest request) {
    if (request.knowledge() == Knowledge.ONLINE) {
      return Rates.LEARNING;
    }
    return request.learnWeeks() == 0 ? Rates.KNOWN : Rates.LEARNED;
  }

  private static GainParameters gainParameters(ReplayRequest request) {
    return rates(request) == Rates.KNOWN ? GainParameters.KNOWN : GainParameters.LEARNING;
  }

  private static void userCentricByRecency(VariantList v) {
    for (int window : new int[] {2, 5, 10}) {
      v.paper(
          "window=" + window, (foresight, seed) -> new UserCentric(Recency.window(window), seed));
    }
    for (double days : new double[] {28, 112}) {
      v.paper(
          "decay=" + text(days), (foresight, seed) -> new UserCentric(Recency.decay(days), seed));
    }
  }

  private static void userUtilityVariants(VariantList v) {
    UserUtilityVariants.of(gainParameters(v.request))
        .forEach(
            (difference, parameters) ->
                v.add(difference, (foresight, seed) -> new UserUtility(parameters, seed)));
    v.paper(
        "estimate=paper", (foresight, seed) -> new UserUtility(gainParameters(v.request), seed));
  }

  private static void staleness(VariantList v) {
    Knowledge knowledge = v.request.knowledge();
    for (double tau : v.request.tuning().taus()) {
      v.add("tau=" + text(tau), (foresight, seed) -> new Staleness(tau, knowledge, seed));
    }
  }

  private static void embarrassment(VariantList v) {
    Knowledge knowledge = v.request.knowledge();
    for (double tau : v.request.tuning().taus()) {
      v.add("tau=" + text(tau), (foresight, seed) -> new Embarrassment(tau, knowledge, seed));
    }
  }

  private static void staticUtility(VariantList v, Divergence divergence) {
    for (double t : v.few(FEW_OFFLINE_T, OFFLINE_T)) {
      v.offline("T=" + text(t), (foresight, seed) -> new StaticUtility(divergence, t, seed));
    }
    if (v.request.tuning().all()) {
      v.offline(
          NAIVE, (foresight, seed) -> new StaticUtility(divergence, UtilityForm.NAIVE, 0, seed));
    }
  }

  private static void dynamicUtility(VariantList v, Divergence divergence) {
    for (double t : v.few(FEW_OFFLINE_T, OFFLINE_T)) {
      v.offline(
          "T=" + text(t), (foresight, seed) -> new DynamicUtility(foresight, divergence, t, seed));
    }
    if (v.request.tuning().all()) {
      v.offline(
          NAIVE,
          (foresight, seed) ->
              new DynamicUtility(foresight, divergence, UtilityForm.NAIVE, 0, seed));
    }
  }

  private interface OnlineUtility {
    RefreshPolicy make(UtilitySettings settings, long seed);
  }

  private static void onlineUtility(VariantList v, OnlineUtility policy) {
    for (double t : v.few(FEW_ONLINE_T, ONLINE_T)) {
      UtilitySettings usual = UtilitySettings.ofThreshold(t);
      v.online("T=" + text(t), (foresight, seed) -> policy.make(usual, seed));
      UtilitySettings one = new UtilitySettings(t, 1, usual.learningDays(), usual.risk());
      v.online("T=" + text(t) + " h=1", (foresight, seed) -> policy.make(one, seed));
      for (double weeks : v.few(new double[] {}, new double[] {1})) {
        UtilitySettings soon = new UtilitySettings(t, usual.profiles(), 7 * weeks, usual.risk());
        v.online(
            "T=" + text(t) + " l=" + text(weeks), (foresight, seed) -> policy.make(soon, seed));
      }
      for (double rho : v.few(new double[] {}, new double[] {100})) {
        UtilitySettings bound = new UtilitySettings(t, usual.profiles(), usual.learningDays(), rho);
        v.online(
            "T=" + text(t) + " rho=" + text(rho), (foresight, seed) -> policy.make(bound, seed));
      }
      for (double hashes : v.few(new double[] {8}, new double[] {4, 8, 16, 64})) {
        int m = (int) hashes;
        String sized = "T=" + text(t) + " m=" + m;
        v.summarised(sized, m, (foresight, seed) -> policy.make(usual, seed));
        v.summarised(sized + " h=1", m, (foresight, seed) -> policy.make(one, seed));
      }
    }
  }

  private static void cgm(VariantList v) {
    for (double weeks : v.few(new double[] {4}, new double[] {0.25, 1, 4, 16})) {
      v.online("l=" + text(weeks), (foresight, seed) -> new ChoGarciaMolina(7 * weeks, seed));
    }
  }

  private static void published(VariantList v, LongFunction<RefreshPolicy> policy) {
    if (v.request.hints() != null) {
      v.online("", (foresight, seed) -> policy.apply(seed));
      return;
    }
    for (double share : v.few(new double[] {USUAL_COVERAGE}, new double[] {0.25, 0.5, 0.75, 1})) {
      v.hinted("coverage=" + text(share), share, (foresight, seed) -> policy.apply(seed));
    }
  }

  private static void buckets(VariantList v) {
    Rates rates = rates(v.request);
    for (double count : v.few(new double[] {10}, new double[] {2, 5, 10, 20, 40, 80, 160})) {
      v.add(
          "buckets=" + text(count),
          (foresight, seed) -> new IncrementalBuckets((int) count, rates, seed));
    }
  }

  private static void polling(VariantList v) {
    Rates rates = rates(v.request);
    v.add("", (foresight, seed) -> new Polling(rates, seed));
  }

  private static void siteSampling(VariantList v) {
    for (SiteSampling.SampleBy by : SiteSampling.SampleBy.values()) {
      for (double k : v.few(new double[] {5}, new double[] {2, 5, 10})) {
        v.online(
            "k=" + text(k) + " by=" + by.name().toLowerCase(Locale.ROOT),
            (foresight, seed) -> new SiteSampling((int) k, by, seed));
      }
    }
  }

  private static void clusterSampling(VariantList v) {
    for (double count : v.few(new double[] {20}, new double[] {5, 10, 20, 40})) {
      v.online(
          "clusters=" + text(count), (foresight, seed) -> new ClusterSampling((int) count, seed));
    }
  }

  private static void lambdaCrawl(VariantList v) {
    Rates rates = rates(v.request);
    v.add(
        "importance=clicks",
        (foresight, seed) -> new LambdaCrawl(LambdaCrawl.Importance.VIEWS, rates, seed));
    // without counts every page has importance 1, and the setting must not promise more
    v.add(
        v.request.inlinks().isEmpty() ? "importance=equal" : "importance=inlinks",
        (foresight, seed) -> new LambdaCrawl(LambdaCrawl.Importance.INLINKS, rates, seed));
  }

  private static void adaptiveInterval(VariantList v) {
    for (double days : v.few(new double[] {30}, new double[] {1, 3, 7, 30, 90})) {
      v.online(
          "initial=" + text(days), (foresight, seed) -> new AdaptiveInterval(days, 1.4, 0.8, seed));
    }
  }

  private static String text(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  /** Collects the variants of one strategy. */
  private static final class VariantList {
    private final String name;
    private final ReplayRequest request;
    private final List<Variant> variants;

    VariantList(String name, ReplayRequest request, List<Variant> variants) {
      this.name = name;
      this.request = request;
      this.variants = variants;
    }

    /** The values to try: a few unless all settings are asked for. */
    double[] few(double[] some, double[] all) {
      return request.tuning().all() ? all : some;
    }

    private double hints() {
      return request.hints() == null ? 0 : request.hints();
    }

    private void add(String settings, Knowledge knowledge, Estimate estimate, Variant.Maker maker) {
      variants.add(
          new Variant(name, settings, knowledge, estimate, Divergences.EXACT, hints(), maker));
    }

    /** One that can do with either knowledge. */
    void add(String settings, Variant.Maker maker) {
      add(settings, request.knowledge(), Estimate.MULTI_TERM, maker);
    }

    /** The same with quality changes measured as in the 2005 paper. */
    void paper(String settings, Variant.Maker maker) {
      add(settings, request.knowledge(), Estimate.PAPER, maker);
    }

    /** The same, but for ranks that are not rounded. */
    void realRanks(String settings, Variant.Maker maker) {
      add(settings, request.knowledge(), Estimate.REAL_RANKS, maker);
    }

    /** One that needs hindsight, whatever was asked for. */
    void offline(String settings, Variant.Maker maker) {
      add(settings, Knowledge.HINDSIGHT, Estimate.MULTI_TERM, maker);
    }

    /** One that only makes sense when it learns on the way. */
    void online(String settings, Variant.Maker maker) {
      add(settings, Knowledge.ONLINE, Estimate.MULTI_TERM, maker);
    }

    /** The same with divergence measured on summaries of m hashes. */
    void summarised(String settings, int hashes, Variant.Maker maker) {
      variants.add(
          new Variant(
              name, settings, Knowledge.ONLINE, Estimate.MULTI_TERM, hashes, hints(), maker));
    }

    /** One that learns on the way from a share of pages that publish their changes. */
    void hinted(String settings, double share, Variant.Maker maker) {
      variants.add(
          new Variant(
              name,
              settings,
              Knowledge.ONLINE,
              Estimate.MULTI_TERM,
              Divergences.EXACT,
              share,
              maker));
    }
  }
}
