// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.store.Directory;

/**
 * The batches whose refreshes lie in the manifest's files: those that the index has come to, in few
 * files. Guarded by the measurer's lock.
 */
final class RecordedBatches {
  private final Directory files;
  private final Manifest manifest;
  private final StateUpkeep state;
  private final SetupCheck setup;
  private final HistoryRollback rollback;
  private final DeltaListener listener;

  RecordedBatches(
      Directory files,
      Manifest manifest,
      StateUpkeep state,
      SetupCheck setup,
      HistoryRollback rollback,
      DeltaListener listener) {
    this.files = files;
    this.manifest = manifest;
    this.state = state;
    this.setup = setup;
    this.rollback = rollback;
    this.listener = listener;
  }

  /**
   * Makes the manifest that of the batch the index ends with: later ones are forgotten, or kept as
   * long as the commit that has them may be opened again, be it one that was never settled.
   *
   * @param latest whether that is the index's latest commit
   */
  void goTo(long generation, boolean latest) throws IOException {
    if (!latest) {
      manifest.makeTentative();
    }
    state.noteMissing(manifest, generation);
    if (latest && generation < manifest.generation) {
      setup.indexIsOlder(generation, manifest);
    }
    List<Manifest.Branch> way = manifest.branchesTo(generation);
    manifest.branches.clear();
    long last = way.isEmpty() ? generation : way.get(way.size() - 1).after();
    if (last < manifest.generation) {
      rollback.note(); // perhaps for another writer, which was here and has not told all
      forgetAfter(last);
    }
  }

  /** The highest number that a batch was given, as far as is known, whatever came of it. */
  long lastNamed() throws IOException {
    return Math.max(manifest.lastNamed(), state.lastMeasured());
  }

  private void forgetAfter(long generation) throws IOException {
    state.setDamagedAside(manifest);
    new RefreshCompaction(files, manifest).forgetAfter(generation);
    manifest.generation = generation;
    manifest.outdateUsefulness(); // what was found before may be by another set-up
  }

  /**
   * Merges files, since fewer are faster to read; one that cannot be read is no reason not to
   * measure.
   */
  void compact() {
    boolean merged;
    try {
      merged = new RefreshCompaction(files, manifest).compact();
    } catch (Throwable t) {
      listener.trouble(
          Trouble.RETRIED, "the files of refreshes cannot be merged and stay as they are", t);
      if (!(t instanceof UnwrittenFile)) { // or all would be read, perhaps with every batch
        setDamagedAside();
      }
      return;
    }
    try {
      if (merged) {
        manifest.write(files);
      }
    } catch (Throwable t) {
      listener.trouble(
          Trouble.RETRIED,
          "files of refreshes were merged, and the manifest that says so cannot be written; the"
              + " next batch writes it",
          t);
    }
  }

  /** The next batch can merge the others; the page store still holds the sums of what was lost. */
  private void setDamagedAside() {
    int before = manifest.refreshFiles.size();
    try {
      state.setDamagedAside(manifest);
      if (manifest.refreshFiles.size() < before) {
        manifest.write(files);
      }
    } catch (Throwable t) {
      listener.trouble(Trouble.RETRIED, "damaged files of refreshes could not be set aside", t);
    }
  }
}
