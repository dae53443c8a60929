// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import picocli.CommandLine.Option;

/** The option that says how a table is printed. */
final class FormatOption {
  @Option(
      names = "--format",
      defaultValue = "tsv",
      paramLabel = "FORMAT",
      description = "tsv or json (default: ${DEFAULT-VALUE}).")
  private TableOutput.Format format;

  TableOutput.Format chosen() {
    return format;
  }
}
