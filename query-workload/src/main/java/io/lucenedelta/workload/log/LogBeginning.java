// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a log begins with, as far as its format can be told by it: without blank lines, lines with
 * NUL bytes (a log that was emptied while it was written begins with a hole of them) and those that
 * are too long.
 *
 * @param lines the others of the first blocks, as they are read later; as many as there are in the
 *     first block, or more if that gives few
 * @param blank whether the whole log is blank lines, or nothing
 */
record LogBeginning(List<String> lines, boolean blank) {
  /** Where to stop looking for text; a limit for memory. */
  private static final int MOST_BLOCKS = 16;

  /** Looks at the first blocks, which stay there to be read. */
  static LogBeginning of(LogBlocks blocks) throws IOException {
    List<String> lines = new ArrayList<>();
    Deque<LogBlock> seen = new ArrayDeque<>();
    boolean blank = true;
    LogBlock block = blocks.next();
    while (block != null) {
      seen.add(block);
      blank &= isBlank(block);
      addLines(block, lines);
      boolean enough = lines.size() >= FirstLines.LINES || seen.size() == MOST_BLOCKS;
      block = enough ? null : blocks.next();
    }
    boolean whole = seen.size() < MOST_BLOCKS;
    blocks.putBack(seen);
    return new LogBeginning(List.copyOf(lines), blank && whole);
  }

  private static void addLines(LogBlock block, List<String> lines) {
    byte[] bytes = block.bytes();
    for (int from = 0; !block.tooLong() && from < block.length(); ) {
      int to = from;
      while (to < block.length() && bytes[to] != '\n' && bytes[to] != '\r') {
        to++;
      }
      String line = BlockLines.decoded(bytes, from, to);
      if (!line.isBlank() && line.indexOf('\0') < 0 && to - from <= LogBlocks.LONGEST_LINE) {
        lines.add(line);
      }
      from = to + 1;
    }
  }

  private static boolean isBlank(LogBlock block) {
    int at = 0;
    while (at < block.length() && block.bytes()[at] > 0 && block.bytes()[at] <= ' ') {
      at++;
    }
    return at == block.length() && !block.tooLong();
  }
}
