// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a log begins with, as far as its format can be told by it: without blank lines, lines with
 * NUL bytes (a log that was emptied while it was written begins with a hole of them) and those that
 * are too long.
 *
 * @param lines the others of the first blocks, as they stand in the log; as many as there are in
 *     the first block, or more if that gives few
 * @param blank whether the whole log is blank lines, or nothing
 */
record LogBeginning(List<String> lines, boolean blank) {
  /** Where to stop looking for text; a limit for memory. */
  private static final int MOST_BLOCKS = 16;

  /** Looks at the first blocks, which stay there to be read. */
  static LogBeginning of(LogBlocks blocks) {
    List<String> lines = new ArrayList<>();
    Deque<LogBlock> seen = new ArrayDeque<>();
    boolean blank = true;
    LogBlock block = blocks.next();
    while (block != null) {
      seen.add(block);
      blank &= isBlank(block);
      addLines(block, lines);
      boolean enough = lines.size() >= Sample.LINES || seen.size() == MOST_BLOCKS;
      block = enough ? null : blocks.next();
    }
    boolean whole = seen.size() < MOST_BLOCKS;
    blocks.putBack(seen);
    return new LogBeginning(List.copyOf(lines), blank && whole);
  }

  private static void addLines(LogBlock block, List<String> lines) {
    if (!block.tooLong()) {
      new String(block.bytes(), 0, block.length(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && line.indexOf('\0') < 0)
          .filter(line -> line.length() <= LogBlocks.LONGEST_LINE)
          .forEach(lines::add);
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
