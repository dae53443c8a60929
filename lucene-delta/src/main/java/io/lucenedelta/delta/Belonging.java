// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.IndexCommit;

/**
 * How a commit of the index and the measurements beside it belong together, for who only reads.
 *
 * @param maySettle the commit is one that a writer may be about to settle
 * @param trouble what is wrong with them, if anything is
 */
record Belonging(boolean maySettle, Optional<String> trouble) {
  private static final Belonging TOGETHER = new Belonging(false, Optional.empty());

  static Belonging of(IndexCommit commit, Manifest manifest, Path folder) throws IOException {
    Map<String, String> data = commit.getUserData();
    boolean named = data.get(BatchNames.GENERATION) != null;
    if (named && !manifest.stateId.equals(data.get(BatchNames.STATE))) {
      return wrong(false, folder + " holds measurements of another index");
    }
    long generation = BatchNames.generationOf(data, manifest);
    if (generation == manifest.generation) {
      return manifest.isForeign(generation, commit) ? unmeasured(generation) : TOGETHER;
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
    return wrong(ahead, sentence);
  }

  private static Belonging unmeasured(long generation) {
    return wrong(
        true,
        "the index was committed without being measured since batch %d, by another writer or by one that was killed just then or has not measured it yet, or is from before such a commit; the next writer, or this one's next commit, brings them together"
            .formatted(generation));
  }

  private static Belonging wrong(boolean maySettle, String sentence) {
    return new Belonging(maySettle, Optional.of(sentence));
  }
}
