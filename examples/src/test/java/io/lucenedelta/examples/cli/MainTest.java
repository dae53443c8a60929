// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

class MainTest {
  static Set<String> verbs() {
    return Main.commandLine().getSubcommands().keySet();
  }

  @Test
  void withoutAVerbItSaysSoInOneLine() {
    CommandRun run = CommandRun.of();
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).containsExactly("lucene-delta: name a verb (see lucene-delta --help)");
  }

  @Test
  void anUnknownVerbIsBadUse() {
    CommandRun run = CommandRun.of("refetch");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).hasSize(1);
    assertThat(run.complaint())
        .contains("'refetch'; did you mean ")
        .endsWith("? (see lucene-delta --help)");
    assertThat(CommandRun.of("repaly").complaint()).contains("'repaly'; did you mean replay");
    assertThat(CommandRun.of("xyzzy").complaint())
        .contains("'xyzzy'; verbs are replay, index, next")
        .endsWith("(see lucene-delta --help)");
    assertThat(CommandRun.of("help").complaint()).endsWith("'help' (see lucene-delta --help)");
    assertThat(CommandRun.of("replay", "--out", "x", "--polices", "y").complaint())
        .contains("did you mean --policies?");
    assertThat(CommandRun.of("bogus", "x").complaint()).contains(": no verb 'bogus'; did you mean");
  }

  @Test
  void aMisspeltOptionIsToldWhereTheOneThatWasMeantIsMissing() {
    for (String misspelt : List.of("--indx", "--indx=site")) {
      assertThat(CommandRun.of("next", misspelt, "site", "--count", "3").complaint())
          .contains("Unknown option: '--indx'; did you mean --index");
    }
    assertThat(CommandRun.of("next", "--count", "3").complaint())
        .contains("Missing required option: '--index=DIR'");
    assertThat(CommandRun.of("explain", "--", "--indx").complaint())
        .contains("Missing required option");
  }

  private static final class InTheFirst {}

  private static final class InTheLast {}

  /** As by a build while a run is under way; Windows does not let open files be replaced. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void whatIsInJarsThatAreReplacedLaterIsStillFound(@TempDir Path folder) throws Exception {
    Path first = jar(folder.resolve("first.jar"), InTheFirst.class);
    Path last = jar(folder.resolve("last.jar"), InTheLast.class);
    try (URLClassLoader jars =
        new URLClassLoader(new URL[] {first.toUri().toURL(), last.toUri().toURL()}, null)) {
      Main.openJars(jars);
      for (Path jar : List.of(first, last)) {
        Files.delete(jar);
        jar(jar, MainTest.class);
      }
      for (Class<?> known : List.of(InTheFirst.class, InTheLast.class)) {
        assertThat(jars.loadClass(known.getName()).getClassLoader()).isSameAs(jars);
        assertThat(jars.getResource(known.getSimpleName()).openStream()).isNotNull();
      }
    }
  }

  private static Path jar(Path file, Class<?> of) throws IOException {
    String name = of.getName().replace('.', '/') + ".class";
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file));
        InputStream in = of.getResourceAsStream("/" + name)) {
      out.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF")); // as all have that are run
      out.putNextEntry(new ZipEntry(of.getSimpleName()));
      out.putNextEntry(new ZipEntry(name));
      in.transferTo(out);
    }
    return file;
  }

  @Test
  void theHelpListsEveryVerb() {
    CommandRun run = CommandRun.of("--help");
    assertThat(run.status()).isZero();
    assertThat(String.join("\n", run.out())).contains(verbs());
  }

  @Test
  void theVersionNamesLuceneAndJava() {
    CommandRun run = CommandRun.of("--version");
    assertThat(run.status()).isZero();
    assertThat(run.out()).hasSize(3);
    assertThat(run.out().get(0)).startsWith("lucene-delta");
    assertThat(run.out().get(1)).isEqualTo("Lucene " + org.apache.lucene.util.Version.LATEST);
  }

  @Test
  void theVersionNamesTheCommitWhereItIsKnown() {
    assertThat(Version.program("1.2.3", "0a1b2c3d4e5f with changes"))
        .isEqualTo("lucene-delta 1.2.3 (commit 0a1b2c3d4e5f with changes)");
    assertThat(Version.program("1.2.3", "")).isEqualTo("lucene-delta 1.2.3");
  }

  @Test
  void reportsNameThisProgramBesideJavaAndLucene() {
    assertThat(Version.sentence())
        .startsWith(CommandRun.of("--version").out().get(0) + ", Java ")
        .contains(", Lucene " + org.apache.lucene.util.Version.LATEST + ", ");
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void everyVerbHasHelpWithAnExample(String verb) {
    CommandRun run = CommandRun.of(verb, "--help");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(String.join("\n", run.out()))
        .startsWith("Usage: lucene-delta " + verb)
        .contains("Example", "  lucene-delta " + verb + " ", "--debug");
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void anExampleCanBeCopiedAsItStands(String verb) {
    List<String> help = CommandRun.of(verb, "--help").out();
    int first = 1;
    while (!help.get(first - 1).startsWith("Example")) {
      first++;
    }
    for (int i = first; i < help.size(); i++) {
      boolean goesOn = help.get(i - 1).endsWith(" \\");
      assertThat(help.get(i)).startsWith(goesOn ? "      --" : "  lucene-delta ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replay --out o",
        "audit --out o",
        "index --crawl c --index i",
        "workload",
        "overhead --out o"
      })
  void aMisspelledOptionBehindLogsIsNoLog(String verb) {
    for (String logs : List.of("--query-log a.log b.log", "--query-log a.log", "--query-log")) {
      CommandRun run = CommandRun.of((Object[]) (verb + " " + logs + " --oout x").split(" ", -1));
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).hasSize(1);
      assertThat(run.complaint()).containsIgnoringCase("option").contains("'--oout'");
    }
  }

  @Test
  void numbersBelowZeroAndADashAreNoOptions() {
    assertThat(parsed("replay", "--out", "x", "--seed", "-5").get("--seed")).isEqualTo(-5L);
    assertThat(parsed("replay", "--seed=-5", "--out", "x").get("--seed")).isEqualTo(-5L);
    assertThat(parsed("workload", "--query-log", "-", "a.log").get("--query-log"))
        .isEqualTo(List.of(Path.of("-"), Path.of("a.log")));
    assertThat(parsed("workload", "--query-log", "x", "--columns", "-,query").get("--columns"))
        .isEqualTo(List.of("-", "query"));
    assertThat(parsed("next", "--index", "x", "--discovered", "-").get("--discovered"))
        .isEqualTo("-");
  }

  @Test
  void whatBeginsWithAnAtIsNoFileOfArguments(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("words"), "--no-such-option");
    String name = "@" + file;
    assertThat(parsed("next", "--index", name, "--discovered", name))
        .containsEntry("--index", Path.of(name))
        .containsEntry("--discovered", name);
    ParseResult explain = Main.commandLine().parseArgs("explain", "--index", "x", name);
    assertThat(explain.subcommand().matchedPositionalValue(0, "")).isEqualTo(name);
  }

  private static Map<String, Object> parsed(String... arguments) {
    Map<String, Object> values = new HashMap<>();
    Main.commandLine()
        .parseArgs(arguments)
        .subcommand()
        .matchedOptions()
        .forEach(option -> values.put(option.longestName(), option.getValue()));
    return values;
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void everyVerbRefusesAnUnknownOptionInOneLine(String verb) {
    CommandRun run = CommandRun.of(verb, "--no-such-option");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasSize(1);
    assertThat(run.complaint()).startsWith("lucene-delta " + verb + ": ").contains("--help)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "No space left on device|1|"
            + "lucene-delta: standard output could not be written: No space left on device:"
            + " free space there, or write elsewhere",
        "Broken pipe|0|"
      })
  void outputThatIsNotWrittenIsAFailureUnlessItsReaderHasGone(
      String system, int status, String complaint) {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException(system);
          }
        };
    StringWriter err = new StringWriter();
    assertThat(Main.run(full, new PrintWriter(err), "--version")).isEqualTo(status);
    assertThat(err.toString().lines().toList())
        .isEqualTo(complaint == null ? List.of() : List.of(complaint));
  }

  /** What is told where writing to standard output fails by an error of the JVM. */
  private static List<String> told(Error error, String... arguments) {
    OutputStream failing =
        new OutputStream() {
          @Override
          public void write(int one) {
            throw error;
          }
        };
    StringWriter err = new StringWriter();
    assertThat(Main.run(failing, new PrintWriter(err), arguments)).isEqualTo(1);
    return err.toString().lines().toList();
  }

  @Test
  void memoryThatRunsOutIsOneLineThatSaysHowToGiveMore() {
    assertThat(told(new OutOfMemoryError("Java heap space"), "--version"))
        .containsExactly(
            "lucene-delta: "
                + Failures.notEnough("Java heap space", Runtime.getRuntime().maxMemory()));
  }

  @Test
  void anErrorOfTheJvmIsOneLineOfItsVerbAndWithDebugItsStackTrace() {
    String unmapped = "/tmp/libzstd-jni.so: failed to map segment from shared object";
    assertThat(told(new UnsatisfiedLinkError(unmapped), "workload", "--help"))
        .containsExactly(
            "lucene-delta workload: " + Failures.sentence(new UnsatisfiedLinkError(unmapped)))
        .singleElement()
        .asString()
        .contains("(" + unmapped + ")", "-Djava.io.tmpdir=DIR to LUCENE_DELTA_JVM_OPTS");
    assertThat(told(new StackOverflowError(), "next", "--help"))
        .containsExactly(
            "lucene-delta next: unexpected StackOverflowError; run again with --debug and report it");
    assertThat(told(new OutOfMemoryError("Java heap space"), "next", "--help", "--debug"))
        .contains("java.lang.OutOfMemoryError: Java heap space")
        .anyMatch(line -> line.startsWith("\tat io.lucenedelta."))
        .last()
        .asString()
        .startsWith("lucene-delta next: not enough memory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void anEmptyNameIsNotTheCurrentDirectory(String name) {
    CommandRun run = CommandRun.of("next", "--index", name);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint()).contains("--index").contains("an empty name is no file");
  }

  @Test
  void theStackTraceComesWithDebugOnly() {
    Object[] words = {"replay", "--crawl", "no-such-dir", "--query-log", "x", "--out", "target/x"};
    assertThat(CommandRun.of(words).err()).hasSize(1);
    Object[] debugged = java.util.Arrays.copyOf(words, words.length + 1);
    debugged[words.length] = "--debug";
    CommandRun run = CommandRun.of(debugged);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).anyMatch(line -> line.startsWith("\tat io.lucenedelta."));
    assertThat(run.complaint()).startsWith("lucene-delta replay: no crawl directory");
  }
}
