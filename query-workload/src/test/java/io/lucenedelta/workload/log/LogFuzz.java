// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Breaks good log lines in the ways that hurt parsers: structure-aware random mutations of the
 * fixtures of all formats, and lines made of the formats' own punctuation.
 *
 * <p>Run as a program for long runs: {@code LogFuzz INPUTS [SEED]}, with the test classes on the
 * class path and the module as the working directory.
 */
final class LogFuzz {
  private static final List<String> PIECES =
      List.of(
          "\t",
          ",",
          ";",
          "|",
          "\"",
          "\"\"",
          "'",
          "\\",
          "\\\"",
          "\\x",
          "\\xff",
          "%",
          "%zz",
          "%00",
          "%F0%9F",
          "+",
          "&",
          "=",
          "?",
          "{",
          "}",
          "[",
          "]",
          "[[",
          "]]",
          "{}",
          "[]",
          "{\"",
          "\":",
          ":null",
          ":1e999",
          ":-0.0",
          ":tru",
          "\\u",
          "\\ud800",
          "\ud83d\ude00",
          "\ufffd",
          "\ufeff",
          "\u0000",
          "\u0001",
          "\u0085",
          "\u2028",
          "\r",
          "\n",
          "\r\n",
          " ",
          "  ",
          "-",
          "--",
          "NULL",
          "\\N",
          "0",
          "-1",
          "999999999",
          "9999999999999999999",
          "0x10",
          "NaN",
          "2001-02-30T25:61:61Z",
          "0000-00-00",
          "10/Foo/2000:13:55:36 -0700",
          "99999-12-31",
          " params={",
          "} hits=",
          "} status=",
          " took[",
          " source[",
          "], id[",
          "{!",
          "v=$",
          "q=",
          "isShard=true",
          "*:*",
          "\"query\":",
          "\"match\":",
          "\"source\":",
          "\"_source\":{",
          "<script>",
          "site:",
          "NOT ",
          "-\"",
          "(",
          ")",
          "^",
          "~",
          "\u0130",
          "ß");

  private final Random random;
  private final List<byte[]> seeds;

  LogFuzz(long seed, List<byte[]> seeds) {
    this.random = new Random(seed);
    this.seeds = seeds;
  }

  /** The lines of all fixtures. */
  static List<byte[]> fixtureLines() throws IOException {
    List<byte[]> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/logs"))) {
      for (Path file : files.sorted().toList()) {
        for (String line : Files.readAllLines(file)) {
          lines.add(line.getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    return lines;
  }

  /** A broken line, possibly with line ends in it. */
  byte[] next() {
    byte[] bytes = pick();
    for (int mutations = 1 + random.nextInt(5); mutations > 0; mutations--) {
      bytes = mutated(bytes);
    }
    return bytes;
  }

  private byte[] pick() {
    return seeds.get(random.nextInt(seeds.size()));
  }

  private byte[] mutated(byte[] bytes) {
    int from = random.nextInt(bytes.length + 1);
    int to = from + random.nextInt(Math.min(bytes.length - from, 40) + 1);
    return switch (random.nextInt(8)) {
      case 0 -> flipped(bytes);
      case 1 -> joined(bytes, from, new byte[0], to);
      case 2 -> joined(bytes, from, piece(), from);
      case 3 -> joined(bytes, from, piece(), to);
      case 4 -> joined(bytes, 0, new byte[0], from);
      case 5 -> joined(bytes, from, new byte[0], bytes.length);
      case 6 -> joined(bytes, to, part(bytes, from, to, 1 + random.nextInt(50)), to);
      default -> spliced(bytes, from);
    };
  }

  private byte[] flipped(byte[] bytes) {
    byte[] copy = bytes.clone();
    if (copy.length > 0) {
      copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return copy;
  }

  private byte[] piece() {
    return PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8);
  }

  private byte[] spliced(byte[] bytes, int from) {
    byte[] other = pick();
    int at = random.nextInt(other.length + 1);
    return joined(bytes, from, part(other, at, other.length, 1), bytes.length);
  }

  private static byte[] part(byte[] bytes, int from, int to, int times) {
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    for (int i = 0; i < times; i++) {
      part.write(bytes, from, to - from);
    }
    return part.toByteArray();
  }

  /** Up to one place, something else, from another place on. */
  private static byte[] joined(byte[] bytes, int to, byte[] between, int from) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.write(bytes, 0, to);
    joined.writeBytes(between);
    joined.write(bytes, from, bytes.length - from);
    return joined.toByteArray();
  }

  /** Every format, recognition and the query operators meet one input; returns what was kept. */
  static int feed(List<LogFormat> formats, byte[] input) {
    LogBlock block = new LogBlock(input, input.length, false, false);
    int kept = 0;
    for (LogFormat format : formats) {
      ParsedLines lines = new ParsedLines();
      BlockLines.read(format, block, lines);
      for (int line = 0; line < lines.count(); line++) {
        if (lines.fate(line) == null) {
          check(lines, line);
          QueryText.words(text(lines, line));
          kept++;
        }
      }
    }
    LogFormats.usual().recognise(new String(input, StandardCharsets.UTF_8).lines().toList());
    return kept;
  }

  /** The text of a line whose fate is open. */
  static String text(ParsedLines lines, int line) {
    int from = lines.textFrom(line);
    return new String(lines.texts(), from, lines.textTo(line) - from, StandardCharsets.UTF_8);
  }

  private static void check(ParsedLines lines, int line) {
    boolean right =
        lines.rank(line) >= 0
            && lines.times(line) > 0
            && lines.times(line) < Double.POSITIVE_INFINITY
            && lines.textTo(line) > lines.textFrom(line);
    if (!right) {
      throw new IllegalStateException("an entry out of range in line " + line);
    }
  }

  /** All formats, the ones made of columns with columns. */
  static List<LogFormat> formats() {
    List<LogFormat> formats = new ArrayList<>();
    for (String name : LogFormats.names()) {
      boolean table = name.equals("tsv") || name.equals("csv");
      formats.add(
          (table ? LogFormats.usual().withColumns(List.of(Column.values())) : LogFormats.usual())
              .named(name));
    }
    formats.add(new UniqCounts());
    return formats;
  }

  /** Runs until the inputs are used up; a failure names its seed. */
  public static void main(String[] arguments) throws IOException {
    long inputs = Long.parseLong(arguments[0]);
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
    System.out.println("seed " + seed);
    LogFuzz fuzz = new LogFuzz(seed, fixtureLines());
    List<LogFormat> formats = formats();
    List<ByteReading> readings = ByteReading.all();
    long kept = 0;
    long slowest = 0;
    for (long i = 0; i < inputs; i++) {
      byte[] input = fuzz.next();
      long begin = System.nanoTime();
      kept += feed(formats, input);
      slowest = Math.max(slowest, System.nanoTime() - begin);
      String difference = readings.get((int) (i % readings.size())).difference(input);
      if (!difference.isEmpty()) {
        throw new IllegalStateException("input " + i + " reads otherwise as bytes: " + difference);
      }
    }
    System.out.printf(
        "%d inputs through %d formats, %d entries kept, slowest input %.1f ms; each as bytes and as"
            + " text in one of %d ways, no difference%n",
        inputs, formats.size(), kept, slowest / 1e6, readings.size());
  }
}
