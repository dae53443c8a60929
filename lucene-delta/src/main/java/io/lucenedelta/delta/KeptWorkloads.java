// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;

/**
 * The workloads that lie in the state's folder: the one measured now, and those that explanations
 * of earlier refreshes still speak of.
 */
final class KeptWorkloads {
  private final Path folder;

  KeptWorkloads(Path folder) {
    this.folder = folder;
  }

  /** Where a workload lies. */
  Path file(long id) {
    return folder.resolve(Manifest.workloadFile(id));
  }

  /** Whether a file of the folder is one. */
  static boolean isWorkload(String name) {
    return name.matches("workload_[0-9a-f]{16}");
  }

  /** Whether a file of the folder is one in the making: it is renamed when it is whole. */
  static boolean isPending(String name) {
    return name.matches("workload_[0-9a-f]{16}\\..+\\.tmp");
  }

  /** Writes a workload down if it is not there yet, or no longer as it was written. */
  void keep(Workload workload, long id, DeltaListener listener) throws IOException {
    if (Files.isSymbolicLink(file(id))) {
      Files.delete(file(id)); // what it leads to would be written over
    }
    if (!Files.exists(file(id))) {
      workload.write(file(id));
      return;
    }
    try {
      openSame(id);
    } catch (IOException | RuntimeException e) {
      listener.trouble(
          Trouble.RETRIED, file(id).getFileName() + " cannot be read and is written anew", e);
      workload.write(file(id));
    }
  }

  /**
   * As {@link #open}, and compared with its identity: a file may be whole and that of another
   * workload, in its words alone perhaps.
   */
  Workload openSame(long id) throws IOException {
    Workload kept = open(id);
    if (kept != null && WorkloadIdentity.of(kept) != id) {
      throw new IOException(
          "the file is of another workload, %d queries of %d terms, asked %s times"
              .formatted(kept.queryCount(), kept.termCount(), kept.totalFrequency()));
    }
    return kept;
  }

  /** A workload measured earlier, or null when it is not kept. */
  Workload open(long id) throws IOException {
    if (!Files.exists(file(id))) {
      return null;
    }
    Workload workload = Workload.open(file(id));
    workload.checkIntegrity();
    return workload;
  }

  /**
   * The workload measured, for who only reads, opened at once: a writer may delete it. Where that
   * fails it is tried again when it is asked for; the other questions need none.
   */
  IOSupplier<Workload> openedNow(long id) {
    try {
      Workload workload = Workload.open(file(id));
      return () -> workload;
    } catch (IOException | RuntimeException e) {
      return () -> openMeasured(id);
    }
  }

  private Workload openMeasured(long id) throws IOException {
    try {
      return Workload.open(file(id));
    } catch (NoSuchFileException e) {
      throw new MissingFile(
          file(id).toString(),
          "the workload that these measurements were made by: put it back, from a backup perhaps, or open the index with a DeltaIndexWriter, which writes its own",
          e);
    }
  }

  /**
   * Deletes the workloads that are neither current nor spoken of by any refresh; all are kept when
   * that cannot be told. Reads no more than shows that all are spoken of, as they are for good
   * where pages leave the index: a page keeps its last refreshes.
   */
  void forgetUnused(
      Directory files, List<String> refreshFiles, long current, DeltaListener listener) {
    try {
      forgetUnused(files, refreshFiles, current);
    } catch (IOException | RuntimeException e) {
      listener.trouble(
          Trouble.RETRIED,
          "it cannot be told which earlier workloads are still spoken of; all are kept",
          e);
    }
  }

  private void forgetUnused(Directory files, List<String> refreshFiles, long current)
      throws IOException {
    Set<Path> unused = new HashSet<>(all());
    unused.remove(file(current));
    try (RefreshFiles pages =
        new RefreshFiles(files, refreshFiles)) { // of all files a page in turn
      while (!unused.isEmpty() && pages.next()) {
        pages.refreshes().stream()
            .filter(refresh -> refresh.details() != null)
            .forEach(refresh -> unused.remove(file(refresh.details().workload)));
      }
    }
    for (Path file : unused) {
      IOUtils.deleteFilesIgnoringExceptions(file); // Windows keeps what somebody has mapped
    }
  }

  /** Whether others than the current workload are kept. */
  boolean several() throws IOException {
    return all().size() > 1;
  }

  private List<Path> all() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(file -> isWorkload(file.getFileName().toString())).toList();
    }
  }
}
