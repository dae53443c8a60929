// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

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

  @Override
  public Path convert(String name) {
    if (name.startsWith("-") && !name.equals(STANDARD_INPUT.toString())) {
      throw new TypeConversionException(
          "there is no option '" + name + "'; a log of that name is ./" + name);
    }
    return Main.path(name);
  }
}
