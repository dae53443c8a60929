// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.time.Instant;

/** One snapshot of a crawl, in whatever shape it lies on disk. */
sealed interface Snapshot permits WarcSnapshot, WarcFolderSnapshot, FolderSnapshot {
  /** The file's or folder's name. */
  String name();

  /** When the snapshot was taken. */
  Instant time();

  /** Reads all records, in an order that depends on the bytes on disk alone. */
  SnapshotTally read(SnapshotFilter filter) throws IOException;
}
