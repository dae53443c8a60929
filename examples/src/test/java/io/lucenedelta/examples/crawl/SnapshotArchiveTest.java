// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotArchiveTest {
  private static final String MONDAY = "2024-01-01T00:00:00Z";
  private static final String NEXT_MONDAY = "2024-01-08T00:00:00Z";

  @TempDir Path crawl;

  @ParameterizedTest
  @CsvSource({
    "2024-01-08, 2024-01-08T00:00:00Z",
    "2024-01-08T12:30:15Z, 2024-01-08T12:30:15Z",
    "2024-01-08T12:30, 2024-01-08T12:30:00Z",
    "crawl-2024-01-08T123015Z, 2024-01-08T12:30:15Z",
    "2024-01-08T99:30:00Z, 2024-01-08T00:00:00Z",
    "2024-01-08Twelve, 2024-01-08T00:00:00Z",
    "20240108123015, 2024-01-08T12:30:15Z"
  })
  void aFolderHasTheTimeThatItsNameTells(String name, Instant time) throws IOException {
    Files.createDirectory(crawl.resolve(name));
    assertThat(SnapshotArchive.open(crawl).time(0)).isEqualTo(time);
  }

  @Test
  void warcFilesAreSnapshotsInNameOrder() throws IOException {
    try (RecordedWarc later = new RecordedWarc(crawl.resolve("b.warc"), NEXT_MONDAY)) {
      later.page("http://a/2", "text/plain", "second");
    }
    try (RecordedWarc first = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      first.page("http://a/1", "text/plain", "one").page("http://a/2", "text/plain", "two");
    }
    Files.writeString(crawl.resolve("README.md"), "not a snapshot");

    SnapshotArchive archive = SnapshotArchive.open(crawl);

    assertThat(archive.size()).isEqualTo(2);
    assertThat(archive.name(0)).isEqualTo("a.warc.gz");
    assertThat(archive.time(1)).isEqualTo(Instant.parse(NEXT_MONDAY));
    assertThat(read(archive, 0)).extracting(CrawledPage::text).containsExactly("one", "two");
    assertThat(read(archive, 1))
        .containsExactly(new CrawledPage("http://a/2", Instant.parse(NEXT_MONDAY), "", "second"));
  }

  @Test
  void warcFilesOfOneFolderAreOneSnapshot() throws IOException {
    Path first = Files.createDirectory(crawl.resolve("2024-01"));
    Path second = Files.createDirectory(crawl.resolve("2024-02"));
    try (RecordedWarc part = new RecordedWarc(first.resolve("crawl-00001.warc.gz"), NEXT_MONDAY)) {
      part.page("http://a/2", "text/plain", "two");
    }
    try (RecordedWarc part = new RecordedWarc(first.resolve("crawl-00000.warc.gz"), MONDAY)) {
      part.page("http://a/1", "text/plain", "one").page("http://a/0", "image/png", "");
    }
    Files.writeString(first.resolve("crawl.log"), "no page");
    try (RecordedWarc part = new RecordedWarc(second.resolve("x.warc"), "2024-02-01T00:00:00Z")) {
      part.page("http://a/1", "text/plain", "uno");
    }

    SnapshotArchive archive = SnapshotArchive.open(crawl);

    assertThat(archive.size()).isEqualTo(2);
    assertThat(archive.name(0)).isEqualTo("2024-01");
    assertThat(archive.time(0)).isEqualTo(Instant.parse(MONDAY));
    assertThat(read(archive, 0))
        .extracting(CrawledPage::text, page -> page.fetched().toString())
        .containsExactly(tuple("one", MONDAY), tuple("two", NEXT_MONDAY));
    assertThat(counts(archive.read(0, page -> {}))).isEqualTo("2 pages, 1 NOT_TEXT");
    assertThat(read(archive, 1)).extracting(CrawledPage::text).containsExactly("uno");
  }

  @Test
  void someSnapshotsInWarcFilesAndOthersNotAreRefused() throws IOException {
    Path first = Files.createDirectory(crawl.resolve("a"));
    Path second = Files.createDirectory(crawl.resolve("b"));
    Files.writeString(second.resolve("page.txt"), "text");
    try (RecordedWarc part = new RecordedWarc(first.resolve("1.warc"), MONDAY)) {
      part.page("http://a/1", "text/plain", "one");
    }
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> SnapshotArchive.open(crawl))
        .withMessage(
            "folder %s holds no WARC file, the one before it does: put every snapshot into WARC files, or none"
                .formatted(second));
    Files.move(second, crawl.resolve("0"));
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> SnapshotArchive.open(crawl))
        .withMessage(
            "folder %s holds WARC files, the one before it none: put every snapshot into WARC files, or none"
                .formatted(first));
  }

  @Test
  void severalWarcFilesOfOneTimeAreRefusedWithAdvice() throws IOException {
    for (String name : List.of("a.warc", "b.warc")) {
      try (RecordedWarc part = new RecordedWarc(crawl.resolve(name), MONDAY)) {
        part.page("http://a/1", "text/plain", "one");
      }
    }
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> SnapshotArchive.open(crawl))
        .withMessageContaining("a.warc (2024-01-01T00:00:00Z) is followed by b.warc")
        .withMessageContaining("WARC files of one snapshot belong into a folder of their own");
  }

  @Test
  void warcFilesFarNearerToEachOtherThanOthersAreAskedToBeParts() throws IOException {
    for (String day : List.of("01", "08", "15")) {
      for (String minute : List.of("00", "20", "40")) {
        String time = "2024-01-" + day + "T00:" + minute + ":00Z";
        new RecordedWarc(crawl.resolve(day + "-" + minute + ".warc"), time).close();
      }
    }
    assertThat(SnapshotArchive.open(crawl).remarks())
        .containsExactly(
            crawl.resolve("01-00.warc")
                + " (2024-01-01T00:00:00Z) and 01-20.warc (2024-01-01T00:20:00Z) are more than 10"
                + " times nearer to each other than snapshots are on average: are they parts of one?"
                + " put the parts of each snapshot into a folder");
  }

  @Test
  void warcFilesOfCrawlsThatAreLateOrMissingAreNot() throws IOException {
    for (String day : List.of("01-01", "01-08", "01-10", "01-15", "01-22", "01-29", "03-04")) {
      new RecordedWarc(crawl.resolve(day + ".warc"), "2024-" + day + "T00:00:00Z").close();
    }
    assertThat(SnapshotArchive.open(crawl).remarks()).isEmpty();
  }

  @Test
  void namesInUpperCaseAreNamesOfWarcFilesToo() throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.page("http://a/1", "text/plain", "one");
    }
    Files.move(crawl.resolve("a.warc.gz"), crawl.resolve("A.WARC.GZ"));
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsExactly("one");
  }

  @Test
  void warcFilesBesideFoldersOfWarcFilesAreRefused() throws IOException {
    Path folder = Files.createDirectory(crawl.resolve("b"));
    new RecordedWarc(crawl.resolve("a.warc"), MONDAY).close();
    new RecordedWarc(folder.resolve("1.warc"), NEXT_MONDAY).close();
    rejects(
        "holds the WARC file a.warc and the folder b with WARC files in it: put every snapshot into"
            + " a file, or every one into a folder");
  }

  @Test
  void partsOfCrawlsInOtherShapesAreNamed() throws IOException {
    Path folder = Files.createDirectory(crawl.resolve("a"));
    new RecordedWarc(folder.resolve("1.warc"), MONDAY).close();
    for (String name : List.of("2.warc.zst", "3.WARC.GZ.OPEN", "crawl.log", "1.warc.gz.md5")) {
      Files.writeString(folder.resolve(name), "");
    }
    for (String name : List.of("b.arc.gz", "c.wacz", "notes.txt")) {
      Files.writeString(crawl.resolve(name), "");
    }
    assertThat(SnapshotArchive.open(crawl).passedOver())
        .containsExactly("a/2.warc.zst", "a/3.WARC.GZ.OPEN", "b.arc.gz", "c.wacz");
  }

  /** As Heritrix writes them, with its reports and links to the last ones beside. */
  @Test
  void warcFilesOfAJobAreThoseInTheOneFolderBelowThatHasSome() throws IOException {
    for (String day : List.of("01", "08")) {
      Path job = crawl.resolve("202401" + day + "123000");
      Files.createDirectories(job.resolve("reports"));
      Files.writeString(job.resolve("reports/crawl-report.txt"), "no page");
      for (String part : List.of("0", "1")) {
        Path file = Files.createDirectories(job.resolve("a/warcs")).resolve(part + ".warc.gz");
        try (RecordedWarc warc = new RecordedWarc(file, "2024-01-" + day + "T12:30:00Z")) {
          warc.page("http://a/" + part, "text/plain", "page " + part + " of " + day);
        }
      }
      Files.createSymbolicLink(job.resolve("latest"), Path.of("a"));
      Path removed = Files.createDirectories(job.resolve(".trash")).resolve("0.warc.gz");
      new RecordedWarc(removed, "2024-01-" + day + "T12:30:00Z").close();
    }
    Files.createSymbolicLink(crawl.resolve("latest"), Path.of("20240108123000"));
    Files.writeString(crawl.resolve("20240108123000/a/x.warc.zst"), "");
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThat(archive.size()).isEqualTo(2);
    assertThat(archive.name(1)).isEqualTo("20240108123000");
    assertThat(archive.time(1)).isEqualTo(Instant.parse("2024-01-08T12:30:00Z"));
    assertThat(read(archive, 1))
        .extracting(CrawledPage::text)
        .containsExactly("page 0 of 08", "page 1 of 08");
    assertThat(archive.passedOver()).containsExactly("20240108123000/a/x.warc.zst");
    assertThat(archive.remarks())
        .containsExactly(
            crawl.resolve("latest") + " is left out: it is a link to 20240108123000",
            "the WARC files of folder %s are those in %1$s/a/warcs: nothing else in it is read"
                .formatted(crawl.resolve("20240101123000")));
  }

  @Test
  void warcFilesInSeveralFoldersOfOneSnapshotAreRefused() throws IOException {
    for (String day : List.of("01", "08")) {
      Path run = Files.createDirectories(crawl.resolve("job/202401" + day + "/warcs"));
      new RecordedWarc(run.resolve("0.warc"), "2024-01-" + day + "T00:00:00Z").close();
    }
    rejects(
        "job has WARC files in 20240101/warcs and in 20240108/warcs: put those of a snapshot into"
            + " one folder, and name the directory that has a folder for each snapshot");
    assertThat(SnapshotArchive.open(crawl.resolve("job")).size()).isEqualTo(2);
  }

  @Test
  void warcFilesInFoldersBesideThoseThatAreReadAreNamed() throws IOException {
    Path folder = Files.createDirectories(crawl.resolve("a/old")).getParent();
    new RecordedWarc(folder.resolve("1.warc"), MONDAY).close();
    new RecordedWarc(folder.resolve("old/0.warc"), MONDAY).close();
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThat(archive.passedOver()).containsExactly("a/old/0.warc");
    assertThat(archive.remarks()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.warc.zst", "archive/a.wacz", "warcs/a.warc.gz.open"})
  void partsOfCrawlsThatAreNotReadAreNoPagesBesidePages(String name) throws IOException {
    Path folder = crawl.resolve("2024-01-01");
    Files.createDirectories(folder.resolve(name).getParent());
    Files.writeString(folder.resolve(name), "");
    Files.writeString(folder.resolve("report.html"), "no page");
    rejects("2024-01-01 holds " + name + ", which is not read: turn it into a .warc.gz file or,");
  }

  @Test
  void aWarcFileThatIsALinkToAnotherIsLeftOut(@TempDir Path elsewhere) throws IOException {
    new RecordedWarc(elsewhere.resolve("x.warc"), MONDAY).close();
    Files.createSymbolicLink(crawl.resolve("a.warc"), elsewhere.resolve("x.warc"));
    new RecordedWarc(crawl.resolve("b.warc"), NEXT_MONDAY).close();
    Files.createSymbolicLink(crawl.resolve("latest.warc"), crawl.resolve("b.warc"));
    Files.createSymbolicLink(crawl.resolve("next.warc"), crawl.resolve("c.warc"));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThat(archive.size()).isEqualTo(2);
    assertThat(archive.remarks())
        .containsExactly(crawl.resolve("latest.warc") + " is left out: it is a link to b.warc");
    assertThat(archive.passedOver()).isEmpty();
  }

  @Test
  void aDirectoryWithoutACrawlSaysWhatIsThere() throws IOException {
    for (String name : List.of("a.warc.zst", "b.arc", "c", "d", "e")) {
      Files.writeString(crawl.resolve(name), "");
    }
    rejects("holds no crawl but a.warc.zst, b.arc, c and 2 more: put one .warc or .warc.gz file");
  }

  @Test
  void htmlGivesItsTitleAndVisibleText() throws IOException {
    assertThat(
            onlyPage(
                "text/html",
                "<html><head><title> A  title </title><style>p{}</style></head>"
                    + "<body><p>seen</p><script>hidden()</script><p>text</p></body></html>"))
        .extracting(CrawledPage::title, CrawledPage::text)
        .containsExactly("A title", "seen text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"---", "..."})
  void markdownLosesItsFrontMatterButKeepsItsTitle(String end) throws IOException {
    String front = "---\ntags: [x]\ntitle: 'The title'\n" + end + "\n";
    assertThat(onlyPage("text/markdown", front + "\n# Body\n"))
        .extracting(CrawledPage::title, CrawledPage::text)
        .containsExactly("The title", "\n# Body\n");
  }

  @Test
  void markdownWithoutFrontMatterIsNamedByItsFirstHeading() throws IOException {
    assertThat(onlyPage("text/markdown", "intro\n\n## Heading here ##\n---\nmore\n---\n"))
        .extracting(CrawledPage::title, CrawledPage::text)
        .containsExactly("Heading here", "intro\n\n## Heading here ##\n---\nmore\n---\n");
  }

  @Test
  void frontMatterThatIsNeverClosedIsText() throws IOException {
    assertThat(onlyPage("text/markdown", "---\ntitle: x\nbody").text())
        .isEqualTo("---\ntitle: x\nbody");
  }

  @Test
  void restructuredTextIsNamedByItsFirstUnderlinedLine() throws IOException {
    assertThat(onlyPage("text/x-rst", "=====\nTitle\n=====\n\ntext\n----\n"))
        .extracting(CrawledPage::title, CrawledPage::text)
        .containsExactly("Title", "=====\nTitle\n=====\n\ntext\n----\n");
  }

  @Test
  void theDeclaredCharsetIsObeyed() throws IOException {
    byte[] latin = "café".getBytes(StandardCharsets.ISO_8859_1);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      warc.page("http://a/1", "text/plain; charset=iso-8859-1", latin);
      warc.page("http://a/2", "text/html", html("iso-8859-1", latin));
      warc.page("http://a/3", "text/plain; charset=no-such-charset", "café");
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsExactly("café", "café", "café");
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_100, 5_200, 60_000})
  void aCharsetIsObeyedWhereverInThePageItIsDeclared(int letters) throws IOException {
    String script = "<head><script>" + "x".repeat(letters) + "</script>";
    byte[] cyrillic =
        (script + "<meta charset=windows-1251><title>мир</title><p>привет")
            .getBytes(Charset.forName("windows-1251"));
    byte[] chinese =
        (script + "<meta http-equiv=Content-Type content='text/html; charset=GBK'><p>朱镕基")
            .getBytes(Charset.forName("GBK"));
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      warc.page("http://a/1", "text/html", cyrillic);
      warc.page("http://a/2", "text/html", chinese);
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::title, CrawledPage::text)
        .containsExactly(tuple("мир", "привет"), tuple("", "朱镕基"));
  }

  @ParameterizedTest
  @CsvSource({
    "iso-8859-1, windows-1252, don’t cœur €",
    "us-ascii, windows-1252, don’t cœur €",
    "iso-8859-9, windows-1254, don’t ğ €",
    "tis-620, x-windows-874, ไทย €",
    "gb2312, GB18030, 朱镕基 喆",
    "gbk, GB18030, 镕 €",
    "big5, Big5-HKSCS, 香港 㗎",
    "shift_jis, windows-31j, ①㈱髙島屋",
    "euc-kr, x-windows-949, 똠방각하 펲",
    "ks_c_5601-1987, x-windows-949, 똠방각하 펲",
    "iso-8859-11, x-windows-874, ไทย €",
    "ISO-8859-8-I, ISO-8859-8, שלום",
    "logical, ISO-8859-8, שלום",
    "x-cp1251, windows-1251, привет",
    "macintosh, x-MacRoman, café",
    "x-gbk, GB18030, 镕 €",
    "korean, x-windows-949, 똠방각하 펲",
    "utf-16, UTF-8, grüße"
  })
  void aCharsetIsWhatItsNameMeansToBrowsers(String name, String meant, String text)
      throws IOException {
    byte[] bytes = text.getBytes(Charset.forName(meant));
    assertThat(new String(bytes, Charset.forName(meant))).isEqualTo(text);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      warc.page("http://a/1", "text/html", html(name, bytes));
      if (!name.equals("utf-16")) { // which a header may well say
        warc.page("http://a/2", "text/html; charset=" + name, bytes);
        warc.page("http://a/3", "text/plain; charset=" + name, bytes);
      }
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsOnly(text);
  }

  @Test
  void textOfNoCharsetIsUtf8OrElseWindows1252() throws IOException {
    byte[] western = "# “café”".getBytes(Charset.forName("windows-1252"));
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      warc.page("http://a/1", "text/markdown", western);
      warc.page("http://a/2", "text/plain", western);
      warc.page("http://a/3", "text/x-rst", "# “café”");
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsOnly("# “café”");
  }

  @Test
  void htmlOfNoCharsetIsUtf8OrElseWindows1252AsInBrowsers() throws IOException {
    byte[] western = "<title>café</title><p>“10 €”".getBytes(Charset.forName("windows-1252"));
    byte[] unicode = "<title>café</title><p>“10 €”".getBytes(StandardCharsets.UTF_8);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      warc.page("http://a/1", "text/html", western);
      warc.page("http://a/2", "text/html", unicode);
      warc.page("http://a/3", "text/html; charset=no-such-charset", western);
      warc.page("http://a/4", "text/html", html("no-such-charset", western));
      warc.page("http://a/5", "text/html", Arrays.copyOf(unicode, unicode.length - 4));
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::title, CrawledPage::text)
        .containsExactly(
            tuple("café", "“10 €”"),
            tuple("café", "“10 €”"),
            tuple("café", "“10 €”"),
            tuple("", "café “10 €”"),
            tuple("café", "“10 \uFFFD"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<meta charset=utf-8>",
        "<meta http-equiv='Content-Type' content='text/html; charset=UTF-8'>",
        "<?xml version='1.0' encoding='utf-8'?>",
        "\uFEFF"
      })
  void declaredUtf8StaysUtf8WhereItsBytesAreNot(String declaration) throws IOException {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    page.write((declaration + "<p>größe ").getBytes(StandardCharsets.UTF_8));
    page.write(0xE9);
    page.write('.');
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      warc.page("http://a/1", "text/html", page.toByteArray());
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsExactly("größe \uFFFD.");
  }

  @Test
  void contentCodingsAreUndone() throws IOException {
    ContentCodingTest.assumeItCanBeUndone("zstd");
    byte[] plain = "packed".getBytes(StandardCharsets.UTF_8);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.encoded("http://a/1", "gzip", "text/plain", gzip(plain));
      warc.encoded("http://a/2", "gzip", "text/plain", plain);
      warc.encoded("http://a/3", "gzip", "text/plain", Arrays.copyOf(gzip(plain), 12));
      warc.encoded("http://a/4", "zstd", "text/plain", gzip(plain));
      warc.page("http://a/5", "text/plain", "last");
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("packed", "packed", "last");
    assertThat(counts(tally)).isEqualTo("3 pages, 2 BROKEN");
  }

  @Test
  void whatStandsBehindAZippedBodyIsPassedOverAndTransferCodingsAreUndone() throws IOException {
    byte[] packed = gzip("packed".getBytes(StandardCharsets.UTF_8));
    byte[] longer = Arrays.copyOf(packed, packed.length + 7);
    longer[packed.length + 2] = 'x';
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.encoded("http://a/1", "gzip", "text/plain", longer);
      warc.transferred("http://a/2", "gzip", "text/plain", packed);
      warc.transferred(
          "http://a/3", "x-gzip", "text/plain", "packed".getBytes(StandardCharsets.UTF_8));
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(counts(tally)).isEqualTo("3 pages");
    assertThat(pages).extracting(CrawledPage::text).containsOnly("packed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "utf-8", "unheard-of", "identity", "br", "deflate", "zstd"})
  void aBodyThatNeedsNoDecodingIsRead(String coding) throws IOException {
    ContentCodingTest.assumeItCanBeUndone(coding);
    byte[] text = "<p>decoded\r\n\talready</p>".getBytes(StandardCharsets.UTF_8);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.encoded("http://a/1", coding, "text/html", text);
      warc.encoded("http://a/2", coding + ",", "text/html", text);
      warc.encoded("http://a/3", coding + ", gzip", "text/html", gzip(text));
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages)
        .extracting(CrawledPage::text)
        .containsExactly("decoded already", "decoded already", "decoded already");
    assertThat(counts(tally)).isEqualTo("3 pages");
  }

  @Test
  void aByteOrderMarkTellsHowTextIsWritten() throws IOException {
    Path week = Files.createDirectories(crawl.resolve("2024-01-01"));
    Files.write(week.resolve("a.txt"), "\uFEFFgröße".getBytes(StandardCharsets.UTF_16LE));
    Files.write(week.resolve("b.md"), "\uFEFF# größe".getBytes(StandardCharsets.UTF_16BE));
    Files.write(week.resolve("c.txt"), "\uFEFFgröße".getBytes(StandardCharsets.UTF_8));
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::title, CrawledPage::text)
        .containsExactly(tuple("", "größe"), tuple("größe", "# größe"), tuple("", "größe"));
  }

  @Test
  void whatIsNotTextOrNotFoundIsCounted() throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.page("http://a/1", "image/png", new byte[] {1, 2, 3});
      warc.status("http://a/2", 404);
      warc.resource("http://a/3", "text/plain", "a resource");
      warc.page("http://a/4.bin", "application/octet-stream", new byte[9]);
      warc.page("http://a/5.txt?x=1", "application/octet-stream", "by its name");
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("a resource", "by its name");
    assertThat(counts(tally)).isEqualTo("2 pages, 1 STATUS, 2 NOT_TEXT");
  }

  @Test
  void whereTheServerTellsNoTypeTheCrawlersOrElseTheExtensionCounts() throws IOException {
    String header = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\n";
    String seen = "\r\nWARC-Identified-Payload-Type: ";
    Files.writeString(
        crawl.resolve("a.warc"),
        untyped(header + "WARC-Target-URI: http://a/1" + seen + "text/html", "<p>seen")
            + untyped(header + "WARC-Target-URI: http://a/2" + seen + "image/png", "a picture")
            + untyped(header + "WARC-Target-URI: http://a/3.txt", "by its name")
            + untyped(header + "WARC-Target-URI: http://a/4", "nothing tells")
            + record(header + "WARC-Target-URI: http://a/5" + seen + "image/png", "told"));
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("seen", "by its name", "told");
    assertThat(counts(tally)).isEqualTo("3 pages, 1 NOT_TEXT, 1 NO_TYPE");
  }

  @Test
  void aRevisitOfAnotherAddressDoesNotSayThatThePageIsWhatItWas() throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.page("http://a/1", "text/plain", "a page");
      warc.revisit("http://a/2", "http://a/1").revisit("http://a/3", "<http://a/1>");
      warc.revisit("http://a/4", "http://a/4").revisit("http://a/5", " <http://a/5>");
    }
    Heard heard = new Heard();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, heard);
    assertThat(heard.failed).containsExactly("http://a/2", "http://a/3");
    assertThat(counts(tally)).isEqualTo("1 pages, 2 ELSEWHERE, 2 UNCHANGED");
  }

  @Test
  void addressesThatGaveNoPageAreHandedOutAndThoseSaidToBeUnchangedWithTheirTime()
      throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.status("http://a/gone", 410).status("http://a/same", 304);
      warc.page("http://a/1", "text/plain", "a page");
      warc.page("http://a/picture", "image/png", new byte[9]);
      warc.encoded("http://a/cut", "br", "text/plain", new byte[9]);
      warc.revisit("http://a/again", 200).revisit("http://a/gone-again", 404);
    }
    Heard heard = new Heard();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, heard);
    assertThat(heard.pages).containsExactly("http://a/1");
    assertThat(heard.failed)
        .containsExactly(
            "http://a/gone", "http://a/picture", "http://a/cut", "http://a/gone-again");
    assertThat(heard.unchanged)
        .containsExactly("http://a/same at " + MONDAY, "http://a/again at " + MONDAY);
    assertThat(counts(tally)).isEqualTo("1 pages, 2 STATUS, 1 BROKEN, 1 NOT_TEXT, 2 UNCHANGED");
    assertThat(tally.leftOut()).isEqualTo(4);
    assertThat(tally.lines())
        .contains("left out, status other than 200: 2, first 410 http://a/gone");
  }

  @Test
  void whatCrawlersNoteOfThemselvesIsNoPage() throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.resource("metadata://gnu.org/software/wget/warc/MANIFEST.txt", "text/plain", "<urn:1>");
      warc.resource("metadata://gnu.org/software/wget/warc/wget.log", "text/plain", "saved");
      warc.resource("urn:X-wget:arguments", "text/plain", "--warc-file=a");
      warc.resource("dns:a", "text/dns", "1.2.3.4");
      warc.resource("FTP://a/1.txt", "text/plain", "fetched by ftp");
      warc.page("HTTPS://a/2", "text/plain", "fetched by https");
      warc.page("warcinfo:a", "text/plain", "no page");
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::key).containsExactly("FTP://a/1.txt", "HTTPS://a/2");
    assertThat(counts(tally)).isEqualTo("2 pages, 5 OTHER");
    assertThat(tally.leftOut()).isZero();
    assertThat(tally.lines())
        .containsExactly(
            "no pages, other records: 5, first metadata://gnu.org/software/wget/warc/MANIFEST.txt");
  }

  @Test
  void addressesInAngleBracketsAreThoseWithin() throws IOException {
    String good = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http";
    Files.writeString(
        crawl.resolve("a.warc"), record(good + "\r\nWARC-Target-URI: <http://a/1>", "by wget"));
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::key)
        .containsExactly("http://a/1");
  }

  @Test
  void foldersAreSnapshotsWithFilesAsPages() throws IOException {
    Files.createDirectories(crawl.resolve("week-2024-01-08/sub"));
    Files.createDirectories(crawl.resolve("week-2024-01-01"));
    Files.writeString(crawl.resolve("week-2024-01-01/z.txt"), "z");
    Files.writeString(crawl.resolve("week-2024-01-08/sub/a.md"), "# A");
    Files.writeString(crawl.resolve("week-2024-01-08/b.png"), "no text");

    SnapshotArchive archive = SnapshotArchive.open(crawl);

    assertThat(archive.time(0)).isEqualTo(Instant.parse(MONDAY));
    assertThat(read(archive, 1))
        .containsExactly(new CrawledPage("sub/a.md", Instant.parse(NEXT_MONDAY), "A", "# A"));
  }

  @Test
  void foldersWithoutDatesCountAsWeekly() throws IOException {
    Files.createDirectories(crawl.resolve("s1"));
    Files.createDirectories(crawl.resolve("s2"));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThat(archive.time(1)).isEqualTo(Instant.parse("2000-01-08T00:00:00Z"));
    assertThat(archive.assumesWeeks()).isTrue();
  }

  @Test
  void aDateMayHaveNoDashes() throws IOException {
    Files.createDirectories(crawl.resolve("20240101"));
    Files.createDirectories(crawl.resolve("20240108-docs"));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThat(archive.time(0)).isEqualTo(Instant.parse(MONDAY));
    assertThat(archive.time(1)).isEqualTo(Instant.parse(NEXT_MONDAY));
    assertThat(archive.assumesWeeks()).isFalse();
  }

  @Test
  void aDateMayHaveATimeOfDay() throws IOException {
    Files.createDirectories(crawl.resolve("crawl-20240101063000"));
    Files.createDirectories(crawl.resolve("crawl-20240101183015"));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThat(archive.time(0)).isEqualTo(Instant.parse("2024-01-01T06:30:00Z"));
    assertThat(archive.time(1)).isEqualTo(Instant.parse("2024-01-01T18:30:15Z"));
    assertThat(archive.assumesWeeks()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "20241301",
        "12345678",
        "120240101",
        "202401011",
        "20240230000000",
        "20240101240000",
        "202401010000000"
      })
  void otherNumbersAreNoDates(String name) throws IOException {
    Files.createDirectories(crawl.resolve(name));
    assertThat(SnapshotArchive.open(crawl).assumesWeeks()).isTrue();
  }

  @Test
  void undatedFoldersWhoseNamesPutTenBeforeTwoAreRejected() throws IOException {
    for (String name : List.of("week1", "week2", "week9")) {
      Files.createDirectories(crawl.resolve(name));
    }
    assertThat(SnapshotArchive.open(crawl).size()).isEqualTo(3);
    Files.createDirectories(crawl.resolve("week10"));
    rejects("week10 comes before week2: number the folders with leading zeros, or name them by");
  }

  @ParameterizedTest
  @CsvSource({"w20, w100", "1.9, 1.10", "9999999999999999999-x, 10000000000000000000-x"})
  void undatedFoldersWhoseNamesDoNotFollowNumbersOfAnyLengthAreRejected(String first, String next)
      throws IOException {
    Files.createDirectories(crawl.resolve(first));
    Files.createDirectories(crawl.resolve(next));
    rejects(next + " comes before " + first + ": number the folders with leading zeros");
  }

  @ParameterizedTest
  @CsvSource({
    "2024/01/08, 2024/01/15, 2024-01-01",
    "2024/12, 2025/01, 2024-01-01",
    "2024-01/08, 2024-02/05, 2024-01-01",
    "2024/01-08, 2024/01-15, 2024-01-01",
    "2023/2023-12, 2024/2024-01, 2023-01-01",
    "2023/2023-12-31, 2024/2024-01-08, 2023-01-01",
    "2023/20231231, 2024/20240108, 2023-01-01",
    "2023/2023-12-31_06-30-00, 2024/2024-01-08_12-30-00, 2023-01-01",
    "2023/20231231_063000, 2024/20240108_123000, 2023-01-01",
    "2024/2024-01-08T12:30:00Z, 2024/20240115063000, 2024-01-01",
    "2024-01/2024-01-08, 2024-02/2024-02-05, 2024-01-01"
  })
  void foldersOfMonthsOrDaysInFoldersOfYearsAreRejected(String first, String next, String asOne)
      throws IOException {
    for (String snapshot : List.of(first, next)) {
      Path folder = Files.createDirectories(crawl.resolve(snapshot));
      Files.writeString(folder.resolve("p.html"), "<p>text");
    }
    String year = first.substring(0, first.indexOf('/'));
    String below = first.split("/")[1];
    rejects(year + " holds folders such as " + below + ", as of months or days: a snapshot is");
    rejects("if " + year + " is one snapshot, name it " + asOne);
    Files.writeString(crawl.resolve(year).resolve("index.html"), "<p>of the year");
    assertThat(SnapshotArchive.open(crawl).assumesWeeks()).isTrue();
  }

  /** Archives of a site by year, and posts in folders of their own. */
  @ParameterizedTest
  @CsvSource({
    "2023/2019, 2024/2019",
    "2023/2023, 2024/2024",
    "2023/2019-05, 2024/2019-05",
    "2023/2019-05-01, 2024/2019-05-01",
    "2023/2023-05-01-my-post, 2024/2024-01-08-my-post",
    "2023/post-2023-05-01, 2024/post-2024-01-08",
    "2023-01/2023-02-01, 2023-02/2023-01-01",
    "2023/2023-02-30, 2024/2024-02-30"
  })
  void foldersOfOtherDatesInFoldersOfYearsAreOfPages(String first, String next) throws IOException {
    for (String snapshot : List.of(first, next)) {
      Path folder = Files.createDirectories(crawl.resolve(snapshot));
      Files.writeString(folder.resolve("p.html"), "<p>text");
    }
    assertThat(read(SnapshotArchive.open(crawl), 1))
        .extracting(CrawledPage::key)
        .containsExactly(next.substring(next.indexOf('/') + 1) + "/p.html");
  }

  @Test
  void numbersOfEqualLengthAndDatesMayHaveAnythingBesideThem() throws IOException {
    for (String name : List.of("a-01", "a-02", "a-10", "b-03", "b1x")) {
      Files.createDirectories(crawl.resolve(name));
    }
    assertThat(SnapshotArchive.open(crawl).size()).isEqualTo(5);
  }

  @Test
  void someFoldersWithAndSomeWithoutADateAreRejected() throws IOException {
    Files.createDirectories(crawl.resolve("2024-01-01"));
    Files.createDirectories(crawl.resolve("later"));
    rejects("later has none: give every snapshot a date");
  }

  @Test
  void aMissingDirectoryIsNamed() {
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> SnapshotArchive.open(crawl.resolve("nowhere")))
        .withMessageContaining("no crawl directory")
        .withMessageContaining("nowhere: check the path");
  }

  @Test
  void whatIsGoneWhenItsTurnComesIsSaidToBeMissing() throws IOException {
    Path folder = Files.createDirectory(crawl.resolve("2024-01-01"));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    Files.delete(folder);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> archive.read(0, page -> {}))
        .withMessage("cannot read 2024-01-01: no file " + folder);
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRejected() throws IOException {
    Path file = Files.writeString(crawl.resolve("x"), "y");
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> SnapshotArchive.open(file))
        .withMessageContaining("is a file: name the directory");
  }

  @Test
  void anEmptyDirectoryIsRejected() {
    rejects("holds no crawl: put one .warc or .warc.gz file, or one folder");
  }

  @Test
  void anEmptyWarcFileIsRejected() throws IOException {
    Files.writeString(crawl.resolve("a.warc"), "");
    rejects("a.warc is empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "this is no WARC file at all\n", "WARC/1.1\r\nbroken"})
  void aFileThatIsNoWarcFileIsRejected(String content) throws IOException {
    Files.writeString(crawl.resolve("a.warc"), content);
    rejects("a.warc is ");
  }

  @Test
  void aGzipFileOfSomethingElseIsRejected() throws IOException {
    Files.write(crawl.resolve("a.warc.gz"), gzip("hello there\n".getBytes(StandardCharsets.UTF_8)));
    rejects("a.warc.gz is not a WARC file");
  }

  @Test
  void snapshotsOutOfTimeOrderAreRejected() throws IOException {
    new RecordedWarc(crawl.resolve("a.warc"), NEXT_MONDAY).close();
    new RecordedWarc(crawl.resolve("b.warc"), MONDAY).close();
    rejects("must be in time order by name, a second apart at least: a.warc");
  }

  @Test
  void snapshotsOfOneSecondAreRejectedAndThoseOfTwoAreNot() throws IOException {
    new RecordedWarc(crawl.resolve("a.warc"), MONDAY).close();
    Files.writeString(
        crawl.resolve("b.warc"), // whose time no writer may round
        record(
            "WARC-Date: 2024-01-01T00:00:00.999Z\r\nContent-Type: application/http\r\n"
                + "WARC-Target-URI: http://a/1",
            "page"));
    rejects(
        "a second apart at least: a.warc (2024-01-01T00:00:00Z) is followed by b.warc"
            + " (2024-01-01T00:00:00.999Z)");
    new RecordedWarc(crawl.resolve("b.warc"), "2024-01-01T00:00:01Z").close();
    assertThat(SnapshotArchive.open(crawl).size()).isEqualTo(2);
  }

  @Test
  void aWarcFileCutAnywhereWithinARecordIsRejected() throws IOException {
    Path whole = crawl.resolve("a.warc.gz");
    try (RecordedWarc warc = new RecordedWarc(whole, MONDAY)) {
      for (int page = 0; page < 3; page++) {
        warc.page("http://a/" + page, "text/plain", "text of a page ".repeat(page + 1));
      }
    }
    byte[] bytes = Files.readAllBytes(whole);
    int rejected = 0;
    int shorter = 0;
    for (int length = 1; length < bytes.length; length++) {
      Files.write(whole, Arrays.copyOf(bytes, length));
      try {
        assertThat(read(SnapshotArchive.open(crawl), 0)).hasSizeLessThan(3);
        shorter++;
      } catch (CrawlException e) {
        assertThat(e).hasMessageContaining("a.warc.gz is ");
        rejected++;
      }
    }
    assertThat(shorter).as("cuts exactly between two records").isEqualTo(3);
    assertThat(rejected).isEqualTo(bytes.length - 1 - shorter);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ICY 200 OK\r\nContent-Type: text/plain\r\n\r\ntext",
        "<html>no header of HTTP</html>",
        "",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n40\r\ncut",
      })
  void aBrokenAnswerIsOnePageLessAndTheFileIsReadOn(String answer) throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.page("http://a/1", "text/plain", "before");
      warc.verbatim("http://a/2", answer);
      warc.page("http://a/3", "text/plain", "after");
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("before", "after");
    assertThat(counts(tally)).isEqualTo("2 pages, 1 BROKEN");
  }

  private static String record(String headers, String text) {
    return answered(headers, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + text);
  }

  private static String untyped(String headers, String text) {
    return answered(headers, "HTTP/1.1 200 OK\r\n\r\n" + text);
  }

  private static String answered(String headers, String answer) {
    return "WARC/1.0\r\nWARC-Type: response\r\n"
        + headers
        + "\r\nContent-Length: "
        + answer.length()
        + "\r\n\r\n"
        + answer
        + "\r\n\r\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WARC-Date: yesterday\r\nWARC-Target-URI: http://a/2\r\nContent-Type: application/http",
        "WARC-Target-URI: http://a/2\r\nContent-Type: application/http",
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Date: 2024-01-02T00:00:00Z\r\n"
            + "WARC-Target-URI: http://a/2\r\nContent-Type: application/http",
        "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http",
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI:\r\nContent-Type: application/http",
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/2\r\nWARC-Target-URI:"
            + " http://a/3\r\nContent-Type: application/http",
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/2\r\nContent-Type: /"
      })
  void aRecordWhoseHeadersCannotBeReadIsOnePageLessAndTheFileIsReadOn(String headers)
      throws IOException {
    String good = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http";
    Files.writeString(
        crawl.resolve("a.warc"),
        record(headers, "broken")
            + record(good + "\r\nWARC-Target-URI: http://a/1", "before")
            + record(headers, "broken")
            + record(good + "\r\nWARC-Target-URI: http://a/3", "after"));
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    SnapshotTally tally = archive.read(0, pages::add);
    assertThat(archive.time(0)).isEqualTo(Instant.parse(MONDAY));
    assertThat(pages).extracting(CrawledPage::text).containsExactly("before", "after");
    assertThat(tally.pages()).isEqualTo(2);
    assertThat(tally.leftOut()).isEqualTo(2);
  }

  @Test
  void utf16WithoutAMarkIsOfLittleEndsAsInBrowsers() throws IOException {
    byte[] bytes = "grüße".getBytes(StandardCharsets.UTF_16LE);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      warc.page("http://a/1", "text/plain; charset=UTF-16", bytes);
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsExactly("grüße");
  }

  @ParameterizedTest
  @CsvSource({
    "disconnect, 1",
    "time, 1",
    "unspecified, 1",
    "length, 0",
    "Length, 0",
    "'length \t', 0"
  })
  void anAnswerOfWhichTheCrawlerSaysThatItBrokeOffIsNoPage(String reason, long broken)
      throws IOException {
    String header =
        "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\nWARC-Target-URI: ";
    Files.writeString(
        crawl.resolve("a.warc"),
        record(header + "http://a/1\r\nWARC-Truncated: " + reason, "the begin")
            + record(header + "http://a/2", "after"));
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages)
        .hasSize(2 - (int) broken)
        .last()
        .extracting(CrawledPage::text)
        .isEqualTo("after");
    assertThat(tally.count(LeftOut.BROKEN)).isEqualTo(broken);
  }

  @ParameterizedTest
  @CsvSource({
    "2024, 2024-01-01T00:00:00Z",
    "2024-03, 2024-03-01T00:00:00Z",
    "2024-03-05, 2024-03-05T00:00:00Z",
    "2024-03-05T06:07Z, 2024-03-05T06:07:00Z"
  })
  void aDateOfLessPrecisionIsItsBeginning(String told, String meant) throws IOException {
    String header = "WARC-Date: %s\r\nContent-Type: application/http".formatted(told);
    Files.writeString(
        crawl.resolve("a.warc"), record(header + "\r\nWARC-Target-URI: http://a/1", "page"));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThat(archive.time(0)).isEqualTo(Instant.parse(meant));
    assertThat(read(archive, 0))
        .extracting(CrawledPage::fetched)
        .containsExactly(Instant.parse(meant));
  }

  @Test
  void recordsOfOtherKindsAreCountedByTheirKind() throws IOException {
    String date = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: text/plain\r\n";
    String address = date + "WARC-Target-URI: http://a/1";
    StringBuilder records = new StringBuilder();
    for (String kind : List.of("request", "metadata", "conversion", "continuation", "unheard-of")) {
      records.append(answered(address, "words").replace("response", kind));
    }
    Files.writeString(crawl.resolve("a.warc"), records);
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, page -> {});
    assertThat(counts(tally)).isEqualTo("0 pages, 1 REQUEST, 1 METADATA, 1 CONVERSION, 2 OTHER");
  }

  @ParameterizedTest
  @CsvSource({
    "document, '1 pages'",
    "Document, '1 pages'",
    "'\t document \t', '1 pages'",
    "'\r\n document', '1 pages'",
    "fetch, '0 pages, 1 PART'",
    "documents, '0 pages, 1 PART'"
  })
  void whatABrowserLoadedIsAPageIfItsTypeIsDocument(String type, String counts) throws IOException {
    String header =
        "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\n"
            + "WARC-Target-URI: http://a/1\r\nWARC-Resource-Type: ";
    Files.writeString(crawl.resolve("a.warc"), record(header + type, "text"));
    assertThat(counts(SnapshotArchive.open(crawl).read(0, page -> {}))).isEqualTo(counts);
  }

  @Test
  void aRevisitNeedNotRepeatTheHeader() throws IOException {
    String header = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\n";
    Files.writeString(
        crawl.resolve("a.warc"),
        answered(header + "WARC-Target-URI: http://a/1", "").replace("response", "revisit"));
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, page -> {});
    assertThat(counts(tally)).isEqualTo("0 pages, 1 UNCHANGED");
  }

  @Test
  void ofAResourceWithoutATypeTheCrawlersOrElseTheExtensionCounts() throws IOException {
    String header = "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/";
    Files.writeString(
        crawl.resolve("a.warc"),
        (answered(header + "1\r\nWARC-Identified-Payload-Type: text/html", "<p>seen")
                + answered(header + "2.html", "<p>by its name")
                + answered(header + "3", "nothing tells"))
            .replace("response", "resource"));
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("seen", "by its name");
    assertThat(counts(tally)).isEqualTo("2 pages, 1 NO_TYPE");
  }

  @Test
  void aLongAddressIsNoKeyOfAFailureAndIsCutInItsExample() throws IOException {
    String address = "http://a/" + "x".repeat(40_000);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.status(address, 404);
    }
    Heard heard = new Heard();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, heard);
    assertThat(heard.failed).isEmpty();
    assertThat(tally.lines())
        .containsExactly(
            "left out, status other than 200: 1, first 404 " + address.substring(0, 200) + "…");
  }

  @Test
  void aWarcFileWithoutAnyDateIsRejected() throws IOException {
    String undated = "WARC-Target-URI: http://a/1\r\nContent-Type: application/http";
    Files.writeString(crawl.resolve("a.warc"), record(undated, "page").repeat(2));
    rejects("a.warc has no record with a readable WARC-Date");
  }

  @Test
  void anUnpackedWarcFileCutWithinAnAnswerIsRejected() throws IOException {
    Path whole = crawl.resolve("a.warc");
    try (RecordedWarc warc = new RecordedWarc(whole, MONDAY)) {
      warc.page("http://a/1", "text/plain", "text of a page ".repeat(5));
    }
    byte[] bytes = Files.readAllBytes(whole);
    Files.write(whole, Arrays.copyOf(bytes, bytes.length - 20));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> read(archive, 0))
        .withMessageContaining("a.warc is truncated or damaged");
  }

  /** Else what would have followed would count as left out, and so as unchanged. */
  @ParameterizedTest
  @CsvSource({
    "request, http://a/2, application/http",
    "metadata, http://a/2, application/warc-fields",
    "conversion, http://a/2, text/plain",
    "unheard-of, http://a/2, text/plain",
    "warcinfo, , application/warc-fields",
    "resource, urn:x-crawler:log, text/plain",
    "resource, http://a/2, text/plain",
    "response, http://a/2, text/plain",
    "response, http://a/2, application/http",
    "revisit, http://a/2, application/http"
  })
  void anUnpackedWarcFileCutWithinARecordOfAnyKindIsRejected(
      String kind, String address, String type) throws IOException {
    String date = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: ";
    String target = address == null ? "" : "\r\nWARC-Target-URI: " + address;
    String before = record(date + "application/http\r\nWARC-Target-URI: http://a/1", "before");
    String last = answered(date + type + target, "words ".repeat(9)).replace("response", kind);
    Files.writeString(crawl.resolve("a.warc"), before + last.substring(0, last.length() - 30));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> read(archive, 0))
        .withMessageContaining(
            "a.warc is truncated or damaged at offset %d, behind record 1 ("
                .formatted(before.length()));
  }

  @ParameterizedTest
  @ValueSource(ints = {-3, 8})
  void aWrongContentLengthIsDamageOfAFileThatIsAWarcFile(int wrong) throws IOException {
    String good = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http";
    String first = record(good + "\r\nWARC-Target-URI: http://a/1", "before");
    String second = record(good + "\r\nWARC-Target-URI: http://a/2", "damaged");
    int length = Integer.parseInt(second.replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
    String bad = second.replace("Length: " + length, "Length: " + (length + wrong));
    Files.writeString(crawl.resolve("a.warc"), first + bad + first);
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> archive.read(0, pages::add))
        .withMessageContaining("a.warc is damaged at offset ")
        .withMessageContaining(", behind record 2 (")
        .withMessageEndingWith(
            "): replace it with a complete WARC file, or cut it there and go without the rest");
    assertThat(pages).extracting(CrawledPage::key).startsWith("http://a/1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.warc", "a.warc.gz"})
  void aFileIsReadOnceItIsCutWhereItIsDamaged(String name) throws IOException {
    Path file = crawl.resolve(name);
    try (RecordedWarc warc = new RecordedWarc(file, MONDAY)) {
      warc.page("http://a/1", "text/plain", "one");
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, "garbage here".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> read(archive, 0))
        .withMessageContaining("damaged at offset " + whole.length + ", behind record 2 (");
    Files.write(file, whole);
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsExactly("one");
  }

  @Test
  void aFileThatEndsWithinALaterHeaderIsSaidToEndThere() throws IOException {
    String good = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http";
    String first = record(good + "\r\nWARC-Target-URI: http://a/1", "before");
    Files.writeString(crawl.resolve("a.warc"), first + "WARC/1.0");
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> read(archive, 0))
        .withMessageContaining(
            "a.warc is truncated or damaged at offset %d, behind record 1 (it ends within a record)"
                .formatted(first.length()));
  }

  @Test
  void aFileThatEndsWithinAnAnswerThatBrokeOffIsNotTakenForWhole() throws IOException {
    String good = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http";
    String first = record(good + "\r\nWARC-Target-URI: http://a/1", "before");
    String second =
        record(good + "\r\nWARC-Target-URI: http://a/2\r\nWARC-Truncated: time", "the begin");
    Files.writeString(
        crawl.resolve("a.warc"), first + second.substring(0, second.indexOf("begin")));
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> read(archive, 0))
        .withMessageContaining("a.warc is truncated or damaged");
  }

  @Test
  void brotliIsUndone() throws IOException {
    byte[] brotli = {(byte) 0x8b, 2, (byte) 0x80, 'p', 'a', 'c', 'k', 'e', 'd', 3};
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.encoded("http://a/1", "br", "text/plain", brotli);
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsExactly("packed");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deflateIsUndoneWithAndWithoutZlibsFrame(boolean bare) throws IOException {
    byte[] plain = "packed ".repeat(3000).getBytes(StandardCharsets.UTF_8);
    byte[] packed = deflate(plain, bare);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.encoded("http://a/1", "deflate", "text/plain", packed);
      warc.encoded("http://a/2", "Deflate", "text/plain", Arrays.copyOf(packed, 12));
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("packed ".repeat(3000));
    assertThat(counts(tally)).isEqualTo("1 pages, 1 BROKEN");
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  @Timeout(60)
  void zstdIsUndoneWithAndWithoutSizeAndChecksum(boolean size, boolean checksum)
      throws IOException {
    ContentCodingTest.assumeItCanBeUndone("zstd");
    byte[] first = zstd("packed ".repeat(9), size, checksum);
    byte[] second = zstd("twice", size, checksum);
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.encoded("http://a/1", "zstd", "text/plain", first);
      warc.encoded("http://a/2", "ZSTD", "text/plain", both);
      warc.encoded("http://a/3", "zstd", "text/plain", Arrays.copyOf(first, first.length - 3));
      warc.encoded("http://a/4", "zstd", "text/plain", Arrays.copyOf(both, both.length - 3));
      warc.encoded("http://a/5", "zstd", "text/plain", new byte[0]);
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages)
        .extracting(CrawledPage::text)
        .containsExactly("packed ".repeat(9), "packed ".repeat(9) + "twice", "");
    assertThat(counts(tally)).isEqualTo("3 pages, 2 BROKEN");
  }

  @Test
  void aLinkToAFolderIsASnapshotLikeTheFolder(@TempDir Path elsewhere) throws IOException {
    Files.createDirectories(elsewhere.resolve("sub"));
    Files.writeString(elsewhere.resolve("sub/a.txt"), "linked");
    Files.createSymbolicLink(crawl.resolve("2024-01-01"), elsewhere);
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThat(archive.name(0)).isEqualTo("2024-01-01");
    assertThat(read(archive, 0))
        .containsExactly(new CrawledPage("sub/a.txt", Instant.parse(MONDAY), "", "linked"));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aBackslashInANameIsALetterOfTheAddress() throws IOException {
    Path snapshot = Files.createDirectories(crawl.resolve("2024-01-01"));
    Files.createDirectory(snapshot.resolve("a"));
    Files.writeString(snapshot.resolve("a/b.txt"), "below");
    Files.writeString(snapshot.resolve("a\\b.txt"), "beside");
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .containsExactlyInAnyOrder(
            new CrawledPage("a/b.txt", Instant.parse(MONDAY), "", "below"),
            new CrawledPage("a\\b.txt", Instant.parse(MONDAY), "", "beside"));
  }

  /** As wget names what it fetches of older sites. */
  @Test
  @DisabledOnOs({OS.WINDOWS, OS.MAC})
  void bytesOfNamesThatAreNoLettersAreKeptAsInAddresses() throws IOException {
    String folder = Files.createDirectories(crawl.resolve("2024-01-01")).toUri().toString();
    for (String name : List.of("caf%E9.txt", "caf%E8.txt", "%E4%20%C3%A9/b.txt")) {
      Path file = Path.of(URI.create(folder + name));
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
    }
    List<CrawledPage> pages = read(SnapshotArchive.open(crawl), 0);
    assertThat(pages)
        .extracting(CrawledPage::key)
        .containsExactly("%E4%20%C3%A9/b.txt", "caf%E8.txt", "caf%E9.txt");
    assertThat(pages).allMatch(page -> page.key().equals(page.text()));
  }

  @Test
  @DisabledOnOs({OS.WINDOWS, OS.MAC})
  void ofTwoFilesWithOneKeyOneIsLeftOutAndCounted() throws IOException {
    Path folder = Files.createDirectories(crawl.resolve("2024-01-01"));
    Files.writeString(folder.resolve("caf%E9.txt"), "one");
    Files.writeString(Path.of(URI.create(folder.toUri() + "caf%E9.txt")), "other");
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, page -> {});
    assertThat(tally.pages()).isEqualTo(1);
    assertThat(tally.lines())
        .containsExactly(
            "left out, file whose key another one has: 1, first 2024-01-01/caf%E9.txt");
  }

  @Test
  void aLinkToADirectoryAmongPagesIsLeftOutAndCounted(@TempDir Path elsewhere) throws IOException {
    Files.writeString(elsewhere.resolve("a.txt"), "linked");
    Path folder = Files.createDirectories(crawl.resolve("2024-01-01/docs")).getParent();
    Files.writeString(folder.resolve("docs/b.txt"), "here");
    Files.createSymbolicLink(folder.resolve("docs/more"), elsewhere);
    Files.createSymbolicLink(folder.resolve("docs/c.txt"), elsewhere.resolve("a.txt"));
    Files.createSymbolicLink(folder.resolve("docs/round"), folder);
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::key).containsExactly("docs/b.txt", "docs/c.txt");
    assertThat(tally.lines())
        .containsExactly(
            "left out, link to a directory, not followed: 2, first 2024-01-01/docs/more");
  }

  @ParameterizedTest
  @ValueSource(strings = {"c#.md", "why?.md", "a?b#c/d.md"})
  void marksOfUrlsAreLettersInNamesOfFiles(String name) throws IOException {
    Path page = crawl.resolve("2024-01-01").resolve(name);
    Files.createDirectories(page.getParent());
    Files.writeString(page, "# Heading");
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .containsExactly(new CrawledPage(name, Instant.parse(MONDAY), "Heading", "# Heading"));
  }

  @Test
  void anAddressThatNoIndexCanHoldIsLeftOutAndCounted() throws IOException {
    String longest = "http://a/" + "é".repeat((32_766 - 10) / 2) + "x";
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.page(longest, "text/plain", "just fits");
      warc.page(longest + "x", "text/plain", "a byte too long");
      warc.page("http://a/1", "text/plain", "last");
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("just fits", "last");
    assertThat(counts(tally)).isEqualTo("2 pages, 1 NO_ADDRESS");
  }

  @ParameterizedTest
  @CsvSource({"12 or so, For input string", "'7\r\nContent-Length: 7', 2 Content-Length headers"})
  void aRecordThatDoesNotTellItsLengthIsDamageOfTheFile(String length, String problem)
      throws IOException {
    String good = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http";
    Files.writeString(
        crawl.resolve("a.warc"),
        record(good + "\r\nWARC-Target-URI: http://a/1", "text")
            + "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: "
            + length.replace("\\r\\n", "\r\n")
            + "\r\n\r\n1234567\r\n\r\n");
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> archive.read(0, page -> {}))
        .withMessageContaining("a.warc has a record whose Content-Length cannot be read (")
        .withMessageContaining(problem)
        .withMessageEndingWith("): replace the file");
  }

  @Test
  void anAnswerWithoutContentLengthGoesToTheEndOfItsRecord() throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.verbatim("http://a/1", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nto the end");
    }
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsExactly("to the end");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html ; charset=windows-1251",
        "text/html\t;\tCharset=\"windows-1251\"",
        "Text/HTML;; charset=windows-1251;",
        "text/html;q ; charset=windows-1251"
      })
  void aMediaTypeIsReadAsHttpAllowsItToBeWritten(String type) throws IOException {
    String header =
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/1\r\nContent-Type: ";
    String answer = "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n<p>привет".formatted(type);
    Files.writeString(
        crawl.resolve("a.warc"),
        answered(header + "application/http ; msgtype=response", answer)
            + answered(header + type, "<p>привет").replace("response", "resource"),
        Charset.forName("windows-1251"));
    assertThat(read(SnapshotArchive.open(crawl), 0))
        .extracting(CrawledPage::text)
        .containsExactly("привет", "привет");
  }

  /** At this size looking for a semicolon from every blank on would not end. */
  @Test
  @Timeout(600)
  void aMediaTypeMayHaveBlanksWithoutEnd() throws IOException {
    String blanks = " \t".repeat(500_000);
    String header = "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/1\r\n";
    String http = header + "Content-Type: application/http" + blanks + "x" + blanks + ";a=b";
    String seen = "\r\nWARC-Identified-Payload-Type: text/html" + blanks + "x";
    String answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html" + blanks;
    Files.writeString(
        crawl.resolve("a.warc"),
        answered(header + "Content-Type: application/http", answer + ";q=1\r\n\r\n<p>text")
            + answered(header + "Content-Type: application/http", answer + "x\r\n\r\n<p>text")
            + answered(http, answer)
            + answered(
                header + "Content-Type: application/http" + seen, "HTTP/1.1 200 OK\r\n\r\n"));
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("text");
    assertThat(tally.leftOut()).isEqualTo(3);
  }

  @Test
  void whatIsNoTextIsToldByItsMostFrequentTypes() throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      List<String> types = List.of("x/a", "x/b", "x/c", "x/d", "x/e", "x/f");
      for (int i = 0; i < types.size(); i++) {
        for (int page = 0; page <= i; page++) {
          warc.page("http://a/" + i + page, types.get(i), "");
        }
      }
    }
    SnapshotArchive archive = SnapshotArchive.open(crawl);
    SnapshotTally tally = archive.read(0, page -> {});
    assertThat(tally.lines())
        .containsExactly(
            "left out, not text that can be read: 21 (x/f 6, x/e 5, x/d 4, x/c 3, x/b 2 and others),"
                + " first x/a http://a/00");
    tally.add(archive.read(0, page -> {}));
    assertThat(tally.lines().get(0)).contains(": 42 (x/f 12, x/e 10,");
  }

  @Test
  void ofAThousandTypesThoseThatAreKnownAreCountedOn() {
    SnapshotTally tally = new SnapshotTally();
    for (int kind = 0; kind < 1000; kind++) {
      tally.leftOut(LeftOut.NOT_TEXT, "x/%03d".formatted(kind), "first");
    }
    for (String kind : List.of("y/late", "y/late", "y/late", "x/999", "x/998", "x/999")) {
      tally.leftOut(LeftOut.NOT_TEXT, kind, "later");
    }
    assertThat(tally.lines())
        .containsExactly(
            "left out, not text that can be read: 1006 (x/999 3, x/998 2, x/000 1, x/001 1, x/002 1"
                + " and others), first first");
  }

  @Test
  void filesThatAreNoTextAreToldByTheirExtensionsAndThoseOfGitPassedOver() throws IOException {
    Path folder = Files.createDirectories(crawl.resolve("2024-01-01"));
    Files.createDirectories(folder.resolve("sub.d/.git/refs"));
    for (String name :
        List.of("b.PNG", "a.png", "c.d.css", "sub.d/x", "y.of several words", ".gitignore")) {
      Files.writeString(folder.resolve(name), "");
    }
    Files.writeString(folder.resolve("sub.d/.git/refs/a.txt"), "no page");
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, page -> {});
    assertThat(tally.pages()).isZero();
    assertThat(tally.lines())
        .containsExactly(
            "left out, not text that can be read: 6 (.png 2, no extension 2, .css 1, .gitignore 1),"
                + " first 2024-01-01/.gitignore");
  }

  @Test
  void aCrawlBelowAFolderOfGitHasItsPages() throws IOException {
    Path below = crawl.resolve(".git/crawl");
    Path page = Files.createDirectories(below.resolve("2024-01-01")).resolve("a.txt");
    Files.writeString(page, "page");
    assertThat(read(SnapshotArchive.open(below), 0))
        .extracting(CrawledPage::key)
        .containsExactly("a.txt");
  }

  @Test
  void aLongTypeIsCutInItsExample() throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc"), MONDAY)) {
      warc.page("http://a/1", "image/" + "x".repeat(5000), "");
    }
    assertThat(SnapshotArchive.open(crawl).read(0, page -> {}).lines())
        .containsExactly(
            "left out, not text that can be read: 1, first image/%s… http://a/1"
                .formatted("x".repeat(194)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text", "text/", "/html", "/", "te xt/html"})
  void aTypeThatCannotBeReadIsNone(String type) throws IOException {
    String header = "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\n";
    String seen = "\r\nWARC-Identified-Payload-Type: text/html";
    String answer = "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n<p>".formatted(type);
    Files.writeString(
        crawl.resolve("a.warc"),
        answered(header + "WARC-Target-URI: http://a/1" + seen, answer + "seen")
            + answered(header + "WARC-Target-URI: http://a/2.html", answer + "by its name")
            + answered(header + "WARC-Target-URI: http://a/3", answer + "nothing tells"));
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("seen", "by its name");
    assertThat(counts(tally)).isEqualTo("2 pages, 1 NO_TYPE");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 5, 0",
    "'', 6, 1",
    "'', 4, 0",
    "'', many, 0",
    "'Content-Encoding: gzip\r\n', 6, 0",
    "'Content-Encoding: identity\r\n', 6, 1",
    "'Transfer-Encoding: deflate\r\n', 6, 0",
    "'Transfer-Encoding: chunked\r\n', 6, 0"
  })
  void anAnswerShorterThanItsServerSaysBrokeOff(String header, String told, long broken)
      throws IOException {
    String lines = header.replace("\\r\\n", "\r\n") + "Content-Length: " + told;
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.verbatim(
          "http://a/1",
          "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + lines + "\r\n\r\nwords");
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(tally.count(LeftOut.BROKEN)).isEqualTo(broken);
    assertThat(pages)
        .extracting(CrawledPage::text)
        .isEqualTo(broken == 1 ? List.of() : List.of("words"));
  }

  @ParameterizedTest
  @CsvSource({
    "WARC-Truncated: length, '3 pages, 1 OTHER'",
    "WARC-Segment-Number: 1, '0 pages, 3 BROKEN, 1 OTHER'"
  })
  void whatItsCrawlerCutShortIsAPageIfItAlwaysIsAndNoneIfTheRestFollows(
      String header, String counts) throws IOException {
    String date =
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/1\r\nContent-Type: ";
    String http = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
    Files.writeString(
        crawl.resolve("a.warc"),
        answered(date + "application/http\r\n" + header, http + "\r\nbegin")
            + answered(
                date + "application/http\r\n" + header, http + "Content-Length: 9\r\n\r\nbegin")
            + answered(date + "text/plain\r\n" + header, "begin")
                .replace("Type: response", "Type: resource")
            + answered(date + "text/plain\r\nWARC-Segment-Number: 2", "rest")
                .replace("Type: response", "Type: continuation"));
    assertThat(counts(SnapshotArchive.open(crawl).read(0, page -> {}))).isEqualTo(counts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gzip", "deflate", "zstd"})
  void whatItsCrawlerAlwaysCutsIsReadAsFarAsItGoesHoweverItWasSent(String coding)
      throws IOException {
    ContentCodingTest.assumeItCanBeUndone(coding);
    byte[] packed = packed(coding);
    byte[] begin = Arrays.copyOf(packed, packed.length - 5);
    byte[] plain = answer("", coding, begin);
    byte[] chunked = answer("chunked", coding, chunked(packed, begin));
    byte[] closed = answer("chunked", coding, chunked(begin, begin));
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.cut("http://a/plain", "length", plain).cut("http://a/chunked", "length", chunked);
      warc.cut("http://a/closed", "length", closed).cut("http://a/broke-off", "time", chunked);
      warc.verbatim("http://a/untold", chunked);
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages)
        .extracting(CrawledPage::key)
        .containsExactly("http://a/plain", "http://a/chunked", "http://a/closed");
    assertThat(pages)
        .extracting(CrawledPage::text)
        .allSatisfy(text -> assertThat(text).startsWith("0 1 2 3 ").hasSizeGreaterThan(1000));
    assertThat(pages).extracting(CrawledPage::text).allMatch(numbers()::startsWith);
    assertThat(counts(tally)).isEqualTo("3 pages, 2 BROKEN");
  }

  @Test
  void aCutAnswerOfWhichNothingCanBeReadIsNoPage() throws IOException {
    byte[] packed = gzip(numbers().getBytes(StandardCharsets.UTF_8));
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.cut("http://a/1", "length", answer("", "gzip", Arrays.copyOf(packed, 9)));
      warc.cut("http://a/2", "length", answer("chunked", "", new byte[] {'4', '0'}));
      warc.cut("http://a/3", "length", answer("", "deflate", new byte[] {7, 0, 7}));
      warc.cut("http://a/4", "length", answer("", "deflate", new byte[] {'t', 'e', 'x', 't'}));
    }
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages).extracting(CrawledPage::text).containsExactly("text");
    assertThat(counts(tally)).isEqualTo("1 pages, 3 BROKEN");
  }

  /** Several blocks of zstd. */
  private static String numbers() {
    return IntStream.range(0, 60_000).mapToObj(Integer::toString).collect(Collectors.joining(" "));
  }

  private static byte[] packed(String coding) throws IOException {
    byte[] plain = numbers().getBytes(StandardCharsets.UTF_8);
    return switch (coding) {
      case "gzip" -> gzip(plain);
      case "deflate" -> deflate(plain, false);
      case "zstd" -> zstd(numbers(), true, true);
      default -> plain;
    };
  }

  private static byte[] answer(String transfer, String coding, byte[] body) {
    String header =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
            + (transfer.isEmpty() ? "" : "Transfer-Encoding: " + transfer + "\r\n")
            + (coding.isEmpty() ? "" : "Content-Encoding: " + coding + "\r\n");
    return joined((header + "\r\n").getBytes(StandardCharsets.US_ASCII), body);
  }

  /** One chunk, of which not all need be there; else its end, but not that of the chunks. */
  private static byte[] chunked(byte[] chunk, byte[] there) {
    String size = Integer.toHexString(chunk.length) + "\r\n";
    byte[] begun = joined(size.getBytes(StandardCharsets.US_ASCII), there);
    return chunk.length == there.length ? joined(begun, new byte[] {'\r', '\n'}) : begun;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private void rejects(String message) {
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(() -> SnapshotArchive.open(crawl))
        .withMessageContaining(message);
  }

  private CrawledPage onlyPage(String type, String body) throws IOException {
    try (RecordedWarc warc = new RecordedWarc(crawl.resolve("a.warc.gz"), MONDAY)) {
      warc.page("http://a/1", type + "; charset=utf-8", body);
    }
    List<CrawledPage> pages = read(SnapshotArchive.open(crawl), 0);
    assertThat(pages).hasSize(1);
    return pages.get(0);
  }

  private static List<CrawledPage> read(SnapshotArchive archive, int snapshot) {
    List<CrawledPage> pages = new ArrayList<>();
    archive.read(snapshot, pages::add);
    return pages;
  }

  private static String counts(SnapshotTally tally) {
    StringBuilder counts = new StringBuilder(tally.pages() + " pages");
    for (LeftOut reason : LeftOut.values()) {
      if (tally.count(reason) > 0) {
        counts.append(", ").append(tally.count(reason)).append(' ').append(reason);
      }
    }
    return counts.toString();
  }

  /** The keys that a snapshot hands out. */
  private static final class Heard implements SnapshotReader {
    private final List<String> pages = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final List<String> unchanged = new ArrayList<>();

    @Override
    public void page(CrawledPage page) {
      pages.add(page.key());
    }

    @Override
    public void failed(String key) {
      failed.add(key);
    }

    @Override
    public boolean unchanged(String key, Instant visited) {
      unchanged.add(key + " at " + visited);
      return true;
    }
  }

  private static byte[] html(String charset, byte[] text) throws IOException {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    page.write(("<meta charset='" + charset + "'><p>").getBytes(StandardCharsets.US_ASCII));
    page.write(text);
    return page.toByteArray();
  }

  private static byte[] deflate(byte[] plain, boolean bare) throws IOException {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, bare);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
      out.write(plain);
    } finally {
      deflater.end();
    }
    return packed.toByteArray();
  }

  private static byte[] zstd(String plain, boolean size, boolean checksum) {
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      context.setContentSize(size).setChecksum(checksum);
      return context.compress(plain.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }
}
