// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarcSnapshotTest {
  private static final String UNDATED =
      "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 1\r\n\r\nx\r\n\r\n";

  @TempDir Path folder;

  /** It may be sound, and the advice to replace it would be wrong. */
  @Test
  void aFileThatTheSystemDoesNotGiveIsNotSaidToBeDamaged() {
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> WarcSnapshot.open(folder)) // opened, but not read
        .withMessageStartingWith("cannot read " + folder + ": ")
        .withMessageNotContaining("WARC");
    assertThat(CrawlException.unreadable("read a.warc", new AccessDeniedException("/c/a.warc")))
        .hasMessage("cannot read a.warc: no permission for /c/a.warc");
    assertThat(CrawlException.unreadable("read a.warc", new ClosedByInterruptException()))
        .hasMessage("cannot read a.warc: java.nio.channels.ClosedByInterruptException");
  }

  @Test
  void openingReadsNoFurtherThanToTheFirstDate() throws IOException {
    String dated = UNDATED.replace("\r\nContent", "\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent");
    Path file = Files.writeString(folder.resolve("a.warc"), UNDATED + dated + "no record");
    assertThat(WarcSnapshot.open(file).time()).isEqualTo(Instant.parse("2024-01-01T00:00:00Z"));
  }

  /** Files that were merged or packed anew have today's. */
  @Test
  void theDateOfWarcinfoWhichIsThatOfTheFileCountsOnlyWhereThereIsNoOther() throws IOException {
    String answer =
        UNDATED.replace("\r\nContent", "\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent");
    String info = answer.replace("metadata", "warcinfo").replace("2024-01", "2025-06");
    Path file = Files.writeString(folder.resolve("a.warc"), info + UNDATED + answer);
    assertThat(WarcSnapshot.open(file).time()).isEqualTo(Instant.parse("2024-01-01T00:00:00Z"));
    Files.writeString(file, info + info.replace("2025-06", "2025-07") + UNDATED);
    assertThat(WarcSnapshot.open(file).time()).isEqualTo(Instant.parse("2025-06-01T00:00:00Z"));
  }

  @Test
  void aFileOfWhichNoRecordHasADateIsNotSaidToBeEmpty() throws IOException {
    Path file = Files.writeString(folder.resolve("a.warc"), UNDATED + UNDATED);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> WarcSnapshot.open(file))
        .withMessage(
            file
                + " has no record with a readable WARC-Date: replace it with a complete WARC file");
  }

  @Test
  void theRecordThatTheDocumentsShowIsThatOfAPage() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "crawlers.md"));
    int begin = document.indexOf("```\n  WARC/1.1\n");
    String block =
        document.substring(begin + "```\n".length(), document.indexOf("  ```", begin + 4));
    String record = block.replaceAll("(?m)^  ", "").replace("\n", "\r\n");
    Files.writeString(
        folder.resolve("2024-01-01.warc"), record.replace("news/1", "news/2") + record);
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(folder).read(0, pages::add);
    assertThat(tally.lines()).isEmpty();
    Instant time = Instant.parse("2024-01-01T00:00:00Z");
    assertThat(pages)
        .containsExactly(
            new CrawledPage("https://example.org/news/2", time, "A page", "Its text"),
            new CrawledPage("https://example.org/news/1", time, "A page", "Its text"));
  }

  /** Its first bytes say what it is. */
  @Test
  void aPackedFileDamagedInItsFirstRecordIsSaidToBeDamagedAndNotToBeSomethingElse()
      throws IOException {
    Path file = folder.resolve("a.warc.gz");
    new RecordedWarc(file, "2024-01-01T00:00:00Z").close();
    byte[] bytes = Files.readAllBytes(file);
    byte[] changed = bytes.clone();
    Arrays.fill(changed, 20, 40, (byte) 0xff);
    for (byte[] damaged : new byte[][] {Arrays.copyOf(bytes, 40), changed}) {
      Files.write(file, damaged);
      assertThatExceptionOfType(CrawlException.class)
          .isThrownBy(() -> WarcSnapshot.open(file))
          .withMessageStartingWith(file + " is truncated or damaged (")
          .withMessageEndingWith("): replace it with a complete WARC file or remove it");
    }
  }
}
