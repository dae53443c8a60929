// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.util.List;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** What a flush says, while a postings format goes through its terms in its own way. */
class SegmentNotesTest {
  private static final DeltaConfig CONFIG =
      DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
          .keyField("url")
          .scoredField("body")
          .build();

  private final SegmentNotes notes =
      new SegmentNotes(CONFIG, WorkloadTerms.of(CONFIG.workload()), FlushHeap.unlimited());

  /** The consumer has done with a term it went to. */
  private boolean leave(String term) {
    return notes.beginTerm(new BytesRef(term));
  }

  @Test
  void flushesOfEverySizeAreNotedWhateverSizesCameBefore() throws Exception {
    DeltaConfig timed =
        DeltaConfig.builder(CONFIG.workload())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .build();
    for (int first = 1; first < 600; first += 7) {
      SegmentNotes reused =
          new SegmentNotes(timed, WorkloadTerms.of(timed.workload()), FlushHeap.unlimited());
      for (int documents = first; documents < first + 100; documents++) {
        reused.begin(documents, FieldInfos.EMPTY, null);
        reused.beginField(reused.roleOf("fetched"), false);
        reused.awaitTerm();
        reused.beginTerm(new BytesRef("2024-01-01T00:00:00Z"));
        assertThat(reused.time(documents - 1)).isEqualTo(FetchTimes.UNKNOWN);
        assertThat(reused.failure()).as("%d documents after %d", documents, first).isNull();
      }
    }
  }

  @Test
  void aFieldLeftAtATermIsAFailure() throws Exception {
    for (String last : List.of("alpha", "beta")) {
      notes.begin(1, FieldInfos.EMPTY, null);
      notes.beginField(0, true);
      notes.awaitTerm();
      if (last.equals("beta")) {
        assertThat(leave("alpha")).isTrue();
        notes.awaitTerm();
      }
      assertThat(notes.failure()).hasMessageContaining("left a field before its last term");
    }
  }

  @Test
  void aFieldLeftAfterItsLastTermIsNone() throws Exception {
    notes.begin(1, FieldInfos.EMPTY, null);
    notes.beginField(0, true);
    notes.awaitTerm();
    assertThat(leave("alpha")).isTrue();
    notes.awaitTerm();
    assertThat(leave("beta")).as("not in the workload").isFalse();
    assertThat(notes.failure()).isNull();
  }

  @Test
  void aFieldLeftAtATermIsAFailureThoughOthersFollow() throws Exception {
    notes.begin(1, FieldInfos.EMPTY, null);
    notes.beginField(0, true);
    notes.awaitTerm();
    notes.beginField(notes.roleOf("url"), false);
    notes.awaitTerm();
    assertThat(leave("http://example.org/")).as("nothing more is noted").isFalse();
    assertThat(notes.failure()).hasMessageContaining("left a field before its last term");
  }

  @Test
  void aTermThatTheConsumerBrokeIsAFailureAndThrowsNothing() throws Exception {
    notes.begin(1, FieldInfos.EMPTY, null);
    notes.beginField(0, true);
    notes.awaitTerm();
    BytesRef broken = new BytesRef("alphabetical");
    broken.offset = 100;
    assertThat(notes.beginTerm(broken)).isFalse();
    assertThat(notes.failure()).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
