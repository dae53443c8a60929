// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;

/**
 * That the histories went back, because the index did: an earlier commit was opened, or a copy of
 * the index from before. What a {@link FetchQueue} remembers of fetches may then be of refreshes
 * that count no more. A file tells the next queue, in whatever process, until it has compared.
 *
 * <p>Not safe for use by several threads.
 */
final class HistoryRollback {
  private static final String FILE = "went_back";

  private final Directory files;
  private boolean happened;

  HistoryRollback(Directory files) {
    this.files = files;
  }

  /** The histories went back in this process; not yet on disk. */
  void note() {
    happened = true;
  }

  /** If they did: so they are on disk now, or will be at once. */
  void makeDurable() throws IOException {
    if (happened && !isOnDisk()) {
      files.createOutput(FILE, IOContext.DEFAULT).close();
      files.sync(List.of(FILE));
      files.syncMetaData();
    }
  }

  /** Whether a queue has still to compare what it remembers. */
  boolean happened() throws IOException {
    return happened || isOnDisk();
  }

  /** What the queue remembers was compared, and is on disk. */
  void forget() {
    happened = false;
    IOUtils.deleteFilesIgnoringExceptions(files, FILE);
  }

  private boolean isOnDisk() throws IOException {
    return List.of(files.listAll()).contains(FILE);
  }
}
