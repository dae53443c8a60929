// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import com.sun.management.OperatingSystemMXBean;
import io.lucenedelta.workload.CountedWorkload;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures ingest against {@code zcat | awk | sort | uniq -c}, which does the plain counting only:
 * all in processes of their own, in turn, on the same file. A program, not a test; it needs bash.
 *
 * <pre>
 * IngestMeasurement generate LINES DISTINCT FILE    writes a log
 * IngestMeasurement compare FILE REPEATS [FLAG...]  the pipeline and ingest in turn, CPU time;
 *                                                   flags for the JVM of ingest
 * IngestMeasurement count FILE THREADS              reading and counting alone
 * IngestMeasurement ingest FILE THREADS             up to the workload file, with its memory
 * </pre>
 *
 * {@code count} is what the pipeline does and more: fields are checked, sessions told apart,
 * repeats collapsed, robots looked for. {@code ingest} goes on to the whole workload.
 */
final class IngestMeasurement {
  private static final Pattern TIMES = Pattern.compile("(\\d+)m([0-9.]+)s (\\d+)m([0-9.]+)s");

  private IngestMeasurement() {}

  /** Does what the first argument says. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    switch (arguments[0]) {
      case "generate" ->
          new GeneratedLog(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]), 2005)
              .write(Path.of(arguments[3]));
      case "compare" ->
          compare(
              arguments[1],
              Integer.parseInt(arguments[2]),
              String.join(" ", Arrays.asList(arguments).subList(3, arguments.length)));
      case "count" -> count(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
      case "ingest" -> ingest(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
      default -> throw new IllegalArgumentException("no measurement " + arguments[0]);
    }
  }

  private static void compare(String file, int repeats, String flags)
      throws IOException, InterruptedException {
    Map<String, String> commands = new LinkedHashMap<>();
    commands.put("pipeline, LC_ALL=C", pipeline(file, "LC_ALL=C "));
    commands.put("pipeline, this locale", pipeline(file, ""));
    commands.put("reading and counting", java(flags, "count", file));
    commands.put("whole workload", java(flags, "ingest", file));
    Map<String, double[]> seconds = new LinkedHashMap<>();
    commands.keySet().forEach(name -> seconds.put(name, new double[repeats]));
    for (int i = 0; i < repeats; i++) {
      for (String name : commands.keySet()) {
        seconds.get(name)[i] = cpuSeconds(commands.get(name));
        System.out.printf("%d: %-22s %7.2f s of CPU%n", i + 1, name, seconds.get(name)[i]);
      }
    }
    System.out.printf("%nlocale %s, JVM flags '%s'%n", System.getenv("LANG"), flags);
    double plain = quantile(seconds.get("pipeline, LC_ALL=C"), 0.5);
    seconds.forEach(
        (name, all) ->
            System.out.printf(
                "%-22s %7.2f s of CPU (quartiles %.2f to %.2f); pipeline / this: %.2f%n",
                name,
                quantile(all, 0.5),
                quantile(all, 0.25),
                quantile(all, 0.75),
                plain / quantile(all, 0.5)));
  }

  private static String java(String flags, String what, String file) {
    return String.format(
        "'%s/bin/java' %s -cp '%s' %s %s '%s' 1 >&2",
        System.getProperty("java.home"),
        flags,
        System.getProperty("java.class.path"),
        IngestMeasurement.class.getName(),
        what,
        file);
  }

  /** Between the values where the quantile falls between two. */
  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  private static String pipeline(String file, String locale) {
    return String.format("zcat '%s'", file)
        + " | awk -F'\\t' '$4==0{print $3}' | "
        + locale
        + "sort | uniq -c > /dev/null";
  }

  /** User and system time of everything that a command starts. */
  private static double cpuSeconds(String command) throws IOException, InterruptedException {
    Process bash =
        new ProcessBuilder("bash", "-c", command + "; times")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines =
        new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    if (bash.waitFor() != 0) {
      throw new IllegalStateException("failed: " + command);
    }
    Matcher times = TIMES.matcher(lines.get(lines.size() - 1));
    if (!times.matches()) {
      throw new IllegalStateException("no times in " + lines);
    }
    return 60 * (Double.parseDouble(times.group(1)) + Double.parseDouble(times.group(3)))
        + Double.parseDouble(times.group(2))
        + Double.parseDouble(times.group(4));
  }

  private static void count(Path file, int threads) throws IOException {
    Path temporary = Files.createTempDirectory("ingest-measurement");
    long begin = System.nanoTime();
    IngestSettings usual = IngestSettings.usual(temporary);
    try (WorkloadIngest ingest =
        new WorkloadIngest(usual.withResources(threads, usual.heapBytes()))) {
      ingest.read(file);
      report("read " + ingest.tally().read() + " lines", begin);
    }
    Files.delete(temporary);
  }

  private static void ingest(Path file, int threads) throws IOException {
    Path temporary = Files.createTempDirectory("ingest-measurement");
    long begin = System.nanoTime();
    IngestSettings usual = IngestSettings.usual(temporary);
    try (WorkloadIngest ingest =
        new WorkloadIngest(usual.withResources(threads, usual.heapBytes()))) {
      ingest.read(file);
      report("read " + ingest.tally().read() + " lines", begin);
      CountedWorkload counted = ingest.workload(IngestMeasurement::words);
      Workload workload = counted.workload();
      report(
          counted.distinctTexts()
              + " distinct texts, "
              + workload.queryCount()
              + " queries, "
              + workload.termCount()
              + " terms",
          begin);
      Path written = temporary.resolve("workload");
      workload.write(written);
      report("written " + Files.size(written) + " bytes", begin);
      open(written);
      Files.delete(written);
    } finally {
      Files.delete(temporary);
    }
  }

  private static void open(Path written) throws IOException {
    for (int i = 0; i < 5; i++) {
      long begin = System.nanoTime();
      Workload opened = Workload.open(written);
      long end = System.nanoTime();
      System.out.printf("opened %d queries in %.1f ms%n", opened.queryCount(), (end - begin) / 1e6);
    }
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int to = text.indexOf(' ', from);
      to = to < 0 ? text.length() : to;
      words.add(text.substring(from, to));
      from = to + 1;
    }
    return words;
  }

  private static void report(String what, long begin) throws IOException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long heapPeak = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      heapPeak += pool.getType() == MemoryType.HEAP ? pool.getPeakUsage().getUsed() : 0;
    }
    System.out.printf(
        "%s: %.1f s, %.1f s of CPU, heap peak %d MB, %s%n",
        what,
        (System.nanoTime() - begin) / 1e9,
        system.getProcessCpuTime() / 1e9,
        heapPeak >> 20,
        resident());
  }

  private static String resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM"))
        .map(line -> line.replaceAll("\\s+", " "))
        .findFirst()
        .orElse("");
  }
}
