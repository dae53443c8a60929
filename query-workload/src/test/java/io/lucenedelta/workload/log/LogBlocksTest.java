// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogBlocksTest {
  private static final int TEXT = 2_000_000;

  private static long length(LogBlocks blocks) throws IOException {
    long length = 0;
    for (LogBlock block = blocks.next(); block != null; block = blocks.next()) {
      length += block.length();
      blocks.release(block);
    }
    return length;
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd", "bzip2"})
  void damageCostsLittleOfWhatCouldBeUnpackedBeforeIt(String packing) throws IOException {
    byte[] packed = packed(packing);
    for (int share : new int[] {5, 9}) {
      byte[] begin = Arrays.copyOf(packed, packed.length / 10 * share);
      LogBlocks blocks = LogBlocks.unpacked("log", new ByteArrayInputStream(begin));
      assertThat(length(blocks)).isBetween(readByteByByte(begin) - (1 << 13), (long) TEXT);
      assertThat(blocks.damage()).isPresent();
    }
  }

  private static byte[] packed(String packing) throws IOException {
    Random random = new Random(7);
    byte[] text = new byte[TEXT];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) (random.nextInt(30) == 0 ? '\n' : 'a' + random.nextInt(26));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OutputStream out =
        switch (packing) {
          case "gzip" -> new GZIPOutputStream(bytes);
          case "zstd" -> zstd(bytes);
          default -> new BZip2CompressorOutputStream(bytes);
        };
    try (out) {
      out.write(text);
    }
    return bytes.toByteArray();
  }

  private static OutputStream zstd(OutputStream out) throws IOException {
    ZstdLibrary.assumeItCanRun();
    return new ZstdOutputStream(out);
  }

  /** Nothing is lost of what was read with the last byte. */
  private static long readByteByByte(byte[] packed) throws IOException {
    InputStream in = LogInput.unpack("log", new ByteArrayInputStream(packed));
    long count = 0;
    try {
      while (in.read() >= 0) {
        count++;
      }
    } catch (IOException expected) {
      return count;
    }
    throw new AssertionError("there is no damage");
  }

  /** Reads two logs that begin as those of zstd do, and prints what is said of them. */
  static final class PackedLogs {
    private PackedLogs() {}

    public static void main(String[] logs) {
      byte[] packed = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0};
      for (String log : logs) {
        try {
          LogBlocks.unpacked(log, new ByteArrayInputStream(packed)).close();
          System.out.println(log + " is read");
        } catch (IOException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }

  /** The second failure of the JVM to load a library is of another kind than the first. */
  @Test
  @Timeout(value = 2, unit = MINUTES)
  void whereTheLibraryOfZstdCannotBeLoadedEachOfItsLogsIsRefusedWithWhatToDo() throws Exception {
    Process reading =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-DZstdNativePath=" + Path.of("no-such-library").toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path"),
                PackedLogs.class.getName(),
                "a.zst",
                "b.zst")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> said = reading.inputReader().lines().toList();
    assertThat(reading.waitFor()).isZero();
    assertThat(said).hasSize(2).allMatch(line -> line.contains("no-such-library"));
    for (int log = 0; log < 2; log++) {
      assertThat(said.get(log))
          .startsWith(List.of("a.zst", "b.zst").get(log) + " is packed by zstd, and the library")
          .contains("LUCENE_DELTA_JVM_OPTS=-DZstdTempFolder=DIR", "give what zstd -dc prints to");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 500_000, 1_200_000})
  void anInputThatFailsInAnyWayEndsThere(int after) throws IOException {
    for (String message : new String[] {"lost", null}) {
      InputStream failing =
          new InputStream() {
            private int left = after;

            @Override
            public int read() {
              if (left-- == 0) {
                throw new IllegalStateException(message);
              }
              return left % 10 == 0 ? '\n' : 'x';
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
              int count = 0;
              for (; count < length && (left > 0 || count == 0); count++) {
                bytes[from + count] = (byte) read();
              }
              return count;
            }
          };
      LogBlocks blocks = LogBlocks.unpacked("log", failing);
      assertThat(length(blocks)).isEqualTo(after < 8 ? 0 : after);
      assertThat(blocks.damage())
          .hasValueSatisfying(why -> assertThat(why).contains(message == null ? "State" : message));
    }
  }

  @Test
  void aStreamThatAnInterruptClosesIsNotDamaged() {
    InputStream closed =
        new InputStream() {
          @Override
          public int read() throws IOException {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
          }
        };
    assertThatThrownBy(() -> LogBlocks.unpacked("log", closed).next())
        .hasMessage("interrupted while reading a query log")
        .hasCauseInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd", "bzip2"})
  void whoClosesThemClosesTheDecompressorAndNotTheStreamBelow(String packing) throws IOException {
    AtomicBoolean closed = new AtomicBoolean();
    InputStream raw =
        new ByteArrayInputStream(packed(packing)) {
          @Override
          public void close() {
            closed.set(true);
          }
        };
    LogBlocks blocks = LogBlocks.unpacked("log", raw);
    try (blocks) {
      assertThat(blocks.next()).isNotNull();
      assertThat(blocks.damage()).isEmpty();
    }
    assertThat(length(blocks)).as("rest of a line").isLessThan(1000);
    assertThat(blocks.damage()).as("nothing unpacks any more").isPresent();
    assertThat(closed).isFalse();
  }

  /** What it says of a longer one is the same whether a block holds the line or not. */
  @Test
  void aLineOfTheLongestLengthIsReadAndOfALongerOneTheBeginningIsShown() throws IOException {
    int longest = LogBlocks.LONGEST_LINE;
    for (int length : List.of(longest, longest + 1, 2 * longest, 9 * longest)) {
      String line = "pond\t" + "x".repeat(length - 5);
      byte[] log = (line + "\npond\t\n").getBytes(StandardCharsets.UTF_8);
      LogBlocks blocks = new LogBlocks(new ByteArrayInputStream(log));
      ParsedLines lines = new ParsedLines();
      LogFormat format =
          new DelimitedLog("queries", '\t', List.of(Column.QUERY, Column.IGNORED), null);
      for (LogBlock block = blocks.next(); block != null; block = blocks.next()) {
        BlockLines.read(format, block, lines);
      }
      assertThat(lines.count()).isEqualTo(2);
      assertThat(lines.fate(0))
          .as("%d", length)
          .isEqualTo(length == longest ? null : Fate.TOO_LONG);
      assertThat(lines.excerpts())
          .extracting(ParsedLines.Excerpt::text)
          .containsExactlyElementsOf(
              length == longest ? List.of() : List.of("pond→" + "x".repeat(155) + "…"));
      assertThat(lines.fate(1)).as("the next").isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void blocksAreWholeLinesHoweverTheseEnd(String end) throws IOException {
    String log = end + ("garden pond".repeat(9) + end).repeat(15_000);
    LogBlocks blocks =
        new LogBlocks(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
    StringBuilder found = new StringBuilder();
    for (LogBlock block = blocks.next(); block != null; block = blocks.next()) {
      assertThat(block.tooLong()).isFalse();
      String text = new String(block.bytes(), 0, block.length(), StandardCharsets.UTF_8);
      assertThat(text).endsWith(end);
      found.append(text);
      blocks.release(block);
    }
    assertThat(found.toString()).isEqualTo(log);
  }

  @Test
  void theBeginningOfALongLineIsOfItAloneAndNoMemoryForOtherLines() throws IOException {
    String lines = ("garden pond ".repeat(50) + "\n").repeat(2_000);
    String log = "\n" + "x".repeat(3 * LogBlocks.LONGEST_LINE) + "\n" + lines;
    LogBlocks blocks =
        new LogBlocks(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
    assertThat(blocks.next().length()).as("the blank line").isEqualTo(1);
    LogBlock begin = blocks.next();
    assertThat(begin.tooLong()).isTrue();
    assertThat(begin.bytes()).containsOnly('x');
    long length = blocks.next().length();
    blocks.release(begin);
    assertThat(length + length(blocks)).isEqualTo(lines.length());
  }

  @Test
  void theMemoryOfABlockThatNobodyReadsAnyMoreIsUsedAgain() throws IOException {
    byte[] log = "garden pond\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);
    LogBlocks blocks = new LogBlocks(new ByteArrayInputStream(log));
    LogBlock first = blocks.next();
    LogBlock second = blocks.next();
    assertThat(second.bytes()).isNotSameAs(first.bytes());
    blocks.release(first);
    assertThat(blocks.next().bytes()).isSameAs(first.bytes());
  }
}
