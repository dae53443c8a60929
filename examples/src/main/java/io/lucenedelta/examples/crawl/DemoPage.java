// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.math3.random.RandomDataGenerator;

/**
 * A page of the demo crawl: a title and regions, rendered as HTML or as Markdown with front matter.
 */
final class DemoPage {
  /** How a page is rendered. */
  enum Format {
    HTML("text/html; charset=utf-8", ".html"),
    MARKDOWN("text/markdown; charset=utf-8", ".md");

    final String mediaType;
    final String extension;

    Format(String mediaType, String extension) {
      this.mediaType = mediaType;
      this.extension = extension;
    }
  }

  private final String url;
  private final String title;
  private final Format format;
  private final List<DemoRegion> regions;
  private final DemoWords topic;
  private int revision;

  DemoPage(String url, Format format, DemoWords topic, List<DemoRegion> regions) {
    this.url = url + format.extension;
    this.format = format;
    this.topic = topic;
    this.title = capitalized(String.join(" ", topic.drawDistinct(4)));
    this.regions = List.copyOf(regions);
  }

  String url() {
    return url;
  }

  String mediaType() {
    return format.mediaType;
  }

  /** What the page is about. */
  DemoWords topic() {
    return topic;
  }

  /** Lets a week pass; tells whether the page changed. */
  boolean passWeek(RandomDataGenerator random) {
    boolean changed = false;
    for (DemoRegion region : regions) {
      changed |= region.passWeek(random);
    }
    revision += changed ? 1 : 0;
    return changed;
  }

  /** The page's source as of now. */
  String source() {
    List<String> paragraphs = new ArrayList<>();
    regions.forEach(region -> paragraphs.addAll(region.items()));
    if (format == Format.MARKDOWN) {
      return "---\ntitle: \""
          + title
          + "\"\nrevision: "
          + revision
          + "\n---\n\n"
          + String.join("\n\n", paragraphs)
          + "\n";
    }
    return "<!DOCTYPE html>\n<html>\n<head><title>"
        + title
        + "</title></head>\n<body>\n<p>"
        + String.join("</p>\n<p>", paragraphs)
        + "</p>\n</body>\n</html>\n";
  }

  static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
