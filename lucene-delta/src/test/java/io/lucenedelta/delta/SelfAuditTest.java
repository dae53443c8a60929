// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.ExactQuality;
import io.lucenedelta.scorer.quality.IntegralSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ThreadInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a live index finds out about its own estimates, against rankings computed in full. */
class SelfAuditTest {
  private static final long SEED = 20260;
  private static final int PAGES = 60;
  private static final int WEEKS = 6;
  private static final String[] WORDS = {"alpha", "beta", "gamma", "delta", "noise", "other"};

  @TempDir Path folder;
  private final Random random = new Random(SEED);
  private final List<String> troubles = new ArrayList<>();
  private FaultPoints faults = FaultPoints.NONE;

  private static Workload workload() {
    return Workload.builder()
        .add(List.of("alpha"), 10)
        .add(List.of("beta"), 5)
        .add(List.of("alpha", "gamma"), 3)
        .add(List.of("beta", "delta", "alpha"), 2)
        .add(List.of("absent"), 1)
        .build();
  }

  private DeltaConfig.Builder config() {
    return DeltaConfig.builder(workload())
        .keyField("url")
        .scoredField("title", 2)
        .scoredField("body")
        .fetchTimeField("fetched")
        .faults(point -> faults.at(point))
        .listener(
            new DeltaListener() {
              @Override
              public void trouble(Trouble kind, String sentence, Throwable cause) {
                troubles.add(sentence + ": " + cause);
              }
            });
  }

  private static DeltaIndexWriter open(Directory index, DeltaConfig config) throws IOException {
    return open(index, config, null);
  }

  /** On a commit, the latest when it is null; all are kept. */
  private static DeltaIndexWriter open(Directory index, DeltaConfig config, IndexCommit commit)
      throws IOException {
    IndexWriterConfig settings =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE)
            .setIndexCommit(commit);
    return new DeltaIndexWriter(index, settings, config);
  }

  /** Writes a week: all pages in the first, about a third later. */
  private void put(DeltaIndexWriter writer, DeltaConfig config, int week) throws IOException {
    for (int i = 0; i < PAGES; i++) {
      if (week == 0 || random.nextInt(3) == 0) {
        Document document = new Document();
        document.add(new StringField("url", "page" + i, Field.Store.YES));
        document.add(new StringField("uid", "u" + i + "w" + week, Field.Store.YES));
        document.add(new TextField("title", words(2), Field.Store.NO));
        document.add(new TextField("body", words(12), Field.Store.NO));
        Instant fetched = Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(7L * week));
        document.add(config.fetchTime(fetched));
        writer.updateDocument(new Term("url", "page" + i), document);
      }
    }
  }

  private String words(int most) {
    StringBuilder text = new StringBuilder();
    for (int word = random.nextInt(most); word >= 0; word--) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "FACTOR", "SUMMAND", "ALONE"})
  void theAuditEqualsRankingsComputedInFull(String role) throws IOException {
    DeltaConfig.Builder builder = config().selfAudit(PAGES, Duration.ofHours(1));
    int least = role.equals("SUMMAND") ? 0 : 1; // a field of features adds nothing where it is not
    if (!role.equals("none")) {
      builder.importance(
          new Importance(
              page -> least + Math.floorMod(page.hashCode(), 4), Importance.Role.valueOf(role)));
    }
    DeltaConfig config = builder.build();
    List<Double> expected = new ArrayList<>();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      put(writer, config, 0);
      writer.commit();
      for (int week = 1; week < WEEKS; week++) {
        SlowAnswer before = slow(index, config);
        put(writer, config, week);
        writer.commit();
        expected.addAll(exact(before, slow(index, config), config, writer.measurer().ranks()));
      }
      assertThat(troubles).isEmpty();
      SelfAudit audit = writer.status().selfAudit();
      assertThat(audit.brokenOff()).isZero();
      assertThat(audit.audited()).as("seed %d", SEED).isEqualTo(expected.size()).isGreaterThan(60);
    }
    List<AuditLog.Pair> pairs = kept();
    List<Double> found = pairs.stream().map(AuditLog.Pair::exact).sorted().toList();
    List<Double> wanted = expected.stream().sorted().toList();
    for (int i = 0; i < wanted.size(); i++) {
      assertThat(found.get(i)).as("seed %d", SEED).isCloseTo(wanted.get(i), within(1e-4));
    }
    assertThat(pairs.stream().filter(pair -> pair.exact() > 0.01).count()).isGreaterThan(30);
  }

  @Test
  void ofAnAuditThatCannotBeWrittenTheOneBeforeStays() throws IOException {
    AuditLog.Pair first = new AuditLog.Pair(1, 2);
    AuditLog log = new AuditLog();
    log.add(List.of(first), 0, Instant.EPOCH);
    try (Directory files = FSDirectory.open(folder)) {
      log.write(files);
      log.add(List.of(new AuditLog.Pair(3, 4)), 0, Instant.EPOCH);
      assertThatThrownBy(() -> log.write(fullAfterHeader(files)))
          .hasMessageContaining("pending_audit cannot be written")
          .hasRootCauseMessage("no space");
      assertThat(AuditLog.read(files).pairs()).containsExactly(first);
      log.write(files);
      assertThat(AuditLog.read(files).pairs()).hasSize(2);
      assertThat(files.listAll()).as("nothing is left over").hasSize(1);
    }
  }

  @Test
  void aBatchIsToldThoughTheClockFailsWhenWhatWasAuditedOfItIsWrittenDown() throws IOException {
    boolean[] fails = new boolean[1];
    List<Long> told = new ArrayList<>();
    List<Trouble> kinds = new ArrayList<>();
    DeltaConfig config =
        config()
            .selfAudit(PAGES, Duration.ofHours(1))
            .clock(
                () -> {
                  if (fails[0]) {
                    throw new IllegalStateException("no time");
                  }
                  return Instant.now();
                })
            .listener(new ToldBatches(told, new Troubles(troubles, kinds)))
            .build();
    faults = point -> fails[0] = point.equals(FaultPoints.AFTER_MANIFEST);
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 3; week++) {
        put(writer, config, week);
        writer.commit();
      }
    }
    assertThat(told).containsExactly(1L, 2L, 3L);
    assertThat(troubles).hasSize(2).containsOnly("what was audited could not be written");
    assertThat(kinds).as("no later file has it").containsOnly(Trouble.LOST);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9})
  void whatWasAuditedLastIsWrittenAtTheCloseOrToldAsLost(int failures) throws IOException {
    int[] failing = new int[1]; // so many files cannot be written
    List<Trouble> kinds = new ArrayList<>();
    DeltaConfig config =
        config()
            .selfAudit(PAGES, Duration.ofHours(1))
            .stateDirectory(files -> fullForAudits(files, failing))
            .listener(new Troubles(troubles, kinds))
            .build();
    int before;
    long audited;
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 2; week++) {
        put(writer, config, week);
        writer.commit();
      }
      before = kept().size();
      put(writer, config, 2);
      failing[0] = failures;
      writer.commit();
      audited = writer.status().selfAudit().audited();
    }
    assertThat(audited).isGreaterThan(before).isLessThan(1_000);
    boolean lost = failures > 1;
    assertThat(kept()).hasSize(lost ? before : (int) audited);
    assertThat(kinds)
        .isEqualTo(lost ? List.of(Trouble.RETRIED, Trouble.LOST) : List.of(Trouble.RETRIED));
    if (lost) {
      assertThat(troubles.get(1)).contains("could not be written before the writer was closed");
    }
  }

  @Test
  void whatWasAuditedOfABatchIsWrittenThoughTheManifestCannotBe() throws IOException {
    DeltaConfig config = config().selfAudit(PAGES, Duration.ofHours(1)).build();
    int before;
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 2; week++) {
        put(writer, config, week);
        writer.commit();
      }
      before = kept().size();
      put(writer, config, 2);
      faults =
          point -> {
            if (point.equals(FaultPoints.BEFORE_MANIFEST)) {
              throw new IllegalStateException("injected");
            }
          };
      writer.commit();
      assertThat(troubles).as("the manifest was not written").hasSize(1);
    }
    assertThat(kept()).hasSizeGreaterThan(before);
  }

  private static Directory fullForAudits(Directory files, int[] failing) {
    return new FilterDirectory(files) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        if (name.equals(AuditLog.PENDING) && failing[0]-- > 0) {
          throw new IOException("no space");
        }
        return super.createOutput(name, context);
      }
    };
  }

  @Test
  void whatWasAuditedOfABatchThatCannotBeSettledBeforeTheCloseIsToldAsLost() throws IOException {
    DeltaConfig config = config().selfAudit(PAGES, Duration.ofHours(1)).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 2; week++) {
        put(writer, config, week);
        writer.commit();
      }
      put(writer, config, 2);
      faults =
          point -> {
            if (point.equals(FaultPoints.SETTLE) || point.equals(FaultPoints.STORE)) {
              throw new IllegalStateException("injected");
            }
          };
    }
    assertThat(troubles)
        .filteredOn(trouble -> trouble.startsWith("what was audited last is lost"))
        .singleElement()
        .asString()
        .contains("the batch could not be settled before the writer was closed");
  }

  @Test
  void ofMoreThanAThousandRefreshesTheLastAreKeptAndAllAreCounted() {
    List<AuditLog.Pair> all =
        IntStream.rangeClosed(1, 1_500).mapToObj(i -> new AuditLog.Pair(i, 2 * i)).toList();
    AuditLog log = new AuditLog();
    log.add(all.subList(0, 900), 0, Instant.EPOCH);
    log.add(all.subList(900, 1_500), 0, Instant.EPOCH);
    assertThat(log.selfAudit().audited()).isEqualTo(1_500);
    assertThat(log.selfAudit().kept()).isEqualTo(1_000);
    assertThat(log.pairs()).isEqualTo(all.subList(500, 1_500));
  }

  @Test
  void anAuditIsToldSinceTheFirstRefreshOfItsSampleAlsoWhereThatWasBrokenOff() {
    Instant first = Instant.parse("2024-01-01T00:00:00Z");
    AuditLog log = new AuditLog();
    log.add(List.of(), 0, first.minusSeconds(1));
    assertThat(log.selfAudit()).as("of a batch without a sample").isNull();
    log.add(List.of(), 1, first);
    for (int batch = 1; batch < 3; batch++) {
      log.add(List.of(new AuditLog.Pair(1, 2)), 0, first.plusSeconds(batch));
    }
    assertThat(log.selfAudit().since()).isEqualTo(first);
  }

  @Test
  void aLogWithOneWrongBitAnywhereIsRefusedAsDamaged() throws IOException {
    AuditLog log = new AuditLog();
    log.add(List.of(new AuditLog.Pair(1, 2)), 0, Instant.EPOCH);
    try (Directory files = FSDirectory.open(folder)) {
      log.write(files);
      Path file = folder.resolve("audit_1");
      byte[] bytes = Files.readAllBytes(file);
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> AuditLog.read(files))
            .as("byte %d", at)
            .isInstanceOf(CorruptIndexException.class);
        bytes[at] ^= 1;
      }
    }
  }

  private static Directory fullAfterHeader(Directory files) {
    return new FilterDirectory(files) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        return new FilterIndexOutput(name, name, super.createOutput(name, context)) {
          @Override
          public void writeLong(long value) throws IOException {
            throw new IOException("no space");
          }
        };
      }
    };
  }

  private List<AuditLog.Pair> kept() throws IOException {
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      return AuditLog.read(files).pairs();
    }
  }

  private static SlowAnswer slow(Directory index, DeltaConfig config) throws IOException {
    List<IndexCommit> commits = DirectoryReader.listCommits(index);
    return SlowAnswer.of(commits.get(commits.size() - 1), config, null);
  }

  /** Equation 6 for every page whose vector differs, all other pages being as before. */
  private static List<Double> exact(
      SlowAnswer before, SlowAnswer after, DeltaConfig config, Ranks ranks) {
    ExactQuality quality = new ExactQuality(PowerLawViews.PAPER);
    List<String> pages = List.copyOf(before.pages.keySet());
    List<Double> changes = new ArrayList<>();
    for (int page = 0; page < pages.size(); page++) {
      var now = after.pages.get(pages.get(page)).postings();
      if (now.equals(before.pages.get(pages.get(page)).postings())) {
        continue;
      }
      double sum = 0;
      for (int query = 0; query < config.workload().queryCount(); query++) {
        double[] old = new double[pages.size()];
        for (int other = 0; other < old.length; other++) {
          String key = pages.get(other);
          old[other] = score(before.pages.get(key).postings(), key, query, config, ranks);
        }
        double[] moved = old.clone();
        moved[page] = score(now, pages.get(page), query, config, ranks);
        sum += config.workload().frequency(query) * quality.change(old, moved, moved);
      }
      changes.add(sum);
    }
    return changes;
  }

  private static double score(
      Map<Integer, Map<Integer, SlowAnswer.Posting>> page,
      String key,
      int query,
      DeltaConfig config,
      Ranks ranks) {
    double sum = 0;
    for (int i = 0; i < config.workload().queryLength(query); i++) {
      int term = config.workload().queryTerm(query, i);
      float score = 0;
      for (var field : page.entrySet()) {
        SlowAnswer.Posting posting = field.getValue().get(term);
        score +=
            posting == null
                ? 0
                : ranks.scores().score(field.getKey(), term, posting.frequency(), posting.norm());
      }
      if (score == 0) {
        return 0;
      }
      sum += score;
    }
    Importance importance = config.importance();
    return importance == null
        ? (float) sum
        : (float) importance.score(sum, (float) importance.of(key));
  }

  @Test
  void aSampleIsDrawnFromTheWholeBatchAndItsSizeIsKept() throws IOException {
    DeltaConfig config = config().selfAudit(4, Duration.ofHours(1)).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(index, config)) {
        for (int week = 0; week < WEEKS; week++) {
          put(writer, config, week);
          writer.commit();
        }
        assertThat(writer.status().selfAudit().audited()).isEqualTo(4 * (WEEKS - 1));
      }
      int[] taken = new int[100];
      for (int seed = 0; seed < 2000; seed++) {
        AuditSample sample = new AuditSample(5, seed);
        for (int page = 0; page < taken.length; page++) {
          sample.offer(
              new org.apache.lucene.util.BytesRef("p" + page),
              new VectorBuffer(),
              new VectorBuffer(),
              page);
        }
        assertThat(sample.refreshes()).as("seed %d", seed).hasSize(5);
        sample.refreshes().forEach(refresh -> taken[(int) refresh.estimate()]++);
      }
      for (int page = 0; page < taken.length; page++) {
        assertThat(taken[page]).as("times page %d was taken", page).isBetween(60, 140);
      }
    }
  }

  @Test
  void aBatchOnAnEarlierCommitIsNotAuditedAgainstTheLatest() throws IOException {
    DeltaConfig config = config().selfAudit(PAGES, Duration.ofHours(1)).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(index, config)) {
        for (int week = 0; week < 4; week++) {
          put(writer, config, week);
          writer.commit();
        }
      }
      IndexCommit earlier = DirectoryReader.listCommits(index).get(2);
      try (DeltaIndexWriter writer = open(index, config, earlier)) {
        long audited = writer.status().selfAudit().audited();
        put(writer, config, 4);
        writer.commit();
        assertThat(writer.status().selfAudit().audited()).isEqualTo(audited);
        put(writer, config, 5);
        writer.commit();
        assertThat(writer.status().selfAudit().audited()).isGreaterThan(audited);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onAnEarlierCommitAnotherEstimatorForgetsTheAuditOnceItHasCommitted(boolean commits)
      throws IOException {
    DeltaConfig before = config().selfAudit(PAGES, Duration.ofHours(1)).build();
    DeltaConfig after =
        config()
            .selfAudit(PAGES, Duration.ofHours(1))
            .estimator(new IntegralSum(PowerLawViews.PAPER))
            .build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(index, before)) {
        for (int week = 0; week < 4; week++) {
          put(writer, before, week);
          writer.commit();
        }
      }
      List<AuditLog.Pair> audited = kept();
      assertThat(audited).isNotEmpty();
      IndexCommit earlier = DirectoryReader.listCommits(index).get(2);
      try (DeltaIndexWriter writer = open(index, after, earlier)) {
        assertThat(writer.status().selfAudit()).isNull();
        assertThat(kept()).isEqualTo(audited);
        if (commits) {
          put(writer, after, 4);
          writer.commit();
        } else {
          writer.rollback();
        }
      }
      assertThat(kept()).isEqualTo(commits ? List.of() : audited);
    }
  }

  @Test
  void theAuditSurvivesReopeningAndIsReadWithoutAWriter() throws IOException {
    DeltaConfig config = config().selfAudit(10, Duration.ofHours(1)).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      for (int week = 0; week < 3; week++) {
        try (DeltaIndexWriter writer = open(index, config)) {
          put(writer, config, week);
          writer.commit();
        }
      }
      DeltaConfig without = config().build();
      try (DeltaIndexWriter writer = open(index, without)) {
        put(writer, without, 3);
        writer.commit();
        SelfAudit audit = writer.status().selfAudit();
        assertThat(audit.audited()).as("what was audited stays known").isEqualTo(20);
        assertThat(audit.agreement().spearman()).isBetween(0.5, 1.0);
      }
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(state.status().selfAudit().audited()).isEqualTo(20);
        assertThat(state.status().toString()).contains("rank correlation").contains("20 measured");
      }
      DeltaConfig sameViews = config().estimator(new PassedPages(PowerLawViews.PAPER)).build();
      try (DeltaIndexWriter writer = open(index, sameViews)) {
        assertThat(writer.status().selfAudit().audited()).isEqualTo(20);
      }
      DeltaConfig otherViews =
          config().estimator(new PassedPages(new PowerLawViews(0.001, 1.5))).build();
      try (DeltaIndexWriter writer = open(index, otherViews)) {
        assertThat(writer.status().selfAudit()).as("of other estimates").isNull();
      }
      DeltaConfig otherQueries =
          DeltaConfig.builder(Workload.builder().add(List.of("other"), 1).build())
              .keyField("url")
              .scoredField("body")
              .build();
      try (DeltaIndexWriter writer = open(index, otherQueries)) {
        assertThat(writer.status().selfAudit()).as("of another set-up").isNull();
      }
    }
  }

  /** The first refresh of each page of an index taken over, of which nobody knows the interval. */
  @Test
  void refreshesThatAreNotMeasuredAreNotAudited() throws IOException {
    Instant[] now = {Instant.parse("2024-01-01T00:00:00Z")};
    DeltaConfig config =
        DeltaConfig.builder(workload())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now[0])
            .selfAudit(PAGES, Duration.ofHours(1))
            .listener(new Troubles(troubles))
            .build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain =
          new IndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        putUndated(plain);
      }
      try (DeltaIndexWriter writer = open(index, config)) {
        now[0] = now[0].plus(Duration.ofDays(7));
        putUndated(writer);
        writer.commit();
        assertThat(writer.status().selfAudit()).as("after undated refreshes").isNull();
        now[0] = now[0].plus(Duration.ofDays(7));
        putUndated(writer);
        writer.commit();
        assertThat(writer.status().selfAudit().audited()).as("seed %d", SEED).isGreaterThan(30);
      }
    }
    assertThat(troubles).isEmpty();
  }

  private void putUndated(IndexWriter writer) throws IOException {
    for (int i = 0; i < PAGES; i++) {
      Document document = new Document();
      document.add(new StringField("url", "page" + i, Field.Store.YES));
      document.add(new TextField("body", words(12), Field.Store.NO));
      writer.updateDocument(new Term("url", "page" + i), document);
    }
  }

  @Test
  void nothingIsAuditedUnlessAskedFor() throws IOException {
    DeltaConfig config = config().build();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 3; week++) {
        put(writer, config, week);
        writer.commit();
      }
      assertThat(writer.status().selfAudit()).isNull();
    }
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("audit"));
    }
  }

  @Test
  void anAuditStopsWhenItsTimeIsUp() throws IOException {
    AtomicLong clock = new AtomicLong();
    DeltaConfig config =
        config()
            .selfAudit(PAGES, Duration.ofMillis(40))
            .nanos(() -> clock.addAndGet(Duration.ofMillis(1).toNanos()))
            .build();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      put(writer, config, 0);
      writer.commit();
      clock.set(0);
      put(writer, config, 1);
      writer.commit();
      assertThat(Duration.ofNanos(clock.get()))
          .as("looks at a clock that moves 1 ms a look")
          .isBetween(Duration.ofMillis(40), Duration.ofMillis(43));
      SelfAudit audit = writer.status().selfAudit();
      assertThat(audit.audited()).isPositive();
      assertThat(audit.brokenOff()).isPositive();
      assertThat(writer.explain("page0")).isPresent();
      assertThat(troubles).isEmpty();
    }
  }

  @Test
  void refreshesBrokenOffStayKnownAfterReopening() throws IOException {
    AtomicLong clock = new AtomicLong();
    DeltaConfig config =
        config()
            .selfAudit(PAGES, Duration.ofMillis(40))
            .nanos(() -> clock.addAndGet(Duration.ofMillis(1).toNanos()))
            .build();
    SelfAudit audit;
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(index, config)) {
        for (int week = 0; week < 2; week++) {
          put(writer, config, week);
          writer.commit();
        }
        audit = writer.status().selfAudit();
        assertThat(audit.brokenOff()).isPositive();
      }
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(writer.status().selfAudit().brokenOff()).isEqualTo(audit.brokenOff());
        assertThat(writer.status().selfAudit().since()).isEqualTo(audit.since());
      }
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(state.status().selfAudit().brokenOff()).isEqualTo(audit.brokenOff());
        assertThat(state.status().selfAudit().since()).isEqualTo(audit.since());
      }
    }
  }

  @Test
  void whatWasAuditedOfABatchThatWasNotCommittedCountsForNoOther() throws IOException {
    AtomicLong clock = new AtomicLong();
    DeltaConfig config =
        config()
            .selfAudit(PAGES, Duration.ofMillis(40))
            .nanos(() -> clock.addAndGet(Duration.ofMillis(1).toNanos()))
            .build();
    boolean[] full = new boolean[1];
    int[] measured = new int[1];
    try (Directory index =
            new FilterDirectory(FSDirectory.open(folder.resolve("index"))) {
              @Override
              public void rename(String source, String target) throws IOException {
                if (full[0]) {
                  throw new IOException("no space");
                }
                super.rename(source, target);
              }
            };
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 2; week++) {
        put(writer, config, week);
        writer.commit();
      }
      SelfAudit audit = writer.status().selfAudit();
      faults = point -> measured[0] += point.equals(FaultPoints.AUDIT) ? 1 : 0;
      put(writer, config, 2);
      full[0] = true;
      assertThatThrownBy(writer::commit).hasMessage("no space");
      full[0] = false;
      assertThat(measured[0]).as("one at least, and one that is broken off").isGreaterThan(1);
      faults =
          point -> {
            if (point.equals(FaultPoints.AUDIT)) {
              throw new IllegalStateException("injected");
            }
          };
      put(writer, config, 3);
      writer.commit();
      assertThat(troubles).last().asString().contains("could not be audited");
      assertThat(writer.status().selfAudit().audited()).isEqualTo(audit.audited());
      assertThat(writer.status().selfAudit().brokenOff()).isEqualTo(audit.brokenOff());
    }
  }

  @Test
  void anAuditStopsAmongPagesThatHaveOneTermOfAQueryWithoutTheOther() throws IOException {
    int pages = 8_000; // half of them with either term: 15 looks at the clock
    AtomicLong clock = new AtomicLong();
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha", "gamma"), 3).build())
            .keyField("url")
            .scoredField("body")
            .selfAudit(1, Duration.ofMillis(10))
            .nanos(() -> clock.addAndGet(Duration.ofMillis(1).toNanos()))
            .build();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      for (int page = 0; page < pages; page++) {
        put(writer, "page" + page, page % 2 == 0 ? "alpha" : "gamma");
      }
      put(writer, "both", "alpha gamma");
      writer.commit();
      put(writer, "both", "alpha alpha gamma other");
      writer.commit();
      SelfAudit audit = writer.status().selfAudit();
      assertThat(audit.audited()).isZero();
      assertThat(audit.brokenOff()).isOne();
    }
  }

  private static void put(DeltaIndexWriter writer, String page, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  @Test
  void theTimeToOpenTheCommitIsPartOfAnAudit() throws IOException {
    AtomicLong clock = new AtomicLong();
    DeltaConfig config = config().selfAudit(PAGES, Duration.ofMinutes(1)).nanos(clock::get).build();
    try (Directory index =
            new FilterDirectory(FSDirectory.open(folder.resolve("index"))) {
              @Override
              public IndexInput openInput(String name, IOContext context) throws IOException {
                clock.addAndGet(Duration.ofHours(1).toNanos());
                return super.openInput(name, context);
              }
            };
        DeltaIndexWriter writer = open(index, config)) {
      put(writer, config, 0);
      writer.commit();
      put(writer, config, 1);
      writer.commit();
      assertThat(writer.status().selfAudit().audited()).isZero();
      assertThat(writer.status().selfAudit().brokenOff()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFailingAuditLeavesIndexAndMeasurementsAsTheyAre(boolean outOfMemory) throws IOException {
    List<PagePriority> right = prioritiesWithFaults("right", FaultPoints.NONE);
    List<PagePriority> failed =
        prioritiesWithFaults(
            "failed",
            point -> {
              if (point.equals(FaultPoints.AUDIT)) {
                if (outOfMemory) {
                  throw new OutOfMemoryError("injected");
                }
                throw new IllegalStateException("injected");
              }
            });
    assertThat(failed).isEqualTo(right);
    assertThat(troubles).hasSize(2).allMatch(told -> told.contains("could not be audited"));
  }

  private List<PagePriority> prioritiesWithFaults(String name, FaultPoints points)
      throws IOException {
    random.setSeed(SEED);
    faults = points;
    DeltaConfig config = config().selfAudit(5, Duration.ofHours(1)).hashSeed(SEED).build();
    try (Directory index = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 3; week++) {
        put(writer, config, week);
        writer.commit();
      }
      assertThat(writer.status().batchesIncomplete()).isZero();
      return writer.nextPages(PAGES, Instant.parse("2024-06-01T00:00:00Z"));
    }
  }

  @Test
  void aDamagedLogIsToldOfAndBeginsAnew() throws IOException {
    DeltaConfig config = config().selfAudit(5, Duration.ofHours(1)).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      for (int week = 0; week < 3; week++) {
        if (week == 2) {
          Files.writeString(folder.resolve("index.delta").resolve("audit_99"), "no audit");
        }
        try (DeltaIndexWriter writer = open(index, config)) {
          put(writer, config, week);
          writer.commit();
        }
      }
      assertThat(troubles).singleElement().asString().contains("begins anew");
      Path damaged = folder.resolve("index.delta").resolve("audit_100");
      Files.writeString(damaged, "no audit");
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(state.status().selfAudit()).as("without a writer").isNull();
        assertThat(state.status().pages()).isEqualTo(PAGES);
      }
      Files.delete(damaged);
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(writer.status().selfAudit().audited()).isEqualTo(5);
      }
    }
  }

  /** For too many open files, say. It may be damaged as well, which nobody knows before. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLogThatCannotBeReadAtTheOpeningIsReadBeforeMoreIsWritten(boolean damaged)
      throws IOException {
    AtomicBoolean unreadable = new AtomicBoolean();
    DeltaConfig config =
        config()
            .selfAudit(5, Duration.ofHours(1))
            .stateDirectory(files -> new Unreadable(files, unreadable::get))
            .build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      for (int week = 0; week < 3; week++) {
        unreadable.set(week == 2);
        if (damaged && week == 2) {
          Files.writeString(folder.resolve("index.delta").resolve("audit_99"), "no audit");
        }
        try (DeltaIndexWriter writer = open(index, config)) {
          if (week == 2) {
            assertThat(troubles).singleElement().asString().contains("cannot be read yet");
            unreadable.set(false); // too late for the opening
          }
          put(writer, config, week);
          writer.commit();
        }
      }
      assertThat(troubles.size()).as("%s", troubles).isEqualTo(damaged ? 2 : 1);
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(state.status().selfAudit().audited()).isEqualTo(damaged ? 5 : 10);
      }
      if (damaged) {
        assertThat(troubles.get(1)).contains("begins anew");
        assertThat(folder.resolve("index.delta").resolve("audit_99")).doesNotExist();
      }
    }
  }

  /** A disk on which an audit's log cannot be opened for now. */
  private static final class Unreadable extends FilterDirectory {
    private final BooleanSupplier now;

    Unreadable(Directory in, BooleanSupplier now) {
      super(in);
      this.now = now;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (name.startsWith("audit_") && now.getAsBoolean()) {
        throw new FileSystemException(name, null, "Too many open files");
      }
      return in.openInput(name, context);
    }
  }

  @Test
  void anInterruptedOpeningKeepsWhatWasAudited() throws IOException {
    DeltaConfig config = config().selfAudit(5, Duration.ofHours(1)).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      for (int week = 0; week < 2; week++) {
        try (DeltaIndexWriter writer = open(index, config)) {
          put(writer, config, week);
          writer.commit();
        }
      }
      DeltaConfig interrupted =
          config()
              .stateDirectory(
                  files ->
                      new Unreadable(
                          files,
                          () -> {
                            Thread.currentThread()
                                .interrupt(); // so the file is closed as it is opened
                            return false;
                          }))
              .build();
      assertThatThrownBy(() -> open(index, interrupted))
          .isInstanceOf(ThreadInterruptedException.class);
      assertThat(troubles).isEmpty();
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(writer.status().selfAudit().audited()).isEqualTo(5);
      }
    }
  }

  @Test
  void anAuditOfNothingOrInNoTimeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config().selfAudit(0, Duration.ofSeconds(1)))
        .withMessageContaining("1 or more refreshes a batch, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config().selfAudit(5, Duration.ZERO))
        .withMessageContaining("was PT0S");
  }

  @Test
  void aClockOrAnEstimatorThatIsNoneIsRefused() {
    assertThatNullPointerException()
        .isThrownBy(() -> config().clock(null))
        .withMessageContaining("a clock is needed");
    assertThatNullPointerException()
        .isThrownBy(() -> config().estimator(null))
        .withMessageContaining("an estimator is needed");
  }

  @Test
  void anAuditCanTakeForEver() throws IOException {
    DeltaConfig config = config().selfAudit(5, ChronoUnit.FOREVER.getDuration()).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 2; week++) {
        put(writer, config, week);
        writer.commit();
      }
      assertThat(writer.status().selfAudit().audited()).isEqualTo(5);
      assertThat(troubles).isEmpty();
    }
  }
}
