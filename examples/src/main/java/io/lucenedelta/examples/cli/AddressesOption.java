// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.SnapshotArchive;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which addresses of a named crawl are pages. */
final class AddressesOption {
  private static final int SHOWN = 100; // letters of an address

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
    if (expression != null && expression.isEmpty()) { // mostly a variable that nobody set
      throw bad("--addresses is empty, which every address would suit: name some, or leave it out");
    }
    if (expression != null && crawl == null) {
      throw bad("--addresses says which addresses of a crawl are pages: add --crawl DIR");
    }
    pattern();
  }

  /** What the report is to say of it, in a clause, if anything. */
  List<String> notes() {
    return expression == null
        ? List.of()
        : List.of("only addresses in which %s finds something are pages".formatted(expression));
  }

  /**
   * A crawl with these pages alone. Reading it ends with a {@link CommandFailure} where the
   * expression cannot be sought in an address.
   */
  SnapshotArchive of(SnapshotArchive archive) {
    Pattern pattern = pattern();
    return pattern == null ? archive : archive.withPages(address -> isFound(pattern, address));
  }

  /** Each time that a group is repeated takes stack, and the web chooses how often that is. */
  private static boolean isFound(Pattern pattern, String address) {
    try {
      return pattern.matcher(address).find();
    } catch (StackOverflowError e) {
      throw new CommandFailure(
          "--addresses %s repeats a group more often than memory allows in the address %s: repeat letters in place of groups, such as [^?]* for (?:[^/]+/)*"
              .formatted(pattern, shown(address)),
          e);
    }
  }

  private static String shown(String address) {
    return address.length() <= SHOWN ? address : address.substring(0, SHOWN) + "…";
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
