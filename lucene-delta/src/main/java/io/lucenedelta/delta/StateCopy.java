// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;

/**
 * The measurements a second time, for a backup, while a writer may be at work: all that cannot be
 * built anew, but for the self-audit, which counts anew. A writer opened on the copy finds no page
 * store and builds it from index and refreshes.
 */
final class StateCopy {
  private final Directory from;
  private final Manifest manifest;
  private final List<String> unsettled;
  private final List<String> queue;
  private final Directory to;
  private final Consumer<Exception> unreadableQueue;

  /**
   * A copy still to be made.
   *
   * @param from what was {@linkplain OpenedFiles opened} with the manifest
   * @param unsettled files of batches that are committed and not in the manifest yet: a writer
   *     opened on the copy settles the last of them, as after a kill
   * @param queue files of the queue then, which knows of no later fetches
   * @param to a folder with nothing in it
   * @param unreadableQueue is told why the queue's files, which are copied, cannot be read
   */
  StateCopy(
      Directory from,
      Manifest manifest,
      List<String> unsettled,
      List<String> queue,
      Directory to,
      Consumer<Exception> unreadableQueue) {
    this.from = from;
    this.manifest = manifest;
    this.unsettled = unsettled;
    this.queue = queue;
    this.to = to;
    this.unreadableQueue = unreadableQueue;
  }

  /** Makes the copy, durable; when that fails nothing is left of it. */
  void make() throws IOException {
    try {
      copy();
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(to, to.listAll());
      throw t;
    }
  }

  private void copy() throws IOException {
    for (String name : manifest.refreshFiles) {
      copyIfThere(name); // else who opens the copy is told, as who opens this folder is
    }
    for (String name : unsettled) {
      copyIfThere(name); // else it is told as well
    }
    Set<String> workloads = new TreeSet<>(List.of(from.listAll()));
    workloads.removeIf(name -> !KeptWorkloads.isWorkload(name));
    workloads.add(Manifest.workloadFile(manifest.workloadId)); // or a writer has deleted it since
    for (String name : workloads) {
      copyIfThere(name);
    }
    QueueFile.copy(from, queue, to, unreadableQueue);
    if (!queue.isEmpty()) {
      HistoryRollback rollback =
          new HistoryRollback(to); // as it is to here, perhaps, or was opened too late
      rollback.note();
      rollback.makeDurable();
    }
    Manifest copied = manifest.forCopy();
    if (!copied.ranksFile.isEmpty() && !copyIfThere(copied.ranksFile)) {
      copied.ranksFile = ""; // gone before this was opened: to be built anew
    }
    to.sync(List.of(to.listAll()));
    copied.write(to); // last: without it there is nothing
  }

  private boolean copyIfThere(String name) throws IOException {
    try {
      to.copyFrom(from, name, name, IOContext.DEFAULT);
      return true;
    } catch (NoSuchFileException | FileNotFoundException e) {
      return false;
    }
  }
}
