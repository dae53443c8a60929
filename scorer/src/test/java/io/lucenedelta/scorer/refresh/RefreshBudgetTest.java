// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static io.lucenedelta.scorer.refresh.RecordedPage.day;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefreshBudgetTest {
  @Test
  void regularPeriodsFollowEachOther() {
    RefreshBudget weeks = RefreshBudget.regular(3, day(7), Duration.ofDays(7), 4);
    assertThat(weeks.since()).isEqualTo(day(0));
    assertThat(weeks.times()).containsExactly(day(7), day(14), day(21), day(28));
    assertThat(weeks.periodDays()).isEqualTo(7);
    assertThat(weeks.end()).isEqualTo(day(35));
    assertThat(weeks.first()).isEqualTo(day(7));
    assertThat(weeks.periods()).isEqualTo(4);
  }

  @Test
  void periodsOfAnyLengthHaveAMean() {
    RefreshBudget periods = new RefreshBudget(3, day(0), List.of(day(1), day(2), day(9)));
    assertThat(periods.periodDays()).isEqualTo(3);
    assertThat(periods.end()).isEqualTo(day(12));
  }

  @Test
  void whereDecisionsAreMadeAtAnyTimeNoneWaitsForTheEndOfAPeriod() {
    RefreshBudget live = RefreshBudget.atAnyTime(3, day(7));
    assertThat(live.decisionDays()).isZero();
    assertThat(live.periodDays()).isEqualTo(1);
    assertThat(live.first()).isEqualTo(day(7));
    assertThat(live.periods()).isEqualTo(1);
    assertThat(RefreshBudget.regular(3, day(7), Duration.ofDays(7), 4).decisionDays()).isEqualTo(7);
  }

  @Test
  void aPageMayBeEarlyByAHundredthOfTheTimeBetweenTwoDecisions() {
    assertThat(RefreshBudget.regular(3, day(7), Duration.ofDays(7), 4).earlyDays()).isEqualTo(0.07);
    assertThat(RefreshBudget.atAnyTime(3, day(7)).earlyDays()).isZero();
  }

  @Test
  void aTimeBelongsToThePeriodThatBeganLast() {
    RefreshBudget periods = new RefreshBudget(3, day(0), List.of(day(1), day(2), day(9)));
    assertThat(List.of(day(0.5), day(1), day(1.5), day(2), day(8.9), day(9), day(99)))
        .extracting(periods::periodOf)
        .containsExactly(0, 0, 0, 1, 1, 2, 2);
  }

  @Test
  void whatIsNoBudgetIsRefused() {
    assertThat(RefreshBudget.regular(0, day(7), Duration.ofSeconds(1), 1).perPeriod()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RefreshBudget.regular(-1, day(7), Duration.ofDays(7), 4))
        .withMessageContaining("perPeriod must not be negative, was -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RefreshBudget.regular(1, day(7), Duration.ofDays(7), 0))
        .withMessageContaining("at least one planned period");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RefreshBudget.regular(1, day(7), Duration.ZERO, 1))
        .withMessageContaining("times must increase");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RefreshBudget.regular(1, day(7), Duration.ofMillis(999), 3))
        .withMessageContaining("periods must last a second or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RefreshBudget(1, day(0), List.of(day(2), day(1))))
        .withMessageContaining("times must increase");
  }
}
