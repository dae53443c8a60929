// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import io.lucenedelta.workload.Workload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What real logs do to a reader: everything is counted, nothing is thrown, nothing is lost. */
class DirtyLogTest {
  private static final String LINE = "2001-09-28T10:00:00Z\ts%d\tgarden pond %d\t0\n";

  @TempDir Path temporary;

  private interface Packing {
    OutputStream around(OutputStream out) throws IOException;
  }

  private enum Packed implements Packing {
    PLAIN(out -> out),
    GZIP(GZIPOutputStream::new),
    BZIP2(BZip2CompressorOutputStream::new),
    ZSTD(
        out -> {
          ZstdLibrary.assumeItCanRun();
          return new ZstdOutputStream(out);
        });

    private final Packing packing;

    Packed(Packing packing) {
      this.packing = packing;
    }

    @Override
    public OutputStream around(OutputStream out) throws IOException {
      return packing.around(out);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyPackingIsToldByItsFirstBytes(Packed packing) throws IOException {
    assertThat(ingest(packed(lines(50), packing)).kept()).isEqualTo(50);
  }

  @Test
  void severalPackedPartsInOneFileAreAllRead() throws IOException {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    parts.writeBytes(packed(lines(20), GZIPOutputStream::new));
    parts.writeBytes(packed(lines(30), GZIPOutputStream::new));

    assertThat(ingest(parts.toByteArray()).tally.read()).isEqualTo(50);
  }

  @Test
  void zerosBehindAPackedPartArePadding() throws IOException {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    for (int padding : new int[] {0, 1, 100_000}) {
      parts.writeBytes(packed(lines(20), GZIPOutputStream::new));
      parts.writeBytes(new byte[padding]);
      Ingested read = ingest(parts.toByteArray());
      assertThat(read.tally.read()).isEqualTo(padding == 0 ? 20 : padding == 1 ? 40 : 60);
      assertThat(read.tally.damages()).isEmpty();
    }
  }

  @Test
  void damageBetweenPackedPartsIsTold() throws IOException {
    byte[] part = packed(lines(20), GZIPOutputStream::new);
    byte[] badHead = part.clone();
    badHead[0] ^= 1;
    byte[] cutInHead = Arrays.copyOf(part, 5);
    for (byte[] behind : new byte[][] {badHead, cutInHead, {'x'}, {0, 0, 'x'}}) {
      ByteArrayOutputStream parts = new ByteArrayOutputStream();
      parts.writeBytes(part);
      parts.writeBytes(behind);
      Ingested read = ingest(parts.toByteArray());

      assertThat(read.kept()).isEqualTo(20);
      assertThat(read.tally.damages()).singleElement().asString().contains("after line 20: ");
    }
  }

  @Test
  void noLineBeforeTheDamageIsLost() throws IOException {
    byte[] whole = packed(lines(1_000), GZIPOutputStream::new);
    byte[] wrongChecksum = whole.clone();
    wrongChecksum[whole.length - 8] ^= 1;
    for (byte[] log : new byte[][] {wrongChecksum, Arrays.copyOf(whole, whole.length - 3)}) {
      Ingested read = ingest(log);

      assertThat(read.kept()).isEqualTo(1_000);
      assertThat(read.tally.damages()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PLAIN")
  void aTruncatedArchiveGivesWhatCanBeReadAndSaysSo(Packed packing) throws IOException {
    byte[] whole = packed(randomLines(90_000), packing);
    Ingested read = ingest(Arrays.copyOf(whole, whole.length * 3 / 4));

    assertThat(read.kept()).isBetween(20_000L, 89_999L);
    assertThat(read.tally.rejected()).isBetween(0L, 1L);
    assertThat(read.tally.damages())
        .singleElement()
        .asString()
        .contains("breaks off after line")
        .doesNotContain("Exception");
    assertThat(read.tally.read()).isEqualTo(read.kept() + read.of(Fate.CUT_OFF));
  }

  @Test
  void aDamagedArchiveIsADamageAndNoException() throws IOException {
    byte[] whole = packed(randomLines(40_000), GZIPOutputStream::new);
    Arrays.fill(whole, whole.length / 2, whole.length / 2 + 100, (byte) 0x55);
    assertThat(ingest(whole).tally.damages()).hasSize(1);

    byte[] headOnly = {0x1f, (byte) 0x8b, 9, 9};
    Ingested read = ingest(headOnly);
    assertThat(read.tally.damages()).hasSize(1);
    assertThat(read.tally.read()).isZero();
  }

  @Test
  void anArchiveThatIsNotReadIsNamedWithWhatUnpacksIt() throws IOException {
    Map<String, byte[]> archives =
        Map.of(
            "xz, which is not read; unpack it, or give what xz -dc prints to workload --query-log"
                + " -, or in a program to WorkloadIngest.read as a stream",
            new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0, 0, 4},
            "zip, which is not read; unpack it, or give what unzip -p prints",
            new byte[] {'P', 'K', 3, 4, 20, 0},
            "7z, which is not read; unpack it, or give what 7z x -so prints",
            new byte[] {'7', 'z', (byte) 0xbc, (byte) 0xaf, 0x27, 0x1c},
            "lz4, which",
            new byte[] {4, 0x22, 0x4d, 0x18, 'x'},
            "lzip, which",
            new byte[] {'L', 'Z', 'I', 'P', 1, 12},
            "compress, which",
            new byte[] {0x1f, (byte) 0x9d, (byte) 0x90});
    for (Map.Entry<String, byte[]> archive : archives.entrySet()) {
      assertThatThrownBy(() -> ingest(archive.getValue()))
          .isInstanceOf(UnknownLogFormatException.class)
          .hasMessageContaining(" is packed by " + archive.getKey());
    }
    assertThat(ingest("LZIPA,1\nLZIPB,2\n".getBytes(StandardCharsets.UTF_8)).kept()).isEqualTo(2);
  }

  @Test
  void lineEndsMayBeMixed() throws IOException {
    String log = lines(4).replaceFirst("\n", "\r\n").replaceFirst("0\n", "0\r").strip();

    assertThat(ingest(log.getBytes(StandardCharsets.UTF_8)).kept()).isEqualTo(4);
  }

  @Test
  void aLineEndSplitBetweenBlocksIsOneLineEnd() throws IOException {
    StringBuilder log = new StringBuilder();
    int lines = 0;
    while (log.length() < 5 * LogBlocks.LONGEST_LINE) {
      log.append("2001-09-28T10:00:00Z\ts").append(lines).append("\tpond\t0\r\n");
      lines++;
    }
    for (int shift = 0; shift < 40; shift += 7) {
      Ingested read = ingest(("x".repeat(shift) + "\r\n" + log).getBytes(StandardCharsets.UTF_8));
      assertThat(read.kept()).isEqualTo(lines);
      assertThat(read.of(Fate.BLANK)).isEqualTo(shift == 0 ? 1 : 0);
    }
  }

  @Test
  void aLineOfTenMegabytesIsCountedAndPassedOver() throws IOException {
    String log = lines(3) + "x".repeat(10_000_000) + "\n" + lines(2) + "y".repeat(300_000);
    Ingested read = ingest(log.getBytes(StandardCharsets.UTF_8));

    assertThat(read.tally.read() - read.tally.rejected()).isEqualTo(5);
    assertThat(read.of(Fate.TOO_LONG)).isEqualTo(2);
    assertThat(read.tally.samples(Fate.TOO_LONG)).allMatch(sample -> sample.length() < 300);
    assertThat(read.tally.samples(Fate.TOO_LONG).get(0)).startsWith("log:4: xxx");
  }

  @Test
  void aLineEndOfTwoCharactersBehindALongLineIsOne() throws IOException {
    int block = 2 * LogBlocks.LONGEST_LINE;
    for (int length : List.of(block - 1, block, 2 * block - 1, 2 * block, 10_000_000)) {
      for (String end : List.of("\n", "\r", "\r\n")) {
        String log = "x".repeat(length) + end + lines(3) + "y".repeat(length) + end;
        Ingested read = ingest(log.getBytes(StandardCharsets.UTF_8));

        assertThat(read.kept()).as("%d x", length).isEqualTo(3);
        assertThat(read.of(Fate.TOO_LONG)).as("%d x", length).isEqualTo(2);
        assertThat(read.tally.read()).as("%d x", length).isEqualTo(5);
      }
    }
  }

  @Test
  void aQueryOfTwoThousandCharactersIsNoQuery() throws IOException {
    String log = lines(1) + "2001-09-28T10:00:00Z\ts1\t" + "-\"(a:".repeat(20_000) + "\t0\n";
    Ingested read = ingest(log.getBytes(StandardCharsets.UTF_8));

    assertThat(read.kept()).isEqualTo(1);
    assertThat(read.of(Fate.TOO_LONG)).isEqualTo(1);
    assertThat(read.tally.samples(Fate.TOO_LONG).get(0)).startsWith("log:2: -\"(a:-\"");
  }

  @Test
  void whatIsNoTextAtTheBeginningCostsOnlyItself() throws IOException {
    for (String first :
        List.of("x".repeat(600_000), "x".repeat(300_000), "\0".repeat(1_000_000), "\0ab")) {
      Ingested read = ingest((first + "\n" + lines(50)).getBytes(StandardCharsets.UTF_8));

      assertThat(read.kept()).isEqualTo(50);
      assertThat(read.tally.rejected()).isEqualTo(1);
      assertThat(read.tally.read()).isEqualTo(51);
    }
  }

  @Test
  void aLogMayBeginWithBlankLines() throws IOException {
    for (int blank : new int[] {200, 1_000_000}) {
      Ingested read = ingest(("\n".repeat(blank) + lines(50)).getBytes(StandardCharsets.UTF_8));

      assertThat(read.kept()).isEqualTo(50);
      assertThat(read.of(Fate.BLANK)).isEqualTo(blank);
    }
  }

  @Test
  void aLogOfBlankLinesIsLikeAnEmptyOne() throws IOException {
    for (String log : List.of("", "\n\n", " \r\n\t")) {
      Ingested read = ingest(log.getBytes(StandardCharsets.UTF_8));

      assertThat(read.format).isEqualTo("empty");
      assertThat(read.tally.read()).isEqualTo(read.of(Fate.BLANK));
      assertThat(read.tally.read()).isEqualTo(log.lines().count());
    }
  }

  @Test
  void whatHasNoTextAtTheBeginningIsNoLog() {
    for (String log : List.of("\0\0\0", "x".repeat(600_000), "\n".repeat(20_000_000))) {
      assertThatThrownBy(() -> ingest(log.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(UnknownLogFormatException.class)
          .hasMessageContaining("none of its first lines is text");
    }
  }

  @Test
  void aQueryOfTheLongestLengthIsOne() throws IOException {
    String line = "2001-09-28T10:00:00Z\ts1\t%s\t0\n";
    int longest = ParsedLines.LONGEST_TEXT;
    Ingested read =
        ingest(
            (line.formatted("ä".repeat(longest))
                    + line.formatted("ä".repeat(longest + 1))
                    + line.formatted(" ".repeat(longest) + "pond" + "\u3000".repeat(longest)))
                .getBytes(StandardCharsets.UTF_8));

    assertThat(read.kept()).as("blanks around a query do not count").isEqualTo(2);
    assertThat(read.of(Fate.TOO_LONG)).isEqualTo(1);
  }

  @Test
  void aTextRepeatsUntilTheWindowOfTheSessionIsOver() throws IOException {
    String line = "2001-09-28T%s\t%s\tgarden pond\t0\n";
    String log =
        line.formatted("10:00:00Z", "s1")
            + line.formatted("10:30:00Z", "s1") // the last second of the window
            + line.formatted("11:00:01Z", "s1")
            + line.formatted("11:00:02Z", "s2");
    IngestSettings settings =
        IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 100, false);
    Ingested read = ingest(settings, log.getBytes(StandardCharsets.UTF_8));

    assertThat(read.kept()).isEqualTo(3);
    assertThat(read.of(Fate.REPEATED)).isEqualTo(1);
  }

  @Test
  void aLogWhoseTimesGoBackRepeatsWithinTheWindowOnly() throws IOException {
    String line = "2001-09-28T%s\ts1\tgarden pond\t0\n";
    String log =
        line.formatted("11:00:01Z")
            + line.formatted("10:30:01Z") // the first second of the window
            + line.formatted("10:00:00Z");
    IngestSettings settings =
        IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 100, false);
    Ingested read = ingest(settings, log.getBytes(StandardCharsets.UTF_8));

    assertThat(read.kept()).isEqualTo(2);
    assertThat(read.of(Fate.REPEATED)).isEqualTo(1);
  }

  @Test
  void blanksAroundATextMakeNoOtherText() throws IOException {
    String[] texts = {
      "garden pond", " garden pond", "garden pond  ", "\u3000garden pond", "garden pond\u2003"
    };
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < texts.length; i++) {
      log.append("2001-09-28T10:00:0%dZ\ts1\t%s\t0\n".formatted(i, texts[i]));
    }
    Ingested read = ingest(log.toString().getBytes(StandardCharsets.UTF_8));

    assertThat(read.kept()).isEqualTo(1);
    assertThat(read.of(Fate.REPEATED)).isEqualTo(4);
  }

  @Test
  void nulBytesAreNoText() throws IOException {
    Ingested read = ingest((lines(5) + "2001\0\0\0\n").getBytes(StandardCharsets.UTF_8));

    assertThat(read.kept()).isEqualTo(5);
    assertThat(read.of(Fate.NOT_TEXT)).isEqualTo(1);
    assertThat(read.tally.samples(Fate.NOT_TEXT)).containsExactly("log:6: 2001···");
  }

  @Test
  void ofARejectedLineTheFirstHundredAndSixtyCharactersAreShown() throws IOException {
    for (int length : new int[] {160, 161}) {
      String line = "\0" + "x".repeat(length - 1);
      Ingested read = ingest((lines(5) + line + "\n").getBytes(StandardCharsets.UTF_8));

      String shown = "log:6: ·" + "x".repeat(159) + (length > 160 ? "…" : "");
      assertThat(read.tally.samples(Fate.NOT_TEXT)).containsExactly(shown);
    }
  }

  /** Of each byte but line ends a line of its own. */
  @Test
  void everyByteIsBlankOrTextInOneOfTwoEncodingsButForNul() throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    log.writeBytes(lines(1_000).getBytes(StandardCharsets.UTF_8));
    for (int character = 0; character < 256; character++) {
      if (character != '\n' && character != '\r') {
        log.write(character);
        log.write('\n');
      }
    }
    Ingested read = ingest(log.toByteArray());

    assertThat(read.kept()).isEqualTo(1_000);
    assertThat(read.tally.read()).isEqualTo(1_000 + 254);
    assertThat(read.of(Fate.NOT_TEXT)).isEqualTo(1);
    assertThat(read.of(Fate.BLANK)).as("1 to 32, but for line ends").isEqualTo(30);
    assertThat(read.tally.readAsWestern()).as("128 to 255").isEqualTo(128);
  }

  @Test
  void westernTextIsReadAndReported() throws IOException {
    String line = "2001-09-28T10:00:00Z\ts1\tcafé in münchen\t0\n";
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    log.writeBytes(line.getBytes(StandardCharsets.UTF_8));
    log.writeBytes(line.replace("s1", "s2").getBytes(Charset.forName("windows-1252")));
    Ingested read = ingest(log.toByteArray());

    assertThat(read.tally.readAsWestern()).isEqualTo(1);
    assertThat(read.workload.queryText(0)).isEqualTo("café in münchen");
    assertThat(read.workload.frequency(0)).isEqualTo(2);
  }

  @Test
  void theReplacementCharacterThatALogHoldsAlreadyMakesItNoWesternText() throws IOException {
    String line = "2001-09-28T10:00:00Z\ts1\tcafé \ufffd münchen\t0\n";
    Ingested read = ingest(line.getBytes(StandardCharsets.UTF_8));

    assertThat(read.tally.readAsWestern()).isZero();
    assertThat(read.workload.queryText(0)).startsWith("café ").endsWith(" münchen");
  }

  @Test
  void aHeaderInWesternTextIsOneAllTheSame() throws IOException {
    String log = "q\tuser\tGröße\ngarden pond\ts1\t3\ntravel\ts2\t4\n";
    for (String charset : List.of("windows-1252", "UTF-8")) {
      Ingested read = ingest(log.getBytes(Charset.forName(charset)));
      assertThat(read.of(Fate.HEADER)).as(charset).isEqualTo(1);
      assertThat(read.kept()).as(charset).isEqualTo(2);
    }
  }

  @Test
  void byteOrderMarksTellTheEncoding() throws IOException {
    String text = "\ufeff" + lines(3).replace("pond", "pönd 😀");
    for (Charset charset :
        new Charset[] {
          StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE
        }) {
      Ingested read = ingest(text.getBytes(charset));
      assertThat(read.kept()).as("%s", charset).isEqualTo(3);
      assertThat(read.workload.termNumber("pönd")).isNotNegative();
      assertThat(read.tally.readAsWestern()).isZero();
    }
  }

  @Test
  void oneBrokenLineInAHundredChangesNothingButTheTally() throws IOException {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      log.append(LINE.formatted(i, i % 50));
      if (i % 100 == 0) {
        log.append("\u0001%%broken line\n");
      }
    }
    Ingested clean =
        ingest(
            log.toString().replace("\u0001%%broken line\n", "").getBytes(StandardCharsets.UTF_8));
    Ingested dirty = ingest(log.toString().getBytes(StandardCharsets.UTF_8));

    assertThat(dirty.tally.rejected()).isEqualTo(50);
    assertThat(dirty.tally.samples(Fate.FIELD_MISSING))
        .hasSize(3)
        .first()
        .asString()
        .isEqualTo("log:2: ·%%broken line");
    assertThat(dirty.bytes()).isEqualTo(clean.bytes());
  }

  @Test
  void theNumberOfThreadsDoesNotShow() throws IOException {
    byte[] log = randomLines(150_000).getBytes(StandardCharsets.UTF_8);
    Ingested one = ingest(IngestSettings.usual(temporary).withResources(1, 64 << 20), log);
    Ingested four = ingest(IngestSettings.usual(temporary).withResources(4, 64 << 20), log);

    assertThat(four.bytes()).isEqualTo(one.bytes());
    for (Fate fate : Fate.values()) {
      assertThat(four.of(fate)).as("%s", fate).isEqualTo(one.of(fate));
      assertThat(four.tally.samples(fate)).isEqualTo(one.tally.samples(fate));
    }
    assertThat(one.of(Fate.REPEATED)).isPositive();
  }

  @Test
  void aRobotIsReportedAndItsExcessLeftOutOnlyIfAsked() throws IOException {
    StringBuilder log = new StringBuilder(LINE.formatted(1, 1));
    for (int i = 0; i < 150; i++) {
      log.append("2001-09-28T10:%02d:%02dZ\trobot\tpage %d\t0%n".formatted(i / 60, i % 60, i));
    }
    byte[] bytes = log.toString().getBytes(StandardCharsets.UTF_8);
    IngestSettings usual = IngestSettings.usual(temporary);
    Ingested reported = ingest(usual, bytes);
    Ingested dropped = ingest(usual.withSessions(Duration.ofMinutes(30), 100, true), bytes);

    assertThat(reported.kept()).isEqualTo(151);
    assertThat(reported.robotSessions).isEqualTo(1);
    assertThat(reported.robotQueries).isEqualTo(50);
    assertThat(dropped.kept()).isEqualTo(101);
    assertThat(dropped.of(Fate.ROBOT)).isEqualTo(50);
  }

  @Test
  void aDirectoryIsReadInTheOrderOfItsPaths() throws IOException {
    Path logs = Files.createDirectories(temporary.resolve("logs/2001"));
    Files.writeString(logs.resolve("09-29.log"), "2001-09-29T00:01:00Z\ts1\tgarden pond 1\t0\n");
    Files.writeString(logs.resolve("README"), "Logs of September.\n");
    Files.createFile(logs.resolve("empty.log"));
    Files.write(
        logs.resolve("09-28.log.gz"),
        packed("2001-09-28T23:59:00Z\ts1\tgarden pond 1\t0\n", GZIPOutputStream::new));
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(temporary.resolve("logs"));
      assertThat(ingest.sources()).hasSize(3).first().asString().contains("09-28");
      assertThat(ingest.tally().of(Fate.REPEATED)).isEqualTo(1);
      assertThat(ingest.tally().damages()).singleElement().asString().contains("README");
    }
  }

  @Test
  void aLinkToADirectoryIsReadLikeTheDirectory() throws IOException {
    Path logs = Files.createDirectories(temporary.resolve("logs"));
    Files.writeString(logs.resolve("a.log"), "2001-09-29T00:01:00Z\ts1\tgarden pond 1\t0\n");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), logs);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(link);
      assertThat(ingest.sources()).singleElement().asString().contains("a.log");
    }
  }

  @Test
  void aLinkToADirectoryWithinADirectoryIsPassedOverAndTold() throws IOException {
    Path logs = Files.createDirectories(temporary.resolve("logs"));
    Files.writeString(logs.resolve("a.log"), "2001-09-29T00:01:00Z\ts1\tgarden pond 1\t0\n");
    Path link = Files.createSymbolicLink(logs.resolve("round"), logs);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(logs);
      assertThat(ingest.tally().read()).isEqualTo(1);
      assertThat(ingest.tally().damages())
          .containsExactly(link + " is a link to a directory; name that one to read it, too");
    }
  }

  /** Here one that lies too deep for the system, of which even root cannot read what is in it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aDirectoryThatCannotBeReadIsToldLikeAFileThatCannot() throws IOException {
    Path logs = deep(temporary.resolve("logs"));
    Path more = temporary.resolve("more");
    deep(more);
    Files.move(more, logs.resolve("more"));
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      assertThatThrownBy(() -> ingest.read(temporary.resolve("logs")))
          .isInstanceOf(FileSystemException.class);
    } finally {
      Files.move(logs.resolve("more"), more); // or nothing could delete it
    }
  }

  private static Path deep(Path directory) throws IOException {
    return Files.createDirectories(directory.resolve(("d".repeat(250) + "/").repeat(9)));
  }

  @Test
  void aLogThatIsNamedTwiceCountsOnceAndIsTold() throws IOException {
    Path logs = Files.createDirectories(temporary.resolve("logs"));
    Path log = logs.resolve("a.log");
    Files.writeString(log, "2001-09-29T00:01:00Z\ts1\tgarden pond 1\t0\n");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), log);
    Path hardLink = Files.createLink(temporary.resolve("hard link"), log);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(log);
      ingest.read(logs);
      ingest.read(link);
      ingest.read(hardLink);
      assertThat(ingest.tally().read()).isEqualTo(1);
      assertThat(ingest.tally().damages())
          .containsExactly(
              log + " was read before and is not counted again",
              link + " was read before and is not counted again",
              hardLink + " was read before and is not counted again");
    }
  }

  @Test
  void aLogThatWasPassedOverWasNotReadBefore() throws IOException {
    Path logs = Files.createDirectories(temporary.resolve("logs"));
    Path log = Files.writeString(logs.resolve("readme"), "no log at all\nis this\n");
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read(logs);
      assertThat(ingest.tally().damages())
          .singleElement()
          .asString()
          .contains("no known query log");
      assertThatThrownBy(() -> ingest.read(log)).isInstanceOf(UnknownLogFormatException.class);
    }
  }

  @Test
  void nothingOfASessionIsInTheWorkloadFile() throws IOException {
    String log = "2001-09-28T10:00:00Z\tsession-secret-4711\tgarden pond\t0\n";
    Ingested read = ingest(log.getBytes(StandardCharsets.UTF_8));

    assertThat(new String(read.bytes(), StandardCharsets.ISO_8859_1))
        .contains("pond")
        .doesNotContain("secret")
        .doesNotContain("4711")
        .doesNotContain("2001");
  }

  private static String lines(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(LINE.formatted(i, i));
    }
    return lines.toString();
  }

  /** Lines of few sessions and few texts, so that some repeat, with broken ones among them. */
  private static String randomLines(int count) {
    Random random = new Random(8);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      if (count > 100_000 && random.nextInt(1000) == 0) {
        lines.append("broken ").append(random.nextInt()).append('\n');
      }
      long second = 1_001_671_200L + i;
      int session = count > 100_000 ? random.nextInt(300) : i;
      lines.append(second).append("\ts").append(session).append("\tgarden ");
      lines.append(Integer.toString(random.nextInt(2000), 36)).append("\t0\n");
    }
    return lines.toString();
  }

  private static byte[] packed(String text, Packing packing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = packing.around(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private Ingested ingest(byte[] log) throws IOException {
    return ingest(IngestSettings.usual(temporary), log);
  }

  private Ingested ingest(IngestSettings settings, byte[] log) throws IOException {
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read("log", new ByteArrayInputStream(log));
      return new Ingested(
          ingest.sources().get(0).format(),
          ingest.tally(),
          ingest.workload(Words.NORMALIZER).workload(),
          ingest.robotSessions(),
          ingest.robotQueries(),
          temporary.resolve("written"));
    }
  }

  private record Ingested(
      String format,
      ParseTally tally,
      Workload workload,
      long robotSessions,
      long robotQueries,
      Path file) {
    long kept() {
      return of(Fate.KEPT);
    }

    long of(Fate fate) {
      return tally.of(fate);
    }

    byte[] bytes() throws IOException {
      workload.write(file);
      return Files.readAllBytes(file);
    }
  }
}
