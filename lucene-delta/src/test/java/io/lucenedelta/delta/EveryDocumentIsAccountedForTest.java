// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Documents that come where no flush shows them as a page's do not hide others that leave: after
 * each commit the store holds the pages that a reader sees, whatever the numbers add up to.
 */
class EveryDocumentIsAccountedForTest {
  @TempDir Path folder;

  private final Directory index = new ByteBuffersDirectory();
  private final IndexWriterConfig settings =
      new IndexWriterConfig(new WhitespaceAnalyzer())
          .setMergePolicy(NoMergePolicy.INSTANCE)
          .setMaxFullFlushMergeWaitMillis(0);
  private DeltaIndexWriter writer;
  private Elsewhere meanwhile; // taken once, by another thread
  private String meanwhileAt = FaultPoints.STORE;
  private String failing; // the fault point that fails next
  private Elsewhere beforeMerges; // taken once, when a call ends with merges

  private void reached(String point) {
    if (point.equals(failing)) {
      failing = null;
      throw new IllegalStateException("fault");
    }
    if (point.equals(meanwhileAt) && meanwhile != null) {
      Elsewhere step = meanwhile;
      meanwhile = null;
      Elsewhere.take(step);
    }
  }

  private void open(Directory directory) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .faults(this::reached)
            .build();
    writer = new DeltaIndexWriter(directory, settings, config);
  }

  /** A writer of an index that holds some pages, each in a segment of its own. */
  private void openWith(String... pages) throws IOException {
    open(index);
    for (String page : pages) {
      writer.updateDocument(key(page), document(page, 1));
      writer.commit();
    }
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    index.close();
  }

  private static Term key(String page) {
    return new Term("url", page);
  }

  private static Document document(String page, int alphas) {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new StringField("name", page, Field.Store.NO));
    document.add(new TextField("body", "alpha ".repeat(alphas), Field.Store.NO));
    return document;
  }

  private void deleteOtherwise(String page) throws IOException {
    writer.deleteDocuments(new TermQuery(new Term("name", page)));
  }

  /** The pages that the store holds. */
  private List<String> stored() throws IOException {
    TreeSet<String> pages = new TreeSet<>();
    writer.nextPages(100).forEach(page -> pages.add(page.page()));
    assertThat(writer.status().pages()).isEqualTo(pages.size());
    return List.copyOf(pages);
  }

  private int alphas(String page) throws IOException {
    PageEntry entry = new PageEntry();
    assertThat(writer.measurer().page(new BytesRef(page), entry)).isTrue();
    entry.vector.rewind();
    return entry.vector.next() ? entry.vector.frequency() : 0;
  }

  @Test
  void aDocumentWithoutPostingsAndADeletionDoNotHideEachOther() throws IOException {
    openWith("a", "b");
    Document plain = new Document();
    plain.add(new StoredField("note", "nothing to search"));
    writer.addDocument(plain);
    deleteOtherwise("b");
    writer.commit();
    assertThat(stored()).containsExactly("a");
    assertThat(writer.status().keylessDocuments()).isEqualTo(1);
  }

  @Test
  void aCommitOfNothingButDocumentsWithoutPostingsCountsThem() throws IOException {
    openWith("a", "b");
    Document plain = new Document();
    plain.add(new StoredField("note", "nothing to search"));
    writer.addDocument(plain);
    writer.commit();
    assertThat(writer.status().keylessDocuments()).isEqualTo(1);
    deleteOtherwise("b");
    writer.commit();
    assertThat(stored()).containsExactly("a");
  }

  @Test
  void aDocumentOfTwoKeysReplacesOnlyThePageOfTheTerm() throws IOException {
    openWith("a", "b");
    Document both = document("b", 2);
    both.add(new StringField("url", "a", Field.Store.NO));
    writer.updateDocument(key("b"), both);
    writer.commit();
    assertThat(stored()).containsExactly("a");
    assertThat(writer.status().extraCopies()).isEqualTo(1);
  }

  @Test
  void aKeyThatIsAnalyzedNeedNotBeTheTermThatItIsReplacedBy() throws IOException {
    openWith("a", "b");
    Document spaced = new Document();
    FieldType words = new FieldType(StringField.TYPE_NOT_STORED);
    words.setTokenized(true);
    spaced.add(new Field("url", " a", words));
    writer.updateDocument(key(" a"), spaced);
    deleteOtherwise("b");
    writer.commit();
    assertThat(stored()).containsExactly("a");
    assertThat(writer.status().extraCopies()).isEqualTo(1);
  }

  /** Calls back when one of its files is read. */
  private static final class Watched extends FilterDirectory {
    Elsewhere next;

    Watched(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (next != null) {
        Elsewhere step = next;
        next = null;
        Elsewhere.take(step);
      }
      return super.openInput(name, context);
    }
  }

  private final class Merges extends MergeScheduler {
    private final MergeScheduler serial = new SerialMergeScheduler();

    @Override
    public void merge(MergeSource source, MergeTrigger trigger) throws IOException {
      if (beforeMerges != null && trigger == MergeTrigger.EXPLICIT) {
        Elsewhere step = beforeMerges;
        beforeMerges = null;
        Elsewhere.take(step);
      }
      serial.merge(source, trigger);
    }

    @Override
    public void close() throws IOException {
      serial.close();
    }
  }

  @Test
  void anIndexThatIsAddedWhileOthersCommitDoesNotHideADeletion() throws IOException {
    LogDocMergePolicy pairs = new LogDocMergePolicy();
    pairs.setMergeFactor(100);
    settings.setMergePolicy(pairs).setMergeScheduler(new Merges());
    openWith("a", "b");
    List<List<String>> seen = new ArrayList<>();
    try (Watched other = new Watched(new ByteBuffersDirectory())) {
      try (IndexWriter plain =
          new IndexWriter(other, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        plain.addDocument(document("c", 1));
      }
      other.next =
          () -> {
            for (int i = 2; i < 5; i++) {
              writer.updateDocument(key("a"), document("a", i));
              writer.commit();
            }
            pairs.setMergeFactor(2);
          };
      beforeMerges =
          () -> {
            deleteOtherwise("b");
            writer.commit();
            seen.add(stored());
          };
      writer.addIndexes(other);
    }
    assertThat(seen).containsExactly(List.of("a", "c"));
  }

  @Test
  void aRebuildBeforeTheFirstCommitOfAWriterOnAnEarlierCommitKeepsToThat() throws IOException {
    settings.setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    openWith("a", "c");
    writer.updateDocument(key("b"), document("b", 1));
    writer.deleteDocuments(key("c"));
    writer.commit();
    writer.close();
    List<IndexCommit> commits = DirectoryReader.listCommits(index);
    IndexWriterConfig earlier =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE)
            .setIndexCommit(commits.get(commits.size() - 2));
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .build();
    writer = new DeltaIndexWriter(index, earlier, config);
    assertThat(stored()).containsExactly("a", "c");
    writer.rebuild();
    assertThat(stored()).containsExactly("a", "c");
    writer.updateDocument(key("d"), document("d", 1));
    writer.commit();
    assertThat(stored()).containsExactly("a", "c", "d");
  }

  /** Fails to make one commit durable. */
  private static final class Unsafe extends FilterDirectory {
    boolean fails;

    Unsafe(Directory in) {
      super(in);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      if (fails) {
        fails = false;
        throw new IOException("disk full");
      }
      super.sync(names);
    }
  }

  @Test
  void aFlushThatWasNotCapturedIsReadFromTheIndexEvenIfItsCommitFailsFirst() throws IOException {
    Unsafe unsafe = new Unsafe(index);
    open(unsafe);
    writer.updateDocument(key("a"), document("a", 1));
    writer.commit();
    failing = FaultPoints.END_SEGMENT;
    writer.updateDocument(key("a"), document("a", 2));
    unsafe.fails = true;
    assertThatThrownBy(writer::commit).hasMessage("disk full");
    writer.updateDocument(key("b"), document("b", 1));
    writer.commit();
    assertThat(stored()).containsExactly("a", "b");
    assertThat(alphas("a")).isEqualTo(2);
    assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
  }

  @Test
  void deletionsAndVisitsWhoseCommitFailsAreSettledWithTheNext() throws IOException {
    Unsafe unsafe = new Unsafe(index);
    open(unsafe);
    for (String page : List.of("a", "b")) {
      writer.updateDocument(key(page), document(page, 1));
    }
    writer.commit();
    Instant fetched = writer.explain("a").orElseThrow().refreshes().get(0).fetched();
    writer.recordUnchanged("a", fetched.plusMillis(1));
    unsafe.fails = true;
    assertThatThrownBy(writer::commit).hasMessage("disk full");
    writer.commit();
    assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(2);
    writer.deleteDocuments(key("b"));
    unsafe.fails = true;
    assertThatThrownBy(writer::commit).hasMessage("disk full");
    assertThat(stored()).containsExactly("a", "b");
    writer.commit();
    assertThat(stored()).containsExactly("a");
    assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {FaultPoints.MEASURE, FaultPoints.BEFORE_RUN, FaultPoints.STORE})
  void aFlushOfTheNextCommitThatWasNotCapturedIsReadFromTheIndex(String point) throws IOException {
    openWith("a", "b");
    deleteOtherwise("b");
    writer.commit();
    meanwhileAt = point;
    meanwhile = () -> flushedMeanwhile(FaultPoints.END_SEGMENT);
    writer.updateDocument(key("c"), document("c", 1));
    writer.commit();
    assertThat(meanwhile).as("the other thread ran").isNull();
    assertThat(writer.status().batchesIncomplete()).isZero();
    writer.updateDocument(key("d"), document("d", 1));
    writer.commit();
    assertThat(stored()).containsExactly("a", "c", "d");
    assertThat(alphas("a")).isEqualTo(2);
    assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
  }

  private void flushedMeanwhile(String fault) throws IOException {
    failing = fault;
    writer.updateDocument(key("a"), document("a", 2));
    writer.flushNextBuffer();
  }

  @Test
  void aPageThatIsFlushedForTheNextCommitIsRecordedOnce() throws IOException {
    openWith("a", "b", "c");
    deleteOtherwise("b");
    writer.commit();
    meanwhile =
        () -> {
          writer.updateDocument(key("a"), document("a", 1)); // as it was
          writer.flushNextBuffer();
        };
    deleteOtherwise("c");
    writer.commit();
    assertThat(meanwhile).as("the other thread ran").isNull();
    assertThat(stored()).containsExactly("a");
    assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(1);
    writer.commit();
    assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(2);
  }

  @Test
  void aCopyThatWentWithItsWholeSegmentIsNoRefreshOfALaterBatch() throws IOException {
    openWith("a", "b", "c");
    writer.updateDocument(key("a"), document("a", 2));
    DirectoryReader.open(writer).close(); // in a segment of its own, which the next update empties
    writer.updateDocument(key("a"), document("a", 2));
    writer.commit();
    deleteOtherwise("b"); // only the index can tell
    writer.updateDocument(key("c"), document("c", 2));
    writer.commit();
    assertThat(stored()).containsExactly("a", "c");
    assertThat(writer.explain("a").orElseThrow().refreshes())
        .extracting(MeasuredRefresh::generation)
        .containsExactly(4L, 1L);
    assertThat(writer.explain("c").orElseThrow().refreshes()).hasSize(2);
  }

  @Test
  void aFurtherCopyThatWentWithItsWholeSegmentIsNoRefresh() throws IOException {
    openWith("a", "b", "c");
    Document further = document("a", 1);
    further.add(new StringField("name", "further", Field.Store.NO));
    writer.addDocument(further);
    DirectoryReader.open(writer).close();
    deleteOtherwise("further");
    deleteOtherwise("c"); // only the index can tell
    writer.commit();
    assertThat(stored()).containsExactly("a", "b");
    assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(1);
  }

  /** It leaves the page's older document, which makes up for none that left unnoticed. */
  @Test
  void aFurtherCopyThatDiedBesideALiveDocumentDoesNotHideADeletion() throws IOException {
    openWith("a", "b");
    Document further = document("a", 2);
    further.add(new StringField("name", "further", Field.Store.NO));
    writer.addDocument(further);
    writer.addDocument(document("c", 1));
    DirectoryReader.open(writer).close(); // both in one segment, which "c" keeps
    deleteOtherwise("further");
    deleteOtherwise("b");
    writer.commit();
    assertThat(stored()).containsExactly("a", "c");
    assertThat(alphas("a")).isEqualTo(1);
    assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(1);
  }

  /** A copy in a merged segment is one that only a look finds. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"none is merged", "the first is merged", "both are merged"})
  void aSecondCopyOfANewPageDoesNotHideThatAnotherPageLeft(String merged) throws IOException {
    settings.setMergePolicy(new LogDocMergePolicy());
    open(index);
    Document both = document("b", 1);
    both.add(new StringField("url", "a", Field.Store.NO));
    writer.addDocument(both);
    writer.commit();
    assertThat(stored()).containsExactly("a");
    writer.addDocument(document("c", 1));
    if (merged.startsWith("the first")) {
      writer.forceMerge(1);
    }
    writer.addDocument(document("c", 2));
    if (merged.startsWith("both")) {
      writer.forceMerge(1);
    }
    writer.updateDocument(key("b"), document("b", 1)); // deletes the document of "a"
    writer.commit();
    assertThat(stored()).containsExactly("b", "c");
    assertThat(alphas("c")).isEqualTo(2);
    assertThat(writer.status().extraCopies()).isEqualTo(1);
  }

  @Test
  void aPageThatComesAgainAfterItsFirstCopyWasMergedIsWhatCameLast() throws IOException {
    settings.setMergePolicy(new LogDocMergePolicy());
    openWith("a", "b");
    writer.updateDocument(key("a"), document("a", 2));
    writer.forceMerge(1);
    writer.updateDocument(key("a"), document("a", 5));
    writer.commit();
    assertThat(alphas("a")).isEqualTo(5);
    assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(2);
    assertThat(writer.status().batchesIncomplete()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofTwoCopiesThatCameTogetherTheLaterOneIsThePage(boolean flushedBetween) throws IOException {
    open(index);
    writer.addDocument(document("a", 2));
    if (flushedBetween) {
      DirectoryReader.open(writer).close();
    }
    writer.addDocument(document("a", 5));
    writer.commit();
    assertThat(alphas("a")).isEqualTo(5);
    assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(1);
    assertThat(writer.status().extraCopies()).isEqualTo(1);
    writer.rebuild();
    assertThat(alphas("a")).as("as read from the index").isEqualTo(5);
  }

  /** The order of pages is by what the store holds, what they explain by the files. */
  @Test
  void aRefreshThatOnlyTheIndexCouldSettleIsInTheStoreAsInTheHistory() throws IOException {
    openWith("a", "b");
    writer.updateDocument(key("a"), document("a", 2));
    deleteOtherwise("b"); // only the index can tell
    writer.commit();
    MeasuredRefresh last = writer.explain("a").orElseThrow().refreshes().get(0);
    PageEntry entry = new PageEntry();
    assertThat(writer.measurer().page(new BytesRef("a"), entry)).isTrue();
    assertThat(entry.lastRefresh).isEqualTo(last.fetched().toEpochMilli());
    assertThat(last.generation()).isEqualTo(3);
    assertThat(last.measured()).isTrue();
    assertThat(entry.refreshes).as("measured").isEqualTo(1);
  }

  @Test
  void mergesAloneLeaveTheStoreAsItIs() throws IOException {
    settings.setMergePolicy(new LogDocMergePolicy());
    openWith("a", "b", "c");
    long generation = writer.status().generation();
    writer.forceMerge(1);
    writer.commit();
    writer.updateDocument(key("a"), document("a", 2));
    writer.commit();
    assertThat(stored()).containsExactly("a", "b", "c");
    assertThat(writer.status().generation()).isEqualTo(generation + 1);
  }
}
