// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockObtainFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application's {@code IndexWriterConfig} is as before when a writer fails or is closed. */
class BorrowedConfigTest {
  private final IndexDeletionPolicy policy =
      new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
  private final IndexWriterConfig writerConfig =
      new IndexWriterConfig(new WhitespaceAnalyzer()).setIndexDeletionPolicy(policy);
  private final Codec codec = writerConfig.getCodec();
  private FaultPoints faults = point -> {};

  @TempDir Path folder;

  private DeltaIndexWriter open(Directory directory) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .faults(point -> faults.at(point))
            .build();
    return new DeltaIndexWriter(directory, writerConfig, config);
  }

  private void assertAsBefore() {
    assertThat(writerConfig.getCodec()).isSameAs(codec);
    assertThat(writerConfig.getIndexDeletionPolicy()).isSameAs(policy);
  }

  private static Document page() {
    Document document = new Document();
    document.add(new StringField("url", "a", Field.Store.NO));
    return document;
  }

  @Test
  void oneThatALiveWriterUsesIsRefusedAndThatWriterGoesOn() throws IOException {
    try (Directory one = new ByteBuffersDirectory();
        Directory two = new ByteBuffersDirectory();
        IndexWriter live = new IndexWriter(one, writerConfig)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> open(two))
          .withMessageContaining("do not share IndexWriterConfig instances across IndexWriters")
          .withMessageContaining(live.toString());
      assertAsBefore();
      assertThat(folder.resolve("state")).doesNotExist();
      live.addDocument(page());
      live.commit();
      assertThat(two.listAll()).isEmpty();
    }
  }

  @Test
  void oneThatADeltaWriterUsesIsRefusedAndThatWriterMeasuresOn() throws IOException {
    try (Directory one = new ByteBuffersDirectory();
        Directory two = new ByteBuffersDirectory();
        DeltaIndexWriter live = open(one)) {
      assertThatIllegalStateException().isThrownBy(() -> open(two));
      live.addDocument(page());
      live.commit();
      assertThat(live.status().batchesMeasured()).isEqualTo(1);
      assertThat(live.status().pages()).isEqualTo(1);
    }
    assertAsBefore();
  }

  @Test
  void oneThatAWriterUsedIsRefusedWithoutSayingThatItIsOpen() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      open(directory).close();
      assertThatIllegalStateException()
          .isThrownBy(() -> open(directory))
          .withMessageContaining("this one is, or was, used by " + DeltaIndexWriter.class.getName())
          .withMessageEndingWith("give each writer one of its own");
    }
    assertAsBefore();
  }

  @Test
  void anIndexThatIsLockedLeavesItAsItWasAndItCanBeUsedOnceTheLockIsFree() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter holder = new IndexWriter(directory, new IndexWriterConfig())) {
        assertThat(holder.isOpen()).isTrue();
        assertThatExceptionOfType(LockObtainFailedException.class)
            .isThrownBy(() -> open(directory));
        assertAsBefore();
      }
      try (DeltaIndexWriter writer = open(directory)) {
        writer.addDocument(page());
        writer.commit();
        assertThat(writer.status().pages()).isEqualTo(1);
        assertThat(writer.getConfig().getIndexDeletionPolicy()).isSameAs(policy);
      }
      assertAsBefore();
    }
  }

  @Test
  void measurementsThatCannotBeOpenedLeaveItAsItWas() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter plain = new IndexWriter(directory, new IndexWriterConfig())) {
        plain.addDocument(page());
      }
      faults =
          point -> {
            throw new IllegalStateException("no " + point);
          };
      assertThatIllegalStateException()
          .isThrownBy(() -> open(directory))
          .withMessageStartingWith("no ");
      assertAsBefore();
    }
  }

  @Test
  void aDeletionPolicyThatFailsAtTheStartLeavesItAsItWas() throws IOException {
    IndexDeletionPolicy failing =
        new IndexDeletionPolicy() {
          @Override
          public void onInit(List<? extends IndexCommit> commits) throws IOException {
            throw new IOException("refused");
          }

          @Override
          public void onCommit(List<? extends IndexCommit> commits) {}
        };
    writerConfig.setIndexDeletionPolicy(failing);
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter plain = new IndexWriter(directory, new IndexWriterConfig())) {
        plain.addDocument(page());
      }
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> open(directory))
          .withMessage("refused");
      assertThat(writerConfig.getIndexDeletionPolicy()).isSameAs(failing);
      assertThat(writerConfig.getCodec()).isSameAs(codec);
      assertThat(DirectoryReader.listCommits(directory)).hasSize(1);
    }
  }

  @Test
  void anotherIndexWrittenWithTheLentCodecIsNotMeasuredForThisOne() throws IOException {
    try (Directory one = new ByteBuffersDirectory();
        Directory two = new ByteBuffersDirectory();
        DeltaIndexWriter live = open(one)) {
      live.addDocument(page());
      live.commit();
      IndexWriterConfig lent = new IndexWriterConfig().setCodec(live.getConfig().getCodec());
      try (IndexWriter other = new IndexWriter(two, lent)) {
        other.addDocument(page()); // in a segment of the same name
      }
      live.addDocument(new Document());
      live.commit();
      assertThat(live.explain("a").orElseThrow().refreshes()).hasSize(1);
      assertThat(live.status().batchesIncomplete()).isZero();
    }
  }
}
