// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StandardDirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.StringHelper;

/**
 * The commits of the measured index.
 *
 * @param softDeletesField the field that deletes softly, null when none does
 */
record CommittedIndex(Directory directory, String softDeletesField) {
  /** The latest commit, null when there is none. */
  IndexCommit latest() throws IOException {
    try {
      List<IndexCommit> commits = DirectoryReader.listCommits(directory);
      return commits.get(commits.size() - 1);
    } catch (IndexNotFoundException e) {
      return null;
    }
  }

  /** A reader of the latest commit, to be closed by the caller; null when there is none. */
  DirectoryReader openLatest() throws IOException {
    IndexCommit commit = latest();
    return commit == null ? null : open(commit);
  }

  /** A reader of a commit that sees no deleted document, to be closed by the caller. */
  DirectoryReader open(IndexCommit commit) throws IOException {
    return LiveDocuments.open(commit, softDeletesField);
  }

  /** How many documents of a commit are not deleted. */
  long liveDocumentsOf(IndexCommit commit) throws IOException {
    return new LiveDocuments(commit, softDeletesField).count();
  }

  /** The names of a commit's segments. */
  static Set<String> segmentsOf(IndexCommit commit) throws IOException {
    return new LiveDocuments(commit, null).segments();
  }

  /** What tells a commit from every other. */
  static String idOf(IndexCommit commit) throws IOException {
    return idOf(SegmentInfos.readCommit(commit.getDirectory(), commit.getSegmentsFileName()));
  }

  /** The same of the commit that a reader of this class sees, be it deleted since. */
  static String idOf(DirectoryReader reader) {
    return idOf(((StandardDirectoryReader) FilterDirectoryReader.unwrap(reader)).getSegmentInfos());
  }

  /**
   * Whether a text is what tells a commit: folders that former versions made with Lucene 10.4 or
   * older may have its id in base 36, which takes 25 digits.
   */
  static boolean isId(String text) {
    return text.length() == 2 * StringHelper.ID_LENGTH;
  }

  /** The same in every release: Lucene's own text of an id changed with 10.5. */
  static String idOf(SegmentInfos commit) {
    return HexFormat.of().formatHex(commit.getId());
  }
}
