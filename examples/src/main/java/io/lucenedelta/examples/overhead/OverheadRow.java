// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What measuring cost for one batch size and number of threads.
 *
 * <p>Plain is the mean of the two plain writers of the same repeat, in ratios as well; noise
 * compares them with each other.
 *
 * @param megabytes size of the batch
 * @param pages pages in it
 * @param threads indexing threads
 * @param repeats how often it was indexed by each writer
 * @param plainWall seconds of the plain writers
 * @param deltaWall seconds of the measuring writer
 * @param wallRatio measuring ÷ plain
 * @param noiseWallRatio plain ÷ plain
 * @param commits how often each writer committed in a repeat
 * @param plainCommit seconds on the wall that one commit of the plain writers took, the mean of a
 *     repeat; part of those above
 * @param deltaCommit the same of the measuring writer, which then measures what was indexed since
 *     the last one
 * @param plainCpu CPU seconds of the plain writers
 * @param deltaCpu CPU seconds of the measuring writer
 * @param cpuRatio measuring ÷ plain
 * @param noiseCpuRatio plain ÷ plain
 * @param plainCompiler seconds that the compiler was busy beside the plain writers, part of the CPU
 * @param deltaCompiler the same beside the measuring writer
 * @param attributedShare CPU accounted to measuring ÷ CPU of the plain writers
 * @param microsPerPage CPU accounted to each step, per page, median over repeats, but for building
 *     rank functions, which not every batch does, the mean (in the attributed share, too)
 * @param writingMicrosPerPage what writing flushed postings took longer than in the plain writers,
 *     per page, median: noting seen from outside, with the noise of both
 * @param plainBytesPerPage heap allocated per page by the plain writers
 * @param deltaBytesPerPage heap allocated per page by the measuring writer
 * @param sizes bytes on disk at the end
 */
public record OverheadRow(
    double megabytes,
    int pages,
    int threads,
    int repeats,
    Spread plainWall,
    Spread deltaWall,
    Spread wallRatio,
    Spread noiseWallRatio,
    int commits,
    Spread plainCommit,
    Spread deltaCommit,
    Spread plainCpu,
    Spread deltaCpu,
    Spread cpuRatio,
    Spread noiseCpuRatio,
    Spread plainCompiler,
    Spread deltaCompiler,
    Spread attributedShare,
    Map<String, Double> microsPerPage,
    double writingMicrosPerPage,
    double plainBytesPerPage,
    double deltaBytesPerPage,
    Sizes sizes) {

  /**
   * Bytes on disk.
   *
   * @param plainIndex the plain writer's index
   * @param deltaIndex the measuring writer's index
   * @param measurements what the measuring writer keeps beside its index
   */
  public record Sizes(long plainIndex, long deltaIndex, long measurements) {}

  /** The step that only some batches have. */
  private static final String RANKS = "ranks";

  /** Sums up the laps of each repeat: of both plain writers, and of the measuring one. */
  static OverheadRow of(UpdateBatch batch, int threads, List<List<Lap>> repeats, Sizes sizes) {
    List<Lap> plain = repeats.stream().map(laps -> laps.get(0)).toList();
    List<Lap> again = repeats.stream().map(laps -> laps.get(1)).toList();
    List<Lap> delta = repeats.stream().map(laps -> laps.get(2)).toList();
    return new OverheadRow(
        batch.megabytes(),
        batch.size(),
        threads,
        plain.size(),
        mean(plain, again, Lap::wallSeconds),
        spread(delta, Lap::wallSeconds),
        ratio(plain, again, delta, Lap::wallSeconds),
        noise(plain, again, Lap::wallSeconds),
        delta.get(0).commits(),
        mean(plain, again, Lap::secondsPerCommit),
        spread(delta, Lap::secondsPerCommit),
        mean(plain, again, Lap::cpuSeconds),
        spread(delta, Lap::cpuSeconds),
        ratio(plain, again, delta, Lap::cpuSeconds),
        noise(plain, again, Lap::cpuSeconds),
        mean(plain, again, Lap::compilerSeconds),
        spread(delta, Lap::compilerSeconds),
        attributed(plain, again, delta),
        micros(delta, batch.size()),
        writing(plain, again, delta) * 1e6 / batch.size(),
        mean(plain, again, Lap::allocatedBytes).median() / batch.size(),
        spread(delta, Lap::allocatedBytes).median() / batch.size(),
        sizes);
  }

  /** CPU accounted to all steps, per page. */
  public double attributedMicrosPerPage() {
    return microsPerPage.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Whether two plain writers differ as much as the measuring one does from them. */
  public boolean isLostInNoise() {
    double difference = Math.abs(cpuRatio.median() - 1);
    double noise =
        Math.max(Math.abs(noiseCpuRatio.lower() - 1), Math.abs(noiseCpuRatio.upper() - 1));
    return noise >= difference;
  }

  private static Spread spread(List<Lap> laps, ToDoubleFunction<Lap> value) {
    return Spread.of(laps.stream().mapToDouble(value).toArray());
  }

  private static Spread mean(List<Lap> plain, List<Lap> again, ToDoubleFunction<Lap> value) {
    return Spread.of(
        IntStream.range(0, plain.size()).mapToDouble(i -> mean(plain, again, i, value)).toArray());
  }

  private static double mean(
      List<Lap> plain, List<Lap> again, int repeat, ToDoubleFunction<Lap> value) {
    return (value.applyAsDouble(plain.get(repeat)) + value.applyAsDouble(again.get(repeat))) / 2;
  }

  private static Spread ratio(
      List<Lap> plain, List<Lap> again, List<Lap> delta, ToDoubleFunction<Lap> value) {
    return Spread.of(
        IntStream.range(0, plain.size())
            .mapToDouble(i -> value.applyAsDouble(delta.get(i)) / mean(plain, again, i, value))
            .toArray());
  }

  private static Spread noise(List<Lap> plain, List<Lap> again, ToDoubleFunction<Lap> value) {
    return Spread.of(
        IntStream.range(0, plain.size())
            .mapToDouble(i -> value.applyAsDouble(again.get(i)) / value.applyAsDouble(plain.get(i)))
            .toArray());
  }

  private static Spread attributed(List<Lap> plain, List<Lap> again, List<Lap> delta) {
    double ranks = meanNanos(delta, RANKS) / 1e9;
    return Spread.of(
        IntStream.range(0, plain.size())
            .mapToDouble(
                i ->
                    (delta.get(i).attributedSeconds()
                            - delta.get(i).nanosByStep().get(RANKS) / 1e9
                            + ranks)
                        / mean(plain, again, i, Lap::cpuSeconds))
            .toArray());
  }

  private static double writing(List<Lap> plain, List<Lap> again, List<Lap> delta) {
    double[] more = new double[plain.size()];
    for (int i = 0; i < more.length; i++) {
      more[i] = delta.get(i).flushSeconds() - mean(plain, again, i, Lap::flushSeconds);
    }
    return Spread.of(more).median();
  }

  private static Map<String, Double> micros(List<Lap> delta, int pages) {
    Map<String, Double> micros = new LinkedHashMap<>();
    for (String step : delta.get(0).nanosByStep().keySet()) {
      double nanos =
          step.equals(RANKS)
              ? meanNanos(delta, step)
              : spread(delta, lap -> lap.nanosByStep().get(step)).median();
      micros.put(step, nanos / 1e3 / pages);
    }
    return micros;
  }

  private static double meanNanos(List<Lap> laps, String step) {
    return laps.stream().mapToLong(lap -> lap.nanosByStep().get(step)).average().orElseThrow();
  }
}
