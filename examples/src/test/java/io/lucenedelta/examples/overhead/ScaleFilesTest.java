// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScaleFilesTest {
  @TempDir Path directory;

  private static ScaleRow row(long pages, double micros) {
    return new ScaleRow("pages", pages, 1, 9, 2, 5, Map.of("note", micros), 1, 100);
  }

  @Test
  void linesGoFromTheSmallestSizeToTheLargestInWhateverOrderTheyWereAskedFor() throws IOException {
    new ScaleFiles(List.of(row(400, 4), row(100, 1), row(200, 2)), "", List.of()).write(directory);
    assertThat(Files.readAllLines(directory.resolve("figure-scale.tsv")))
        .filteredOn(line -> line.contains("\tnote\t"))
        .extracting(line -> line.split("\t", -1)[2])
        .containsExactly("100", "200", "400");
  }

  @Test
  void everyFigureStandsUnderItsNameAndIsDrawnOverWhatVaries() throws IOException {
    Map<String, Double> micros = new LinkedHashMap<>();
    micros.put("note", 1.5);
    micros.put("join", 2.25);
    ScaleRow pages = new ScaleRow("pages", 100, 2, 30, 4.5, 50, micros, 6.5, 77);
    ScaleRow segments = new ScaleRow("segments", 100, 3, 30, 4.5, 50, micros, 6.5, 77);
    ScaleRow terms = new ScaleRow("terms", 100, 2, 40, 4.5, 50, micros, 6.5, 77);
    ScaleFiles files = new ScaleFiles(List.of(pages, segments, terms), "", List.of("a note"));
    files.write(directory);
    assertThat(directory.resolve("report.html")).content().contains("A note.");
    assertThat(Files.readAllLines(directory.resolve("scale.tsv")))
        .containsExactly(
            "series\tpages\tsegments\tterms\tterms_per_page\tbatch_pages\tus_per_page"
                + "\tranks_us_per_stored_page\tbytes_per_page\tus_per_page_note"
                + "\tus_per_page_join",
            "pages\t100\t2\t30\t4.5\t50\t3.75\t6.5\t77\t1.5\t2.25",
            "segments\t100\t3\t30\t4.5\t50\t3.75\t6.5\t77\t1.5\t2.25",
            "terms\t100\t2\t40\t4.5\t50\t3.75\t6.5\t77\t1.5\t2.25");
    assertThat(Files.readAllLines(directory.resolve("figure-scale.tsv")))
        .containsExactly(
            "view\tseries\tx\ty\tnote",
            "by pages in the store\tall steps\t100\t3.75\t",
            "by pages in the store\tnote\t100\t1.5\t",
            "by pages in the store\tjoin\t100\t2.25\t",
            "by segments of the index\tall steps\t3\t3.75\t",
            "by segments of the index\tnote\t3\t1.5\t",
            "by segments of the index\tjoin\t3\t2.25\t",
            "by terms of the workload\tall steps\t40\t3.75\t",
            "by terms of the workload\tnote\t40\t1.5\t",
            "by terms of the workload\tjoin\t40\t2.25\t");
    assertThat(files.table().rows().get(0))
        .containsExactly("pages", "100", "2", "30", "4.5", "50", "3.8 µs", "6.50 µs", "77");
  }
}
