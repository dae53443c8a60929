// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** What was asked of a writer reaches the batch that it belongs to. */
class WriterOperationsTest {
  @Test
  void whatWasAskedCountsForTheNextBatchTooSinceLuceneMayHaveFlushedBefore() {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    operations.addingBegins();
    operations.addingEnds();
    operations.importingBegins();
    operations.importingEnds();
    operations.noteSelective();
    operations.deletedKey(new BytesRef("page"));
    for (int batch = 0; batch < 2; batch++) {
      WriterOperations.Taken taken = operations.take(Long.MAX_VALUE);
      assertThat(taken.added()).as("batch %d", batch).isTrue();
      assertThat(taken.imported()).as("batch %d", batch).isTrue();
      assertThat(taken.selective()).as("batch %d", batch).isTrue();
      assertThat(taken.deletedKeys()).as("batch %d", batch).containsExactly(new BytesRef("page"));
    }
    assertThat(operations.take(Long.MAX_VALUE)).isEqualTo(WriterOperations.NONE);
  }

  @Test
  void whatABatchThatFailedHadOfTheOneBeforeCountsForTheNext() {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    operations.deletedKey(new BytesRef("page"));
    operations.noteSelective();
    operations.addingBegins();
    operations.addingEnds();
    operations.importingBegins();
    operations.importingEnds();
    operations.take(Long.MAX_VALUE);
    operations.giveBack(operations.take(Long.MAX_VALUE));
    assertThat(operations.any()).isTrue();
    WriterOperations.Taken next = operations.take(Long.MAX_VALUE);
    assertThat(next.deletedKeys()).containsExactly(new BytesRef("page"));
    assertThat(next.selective()).as("selective").isTrue();
    assertThat(next.added()).as("added").isTrue();
    assertThat(next.imported()).as("imported").isTrue();
  }

  @Test
  void ofMoreDeletedKeysThanFitNoneIsKeptAndTheIndexMustTell() {
    WriterOperations operations = new WriterOperations(10_000, Long.MAX_VALUE);
    for (int key = 0; key < 50; key++) {
      operations.deletedKey(new BytesRef("page" + key));
    }
    assertThat(operations.take(Long.MAX_VALUE).deletedKeys()).hasSize(50);
    for (int key = 0; key < 200; key++) {
      operations.deletedKey(new BytesRef("page" + key));
    }
    WriterOperations.Taken many = operations.take(Long.MAX_VALUE);
    assertThat(many.deletedKeys()).as("those of the batch before").hasSize(50);
    assertThat(many.selective()).isTrue();
    operations.deletedKey(new BytesRef("page"));
    assertThat(operations.take(Long.MAX_VALUE).deletedKeys()).containsExactly(new BytesRef("page"));
  }

  @Test
  void onlyTheFirstOfTheTwoMayGoOn() {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    operations.deletedKey(new BytesRef("page"));
    assertThat(operations.goesOn()).isFalse();
    operations.take(Long.MAX_VALUE);
    assertThat(operations.goesOn()).isTrue();
    operations.take(Long.MAX_VALUE);
    assertThat(operations.goesOn()).isFalse();
  }

  @Test
  void visitsCountOnce() {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    operations.unchanged(new BytesRef("page"), 1, Long.MAX_VALUE);
    assertThat(visits(operations.take(Long.MAX_VALUE))).containsOnlyKeys(new BytesRef("page"));
    assertThat(operations.take(Long.MAX_VALUE)).isEqualTo(WriterOperations.NONE);
  }

  /** Time by page. */
  private static Map<BytesRef, Long> visits(WriterOperations.Taken taken) {
    Map<BytesRef, Long> visits = new HashMap<>();
    for (int visit = 0; visit < taken.visits().size(); visit++) {
      taken.visits().read(visit);
      visits.put(BytesRef.deepCopyOf(taken.visits().page()), taken.visits().time());
    }
    return visits;
  }

  @Test
  void visitsForWhichThereIsNoRoomAreCountedAndTheNextBatchHasRoomAgain() {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, 5_000);
    for (int page = 0; page < 100; page++) {
      operations.unchanged(new BytesRef("page" + page), page, Long.MAX_VALUE);
    }
    operations.unchanged(new BytesRef("page0"), 1_000, Long.MAX_VALUE);
    WriterOperations.Taken many = operations.take(Long.MAX_VALUE);
    assertThat(visits(many)).hasSizeBetween(20, 50).containsEntry(new BytesRef("page0"), 1_000L);
    assertThat(visits(many).size() + many.visitsDropped()).isEqualTo(100);
    operations.giveBack(many);
    operations.unchanged(new BytesRef("another"), 1, Long.MAX_VALUE);
    WriterOperations.Taken again = operations.take(Long.MAX_VALUE);
    assertThat(visits(again)).isEqualTo(visits(many));
    assertThat(again.visitsDropped()).isEqualTo(1);
    operations.unchanged(new BytesRef("another"), 1, Long.MAX_VALUE);
    assertThat(visits(operations.take(Long.MAX_VALUE))).containsOnlyKeys(new BytesRef("another"));
  }

  @Test
  void anAdditionOrImportUnderWayCountsForEveryBatchAndForTheTwoAfterItsEnd() {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    operations.addingBegins();
    operations.importingBegins();
    for (int batch = 0; batch < 3; batch++) {
      WriterOperations.Taken taken = operations.take(Long.MAX_VALUE);
      assertThat(taken.added() && taken.imported()).as("batch %d", batch).isTrue();
    }
    operations.addingEnds();
    operations.importingEnds();
    for (int batch = 3; batch < 5; batch++) {
      WriterOperations.Taken taken = operations.take(Long.MAX_VALUE);
      assertThat(taken.added() && taken.imported()).as("batch %d", batch).isTrue();
    }
    assertThat(operations.take(Long.MAX_VALUE)).isEqualTo(WriterOperations.NONE);
  }

  @Test
  void anAdditionThatEndsBesideATakeCountsForTheNextOneToo() throws InterruptedException {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    int rounds = 50_000;
    Thread ending =
        new Thread(
            () -> {
              for (int round = 1; round <= rounds; round++) {
                awaitAtLeast(begun, round);
                linger(round % 64);
                operations.addingEnds();
                ended.set(round);
              }
            });
    ending.start();
    int missed = 0;
    for (int round = 1; round <= rounds; round++) {
      operations.addingBegins();
      operations.take(Long.MAX_VALUE);
      begun.set(round);
      linger(round / 64 % 64);
      operations.take(Long.MAX_VALUE);
      awaitAtLeast(ended, round);
      missed += operations.take(Long.MAX_VALUE).added() ? 0 : 1;
      operations.take(Long.MAX_VALUE);
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
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    BytesRef early = new BytesRef("early");
    BytesRef late = new BytesRef("late");
    operations.unchanged(early, 5, Long.MAX_VALUE);
    long flush = operations.visitsHeard();
    operations.unchanged(late, 6, Long.MAX_VALUE);
    assertThat(visits(operations.take(flush))).isEqualTo(Map.of(early, 5L));
    assertThat(operations.any()).isTrue();
    assertThat(operations.visitsCameBack()).as("needs a commit").isTrue();
    assertThat(visits(operations.take(operations.visitsHeard()))).isEqualTo(Map.of(late, 6L));
    assertThat(operations.any()).isFalse();
    assertThat(operations.visitsCameBack()).isFalse();
  }

  @Test
  void visitsGivenBackAreTakenAgainWhateverWasHeardSince() {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    BytesRef page = new BytesRef("page");
    operations.unchanged(page, 5, Long.MAX_VALUE);
    operations.giveBack(operations.take(operations.visitsHeard()));
    assertThat(visits(operations.take(0))).isEqualTo(Map.of(page, 5L));
  }

  @Test
  void visitsLeftOutForBeingAheadAreCountedUntilABatchTellsOfThem() {
    WriterOperations operations = new WriterOperations(Long.MAX_VALUE, Long.MAX_VALUE);
    BytesRef page = new BytesRef("page");
    operations.unchanged(page, 5, 10);
    operations.unchanged(page, 99, 10);
    assertThat(operations.take(0).visits().ahead()).as("all waits for the next batch").isZero();
    WriterOperations.Taken failed = operations.take(operations.visitsHeard());
    assertThat(failed.visits().ahead()).isEqualTo(1);
    operations.unchanged(page, 88, 10);
    operations.giveBack(failed);
    WriterOperations.Taken again = operations.take(operations.visitsHeard());
    assertThat(visits(again)).isEqualTo(Map.of(page, 5L));
    assertThat(again.visits().ahead()).isEqualTo(2);
    assertThat(again.visits().firstAhead()).isEqualTo(page);
    operations.unchanged(page, 6, 10);
    assertThat(operations.take(operations.visitsHeard()).visits().ahead()).as("told").isZero();
  }
}
