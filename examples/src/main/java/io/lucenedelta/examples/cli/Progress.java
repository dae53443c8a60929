// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.OneLine;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far a long task is: a bar with the time left on a terminal, without colours where the
 * environment has a NO_COLOR, else a line at every quarter, and a minute or more after the last
 * line when a step, or a part of one, ends. Steps may come from several threads.
 */
final class Progress implements AutoCloseable {
  private static final Duration MOST_SILENCE = Duration.ofMinutes(1);
  private static final String NO_COLOUR = "NO_COLOR"; // https://no-color.org

  private final String task;
  private final long total;
  private final PrintWriter err;
  private final ProgressBar bar; // null without a terminal
  private final BarLine line; // where the bar is drawn
  private final InstantSource clock;
  private long done;
  private int quarter;
  private Instant told;

  private Progress(
      String task,
      long total,
      PrintWriter err,
      BarLine line,
      String noColour,
      InstantSource clock) {
    this.task = task;
    this.total = total;
    this.err = err;
    this.bar = line == null ? null : bar(task, total, style(noColour), line);
    this.line = line;
    this.clock = clock;
    this.told = clock.instant();
  }

  /**
   * Starts a task.
   *
   * @param task what is done, for people to read
   * @param total number of steps, 0 or more
   */
  static Progress start(String task, long total, PrintWriter err) {
    BarLine line = isTerminal() ? new BarLine(System.err) : null;
    return new Progress(task, total, err, line, System.getenv(NO_COLOUR), InstantSource.system());
  }

  /** The launcher knows whether standard error is a terminal; the JDK does not say before 22. */
  static boolean isTerminal() {
    return Boolean.getBoolean("lucene-delta.terminal");
  }

  /** Counts a step. */
  synchronized void step() {
    to(done + 1);
  }

  /**
   * Tells how far the step under way is, which may take long.
   *
   * @param parts of it that are done
   * @param unit what they are, for people to read
   */
  synchronized void within(long parts, String unit) {
    if (bar != null) {
      bar.setExtraMessage(" " + parts + " " + unit);
    } else if (isSilent()) {
      tell(": %d of %d, and %d %s of the next".formatted(done, total, parts, unit));
    }
  }

  /** Has lines written that are not progress: no bar stands before them where both are shown. */
  <E extends Exception> void aside(BarLine.Lines<E> lines) throws E {
    if (line == null) {
      lines.write();
    } else {
      line.makeWayFor(lines);
    }
  }

  /**
   * Tells what is wrong, in a line of its own.
   *
   * @param shown the progress that is shown meanwhile, null for none
   * @param cause null if there is none
   */
  static void trouble(Progress shown, PrintWriter err, String sentence, Throwable cause) {
    String line = cause == null ? OneLine.of(sentence) : Failures.because(sentence, cause);
    if (shown == null) {
      err.println(line);
    } else {
      shown.remark(line);
    }
  }

  /** Tells something that is not progress, in a line of its own. */
  private void remark(String sentence) {
    aside(
        () -> {
          err.println(sentence);
          err.flush();
        });
  }

  private boolean isSilent() {
    return !clock.instant().isBefore(told.plus(MOST_SILENCE));
  }

  private void tell(String howFar) {
    told = clock.instant();
    err.println(task + howFar);
    err.flush();
  }

  /** Sets the number of steps done. */
  synchronized void to(long steps) {
    done = steps;
    if (bar != null) {
      bar.stepTo(steps);
      bar.setExtraMessage("");
      return;
    }
    int reached = (int) Math.min(4, 4 * steps / Math.max(1, total));
    if (reached > quarter || isSilent()) {
      quarter = reached;
      tell(": " + steps + " of " + total);
    }
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
    }
    err.flush();
  }

  /** As asked for by a variable that is set to anything. */
  private static ProgressBarStyle style(String noColour) {
    return noColour == null || noColour.isEmpty()
        ? ProgressBarStyle.COLORFUL_UNICODE_BLOCK
        : ProgressBarStyle.UNICODE_BLOCK;
  }

  private static ProgressBar bar(String task, long total, ProgressBarStyle style, BarLine line) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(total)
        .setStyle(style)
        .setUpdateIntervalMillis(200)
        .setConsumer(line)
        .build();
  }

  // What follows is for tests.

  /** Starts a task with a bar on a terminal, and the environment's NO_COLOR, null for none. */
  static Progress onBar(String task, long total, PrintStream terminal, String noColour) {
    BarLine line = new BarLine(terminal);
    PrintWriter written = new PrintWriter(terminal, false, StandardCharsets.UTF_8);
    return new Progress(task, total, written, line, noColour, InstantSource.system());
  }

  /** Starts a task whose progress is told in lines. */
  static Progress inLines(String task, long total, PrintWriter err, InstantSource clock) {
    return new Progress(task, total, err, null, null, clock);
  }
}
