// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writers that index nothing, to see who is given what and when. */
class TurnsTest {
  private static final int PAGES = 1630;
  private static final int NEVER = Integer.MAX_VALUE; // but at the end

  @TempDir Path demo;
  private UpdateBatch batch;

  /** Who was given a page, in order; several threads write. */
  private final List<Character> given = Collections.synchronizedList(new ArrayList<>());

  private PageVersionPool pool;

  @BeforeEach
  void makeBatch() throws IOException {
    new DemoCrawl(50, 6, 10, 10, 1).write(demo);
    pool = PageVersionPool.read(SnapshotArchive.open(DemoCrawl.snapshots(demo)), 1_000_000);
    batch = UpdateBatch.of(pool, 0.001, PAGES, 0.65);
  }

  private static Arm arm(Arm.Update update, LongAdder cost) throws IOException {
    FlushClock flushes = new FlushClock(Codec.getDefault());
    IndexWriter writer =
        new IndexWriter(
            new ByteBuffersDirectory(),
            new IndexWriterConfig(new StandardAnalyzer()).setCodec(flushes));
    return new Arm(writer, flushes, update, () -> Map.of("step", cost.sum()), () -> {});
  }

  @Test
  void everyWriterGetsEveryPageOnceARoundInShortTurnsAndCommitsInTheLast() throws IOException {
    List<List<String>> keys = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    List<Arm> arms = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<String> mine = Collections.synchronizedList(keys.get(i));
      char name = "abc".charAt(i);
      LongAdder cost = new LongAdder();
      int perPage = i + 1;
      arms.add(
          arm(
              (writer, page) -> {
                mine.add(page.key());
                given.add(name);
                cost.add(perPage);
              },
              cost));
    }
    LongAdder told = new LongAdder();
    try (Arm a = arms.get(0);
        Arm b = arms.get(1);
        Arm c = arms.get(2);
        Turns turns = new Turns(List.of(a, b, c), 2, NEVER, told::increment)) {
      List<Lap> laps = turns.index(batch, 0);
      assertThat(laps)
          .extracting(lap -> lap.nanosByStep().get("step"))
          .as("what each took, in the order of the writers")
          .containsExactly((long) PAGES, 2L * PAGES, 3L * PAGES);
      assertThat(turns.index(batch, 1).get(2).nanosByStep())
          .as("of this round alone")
          .containsEntry("step", 3L * PAGES);
      assertThat(told.sum()).isEqualTo(2L * Turns.in(batch, NEVER)).isEqualTo(2 * 7);
      assertThat(laps)
          .as("the commit is a part of it")
          .allMatch(lap -> lap.commitSeconds() > 0 && lap.commitSeconds() < lap.wallSeconds())
          .allMatch(lap -> lap.commits() == 1);
      assertThat(a.indexBytes()).as("the commit wrote a file").isPositive();
    }
    for (List<String> mine : keys) {
      assertThat(mine).hasSize(2 * PAGES);
      assertThat(new HashSet<>(mine.subList(0, PAGES))).hasSize(PAGES);
    }
    Set<Character> first = new HashSet<>();
    for (int turn = 0; turn < 6; turn++) {
      first.add(given.get(3 * 250 * turn));
    }
    assertThat(first).as("who begins").containsExactlyInAnyOrder('a', 'b', 'c');
    assertThat(followers())
        .as("who comes after whom when the turn changes hands")
        .containsEntry('a', Set.of('b', 'c'))
        .containsEntry('b', Set.of('a', 'c'))
        .containsEntry('c', Set.of('a', 'b'));
  }

  /** In which writers commit if they do so at the end of a batch only. */
  @Test
  void theLastTurnOfARoundComesInAllOrdersHoweverManyTurnsARoundHas() throws IOException {
    for (int turns = 1; turns <= 7; turns++) {
      UpdateBatch pages = UpdateBatch.of(pool, 0.001, 250 * turns, 0.65);
      Set<String> orders = new HashSet<>();
      try (Arm a = arm((writer, page) -> given.add('a'), new LongAdder());
          Arm b = arm((writer, page) -> given.add('b'), new LongAdder());
          Arm c = arm((writer, page) -> given.add('c'), new LongAdder());
          Turns three = new Turns(List.of(a, b, c), 1, NEVER, () -> {})) {
        for (int round = 0; round < 6; round++) {
          given.clear();
          three.index(pages, round);
          orders.add(
              IntStream.of(750, 500, 250)
                  .mapToObj(left -> String.valueOf(given.get(given.size() - left)))
                  .collect(Collectors.joining()));
        }
      }
      assertThat(orders)
          .as("%d turns", turns)
          .containsExactlyInAnyOrder("abc", "acb", "bac", "bca", "cab", "cba");
    }
  }

  @Test
  void aWriterCommitsWhenItIsDueHoweverLongTurnsAreAndAtTheEnd() throws IOException {
    for (int every : new int[] {100, 250, 600, 1000, PAGES, PAGES + 1}) {
      given.clear();
      List<Integer> turnsEnd = new ArrayList<>();
      try (Arm arm = arm((writer, page) -> given.add('a'), new LongAdder());
          Turns turns = new Turns(List.of(arm), 1, every, () -> turnsEnd.add(given.size()))) {
        Lap lap = turns.index(batch, 0).get(0);
        assertThat(given).as("pages").hasSize(PAGES);
        assertThat(lap.commits()).as("every %d", every).isEqualTo(Math.ceilDiv(PAGES, every));
        assertThat(turnsEnd).as("turns, every %d", every).hasSize(Turns.in(batch, every));
        for (int due = every; due < PAGES; due += every) {
          assertThat(turnsEnd).as("every %d", every).contains(due);
        }
      }
    }
  }

  private Map<Character, Set<Character>> followers() {
    Map<Character, Set<Character>> followers = new HashMap<>();
    for (int i = 1; i < given.size(); i++) {
      if (!given.get(i).equals(given.get(i - 1))) {
        followers.computeIfAbsent(given.get(i - 1), name -> new HashSet<>()).add(given.get(i));
      }
    }
    return followers;
  }

  @Test
  void aPageThatCannotBeIndexedEndsTheMeasurementAndIsNamed() throws IOException {
    CrawledPage bad = batch.page(700, 0);
    try (Arm arm =
            arm(
                (writer, page) -> {
                  if (page.key().equals(bad.key())) {
                    throw new IOException("no room for " + page.key());
                  }
                },
                new LongAdder());
        Turns turns = new Turns(List.of(arm), 1, NEVER, () -> {})) {
      assertThatThrownBy(() -> turns.index(batch, 0))
          .isInstanceOf(IllegalStateException.class) // by which the cause is told, too
          .hasMessage("indexing failed")
          .cause()
          .isInstanceOf(IOException.class)
          .hasMessage("no room for " + bad.key());
    }
  }
}
