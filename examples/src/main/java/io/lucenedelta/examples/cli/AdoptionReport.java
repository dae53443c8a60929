// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.DeltaStatus;
import io.lucenedelta.delta.Trouble;
import io.lucenedelta.examples.overhead.AdoptionProbe;
import io.lucenedelta.examples.report.TsvFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The form {@code overhead --adopt}: runs the probe, prints its steps and writes them down. */
final class AdoptionReport implements DeltaListener {
  private final long pages;
  private final Path out;
  private final Path work;
  private Progress progress;
  private String task = "";
  private PrintWriter err;

  AdoptionReport(long pages, Path out, Path work) {
    this.pages = pages;
    this.out = out;
    this.work = work;
  }

  void run(PrintWriter text, PrintWriter errors) throws IOException {
    err = errors;
    List<AdoptionProbe.Step> steps;
    try {
      steps = new AdoptionProbe(work, pages, this).run();
    } finally {
      endTask(); // or what failed is told behind a bar, which may be drawn over it
    }
    TsvFile.write(
        out.resolve("adoption.tsv"),
        List.of(
            "step",
            "pages",
            "terms",
            "queries",
            "seconds",
            "cpu_seconds",
            "heap_after_gc_bytes",
            "bytes_per_page",
            "bytes_per_query"),
        table -> {
          for (AdoptionProbe.Step step : steps) {
            write(step, table);
            print(step, text);
          }
        });
    text.println("Figures: " + out.resolve("adoption.tsv").toAbsolutePath());
    text.flush();
  }

  private void write(AdoptionProbe.Step step, TsvFile table) throws IOException {
    DeltaStatus status = step.status();
    table.row(
        step.name(),
        status == null ? pages : status.pages(),
        status == null ? "" : status.terms(),
        status == null ? "" : status.queries(),
        step.seconds(),
        step.cpuSeconds(),
        step.heapBytes() == 0 ? Double.NaN : step.heapBytes(),
        status == null ? "" : status.bytesPerPage(),
        status == null ? "" : status.bytesPerQuery());
  }

  private static void print(AdoptionProbe.Step step, PrintWriter text) {
    text.printf(
        Locale.ENGLISH,
        "%-32s %8.1f s, %8.1f s of CPU of the indexing thread, without merges, %8s of heap after"
            + " collections%s%n",
        step.name(),
        step.seconds(),
        step.cpuSeconds(),
        step.heapBytes() == 0
            ? "—"
            : String.format(Locale.ENGLISH, "%.0f MB", step.heapBytes() / 1e6),
        step.status() == null ? "" : "; " + step.status());
  }

  @Override
  public void progress(String name, long done, long total) {
    if (!task.equals(name)) {
      endTask();
      task = name;
      progress = Progress.start(name, total, err);
    }
    progress.to(done);
  }

  @Override
  public void trouble(Trouble kind, String sentence, Throwable cause) {
    Progress.trouble(progress, err, sentence, cause);
  }

  private void endTask() {
    if (progress != null) {
      progress.close();
      progress = null;
    }
    task = "";
  }
}
