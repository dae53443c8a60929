// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells a page in HTML by its first bytes, where its name does not: crawlers write what a server
 * gave for {@code news/1}, {@code list.php} or {@code a?id=3} into files of these names.
 *
 * <p>As browsers do where no type is told (WHATWG, MIME Sniffing, "Identifying a resource with an
 * unknown MIME type"), but only by what a whole page begins with, behind white space, comments and
 * an XML declaration: with {@code <p>} or {@code <script>} begin parts of pages and templates, too.
 */
final class HtmlBeginning {
  /** So many bytes are looked at: a comment before the page may be long. */
  static final int LOOKED_AT = 1 << 13;

  private static final Pattern BEGINNING =
      Pattern.compile(
          "\\uFEFF?(?:\\s++|<!--.*?-->|<\\?xml\\s.*?\\?>)*+"
              + "<(?:!doctype\\s++html|html|head|title|body)[\\s/>]",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** What says that a file is no page, whatever a server gave in its place. */
  private static final Set<String> NO_PAGES =
      Set.of(
          ("7z aac apk atom avi avif bin bmp bz2 class css csv dll dmg doc docx eot epub exe flac"
                  + " gif gz ico iso jar jpeg jpg js json m4a m4v map mjs mkv mov mp3 mp4 mpeg mpg"
                  + " odp ods odt ogg ogv otf pdf png ppt pptx ps rar rss rtf svg swf tar tgz tif"
                  + " tiff ttf wasm wav webm webmanifest webp wma wmv woff woff2 xls xlsx xml xz zip"
                  + " zst")
              .split(" "));

  private HtmlBeginning() {}

  /** Whether a file of this extension, without its point and in small letters, may be a page. */
  static boolean mayFollow(String extension) {
    return !NO_PAGES.contains(extension);
  }

  /** Whether a file that begins with these bytes is a page. */
  static boolean isThatOf(byte[] body) {
    Charset charset = PageText.marked(body).orElse(StandardCharsets.ISO_8859_1);
    String begin = new String(body, 0, Math.min(body.length, LOOKED_AT), charset);
    return BEGINNING.matcher(begin).lookingAt();
  }
}
