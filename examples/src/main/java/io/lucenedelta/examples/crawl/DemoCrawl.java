// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import io.lucenedelta.examples.WholeFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomDataGenerator;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcWriter;
import org.netpreserve.jwarc.Warcinfo;

/**
 * A generated crawl and query log for those who have none at hand: pages made of static, churn and
 * scroll regions (2008, section 3.3), in generated words.
 *
 * <p>On disk it is like any other crawl: one WARC file a week, one gzip member a record, later
 * weeks with the changed pages only; a query log; and the number of links to each page, a stand-in
 * for importance. The same settings and seed give the same bytes.
 *
 * @param pages number of pages, at least 1
 * @param weeks number of snapshots, at least 1
 * @param queries number of distinct queries, at least 1
 * @param events queries asked, at least 1; requests for further result pages come on top
 * @param seed of the random numbers
 */
public record DemoCrawl(int pages, int weeks, int queries, int events, long seed) {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);

  /** When a demo's query log begins. */
  static final Instant FIRST_EVENT = START.minus(WEEK);

  static final String SOFTWARE = "lucene-delta demo crawl";
  private static final int PAGES_PER_SITE = 100;
  private static final int VOCABULARY = 6000;

  /** Checks ranges. */
  public DemoCrawl {
    if (pages < 1 || weeks < 1 || queries < 1 || events < 1) {
      throw new IllegalArgumentException(
          String.format(
              "a demo crawl needs at least 1 page, week, query and event, not %d, %d, %d and %d",
              pages, weeks, queries, events));
    }
  }

  /** What the command line generates: half a year of eight sites, 800 pages. */
  public static DemoCrawl withSeed(long seed) {
    return new DemoCrawl(800, 27, 1500, 20_000, seed);
  }

  /** The directory of snapshots that {@link #write} makes in {@code directory}. */
  public static Path snapshots(Path directory) {
    return directory.resolve("crawl");
  }

  /** The query log, gzipped text, that {@link #write} makes in {@code directory}. */
  public static Path queryLog(Path directory) {
    return directory.resolve("queries.log.gz");
  }

  /** The table of page and number of in-links that {@link #write} makes in {@code directory}. */
  public static Path inlinks(Path directory) {
    return directory.resolve("inlinks.tsv");
  }

  /**
   * Whether {@link #write} would overwrite nothing but an earlier demo in {@code directory}, be it
   * one that was broken off.
   */
  public static boolean mayWrite(Path directory) throws IOException {
    return new DemoPlace(directory).isFree();
  }

  /**
   * Writes the crawl, the query log and the table of in-links, over what is there; of an earlier
   * demo nothing stays.
   *
   * @throws IOException if the directory cannot be written
   */
  public void write(Path directory) throws IOException {
    DemoPlace place = new DemoPlace(directory);
    place.clear();
    Files.createDirectories(snapshots(directory));
    RandomGenerator random = new Well19937c(seed);
    List<DemoPage> made = makePages(random);
    WholeFile.write(
        queryLog(directory),
        out -> {
          Writer log = new OutputStreamWriter(new GZIPOutputStream(out), StandardCharsets.UTF_8);
          new DemoQueryLog(made, queries, random).write(log, START, events);
          log.close();
        });
    writeInlinks(inlinks(directory), made, random);
    RandomDataGenerator weekly = new RandomDataGenerator(random);
    writeSnapshot(place.week(0), 0, made);
    for (int week = 1; week < weeks; week++) {
      List<DemoPage> changed = made.stream().filter(page -> page.passWeek(weekly)).toList();
      writeSnapshot(place.week(week), week, changed);
    }
  }

  private List<DemoPage> makePages(RandomGenerator random) {
    DemoWords vocabulary = DemoWords.vocabulary(VOCABULARY, random);
    List<DemoPage> made = new ArrayList<>(pages);
    DemoSite site = null;
    for (int page = 0; page < pages; page++) {
      if (page % PAGES_PER_SITE == 0) {
        int number = page / PAGES_PER_SITE;
        DemoPage.Format format = number % 4 == 3 ? DemoPage.Format.MARKDOWN : DemoPage.Format.HTML;
        String root = "https://" + vocabulary.draw() + number + ".example/";
        site = new DemoSite(root, format, vocabulary, random);
      }
      made.add(site.page(page));
    }
    return made;
  }

  private static void writeSnapshot(Path file, int week, List<DemoPage> changed)
      throws IOException {
    WholeFile.write(file, out -> writeSnapshot(out, file.getFileName().toString(), week, changed));
  }

  private static void writeSnapshot(OutputStream out, String name, int week, List<DemoPage> changed)
      throws IOException {
    Instant date = START.plus(WEEK.multipliedBy(week));
    try (WarcWriter writer = new WarcWriter(Channels.newChannel(out), WarcCompression.GZIP)) {
      writer.write(
          new Warcinfo.Builder()
              .recordId(idOf(name))
              .date(date)
              .filename(name)
              .fields(Map.of("software", List.of(SOFTWARE)))
              .build());
      for (DemoPage page : changed) {
        byte[] source = page.source().getBytes(StandardCharsets.UTF_8);
        HttpResponse http =
            new HttpResponse.Builder(200, "OK")
                .body(MediaType.parse(page.mediaType()), source)
                .build();
        writer.write(
            new WarcResponse.Builder(page.url())
                .recordId(idOf(name + ' ' + page.url()))
                .date(date)
                .body(http)
                .build());
      }
    }
  }

  private static void writeInlinks(Path file, List<DemoPage> made, RandomGenerator random)
      throws IOException {
    ZipfDistribution links = new ZipfDistribution(random, 200, 1.3);
    WholeFile.writeText(
        file,
        out -> {
          out.write("page\tinlinks\n");
          for (DemoPage page : made) {
            out.write(page.url() + "\t" + (links.sample() - 1) + "\n");
          }
        });
  }

  private static UUID idOf(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
