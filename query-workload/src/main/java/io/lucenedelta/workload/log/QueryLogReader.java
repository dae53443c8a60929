// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Streams a log and keeps going past bad lines. Blocks of lines are parsed by the threads of an
 * executor, if there is one, and received in the order of the log by the calling thread: the result
 * does not depend on the number of threads.
 */
final class QueryLogReader {
  private static final int SAMPLE_LINES = 100;

  private final FormatChoice choice;
  private final ExecutorService parsers;
  private final int ahead;

  /** How the format of a log is found out. */
  @FunctionalInterface
  interface FormatChoice {
    /**
     * Chooses by the first lines.
     *
     * @throws UnknownLogFormatException if they are in no format
     */
    LogFormat choose(String log, List<String> firstLines) throws IOException;
  }

  /**
   * @param parsers null to parse in the calling thread
   * @param ahead how many blocks may be parsed at once
   */
  QueryLogReader(FormatChoice choice, ExecutorService parsers, int ahead) {
    this.choice = choice;
    this.parsers = parsers;
    this.ahead = ahead;
  }

  /** Reads one log; the stream may be packed and is not closed. */
  void read(String log, InputStream raw, LogReceiver receiver) throws IOException {
    LogBlocks blocks = LogBlocks.unpacked(raw);
    LogBlock first = blocks.next();
    if (first == null) {
      receiver.begin(log, "empty");
      blocks.damage().ifPresent(receiver::damaged);
      return;
    }
    LogFormat format = choice.choose(log, firstLines(first));
    receiver.begin(log, format.name());
    if (parsers == null) {
      for (LogBlock block = first; block != null; block = blocks.next()) {
        BlockLines.read(format, block, receiver::line);
        blocks.release(block);
      }
    } else {
      readAhead(blocks, first, format, receiver);
    }
    receiver.end();
    blocks.damage().ifPresent(receiver::damaged);
  }

  /** A block and its lines, once they are parsed. */
  private record Parsing(LogBlock block, Future<List<LogLine>> lines) {}

  private void readAhead(LogBlocks blocks, LogBlock first, LogFormat format, LogReceiver receiver)
      throws IOException {
    Queue<Parsing> parsing = new ArrayDeque<>();
    for (LogBlock block = first; block != null; block = blocks.next()) {
      if (parsing.size() == ahead) {
        pass(parsing.remove(), blocks, receiver);
      }
      LogBlock next = block;
      parsing.add(new Parsing(next, parsers.submit(() -> BlockLines.read(format, next))));
    }
    while (!parsing.isEmpty()) {
      pass(parsing.remove(), blocks, receiver);
    }
  }

  private static void pass(Parsing parsing, LogBlocks blocks, LogReceiver receiver)
      throws IOException {
    List<LogLine> lines = parsed(parsing.lines());
    blocks.release(parsing.block());
    for (LogLine line : lines) {
      receiver.line(line);
    }
  }

  private static List<LogLine> parsed(Future<List<LogLine>> parsing) throws IOException {
    try {
      return parsing.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading a query log", interrupted);
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a log format threw for a line", failed.getCause());
    }
  }

  private static List<String> firstLines(LogBlock block) {
    int length = Math.min(block.length(), LogBlocks.LONGEST_LINE);
    return new String(block.bytes(), 0, length, StandardCharsets.UTF_8)
        .lines()
        .limit(SAMPLE_LINES)
        .toList();
  }
}
