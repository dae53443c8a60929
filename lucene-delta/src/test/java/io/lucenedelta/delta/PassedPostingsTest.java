// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader.FilterPostingsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowImpactsEnum;
import org.junit.jupiter.api.Test;

/** Postings kept while a consumer passes them, and what shows that some were not. */
class PassedPostingsTest {
  private final PassedPostings passed = new PassedPostings();
  private final PostingsByTerm target = new PostingsByTerm(FlushHeap.unlimited());
  private final int[] large = new int[3]; // a place for each document's large frequency

  PassedPostingsTest() {
    begin(1000, true);
  }

  private void begin(int documents, boolean frequencies) {
    passed.begin(documents);
    target.begin(documents);
    passed.beginField(target, frequencies);
  }

  /** Term and code of the postings that are kept, by document: one each. */
  private int[] kept(int documents) {
    int[] places = new int[documents];
    int[] largePlaces = new int[documents];
    int[] grouped = new int[target.size()];
    target.begins(places, largePlaces);
    target.spread(places, grouped);
    target.spreadLarge(largePlaces, large);
    return grouped;
  }

  @Test
  void postingsAreDocumentsWithTheFrequencyThatTheConsumersIteratorIsAt() throws IOException {
    begin(5, true);
    pass(5, 5);
    passed.keep(7);
    assertThat(kept(5))
        .containsExactly(coded(7, 1), coded(7, 2), coded(7, 3), coded(7, 4), coded(7, 5));
    assertThat(large).startsWith(4, 5);
  }

  @Test
  void whatIsPassedOfATermThatIsNotKeptIsDropped() throws IOException {
    begin(3, true);
    pass(3, 3);
    pass(2, 2);
    passed.keep(9);
    pass(3, 3);
    passed.forget();
    assertThat(kept(3)).containsExactly(coded(9, 1), coded(9, 2));
  }

  @Test
  void passingOnceMoreChangesNothingThatIsKept() throws IOException {
    begin(2, true);
    pass(2, 2);
    passed.keep(1);
    passed.repeat();
    pass(2, 2);
    passed.repeat();
    pass(1, 1);
    passed.keep(2);
    passed.forget();
    assertThat(kept(2)).containsExactly(coded(1, 1), coded(2, 1), coded(1, 2));
  }

  @Test
  void withoutFrequenciesEachIsOneAndNoIteratorIsAsked() throws IOException {
    begin(8, false);
    passed.iterate(new Counting(0));
    passed.pass(7);
    passed.keep(3);
    assertThat(target.document(0)).isEqualTo(7);
    assertThat(kept(8)).containsExactly(coded(3, 1));
  }

  @Test
  void theFirstOfEveryLengthInBitsAndEvery256thAreDue() throws IOException {
    int[] checks = new int[1001];
    for (int length = 1; length <= 1000; length++) {
      checks[length] = taken(length);
    }
    for (int length = 1; length <= 1000; length++) {
      boolean first = Integer.bitCount(length) == 1;
      boolean after = length == 512 + 256;
      assertThat(checks[length]).as("length %d", length).isEqualTo(first || after ? 1 : 0);
    }
    begin(1000, true);
    assertThat(taken(1)).as("of the next segment").isEqualTo(1);
  }

  @Test
  void aFormatThatAsksOfNoneIsRead() throws IOException {
    pass(5, 0);
    assertThat(passed.isDue()).isFalse();
    assertThat(passed.isUsable()).isFalse();
  }

  @Test
  void aFormatThatAsksOfSomeFromTheFirstTermOnIsNotTrustedWithTheSegment() throws IOException {
    for (int seen : new int[] {1, 4}) {
      begin(1000, true);
      pass(5, seen);
      passed.check(new Counting(5));
      assertThat(passed.isUsable()).isFalse();
      pass(5, 5);
      assertThat(passed.isUsable()).as("the next term").isFalse();
      assertThat(passed.isDue()).as("once is enough").isFalse();
    }
  }

  @Test
  void anotherFrequencyIsADifference() throws IOException {
    passed.iterate(new Counting(2));
    passed.pass(0);
    passed.check(new Counting(1));
    assertThat(passed.isUsable()).isFalse();
  }

  @Test
  void aFormatThatLeavesSomeOutAfterOthersWereUsedUnseenFailsTheSegment() throws IOException {
    assertThat(taken(2)).isEqualTo(1);
    assertThat(taken(3)).as("as many bits: unseen").isZero();
    pass(9, 4);
    assertThatThrownBy(() -> passed.check(new Counting(9)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the postings format asks for the norms of some documents only: of 9, 4 were seen");
    assertThat(passed.isUsable()).isFalse();
  }

  @Test
  void aFormatThatLeavesSomeOutAfterOthersThatWereSeenIsReadFromThereOn() throws IOException {
    assertThat(taken(2)).isEqualTo(1);
    pass(9, 4);
    passed.check(new Counting(9));
    assertThat(passed.isUsable()).isFalse();
  }

  @Test
  void moreThanTheSegmentHasAndAnIteratorThatFailsCountAsNone() {
    passed.iterate(new Counting(0));
    passed.pass(0);
    assertThat(target.pending()).as("of an iterator that throws").isZero();
    begin(10, false);
    passed.iterate(new Counting(0));
    for (int i = 0; i < 11; i++) {
      assertThat(passed.isUsable()).as("%d of 10", i).isEqualTo(i > 0);
      passed.pass(i);
    }
    assertThat(passed.isUsable()).as("11 in a segment of 10").isFalse();
  }

  @Test
  void nothingIsPassedBeforeTheConsumerAsksForTheTermsPostings() {
    passed.pass(1);
    assertThat(target.pending()).isZero();
  }

  private static int coded(int term, int frequency) {
    return VectorBuffer.coded(term, frequency);
  }

  /** Passes the first postings of a term with {@code length} of them. */
  private void pass(int length, int seen) throws IOException {
    passed.forget();
    PostingsEnum postings = new Counting(length);
    passed.iterate(postings);
    for (int doc = postings.nextDoc(); doc < seen; doc = postings.nextDoc()) {
      passed.pass(doc);
    }
  }

  /** Passes a term and uses it; how often it was compared. */
  private int taken(int length) throws IOException {
    pass(length, length);
    boolean due = passed.isDue();
    if (due) {
      passed.check(new Counting(length));
    }
    assertThat(passed.isUsable()).isTrue();
    passed.keep(length);
    return due ? 1 : 0;
  }

  /** Document n n + 1 times. */
  private static final class Counting extends FilterPostingsEnum {
    private final int length;
    private int doc = -1;

    Counting(int length) {
      super(new SlowImpactsEnum(null));
      this.length = length;
    }

    @Override
    public int nextDoc() {
      doc = doc + 1 < length ? doc + 1 : NO_MORE_DOCS;
      return doc;
    }

    @Override
    public int freq() {
      if (doc < 0) {
        throw new IllegalStateException("not begun");
      }
      return doc + 1;
    }
  }
}
