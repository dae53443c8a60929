// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the ways a user could go without this software beside it, in turns on the same batch,
 * with one thread.
 *
 * <p>Term vectors are only stored: comparing them would come on top. That, and analysing again,
 * only find out which terms changed; ranks and views would come on top of either. Searching before
 * and after is exact, and so slow that a sample of the pages must do.
 */
final class Alternatives {
  private static final String PLAIN = "plain indexing";
  private static final String SEARCHING = "searching before and after";
  private static final List<String> WAYS =
      List.of(
          PLAIN,
          "this software",
          "storing term vectors, without comparing them",
          "analysing old and new text again where they differ");

  private final UpdateBatch batch;
  private final Workload workload;
  private final int repeats;
  private final int uncounted;
  private final int commitPages;
  private final Arms writers;
  private final Path work;

  Alternatives(UpdateBatch batch, Workload workload, OverheadPlan plan, Arms writers, Path work) {
    this.batch = batch;
    this.workload = workload;
    this.repeats = plan.repeats();
    this.uncounted = plan.uncounted(true);
    this.commitPages = plan.commitPages();
    this.writers = writers;
    this.work = work;
  }

  List<Alternative> measure() throws IOException {
    Map<String, Double> micros = new LinkedHashMap<>();
    try (Arm plain = writers.plain(work.resolve("plain"));
        Arm delta = writers.measuring(work.resolve("measured"), workload);
        Arm vectors = writers.storingTermVectors(work.resolve("vectors"));
        Arm again = writers.analysingAgain(work.resolve("again"));
        Turns turns = new Turns(List.of(plain, delta, vectors, again), 1, commitPages, () -> {})) {
      Map<String, List<Lap>> laps = new LinkedHashMap<>();
      for (int round = 0; round < uncounted + repeats; round++) {
        List<Lap> each = turns.index(batch, round);
        if (round == 0) {
          delta.askForOrder();
        }
        if (round >= uncounted) {
          for (int way = 0; way < each.size(); way++) {
            laps.computeIfAbsent(WAYS.get(way), name -> new ArrayList<>()).add(each.get(way));
          }
        }
      }
      laps.forEach((name, counted) -> micros.put(name, microsPerPage(counted)));
    }
    SearchedChange.Searched exact =
        new SearchedChange(batch, workload, writers, work.resolve("searched")).measure();
    double plain = micros.get(PLAIN);
    List<Alternative> ways = new ArrayList<>();
    micros.forEach((way, each) -> ways.add(alternative(way, null, each, plain)));
    Alternative.Sample sample = new Alternative.Sample(exact.sampled(), exact.changed());
    ways.add(alternative(SEARCHING, sample, plain + exact.microsPerPage(), plain));
    return ways;
  }

  private Alternative alternative(
      String way, Alternative.Sample sample, double micros, double plain) {
    return new Alternative(way, batch.size(), sample, micros, micros / plain);
  }

  private double microsPerPage(List<Lap> laps) {
    double[] seconds = laps.stream().mapToDouble(Lap::cpuSeconds).toArray();
    return 1e6 * Spread.of(seconds).median() / batch.size();
  }
}
