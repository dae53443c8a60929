// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.OneLine;
import io.lucenedelta.examples.search.SearchApp;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code search}: the search application. */
@Command(
    name = "search",
    description = "Serves a small search application on this machine, until it is stopped.",
    footer = {"", "Example:", "  lucene-delta search --index pages.index --port 8080"})
final class SearchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--index",
      required = true,
      paramLabel = "DIR",
      description = "An index made with lucene-delta index.")
  private Path index;

  @Option(
      names = "--port",
      defaultValue = "8080",
      paramLabel = "N",
      description = "Port on this machine, 0 for any that is free (default: ${DEFAULT-VALUE}).")
  private int port;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(spec.commandLine(), "--port must be 0 to 65535, was " + port);
    }
    try (SearchApp app = SearchApp.start(index, port, this::log)) {
      String where = "Search at " + app.address() + " (stop with Ctrl-C)";
      PrintWriter out = spec.commandLine().getOut();
      out.println(where);
      if (out.checkError()) { // which flushes; nobody would know where
        log(where);
      }
      new CountDownLatch(1).await();
    } catch (BindException e) {
      throw new CommandFailure(
          "port %d cannot be used (%s): name another with --port, or 0 for any that is free"
              .formatted(port, e.getMessage()),
          e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage(), e);
    } catch (NoSuchFileException e) {
      if (e.getReason() == null) { // of the system: a file of index or measurements is gone
        throw e;
      }
      throw new CommandFailure(IndexOption.notMeasured(e), e);
    }
    return 0;
  }

  private void log(String sentence) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(OneLine.of(sentence));
    err.flush();
  }
}
