// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;

/**
 * How a commit of the index and the measurements beside it belong together, for who only reads.
 *
 * @param attempts how often to look before that is believed: more than once where a writer may be
 *     about to settle the commit
 * @param trouble what is wrong with them, if anything is
 */
record Belonging(int attempts, Optional<String> trouble) {
  /** While the commit is new. */
  static final int MOST_ATTEMPTS = 10;

  /** An older one may have been prepared long before it was made; else nobody is about to. */
  private static final int IF_OLDER = 2;

  /** A writer settles its commit as soon as it is there, if it can. */
  private static final Duration NEW = Duration.ofSeconds(10);

  private static final Belonging TOGETHER = new Belonging(1, Optional.empty());

  /**
   * Goes by what the reader has open: beside a writer that commits all the time its commit may be
   * deleted by now.
   *
   * @param reader of the latest commit when it was opened
   */
  static Belonging of(DirectoryReader reader, Manifest manifest, Path folder) throws IOException {
    IndexCommit commit = reader.getIndexCommit();
    Map<String, String> data = commit.getUserData();
    boolean named = data.get(BatchNames.GENERATION) != null;
    if (named && !manifest.stateId.equals(data.get(BatchNames.STATE))) {
      return wrong(
          1,
          "%s holds measurements of another index, or former ones of this index, which was last measured into another folder; if so, open that one, by DeltaState.open(index, state) or through a link of this name"
              .formatted(folder));
    }
    long generation = BatchNames.generationOf(data, manifest);
    if (generation == manifest.generation) {
      return manifest.isForeign(CommittedIndex.idOf(reader))
          ? unmeasured(generation, attempts(commit))
          : TOGETHER;
    }
    boolean ahead = generation > manifest.generation;
    String sentence =
        "the index is %s than the measurements in %s: it holds batch %d, they go on to batch %d; %s"
            .formatted(
                ahead ? "newer" : "older",
                folder,
                generation,
                manifest.generation,
                ahead
                    ? "the next writer, or this one's next commit, brings them together"
                    : "the next writer forgets what was measured since");
    return wrong(ahead ? attempts(commit) : 1, sentence);
  }

  private static int attempts(IndexCommit commit) throws IOException {
    Directory index = FilterDirectory.unwrap(commit.getDirectory());
    if (index instanceof FSDirectory folder) {
      Path file = folder.getDirectory().resolve(commit.getSegmentsFileName());
      try {
        Instant written = Files.getLastModifiedTime(file).toInstant();
        return Instant.now().isAfter(written.plus(NEW)) ? IF_OLDER : MOST_ATTEMPTS;
      } catch (NoSuchFileException e) {
        return MOST_ATTEMPTS; // a writer is at work, which has made a later one
      }
    }
    return MOST_ATTEMPTS;
  }

  private static Belonging unmeasured(long generation, int attempts) {
    return wrong(
        attempts,
        "the index was committed without being measured since batch %d, by another writer, if only to merge, or by one that was killed just then or has not measured it yet, or is from before such a commit; the next writer, or this one's next commit, brings them together"
            .formatted(generation));
  }

  private static Belonging wrong(int attempts, String sentence) {
    return new Belonging(attempts, Optional.of(sentence));
  }
}
