// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.workload.Workload;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Temporary files that cannot be made, or are left. */
@ResourceLock(value = FreshScripts.RUN, mode = ResourceAccessMode.READ)
class TemporaryFolderTest {
  @TempDir Path directory;

  @Test
  void whereNoTemporaryFileCanBeMadeItIsSaidWhereAndWhatToDo() throws Exception {
    Path log = Files.writeString(directory.resolve("queries.tsv"), "garden pond\t3\n");
    Path crawl = Files.createDirectory(directory.resolve("crawl"));
    Files.writeString(
        Files.createDirectory(crawl.resolve("2024-01-01")).resolve("page.html"), "garden");
    Path missing = directory.resolve("missing");
    String why =
        "no temporary file can be made in "
            + missing
            + " (java.io.tmpdir): make it a directory with room in which this user may write, or"
            + " name another by LUCENE_DELTA_JVM_OPTS=-Djava.io.tmpdir=DIR";
    String flag = "-Djava.io.tmpdir=" + missing;
    assertThat(err(1, flag, "workload", "--query-log", log))
        .endsWith("lucene-delta workload: " + why);
    Path index = directory.resolve("index");
    assertThat(err(1, flag, "index", "--crawl", crawl, "--query-log", log, "--index", index))
        .endsWith("lucene-delta index: " + why);
  }

  /** As on Windows, where a file stays that is mapped. */
  @Test
  void aFolderThatCannotBeDeletedIsNamedToWhoeverRunsTheProgram() throws IOException {
    Path folder = TemporaryFolder.make();
    StringWriter err = new StringWriter();
    Path file = Files.createFile(folder.resolve("query-terms"));
    TemporaryFolder.delete(folder, new PrintWriter(err));
    assertThat(err.toString())
        .isEqualTo(
            "%s cannot be deleted yet, and holds queries: delete it when this has ended%n"
                .formatted(folder));
    Files.delete(file);
    err.getBuffer().setLength(0);
    TemporaryFolder.delete(folder, new PrintWriter(err));
    assertThat(err.toString()).isEmpty();
    assertThat(folder).doesNotExist();
  }

  /** Waits for a log on standard input, as it would go on with a long one. */
  @Test
  @Timeout(value = 2, unit = MINUTES)
  void whatAKilledProcessLeftIsDeletedByALaterOneAndNothingElse() throws Exception {
    Path place = Files.createDirectory(directory.resolve("place"));
    Path own = Files.createDirectory(place.resolve("own"));
    Process jvm =
        new ProcessBuilder(command("-Djava.io.tmpdir=" + place, "workload", "--query-log", "-"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      Path held = lockedFolder(place, jvm);
      Path texts = Files.writeString(held.resolve("texts-1.tmp"), "my own name");
      makeOld(held);
      TemporaryFolder.deleteLeftBeside(own);
      assertThat(texts).as("while its process lives").exists();

      jvm.destroyForcibly().waitFor();
      Files.setLastModifiedTime(held, FileTime.from(Instant.now()));
      TemporaryFolder.deleteLeftBeside(own);
      assertThat(texts).as("may be about to be locked").exists();

      Path strange = Files.writeString(held.resolve("letter.txt"), "of the user");
      makeOld(held);
      TemporaryFolder.deleteLeftBeside(own);
      assertThat(texts).as("beside what is none of ours").exists();

      Files.delete(strange);
      makeOld(held);
      Path unlocked = Files.createDirectory(place.resolve("lucene-delta-workload-of-another"));
      makeOld(unlocked);
      TemporaryFolder.deleteLeftBeside(own);
      assertThat(held).doesNotExist();
      assertThat(unlocked).exists();
    } finally {
      jvm.destroyForcibly();
    }
  }

  private static Path lockedFolder(Path place, Process jvm) throws Exception {
    while (jvm.isAlive()) {
      try (Stream<Path> made = Files.walk(place)) {
        Optional<Path> lock = made.filter(path -> path.endsWith("lock")).findAny();
        if (lock.isPresent() && isHeld(lock.get())) {
          return lock.get().getParent();
        }
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the process ended before it read its log");
  }

  private static boolean isHeld(Path lock) throws IOException {
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      return channel.tryLock() == null;
    }
  }

  private static void makeOld(Path folder) throws IOException {
    Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(3600)));
  }

  @Test
  void aLibraryThatCannotUnpackItselfTellsNoStackTrace() throws Exception {
    new DemoCrawl(5, 1, 5, 20, 1).write(directory);
    Path queries = directory.resolve("queries.workload");
    Workload.builder().add(List.of("garden"), 1).build().write(queries);
    Path file = Files.createFile(directory.resolve("file"));
    List<String> err =
        err(
            0,
            "-Djna.tmpdir=" + file.resolve("below"),
            "index",
            "--crawl",
            DemoCrawl.snapshots(directory),
            "--workload",
            queries,
            "--index",
            directory.resolve("index"));
    assertThat(err).noneMatch(line -> line.contains("JNA Warning") || line.startsWith("\tat "));
  }

  /** What a JVM of its own says on standard error. */
  private List<String> err(int status, String flag, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = command(flag, arguments);
    File err = directory.resolve("err.txt").toFile();
    Process jvm =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(err)
            .start();
    int ended = jvm.waitFor();
    List<String> lines = Files.readAllLines(err.toPath());
    assertThat(ended).as("status of %s: %s", command, lines).isEqualTo(status);
    return lines;
  }

  private static List<String> command(String flag, Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(opening -> opening.startsWith("--add-"))
        .forEach(command::add);
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", flag));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return command;
  }
}
