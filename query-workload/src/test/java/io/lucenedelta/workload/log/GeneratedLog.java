// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;

/**
 * An AltaVista-style log of any length: in each ten lines two next pages, four queries from a
 * skewed head and four of which each text comes once round, so that the number of distinct texts is
 * as asked for. The same arguments give the same bytes.
 */
final class GeneratedLog {
  private static final int WORDS = 60_000;
  private static final long BEGIN = 1_000_000_000L;

  private final long lines;
  private final long distinct;
  private final SplittableRandom random;
  private long nextText;

  GeneratedLog(long lines, long distinct, long seed) {
    this.lines = lines;
    this.distinct = distinct;
    this.random = new SplittableRandom(seed);
  }

  void write(Path file) throws IOException {
    try (OutputStream out =
        new GZIPOutputStream(
            new BufferedOutputStream(Files.newOutputStream(file), 1 << 20), 1 << 16) {
          {
            def.setLevel(1);
          }
        }) {
      StringBuilder line = new StringBuilder();
      for (long i = 0; i < lines; i++) {
        line.setLength(0);
        append(line, i);
        out.write(line.toString().getBytes(StandardCharsets.ISO_8859_1));
      }
    }
  }

  private void append(StringBuilder line, long number) {
    line.append(BEGIN + number / 50).append('\t');
    line.append(Long.toHexString(random.nextLong(1L << 40) | 1L << 62)).append('\t');
    int kind = (int) (number % 10);
    if (kind < 6) {
      double skewed = Math.pow(random.nextDouble(), 6);
      text(line, (long) (skewed * Math.min(distinct, 1_000_000)));
    } else {
      text(line, nextText++ % distinct);
    }
    line.append('\t').append(kind < 2 ? 10 : 0).append('\n');
  }

  /** One to four words; every number has a text of its own. */
  private static void text(StringBuilder line, long number) {
    long mixed = number * 2_654_435_761L % (1L << 34);
    do {
      long word = mixed % WORDS;
      line.append("word".charAt((int) (word & 3))).append(Long.toString(word * 7919 + 40_000, 36));
      mixed /= WORDS;
      if (mixed > 0) {
        line.append(' ');
      }
    } while (mixed > 0);
  }
}
