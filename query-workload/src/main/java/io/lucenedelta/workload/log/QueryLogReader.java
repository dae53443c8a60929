// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
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
  private final FormatChoice choice;
  private final ExecutorService parsers;
  private final int ahead;

  /** How the format of a log is found out. */
  @FunctionalInterface
  interface FormatChoice {
    /**
     * Chooses by the first lines, see {@link LogBeginning}.
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
    try (LogBlocks blocks = LogBlocks.unpacked(log, raw)) {
      read(log, blocks, receiver);
    }
  }

  private void read(String log, LogBlocks blocks, LogReceiver receiver) throws IOException {
    LogBeginning beginning = LogBeginning.of(blocks);
    LogFormat format = beginning.blank() ? new EmptyLog() : choice.choose(log, beginning.lines());
    receiver.begin(log, format.name());
    format.doubt().ifPresent(receiver::doubtful);
    if (parsers == null) {
      ParsedLines lines = new ParsedLines();
      for (LogBlock block = blocks.next(); block != null; block = blocks.next()) {
        parse(format, block, lines);
        blocks.release(block);
        receiver.lines(lines);
      }
    } else {
      readAhead(blocks, format, receiver);
    }
    blocks.damage().ifPresent(receiver::damaged);
    receiver.end();
  }

  /** A block and its lines, once they are parsed. */
  private record Parsing(LogBlock block, Future<ParsedLines> lines) {}

  private void readAhead(LogBlocks blocks, LogFormat format, LogReceiver receiver)
      throws IOException {
    Queue<Parsing> parsing = new ArrayDeque<>();
    Deque<ParsedLines> spare = new ArrayDeque<>();
    for (LogBlock block = blocks.next(); block != null; block = blocks.next()) {
      if (parsing.size() == ahead) {
        spare.push(pass(parsing.remove(), blocks, receiver));
      }
      LogBlock next = block;
      ParsedLines lines = spare.isEmpty() ? new ParsedLines() : spare.pop();
      parsing.add(new Parsing(next, parsers.submit(() -> parse(format, next, lines))));
    }
    while (!parsing.isEmpty()) {
      pass(parsing.remove(), blocks, receiver);
    }
  }

  private static ParsedLines parse(LogFormat format, LogBlock block, ParsedLines into) {
    into.clear();
    try {
      BlockLines.read(format, block, into);
      return into;
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "format %s failed on a line where it should have rejected it: %s; name another format"
              .formatted(format.name(), e),
          e);
    }
  }

  private static ParsedLines pass(Parsing parsing, LogBlocks blocks, LogReceiver receiver)
      throws IOException {
    ParsedLines lines = parsed(parsing.lines());
    blocks.release(parsing.block());
    receiver.lines(lines);
    return lines;
  }

  private static ParsedLines parsed(Future<ParsedLines> parsing) throws IOException {
    try {
      return parsing.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading a query log", interrupted);
    } catch (ExecutionException failed) {
      throw new IllegalStateException(failed.getCause().getMessage(), failed.getCause());
    }
  }
}
