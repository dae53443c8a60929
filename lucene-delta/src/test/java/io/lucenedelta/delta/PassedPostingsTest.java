// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.FilterLeafReader.FilterPostingsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowImpactsEnum;
import org.junit.jupiter.api.Test;

/** Postings kept while a consumer passes them, and what shows that some were not. */
class PassedPostingsTest {
  private final PassedPostings passed = new PassedPostings(FlushHeap.unlimited());

  PassedPostingsTest() {
    passed.begin(1000);
    passed.beginField(true);
  }

  @Test
  void postingsAreDocumentsWithTheFrequencyThatTheConsumersIteratorIsAt() throws IOException {
    pass(3, 3);
    assertThat(passed.size()).isEqualTo(3);
    assertThat(Arrays.copyOf(passed.use(), 3)).containsExactly(1, 1L << 32 | 2, 2L << 32 | 3);
  }

  @Test
  void withoutFrequenciesEachIsOneAndNoIteratorIsAsked() throws IOException {
    passed.beginField(false);
    passed.iterate(new Counting(0));
    passed.pass(7);
    assertThat(passed.use()[0]).isEqualTo(7L << 32 | 1);
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
    passed.begin(1000);
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
      passed.begin(1000);
      pass(5, seen);
      passed.check(new Counting(5));
      assertThat(passed.isUsable()).isFalse();
      pass(5, 5);
      assertThat(passed.isUsable()).as("the next term").isFalse();
      assertThat(passed.isDue()).as("once is enough").isFalse();
    }
  }

  @Test
  void aFormatThatAsksOfMoreThanThereAreIsNotTrustedEither() throws IOException {
    pass(5, 5);
    passed.check(new Counting(4));
    assertThat(passed.isUsable()).isFalse();
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
    assertThat(passed.size()).as("of an iterator that throws").isZero();
    PassedPostings few = new PassedPostings(FlushHeap.unlimited());
    few.begin(10);
    few.beginField(false);
    few.iterate(new Counting(0));
    for (int i = 0; i < 1000; i++) {
      few.pass(i);
    }
    assertThat(few.size()).as("of 1,000 in a segment of 10").isZero();
  }

  /** A format may gather a term's documents first, and ask for their norms when it has them. */
  @Test
  void aFormatThatAsksWhenItsIteratorHasGoneOnIsRead() throws IOException {
    for (int length : new int[] {1, 2, 300}) {
      passed.forget();
      PostingsEnum postings = new Counting(length);
      passed.iterate(postings);
      while (postings.nextDoc() != PostingsEnum.NO_MORE_DOCS) {} // gathers
      for (int doc = 0; doc < length; doc++) {
        passed.pass(doc);
      }
      assertThat(passed.isUsable()).as("%d documents", length).isFalse();
      assertThat(passed.isDue()).isFalse();
    }
    pass(3, 3);
    assertThat(passed.isUsable()).as("another term").isTrue();
  }

  @Test
  void whatWasPassedIsPassedOnceMoreThoughTheIteratorHasGoneOn() throws IOException {
    pass(3, 4);
    passed.repeat();
    assertThat(passed.size()).isEqualTo(3);
  }

  @Test
  void nothingIsPassedBeforeTheConsumerAsksForTheTermsPostings() {
    passed.pass(1);
    assertThat(passed.size()).isZero();
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
    passed.use();
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
    public int docID() {
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
