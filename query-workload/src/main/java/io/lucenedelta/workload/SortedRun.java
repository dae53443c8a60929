// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Keys with sums on disk, ascending: {@code (length as int, key, sum as double)} each. Lives as
 * long as the process at most, hence no header.
 *
 * @param file where it is
 * @param keys how many keys it holds
 */
record SortedRun(Path file, long keys) {
  private static final int BUFFER = 1 << 16;

  /** Something that passes keys on in ascending order. */
  @FunctionalInterface
  interface Source {
    void forEach(SpillingSums.Receiver receiver) throws IOException;
  }

  /** Writes a run; nothing is left of one that cannot be written to its end. */
  static SortedRun write(Path file, Source source) throws IOException {
    boolean whole = false;
    try {
      long keys = writeAll(file, source);
      whole = true;
      return new SortedRun(file, keys);
    } finally {
      if (!whole) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static long writeAll(Path file, Source source) throws IOException {
    long[] keys = {0};
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER))) {
      source.forEach(
          (key, length, sum) -> {
            out.writeInt(length);
            out.write(key, 0, length);
            out.writeDouble(sum);
            keys[0]++;
          });
    }
    return keys[0];
  }

  /** Merges runs; the sums of a key are added in the order of the runs. */
  static void merge(List<SortedRun> runs, SpillingSums.Receiver receiver) throws IOException {
    List<Cursor> cursors = new ArrayList<>();
    try {
      PriorityQueue<Cursor> queue = new PriorityQueue<>();
      for (SortedRun run : runs) {
        Cursor cursor = new Cursor(run, cursors.size());
        cursors.add(cursor);
        if (cursor.next()) {
          queue.add(cursor);
        }
      }
      merge(queue, receiver);
    } finally {
      for (Cursor cursor : cursors) {
        cursor.close();
      }
    }
  }

  private static void merge(PriorityQueue<Cursor> queue, SpillingSums.Receiver receiver)
      throws IOException {
    byte[] key = new byte[64];
    while (!queue.isEmpty()) {
      Cursor least = queue.poll();
      int length = least.length;
      if (key.length < length) {
        key = new byte[2 * length];
      }
      System.arraycopy(least.key, 0, key, 0, length);
      double sum = least.sum;
      if (least.next()) {
        queue.add(least);
      }
      while (!queue.isEmpty() && queue.peek().holds(key, length)) {
        Cursor same = queue.poll();
        sum += same.sum;
        if (same.next()) {
          queue.add(same);
        }
      }
      receiver.accept(key, length, sum);
    }
  }

  /** A place in a run. */
  private static final class Cursor implements Comparable<Cursor>, Closeable {
    private final DataInputStream in;
    private final int run;
    private long left;
    private byte[] key = new byte[64];
    private int length;
    private double sum;

    Cursor(SortedRun run, int number) throws IOException {
      this.in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(run.file), BUFFER));
      this.run = number;
      this.left = run.keys;
    }

    boolean next() throws IOException {
      if (left-- == 0) {
        return false;
      }
      length = in.readInt();
      if (key.length < length) {
        key = new byte[2 * length];
      }
      in.readFully(key, 0, length);
      sum = in.readDouble();
      return true;
    }

    boolean holds(byte[] other, int otherLength) {
      return Arrays.equals(key, 0, length, other, 0, otherLength);
    }

    @Override
    public int compareTo(Cursor other) {
      int order = Arrays.compareUnsigned(key, 0, length, other.key, 0, other.length);
      return order != 0 ? order : Integer.compare(run, other.run);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
