// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.IOUtils;

/**
 * Which documents of a commit are live, without opening a reader where that can be avoided: only
 * soft deletes need one.
 */
final class LiveDocuments {
  private final IndexCommit commit;
  private final String softDeletesField;
  private final Map<String, SegmentCommitInfo> segments = new HashMap<>();
  private final Map<String, Integer> order = new HashMap<>();
  private Map<String, Bits> softLive; // null until asked for
  private final long live;
  private final String id;

  LiveDocuments(IndexCommit commit, String softDeletesField) throws IOException {
    this.commit = commit;
    this.softDeletesField = softDeletesField;
    SegmentInfos infos =
        SegmentInfos.readCommit(commit.getDirectory(), commit.getSegmentsFileName());
    long sum = 0;
    for (SegmentCommitInfo info : infos) {
      order.put(info.info.name, segments.size());
      segments.put(info.info.name, info);
      sum += info.info.maxDoc() - info.getDelCount();
      if (softDeletesField != null) {
        sum -= info.getSoftDelCount();
      }
    }
    live = sum;
    id = CommittedIndex.idOf(infos);
  }

  /** What tells the commit from every other. */
  String id() {
    return id;
  }

  private void readSoftDeletes() throws IOException {
    softLive = new HashMap<>();
    try (DirectoryReader reader = open(commit, softDeletesField)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        softLive.put(IndexPages.segmentName(leaf.reader()), leaf.reader().getLiveDocs());
      }
    }
  }

  /** A reader of a commit that does not see soft-deleted documents. */
  static DirectoryReader open(IndexCommit commit, String softDeletesField) throws IOException {
    return withoutSoftDeleted(DirectoryReader.open(commit), softDeletesField);
  }

  /** Takes a reader over; closes it if that is not possible. */
  static DirectoryReader withoutSoftDeleted(DirectoryReader reader, String softDeletesField)
      throws IOException {
    try {
      return softDeletesField == null
          ? reader
          : new SoftDeletesDirectoryReaderWrapper(reader, softDeletesField);
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(reader);
      throw t;
    }
  }

  /** Number of live documents. */
  long count() {
    return live;
  }

  Set<String> segments() {
    return segments.keySet();
  }

  /** The place of a segment in the index's order. */
  int order(String segment) {
    return order.get(segment);
  }

  /** The live documents of a segment of the commit; null when all are. */
  Bits of(String segment) throws IOException {
    SegmentCommitInfo info = segments.get(segment);
    if (softDeletesField != null && info.getSoftDelCount() > 0) {
      if (softLive == null) {
        readSoftDeletes();
      }
      Bits bits = softLive.get(segment);
      return bits == null && !softLive.containsKey(segment)
          ? new Bits.MatchNoBits(info.info.maxDoc())
          : bits;
    }
    return info.hasDeletions()
        ? info.info
            .getCodec()
            .liveDocsFormat()
            .readLiveDocs(commit.getDirectory(), info, IOContext.READONCE)
        : null;
  }
}
