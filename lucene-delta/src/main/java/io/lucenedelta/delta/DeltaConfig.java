// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.quality.ViewingLikelihood;
import io.lucenedelta.scorer.rank.FollowedRanks;
import io.lucenedelta.workload.QuerySelection;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.store.Directory;

/**
 * What a {@link DeltaIndexWriter} must know to measure: the workload, which field names a page,
 * which fields are scored. Everything else has a default.
 *
 * <p>
 *
 * {@snippet :
 * DeltaConfig config =
 *     DeltaConfig.builder(workload).keyField("url").scoredField("title", 2).scoredField("body").build();
 * }
 *
 * <p>The workload's terms must be terms of the scored fields, as your searches look for them; see
 * {@link AnalyzedQueries}. The similarity is that of the {@code IndexWriterConfig}. It is
 * identified by its {@code toString()}: when that changes, rank functions are rebuilt. A similarity
 * of your own should therefore print its parameters. Without a {@code toString()} of its own it is
 * identified by its class name and by what it inherits: the {@code toString()} of the similarity
 * that it extends or, for a {@code PerFieldSimilarityWrapper}, the similarities of the scored
 * fields. What tells objects and lambda expressions of one process apart does not count, nor what
 * looks like it, an {@code @} and five to eight hexadecimal digits: a part without a {@code
 * toString()} of its own prints only its class. Among Lucene's own, {@code DFRSimilarity} and
 * {@code IBSimilarity} do not print the c of a {@code NormalizationH1} or {@code NormalizationH2},
 * those with {@code Axiomatic} in their names print none, and {@code MultiSimilarity} does not
 * print its parts: call {@link DeltaIndexWriter#rebuild} after changing them.
 *
 * <p>Where several indexes are searched as one, their writers are given the same workload, that of
 * all users; each measures its own index alone.
 *
 * <p>The similarity must tell results apart. Where all of them score the same, as with a {@code
 * BooleanSimilarity}, or differ only by the fields that have the words, refreshes are measured only
 * roughly; where none scores above 0 they are measured as next to nothing, and the order of pages
 * says nothing. The listener then hears so if there are queries with a thousand results. While a
 * batch is measured several threads ask similarity and {@linkplain Builder#estimator estimator} at
 * once, and the commit that waits for them holds the writer's locks: neither may ask the writer
 * anything or wait for a thread that uses it, or that commit waits for ever. Immutable.
 */
// Long because every setting stands here once, with what it means and what it costs.
public final class DeltaConfig {
  /** Page changes, as a share of all pages, that make rank functions be built anew by default. */
  public static final double REBUILD_SHARE = 0.1;

  /** Threads that measure a batch by default: half of the processors, at least 1, at most 4. */
  public static final int MEASURING_THREADS =
      Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);

  /** The heap is the application's: a batch may have this part of it. */
  private static final int HEAP_SHARE = 16;

  /** The part of the heap that one flush may have while it is written. */
  private static final int FLUSH_SHARE = 4;

  /**
   * The largest frequency of a query and the largest importance: with either, sums over a page's
   * queries stay within single precision.
   */
  static final double MOST = 1e15;

  /** Where no query is asked so often, single precision no longer tells gains apart. */
  private static final double LEAST = 1e-15;

  /**
   * The most measuring threads: more than any machine has a use for, and each takes some memory.
   */
  static final int MOST_THREADS = 10_000;

  private final Workload given;
  private final QuerySelection selection;
  private final String keyField;
  private final List<ScoredField> scoredFields;
  private final String fetchTimeField;
  private final InstantSource clock;
  private final Importance importance;
  private final Path statePath;
  private final DeltaListener listener;
  private final QualityChange estimator;
  private final long hashSeed;
  private final double rebuildShare;
  private final int rebuildEvery;
  private final long batchMemory;
  private final long batchHeap;
  private final long flushHeap;
  private final int measuringThreads;
  private final int measuringBlock;
  private final int mostLookedAt;
  private final boolean costsCounted;
  private final int auditedRefreshes;
  private final Duration auditBudget;
  private final LongSupplier nanos;
  private final FaultPoints faults;
  private final UnaryOperator<Directory> stateDirectory;

  private DeltaConfig(Builder builder) {
    this.given = builder.workload;
    this.selection = builder.select();
    this.keyField = builder.keyField;
    this.scoredFields = List.copyOf(builder.scoredFields);
    this.fetchTimeField = builder.fetchTimeField;
    this.clock = builder.clock;
    this.importance = builder.importance;
    this.statePath = builder.statePath;
    this.listener = new QuietListener(builder.listener);
    this.estimator = builder.estimator;
    this.hashSeed = builder.hashSeed;
    this.rebuildShare = builder.rebuildShare;
    this.rebuildEvery = builder.rebuildEvery;
    this.batchMemory = builder.batchMemory;
    this.batchHeap = builder.batchHeap;
    this.flushHeap = builder.flushHeap;
    this.measuringThreads = builder.measuringThreads;
    this.measuringBlock = builder.measuringBlock;
    this.mostLookedAt = builder.mostLookedAt;
    this.costsCounted = builder.costsCounted;
    this.auditedRefreshes = builder.auditedRefreshes;
    this.auditBudget = builder.auditBudget;
    this.nanos = builder.nanos;
    this.faults = builder.faults;
    this.stateDirectory = builder.stateDirectory;
  }

  /**
   * A configuration that measures the queries of {@code workload}, terms and frequencies. ΔQ_A is
   * in query frequency × score: where one workload follows another, keep the sum of the frequencies
   * about the same, or gains that were measured before count too much or too little.
   */
  public static Builder builder(Workload workload) {
    return new Builder(workload);
  }

  /**
   * Refuses a workload whose frequencies are beyond what gains can be measured in; one without a
   * query is taken. {@link Builder#build} does so with the queries that are measured.
   *
   * @throws IllegalArgumentException if a query was asked more than 1e15 times, or none 1e-15 times
   */
  public static void requireFrequencies(Workload asked) {
    Objects.requireNonNull(asked, "a workload is needed to measure anything, was null");
    double largest = 0;
    for (int query = 0; query < asked.queryCount(); query++) {
      if (!(asked.frequency(query) <= MOST)) {
        throw new IllegalArgumentException(
            "a query may be asked %s times at most, was %s for query %d; scale all frequencies"
                .formatted(MOST, asked.frequency(query), query));
      }
      largest = Math.max(largest, asked.frequency(query));
    }
    if (asked.queryCount() > 0 && !(largest >= LEAST)) {
      throw new IllegalArgumentException(
          "some query must be asked %s times at least, was %s for the one asked most; scale all frequencies"
              .formatted(LEAST, largest));
    }
  }

  /**
   * The indexed field that tells when a page was fetched, to be added to its document: exact times
   * even when pages are indexed long after they were fetched.
   *
   * @throws IllegalStateException if no field was configured for fetch times
   */
  public IndexableField fetchTime(Instant fetched) {
    Objects.requireNonNull(fetched, "a fetch time is an instant, was null");
    if (fetchTimeField == null) {
      throw new IllegalStateException(
          "no field for fetch times is configured; call fetchTimeField(name) on the builder");
    }
    return new StringField(fetchTimeField, fetched.toString(), Field.Store.NO);
  }

  /** The queries that are measured: the workload given, or what was selected from it. */
  public Workload workload() {
    return selection.measured();
  }

  /** What was set and the defaults, in one line, for people. */
  @Override
  public String toString() {
    String audit = auditedRefreshes == 0 ? "none" : auditedRefreshes + " in " + auditBudget;
    return "DeltaConfig[keyField="
        + keyField
        + ", scoredFields="
        + scoredFields
        + ", fetchTimeField="
        + (fetchTimeField == null ? "none" : fetchTimeField)
        + ", workload="
        + workload()
        + ", wholeQueries="
        + selection.taken()
        + ", importance="
        + (importance == null ? "none" : importance.role())
        + ", statePath="
        + (statePath == null ? "beside the index" : statePath)
        + ", estimator="
        + estimator
        + ", rebuildShare="
        + rebuildShare
        + ", rebuildEvery="
        + (rebuildEvery == Integer.MAX_VALUE ? "never" : rebuildEvery)
        + ", batchMemory="
        + batchMemory
        + ", measuringThreads="
        + measuringThreads
        + ", countCosts="
        + costsCounted
        + ", selfAudit="
        + audit
        + "]";
  }

  /** Verifies the file that the workload came from, if it came from one. */
  void checkWorkload() throws IOException {
    given.checkIntegrity();
  }

  /** How the measured queries were selected. */
  QuerySelection selection() {
    return selection;
  }

  /** Whether no query is measured by its single terms instead. */
  boolean measuresAllWhole() {
    return selection.taken() == given.queryCount();
  }

  /** How often each measured query is asked as it stands. */
  double[] wholeFrequencies() {
    return WholeFrequencies.of(given, selection);
  }

  /** The indexed field that holds a page's key. */
  public String keyField() {
    return keyField;
  }

  /** The fields whose terms count. */
  public List<ScoredField> scoredFields() {
    return scoredFields;
  }

  String fetchTimeField() {
    return fetchTimeField;
  }

  /** The time by the configured clock. */
  Instant now() {
    return Objects.requireNonNull(
        clock.instant(), "the configured clock told null; let it tell an instant");
  }

  /** Whether pages rank by their place in the order of importance, not by a score's value. */
  boolean ranksByImportance() {
    return importance != null && !importance.usesSimilarity() && estimator instanceof PassedPages;
  }

  Importance importance() {
    return importance;
  }

  Path statePath() {
    return statePath;
  }

  DeltaListener listener() {
    return listener;
  }

  QualityChange estimator() {
    return estimator;
  }

  /** For a folder that is made; one that is there keeps its own. */
  long hashSeed() {
    return hashSeed;
  }

  double rebuildShare() {
    return rebuildShare;
  }

  int rebuildEvery() {
    return rebuildEvery;
  }

  long batchMemory() {
    return batchMemory;
  }

  long batchHeap() {
    return batchHeap;
  }

  long flushHeap() {
    return flushHeap;
  }

  int measuringThreads() {
    return measuringThreads;
  }

  int measuringBlock() {
    return measuringBlock;
  }

  int mostLookedAt() {
    return mostLookedAt;
  }

  boolean costsCounted() {
    return costsCounted;
  }

  int auditedRefreshes() {
    return auditedRefreshes;
  }

  Duration auditBudget() {
    return auditBudget;
  }

  LongSupplier nanos() {
    return nanos;
  }

  FaultPoints faults() {
    return faults;
  }

  UnaryOperator<Directory> stateDirectory() {
    return stateDirectory;
  }

  /** Collects settings. Not safe for several threads. */
  public static final class Builder {
    private final Workload workload;
    private double wholeShare = 1;
    private long wholeBytes = Long.MAX_VALUE;
    private String keyField;
    private final List<ScoredField> scoredFields = new ArrayList<>();
    private String fetchTimeField;
    private InstantSource clock = InstantSource.system();
    private Importance importance;
    private Path statePath;
    private DeltaListener listener = new DeltaListener() {};
    private QualityChange estimator = new PassedPages(PowerLawViews.PAPER);
    private long hashSeed = new SecureRandom().nextLong();
    private double rebuildShare = REBUILD_SHARE;
    private int rebuildEvery = Integer.MAX_VALUE;
    private long batchMemory = 1L << 30;
    private long batchHeap = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    private long flushHeap = Runtime.getRuntime().maxMemory() / FLUSH_SHARE;
    private int measuringThreads = MEASURING_THREADS;
    private int measuringBlock = 256;
    private int mostLookedAt = SetupCheck.MOST_LOOKED_AT;
    private boolean costsCounted;
    private int auditedRefreshes;
    private Duration auditBudget = Duration.ZERO;
    private LongSupplier nanos = System::nanoTime;
    private FaultPoints faults = FaultPoints.NONE;
    private UnaryOperator<Directory> stateDirectory = UnaryOperator.identity();

    private Builder(Workload workload) {
      this.workload =
          Objects.requireNonNull(workload, "a workload is needed to measure anything, was null");
    }

    /**
     * The field that names a page; it must be indexed as one term, like a {@code StringField}. The
     * key is the same for all versions of a page: one with a revision in it is a new page each
     * time. What is known of a page goes by its key: with other keys, of another field say, all
     * pages begin anew, and the former keys stay in the folder of the measurements; the listener
     * hears of another field as the writer is opened. A key must be UTF-8, as that of every {@code
     * String} is: a page whose key is not is measured, but named by no order of pages and not
     * handed out. The listener hears so, once, if that holds for all of a writer's first hundred.
     *
     * <p>Each document with this field is a page, to be fetched like any other. Where children of a
     * block must have an id, as in Solr, name another field here that only parents have, such as
     * {@code page} beside {@code id}. The text of children does not count: what is searched must be
     * in scored fields of the parent, too.
     *
     * <p>Let keys be addresses with scheme and host, if there are any: what sites and directories
     * have in common is learned from them, and keys such as {@code 4711} are all of one site. That
     * is heard by {@link FetchQueue#modified} as soon as anything is told of one of its pages: so
     * tell that only if one source names all changes of all these pages, and let it repeat a call
     * when it has nothing new. For several sources make keys such as {@code erp://parts/4711}. Keep
     * the addresses of discovered pages yourself.
     *
     * @param name {@link #build} refuses null and the empty name
     */
    public Builder keyField(String name) {
      keyField = name;
      return this;
    }

    /**
     * How many queries are measured whole: the most frequent ones, until they make up a share of
     * the volume or their rank functions, {@value io.lucenedelta.scorer.rank.FollowedRanks#BYTES}
     * bytes each outside the heap, fill a limit. Every other query is measured by its single terms,
     * each with the query's frequency, as the 2005 paper does with all queries; {@code
     * wholeQueries(0, 0)} is the paper's mode. All by default.
     *
     * <p>The limit counts what lies outside the heap. {@link PassedPages}, the default estimator,
     * keeps another 600 bytes on the heap for each query and term that is measured. While rank
     * functions are built anew, by commits or {@link DeltaIndexWriter#rebuild}, both are taken
     * twice, since the former ones stay in use until the new ones are complete.
     *
     * @param share of the volume, from 0 to 1
     * @param bytes 0 or more
     * @throws IllegalArgumentException if one is out of range
     */
    public Builder wholeQueries(double share, long bytes) {
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException(
            "the share of the volume must be between 0 and 1, was " + share);
      }
      if (bytes < 0) {
        throw new IllegalArgumentException("the limit in bytes must not be negative, was " + bytes);
      }
      wholeShare = share;
      wholeBytes = bytes;
      return this;
    }

    private QuerySelection select() {
      long most = Math.min(Integer.MAX_VALUE, wholeBytes / FollowedRanks.BYTES);
      return wholeShare == 1 && most >= workload.queryCount()
          ? new QuerySelection(workload, workload.queryCount(), 1)
          : QuerySelection.of(workload, wholeShare, (int) most);
    }

    /**
     * Adds a field whose terms count, with boost 1.
     *
     * @throws NullPointerException if the name is null
     * @throws IllegalArgumentException if the name is empty
     */
    public Builder scoredField(String name) {
      return scoredField(name, 1);
    }

    /**
     * Adds a field whose terms count, with the boost that searches give it. A page is a result of a
     * query when each term is in any of the fields, two terms perhaps in different ones, and the
     * scores of all fields add up: the terms a and b make {@code +(title:a^2 body:a) +(title:b^2
     * body:b)}.
     *
     * <p>Name them in the same order each time. If the fields or their order differ from those that
     * an index was measured with, opening the writer reads the pages again and rank functions are
     * rebuilt; if only boosts differ, rank functions are rebuilt.
     *
     * <p>A field may come to the pages later. Until statistics are built with it, which is when
     * half of the pages have changed at the latest (one that comes or leaves counts five times) if
     * a hundredth of all documents have it then, those without a key and deleted ones included, its
     * words weigh next to nothing in what is measured; {@link DeltaIndexWriter#rebuild} has them
     * built at once. They are built again when twice as many documents have it.
     *
     * @throws NullPointerException if the name is null
     * @throws IllegalArgumentException if the name is empty or the boost not over 0 and at most
     *     1e15
     */
    public Builder scoredField(String name, float boost) {
      scoredFields.add(new ScoredField(name, boost));
      return this;
    }

    /**
     * The field that {@link DeltaConfig#fetchTime} fills. Documents without it count as fetched
     * when their batch is committed, by the clock. So do those whose time is no ISO-8601 instant or
     * lies more than a day ahead of the clock; the listener hears of these, and once if none of a
     * writer's first hundred documents has the field. Nobody knows when documents without it were
     * fetched that another writer committed: they count as fetched when the page was last recorded
     * to be, or else when measuring began, until {@link DeltaIndexWriter#recordUnchanged} tells
     * their last visit. Nor does anybody know of times before 1990, or before that of the fetch
     * committed last: the refresh after such a fetch is recorded as not measured.
     *
     * @param name null, as by default, for none; {@link #build} refuses the empty name
     */
    public Builder fetchTimeField(String name) {
      fetchTimeField = name;
      return this;
    }

    /**
     * The clock for documents without a fetch time, and for orders and reports of fetches; that of
     * the system by default. Asked by every thread that uses the writer or its fetch queue, while
     * it holds their locks: it must ask neither anything, nor wait for a thread that uses them.
     *
     * @throws NullPointerException if it is null
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "a clock is needed, was null");
      return this;
    }

    /** A static importance that enters every score; null, as by default, for none. */
    public Builder importance(Importance importance) {
      this.importance = importance;
      return this;
    }

    /**
     * The folder for what is measured. By default it lies beside the index: {@code <index>.delta}.
     * Must be given when the index is not in a folder, and must not be the index itself.
     *
     * @param path null, as by default, for that beside the index
     */
    public Builder statePath(Path path) {
      statePath = path;
      return this;
    }

    /**
     * Hears of batches, troubles and progress. By default nobody does, and nothing is logged:
     * {@link DeltaStatus} then counts the batches that could not be measured and says why the last
     * could not; of other troubles it may show nothing.
     *
     * @throws NullPointerException if it is null
     */
    public Builder listener(DeltaListener listener) {
      this.listener =
          Objects.requireNonNull(listener, "a listener is needed, was null; without one, set none");
      return this;
    }

    /**
     * How score shifts become quality changes; by default {@link PassedPages}, for users who look
     * at results as {@link PowerLawViews#PAPER} says. Asked under the writer's locks, by several
     * threads at once within commits, and by whoever opens a writer, calls {@link
     * DeltaIndexWriter#rebuild} or asks for what was measured: one of your own must ask the writer
     * nothing, nor wait for a thread that uses it.
     *
     * <p>What measuring is said to cost holds for {@link PassedPages} with a power law. Another
     * curve of views takes far more a shift, and a {@link ViewingLikelihood} of your own the most,
     * unless it has a closed form of {@link ViewingLikelihood#lostViews}.
     *
     * <p>It is identified by what it prints, less what tells objects and lambda expressions of one
     * process apart, as with a similarity: where that is another, the self-audit begins anew, and
     * what users get from pages is found anew. So make an estimator, and a view curve of your own
     * in it, a record: two lambda expressions of one class print the same, as do two objects of a
     * class without a {@code toString()} of its own. Gains measured before stay, and those of the
     * new estimator are added to them: where its unit is another, as with a view curve of another
     * scale, start with another {@link #statePath}, or the old gains count too much or too little.
     *
     * @throws NullPointerException if it is null
     */
    public Builder estimator(QualityChange estimator) {
      this.estimator = Objects.requireNonNull(estimator, "an estimator is needed, was null");
      return this;
    }

    /**
     * The seed by which keys of pages are hashed; random by default. Where two hosts or directories
     * share a number, what one teaches counts for the other, too; of pages of equal priority the
     * hash says which comes first. Who knows the seed can choose hosts that share the number of
     * another, keys that make an order take long to find, and new addresses that come before those
     * of all others that promise as much. So set it only for runs that must repeat, as in tests.
     * With 0 numbers are those of {@link io.lucenedelta.scorer.refresh.DirectoryPath#of(String)},
     * as in replays.
     *
     * <p>Counts when the folder of the measurements is made, which keeps it. Where pages rank by
     * {@linkplain #importance importance} alone, and there are more than 65,536, it also says which
     * of them are sampled when rank functions are built.
     */
    public Builder hashSeed(long seed) {
      hashSeed = seed;
      return this;
    }

    /**
     * Rank functions are built anew when changed pages are this share of all pages: {@value
     * DeltaConfig#REBUILD_SHARE} by default; what that is worth is measured in the project's
     * evaluation. A page that changes twice counts twice, one that comes or leaves counts too. A
     * changed page whose score shifts the rank functions have followed counts a hundredth; that is
     * nearly every one, unless importance plays a part in scores. Happens inside a commit, never
     * inside an update, and takes as long as a scan of the workload's postings. {@code
     * docs/store-format.md}, <i>Rebuilding ranks</i>, has a table of what else makes rank functions
     * and corpus statistics be built anew.
     *
     * @param share over 0; more than 1 lets pages change several times
     * @throws IllegalArgumentException if it is not over 0
     */
    public Builder rebuildShare(double share) {
      if (!(share > 0)) {
        throw new IllegalArgumentException(
            "ranks can be rebuilt when a share over 0 of the pages has changed, was " + share);
      }
      rebuildShare = share;
      return this;
    }

    /**
     * After how many measured batches rank functions are built anew at the latest, however little
     * has changed; no such limit by default.
     *
     * @param batches 1 or more
     * @throws IllegalArgumentException if there are fewer
     */
    public Builder rebuildEvery(int batches) {
      if (batches < 1) {
        throw new IllegalArgumentException(
            "ranks can be rebuilt every 1 or more batches, was " + batches);
      }
      rebuildEvery = batches;
      return this;
    }

    /**
     * Largest memory outside the heap, in bytes, that the pages of one batch may take before they
     * are committed; 1 GiB by default. What a larger batch has beyond it waits in temporary files
     * of the state's folder.
     *
     * <p>On the heap a page takes its key and 28 bytes until then. If that comes to more than a
     * sixteenth of the heap that the JVM may have, the rest of the batch is not captured: the
     * listener hears of it, the pages are read back from the index, and what the batch was worth is
     * not measured. While it is measured a batch takes some 60 bytes a page beside, 12 of which are
     * kept for each page of the largest batch. Each flush takes some 9 bytes of heap more for every
     * posting of a term of the workload while it is written; one that would take more than a
     * quarter of the heap is not captured either. Up to 32 MiB of that for each thread that flushes
     * are kept until the batch is settled; after that up to 1 MiB, and the rest as long as the JVM
     * has memory to spare.
     *
     * <p>Outside the heap 79 to 118 bytes for each page of the largest batch, up to a million of
     * them, are kept beside this memory.
     *
     * <p>All this lies within what the JVM allows outside the heap ({@code
     * -XX:MaxDirectMemorySize}, by default as much as the heap may have): a batch to whose pages it
     * refuses memory is incomplete, which the listener hears. With {@code -XX:+DisableExplicitGC}
     * the JVM does not take back in time what earlier batches had there, so that it may refuse a
     * batch though there would be room: leave that flag out, or allow more.
     *
     * @param bytes 0 or more; with 0 every page of a batch waits in a file
     * @throws IllegalArgumentException if they are negative
     */
    public Builder batchMemory(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("batch memory must not be negative, was " + bytes);
      }
      batchMemory = bytes;
      return this;
    }

    /** Largest memory on the heap, in bytes, that the pages of one batch may take; for tests. */
    Builder batchHeap(long bytes) {
      batchHeap = bytes;
      return this;
    }

    /** Largest memory on the heap, in bytes, that one flush may take; for tests. */
    Builder flushHeap(long bytes) {
      flushHeap = bytes;
      return this;
    }

    /**
     * How many threads measure a batch while its commit waits, the committing one among them; by
     * default half of the processors, at least one and at most four; Lucene merges with the others.
     * Batches of fewer than some thousand pages are measured by fewer, those where {@linkplain
     * #importance importance} plays a part or a {@linkplain #selfAudit self-audit} is on by the
     * committing thread alone. What is measured does not depend on it.
     *
     * @param threads from 1 to {@value DeltaConfig#MOST_THREADS}; more than there are processors
     *     gain nothing
     * @throws IllegalArgumentException if there are fewer or more
     */
    public Builder measuringThreads(int threads) {
      if (threads < 1 || threads > MOST_THREADS) {
        throw new IllegalArgumentException(
            "a batch is measured by 1 to %d threads, was %d; more than there are processors gain nothing"
                .formatted(MOST_THREADS, threads));
      }
      measuringThreads = threads;
      return this;
    }

    /** How many pages a thread measures before it looks for more; for tests. */
    Builder measuringBlock(int pages) {
      measuringBlock = pages;
      return this;
    }

    /** How many indexed pages are looked at for a term in a scored field; for tests. */
    Builder mostLookedAt(int pages) {
      mostLookedAt = pages;
      return this;
    }

    /**
     * Counts the CPU time of each step, see {@link DeltaIndexWriter#costs}; off by default. What
     * virtual threads do counts as nothing: the JVM does not tell their CPU time.
     */
    public Builder countCosts(boolean counted) {
      costsCounted = counted;
      return this;
    }

    /**
     * Measures a random sample of every batch's refreshes exactly as well, by searching, so that
     * {@link DeltaStatus#selfAudit} tells how good the estimates are on this index; off by default.
     *
     * <p>Happens inside a commit, never inside an update, and makes it longer by the budget at
     * most, give or take the opening of a reader and the reading of one block of postings. What is
     * not finished then is left out and counted.
     *
     * @param refreshes refreshes a batch, at least 1; only those count that are measured and
     *     changed their page, and of a page that came several times in a batch each of the times
     * @param budget time a batch, over 0; more than 292 years are taken as so many
     * @throws NullPointerException if the budget is null
     * @throws IllegalArgumentException if one is out of range
     */
    public Builder selfAudit(int refreshes, Duration budget) {
      Objects.requireNonNull(budget, "a self-audit needs a budget of time, was null");
      if (refreshes < 1) {
        throw new IllegalArgumentException(
            "a self-audit needs 1 or more refreshes a batch, was " + refreshes);
      }
      if (budget.isNegative() || budget.isZero()) {
        throw new IllegalArgumentException("a self-audit needs some time, was " + budget);
      }
      auditedRefreshes = refreshes;
      auditBudget = budget;
      return this;
    }

    /** The clock of time budgets, in nanoseconds. */
    Builder nanos(LongSupplier clock) {
      nanos = clock;
      return this;
    }

    Builder faults(FaultPoints points) {
      faults = points;
      return this;
    }

    Builder stateDirectory(UnaryOperator<Directory> wrapper) {
      stateDirectory = wrapper;
      return this;
    }

    /**
     * Builds the configuration.
     *
     * @throws IllegalArgumentException if the key field or the scored fields are missing, the fetch
     *     time field has an empty name, a field plays two parts, more than 11,671,106 queries are
     *     to be measured, or one was asked more than 1e15 times, or none 1e-15 times
     */
    public DeltaConfig build() {
      if (keyField == null || keyField.isEmpty()) {
        throw new IllegalArgumentException(
            "no key field is configured; call keyField(name) with the field that holds page keys");
      }
      if (scoredFields.isEmpty()) {
        throw new IllegalArgumentException(
            "no scored field is configured; call scoredField(name) with a field users search");
      }
      Set<String> names = new HashSet<>(Set.of(keyField));
      for (ScoredField field : scoredFields) {
        requireNew(names, field.name());
      }
      if (fetchTimeField != null) {
        requireNew(names, fetchTimeField);
        if (fetchTimeField.isEmpty()) {
          throw new IllegalArgumentException(
              "the fetch time field has an empty name; leave it out if documents tell no time");
        }
      }
      DeltaConfig config = new DeltaConfig(this);
      OffHeapRankTable.requireRoom(config.workload().queryCount());
      requireFrequencies(config.workload());
      return config;
    }

    private static void requireNew(Set<String> names, String name) {
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            "field " + name + " is configured twice; key, fetch time and scored fields differ");
      }
    }
  }
}
