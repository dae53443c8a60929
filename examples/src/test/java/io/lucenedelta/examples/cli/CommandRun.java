// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** One run of the command line, as a person or a script sees it. */
record CommandRun(int status, List<String> out, List<String> err) {

  /** Runs the command line with arguments, which are turned into texts. */
  static CommandRun of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] words = Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new);
    int status = commandLine.execute(words);
    commandLine.getOut().flush();
    commandLine.getErr().flush();
    return new CommandRun(status, out.toString().lines().toList(), err.toString().lines().toList());
  }

  /** The last line on standard error, which says what went wrong. */
  String complaint() {
    return err.isEmpty() ? "" : err.get(err.size() - 1);
  }
}
