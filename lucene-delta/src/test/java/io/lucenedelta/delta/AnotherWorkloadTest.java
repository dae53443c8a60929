// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.scorer.quality.IntegralSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new workload keeps histories and completes vectors for its new terms only. */
class AnotherWorkloadTest {
  private static final int PAGES = 300;
  private static final int WORDS = 100;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final List<String> tasks = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();

  @TempDir Path folder;

  /** Words numbered from {@code from} on, some asked together. */
  private static Workload workload(int from) {
    var builder = Workload.builder();
    for (int word = from; word < from + WORDS; word++) {
      builder.add(List.of(word(word)), 1 + word % 7);
    }
    return builder.add(List.of(word(from), word(from + WORDS - 1)), 9).build();
  }

  private static String word(int number) {
    return "w" + Integer.toString(number * 7919, 36);
  }

  private DeltaConfig config(Workload workload, String state) {
    return config(workload, 2, state);
  }

  private DeltaConfig config(Workload workload, float titleBoost, String state) {
    return builder(workload, titleBoost, state).build();
  }

  private DeltaConfig.Builder builder(Workload workload, float titleBoost, String state) {
    return builder(workload, state).scoredField("title", titleBoost).scoredField("body");
  }

  private DeltaConfig ofFields(int firstWord, String state, String... fields) {
    DeltaConfig.Builder builder = builder(workload(firstWord), state);
    for (String field : fields) {
      builder.scoredField(field);
    }
    return builder.build();
  }

  private DeltaConfig.Builder builder(Workload workload, String state) {
    return DeltaConfig.builder(workload)
        .keyField("url")
        .fetchTimeField("fetched")
        .statePath(folder.resolve(state))
        .listener(
            new DeltaListener() {
              @Override
              public void progress(String task, long done, long total) {
                tasks.add(task);
              }

              @Override
              public void trouble(Trouble kind, String sentence, Throwable cause) {
                troubles.add(sentence + cause);
              }
            });
  }

  private static DeltaIndexWriter open(Directory directory, DeltaConfig config) throws IOException {
    return new DeltaIndexWriter(
        directory, new IndexWriterConfig(new WhitespaceAnalyzer()).setMaxBufferedDocs(50), config);
  }

  private void index(DeltaIndexWriter writer, DeltaConfig config, int week) throws IOException {
    FieldType title = new FieldType(TextField.TYPE_NOT_STORED);
    title.setOmitNorms(true);
    title.setIndexOptions(IndexOptions.DOCS);
    for (int i = week == 0 ? 0 : PAGES / 2; i < PAGES; i++) {
      Document document = new Document();
      document.add(new StringField("url", "p" + i, Field.Store.YES));
      document.add(new StringField("uid", "u" + (week * PAGES + i), Field.Store.YES));
      document.add(config.fetchTime(RandomDocuments.time(week * PAGES + i)));
      document.add(new Field("title", text(random.nextInt(4)), title));
      document.add(new TextField("body", text(random.nextInt(60)), Field.Store.NO));
      writer.updateDocument(new Term("url", "p" + i), document);
    }
    writer.deleteDocuments(new Term("url", "p" + week));
    writer.commit();
  }

  private String text(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(word(random.nextInt(WORDS + 40))).append(' ');
    }
    return text.toString();
  }

  /** As when a backup is unpacked over a folder: the newest manifest stays, its store does not. */
  @Test
  void aPageStoreOfAnEarlierClosingIsNotTaken() throws IOException {
    DeltaConfig config = config(workload(0), "state");
    Path state = folder.resolve("state");
    Path backup = Files.createDirectory(folder.resolve("backup"));
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory, config)) {
        index(writer, config, 0);
      }
      copy(state, backup);
      try (DeltaIndexWriter writer = open(directory, config)) {
        index(writer, config, 1);
      }
      copy(backup, state);
      assertThat(vectors(directory, config))
          .as("seed %d", seed)
          .isEqualTo(vectors(directory, config(workload(0), "fresh")));
    }
  }

  private static List<Long> vectors(Directory directory, DeltaConfig config) throws IOException {
    List<Long> hashes = new ArrayList<>();
    PageEntry entry = new PageEntry();
    try (DeltaIndexWriter writer = open(directory, config)) {
      for (int i = PAGES / 2; i < PAGES; i++) {
        hashes.add(writer.measurer().page(new BytesRef("p" + i), entry) ? entry.vector.hash() : 0);
      }
    }
    return hashes;
  }

  private Set<Path> stores() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("state"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(StateFiles.PAGES))
          .collect(Collectors.toSet());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Test
  void anotherBoostBuildsRankFunctionsAnewAndReadsNoPage() throws IOException {
    DeltaConfig before = config(workload(0), 2, "state");
    DeltaConfig after = config(workload(0), 3, "state");
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory, before)) {
        index(writer, before, 0);
        index(writer, before, 1);
        assertThat(writer.measurer().ranks()).as("seed %d", seed).isNotNull();
      }
      Set<Path> stores = stores();
      try (DeltaIndexWriter writer = open(directory, after)) {
        assertThat(writer.measurer().ranks()).as("of the old scores, seed %d", seed).isNull();
        index(writer, after, 2);
        assertThat(writer.measurer().ranks()).as("seed %d", seed).isNotNull();
      }
      assertThat(stores())
          .as("a store that is built has a number of its own, seed %d", seed)
          .isEqualTo(stores);
      assertThat(troubles).as("seed %d", seed).isEmpty();
      assertThat(vectors(directory, after))
          .as("seed %d", seed)
          .isEqualTo(vectors(directory, config(workload(0), 3, "fresh")));
    }
  }

  @Test
  void otherFieldsOrTheSameInAnotherOrderAreReadAnew() throws IOException {
    DeltaConfig first = ofFields(0, "state", "title", "body");
    String[][] later = {{"body", "title"}, {"body"}, {"title"}, {"title", "body"}};
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory, first)) {
        index(writer, first, 0);
        index(writer, first, 1);
      }
      for (int step = 0; step < later.length; step++) {
        int firstWord = step % 2 == 0 ? 0 : 10;
        Map<String, PageEntry> kept = entries(directory, ofFields(firstWord, "state", later[step]));
        Map<String, PageEntry> fresh =
            entries(directory, ofFields(firstWord, "fresh" + step, later[step]));
        assertThat(kept.keySet()).as("seed %d", seed).isEqualTo(fresh.keySet()).hasSize(PAGES - 2);
        for (Map.Entry<String, PageEntry> page : fresh.entrySet()) {
          assertThat(SlowAnswer.decode(kept.get(page.getKey()).vector))
              .as("%s, step %d, seed %d", page.getKey(), step, seed)
              .isEqualTo(SlowAnswer.decode(page.getValue().vector));
          assertThat(kept.get(page.getKey()).lastRefresh).as("seed %d", seed).isPositive();
        }
      }
      assertThat(troubles)
          .as("seed %d", seed)
          .allMatch(trouble -> trouble.contains("measured before, but not into"));
    }
  }

  @Test
  void anotherRoleOfImportanceBuildsRankFunctionsAnew() throws IOException {
    List<DeltaConfig> roles = new ArrayList<>();
    roles.add(config(workload(0), "state"));
    for (Importance.Role role : List.of(Importance.Role.FACTOR, Importance.Role.SUMMAND)) {
      Importance importance = new Importance(page -> 1 + page.length(), role);
      roles.add(builder(workload(0), 2, "state").importance(importance).build());
    }
    roles.add(roles.get(0));
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      int week = 0;
      for (DeltaConfig config : roles) {
        for (int opening = 0; opening < 2; opening++) {
          try (DeltaIndexWriter writer = open(directory, config)) {
            boolean same = opening == 1;
            assertThat(writer.measurer().ranks() != null)
                .as("%d, seed %d", week, seed)
                .isEqualTo(same);
            index(writer, config, week++);
            index(writer, config, week++);
            assertThat(writer.measurer().ranks()).as("seed %d", seed).isNotNull();
          }
        }
      }
      assertThat(troubles).as("seed %d", seed).isEmpty();
    }
  }

  /** Some rank pages by importance itself, others by scores made of it. */
  @Test
  void anotherEstimatorOfPagesThatRankByImportanceAloneIsNoDamage() throws IOException {
    Importance importance = new Importance(page -> 1 + page.length(), Importance.Role.ALONE);
    QualityChange usual = new PassedPages(PowerLawViews.PAPER);
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      int week = 0;
      for (QualityChange estimator : List.of(usual, new IntegralSum(PowerLawViews.PAPER), usual)) {
        DeltaConfig config =
            builder(workload(0), 2, "state").importance(importance).estimator(estimator).build();
        try (DeltaIndexWriter writer = open(directory, config)) {
          assertThat(writer.measurer().ranks()).as("seed %d", seed).isNull();
          index(writer, config, week++);
          index(writer, config, week++);
          assertThat(writer.measurer().ranks()).as("seed %d", seed).isNotNull();
        }
      }
      assertThat(troubles).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void completedVectorsAreThoseOfAFreshAdoptionAndHistoriesStay() throws IOException {
    DeltaConfig before = config(workload(0), "state");
    DeltaConfig after = config(workload(10), "state");
    DeltaConfig fresh = config(workload(10), "fresh");
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      List<MeasuredRefresh> history;
      try (DeltaIndexWriter writer = open(directory, before)) {
        index(writer, before, 0);
        index(writer, before, 1);
        history = writer.explain("p200").orElseThrow().refreshes();
        assertThat(history).as("seed %d", seed).hasSize(2);
      }
      tasks.clear();
      Map<String, PageEntry> completed = entries(directory, after);
      assertThat(tasks)
          .as("what was read, seed %d", seed)
          .containsOnly("reading 10 new terms of the workload");
      assertThat(troubles).as("seed %d", seed).isEmpty();
      Map<String, PageEntry> adopted = entries(directory, fresh);
      assertThat(completed.keySet())
          .as("seed %d", seed)
          .isEqualTo(adopted.keySet())
          .hasSize(PAGES - 2);
      adopted.forEach(
          (key, entry) -> {
            assertThat(SlowAnswer.decode(completed.get(key).vector))
                .as("vector of %s, seed %d", key, seed)
                .isEqualTo(SlowAnswer.decode(entry.vector));
            assertThat(completed.get(key).vector.sameAs(entry.vector)).as("seed %d", seed).isTrue();
          });
      try (DeltaIndexWriter writer = open(directory, after)) {
        assertThat(writer.explain("p200").orElseThrow().refreshes())
            .as("seed %d", seed)
            .isEqualTo(history);
        index(writer, after, 2);
        assertThat(writer.explain("p200").orElseThrow().refreshes().get(0).measured())
            .as("seed %d", seed)
            .isTrue();
        assertThat(writer.status().batchesIncomplete()).as("seed %d", seed).isZero();
      }
    }
  }

  private Map<String, PageEntry> entries(Directory directory, DeltaConfig config)
      throws IOException {
    Map<String, PageEntry> entries = new TreeMap<>();
    try (DeltaIndexWriter writer = open(directory, config)) {
      for (int i = 0; i < PAGES; i++) {
        PageEntry entry = new PageEntry();
        if (writer.measurer().page(new BytesRef("p" + i), entry) && entry.present) {
          entries.put("p" + i, entry);
        }
      }
    }
    return entries;
  }

  @Test
  void ofAWorkloadThatOnlyLacksTermsNoReadingIsTold() throws IOException {
    DeltaConfig before = config(workload(0), "state");
    DeltaConfig after = config(workload(0).filter(query -> query > 9), "state");
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory, before)) {
        index(writer, before, 0);
      }
      tasks.clear();
      assertThat(entries(directory, after)).as("seed %d", seed).hasSize(PAGES - 1);
      assertThat(tasks).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void onlyThePostingsOfTheNewTermsAreSought() throws IOException {
    DeltaConfig before = config(workload(0), "state");
    DeltaConfig after = config(workload(10), "state");
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory, before)) {
        index(writer, before, 0);
      }
      WorkloadTerms terms = WorkloadTerms.of(after.workload());
      WorkloadChange change = WorkloadChange.of(before.workload(), terms);
      Set<String> sought = new HashSet<>();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        LeafReader watched = new Watched(reader.leaves().get(0).reader(), sought);
        new IndexPages(after, terms, folder, change.added())
            .read(List.of(watched.getContext()), (key, segment, doc, fetched, vector) -> {});
      }
      Set<String> expected = new HashSet<>();
      for (int word = WORDS; word < WORDS + 10; word++) {
        expected.add(word(word));
      }
      assertThat(sought).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void aWorkloadThatNoRefreshSpeaksOfIsForgotten() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      DeltaConfig first = config(workload(0), "state");
      try (DeltaIndexWriter writer = open(directory, first)) {
        index(writer, first, 0);
        index(writer, first, 1); // measured: its explanations speak of the first workload
      }
      open(directory, config(workload(5), "state")).close();
      assertThat(workloads()).as("measured before, measured now, seed %d", seed).hasSize(2);
      open(directory, config(workload(10), "state")).close();
      assertThat(workloads()).as("the second was never measured with, seed %d", seed).hasSize(2);
      try (DeltaIndexWriter writer = open(directory, config(workload(10), "state"))) {
        List<QueryContribution> contributions = new ArrayList<>();
        for (int page = 250; page < 260; page++) { // one may have no term of a query
          contributions.addAll(
              writer.explain("p" + page).orElseThrow().refreshes().get(0).contributions());
        }
        assertThat(contributions).as("seed %d", seed).isNotEmpty();
      }
    }
  }

  /** The measurements are those that the manifest on disk tells of: it names the workload. */
  @Test
  void aWorkloadIsKeptWhenTheOpeningWithAnotherFailsBeforeItsManifestIsWritten()
      throws IOException {
    boolean[] failing = {false};
    UnaryOperator<Directory> full =
        in ->
            new FilterDirectory(in) {
              @Override
              public void rename(String source, String target) throws IOException {
                if (failing[0] && target.startsWith("delta_")) {
                  throw new IOException("no room for " + target);
                }
                super.rename(source, target);
              }
            };
    DeltaConfig first = builder(workload(0), 2, "state").stateDirectory(full).build();
    DeltaConfig second = builder(workload(5), 2, "state").stateDirectory(full).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory, first)) {
        index(writer, first, 0); // not measured: no refresh speaks of the workload
        failing[0] = true; // the store is not closed cleanly, as after a kill
      }
      assertThatThrownBy(() -> open(directory, second)).hasMessageContaining("no room for delta_");
      failing[0] = false;
      assertThat(folder.resolve("state").resolve(workloadFile(first))).as("seed %d", seed).exists();
      open(directory, second).close();
      assertThat(workloads()).as("the second alone, seed %d", seed).hasSize(1);
    }
  }

  private static String workloadFile(DeltaConfig config) {
    return Manifest.workloadFile(WorkloadIdentity.of(config.workload()));
  }

  private List<Path> workloads() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("state"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("workload_")).toList();
    }
  }

  /** Writes down which terms of the scored fields are sought. */
  private static final class Watched extends FilterLeafReader {
    private final Set<String> sought;

    Watched(LeafReader in, Set<String> sought) {
      super(in);
      this.sought = sought;
    }

    @Override
    public Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      if (terms == null || !(field.equals("body") || field.equals("title"))) {
        return terms;
      }
      return new FilterTerms(terms) {
        @Override
        public TermsEnum iterator() throws IOException {
          return new FilterTermsEnum(in.iterator()) {
            @Override
            public boolean seekExact(BytesRef text) throws IOException {
              sought.add(text.utf8ToString());
              return in.seekExact(text);
            }
          };
        }
      };
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
