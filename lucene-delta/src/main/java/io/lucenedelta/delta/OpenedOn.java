// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/**
 * What an index writer was opened on: nothing, the latest commit, one before it, or a reader of
 * another writer.
 */
record OpenedOn(IndexWriter writer, Directory directory, IndexWriterConfig config) {
  /** Whether the writer starts from the index's latest commit, or the index is new. */
  boolean latest() throws IOException {
    IndexCommit named = config.getIndexCommit();
    return named == null
        ? config.getOpenMode() != OpenMode.CREATE || !DirectoryReader.indexExists(directory)
        : isLatest(named);
  }

  /** Whether a commit that was named is the latest all the same, and the writer has just that. */
  private boolean isLatest(IndexCommit named) throws IOException {
    CommittedIndex index = new CommittedIndex(directory, config.getSoftDeletesField());
    IndexCommit latest = index.latest();
    return latest != null
        && latest.getSegmentsFileName().equals(named.getSegmentsFileName())
        && Set.copyOf(latest.getFileNames()).equals(Set.copyOf(named.getFileNames()))
        && index.liveDocumentsOf(latest) == writer.getDocStats().numDocs; // a reader may have fewer
  }

  /** The latest commit if the writer was opened on it, else null. */
  IndexCommit commit() throws IOException {
    return latest() ? new CommittedIndex(directory, config.getSoftDeletesField()).latest() : null;
  }

  /** Whether it was given a commit, be it the latest. */
  boolean isNamed() {
    return config.getIndexCommit() != null;
  }

  /**
   * The commit that the writer was opened on if there still is a file that names it, else null: one
   * before the latest the writer may have deleted by now.
   */
  IndexCommit readable() throws IOException {
    IndexCommit named = config.getIndexCommit();
    boolean there =
        named != null && List.of(directory.listAll()).contains(named.getSegmentsFileName());
    return there && !latest() ? named : commit();
  }

  /** Whether the index has the commit of an id, and that is later than what was opened. */
  boolean isBefore(String id) throws IOException {
    IndexCommit named = config.getIndexCommit();
    if (named == null) {
      return false;
    }
    for (IndexCommit commit : DirectoryReader.listCommits(directory)) {
      boolean later = commit.getGeneration() > named.getGeneration();
      if (later && CommittedIndex.idOf(commit).equals(id)) {
        return true;
      }
    }
    return false;
  }

  /** The segments the writer starts from; null when they are not known. */
  Set<String> segments() throws IOException {
    IndexCommit commit = commit();
    if (commit == null && isNamed()) {
      return null;
    }
    return commit == null ? Set.of() : CommittedIndex.segmentsOf(commit);
  }

  /**
   * Whether the writer goes on from a reader of a writer before it, which has what no commit has:
   * documents, or merges and deletions alone.
   */
  boolean isBeyondItsCommit() throws IOException {
    IndexCommit commit = config.getIndexCommit();
    if (commit == null) {
      return false;
    }
    try {
      SegmentInfos committed = SegmentInfos.readCommit(directory, commit.getSegmentsFileName());
      return !committed.files(true).containsAll(commit.getFileNames());
    } catch (FileNotFoundException | NoSuchFileException deleted) {
      return false; // by the writer, as one before the latest
    }
  }

  /**
   * A reader of what the writer was opened on, to be closed by the caller; null when that is
   * nothing. If that is an earlier commit, the writer may have deleted the file that names it; so
   * the writer is asked, and must not merge for that.
   */
  DirectoryReader reader() throws IOException {
    String soft = config.getSoftDeletesField();
    IndexCommit commit = commit();
    if (commit == null && isNamed()) {
      long wait = config.getMaxFullFlushMergeWaitMillis();
      config.setMaxFullFlushMergeWaitMillis(0); // or it would merge first
      try {
        return LiveDocuments.withoutSoftDeleted(DirectoryReader.open(writer), soft);
      } finally {
        config.setMaxFullFlushMergeWaitMillis(wait);
      }
    }
    return commit == null ? null : LiveDocuments.open(commit, soft);
  }
}
