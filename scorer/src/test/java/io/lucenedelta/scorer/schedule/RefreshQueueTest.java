// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.TestPage;
import io.lucenedelta.scorer.refresh.UserUtility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefreshQueueTest {
  private final List<TestPage> pages =
      new ArrayList<>(List.of(TestPage.of("a"), TestPage.of("b"), TestPage.of("c")));
  private final RefreshQueue queue = new RefreshQueue(new UserUtility(1), Duration.ofDays(1));

  private KnownPages known() {
    return TestPage.known(pages);
  }

  private static RefreshBudget budget(int count, double day) {
    return new RefreshBudget(count, TestPage.day(day), Duration.ofDays(1), 1);
  }

  private List<String> take(int count, double day) {
    return names(queue.take(known(), budget(count, day), TestPage.day(day)));
  }

  private static List<String> names(List<RefreshCandidate> batch) {
    return batch.stream().map(RefreshCandidate::page).toList();
  }

  @Test
  void noPageIsHandedOutTwiceWhileItsLeaseRuns() {
    List<String> all = new ArrayList<>(take(2, 10));
    all.addAll(take(2, 10.5));
    assertThat(all).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(take(3, 10.9)).isEmpty();
    assertThat(queue.held()).isEqualTo(3);
  }

  @Test
  void anExpiredLeaseFreesItsPage() {
    take(3, 10);
    assertThat(take(3, 11)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void aRefreshInTheHistoryEndsALease() {
    take(3, 10);
    pages.set(0, TestPage.of("a").record(10.2));
    assertThat(take(3, 10.4)).containsExactly("a");
  }

  @Test
  void lookingLeasesNothingAndSeesLeasedPages() {
    take(3, 10);
    assertThat(names(queue.peek(known(), budget(3, 10), TestPage.day(10)))).hasSize(3);
  }

  @Test
  void aFailingPageWaitsTwiceAsLongEachTimeAndBlocksNobody() {
    String first = take(1, 10).get(0);
    queue.failed(first, TestPage.day(10));
    assertThat(take(3, 10.5)).hasSize(2).doesNotContain(first);
    assertThat(take(3, 11)).contains(first);
    queue.failed(first, TestPage.day(11));
    assertThat(take(3, 12.5)).doesNotContain(first);
    assertThat(take(3, 13)).contains(first);
    for (int failure = 0; failure < 100; failure++) {
      queue.failed(first, TestPage.day(13));
    }
    assertThat(take(3, 44.9)).doesNotContain(first);
    assertThat(take(3, 46)).contains(first);
  }

  @Test
  void aPageThatIsGoneStaysAwayUntilItReturns() {
    queue.gone("b", TestPage.day(10));
    assertThat(take(3, 1000)).containsExactlyInAnyOrder("a", "c");
    queue.returned("b");
    assertThat(take(3, 1000.5)).containsExactly("b");
  }

  @Test
  void aFetchedPageIsForgotten() {
    take(3, 10);
    queue.failed("a", TestPage.day(10));
    queue.fetched("a");
    assertThat(queue.held()).isEqualTo(2);
  }

  @Test
  void aLeaseWithoutLengthIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RefreshQueue(new UserUtility(1), Duration.ZERO))
        .withMessage("lease must be positive, was PT0S");
  }
}
