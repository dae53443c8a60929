// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.uniformsplit.sharedterms.STUniformSplitPostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No posting is lost whichever norms a postings format asks for, see {@link PassedPostings}. */
class OtherFormatsTest {
  private static final List<String> TERMS = List.of("A", "a", "b", "c", "d", "e", "f", "g", "h");
  private static final int PAGES = 20;

  private final List<Throwable> troubles = new ArrayList<>();
  @TempDir Path folder;

  @Test
  void oneThatAsksOfNone() throws IOException {
    compare((term, document) -> false);
    assertThat(troubles).isEmpty();
  }

  @Test
  void oneThatAsksOfAll() throws IOException {
    compare((term, document) -> true);
    assertThat(troubles).isEmpty();
  }

  @Test
  void oneThatAsksOfSome() throws IOException {
    compare((term, document) -> document % 3 == 1);
    assertThat(troubles).isEmpty();
  }

  @Test
  void oneThatAsksOfNoneInSomeTerms() throws IOException {
    compare((term, document) -> term % 2 == 0);
    assertThat(troubles).isEmpty();
  }

  /** Postings that were used may have been incomplete too, so the batch is read from the index. */
  @Test
  void oneThatAsksOfSomeInLaterTerms() throws IOException {
    compare((term, document) -> term < 5 || document < 7);
    assertThat(troubles)
        .isNotEmpty()
        .allSatisfy(t -> assertThat(t).hasStackTraceContaining("of 20, 7 were seen"));
  }

  /** What makes noting cheap: should it end, all is read again, which is right and dearer. */
  @Test
  void lucenesOwnAsksOfEveryDocumentOfEveryTermOnce() throws IOException {
    List<Integer> asked = new ArrayList<>();
    compare((term, document) -> asked.add(term * PAGES + document));
    assertThat(asked)
        .containsExactlyElementsOf(IntStream.range(0, TERMS.size() * PAGES).boxed().toList());
  }

  /** What the first term looks like, which is compared, says nothing of the others' frequencies. */
  @Test
  void oneThatAsksOfAllWhenItHasGoneThroughThem() throws IOException {
    compare(new GatheringCodec(TestUtil.getDefaultCodec()));
    assertThat(troubles).isEmpty();
  }

  /** It goes through all fields at once, term by term; its pages are read from the index. */
  @Test
  void oneThatWritesFieldsSideBySideIsToldWithWhatToDo() throws IOException {
    compare(TestUtil.alwaysPostingsFormat(new STUniformSplitPostingsFormat()));
    assertThat(troubles)
        .singleElement()
        .satisfies(
            trouble ->
                assertThat(trouble)
                    .hasMessageContaining("left a field before its last term")
                    .hasMessageContaining(
                        "give the key, fetch time and scored fields another format"));
  }

  private void compare(NormsCodec.Asked asked) throws IOException {
    compare(new NormsCodec(TestUtil.getDefaultCodec(), asked));
  }

  private void compare(Codec codec) throws IOException {
    DeltaConfig config = config();
    IndexWriterConfig writerConfig =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setCodec(codec);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, writerConfig, config)) {
      for (int page = 0; page < PAGES; page++) {
        writer.updateDocument(new Term("url", "p" + page), page(page));
      }
      writer.commit();
      var commits = DirectoryReader.listCommits(directory);
      SlowAnswer slow = SlowAnswer.of(commits.get(commits.size() - 1), config, null);
      assertThat(slow.pages).hasSize(PAGES);
      PageEntry entry = new PageEntry();
      for (Map.Entry<String, SlowAnswer.Page> page : slow.pages.entrySet()) {
        assertThat(writer.measurer().page(new BytesRef(page.getKey()), entry)).isTrue();
        assertThat(SlowAnswer.decode(entry.vector)).isEqualTo(page.getValue().postings());
      }
    }
  }

  private DeltaConfig config() {
    var workload = Workload.builder();
    TERMS.forEach(term -> workload.add(List.of(term), 1));
    return DeltaConfig.builder(workload.build())
        .keyField("url")
        .scoredField("body")
        .statePath(folder)
        .listener(
            new DeltaListener() {
              @Override
              public void trouble(Trouble kind, String sentence, Throwable cause) {
                troubles.add(cause);
              }
            })
        .build();
  }

  private static Document page(int number) {
    Document document = new Document();
    document.add(new StringField("url", "p" + number, Field.Store.YES));
    StringBuilder body = new StringBuilder();
    for (int term = 0; term < TERMS.size(); term++) {
      int times = term == 0 ? 1 : 1 + (number + term) % 7; // the first alike in all
      body.append((TERMS.get(term) + " ").repeat(times));
    }
    document.add(new TextField("body", body.toString(), Field.Store.NO));
    return document;
  }
}
