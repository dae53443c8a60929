// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.FilterLeafReader.FilterPostingsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowImpactsEnum;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** What a flush says, while a postings format goes through its terms in its own way. */
class SegmentNotesTest {
  private static final DeltaConfig CONFIG =
      DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
          .keyField("url")
          .scoredField("body")
          .build();

  private final SegmentNotes notes = new SegmentNotes(CONFIG, WorkloadTerms.of(CONFIG.workload()));

  private boolean begin(String term) {
    return notes.beginTerm(new BytesRef(term));
  }

  private static PostingsEnum none() {
    return new FilterPostingsEnum(new SlowImpactsEnum(null)) {
      @Override
      public int nextDoc() {
        return NO_MORE_DOCS;
      }
    };
  }

  @Test
  void aTermWhoseTurnIsOverWithoutItsPostingsIsAFailure() throws IOException {
    notes.begin(1, null);
    notes.beginField(0, true);
    assertThat(begin("alpha")).isTrue();
    assertThat(notes.failure()).hasMessageContaining("left a field before its last term");

    notes.begin(1, null);
    notes.beginField(0, true);
    assertThat(begin("alpha")).isTrue();
    notes.addPostings(none());
    assertThat(begin("beta")).as("not in the workload").isFalse();
    assertThat(notes.failure()).isNull();
  }

  @Test
  void aFieldLeftBeforeItsLastTermIsAFailureThoughOthersFollow() throws IOException {
    notes.begin(1, null);
    notes.beginField(0, true);
    assertThat(begin("alpha")).isTrue();
    notes.beginField(notes.roleOf("url"), false);
    assertThat(begin("http://example.org/")).isFalse();
    assertThat(notes.failure()).hasMessageContaining("left a field before its last term");
  }
}
