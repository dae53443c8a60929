// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;

/**
 * The order of pages from the columns that a writer saved when it closed, for programs that only
 * read.
 *
 * <p>Nothing keeps a writer from opening meanwhile and going on with the same file. But it writes a
 * manifest before it writes to the columns; so if the manifest is the same after all was read,
 * nobody wrote to them, and otherwise the answer is thrown away.
 */
final class SavedOrder {
  private SavedOrder() {}

  /**
   * The best pages; empty if no columns stand for the commit of {@code reader}.
   *
   * @throws UncheckedIOException if the thread was interrupted
   */
  static Optional<LiveOrder.Ordered> next(
      Path folder,
      Directory files,
      DirectoryReader reader,
      Manifest manifest,
      OrderSources sources,
      int count,
      Instant now) {
    Priorities.requireCount(count);
    try {
      if (manifest.columnsNumber == 0
          || !manifest.cleanCommit.equals(CommittedIndex.idOf(reader))) {
        return Optional.empty();
      }
      MappedBlocks memory =
          MappedBlocks.openToRead(OrderFile.columns(folder, manifest.columnsNumber));
      try (PageColumns columns =
          OrderFile.read(files, manifest.columnsNumber, memory, manifest.hashSeed)) {
        LiveOrder order = new LiveOrder(manifest.hashSeed);
        ColumnHistories histories = new ColumnHistories(columns, manifest.pages);
        LiveOrder.Ordered best = order.next(0, histories, sources, count, now);
        return Manifest.latest(files) == manifest.number ? Optional.of(best) : Optional.empty();
      }
    } catch (IOException | RuntimeException e) {
      if (StateFolder.wasInterrupted(e)) { // or who is interrupted waits for a pass over all pages
        throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
      }
      return Optional.empty(); // a writer is at work, or the next one will say what is wrong
    }
  }
}
