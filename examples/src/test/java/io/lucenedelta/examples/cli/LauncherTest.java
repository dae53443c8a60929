// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell script, in a house of its own with JDKs and a Maven made of shell scripts. */
@DisabledOnOs(OS.WINDOWS)
@EnabledIf(
    value = "io.lucenedelta.examples.cli.FreshScripts#canRun",
    disabledReason = "no script can be run below java.io.tmpdir")
@ResourceLock(FreshScripts.RUN)
class LauncherTest {
  private static final Instant NOON = Instant.parse("2024-01-01T12:00:00Z");

  /** What mvn -Dquick leaves of a project that it finds in its working directory. */
  private static final String QUICK =
      "cd examples/target && rm -rf quick && mkdir -p quick/lib && echo jar > quick/lib/one.jar\n"
          + "echo jar > quick/examples.jar\n";

  @TempDir Path house;
  private Path launcher;
  private Path jar;

  @BeforeEach
  void furnish() throws IOException {
    house = house.toRealPath(); // as the script tells folders
    String script = Files.readString(Path.of("lucene-delta"));
    launcher = program("examples/lucene-delta", withPlaces(script, "/nowhere/"));
    write(
        "pom.xml",
        "<project>\n<chronicle.flags>--add-opens=x=ALL-UNNAMED -Dtwo</chronicle.flags></project>");
    jar = write("examples/target/examples.jar", "jar");
    write("examples/target/lib/one.jar", "jar");
    program("bin/mvn", "#!/bin/sh\necho built >> \"" + house + "/builds\"\n" + QUICK);
    jdk("jdk17", 17);
  }

  /** The script with the machine's usual places of JDKs below a folder of ours. */
  private static String withPlaces(String script, String folder) {
    Matcher places = Pattern.compile("for home in /.*?; do", Pattern.DOTALL).matcher(script);
    assertThat(places.find()).isTrue();
    String moved = places.group().replaceAll("(?<=\\s)/", Matcher.quoteReplacement(folder));
    return script.replace(places.group(), moved);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "usr/lib/jvm/temurin-25",
        "usr/lib64/jvm/java-25-openjdk",
        "opt/java/openjdk",
        "Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home",
        "opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home",
        "usr/local/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home"
      })
  void aJdkIsFoundInThePlacesWhereSystemsPutThem(String place) throws Exception {
    Path jdk = jdk("machine/" + place, 25);
    program(
        "examples/lucene-delta",
        withPlaces(Files.readString(Path.of("lucene-delta")), house + "/machine/"));
    assertThat(run(Map.of(), launcher).out()).startsWith(jdk.toString());
  }

  @Test
  void argumentsAndFlagsReachTheProgram() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Run run = run(Map.of("JAVA_HOME", jdk.toString()), launcher, "next", "a b", "*");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .startsWith(jdk.toString(), "--add-opens=x=ALL-UNNAMED", "-Dtwo")
        .contains("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED")
        .contains("-Duser.language=en")
        .endsWith(
            "-cp", classPath("target"), "io.lucenedelta.examples.cli.Main", "next", "a b", "*");
  }

  /** A clone whose HEAD is told by a git that is asked for this clone alone. */
  private void clone(String head) throws IOException {
    write(".git/HEAD", head);
    program(
        "bin/git",
        "#!/bin/sh\n[ \"$1 $2\" = '-C "
            + house
            + "' ] && cat \"${GIT_DIR:-$2/.git}/HEAD\" || exit 128\n");
  }

  @Test
  void theCommitOfACloneReachesTheProgram() throws Exception {
    clone("0a1b2c3d4e5f with changes");
    Run run = run(Map.of("JAVA_HOME", jdk("jdk25", 25).toString()), launcher, "replay");
    assertThat(run.out()).contains("-Dlucene-delta.commit=0a1b2c3d4e5f with changes");
  }

  /** As in a hook, or in a shell that is set to another repository. */
  @Test
  void theCommitIsThatOfTheCloneWhateverRepositoryTheShellIsSetTo() throws Exception {
    clone("0a1b2c3d4e5f");
    Path other = write("other.git/HEAD", "f5e4d3c2b1a0").getParent();
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk("jdk25", 25).toString(), "GIT_DIR", other.toString());
    assertThat(run(environment, launcher).out()).contains("-Dlucene-delta.commit=0a1b2c3d4e5f");
  }

  /** One that is unpacked inside another clone has nothing to do with the commits of that. */
  @Test
  void ofWhatIsNoCloneNoCommitIsTold() throws Exception {
    clone("0a1b2c3d4e5f");
    Files.move(house.resolve(".git"), house.resolve("git-of-another"));
    Run run = run(Map.of("JAVA_HOME", jdk("jdk25", 25).toString()), launcher, "replay");
    assertThat(run.out()).endsWith("replay").noneMatch(word -> word.contains("commit"));
    Files.createFile(house.resolve(".git")); // which git cannot read
    run = run(Map.of("JAVA_HOME", jdk("jdk25", 25).toString()), launcher, "replay");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).endsWith("replay").noneMatch(word -> word.contains("commit"));
  }

  @Test
  void ofWhatIsOlderThanItsSourcesNoCommitIsTold() throws Exception {
    clone("0a1b2c3d4e5f");
    Path jdk = jdk("jdk25", 25);
    Files.setLastModifiedTime(jar, FileTime.from(NOON));
    Path small = small();
    Files.copy(house.resolve("bin/git"), small.resolve("git"), StandardCopyOption.COPY_ATTRIBUTES);
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString(), "PATH", small.toString());
    Run run = run(environment, launcher, "replay");
    assertThat(run.err()).singleElement().asString().endsWith("running what is built");
    assertThat(run.out()).endsWith("replay").noneMatch(word -> word.contains("commit"));
  }

  @Test
  void otherJarsThatABuildLeavesBesideThatOfTheProgramAreNotTaken() throws Exception {
    Path jdk = jdk("jdk25", 25);
    for (String other : List.of("-0.9", "-1-javadoc", "-1-sources", "-javadoc", "-sources")) {
      write("examples/target/examples" + other + ".jar", "jar");
    }
    Run run = run(Map.of("JAVA_HOME", jdk.toString()), launcher);
    assertThat(run.out()).contains(classPath("target"));
    Files.delete(jar);
    run = run(Map.of("JAVA_HOME", jdk.toString()), launcher);
    assertThat(run.err()).containsExactly("lucene-delta: building (only when sources are new) ...");
  }

  @ParameterizedTest
  @CsvSource({"C,C.UTF-8", "POSIX,C.UTF-8", "C.UTF-8,C.UTF-8"})
  void namesMayHoldAnyLetterWhateverTheLocaleSays(String locale, String seen) throws Exception {
    Path jdk = jdk("jdk25", 25);
    program("jdk25/bin/java", "#!/bin/sh\necho \"$LC_ALL\"\n");
    Run run = run(Map.of("JAVA_HOME", jdk.toString(), "LC_ALL", locale), launcher);
    assertThat(run.out()).containsExactly(seen);
  }

  /** As in small images of Alpine; the tools that the script needs are there. */
  @ParameterizedTest
  @CsvSource({
    "LC_ALL,C,C.UTF-8",
    "LANG,POSIX,C.UTF-8",
    "NOTHING,'',C.UTF-8",
    "LC_CTYPE,de_DE.UTF-8,not set"
  })
  void namesMayHoldAnyLetterWhereNoProgramTellsWhatALocaleSays(
      String variable, String locale, String seen) throws Exception {
    Path jdk = jdk("jdk25", 25);
    program("jdk25/bin/java", "#!/bin/sh\necho \"${LC_ALL:-not set}\"\n");
    Path small = small();
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk.toString(), "PATH", small.toString(), variable, locale);
    Run run = run(environment, launcher);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsExactly(seen);
  }

  /** The tools that the script needs, and no others. */
  private Path small() throws IOException {
    Path small = Files.createDirectory(house.resolve("small"));
    for (String tool : List.of("sh", "dirname", "readlink", "sed", "find", "head")) {
      Path there =
          Stream.of("/bin", "/usr/bin")
              .map(bin -> Path.of(bin, tool))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(small.resolve(tool), there);
    }
    return small;
  }

  /** A JVM opens its own files where standard input was, and would read them as input. */
  @Test
  void aStandardInputThatIsClosedIsEmptyForTheProgram() throws Exception {
    Path jdk = jdk("jdk25", 25);
    program("jdk25/bin/java", "#!/bin/sh\n(exec 3<&0) || exit\ncat\necho end\n");
    Path closing = program("closing", "#!/bin/sh\nexec \"$@\" <&-\n");
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString());
    Run run = run(environment, closing, launcher.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsExactly("end");
  }

  /** Bash has the script open where standard error was, and fails when it writes there. */
  @ParameterizedTest
  @ValueSource(strings = {"sh", "dash", "bash"})
  void aStandardErrorThatIsClosedKeepsNothingFromRunning(String shell) throws Exception {
    assumeTrue(Files.exists(Path.of("/bin", shell)), "no " + shell);
    Path jdk = jdk("jdk25", 25);
    Files.setLastModifiedTime(jar, FileTime.from(NOON));
    Path closing = program("closing", "#!/bin/sh\nexec /bin/" + shell + " \"$@\" 2>&-\n");
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString());
    Run run = run(environment, closing, launcher.toString(), "next");
    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith(jdk.toString()).endsWith("next");
    assertThat(house.resolve("builds")).hasContent("built");
    Files.setLastModifiedTime(
        house.resolve("examples/target/quick/examples.jar"), FileTime.from(NOON));
    program("bin/mvn", "#!/bin/sh\nexit 3\n");
    assertThat(run(environment, closing, launcher.toString(), "next").status())
        .as("a build that fails")
        .isEqualTo(1);
  }

  /** What opens a terminal of its own, /dev/ptmx, is one itself on Linux. */
  @ParameterizedTest
  @CsvSource({
    "TERM,xterm-256color,true",
    "TERM,dumb,false",
    "TERM,'',false",
    "NOTHING,'',false",
  })
  @EnabledOnOs(OS.LINUX)
  @EnabledIf(
      value = "io.lucenedelta.examples.cli.FreshScripts#canOpenTerminal",
      disabledReason = "/dev/ptmx cannot be opened")
  void progressIsABarWhereATerminalCanBeCommanded(String variable, String value, boolean bar)
      throws Exception {
    Path jdk = jdk("jdk25", 25);
    Path showing = program("showing", "#!/bin/sh\nexec \"$@\" 2>/dev/ptmx\n");
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString(), variable, value);
    String flag = "-Dlucene-delta.terminal=true";
    assertThat(run(environment, showing, launcher.toString()).out().contains(flag)).isEqualTo(bar);
    assertThat(run(environment, launcher).out()).as("into a file").doesNotContain(flag);
  }

  @Test
  void whatStandardInputHoldsReachesTheProgram() throws Exception {
    Path jdk = jdk("jdk25", 25);
    program("jdk25/bin/java", "#!/bin/sh\ncat\n");
    Path telling = program("telling", "#!/bin/sh\necho addresses | \"$@\"\n");
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString());
    assertThat(run(environment, telling, launcher.toString()).out()).containsExactly("addresses");
  }

  @Test
  void aJdkThatIsTooOldIsPassedOver() throws Exception {
    Path newer = jdk("home/.sdkman/candidates/java/21", 21);
    Run run =
        run(
            Map.of("JAVA_HOME", house.resolve("jdk17").toString(), "HOME", house + "/home"),
            launcher);
    assertThat(run.out()).startsWith(newer.toString());
    assertThat(run.out()).doesNotContain("--sun-misc-unsafe-memory-access=allow");
  }

  @Test
  void theJavaOnThePathIsNotAskedWhereJavaHomeIsGood() throws Exception {
    Path jdk = jdk("jdk25", 25);
    program("jdk17/bin/java", "#!/bin/sh\necho asked > \"" + house + "/asked\"\n");
    assertThat(run(Map.of("JAVA_HOME", jdk.toString()), launcher).out()).isNotEmpty();
    assertThat(house.resolve("asked")).doesNotExist();
  }

  @Test
  void temporaryFilesGoWhereTheShellSaysUnlessAFlagSaysOtherwise() throws Exception {
    String jdk = jdk("jdk25", 25).toString();
    Path folder = Files.createDirectory(house.resolve("of this job"));
    String flag = "-Djava.io.tmpdir=";
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk, "TMPDIR", folder.toString(), "LUCENE_DELTA_JVM_OPTS", flag + "/x");
    assertThat(run(environment, launcher).out()).containsSubsequence(flag + folder, flag + "/x");
    assertThat(run(Map.of("JAVA_HOME", jdk, "TMPDIR", house + "/none"), launcher).out())
        .as("a folder that is not there")
        .noneMatch(word -> word.startsWith(flag));
  }

  @Test
  void withoutAJdkItSaysWhatToDo() throws Exception {
    Run run = run(Map.of("HOME", house.toString()), launcher);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .containsExactly(
            "lucene-delta: no JDK 21 or newer found (a JRE is not enough): install one or set"
                + " JAVA_HOME");
  }

  @Test
  void aJreIsNotEnough() throws Exception {
    Path jre = jdk("jre25", 25);
    Files.delete(jre.resolve("bin/javac"));
    assertThat(run(Map.of("JAVA_HOME", jre.toString()), launcher).status()).isEqualTo(1);
  }

  @Test
  void itWorksThroughSymbolicLinks() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Path outside = Files.createDirectory(house.resolve("outside"));
    Path link =
        Files.createSymbolicLink(outside.resolve("one"), Path.of("../examples/lucene-delta"));
    Path second = Files.createSymbolicLink(house.resolve("two"), link);
    Run run = run(Map.of("JAVA_HOME", jdk.toString()), second, "--help");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("--help");
  }

  @Test
  void aFolderThatNoClassPathCanNameIsRefused() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Path folder = Files.createDirectory(house.resolve("at 12:30"));
    Files.move(house.resolve("examples"), folder.resolve("examples"));
    Run run = run(Map.of("JAVA_HOME", jdk.toString()), folder.resolve("examples/lucene-delta"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).singleElement().asString().contains("':'").endsWith(folder.toString());
  }

  @Test
  void itBuildsWhenASourceIsNewer() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Path source = write("scorer/src/main/java/A.java", "class A {}");
    Files.setLastModifiedTime(source, FileTime.from(NOON.plusSeconds(60)));
    Files.setLastModifiedTime(jar, FileTime.from(NOON));
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString());
    Run first = run(environment, launcher);
    assertThat(first.err())
        .containsExactly("lucene-delta: building (only when sources are new) ...");
    assertThat(run(environment, launcher).err()).isEmpty();
    assertThat(house.resolve("builds")).hasContent("built");
  }

  @ParameterizedTest
  @CsvSource({"0,60,target/quick", "60,0,target"})
  void whatIsRunIsTheNewerOfABuildThatChecksAndAQuickOne(int checked, int quick, String taken)
      throws Exception {
    Path jdk = jdk("jdk25", 25);
    Path other = write("examples/target/quick/examples.jar", "jar");
    write("examples/target/quick/lib/one.jar", "jar");
    Instant sources = Files.getLastModifiedTime(house.resolve("pom.xml")).toInstant();
    Files.setLastModifiedTime(jar, FileTime.from(sources.plusSeconds(checked)));
    Files.setLastModifiedTime(other, FileTime.from(sources.plusSeconds(quick)));
    Run run = run(Map.of("JAVA_HOME", jdk.toString()), launcher);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains(classPath(taken));
  }

  @Test
  void whatItBuiltIsWhatItRuns() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Files.setLastModifiedTime(jar, FileTime.from(NOON));
    Run run = run(Map.of("JAVA_HOME", jdk.toString()), launcher);
    assertThat(run.out()).contains(classPath("target/quick"));
  }

  /** As of a copy, whose files are as old as their copying. */
  @Test
  void withoutMavenWhatIsBuiltRunsThoughASourceIsNewer() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Files.setLastModifiedTime(jar, FileTime.from(NOON));
    Run run = run(Map.of("JAVA_HOME", jdk.toString(), "PATH", small().toString()), launcher);
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .containsExactly(
            "lucene-delta: sources are newer than what is built, and there is no mvn: running what"
                + " is built");
    assertThat(run.out()).contains(classPath("target"));
  }

  @Test
  void withoutMavenAndWithNothingBuiltItSaysWhatToDo() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Files.delete(jar);
    Run run = run(Map.of("JAVA_HOME", jdk.toString(), "PATH", small().toString()), launcher);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .containsExactly(
            "lucene-delta: nothing is built yet and there is no mvn: install Apache Maven 3.8 or"
                + " newer");
  }

  @Test
  void aFailedBuildFailsWithWhatMavenSaysInPlainText() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Files.delete(jar);
    program("bin/mvn", "#!/bin/sh\nprintf '\\033[1;31mno disk\\033[m\\n\\033[0m'\nexit 1\n");
    Run run = run(Map.of("JAVA_HOME", jdk.toString()), launcher);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .contains("no disk", "lucene-delta: the build failed: see the messages above");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aBuildThatSucceedsLeavesNoCodesOfATerminal() throws Exception {
    Path jdk = jdk("jdk25", 25);
    Files.delete(jar);
    program("bin/mvn", "#!/bin/sh\nprintf '\\033[0m' >&2\nprintf '\\033[0m'\n" + QUICK);
    Run run = run(Map.of("JAVA_HOME", jdk.toString()), launcher);
    assertThat(run.status()).isZero();
    assertThat(run.err()).containsExactly("lucene-delta: building (only when sources are new) ...");
    assertThat(run.out()).startsWith(jdk.toString());
  }

  @Test
  void aBuildThatBreaksOffBehindItsJarIsDoneAgain() throws Exception {
    Map<String, String> environment = Map.of("JAVA_HOME", jdk("jdk25", 25).toString());
    Files.delete(jar);
    String whole = Files.readString(house.resolve("bin/mvn"));
    program("bin/mvn", whole + "exit 1\n");
    assertThat(run(environment, launcher).status()).isEqualTo(1);
    program("bin/mvn", whole);
    assertThat(run(environment, launcher).status()).isZero();
    assertThat(house.resolve("builds")).hasContent("built\nbuilt");
  }

  /** A java whose program prints what its jar holds, after what a first line of its own says. */
  private Map<String, String> runningJars(String first) throws IOException {
    Path jdk = jdk("jdk25", 25);
    program(
        "jdk25/bin/java",
        "#!/bin/sh\nwhile [ \"$1\" != -cp ]; do shift; done\njar=${2%%:*}; verb=$4\n"
            + first
            + "\necho $verb $(cat \"$jar\") $(ls \"${jar%/*}/lib\")\n");
    String built = "\"" + house + "/builds\"";
    program(
        "bin/mvn",
        "#!/bin/sh\necho built >> "
            + built
            + "\n"
            + QUICK
            + "cat "
            + built
            + " > quick/examples.jar\n");
    Files.delete(jar);
    return Map.of("JAVA_HOME", jdk.toString(), "LAUNCHER", launcher.toString());
  }

  @Test
  @Timeout(value = 2, unit = MINUTES)
  void oneOfTwoBuildsAndTheOtherWaits() throws Exception {
    assumeTrue(
        Stream.of("/bin", "/usr/bin").anyMatch(bin -> Files.exists(Path.of(bin, "flock"))),
        "no flock");
    String other = "\"" + house + "/other\"";
    String untilOther = "n=0; until %s || [ $n = 300 ]; do sleep 0.1; n=$((n + 1)); done\n";
    Map<String, String> environment =
        runningJars("[ $verb != one ] || {\n" + untilOther.formatted("[ -s " + other + " ]") + "}");
    String build = Files.readString(house.resolve("bin/mvn"));
    program(
        "bin/mvn",
        build.replaceFirst(
            "(?<=\n)cd",
            Matcher.quoteReplacement(
                "[ -e %1$s ] || {\n\"$LAUNCHER\" other >%1$s 2>%1$s.err 9<&- &\n".formatted(other)
                    + untilOther.formatted("grep -q 'another run is building' " + other + ".err")
                    + "}\ncd")));
    assertThat(run(environment, launcher, "one").out()).containsExactly("one built one.jar");
    assertThat(house.resolve("other")).hasContent("other built one.jar");
  }

  @Test
  void aBuildThatIsKilledKeepsNobodyFromBuilding() throws Exception {
    Map<String, String> environment = runningJars("");
    String whole = Files.readString(house.resolve("bin/mvn"));
    program("bin/mvn", "#!/bin/sh\nkill -9 $KILLED\n");
    Path killing = program("killing", "#!/bin/sh\nKILLED=$$ exec \"$@\"\n");
    assertThat(run(environment, killing, launcher.toString()).status()).isEqualTo(128 + 9);
    program("bin/mvn", whole);
    assertThat(run(environment, launcher, "one").out()).containsExactly("one built one.jar");
  }

  @Test
  void whatIsBuiltRunsWhereNothingCanBeWrittenThoughASourceIsNewer() throws Exception {
    Map<String, String> environment = Map.of("JAVA_HOME", jdk("jdk25", 25).toString());
    Path target = jar.getParent();
    Files.setLastModifiedTime(jar, FileTime.from(NOON));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeFalse(Files.isWritable(target), "root may write everywhere");
      Run run = run(environment, launcher, "next");
      assertThat(run.err())
          .containsExactly(
              "lucene-delta: sources are newer than what is built, and %s cannot be written: running what is built"
                  .formatted(target));
      assertThat(run.out()).contains(jar + ":" + target + "/lib/*").endsWith("next");
    } finally {
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    assertThat(house.resolve("builds")).doesNotExist();
  }

  private record Run(int status, List<String> out, List<String> err) {}

  private Run run(Map<String, String> environment, Path program, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(words));
    Path out = house.resolve("out.txt");
    Path err = house.resolve("err.txt");
    ProcessBuilder process =
        new ProcessBuilder(command)
            .directory(house.getRoot().toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    process.environment().clear();
    process
        .environment()
        .put("PATH", house.resolve("bin") + ":" + house + "/jdk17/bin:/usr/bin:/bin");
    process.environment().putAll(environment);
    int status = process.start().waitFor();
    return new Run(status, Files.readAllLines(out), Files.readAllLines(err));
  }

  /** The class path of a run of what was built into a folder. */
  private String classPath(String target) {
    Path built = house.resolve("examples").resolve(target);
    return built + "/examples.jar:" + built + "/lib/*";
  }

  /** A JDK whose java prints its home and its arguments, one a line. */
  private Path jdk(String name, int version) throws IOException {
    Path home = house.resolve(name);
    program(
        name + "/bin/java",
        "#!/bin/sh\n[ \"$1\" = -XshowSettings:properties ] && { echo '    java.home = "
            + home
            + "'; exit; }\necho '"
            + home
            + "'\nfor word; do echo \"$word\"; done\n");
    program(name + "/bin/javac", "#!/bin/sh\n");
    write(name + "/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + ".0.1\"\n");
    return home;
  }

  private Path program(String name, String text) throws IOException {
    Path file = write(name, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private Path write(String name, String text) throws IOException {
    Path file = house.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }
}
