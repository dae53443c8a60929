// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the name of a query log. An option that takes any number of names also takes a misspelled
 * option behind them for one; picocli's own setting against this would refuse {@code --columns
 * -,query} as well.
 */
final class LogName implements ITypeConverter<Path> {
  static final Path STANDARD_INPUT = Path.of("-");

  /** Where standard input stands among files, on systems where it does. */
  private static final Path DEVICE = Path.of("/dev/stdin");

  /** A place that can be compared with those of files: what is redirected to a file is that one. */
  static Path place(Path log) {
    return log.equals(STANDARD_INPUT) && Files.exists(DEVICE) ? DEVICE : log;
  }

  @Override
  public Path convert(String name) {
    if (name.startsWith("-") && !name.equals(STANDARD_INPUT.toString())) {
      throw new TypeConversionException(
          "there is no option '" + name + "'; a log of that name is ./" + name);
    }
    return Main.path(name);
  }
}
