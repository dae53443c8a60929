// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.examples.OneLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that names an index, for the verbs that only read its measurements. */
final class IndexOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--index",
      required = true,
      paramLabel = "DIR",
      description =
          "An index made with lucene-delta index, or by an application through a DeltaIndexWriter:"
              + " its measurements lie in DIR.delta.")
  private Path index;

  Path path() {
    return index;
  }

  /**
   * Opens the measurements, while nobody or another program writes.
   *
   * @throws CommandFailure if there is no index, or nothing was measured in it
   */
  DeltaState open() throws IOException {
    try {
      return DeltaState.open(index);
    } catch (NoSuchFileException e) {
      if (e.getReason() == null) { // of the system: a file of index or measurements is gone
        throw e;
      }
      throw new CommandFailure(notMeasured(e), e);
    }
  }

  /** What to say where nothing was measured; an index measured elsewhere is not to be made anew. */
  static String notMeasured(NoSuchFileException e) {
    return e.getOtherFile() == null ? e.getMessage() + " (see lucene-delta index)" : e.getMessage();
  }

  /** Says what was found wrong of the measurements when they were opened or asked. */
  void tellTroubles(DeltaState state) {
    PrintWriter err = spec.commandLine().getErr();
    state.troubles().forEach(trouble -> err.println(OneLine.of(trouble)));
    err.flush();
  }
}
