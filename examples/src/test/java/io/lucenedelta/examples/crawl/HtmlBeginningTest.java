// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlBeginningTest {
  @TempDir private Path crawl;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!doctype html><p>text",
        "<!DOCTYPE\n HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
        "<HTML>",
        "\r\n\t <html lang=en>",
        "\uFEFF<head>",
        "<title>A</title>",
        "<body\nclass=a>",
        "<!-- saved from a --> <!--->--><html>",
        "<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE html><html/>"
      })
  void aPageBeginsAsAWholePage(String text) {
    assertThat(HtmlBeginning.isThatOf(text.getBytes(StandardCharsets.UTF_8))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "html",
        "text <html>",
        "<p>a part",
        "<script>document.write('<html>')</script>",
        "<!-- a comment that does not end <html>",
        "<!doctype svg>",
        "<htmlx>",
        "<header>",
        "<html",
        "<?php echo 1 ?><html>",
        "<?xml version='1.0'?><rss><title>A</title></rss>",
        "{\"a\": \"<html>\"}"
      })
  void whatBeginsOtherwiseIsNone(String text) {
    assertThat(HtmlBeginning.isThatOf(text.getBytes(StandardCharsets.UTF_8))).isFalse();
  }

  @Test
  void aPageInTwoBytesALetterIsToldByItsByteOrderMark() {
    assertThat(HtmlBeginning.isThatOf("\uFEFF<html>".getBytes(StandardCharsets.UTF_16LE))).isTrue();
    assertThat(HtmlBeginning.isThatOf("<html>".getBytes(StandardCharsets.UTF_16LE))).isFalse();
  }

  @Test
  void commentsAreReadForAFewKilobytesHoweverManyThereAre() {
    String few = "<!---->\n".repeat(1000) + "<html>";
    assertThat(HtmlBeginning.isThatOf(few.getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(HtmlBeginning.isThatOf(("\n" + few.repeat(9)).getBytes(StandardCharsets.UTF_8)))
        .isTrue();
    String many = "<!---->\n".repeat(2000) + "<html>";
    assertThat(HtmlBeginning.isThatOf(many.getBytes(StandardCharsets.UTF_8))).isFalse();
  }

  /** As wget and browsers save what servers give under such addresses. */
  @Test
  void filesWhoseNamesSayNothingArePagesWhereTheyBeginAsHtml() throws IOException {
    String page = "<!DOCTYPE html><title>T</title><p>text";
    for (String name :
        List.of(
            "news/1",
            "a.php",
            "b.php?id=3",
            "c.do",
            "d.v2 of today",
            "e?file=f.png",
            "i.php?title=README.md",
            "j.html?file=notes.txt")) {
      write(name, page);
    }
    write("f.html?id=3", "<p>text"); // by its extension
    write("k?file=notes.txt", "text"); // by that of what was asked for
    write("l.js?page=a.html", page);
    write("m.png?from=index.html", "\uFFFDPNG <html>");
    write("n.zip?name=README.md", "PK");
    write("o.png?name=README.md", page);
    for (String name : List.of("error.png", "g.css?v=1", "h.js")) {
      write(name, page); // an answer in place of what was asked for
    }
    write("LICENSE", "text");
    List<CrawledPage> pages = new ArrayList<>();
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, pages::add);
    assertThat(pages)
        .extracting(CrawledPage::key)
        .containsExactly(
            "a.php",
            "b.php?id=3",
            "c.do",
            "d.v2 of today",
            "e?file=f.png",
            "f.html?id=3",
            "i.php?title=README.md",
            "j.html?file=notes.txt",
            "k?file=notes.txt",
            "l.js?page=a.html",
            "news/1");
    assertThat(pages).extracting(CrawledPage::text).containsOnly("text");
    assertThat(tally.lines())
        .containsExactly(
            "left out, not text that can be read: 7 (.png 3, .css 1, .js 1, .zip 1, no extension 1),"
                + " first 2024-01-01/LICENSE");
  }

  @Test
  void whatHasNoExtensionIsToldWhereNothingElseIsLeftOut() throws IOException {
    write("a/1", "text");
    write("a/2", "text");
    assertThat(SnapshotArchive.open(crawl).read(0, page -> {}).lines())
        .containsExactly(
            "left out, not text that can be read: 2 (no extension 2), first 2024-01-01/a/1");
  }

  @Test
  void aLargeFileThatBeginsAsHtmlIsLeftOutForItsSize() throws IOException {
    write("a", "<html>" + "x".repeat(PageText.LARGEST));
    write("b", "x".repeat(PageText.LARGEST + 1));
    SnapshotTally tally = SnapshotArchive.open(crawl).read(0, page -> {});
    assertThat(tally.count(LeftOut.TOO_LARGE)).isEqualTo(1);
    assertThat(tally.count(LeftOut.NOT_TEXT)).isEqualTo(1);
  }

  private void write(String name, String text) throws IOException {
    Path file = crawl.resolve("2024-01-01").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
