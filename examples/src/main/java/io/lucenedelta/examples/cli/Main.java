// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code lucene-delta}: picks the verb and turns failures into one line. */
@Command(
    name = "lucene-delta",
    description = "Tells which pages to fetch next so that users see the best search results.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    synopsisSubcommandLabel = "VERB",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:failed", "2:bad use"},
    commandListHeading = "%nVerbs:%n",
    footer = {
      "",
      "Example: see what a better order is worth, on a generated crawl",
      "  lucene-delta replay --out demo-out"
    },
    subcommands = {
      ReplayCommand.class,
      IndexCommand.class,
      NextCommand.class,
      ExplainCommand.class,
      StatusCommand.class,
      SearchCommand.class,
      WorkloadCommand.class,
      AuditCommand.class,
      OverheadCommand.class
    })
public final class Main implements Runnable {
  /**
   * Libraries that tell through java.util.logging how they could be faster, or what they can do
   * without; the JDK forgets loggers that nobody holds.
   */
  private static final List<Logger> TALKATIVE =
      List.of(
          Logger.getLogger("org.apache.lucene"),
          Logger.getLogger("net.openhft"),
          Logger.getLogger("com.sun.jna"));

  @Spec private CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean debug;

  /** Runs the command line and ends the JVM with its exit status. */
  public static void main(String[] arguments) {
    TALKATIVE.forEach(logger -> logger.setLevel(Level.SEVERE));
    openJars(Main.class.getClassLoader());
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(new FileOutputStream(FileDescriptor.out), err, arguments));
  }

  /**
   * Opens every jar of the class path: for classes, by looking into all, and for files, by reading
   * one of each, since the JDK opens jars once more for these and keeps that open, too. A build
   * meanwhile puts others in their place, and what is open stays as it was: a run of hours needs at
   * its end what it did not need before.
   */
  static void openJars(ClassLoader jars) {
    jars.resources("META-INF/MANIFEST.MF")
        .forEach(
            manifest -> {
              try (InputStream in = manifest.openStream()) {
                in.readAllBytes();
              } catch (IOException e) {
                // who needs that jar hears of it
              }
            });
  }

  /** The command line on standard output, with errors of the JVM told in one line, too. */
  static int run(OutputStream standardOutput, PrintWriter err, String... arguments) {
    StandardOutput out = new StandardOutput(standardOutput);
    CommandLine line =
        commandLine().setErr(err).setOut(new PrintWriter(out, false, StandardCharsets.UTF_8));
    try {
      int status = line.execute(arguments);
      line.getOut().flush();
      Optional<String> complaint = out.complaint();
      complaint.ifPresent(sentence -> err.println("lucene-delta: " + sentence));
      return complaint.isPresent() ? CommandLine.ExitCode.SOFTWARE : status;
    } catch (Error e) { // picocli hands exceptions alone to its handlers
      return failed(e, verb(line));
    }
  }

  /** The verb that was named, or the command itself. */
  private static CommandLine verb(CommandLine line) {
    ParseResult parsed = line.getParseResult(); // null before anything was understood
    return parsed != null && parsed.hasSubcommand()
        ? parsed.subcommand().commandSpec().commandLine()
        : line;
  }

  /** The command line with its error handling, as tests run it. */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setParameterExceptionHandler(Main::badUse)
        .setExecutionExceptionHandler(Main::failed)
        .registerConverter(Path.class, Main::path)
        .registerConverter(Double.class, Main::number)
        .registerConverter(double.class, Main::number)
        .registerConverter(Integer.class, Main::count)
        .registerConverter(int.class, Main::count)
        .registerConverter(Long.class, Main::wholeNumber)
        .registerConverter(long.class, Main::wholeNumber)
        .setExpandAtFiles(false) // a name may begin with an @
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** An empty name would be the current directory: mostly a variable that nobody set. */
  static Path path(String name) {
    if (name.isBlank()) {
      throw new TypeConversionException("an empty name is no file or directory");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + name + "' is no path here: " + e.getReason());
    }
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      String share = text.endsWith("%") ? ": a share is written as 0.5, not as 50%" : "";
      throw new TypeConversionException("'" + text + "' is no number" + share);
    }
  }

  private static int count(String text) {
    long number = wholeNumber(text);
    if (number != (int) number) {
      throw new TypeConversionException(
          "'%s' is more than %d, or less than %d"
              .formatted(text, Integer.MAX_VALUE, Integer.MIN_VALUE));
    }
    return (int) number;
  }

  private static long wholeNumber(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is no whole number, such as 1000");
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a verb");
  }

  private static int badUse(ParameterException refused, String[] arguments) {
    ParameterException failure = misspelt(refused, arguments);
    CommandLine verb = failure.getCommandLine();
    String name = verb.getCommandSpec().qualifiedName();
    verb.getErr()
        .println(name + ": " + sentence(failure) + meant(failure) + " (see " + name + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  /** What seems to be missing may be there under a name that no option has: that is told then. */
  private static ParameterException misspelt(ParameterException failure, String[] arguments) {
    CommandLine verb = failure.getCommandLine();
    if (failure instanceof MissingParameterException) {
      for (String argument : arguments) {
        String option = argument.replaceFirst("=.*", "");
        if (option.equals("--")) {
          break;
        }
        if (option.startsWith("--") && verb.getCommandSpec().findOption(option) == null) {
          return new UnmatchedArgumentException(verb, List.of(option));
        }
      }
    }
    return failure;
  }

  private static String sentence(ParameterException failure) {
    boolean top = failure.getCommandLine().getParent() == null;
    return top && failure instanceof UnmatchedArgumentException word && !word.isUnknownOption()
        ? "no verb '" + word.getUnmatched().get(0) + "'"
        : oneLine(failure);
  }

  /** What verb or option was probably meant; of a verb that is like no other, which there are. */
  private static String meant(ParameterException failure) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    if (unmatched.getUnmatched().contains("help")) {
      return ""; // the sentence ends with it
    }
    List<String> like = unmatched.getSuggestions();
    if (!like.isEmpty()) {
      return "; did you mean " + String.join(" or ", like) + "?";
    }
    Set<String> verbs = failure.getCommandLine().getSubcommands().keySet();
    return verbs.isEmpty() || unmatched.isUnknownOption()
        ? ""
        : "; verbs are " + String.join(", ", verbs);
  }

  private static int failed(Exception failure, CommandLine verb, ParseResult parsed) {
    return failed(failure, verb);
  }

  private static int failed(Throwable failure, CommandLine verb) {
    PrintWriter err = verb.getErr();
    if (isDebug(verb)) {
      failure.printStackTrace(err);
    }
    err.println(verb.getCommandSpec().qualifiedName() + ": " + Failures.sentence(failure));
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static boolean isDebug(CommandLine verb) {
    Object main = verb.getCommandSpec().root().userObject();
    return main instanceof Main top && top.debug;
  }

  private static String oneLine(Exception failure) {
    return failure.getMessage().lines().findFirst().orElse("cannot be understood");
  }
}
