// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BisectionTest {
  @Test
  void pointsThatDoNotDifferAreOneCluster() {
    for (int seed = 0; seed < 20; seed++) {
      assertThat(Bisection.of(new double[][] {{7}}, 2, seed).clusters()).isEqualTo(1);
      assertThat(Bisection.of(new double[][] {{7, 7, 7}}, 2, seed).clusters()).isEqualTo(1);
      assertThat(Bisection.of(new double[][] {{7, 9, 7}}, 3, seed).clusters()).isEqualTo(2);
      assertThat(Bisection.of(new double[][] {{}}, 2, seed).clusters()).isEqualTo(1);
    }
  }

  @Test
  void theLargestClusterIsCutNextWhateverItsNumber() {
    // three points, and eight in two groups; the first cut parts the three from the eight
    double[] places = {0, 1, 2, 100, 101, 102, 103, 120, 121, 122, 123};
    for (int seed = 0; seed < 20; seed++) {
      Bisection clusters = Bisection.of(new double[][] {places}, 3, seed);
      assertThat(clusters.clusters()).as("seed %s", seed).isEqualTo(3);
      int[] cluster = IntStream.range(0, places.length).map(clusters::cluster).toArray();
      assertThat(cluster[0]).as("seed %s", seed).isEqualTo(cluster[1]).isEqualTo(cluster[2]);
      assertThat(cluster[3]).as("seed %s", seed).isEqualTo(cluster[6]);
      assertThat(cluster[7]).as("seed %s", seed).isEqualTo(cluster[10]).isNotEqualTo(cluster[3]);
    }
  }

  @Test
  void everyPointIsInTheClusterOfTheNearerCentroid() {
    Random random = new Random(5);
    for (int round = 0; round < 50; round++) {
      double[] places = random.doubles(12).toArray();
      Bisection clusters = Bisection.of(new double[][] {places}, 2, round);
      double[] centroids = new double[2];
      for (int number = 0; number < 2; number++) {
        int wanted = number;
        centroids[number] =
            IntStream.range(0, places.length)
                .filter(i -> clusters.cluster(i) == wanted)
                .mapToDouble(i -> places[i])
                .average()
                .orElseThrow();
      }
      for (int i = 0; i < places.length; i++) {
        double own = Math.abs(places[i] - centroids[clusters.cluster(i)]);
        double other = Math.abs(places[i] - centroids[1 - clusters.cluster(i)]);
        assertThat(own).as("round %s, point %s", round, i).isLessThan(other);
      }
    }
  }

  @Test
  void aPointAsNearToBothStaysWithTheFirst() {
    for (int seed = 0; seed < 20; seed++) {
      assertThat(Bisection.of(new double[][] {{0, 1, 2}}, 2, seed).cluster(1)).isZero();
    }
  }
}
