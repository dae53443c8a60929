// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;

/** The terminal's line on which a progress bar is drawn, by a thread of its own. */
final class BarLine extends ConsoleProgressBarConsumer {
  private static final String CLEAR = "\r\u001b[2K";

  private final PrintStream terminal;

  /** Writes lines to the terminal that the bar is on. */
  interface Lines<E extends Exception> {
    void write() throws E;
  }

  BarLine(PrintStream terminal) {
    super(terminal);
    this.terminal = terminal;
  }

  @Override
  public synchronized void accept(String bar) {
    super.accept(bar);
  }

  /** Takes the bar away for lines of somebody else; it is drawn again below them. */
  synchronized <E extends Exception> void makeWayFor(Lines<E> lines) throws E {
    terminal.print(CLEAR);
    terminal.flush();
    lines.write();
  }
}
