// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.report.ReportTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a table of overhead says of laps worked out by hand. */
class OverheadRowTest {
  private static final int PAGES = 100;

  @TempDir Path demo;

  /**
   * Wall, a quarter of it two commits, CPU, half of it compiling, and writing flushes in seconds,
   * bytes, seconds of two steps.
   */
  private static Lap lap(
      double wall, double cpu, double flush, long bytes, double note, double ranks) {
    Map<String, Long> steps =
        Map.of("note", Math.round(note * 1e9), "ranks", Math.round(ranks * 1e9));
    return new Lap(wall, wall / 4, 2, cpu, cpu / 2, flush, bytes, steps);
  }

  private UpdateBatch batch() throws IOException {
    new DemoCrawl(50, 6, 10, 10, 1).write(demo);
    PageVersionPool pool =
        PageVersionPool.read(SnapshotArchive.open(DemoCrawl.snapshots(demo)), 1_000_000);
    return UpdateBatch.of(pool, 0.001, PAGES, 0.65);
  }

  @Test
  void measuringIsComparedWithTheMeanOfBothPlainWritersOfItsRepeat() throws IOException {
    UpdateBatch batch = batch();
    OverheadRow row =
        OverheadRow.of(
            batch,
            1,
            List.of(
                new Repeat(
                    lap(2, 4, 1, 1000, 0, 0), lap(4, 8, 2, 3000, 0, 0), lap(6, 9, 2, 4000, 0.3, 0)),
                new Repeat(
                    lap(3, 5, 1, 1000, 0, 0),
                    lap(3, 5, 1, 1000, 0, 0),
                    lap(3, 10, 3, 2000, 0.4, 0.2))),
            new OverheadRow.Sizes(1, 2, 3));
    assertThat(row.megabytes()).isEqualTo(batch.megabytes());
    assertThat(row.pages()).isEqualTo(PAGES);
    assertThat(row.repeats()).isEqualTo(2);
    assertThat(row.wall().plain()).isEqualTo(new Spread(3, 3, 3));
    assertThat(row.wall().delta().median()).isEqualTo(4.5);
    assertThat(row.wallRatio().noise().median()).isEqualTo(1.5);
    assertThat(row.cpu().delta().median()).isEqualTo(9.5);
    assertThat(row.deltaBytesPerPage()).isEqualTo(3000.0 / PAGES);
    assertThat(row.cpu().plain().median()).isEqualTo(5.5);
    assertThat(row.wallRatio().delta().median()).isEqualTo(1.5);
    assertThat(row.commits()).isEqualTo(2);
    assertThat(row.commit().plain().median()).isEqualTo(0.375);
    assertThat(row.commit().delta()).isEqualTo(new Spread(0.5625, 0.375, 0.75));
    assertThat(row.cpuRatio().delta()).isEqualTo(new Spread(1.75, 1.5, 2));
    assertThat(row.cpuRatio().noise().median()).isEqualTo(1.5);
    assertThat(row.compiler().plain().median()).isEqualTo(2.75);
    assertThat(row.compiler().delta().median()).isEqualTo(4.75);
    assertThat(row.plainBytesPerPage()).isEqualTo(1500.0 / PAGES);
    assertThat(row.writingMicrosPerPage()).isEqualTo(1.25e6 / PAGES);
    assertThat(row.microsPerPage()).containsEntry("note", 0.35e6 / PAGES);
    assertThat(row.microsPerPage()).as("the mean").containsEntry("ranks", 0.1e6 / PAGES);
    assertThat(row.attributedShare().median()).isCloseTo((0.4 / 6 + 0.5 / 5) / 2, within(1e-12));
  }

  @Test
  void stepsAreMediansButBuildingRankFunctionsWhichFewBatchesDoTheMean() throws IOException {
    Lap plain = lap(1, 1, 0, 0, 0, 0);
    OverheadRow row =
        OverheadRow.of(
            batch(),
            1,
            List.of(
                new Repeat(plain, plain, lap(1, 1, 0, 0, 0.1, 0)),
                new Repeat(plain, plain, lap(1, 1, 0, 0, 0.2, 0)),
                new Repeat(plain, plain, lap(1, 1, 0, 0, 0.9, 0.6))),
            new OverheadRow.Sizes(1, 2, 3));
    assertThat(row.microsPerPage().get("note")).isCloseTo(0.2e6 / PAGES, within(1e-9));
    assertThat(row.microsPerPage().get("ranks")).isCloseTo(0.2e6 / PAGES, within(1e-9));
    assertThat(row.attributedMicrosPerPage()).isCloseTo(0.4e6 / PAGES, within(1e-9));
    assertThat(row.attributedShare().median()).isCloseTo(0.2 + 0.2, within(1e-12));
    assertThat(row.evenShare().median()).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void mergingIsTheMeanInTheStepsAndInOneOfTheSharesAndTheOrderIsInAllSharesButOne()
      throws IOException {
    Lap plain = lap(1, 2, 0, 0, 0, 0);
    List<Repeat> repeats = new ArrayList<>();
    for (double merge : new double[] {0, 0, 0.9}) {
      Map<String, Long> steps =
          Map.of(
              "note", 200_000_000L,
              "merge", Math.round(merge * 1e9),
              "order", 100_000_000L,
              "ranks", 0L);
      repeats.add(new Repeat(plain, plain, new Lap(1, 1, 1, 2, 0, 0, 0, steps)));
    }
    OverheadRow row = OverheadRow.of(batch(), 1, repeats, new OverheadRow.Sizes(1, 2, 3));
    assertThat(row.microsPerPage().get("merge")).isCloseTo(0.3e6 / PAGES, within(1e-9));
    assertThat(row.attributedMicrosPerPage()).isCloseTo(0.6e6 / PAGES, within(1e-9));
    assertThat(row.attributedShare().median()).isCloseTo(0.6 / 2, within(1e-12));
    assertThat(row.evenShare().median()).isCloseTo(0.3 / 2, within(1e-12));
    assertThat(row.unorderedShare().median()).isCloseTo(0.2 / 2, within(1e-12));
  }

  @Test
  void historyIsTheMedianWithOneBatchThatReadsPagesBack() throws IOException {
    Lap plain = lap(1, 2, 0, 0, 0, 0);
    List<Repeat> repeats = new ArrayList<>();
    for (double history : new double[] {0.1, 0.1, 0.7}) {
      Map<String, Long> steps = Map.of("history", Math.round(history * 1e9), "ranks", 0L);
      repeats.add(new Repeat(plain, plain, new Lap(1, 1, 1, 2, 0, 0, 0, steps)));
    }
    OverheadRow row = OverheadRow.of(batch(), 1, repeats, new OverheadRow.Sizes(1, 2, 3));
    assertThat(row.microsPerPage().get("history")).isCloseTo(0.1e6 / PAGES, within(1e-9));
    assertThat(row.attributedShare().median()).isCloseTo(0.1 / 2, within(1e-12));
  }

  /** Two plain writers 4.3 % apart in one of two repeats, where measuring takes 3 and 5 % more. */
  @Test
  void aDifferenceThatOneOfTwoRepeatsOfPlainWritersReachesIsLostInNoise() throws IOException {
    OverheadRow row =
        OverheadRow.of(
            batch(),
            1,
            List.of(
                new Repeat(
                    lap(1, 100, 0, 0, 0, 0),
                    lap(1, 99, 0, 0, 0, 0),
                    lap(1, 99.5 * 1.03, 0, 0, 0, 0)),
                new Repeat(
                    lap(1, 100, 0, 0, 0, 0),
                    lap(1, 95.7, 0, 0, 0, 0),
                    lap(1, 97.85 * 1.05, 0, 0, 0, 0))),
            new OverheadRow.Sizes(1, 2, 3));
    assertThat(row.cpuRatio().noise().lower()).isCloseTo(0.957, within(1e-12));
    assertThat(row.cpuRatio().delta().upper()).isCloseTo(1.05, within(1e-12));
    assertThat(row.isLostInNoise()).isTrue();
  }

  @Test
  void aDifferenceBeyondTheNoiseIsNotLostInItWhicheverWriterIsTheFaster() throws IOException {
    for (double cpu : new double[] {95, 105}) {
      Repeat repeat =
          new Repeat(lap(1, 99, 0, 0, 0, 0), lap(1, 101, 0, 0, 0, 0), lap(1, cpu, 0, 0, 0, 0));
      OverheadRow row = OverheadRow.of(batch(), 1, List.of(repeat), new OverheadRow.Sizes(1, 2, 3));
      assertThat(row.isLostInNoise()).isFalse();
    }
  }

  /** A batch of a page takes less than a tick of the clock of CPU. */
  @Test
  void whereNoWriterTakesCpuThatCanBeMeasuredTheDifferenceIsLostInNoise() throws IOException {
    Lap none = lap(1, 0, 0, 0, 0, 0);
    Lap tick = lap(1, 0.01, 0, 0, 0.001, 0);
    for (Lap delta : List.of(none, tick)) {
      OverheadRow row =
          OverheadRow.of(
              batch(),
              1,
              List.of(new Repeat(none, none, delta), new Repeat(tick, tick, delta)),
              new OverheadRow.Sizes(1, 2, 3));
      assertThat(row.cpuRatio().noise().upper()).isNaN();
      assertThat(row.isLostInNoise()).isTrue();
      assertThat(new OverheadTables(List.of(row)).all())
          .flatExtracting(ReportTable::rows)
          .flatExtracting(cells -> cells)
          .noneMatch(cell -> cell.contains("NaN") || cell.contains("Infinity"));
    }
  }

  @Test
  void turnsOfABatchAddUpAndAnEarlierReadingOfTheClocksIsTakenAway() {
    Lap first = new Lap(1, 2, 3, 4, 5, 6, 7, Map.of("note", 8L));
    Lap second = new Lap(10, 20, 30, 40, 50, 60, 70, Map.of("note", 80L, "ranks", 90L));
    Lap both = new Lap(11, 22, 33, 44, 55, 66, 77, Map.of("note", 88L, "ranks", 90L));
    assertThat(first.plus(second)).isEqualTo(both);
    assertThat(both.less(first)).isEqualTo(second);
  }
}
