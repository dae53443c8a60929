// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Sums by key, for more keys than the heap holds: exact, whatever their number.
 *
 * <p>Keys gather in a {@link SumTable}; when it reaches its budget it is written to a {@link
 * SortedRun} on disk and starts again. {@link #forEach} merges the runs. Sums of the same key are
 * added in the order of arrival, so that the same input gives the same sums to the last bit.
 *
 * <p>First all {@code add}s, then any number of {@code forEach}s. Not safe for use by several
 * threads.
 */
final class SpillingSums implements Closeable {
  /** Runs merged at once at most; more are first merged into one. */
  private static final int MAX_RUNS = 64;

  private final Path directory;
  private final String name;
  private final SumTable table;
  private final WaitingKeys waiting = new WaitingKeys();
  private final List<SortedRun> runs = new ArrayList<>();

  /**
   * @param directory where runs go, should there be any
   * @param name how the names of the runs begin there
   * @param budgetBytes heap to use, at least
   */
  SpillingSums(Path directory, String name, long budgetBytes) {
    this.directory = directory;
    this.name = name;
    this.table = new SumTable(budgetBytes);
  }

  /** Takes a key, the first {@code length} bytes of an array, and its sum. */
  @FunctionalInterface
  interface Receiver {
    /** The array is only lent for the duration of the call. */
    void accept(byte[] key, int length, double sum) throws IOException;
  }

  /** Adds to the sum of the key in {@code [from, from + length)}. */
  void add(byte[] key, int from, int length, double value) throws IOException {
    if (!waiting.add(key, from, length, value)) {
      addWaiting();
      if (!waiting.add(key, from, length, value)) {
        addNow(table.hash(key, from, length), key, from, length, value);
      }
    }
  }

  /** Adds what waits; what cannot be added, for want of room on the disk say, waits on. */
  private void addWaiting() throws IOException {
    waiting.prefetch(table);
    for (int i = waiting.next(); i >= 0; i = waiting.next()) {
      addNow(
          waiting.hash(i), waiting.bytes(), waiting.from(i), waiting.length(i), waiting.value(i));
      waiting.added();
    }
  }

  private void addNow(int hash, byte[] bytes, int from, int length, double value)
      throws IOException {
    if (!table.add(hash, bytes, from, length, value)) {
      spill();
      table.add(hash, bytes, from, length, value);
    }
  }

  /** Passes on every key with its sum once, ascending by unsigned bytes. */
  void forEach(Receiver receiver) throws IOException {
    addWaiting();
    if (runs.isEmpty()) {
      table.forEachSorted(receiver);
      return;
    }
    if (table.size() > 0) {
      spill();
    }
    table.release();
    SortedRun.merge(runs, receiver);
  }

  /**
   * The same in any order, though always in the same one: in the order of arrival while the heap
   * holds all, which saves sorting.
   */
  void forEachInAnyOrder(Receiver receiver) throws IOException {
    addWaiting();
    if (runs.isEmpty()) {
      table.forEach(receiver);
    } else {
      forEach(receiver);
    }
  }

  private void spill() throws IOException {
    if (runs.size() == MAX_RUNS) {
      SortedRun merged = SortedRun.write(nextFile(), to -> SortedRun.merge(runs, to));
      close();
      runs.add(merged);
    }
    runs.add(SortedRun.write(nextFile(), table::forEachSorted));
    table.clear();
  }

  private Path nextFile() throws IOException {
    return TemporaryFiles.file(directory, name);
  }

  /** Deletes what is on disk. */
  @Override
  public void close() throws IOException {
    for (SortedRun run : runs) {
      Files.deleteIfExists(run.file());
    }
    runs.clear();
  }
}
