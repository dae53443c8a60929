// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.PageAnalysis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in which everything occurs, each so often that no number can stand for another. */
class WorkloadNumbersTest {
  private static final List<String> WORDS =
      List.of("ash", "beech", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine");

  private static final int[] PAGES_APART = {2, 3, 4, 5, 6, 9, 14, 16, 20, 29};

  @TempDir static Path directory;

  @BeforeAll
  static void writeLogsAndPages() throws IOException {
    List<String> clicked = new ArrayList<>(List.of("time\tsession\tquery\trank"));
    for (int rank = 1; rank <= 6; rank++) {
      for (int i = 0; i < 50 / rank + rank % 2 * 4; i++) {
        String word = WORDS.get((i + rank) * (i + rank) % 23 % WORDS.size());
        clicked.add(line(5, "u" + rank + "." + i, word + "\t" + rank));
      }
    }
    for (int i = 0; i < 14; i++) {
      clicked.add(line(6, "robot" + i % 3, WORDS.get(i % 10) + (i > 9 ? " pine\t" : "\t")));
    }
    for (int i = 0; i < 6; i++) {
      clicked.add(line(10 + i / 4, "v", i == 5 ? "my name\t" : "my own name\t"));
      clicked.add("yesterday\tv\tash\t");
    }
    clicked.add(line(8, "w", "ash\tx"));
    Files.write(directory.resolve("clicked.tsv"), clicked);
    List<String> asked = new ArrayList<>(List.of("time,session,query"));
    for (int i = 0; i < 21; i++) {
      asked.add(line(9, "a" + i, WORDS.get(i % 7) + " maple").replace('\t', ','));
    }
    for (int i = 0; i < 14; i++) {
      asked.add(line(9, "b" + i, i < 4 ? "caf\u00e9" : "???").replace('\t', ','));
    }
    Files.write(directory.resolve("asked.csv"), asked, ISO_8859_1);
    try (Analyzer analyzer = PageAnalysis.analyzer();
        FSDirectory store = FSDirectory.open(directory.resolve("index"));
        IndexWriter writer = new IndexWriter(store, new IndexWriterConfig(analyzer))) {
      for (int i = 0; i < 60; i++) {
        StringBuilder text = new StringBuilder("page " + i);
        for (int word = 0; word < WORDS.size(); word++) {
          text.append(i % PAGES_APART[word] == 0 ? " " + WORDS.get(word) : "");
        }
        Document page = new Document();
        page.add(new TextField(PageAnalysis.BODY, text.toString(), Field.Store.NO));
        writer.addDocument(page);
      }
    }
  }

  private static String line(int hour, String session, String rest) {
    return String.format(Locale.ROOT, "2001-09-28T%02d:00:00Z\t%s\t%s", hour, session, rest);
  }

  private static String told(String format) {
    CommandRun run =
        CommandRun.of(
            "workload",
            "--query-log",
            directory.resolve("clicked.tsv"),
            directory.resolve("asked.csv"),
            "--queries-an-hour",
            3,
            "--min-sessions",
            2,
            "--relevant-to",
            directory.resolve("index"),
            "--top",
            4,
            "--format",
            format);
    assertThat(run.status()).as(run.complaint()).isZero();
    return String.join("\n", run.out()).replace(directory + "/", "");
  }

  @Test
  void everyNumberStandsUnderItsName() {
    String json =
        told("json").replaceAll("(\\.\\d{4})\\d+", "$1"); // roughly: the rest is the fit's
    assertThat(json)
        .isEqualTo(
            """
            {
              "logs" : [ {
                "log" : "clicked.tsv",
                "format" : "tsv"
              }, {
                "log" : "asked.csv",
                "format" : "csv"
              } ],
              "lines_read" : 197,
              "lines" : {
                "kept" : 185,
                "next_page" : 0,
                "repeated" : 3,
                "shard_repeat" : 0,
                "empty" : 0,
                "robot" : 0,
                "click" : 0,
                "blank" : 0,
                "header" : 2,
                "other_record" : 0,
                "field_missing" : 0,
                "other_form" : 0,
                "bad_time" : 6,
                "bad_number" : 1,
                "bad_json" : 0,
                "not_text" : 0,
                "too_long" : 0,
                "cut_off" : 0
              },
              "samples" : {
                "header" : [ "clicked.tsv:1", "asked.csv:1" ],
                "bad_time" : [ "clicked.tsv:150", "clicked.tsv:152", "clicked.tsv:154" ],
                "bad_number" : [ "clicked.tsv:161" ]
              },
              "rejected" : 7,
              "read_as_windows_1252" : 4,
              "damages" : [ ],
              "doubts" : [ ],
              "robot_sessions" : 3,
              "robot_queries" : 5,
              "distinct_texts" : 25,
              "asked_without_term" : 10.0,
              "withheld_queries" : 8,
              "withheld_asked" : 9.0,
              "forgotten_asked" : 0.0,
              "notes" : [ ],
              "clicks" : 133,
              "clicks_without_rank" : 0,
              "asked_where_clicked" : 150.0,
              "viewing_likelihood" : [ {
                "curve" : "power law",
                "clicks" : 133,
                "deepest_rank" : 6,
                "parameter" : 0.9711,
                "parameter_low" : 0.7101,
                "parameter_high" : 1.2355,
                "scale" : 0.3547,
                "scale_low" : 0.2762,
                "scale_high" : 0.4554,
                "largest_deviation" : 0.0113,
                "p_value" : 0.8258
              }, {
                "curve" : "geometric",
                "clicks" : 133,
                "deepest_rank" : 6,
                "parameter" : 0.6843,
                "parameter_low" : 0.6097,
                "parameter_high" : 0.7641,
                "scale" : 0.3119,
                "scale_low" : 0.2457,
                "scale_high" : 0.3958,
                "largest_deviation" : 0.0542,
                "p_value" : 0.2963
              }, {
                "curve" : "logarithmic",
                "clicks" : 133,
                "deepest_rank" : 6,
                "parameter" : null,
                "parameter_low" : null,
                "parameter_high" : null,
                "scale" : 0.2683,
                "scale_low" : 0.2263,
                "scale_high" : 0.3180,
                "largest_deviation" : 0.1034,
                "p_value" : 0.0974
              } ],
              "relevance" : {
                "answered" : 15,
                "kept" : 8,
                "kept_low" : 2,
                "kept_high" : 12,
                "least_sum" : 4.4827,
                "asked_before" : 166.0
              },
              "queries" : 8,
              "asked" : 107.0,
              "terms" : 7,
              "terms_asked" : 113.0,
              "top_queries" : [ {
                "query" : "elm",
                "frequency" : 27.0
              }, {
                "query" : "cedar",
                "frequency" : 26.0
              }, {
                "query" : "larch",
                "frequency" : 25.0
              }, {
                "query" : "fir",
                "frequency" : 10.0
              } ],
              "top_terms" : [ {
                "term" : "cedar",
                "frequency" : 29.0
              }, {
                "term" : "elm",
                "frequency" : 27.0
              }, {
                "term" : "larch",
                "frequency" : 25.0
              }, {
                "term" : "fir",
                "frequency" : 10.0
              } ]
            }""");
  }

  @Test
  void everyNumberIsToldWithItsNameAndRangesFromLowToHigh() {
    assertThat(told("text").lines().map(line -> line.strip().replaceAll("\\s+", " ")))
        .contains(
            "robots 3 sessions, 5 queries beyond what a person asks in an hour, kept: see"
                + " --drop-robots",
            "asked without a term 10",
            "asked by too few sessions 9 5.1 % of the volume, 8 queries",
            "queries of logs with clicks 150 81.1 %, I(r) is of these",
            "in brackets 95 % intervals, which take clicks as independent",
            "power law I(r) = c r^-0.971, c = 0.355 (0.276 to 0.455), 0.971 (0.710 to 1.236);"
                + " largest deviation 0.011, p = 0.83",
            "geometric I(r) = c 0.684^(r-1), c = 0.312 (0.246 to 0.396), 0.684 (0.610 to 0.764);"
                + " largest deviation 0.054, p = 0.30",
            "logarithmic I(r) = c/log2(1+r), c = 0.268 (0.226 to 0.318); largest deviation 0.103,"
                + " p = 0.097",
            "queries that a page answers 15 93.8 %",
            "relevant 8 summed score of at least 4.48, at the knee; 2 to 12 when resampled",
            "asked 107 64.5 % of the volume");
  }
}
