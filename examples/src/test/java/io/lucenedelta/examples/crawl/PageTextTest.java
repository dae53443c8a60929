// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.netpreserve.jwarc.MediaType;

class PageTextTest {
  private static final MediaType HTML = MediaType.parse("text/html");

  @Test
  void ofLargePagesOneIsParsedAtATime() throws Exception {
    byte[] large = "<p>".repeat(1 << 19).getBytes(StandardCharsets.US_ASCII);
    FutureTask<Optional<PageText>> parsed =
        new FutureTask<>(() -> PageText.of("http://a/1", HTML, large));
    PageText.ONE_LARGE.lock();
    try {
      Thread.ofPlatform().start(parsed);
      while (!PageText.ONE_LARGE.hasQueuedThreads()) {
        assertThat(parsed).as("parsed all the same").isNotDone();
        Thread.onSpinWait();
      }
      byte[] small = "<p>small".getBytes(StandardCharsets.US_ASCII);
      FutureTask<Optional<PageText>> other =
          new FutureTask<>(() -> PageText.of("http://a/2", HTML, small));
      Thread.ofPlatform().start(other);
      assertThat(other.get()).contains(new PageText("", "small"));
    } finally {
      PageText.ONE_LARGE.unlock();
    }
    assertThat(parsed.get()).contains(new PageText("", ""));
  }

  /** Reads differently as each kind. */
  private static final String ANY = "# heading\n\n<i>underlined</i>\n===\n";

  @ParameterizedTest
  @CsvSource({
    "text/html, http://a/b.md, html",
    "Text/HTML, http://a/b.md, html",
    "application/xhtml+xml, http://a/b.md, html",
    "text/markdown, http://a/b.html, markdown",
    "text/x-markdown, http://a/b.html, markdown",
    "text/x-rst, http://a/b.html, rst",
    "text/prs.fallenstein.rst, http://a/b.html, rst",
    "text/plain, http://a/b.html, plain",
    "text/css, http://a/b.html, none",
    "application/octet-stream, http://a/b.html, html",
    "application/octet-stream, http://a/b.htm, html",
    "application/octet-stream, http://a/b.xhtml, html",
    "application/octet-stream, http://a/b.md, markdown",
    "application/octet-stream, http://a/b.Markdown, markdown",
    "application/octet-stream, http://a/b.rst, rst",
    "application/octet-stream, http://a/b.txt, plain",
    "application/octet-stream, http://a/b.text, plain",
    "application/octet-stream, http://a/b.md.gz, none",
    "application/octet-stream, http://a/b.html?as=c.md, html",
    "application/octet-stream, http://a/b.html#c.md, html",
    "application/octet-stream, http://a/b.html/c, none",
    "application/octet-stream, http://a/b?of=/c.html, none",
    "application/octet-stream, http://a/html, none",
    "application/octet-stream, http://a.md, none",
    "application/octet-stream, http://a.md/, none",
    "application/octet-stream, http://a.md?of=/b.html, none",
    "application/octet-stream, http://a.md#/b.html, none",
    "application/octet-stream, b/c.md, markdown",
    "application/octet-stream, txt, none",
    "application/octet-stream, why?.md, markdown"
  })
  void theMediaTypeTellsTheKindOfTextElseTheExtension(String type, String address, String kind) {
    byte[] body = ANY.getBytes(StandardCharsets.UTF_8);
    assertThat(PageText.of(address, MediaType.parse(type), body).map(PageTextTest::kind))
        .isEqualTo(kind.equals("none") ? Optional.empty() : Optional.of(kind));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a<svg><title>Logo</title><style>.x{fill:red}</style><text>Label</text></svg>b | a Logo Label b",
        "<svg><script>let x</script><desc>Arrow</desc></svg>b | Arrow b",
        "<details><summary>Install</summary>Run it</details> | Install Run it",
        "<template>Later</template>Now | Now",
        "in<b>line</b> | inline"
      })
  void wordsAreThoseThatABrowserShowsAndStandApartWhereItShowsThemApart(String body, String text) {
    byte[] page = ("<html><body>" + body + "</body></html>").getBytes(StandardCharsets.UTF_8);
    assertThat(PageText.of("a", MediaType.parse("text/html"), page).orElseThrow().text())
        .isEqualTo(text);
  }

  private static String kind(PageText read) {
    if (!read.text().equals(ANY)) {
      return "html";
    }
    return switch (read.title()) {
      case "heading" -> "markdown";
      case "<i>underlined</i>" -> "rst";
      default -> "plain";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "'A title\n=======', A title",
    "'  A title \n  --- ', A title",
    "'A title\n==', ''",
    "'Some text\n=== no mark\nA title\n===', A title",
    "'===\nA title\n===', A title",
    "'===\n---\n===', ''",
    "'\n===\n\n---\nA title\n~~~', A title",
    "'A title\n###', A title",
    "'A title\n***', A title",
    "'A title\n^^^', A title",
    "'A title\n\"\"\"', A title",
    "'A title\n```', A title",
    "'A title\n+++', A title",
    "'A title\nxxx', ''",
    "'=\nA title\n===', A title"
  })
  void theTitleOfReStructuredTextIsUnderlinedByThreeMarksOfAKind(String text, String title) {
    assertThat(rst(text).title()).isEqualTo(title);
    assertThat(rst("A title\n'''").title()).isEqualTo("A title"); // which the table cannot hold
  }

  @Test
  void whatIsUnderlinedFarDownIsNoTitle() {
    assertThat(rst("text\n".repeat(38) + "A title\n===").title()).isEqualTo("A title");
    assertThat(rst("text\n".repeat(39) + "A heading\n===").title()).isEmpty();
  }

  private static PageText rst(String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    return PageText.of("a", MediaType.parse("text/x-rst"), body).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE"})
  void aByteOrderMarkIsRightWhateverIsSaidAndHoweverBroken(String charset) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write("\uFEFF<meta charset=windows-1251>größe ".getBytes(Charset.forName(charset)));
    body.write(0xE9); // breaks off
    for (String said : new String[] {"", ";charset=windows-1251"}) {
      assertThat(PageText.of("a", MediaType.parse("text/html" + said), body.toByteArray()))
          .get()
          .extracting(PageText::text)
          .isEqualTo("größe \uFFFD");
      assertThat(PageText.of("a", MediaType.parse("text/plain" + said), body.toByteArray()))
          .get()
          .extracting(PageText::text)
          .isEqualTo("<meta charset=windows-1251>größe \uFFFD");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "script",
        "style",
        "iframe",
        "textarea",
        "noscript",
        "noframes",
        "noembed",
        "xmp",
        "title",
        "template",
        "select",
        "table",
        "svg",
        "div",
        "p",
        "a",
        "span",
        "br",
        "x:any"
      })
  void inXhtmlAnyElementMayCloseItself(String element) {
    String closed = "<p>be<" + element + " id='x'/>fore</p><" + element + "/><p>after</p>";
    String page = "<html><head><title>A title</title></head><body>%s</body></html>";
    for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16BE)) {
      byte[] body = ("\uFEFF" + page.formatted(closed)).getBytes(charset);
      for (PageText read : xhtml(body)) {
        assertThat(read.title()).isEqualTo("A title");
        assertThat(read.text().replace(" ", "")).isEqualTo("beforeafter");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"script", "style", "noscript", "title", "template"})
  void inTheHeadOfXhtmlToo(String element) {
    String page = "<html><head><%s/></head><body><p>before</p><p>after</p></body></html>";
    for (PageText read : xhtml(page.formatted(element).getBytes(StandardCharsets.UTF_8))) {
      assertThat(read).isEqualTo(new PageText("", "before after"));
    }
  }

  @Test
  void inHtmlNoneThatHoldsTextCloses() {
    byte[] body =
        "<title/>a<p>b</title>c<textarea/><p>d</textarea>".getBytes(StandardCharsets.UTF_8);
    assertThat(PageText.of("a.xhtml", MediaType.parse("text/html"), body))
        .contains(new PageText("a<p>b", "c <p>d"));
  }

  @ParameterizedTest
  @CsvSource({
    "<p>a <![CDATA[<i>b</i> && c > d]]> e</p>, a <i>b</i> && c > d e",
    "<p>a<![CDATA[]]>b <![CDATA[c]]]]><![CDATA[>d]]></p>, ab c]]>d",
    "<p>a</p><script><![CDATA[ write('</script>') ]]></script><p>b</p>, a b",
    "<p>a</p><style>/*<![CDATA[*/ a > b /*]]>*/</style><p>b</p>, a b",
    "<p>a</p><!-- <![CDATA[ --><p>b ]]&gt;</p>, a b ]]>",
    "<p>a <![CDATA[b</p><p>never closed</p>, a never closed"
  })
  void inXhtmlWhatCharacterDataHoldsIsText(String body, String text) {
    String page = "<?xml version='1.0' encoding='%s'?><html><body>" + body + "é</body></html>";
    for (String charset : List.of("UTF-8", "windows-1252")) {
      for (PageText read : xhtml(page.formatted(charset).getBytes(Charset.forName(charset)))) {
        assertThat(read.text()).isEqualTo(text + " é");
      }
    }
  }

  /** By its media type and by its name. */
  private static List<PageText> xhtml(byte[] body) {
    MediaType type = MediaType.parse("application/xhtml+xml");
    return List.of(
        PageText.of("a", type, body).orElseThrow(),
        PageText.of("a.xhtml", MediaType.OCTET_STREAM, body).orElseThrow());
  }

  @Test
  void theHeaderIsRightWhereThePageSaysSomethingElse() {
    byte[] body = "<meta charset=windows-1251>größe".getBytes(StandardCharsets.UTF_8);
    assertThat(PageText.of("a", MediaType.parse("text/html;charset=utf-8"), body))
        .get()
        .extracting(PageText::text)
        .isEqualTo("größe");
  }

  /** The beginning of a mark, in windows-1251. */
  @Test
  void twoBytesOfThreeAreNoMark() {
    byte[] body = "п»ф".getBytes(Charset.forName("windows-1251"));
    assertThat(PageText.of("a", MediaType.parse("text/plain;charset=windows-1251"), body))
        .get()
        .extracting(PageText::text)
        .isEqualTo("п»ф");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aByteOrderMarkMayBeAllThereIsOrBreakOff(int length) {
    byte[] mark = {(byte) 0xFE, (byte) 0xFF};
    assertThat(PageText.of("a.txt", MediaType.OCTET_STREAM, Arrays.copyOf(mark, length)))
        .get()
        .extracting(PageText::text)
        .isEqualTo(length == 1 ? "þ" : "");
  }
}
