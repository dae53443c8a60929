// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.tests.util.RamUsageTester;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class CandidatesTest {
  private static final Set<String> COMMITTED = Set.of("_1");

  private final Candidates candidates = new Candidates(true);

  private static BytesRef key(int page) {
    return new BytesRef("https://example.org/%s/%06d".formatted("x".repeat(80), page));
  }

  private static Refresh candidate(int document, RefreshDetails details) {
    return new Refresh(1, document, true, 1, 1, 1, "_1", document, 0, details);
  }

  @Test
  void aBatchThatWasCapturedInItsShareOfTheHeapIsSettledInLittleMore() {
    int pages = 10_000;
    for (int page = 0; page < pages; page++) {
      RefreshDetails details = new RefreshDetails(); // each its own, as a file is read
      candidates.add(key(page), List.of(candidate(page, details)));
    }
    assertThat(RamUsageTester.ramUsed(candidates) / pages).isLessThanOrEqualTo(95);
  }

  @Test
  void eachPageHasItsOwnCopiesHoweverManyTheOthersHave() {
    int pages = 100;
    int next = 0;
    int[] first = new int[pages + 1];
    for (int page = 0; page < pages; page++) {
      List<Refresh> copies = new ArrayList<>();
      for (int copy = page % 23; copy >= 0; copy--) {
        copies.add(candidate(next++, null));
      }
      candidates.add(key(page), copies);
      first[page + 1] = next;
    }
    candidates.beginCommit(COMMITTED);
    candidates.identify(key(pages), "_1", 0, 0, 0);
    for (int page = 0; page < pages; page++) {
      assertThat(candidates.live(page)).as("page %d", page).isEqualTo(CandidateCopies.NONE);
      for (int document = first[page]; document < first[page + 1]; document++) {
        candidates.identify(key(page), "_1", document, document, 0);
        assertThat(candidates.live(page)).isEqualTo(document - first[page]);
      }
      if (page % 2 == 0) {
        candidates.identify(key(page), "_1", next, next, 0);
        assertThat(candidates.live(page)).as("page %d", page).isEqualTo(CandidateCopies.NONE);
        assertThat(candidates.replaced(page)).isEqualTo(next);
      }
    }
    assertThat(candidates.live(1)).isOne();
    assertThat(candidates.replaced(1)).isEqualTo(FetchTimes.UNKNOWN);
  }
}
