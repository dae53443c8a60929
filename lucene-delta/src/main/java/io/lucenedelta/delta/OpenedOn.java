// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.store.Directory;

/** What an index writer was opened on: nothing, the latest commit, or one before it. */
record OpenedOn(IndexWriter writer, Directory directory, IndexWriterConfig config) {
  /** Whether the writer starts from the index's latest commit, or the index is new. */
  boolean latest() throws IOException {
    return config.getIndexCommit() == null
        && (config.getOpenMode() != OpenMode.CREATE || !DirectoryReader.indexExists(directory));
  }

  /** The latest commit if the writer was opened on it, else null. */
  IndexCommit commit() throws IOException {
    if (!latest()) {
      return null;
    }
    try {
      List<IndexCommit> commits = DirectoryReader.listCommits(directory);
      return commits.get(commits.size() - 1);
    } catch (IndexNotFoundException e) {
      return null;
    }
  }

  /** The segments the writer starts from; null when they are not known. */
  Set<String> segments() throws IOException {
    if (config.getIndexCommit() != null) {
      return null;
    }
    IndexCommit commit = commit();
    return commit == null ? Set.of() : CommittedIndex.segmentsOf(commit);
  }

  /**
   * A reader of what the writer was opened on, to be closed by the caller; null when that is
   * nothing. Of an earlier commit the writer may have deleted the files that name it, so it must be
   * asked itself.
   */
  DirectoryReader reader() throws IOException {
    String soft = config.getSoftDeletesField();
    if (config.getIndexCommit() != null) {
      DirectoryReader reader = DirectoryReader.open(writer);
      return soft == null ? reader : new SoftDeletesDirectoryReaderWrapper(reader, soft);
    }
    IndexCommit commit = commit();
    return commit == null ? null : LiveDocuments.open(commit, soft);
  }
}
