// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.DocumentType;

/** What every HTML page has around its contents. */
public final class HtmlShell {
  private HtmlShell() {}

  /**
   * A page with nothing in its body, which is written as it is, without added white space.
   *
   * @param title plain text
   * @param style a style sheet, which comes to lie within the page
   */
  public static Document titled(String title, String style) {
    Document page = Document.createShell("");
    page.outputSettings().charset(StandardCharsets.UTF_8).prettyPrint(false);
    page.prependChild(new DocumentType("html", "", ""));
    page.child(0).attr("lang", "en");
    page.head().appendElement("meta").attr("charset", "utf-8");
    page.head()
        .appendElement("meta")
        .attr("name", "viewport")
        .attr("content", "width=device-width, initial-scale=1");
    page.title(title);
    page.head().appendElement("style").appendChild(new DataNode(style));
    return page;
  }

  /**
   * A text that is on the class path beside a class.
   *
   * @param name within its package; from the root if it begins with a slash
   */
  public static String resource(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no " + name + " on the class path: build again");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + name, e);
    }
  }
}
