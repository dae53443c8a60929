// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.report.Figure;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.workload.relevance.RelevanceCut;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WorkloadReportTest {
  @Test
  void theKneeSaysHowManyQueriesAreDrawnIfNotAll() {
    Figure all = knee(1199);
    assertThat(all.explanation()).endsWith("(95 %).");
    assertThat(all.views().get(0).series().get(0).points()).hasSize(1199);
    Figure thinned = knee(1801);
    assertThat(thinned.explanation()).endsWith(" One query in 3 is drawn.");
    assertThat(thinned.views().get(0).series().get(0).points())
        .hasSize(601)
        .extracting(Point::x)
        .startsWith(1.0, 4.0, 7.0)
        .endsWith(1801.0);
  }

  private static Figure knee(int queries) {
    double[] sums = new double[queries];
    Arrays.setAll(sums, query -> 1 + query);
    return WorkloadReport.knee(sums, RelevanceCut.of(sums, 1));
  }
}
