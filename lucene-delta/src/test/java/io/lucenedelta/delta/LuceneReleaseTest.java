// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.math.BigInteger;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;

class LuceneReleaseTest {
  @Test
  void aReleaseThatIsTooOldIsNamed() {
    assertThatIllegalStateException()
        .isThrownBy(() -> LuceneRelease.require(Version.fromBits(10, 2, 2)))
        .withMessage(
            "measuring needs Lucene 10.3.0 or newer, this is 10.2.2; "
                + "ask the build for a newer lucene-core");
    assertThatIllegalStateException()
        .isThrownBy(() -> LuceneRelease.require(Version.fromBits(9, 12, 3)));
  }

  @Test
  void laterReleasesAreTaken() {
    LuceneRelease.require(Version.fromBits(10, 3, 0));
    LuceneRelease.require(Version.fromBits(11, 0, 0));
    LuceneRelease.require(Version.LATEST);
  }

  @Test
  void theReleaseOnTheClassPathIsTheOneThatTheBuildMeans() {
    String expected = System.getProperty("lucene.expected");
    assumeThat(expected).as("named by builds that replace it").isNotNull();
    assertThat(Version.LATEST).hasToString(expected);
  }

  /** Lucene wrote it in base 36 until 10.4, and an upgrade would look like another's commit. */
  @Test
  void aCommitIsNamedAlikeInEveryRelease() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      new IndexWriter(directory, new IndexWriterConfig()).close();
      byte[] id = SegmentInfos.readLatestCommit(directory).getId();
      String name = "%032x".formatted(new BigInteger(1, id));
      IndexCommit commit = new CommittedIndex(directory, null).latest();
      assertThat(CommittedIndex.idOf(commit)).isEqualTo(name);
      assertThat(new LiveDocuments(commit, null).id()).isEqualTo(name);
    }
  }

  /** A folder of that time does not say whether the commit is another's. */
  @Test
  void aCommitThatAFormerVersionNamedInBase36IsNotTakenForAnothers() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      new IndexWriter(directory, new IndexWriterConfig()).close();
      IndexCommit commit = new CommittedIndex(directory, null).latest();
      byte[] id = SegmentInfos.readLatestCommit(directory).getId();
      Manifest manifest = new Manifest();
      manifest.cleanCommit = new BigInteger(1, id).toString(Character.MAX_RADIX);
      assertThat(manifest.isForeign(0, commit)).isFalse();
      manifest.cleanCommit = CommittedIndex.idOf(commit);
      assertThat(manifest.isForeign(0, commit)).isFalse();
      manifest.cleanCommit = "0".repeat(manifest.cleanCommit.length());
      assertThat(manifest.isForeign(0, commit)).isTrue();
    }
  }
}
