// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.DeltaStatus;
import io.lucenedelta.delta.Trouble;
import io.lucenedelta.examples.overhead.AdoptionProbe;
import io.lucenedelta.examples.report.TsvColumns;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

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
    steps.forEach(step -> print(step, text));
    TsvColumns.of("step", AdoptionProbe.Step::name)
        .and("pages", step -> step.status() == null ? pages : step.status().pages())
        .and("terms", measured(DeltaStatus::terms))
        .and("queries", measured(DeltaStatus::queries))
        .and("seconds", AdoptionProbe.Step::seconds)
        .and("cpu_seconds", AdoptionProbe.Step::cpuSeconds)
        .and("heap_after_gc_bytes", step -> step.heapBytes() == 0 ? Double.NaN : step.heapBytes())
        .and("bytes_per_page", measured(DeltaStatus::bytesPerPage))
        .and("bytes_per_query", measured(DeltaStatus::bytesPerQuery))
        .write(out.resolve("adoption.tsv"), steps);
    text.println("Figures: " + out.resolve("adoption.tsv").toAbsolutePath());
    text.flush();
  }

  /** Empty where nothing is measured. */
  private static Function<AdoptionProbe.Step, Object> measured(
      Function<DeltaStatus, Object> value) {
    return step -> step.status() == null ? "" : value.apply(step.status());
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
