// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;

/**
 * Writes a query log in the shape of AltaVista's: {@code timestamp TAB session TAB query TAB
 * offset}, over the week before the crawl.
 *
 * <p>Each query is one to four words of a page's topic, so that it has results; queries repeat with
 * Zipf's frequencies. As in real logs some events ask for a further result page, some queries are
 * empty or carry operators and capitals, and a few lines are broken.
 */
final class DemoQueryLog {
  private static final Duration WEEK = Duration.ofDays(7);

  private final List<String> queries;
  private final ZipfDistribution popularity;
  private final RandomGenerator random;

  DemoQueryLog(List<DemoPage> pages, int distinct, RandomGenerator random) {
    Set<String> made = new LinkedHashSet<>();
    while (made.size() < distinct) {
      DemoPage page = pages.get(random.nextInt(pages.size()));
      made.add(String.join(" ", page.topic().drawDistinct(1 + random.nextInt(4))));
    }
    this.queries = new ArrayList<>(made);
    this.popularity = new ZipfDistribution(random, distinct, 1);
    this.random = random;
  }

  void write(Writer out, Instant end, int events) throws IOException {
    for (int i = 0; i < events; i++) {
      Instant time = end.minus(WEEK).plusSeconds(WEEK.toSeconds() * i / events);
      String session = String.format("%016x", random.nextLong());
      String query = queries.get(popularity.sample() - 1);
      out.write(event(time, session, query, random.nextDouble()));
      for (int offset = 10; random.nextDouble() < 0.12; offset += 10) {
        out.write(line(time.plusSeconds(20), session, query, offset));
      }
    }
  }

  private static String event(Instant time, String session, String query, double kind) {
    if (kind < 0.002) {
      return time + "\t" + query + "\n";
    }
    if (kind < 0.007) {
      return line(time, session, "", 0);
    }
    if (kind < 0.03) {
      return line(time, session, "+" + query.replace(" ", " +"), 0);
    }
    if (kind < 0.08) {
      return line(time, session, query.toUpperCase(Locale.ROOT), 0);
    }
    return line(time, session, query, 0);
  }

  private static String line(Instant time, String session, String query, int offset) {
    return time + "\t" + session + "\t" + query + "\t" + offset + "\n";
  }
}
