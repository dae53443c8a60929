// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;

/**
 * The page store in use, and whether it stands for the last commit settled: as the writer before
 * left it, brought to another workload, or built anew from the index. Guarded by the measurer's
 * lock, but for {@link #isOpen}.
 */
final class CurrentPages {
  private static final String UNREADABLE =
      "the page store cannot be read and is built anew from the index";

  private final DeltaConfig config;
  private final StateFolder folder;
  private final Directory files;
  private final Manifest manifest;
  private final PageRebuild rebuild;
  private final KeptWorkloads workloads;

  private volatile PageStore store; // null before it was opened and after it was closed
  private boolean right;
  private long historyChanges;

  CurrentPages(
      DeltaConfig config,
      WorkloadTerms terms,
      StateFolder folder,
      Manifest manifest,
      KeptWorkloads workloads,
      UntoldBatches untold) {
    this.config = config;
    this.folder = folder;
    this.files = folder.directory();
    this.manifest = manifest;
    this.rebuild = new PageRebuild(config, terms, folder, manifest, untold);
    this.workloads = workloads;
  }

  /** Asked without the lock, too: a status does not wait for who holds it. */
  boolean isOpen() {
    return store != null;
  }

  PageStore store() {
    return store;
  }

  /** Whether the store stands for the last commit settled. */
  boolean areRight() {
    return right;
  }

  /** Says whether the store stands for the last commit settled. */
  void setRight(boolean right) {
    this.right = right;
  }

  /** Counts histories that change; by more than their number when all of them were read anew. */
  long historyChanges() {
    return historyChanges;
  }

  /** So many histories have changed. */
  void countHistoryChanges(long histories) {
    historyChanges += histories;
  }

  /**
   * Opens what a writer that was closed cleanly has left.
   *
   * @param workload that it measured
   * @param same whether that is the one measured now
   * @param opened the index, which only the terms of another workload are read of
   * @return false when the store must be built anew
   * @throws IOException if the thread was interrupted, or the manifest cannot be written
   */
  boolean open(long workload, boolean same, OpenedOn opened) throws IOException {
    String commit = CommittedIndex.idOf(opened.commit());
    right = open(standsFor(commit, workload)) && (same || complete(workload, opened));
    return right;
  }

  /** A store keeps its number, and so its file's name, from one commit or workload to the next. */
  private static String standsFor(String commit, long workload) {
    return "%s %016x".formatted(commit, workload);
  }

  private boolean open(String standsFor) throws IOException {
    Throwable damage = damage(standsFor); // first: who is interrupted leaves it as clean as it was
    manifest.write(files); // says that the store is not clean: damage may end the process
    if (damage != null) {
      trouble(UNREADABLE, damage);
      return false;
    }
    return open();
  }

  /** What keeps the store from being taken for whole; null if it may be opened. */
  private Throwable damage(String standsFor) throws IOException {
    long number = manifest.pagesNumber;
    try {
      PagesCheck.require(files, number, folder.path().resolve(StateFiles.pages(number)), standsFor);
      return null;
    } catch (Throwable t) {
      if (StateFolder.wasInterrupted(t)) { // which says nothing of the store
        throw t;
      }
      return t;
    }
  }

  private boolean open() throws IOException {
    try {
      long number = manifest.pagesNumber;
      store = PageStore.open(folder.path(), number, manifest.pagesCapacity, config.faults());
      store.heardBy(config.listener());
      store.hashedBy(manifest.hashSeed);
      if (store.size() != manifest.pagesKnown) {
        throw new IOException(
            "the page store holds %d pages, %d were left in it"
                .formatted(store.size(), manifest.pagesKnown));
      }
      if (manifest.columnsNumber > 0) {
        store.columnsSaved(files, manifest.columnsNumber);
      }
      return true;
    } catch (Throwable t) {
      if (StateFolder.wasInterrupted(t)) { // which says nothing of the store
        throw t;
      }
      trouble(UNREADABLE, t);
      return false;
    }
  }

  private boolean complete(long before, OpenedOn opened) throws IOException {
    try (DirectoryReader reader = opened.reader()) {
      return rebuild.complete(store, reader, workloads.openSame(before));
    } catch (IOException | RuntimeException e) {
      if (StateFolder.wasInterrupted(e)) { // or who wants to break that off would wait
        throw e;
      }
      trouble("pages cannot be brought to the new workload and are built anew from the index", e);
      return false;
    }
  }

  /**
   * Builds the store anew; settles an unsettled batch on the way.
   *
   * @param opened of the commit, closed here; null when there is none
   * @param closed the batch that the commit names
   */
  void rebuild(DirectoryReader opened, ClosedBatch closed) throws IOException {
    boolean sumsRight = right && !store.damaged();
    right = false;
    PageStore old = store;
    try (DirectoryReader reader = opened) {
      store = built(reader, closed, old, sumsRight);
      store.heardBy(config.listener());
      store.hashedBy(manifest.hashSeed);
    }
    historyChanges += 1 + store.size();
    if (old != null) {
      old.discard();
    }
    right = true;
  }

  private PageStore built(
      DirectoryReader reader, ClosedBatch closed, PageStore old, boolean sumsRight)
      throws IOException {
    try {
      return rebuild.build(reader, closed, old, sumsRight);
    } catch (IOException | RuntimeException | Error e) {
      if (!sumsRight || !old.damaged()) {
        throw e;
      }
      trouble(UNREADABLE, e);
      return rebuild.build(reader, closed, old, false);
    }
  }

  /** Damage was met: the store will be built anew. */
  void tellDamage(Throwable damage) {
    trouble(UNREADABLE, damage);
  }

  /** Tells the manifest how to open the store. */
  void note() {
    manifest.pagesNumber = store.number();
    manifest.pagesCapacity = store.capacity();
    manifest.pagesBytes = store.bytes();
    manifest.pagesKnown = store.size();
  }

  /** Saves what orders the pages for the next writer; returns the number of the file, 0 without. */
  long saveColumns() {
    try {
      long number = store.saveColumns(files);
      config.faults().at(FaultPoints.COLUMNS_SAVED);
      return number;
    } catch (IOException | RuntimeException | Error e) {
      trouble("what orders the pages cannot be left to the next writer, which makes it anew", e);
      return 0;
    }
  }

  /** The manifest must not say that the store was closed cleanly before the disk has it all. */
  boolean durable(String commit) {
    try {
      config.faults().at(FaultPoints.BEFORE_FORCING_PAGES);
      store.force(files, standsFor(commit, manifest.workloadId));
      return true;
    } catch (IOException | RuntimeException | Error e) {
      trouble("the page store cannot be made durable; the next writer builds it anew", e);
      return false;
    }
  }

  /** No store is in use any more. */
  void forget() {
    store = null;
  }

  /** Index and histories have all that a store had. */
  private void trouble(String sentence, Throwable cause) {
    config.listener().trouble(Trouble.RETRIED, sentence, cause);
  }
}
