// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** What was asked of a writer reaches the batch that it belongs to. */
class ChangesTest {
  @Test
  void whatWasAskedCountsForTheNextBatchTooSinceLuceneMayHaveFlushedBefore() {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    changes.addingBegins();
    changes.addingEnds();
    changes.importingBegins();
    changes.importingEnds();
    changes.noteSelective();
    changes.deletedKey(new BytesRef("page"));
    for (int batch = 0; batch < 2; batch++) {
      Changes.Taken taken = changes.take(Long.MAX_VALUE);
      assertThat(taken.added()).as("batch %d", batch).isTrue();
      assertThat(taken.imported()).as("batch %d", batch).isTrue();
      assertThat(taken.selective()).as("batch %d", batch).isTrue();
      assertThat(taken.deletedKeys()).as("batch %d", batch).containsExactly(new BytesRef("page"));
    }
    assertThat(changes.take(Long.MAX_VALUE)).isEqualTo(Changes.NONE);
  }

  @Test
  void ofMoreDeletedKeysThanFitNoneIsKeptAndTheIndexMustTell() {
    Changes changes = new Changes(10_000, Long.MAX_VALUE);
    for (int key = 0; key < 50; key++) {
      changes.deletedKey(new BytesRef("page" + key));
    }
    assertThat(changes.take(Long.MAX_VALUE).deletedKeys()).hasSize(50);
    for (int key = 0; key < 200; key++) {
      changes.deletedKey(new BytesRef("page" + key));
    }
    Changes.Taken many = changes.take(Long.MAX_VALUE);
    assertThat(many.deletedKeys()).as("those of the batch before").hasSize(50);
    assertThat(many.selective()).isTrue();
    changes.deletedKey(new BytesRef("page"));
    assertThat(changes.take(Long.MAX_VALUE).deletedKeys()).containsExactly(new BytesRef("page"));
  }

  @Test
  void onlyTheFirstOfTheTwoMayGoOn() {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    changes.deletedKey(new BytesRef("page"));
    assertThat(changes.goesOn()).isFalse();
    changes.take(Long.MAX_VALUE);
    assertThat(changes.goesOn()).isTrue();
    changes.take(Long.MAX_VALUE);
    assertThat(changes.goesOn()).isFalse();
  }

  @Test
  void visitsCountOnce() {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    changes.unchanged(new BytesRef("page"), 1, Long.MAX_VALUE);
    assertThat(visits(changes.take(Long.MAX_VALUE))).containsOnlyKeys(new BytesRef("page"));
    assertThat(changes.take(Long.MAX_VALUE)).isEqualTo(Changes.NONE);
  }

  /** Time by page. */
  private static Map<BytesRef, Long> visits(Changes.Taken taken) {
    Map<BytesRef, Long> visits = new HashMap<>();
    for (int visit = 0; visit < taken.visits().size(); visit++) {
      taken.visits().read(visit);
      visits.put(BytesRef.deepCopyOf(taken.visits().page()), taken.visits().time());
    }
    return visits;
  }

  @Test
  void visitsForWhichThereIsNoRoomAreCountedAndTheNextBatchHasRoomAgain() {
    Changes changes = new Changes(Long.MAX_VALUE, 5_000);
    for (int page = 0; page < 100; page++) {
      changes.unchanged(new BytesRef("page" + page), page, Long.MAX_VALUE);
    }
    changes.unchanged(new BytesRef("page0"), 1_000, Long.MAX_VALUE);
    Changes.Taken many = changes.take(Long.MAX_VALUE);
    assertThat(visits(many)).hasSizeBetween(20, 50).containsEntry(new BytesRef("page0"), 1_000L);
    assertThat(visits(many).size() + many.visitsDropped()).isEqualTo(100);
    changes.giveBack(many);
    changes.unchanged(new BytesRef("another"), 1, Long.MAX_VALUE);
    Changes.Taken again = changes.take(Long.MAX_VALUE);
    assertThat(visits(again)).isEqualTo(visits(many));
    assertThat(again.visitsDropped()).isEqualTo(1);
    changes.unchanged(new BytesRef("another"), 1, Long.MAX_VALUE);
    assertThat(visits(changes.take(Long.MAX_VALUE))).containsOnlyKeys(new BytesRef("another"));
  }

  @Test
  void anAdditionOrImportUnderWayCountsForEveryBatchAndForTheTwoAfterItsEnd() {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    changes.addingBegins();
    changes.importingBegins();
    for (int batch = 0; batch < 3; batch++) {
      Changes.Taken taken = changes.take(Long.MAX_VALUE);
      assertThat(taken.added() && taken.imported()).as("batch %d", batch).isTrue();
    }
    changes.addingEnds();
    changes.importingEnds();
    for (int batch = 3; batch < 5; batch++) {
      Changes.Taken taken = changes.take(Long.MAX_VALUE);
      assertThat(taken.added() && taken.imported()).as("batch %d", batch).isTrue();
    }
    assertThat(changes.take(Long.MAX_VALUE)).isEqualTo(Changes.NONE);
  }

  @Test
  void anAdditionThatEndsBesideATakeCountsForTheNextOneToo() throws InterruptedException {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    int rounds = 50_000;
    Thread ending =
        new Thread(
            () -> {
              for (int round = 1; round <= rounds; round++) {
                awaitAtLeast(begun, round);
                linger(round % 64);
                changes.addingEnds();
                ended.set(round);
              }
            });
    ending.start();
    int missed = 0;
    for (int round = 1; round <= rounds; round++) {
      changes.addingBegins();
      changes.take(Long.MAX_VALUE);
      begun.set(round);
      linger(round / 64 % 64);
      changes.take(Long.MAX_VALUE);
      awaitAtLeast(ended, round);
      missed += changes.take(Long.MAX_VALUE).added() ? 0 : 1;
      changes.take(Long.MAX_VALUE);
    }
    ending.join();
    assertThat(missed).isZero();
  }

  private static void awaitAtLeast(AtomicInteger number, int least) {
    while (number.get() < least) {
      Thread.yield(); // there may be one processor
    }
  }

  private static void linger(int turns) {
    for (int turn = 0; turn < turns; turn++) {
      Thread.onSpinWait();
    }
  }

  @Test
  void visitsHeardOfAfterTheFlushBeganWaitForTheNextBatch() {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    BytesRef early = new BytesRef("early");
    BytesRef late = new BytesRef("late");
    changes.unchanged(early, 5, Long.MAX_VALUE);
    long flush = changes.visitsHeard();
    changes.unchanged(late, 6, Long.MAX_VALUE);
    assertThat(visits(changes.take(flush))).isEqualTo(Map.of(early, 5L));
    assertThat(changes.any()).isTrue();
    assertThat(changes.visitsCameBack()).as("needs a commit").isTrue();
    assertThat(visits(changes.take(changes.visitsHeard()))).isEqualTo(Map.of(late, 6L));
    assertThat(changes.any()).isFalse();
    assertThat(changes.visitsCameBack()).isFalse();
  }

  @Test
  void visitsGivenBackAreTakenAgainWhateverWasHeardSince() {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    BytesRef page = new BytesRef("page");
    changes.unchanged(page, 5, Long.MAX_VALUE);
    changes.giveBack(changes.take(changes.visitsHeard()));
    assertThat(visits(changes.take(0))).isEqualTo(Map.of(page, 5L));
  }

  @Test
  void visitsLeftOutForBeingAheadAreCountedUntilABatchTellsOfThem() {
    Changes changes = new Changes(Long.MAX_VALUE, Long.MAX_VALUE);
    BytesRef page = new BytesRef("page");
    changes.unchanged(page, 5, 10);
    changes.unchanged(page, 99, 10);
    assertThat(changes.take(0).visits().ahead()).as("all waits for the next batch").isZero();
    Changes.Taken failed = changes.take(changes.visitsHeard());
    assertThat(failed.visits().ahead()).isEqualTo(1);
    changes.unchanged(page, 88, 10);
    changes.giveBack(failed);
    Changes.Taken again = changes.take(changes.visitsHeard());
    assertThat(visits(again)).isEqualTo(Map.of(page, 5L));
    assertThat(again.visits().ahead()).isEqualTo(2);
    assertThat(again.visits().firstAhead()).isEqualTo(page);
    changes.unchanged(page, 6, 10);
    assertThat(changes.take(changes.visitsHeard()).visits().ahead()).as("told").isZero();
  }
}
