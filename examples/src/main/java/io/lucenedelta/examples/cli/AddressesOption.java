// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.SnapshotArchive;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which addresses of a named crawl are pages. */
final class AddressesOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--addresses",
      paramLabel = "REGEX",
      description =
          "Only addresses in which this regular expression finds something are pages (default: all"
              + " but robots.txt).")
  private String expression;

  /**
   * Complains of what cannot be used.
   *
   * @param crawl null where none is named
   * @throws ParameterException in one sentence
   */
  void check(Path crawl) {
    if (expression != null && crawl == null) {
      throw bad("--addresses says which addresses of a crawl are pages: add --crawl DIR");
    }
    pattern();
  }

  /** A crawl with these pages alone. */
  SnapshotArchive of(SnapshotArchive archive) {
    Pattern pattern = pattern();
    return pattern == null ? archive : archive.withPages(pattern.asPredicate());
  }

  private Pattern pattern() {
    try {
      return expression == null ? null : Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      throw bad(
          "--addresses is no regular expression, %s: %s"
              .formatted(
                  e.getIndex() < 0 ? e.getDescription() : at(e.getIndex(), e.getDescription()),
                  expression));
    }
  }

  private static String at(int index, String what) {
    return what + " at character " + (index + 1);
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
