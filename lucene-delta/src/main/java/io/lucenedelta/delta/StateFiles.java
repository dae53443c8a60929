// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** The names of the state's files, and which of them are still needed. */
final class StateFiles {
  private static final List<String> COUNTED = List.of("batch_", "visits_", "refreshes_", "ranks_");

  private final Directory files;
  private final DeltaListener listener;

  StateFiles(Directory files, DeltaListener listener) {
    this.files = files;
    this.listener = listener;
  }

  /** The file with what was measured before the commit of a generation. */
  static String batch(long generation) {
    return "batch_" + generation;
  }

  /** The file with the visits of a generation that found nothing. */
  static String visits(long generation) {
    return "visits_" + generation;
  }

  /** Whether a file of refreshes is there and whole. */
  boolean readable(String file) throws IOException {
    if (!List.of(files.listAll()).contains(file)) {
      return false;
    }
    try (RefreshFile.Reader reader = new RefreshFile.Reader(files, file)) {
      while (reader.next()) {
        // the end checks the checksum
      }
      return true;
    } catch (IOException | RuntimeException e) {
      listener.trouble("what was measured before the commit cannot be read: " + file, e);
      return false;
    }
  }

  /** Deletes what a process that died left of its batches and columns. */
  void deleteSpills() throws IOException {
    for (String file : files.listAll()) {
      if (file.startsWith(CapturedSegment.SPILLED) || file.startsWith(PageStore.COLUMNS)) {
        IOUtils.deleteFilesIgnoringExceptions(files, file);
      }
    }
  }

  /** Deletes what the manifest does not name, and every page store but the one in use. */
  void deleteOthers(Manifest manifest, long pagesNumber) throws IOException {
    Set<String> kept = new HashSet<>(manifest.refreshFiles);
    kept.add(manifest.ranksFile);
    for (String file : files.listAll()) {
      boolean uncounted = COUNTED.stream().anyMatch(file::startsWith) && !kept.contains(file);
      boolean stale = file.startsWith("pages_") && !file.equals("pages_" + pagesNumber + ".map");
      if (uncounted || stale) {
        IOUtils.deleteFilesIgnoringExceptions(files, file);
      }
    }
  }
}
