// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Programs of these tests in JVMs of their own. */
final class Child {
  private Child() {}

  /** Runs a program with this JVM's class path and flags, returns its exit status. */
  static int run(Class<?> program, List<String> flags, Object... arguments)
      throws IOException, InterruptedException {
    return start(program, flags, arguments).waitFor();
  }

  /** Starts a program with this JVM's class path and the flags that open modules. */
  static Process start(Class<?> program, List<String> flags, Object... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(flags);
    all.addAll(opening());
    return builder(classPath(), program, all, arguments)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** The flags of this JVM that open modules. */
  static List<String> opening() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-"))
        .toList();
  }

  /** Runs a program with this JVM's class path and no other flags, returns what it prints. */
  static String printed(Class<?> program, List<String> flags, Object... arguments)
      throws IOException {
    Process process =
        builder(classPath(), program, flags, arguments).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Of this JVM, as far as its own programs need it. */
  static String classPath() {
    String classPath = System.getProperty("surefire.test.class.path");
    return classPath == null ? System.getProperty("java.class.path") : classPath;
  }

  /** Runs a program with a class path of its own. */
  static int runWith(
      List<Path> classPath, Class<?> program, List<String> flags, Object... arguments)
      throws IOException, InterruptedException {
    String joined =
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    return builder(joined, program, flags, arguments)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static ProcessBuilder builder(
      String classPath, Class<?> program, List<String> flags, Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(classPath);
    command.add(program.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ProcessBuilder(command);
  }

  /** The jar that a class comes from. */
  static Path jarOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
