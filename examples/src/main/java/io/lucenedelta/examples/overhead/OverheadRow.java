// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

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
 * @param wall seconds on the wall
 * @param wallRatio what follows from them
 * @param commits how often each writer committed in a repeat
 * @param commit seconds on the wall that one commit took, the mean of a repeat; part of those
 *     above. That of the measuring writer measures what was indexed since the last one
 * @param cpu CPU seconds
 * @param cpuRatio what follows from them
 * @param compiler seconds on the wall that the compiler's threads were at work beside the writers:
 *     an upper bound of their part of the CPU
 * @param attributedShare CPU accounted to measuring ÷ CPU of the plain writers
 * @param evenShare the same of the steps that every batch has, without merging files of refreshes
 *     and building rank functions
 * @param unorderedShare the same without keeping the order of pages up to date as well, which is
 *     for those who ask for it
 * @param microsPerPage CPU accounted to each step, per page, median over repeats, but for merging
 *     files of refreshes and for building rank functions the mean (in the attributed share, too):
 *     not every batch merges, or builds
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
    Seconds wall,
    Ratio wallRatio,
    int commits,
    Seconds commit,
    Seconds cpu,
    Ratio cpuRatio,
    Seconds compiler,
    Spread attributedShare,
    Spread evenShare,
    Spread unorderedShare,
    Map<String, Double> microsPerPage,
    double writingMicrosPerPage,
    double plainBytesPerPage,
    double deltaBytesPerPage,
    Sizes sizes) {

  /**
   * Seconds of something.
   *
   * @param plain those of the plain writers
   * @param delta those of the measuring writer
   */
  public record Seconds(Spread plain, Spread delta) {
    private static Seconds of(List<Repeat> repeats, ToDoubleFunction<Lap> taken) {
      return new Seconds(
          spread(repeats, one -> one.ofPlain(taken)), spread(repeats, one -> one.ofDelta(taken)));
    }
  }

  /**
   * How two writers compare.
   *
   * @param delta measuring ÷ plain
   * @param noise plain ÷ plain
   */
  public record Ratio(Spread delta, Spread noise) {
    private static Ratio of(List<Repeat> repeats, ToDoubleFunction<Lap> taken) {
      return new Ratio(
          spread(repeats, one -> one.ratio(taken)), spread(repeats, one -> one.noise(taken)));
    }
  }

  /**
   * Bytes on disk.
   *
   * @param plainIndex the plain writer's index
   * @param deltaIndex the measuring writer's index
   * @param measurements what the measuring writer keeps beside its index
   */
  public record Sizes(long plainIndex, long deltaIndex, long measurements) {}

  /**
   * Steps with work that only some batches have, which a median would leave out: every eighth
   * merges files of refreshes, and one in many builds rank functions.
   */
  private static final Set<String> UNEVEN = Set.of("merge", "ranks");

  private static final String ORDER = "order";

  /** Sums up what each repeat took, of which there is at least one. */
  static OverheadRow of(UpdateBatch batch, int threads, List<Repeat> repeats, Sizes sizes) {
    return new OverheadRow(
        batch.megabytes(),
        batch.size(),
        threads,
        repeats.size(),
        Seconds.of(repeats, Lap::wallSeconds),
        Ratio.of(repeats, Lap::wallSeconds),
        repeats.get(0).delta().commits(),
        Seconds.of(repeats, Lap::secondsPerCommit),
        Seconds.of(repeats, Lap::cpuSeconds),
        Ratio.of(repeats, Lap::cpuSeconds),
        Seconds.of(repeats, Lap::compilerSeconds),
        attributed(repeats, step -> true),
        attributed(repeats, step -> !UNEVEN.contains(step)),
        attributed(repeats, step -> !UNEVEN.contains(step) && !step.equals(ORDER)),
        micros(repeats, batch.size()),
        writing(repeats) * 1e6 / batch.size(),
        spread(repeats, one -> one.ofPlain(Lap::allocatedBytes)).median() / batch.size(),
        spread(repeats, one -> one.ofDelta(Lap::allocatedBytes)).median() / batch.size(),
        sizes);
  }

  /** CPU accounted to all steps, per page. */
  public double attributedMicrosPerPage() {
    return microsPerPage.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /**
   * Whether two plain writers differ as much as the measuring one does from them: in the quartile
   * that is farther from 1, and with few repeats in any of these. Also where nobody can tell, since
   * the batch was too small for the clock of CPU.
   */
  public boolean isLostInNoise() {
    double difference = Math.abs(cpuRatio.delta().median() - 1);
    double noise =
        Math.max(Math.abs(cpuRatio.noise().lower() - 1), Math.abs(cpuRatio.noise().upper() - 1));
    return !(noise < difference);
  }

  private static Spread spread(List<Repeat> repeats, ToDoubleFunction<Repeat> value) {
    return Spread.of(repeats.stream().mapToDouble(value).toArray());
  }

  private static Spread attributed(List<Repeat> repeats, Predicate<String> counts) {
    return spread(
        repeats,
        one -> {
          double nanos = 0;
          for (Map.Entry<String, Long> step : one.delta().nanosByStep().entrySet()) {
            if (counts.test(step.getKey())) {
              nanos +=
                  UNEVEN.contains(step.getKey())
                      ? meanNanos(repeats, step.getKey())
                      : step.getValue();
            }
          }
          return nanos / 1e9 / one.ofPlain(Lap::cpuSeconds);
        });
  }

  private static double writing(List<Repeat> repeats) {
    return spread(repeats, one -> one.ofDelta(Lap::flushSeconds) - one.ofPlain(Lap::flushSeconds))
        .median();
  }

  private static Map<String, Double> micros(List<Repeat> repeats, int pages) {
    Map<String, Double> micros = new LinkedHashMap<>();
    for (String step : repeats.get(0).delta().nanosByStep().keySet()) {
      double nanos =
          UNEVEN.contains(step)
              ? meanNanos(repeats, step)
              : spread(repeats, one -> one.delta().nanosByStep().get(step)).median();
      micros.put(step, nanos / 1e3 / pages);
    }
    return micros;
  }

  private static double meanNanos(List<Repeat> repeats, String step) {
    return repeats.stream()
        .mapToLong(one -> one.delta().nanosByStep().get(step))
        .average()
        .orElseThrow();
  }
}
