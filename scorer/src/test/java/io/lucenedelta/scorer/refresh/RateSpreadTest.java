// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.GammaDistribution;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateSpreadTest {
  private static final double LARGEST = 3;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** What visits of a page found; between two of them so many changes are to be expected. */
  private record Visited(int visits, int changes, double mean) {
    /** The share of visits that would find one. */
    double expected() {
      return -Math.expm1(-mean);
    }
  }

  /** A page that changes so many times as often as expected, by any number of visits. */
  private Visited visited(double multiple, int mostVisits) {
    int visits = 2 + random.nextInt(mostVisits - 1);
    double expected = Math.exp(1.5 * random.nextGaussian() - 1);
    long changes =
        random.doubles(visits).filter(chance -> chance < -Math.expm1(-expected * multiple)).count();
    return new Visited(visits, (int) changes, expected);
  }

  /** Pages whose rates follow a gamma distribution of a shape. */
  private List<Visited> spread(double shape, int pages, int mostVisits) {
    GammaDistribution rates = new GammaDistribution(new Well19937c(seed), shape, 1 / shape);
    return IntStream.range(0, pages).mapToObj(page -> visited(rates.sample(), mostVisits)).toList();
  }

  private static RateSpread of(List<Visited> pages) {
    RateSpread spread = new RateSpread(LARGEST);
    pages.forEach(page -> spread.add(page.visits(), page.changes(), page.expected()));
    return spread;
  }

  @Test
  void theShapeByWhichRatesWereDrawnIsFound() {
    for (double shape : new double[] {0.1875, 0.375, 0.75, 1.5, 3}) {
      assertThat(of(spread(shape, 3_000, 20)).shape()).as("seed %d", seed).isEqualTo(shape);
    }
  }

  @Test
  void pagesThatAreMoreAlikeThanTheLargestShapeSaysHaveTheLargest() {
    assertThat(of(spread(50, 3_000, 20)).shape()).as("seed %d", seed).isEqualTo(LARGEST);
  }

  /** One that changes before every visit, or before none, is what the smallest shape is for. */
  @Test
  void pagesThatChangeAlwaysOrNeverHaveTheSmallest() {
    RateSpread spread = new RateSpread(LARGEST);
    for (int page = 0; page < 100; page++) {
      spread.add(6, page % 5 == 0 ? 6 : 0, 0.22);
    }
    assertThat(spread.shape()).isEqualTo(LARGEST / 16);
  }

  /** A Poisson count could be any number, and would take them for pages that are all alike. */
  @Test
  void aVisitThatFindsAChangeMayHaveMissedOthers() {
    List<Visited> always = new ArrayList<>(Collections.nCopies(50, new Visited(10, 10, 1)));
    always.addAll(Collections.nCopies(50, new Visited(10, 2, 1)));
    assertThat(of(always).shape()).isLessThan(LARGEST);
  }

  /** As where a crawler tells of no visit that found the page as it was. */
  @Test
  void whereHardlyAnyVisitFoundNothingNothingIsLearned() {
    RateSpread spread = new RateSpread(LARGEST);
    for (int page = 0; page < 200; page++) {
      spread.add(2 + page % 9, 2 + page % 9, 0.5);
    }
    double[] logs = spread.logLikelihoods();
    assertThat(logs[logs.length - 1]).as("seem to change always").isGreaterThan(logs[0] + 9);
    assertThat(spread.shape()).isEqualTo(LARGEST);
    spread.add(120, 0, 0.5);
    assertThat(spread.shape()).as("120 of 1,316 visits").isEqualTo(LARGEST);
    spread.add(20, 0, 0.5);
    assertThat(spread.shape()).as("140 of 1,336 visits").isLessThan(LARGEST);
  }

  /** A tenth of so few is less than one visit; nine that all found something say no more. */
  @ParameterizedTest
  @CsvSource({"3, 3", "9, 9", "19, 18", "59, 54"})
  void whereHardlyAnyOfAFewVisitsFoundNothingNothingIsLearnedEither(int visits, int found) {
    RateSpread spread = new RateSpread(LARGEST);
    spread.add(visits, found, 0.001);
    double[] logs = spread.logLikelihoods();
    assertThat(logs[logs.length - 1]).as("seems to change always").isGreaterThan(logs[0] + 3);
    assertThat(spread.shape()).isEqualTo(LARGEST);
  }

  @Test
  void littleEvidenceChangesNothing() {
    assertThat(of(List.of()).shape()).isEqualTo(LARGEST);
    List<Visited> few = List.of(new Visited(2, 2, 0.2), new Visited(3, 0, 0.2));
    double[] logs = of(few).logLikelihoods();
    assertThat(logs[2]).as("explains them better").isGreaterThan(logs[0]);
    assertThat(of(few).shape()).isEqualTo(LARGEST);
  }

  @Test
  void pagesVisitedOnceAndThoseOfWhichNothingIsExpectedTellNothing() {
    RateSpread spread = new RateSpread(LARGEST);
    for (int page = 0; page < 1_000; page++) {
      spread.add(1, page % 2, 0.5);
      spread.add(0, 0, 0.5);
      spread.add(9, page % 2 * 9, 0);
      spread.add(31, page % 2, 1e-5);
      spread.add(9, page % 2 * 9, Double.NaN);
    }
    assertThat(spread.logLikelihoods()).containsOnly(0);
    assertThat(spread.shape()).isEqualTo(LARGEST);
  }

  @Test
  void theOrderOfPagesLeavesNoTrace() {
    List<Visited> pages = new ArrayList<>(spread(0.5, 500, 100));
    double[] before = of(pages).logLikelihoods();
    Collections.shuffle(pages, random);
    assertThat(of(pages).logLikelihoods()).as("seed %d", seed).containsExactly(before);
  }

  @Test
  void likelihoodsAreThoseOfIntegratingOverTheDistribution() {
    List<Visited> pages = new ArrayList<>(spread(0.6, 40, 31));
    pages.removeIf(page -> page.mean() > 3.5); // more counts as 3.9
    double[] logs = of(pages).logLikelihoods();
    for (int halvings = 0; halvings < logs.length; halvings++) {
      double shape = LARGEST / (1 << halvings);
      double slow = pages.stream().mapToDouble(page -> slowLog(page, shape)).sum();
      // cells round what is expected by up to 9 %
      assertThat(logs[halvings])
          .as("shape %s, seed %d", shape, seed)
          .isCloseTo(slow, within(0.02 * Math.abs(slow) + 0.5));
    }
  }

  /** ln E[(1 − e^(−x))^n e^(−x(v − n))], integrated over the logarithm of the rate. */
  private static double slowLog(Visited page, double shape) {
    GammaDistribution rates = new GammaDistribution(shape, 1 / shape);
    double lowest = -60;
    double highest = Math.log(rates.inverseCumulativeProbability(1 - 1e-12));
    int steps = 100_000;
    double step = (highest - lowest) / steps;
    double likelihood = 0;
    for (int i = 0; i < steps; i++) {
      double multiple = Math.exp(lowest + (i + 0.5) * step);
      double mean = page.mean() * multiple;
      likelihood +=
          rates.density(multiple)
              * multiple
              * step
              * Math.pow(-Math.expm1(-mean), page.changes())
              * Math.exp(-mean * (page.visits() - page.changes()));
    }
    return Math.log(likelihood);
  }

  /** Of many visits several count as one: a share of few changes must not be rounded to none. */
  @Test
  void pagesThatAreAlikeAreFoundToBeHoweverOftenTheyAreVisited() {
    for (int visits : new int[] {10, 31, 32, 60, 720, 100_000}) {
      for (int changes : new int[] {1, 3, 5, 8, visits / 2, visits - 1, visits}) {
        if (changes <= visits) {
          RateSpread spread = new RateSpread(LARGEST);
          for (int page = 0; page < 1_000; page++) {
            spread.add(visits, changes, (double) changes / visits);
            spread.add(visits, 0, 1e-9); // so that some visits found nothing
          }
          assertThat(spread.shape()).as("%d of %d", changes, visits).isEqualTo(LARGEST);
        }
      }
    }
  }

  @Test
  void pagesThatAreUnlikeAreFoundToBeHoweverOftenTheyAreVisited() {
    for (int visits : new int[] {10, 31, 32, 60, 720, 100_000}) {
      RateSpread spread = new RateSpread(LARGEST);
      for (int page = 0; page < 1_000; page++) {
        int changes = page % 5 == 0 ? visits / 2 : 0;
        spread.add(visits, changes, 0.1);
      }
      assertThat(spread.shape()).as("%d visits", visits).isLessThan(LARGEST / 4);
    }
  }

  @Test
  void visitsAreFewerWhereSeveralCountAsOne() {
    List<Visited> pages = spread(0.375, 2_000, 400);
    assertThat(of(pages).shape()).as("seed %d", seed).isEqualTo(0.375);
  }
}
