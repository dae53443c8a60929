// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is written into a page vector is read from it, whatever it is. */
class VectorBufferTest {
  private record Posting(int field, long norm, int term, int frequency) {}

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void everyVectorIsReadAsItWasWritten() {
    VectorBuffer written = new VectorBuffer();
    VectorBuffer stored = new VectorBuffer();
    for (int round = 0; round < 3000; round++) {
      List<Posting> page = page();
      write(page, written);
      assertThat(read(written)).as("seed %d, round %d", seed, round).isEqualTo(page);
      stored.copyFrom(written.bytes(), 0, written.length());
      assertThat(read(stored)).as("a copy, seed %d, round %d", seed, round).isEqualTo(page);
      assertThat(stored.sameAs(written)).as("seed %d, round %d", seed, round).isTrue();
      assertThat(stored.hash()).as("seed %d, round %d", seed, round).isEqualTo(written.hash());
    }
  }

  /** A term takes more than six bytes then; it hardly ever takes two. */
  @Test
  void aPageWhereEveryWordIsAsFrequentAsCanBeIsReadAsItWasWritten() {
    List<Posting> page = new ArrayList<>();
    for (int term = 0; term < 5_000; term++) {
      page.add(new Posting(0, 3, term, Integer.MAX_VALUE));
    }
    VectorBuffer vector = new VectorBuffer();
    write(page, vector);
    assertThat(read(vector)).isEqualTo(page);
  }

  @Test
  void vectorsThatDifferInOneNumberAreNotTheSame() {
    VectorBuffer one = new VectorBuffer();
    VectorBuffer other = new VectorBuffer();
    for (int round = 0; round < 1000; round++) {
      List<Posting> page = page();
      write(page, one);
      int changed = random.nextInt(page.size());
      Posting posting = page.get(changed);
      page.set(
          changed,
          new Posting(posting.field(), posting.norm(), posting.term(), posting.frequency() + 1));
      write(page, other);
      assertThat(one.sameAs(other)).as("seed %d, round %d", seed, round).isFalse();
    }
  }

  /** Entries of the page store have no checksums. */
  @Test
  void termsBeyondTheVectorAreNoReasonToAskForMemory() {
    VectorBuffer damaged = new VectorBuffer();
    damaged.copyFrom(new byte[] {1, 0, -9, -1, -1, -1, 7, 0, 0, 0}, 0, 10); // 2^31 − 9 terms
    assertThatThrownBy(damaged::nextField).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** One to three fields, dense or sparse terms, now and then high frequencies and odd norms. */
  private List<Posting> page() {
    List<Posting> page = new ArrayList<>();
    int fields = 1 + random.nextInt(3);
    for (int field = 0; field < fields; field++) {
      long norm = random.nextInt(5) == 0 ? random.nextLong() : random.nextInt(256) - 128;
      int widest = 1 << random.nextInt(20);
      int term = random.nextInt(widest);
      for (int i = random.nextInt(300); i >= 0; i--) {
        int frequency =
            1 + (random.nextInt(9) == 0 ? random.nextInt(1_000_000) : random.nextInt(6));
        page.add(new Posting(field, norm, term, frequency));
        term += 1 + random.nextInt(widest);
      }
    }
    return page;
  }

  private static void write(List<Posting> page, VectorBuffer vector) {
    vector.clear();
    for (int i = 0; i < page.size(); i++) {
      Posting posting = page.get(i);
      if (i == 0 || page.get(i - 1).field() != posting.field()) {
        long terms = page.stream().filter(other -> other.field() == posting.field()).count();
        vector.addField(posting.field(), posting.norm(), (int) terms);
      }
      vector.addTerm(posting.term(), posting.frequency());
    }
  }

  private static List<Posting> read(VectorBuffer vector) {
    List<Posting> page = new ArrayList<>();
    vector.rewind();
    while (vector.next()) {
      page.add(new Posting(vector.field(), vector.norm(), vector.term(), vector.frequency()));
    }
    return page;
  }
}
