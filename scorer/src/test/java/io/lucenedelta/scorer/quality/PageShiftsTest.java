// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The shifts of a page, measured one by one. */
class PageShiftsTest {
  private static final double[] OFTEN = {3, 5, 0.5};

  @Test
  void whatIsMeasuredCountsAsOftenAsItsQueryIsAskedAndACorrectionTakesItsPlace() {
    PageShifts shifts = new PageShifts(OFTEN);
    shifts.add(1, 2, 0);
    shifts.add(0, 1, 4);
    shifts.measured(0, 0.25, 8, 0);
    shifts.measured(1, 2, 16, 32);
    assertThat(shifts.change(0)).isEqualTo(1.25f);
    assertThat(shifts.change(1)).isEqualTo(6);
    assertThat(shifts.sum()).isEqualTo(7.25);
    assertThat(shifts.entriesBefore()).isEqualTo(5 * 8 + 3 * 16);
    assertThat(shifts.entriesAfter()).isEqualTo(3 * 32);
    shifts.corrected(0, 0.5);
    shifts.addUp();
    assertThat(shifts.change(0)).isEqualTo(2.5f);
    assertThat(shifts.sum()).isEqualTo(8.5);
  }

  @Test
  void aPageIsForgottenAsAWholeHoweverManyShiftsItHad() {
    PageShifts shifts = new PageShifts(OFTEN);
    for (int shift = 0; shift < 1_000; shift++) {
      shifts.add(shift % 3, shift, 1 + shift);
    }
    shifts.setAllNear();
    int[] all = IntStream.range(0, 1_000).toArray();
    assertThat(IntStream.range(0, shifts.nearCount()).map(shifts::near)).containsExactly(box(all));
    assertThat(IntStream.range(0, shifts.movingCount()).map(shifts::moving))
        .containsExactlyInAnyOrder(box(all));
    for (int shift : all) {
      assertThat(shifts.query(shift)).isEqualTo(shift % 3);
      assertThat(shifts.before(shift)).isEqualTo(shift);
      assertThat(shifts.after(shift)).isEqualTo(1 + shift);
    }
    shifts.measured(999, 1, 1, 1);
    shifts.clear();
    assertThat(shifts.size() + shifts.nearCount() + shifts.movingCount()).isZero();
    assertThat(shifts.sum() + shifts.entriesBefore() + shifts.entriesAfter()).isZero();
  }

  private static Integer[] box(int[] numbers) {
    return IntStream.of(numbers).boxed().toArray(Integer[]::new);
  }
}
