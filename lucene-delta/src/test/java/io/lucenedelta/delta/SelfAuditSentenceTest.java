// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people are told of an audit, also of one that has too little to tell. */
class SelfAuditSentenceTest {
  private static String sentence(long brokenOff, AuditLog.Pair... measured) {
    AuditLog log = new AuditLog();
    log.add(List.of(measured), brokenOff, Instant.EPOCH);
    return log.selfAudit().sentence();
  }

  private static AuditLog.Pair pair(double estimate, double exact) {
    return new AuditLog.Pair(estimate, exact);
  }

  @Test
  void correlationAndBiasAreTold() {
    assertThat(sentence(1, pair(1, 2), pair(2, 3), pair(0, 0)))
        .isEqualTo(
            "of the last 3 refreshes measured exactly 2 moved a result: rank correlation 1.000, sum"
                + " of estimates 0.60 times the exact sum; 3 measured and 1 broken off since"
                + " 1970-01-01T00:00:00Z");
  }

  @Test
  void ofFewerThanTwoRefreshesThatMovedAResultItIsSaidThatTheyAreTooFew() {
    assertThat(sentence(7))
        .isEqualTo(
            "of the last 0 refreshes measured exactly 0 moved a result: too few to compare estimates"
                + " with exact changes; 0 measured and 7 broken off since 1970-01-01T00:00:00Z");
    assertThat(sentence(0, pair(0, 0), pair(1, 2)))
        .startsWith("of the last 2 refreshes measured exactly 1 moved a result: too few")
        .endsWith("; 2 measured and 0 broken off since 1970-01-01T00:00:00Z");
  }

  @Test
  void whatIsNoNumberIsADash() {
    assertThat(sentence(0, pair(1, 2), pair(1, 3)))
        .contains("rank correlation —, sum of estimates 0.40 times");
    assertThat(sentence(0, pair(1, -2), pair(2, 2)))
        .contains("rank correlation 1.000, sum of estimates — times");
  }
}
