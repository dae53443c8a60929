// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

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
}
