// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;

/**
 * Files of measurements and a reader of the index that were opened together while a writer may be
 * at work, and belong together, or are the nearest there is.
 *
 * @param folder of the measurements
 * @param files there, to be closed
 * @param reader of the index, to be closed with its directory
 * @param manifest as it was read
 * @param workload that was measured then
 * @param unsettled files of batches that were committed then
 * @param queue the files of the queue then
 * @param audit likewise
 * @param trouble why they do not belong together; empty if they do
 */
record OpenedState(
    Path folder,
    Directory files,
    DirectoryReader reader,
    Manifest manifest,
    IOSupplier<Workload> workload,
    List<String> unsettled,
    List<String> queue,
    List<String> audit,
    Optional<String> trouble) {
  /** A writer that commits while files are opened may delete them; it does so seldom. */
  private static final int ATTEMPTS = Belonging.MOST_ATTEMPTS;

  /**
   * Opens them.
   *
   * @param index its folder
   * @param state folder of the measurements
   * @param pause is run between two looks
   */
  static OpenedState open(Path index, Path state, Runnable pause) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Optional<OpenedState> opened = attempt(index, state, attempt);
      if (opened.isPresent()) {
        return opened.get();
      }
      pause.run();
    }
  }

  /**
   * Opens files and index that belong together; empty when a writer has replaced or deleted one of
   * them meanwhile. What does not belong together is accepted as soon as no writer seems about to
   * settle it, and from the 10th attempt on; where a file was deleted, the 20th attempt is the
   * last, and fails. A file that is lost, as also the latest manifest names it, is told to who asks
   * for what it holds.
   */
  private static Optional<OpenedState> attempt(Path index, Path state, int attempt)
      throws IOException {
    Directory files = null;
    DirectoryReader reader = null;
    try {
      files = openFolder(state);
      Manifest manifest = Manifest.read(files);
      if (manifest == null) {
        throw NoMeasuredIndex.in(state, index, "folder " + state + " holds no measurements");
      }
      Directory all = files;
      IOSupplier<Workload> workload =
          new KeptWorkloads(state).openedNow(manifest.workloadId); // a writer may adopt another
      OpenedFiles opened = OpenedFiles.of(all, named(manifest));
      files = opened;
      List<String> queue = opened.openAtOnce(() -> QueueFile.names(all));
      List<String> audit = opened.openAtOnce(() -> AuditLog.names(all));
      reader = openReader(index, manifest);
      long last = BatchNames.generationOf(reader.getIndexCommit().getUserData(), manifest);
      List<String> unsettled =
          opened.openAtOnce(() -> StateFiles.measured(all, manifest.generation, last));
      Belonging belonging = Belonging.of(reader, manifest, state);
      boolean latest = Manifest.latest(files) == manifest.number;
      if (!latest && attempt >= ATTEMPTS && !opened.gone().isEmpty()) {
        requireLost(all, opened.gone());
      }
      if (attempt >= ATTEMPTS || (latest && attempt >= belonging.attempts())) {
        return Optional.of(
            new OpenedState(
                state,
                files,
                reader,
                manifest,
                workload,
                unsettled,
                queue,
                audit,
                belonging.trouble()));
      }
      IOUtils.close(reader, reader.directory(), files);
    } catch (Throwable t) {
      Directory read = reader == null ? null : reader.directory();
      IOUtils.closeWhileHandlingException(reader, read, files);
      if (attempt == 2 * ATTEMPTS || !mayBeDeleted(t)) {
        throw t;
      }
    }
    return Optional.empty();
  }

  private static List<String> named(Manifest manifest) {
    List<String> names = new ArrayList<>(manifest.refreshFiles);
    names.add(Manifest.workloadFile(manifest.workloadId));
    if (!manifest.ranksFile.isEmpty()) {
      names.add(manifest.ranksFile);
    }
    return names;
  }

  /** Refuses what lacks files that a writer has deleted since: a copy of it would lack them too. */
  private static void requireLost(Directory all, List<String> gone) throws IOException {
    Manifest latest = Manifest.read(all);
    List<String> deleted = new ArrayList<>(gone);
    deleted.removeAll(latest == null ? List.of() : named(latest));
    if (!deleted.isEmpty()) {
      throw new GoneMeanwhile(
          StateFiles.path(all, deleted.get(0)),
          "was deleted by a writer that committed while the measurements were opened; open them again");
    }
  }

  /** Whether a failure may be that of a file that a writer deleted meanwhile. */
  private static boolean mayBeDeleted(Throwable t) {
    return t instanceof NoSuchFileException
        || t instanceof GoneMeanwhile
        || t instanceof FileNotFoundException
        || t instanceof CorruptIndexException;
  }

  /**
   * Opens a folder that was there when this began. Lucene makes one that is not: if it was moved
   * away, to put another one in its place, that one would be moved into the folder made.
   */
  private static Directory openFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new GoneMeanwhile(
          folder.toString(),
          "was moved or deleted while it was opened; open the index once more when a folder is there again");
    }
    return FSDirectory.open(folder);
  }

  private static DirectoryReader openReader(Path index, Manifest manifest) throws IOException {
    Directory directory = openFolder(index);
    try {
      String soft = manifest.softDeletesField.isEmpty() ? null : manifest.softDeletesField;
      DirectoryReader reader = new CommittedIndex(directory, soft).openLatest();
      if (reader == null) {
        throw new NoMeasuredIndex(index, "folder " + index + " holds no Lucene index");
      }
      return reader;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(directory);
      throw t;
    }
  }
}
