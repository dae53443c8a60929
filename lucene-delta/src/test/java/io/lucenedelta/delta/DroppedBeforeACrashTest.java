// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A further copy of a page is deleted before the commit, by a query that leaves the page's older
 * document, and the process dies after the commit: what was measured of the copy never happened.
 */
class DroppedBeforeACrashTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final List<String> troubles = new ArrayList<>();
  private int day;
  private boolean dies;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "alpha, same, false", "alpha, other, false", "beta, same, false", "beta, other, false",
    "alpha, same, true", "alpha, other, true", "beta, same, true", "beta, other, true"
  })
  void aCopyThatNoCommitHadIsNoRefresh(String term, String text, boolean merged) throws Exception {
    Path copy = folder.resolve("copy");
    List<MeasuredRefresh> right;
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, "alpha")) {
      for (int batch = 0; batch < 3; batch++) {
        day++;
        writer.updateDocument(new Term("url", "page"), page("page", "alpha beta", ""));
        writer.updateDocument(new Term("url", "older"), page("older", "beta " + batch, ""));
        writer.commit();
        writer.status();
      }
      right = writer.explain("page").orElseThrow().refreshes();
      day++;
      String words = text.equals("same") ? "alpha beta" : "alpha alpha alpha gamma beta";
      writer.addDocument(page("page", words, "draft"));
      if (merged) {
        writer.addDocument(page("beside", "gamma", ""));
      }
      writer.flush();
      writer.updateDocument(new Term("url", "another"), page("another", "alpha gamma", ""));
      writer.flush();
      if (merged) {
        writer.forceMerge(2);
      }
      writer.deleteDocuments(new TermQuery(new Term("mark", "draft")));
      dies = true;
      writer.commit();
      assertThat(dies).as("yet to die").isFalse();
      assertThat(writer.explain("page").orElseThrow().refreshes()).isEqualTo(right);
    }
    try (Directory directory = FSDirectory.open(copy.resolve("index"));
        DeltaIndexWriter writer = open(directory, term)) {
      assertThat(writer.explain("page").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched)
          .isEqualTo(right.stream().map(MeasuredRefresh::fetched).toList());
      assertThat(writer.explain("another").orElseThrow().refreshes()).hasSize(1);
      assertThat(writer.status().pages()).isEqualTo(merged ? 4 : 3);
    }
    assertThat(troubles).isEmpty();
  }

  /** The process dies when the commit was made, and nothing was settled. */
  private void die(String point) {
    if (dies && point.equals(FaultPoints.SETTLE)) {
      dies = false;
      try {
        FolderCopy.make(folder.resolve("index"), folder.resolve("copy").resolve("index"));
        FolderCopy.make(folder.resolve("index.delta"), folder.resolve("copy/index.delta"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private DeltaIndexWriter open(Directory directory, String term) throws IOException {
    Workload workload = Workload.builder().add(List.of(term), 3).add(List.of("gamma"), 2).build();
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField("url")
            .scoredField("body")
            .clock(() -> START.plus(Duration.ofDays(day)))
            .listener(new Troubles(troubles))
            .faults(this::die)
            .build();
    return new DeltaIndexWriter(
        directory,
        new IndexWriterConfig(new WhitespaceAnalyzer()).setMergePolicy(LastTwo.POLICY),
        config);
  }

  private static Document page(String url, String words, String mark) {
    Document page = new Document();
    page.add(new StringField("url", url, Field.Store.NO));
    page.add(new TextField("body", words, Field.Store.NO));
    page.add(new StringField("mark", mark, Field.Store.NO));
    return page;
  }

  /** Merges nothing but, when asked to, the two segments that were flushed last. */
  private static final class LastTwo extends FilterMergePolicy {
    static final LastTwo POLICY = new LastTwo();

    private LastTwo() {
      super(NoMergePolicy.INSTANCE);
    }

    @Override
    public MergeSpecification findForcedMerges(
        SegmentInfos infos,
        int most,
        Map<SegmentCommitInfo, Boolean> segments,
        MergeContext context) {
      if (infos.size() < 2 || segments.size() < infos.size()) {
        return null;
      }
      MergeSpecification merges = new MergeSpecification();
      List<SegmentCommitInfo> all = infos.asList();
      if (all.get(all.size() - 1).info.getDiagnostics().get("source").equals("merge")) {
        return null;
      }
      merges.add(new OneMerge(all.subList(all.size() - 2, all.size())));
      return merges;
    }
  }
}
