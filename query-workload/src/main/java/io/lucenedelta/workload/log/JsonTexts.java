// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.Optional;

/**
 * How many query texts of a log are JSON objects: nobody types one, but tables made of a search
 * engine's log have whole requests, whose own words ({@code size}, {@code match}) would count as
 * words of users. Not safe for use by several threads.
 */
final class JsonTexts {
  private long texts;
  private long objects;

  /** The text that is the UTF-8 in {@code [from, to)}, not empty and without blanks around it. */
  void add(byte[] utf8, int from, int to) {
    texts++;
    objects += to - from > 1 && utf8[from] == '{' && utf8[to - 1] == '}' ? 1 : 0;
  }

  /** Adds other texts of the log. */
  void add(JsonTexts other) {
    texts += other.texts;
    objects += other.objects;
  }

  /** Forgets the texts. */
  void clear() {
    texts = 0;
    objects = 0;
  }

  /** What to do if most texts are objects; nothing if they are not. */
  Optional<String> doubt() {
    return 2 * objects <= texts
        ? Optional.empty()
        : Optional.of(
            ("%d of %d queries are JSON objects, whose names count as words, too; if they are"
                    + " requests, read the search engine's log as it wrote it (slowlog-json,"
                    + " slowlog-text or solr), or a table of what users typed")
                .formatted(objects, texts));
  }
}
