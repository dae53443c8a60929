// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.CandidateCopies.Copy;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CandidateCopiesTest {
  private static final Set<String> COMMITTED = Set.of("_1", "_4", "_z0");

  private static final List<String> SEGMENTS =
      List.of("_0", "_1", "_2", "_3", "_4", "_9", "_10", "_yz", "_z0", "_z1");

  private static Copy copy(String segment, int document, long fetched, long hash) {
    return new Copy(segment, document, fetched, hash);
  }

  private static Copy live(List<Copy> copies, CandidateCopies page) {
    return page.live() == CandidateCopies.NONE ? null : copies.get(page.live());
  }

  /**
   * The copy in a document's place, else the last one it can be, by the rule alone; null if it can
   * be none. Names of as many characters are ordered as segments are.
   */
  private static Copy expected(
      List<Copy> copies,
      boolean comparable,
      String segment,
      int document,
      long fetched,
      long hash) {
    Copy last = null;
    Copy there = null;
    for (Copy copy : copies) {
      boolean earlier =
          copy.segment().length() < segment.length()
              || (copy.segment().length() == segment.length()
                  && copy.segment().compareTo(segment) < 0);
      if (COMMITTED.contains(copy.segment())) {
        there = copy.segment().equals(segment) && copy.document() == document ? copy : there;
      } else if (earlier
          && (!comparable || copy.vectorHash() == hash)
          && (fetched == FetchTimes.UNKNOWN || fetched == copy.fetched())) {
        last = copy;
      }
    }
    return there == null ? last : there;
  }

  @Test
  void aDocumentIsTheLastCopyItCanBeHoweverManyThereAre() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<Copy> copies = new ArrayList<>();
      for (int i = random.nextInt(30); i >= 0; i--) {
        copies.add(
            copy(
                SEGMENTS.get(random.nextInt(SEGMENTS.size())),
                100 * round + i, // a place has one document
                random.nextInt(3),
                random.nextInt(3)));
      }
      boolean comparable = random.nextBoolean();
      CandidateCopies page = new CandidateCopies(copies, COMMITTED, comparable);
      assertThat(page.live()).as("seed %d", seed).isEqualTo(CandidateCopies.NONE);
      for (int read = 0; read < 20; read++) {
        String segment = List.copyOf(COMMITTED).get(random.nextInt(COMMITTED.size()));
        int document = 100 * round + random.nextInt(30);
        long fetched = random.nextInt(3) == 0 ? FetchTimes.UNKNOWN : random.nextInt(3);
        long hash = random.nextInt(3);
        page.identify(segment, document, fetched, hash);
        assertThat(live(copies, page))
            .as("seed %d, round %d, read %d", seed, round, read)
            .isSameAs(expected(copies, comparable, segment, document, fetched, hash));
      }
    }
  }

  /** With and without other copies, of which many are found in another way. */
  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void aSegmentThatHasNoNumberMayBeMadeOfAnyThatHas(int others) {
    for (String segment : List.of("_zzzzzzzzzzzzz", "_Z", "imported")) {
      List<Copy> copies = new ArrayList<>();
      copies.add(copy("_zzzzzzzzzzzz", 0, 7, 7));
      copies.add(copy("_1", 0, 7, 7));
      for (int i = 0; i < others; i++) {
        copies.add(copy("_0", i, 5, 5));
      }
      CandidateCopies page = new CandidateCopies(copies, Set.of(segment, "_1"), true);
      page.identify(segment, 0, 7, 7);
      assertThat(page.live()).as(segment).isZero();
    }
  }

  @Test
  void thousandsOfCopiesAreNotComparedWithEachOfAsManyDocuments() {
    int many = 5_000;
    int[] looks = new int[1];
    List<Copy> copies =
        new AbstractList<>() {
          @Override
          public Copy get(int i) {
            looks[0]++;
            return copy(i % 2 == 0 ? "_1" : "_3", i, i, i);
          }

          @Override
          public int size() {
            return many;
          }
        };
    CandidateCopies page = new CandidateCopies(copies, COMMITTED, true);
    for (int document = 0; document < many; document++) {
      page.identify(document % 2 == 0 ? "_1" : "_4", document, document, document);
      assertThat(page.live()).isEqualTo(document);
    }
    assertThat(looks[0]).isLessThan(4 * many);
  }
}
