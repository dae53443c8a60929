// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first command of the README, as somebody runs it who has just got the sources. The launcher
 * has Maven run on a newer JDK than the tests do, so nothing else builds as it does.
 */
@DisabledOnOs(OS.WINDOWS)
@EnabledIf(
    value = "io.lucenedelta.examples.cli.FreshScripts#canRun",
    disabledReason = "no script can be run below java.io.tmpdir")
class CleanCheckoutTest {
  /** What is made, and what a checkout is not of. */
  private static final Set<String> LEFT_OUT = Set.of("target", ".git");

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void theLauncherBuildsACleanCheckoutAndIndexesWithIt() throws Exception {
    assumeThat(programs("mvn")).as("Maven is on the PATH").isNotEmpty();
    Path checkout = copy(folder.resolve("check out"));
    Path library =
        leftByAnEarlierBuild(checkout.resolve("examples/target/quick/lib/lucene-core-9.jar"));
    Path jar = leftByAnEarlierBuild(checkout.resolve("examples/target/quick/examples.jar"));
    Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
    Path running = Files.createLink(folder.resolve("running.jar"), jar);
    Path page = folder.resolve("crawl/week-00/a.html");
    Files.createDirectories(page.getParent());
    Files.writeString(page, "<html><body>words of a page</body></html>");
    Path log = Files.writeString(folder.resolve("counts.tsv"), "words\t7\n");

    Run run =
        run(
            checkout,
            "index",
            "--crawl=" + folder.resolve("crawl"),
            "--query-log=" + log,
            "--log-format=counts",
            "--index=" + folder.resolve("index"));

    assertThat(run.status()).as(run.text()).isZero();
    assertThat(run.text()).contains("lucene-delta: building");
    assertThat(folder.resolve("index.delta")).isNotEmptyDirectory();
    assertThat(library).doesNotExist();
    assertThat(running).as("what is run").hasContent("of another version");
    assertThat(Files.getLastModifiedTime(library.getParent()))
        .as("when the jar of the program says that all is built")
        .isLessThanOrEqualTo(Files.getLastModifiedTime(jar));
    assertThat(checkout.resolve("scorer/target/classes"))
        .as("where mvn verify would find classes that nobody checked")
        .doesNotExist();
  }

  private static Path leftByAnEarlierBuild(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "of another version");
  }

  private record Run(int status, String text) {}

  private Run run(Path checkout, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(checkout + "/examples/lucene-delta"));
    command.addAll(List.of(words));
    Path out = folder.resolve("out.txt");
    ProcessBuilder process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    // Which JDK the launcher finds is another test's: a build may know one where it does not look.
    process.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // Libraries come from where this build has them; an option of the JVM cannot hold a blank.
    String libraries = System.getProperty("localRepository");
    if (libraries != null && !libraries.contains(" ")) {
      add(process, "MAVEN_OPTS", "-Dmaven.repo.local=" + libraries);
    }
    // Half a dozen JVMs run briefly, as this one does.
    add(process, "JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    int status = process.start().waitFor();
    return new Run(status, Files.readString(out));
  }

  /** What a variable holds stays: Maven may need it to get through a proxy. */
  private static void add(ProcessBuilder process, String variable, String flags) {
    process.environment().merge(variable, flags, (had, more) -> had + " " + more);
  }

  private static List<Path> programs(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .toList();
  }

  private static Path copy(Path checkout) throws IOException {
    Files.walkFileTree(
        PROJECT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            if (LEFT_OUT.contains(String.valueOf(from.getFileName()))) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(checkout.resolve(PROJECT.relativize(from)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(from, checkout.resolve(PROJECT.relativize(from)));
            return FileVisitResult.CONTINUE;
          }
        });
    return checkout;
  }
}
