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
 * @param maySettle the commit has a batch that a writer may be about to settle
 * @param trouble what is wrong with them, if anything is
 */
record Belonging(boolean maySettle, Optional<String> trouble) {
  private static final Belonging TOGETHER = new Belonging(false, Optional.empty());

  static Belonging of(IndexCommit commit, Manifest manifest, Path folder) throws IOException {
    Map<String, String> data = commit.getUserData();
    String closed = data.get(BatchNames.GENERATION);
    if (closed == null) {
      return TOGETHER; // nothing is said
    }
    if (!manifest.stateId.equals(data.get(BatchNames.STATE))) {
      return wrong(false, folder + " holds measurements of another index");
    }
    long generation = Long.parseLong(closed);
    if (generation == manifest.generation) {
      return TOGETHER;
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

  private static Belonging wrong(boolean maySettle, String sentence) {
    return new Belonging(maySettle, Optional.of(sentence));
  }
}
