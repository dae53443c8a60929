// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.queue.RefreshQueue;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random reports, questions, commits, restarts and kills, by a clock that is set back at times,
 * against {@link SlowQueue}. Another run, or a longer one: {@code -Dqueue.seed=…
 * -Dqueue.operations=…}.
 */
class RandomQueueTest {
  private static final int OPERATIONS = Integer.getInteger("queue.operations", 800);
  private static final int PAGES = 60;
  private static final int GONE = 1_100;

  private final long seed = Long.getLong("queue.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<String> troubles = new ArrayList<>();
  private final Duration lease = Duration.ofHours(1 + random.nextInt(1 + random.nextInt(2_000)));
  private final SlowQueue slow = new SlowQueue(lease, seed);
  private final Map<String, Instant> batch = new TreeMap<>(); // Instant.MIN: deleted
  private final Map<String, Instant> fetched = new HashMap<>(); // last, committed or not
  private final Map<String, Instant> visits = new TreeMap<>();
  private volatile Instant now = Instant.parse("2024-01-01T00:00:00Z");
  private int lives;
  private int step;
  private DeltaIndexWriter writer;
  private FetchQueue queue;
  @TempDir Path folder;

  @AfterEach
  void close() throws IOException {
    if (writer != null) {
      writer.close();
    }
  }

  @Test
  void whatIsHandedOutAndRememberedIsWhatASlowModelSays() throws IOException {
    open();
    for (int address = 0; address < GONE; address++) { // so that there is a base, and additions
      queue.discovered("gone" + address);
      slow.discover("gone" + address, now);
      queue.gone("gone" + address);
      slow.gone("gone" + address, now);
    }
    queue.save();
    slow.save();
    int handedOut = 0;
    for (step = 0; step < OPERATIONS; step++) {
      now = now.plusMillis(1 + random.nextInt(20_000)); // no two reports at once
      int choice = random.nextInt(1_000);
      if (choice < 250) {
        handedOut += take();
      } else if (choice < 610) {
        report("p" + random.nextInt(PAGES));
      } else if (choice < 850) {
        change("p" + random.nextInt(PAGES));
      } else if (choice < 865) {
        List<String> addresses = List.copyOf(slow.discovered());
        comeAndLeave(addresses.get(random.nextInt(addresses.size())));
      } else if (choice < 930) {
        commit();
      } else if (choice < 940) {
        writer.close();
        commitModel();
        slow.save();
        if (random.nextBoolean()) {
          tellWithoutWriter("p" + random.nextInt(PAGES));
        }
        slow.restart();
        open();
      } else if (choice < 945) {
        writer.rollback();
        forgetBatch();
        slow.save();
        slow.restart();
        open();
      } else if (choice < 950) {
        kill();
      } else if (choice < 960) {
        queue.save();
        slow.save();
      } else if (choice < 975) {
        commit(); // or what was fetched would be of a time still to come, and not believed
        forgetEnded();
        now = now.minusSeconds(random.nextInt(1 + random.nextInt(9 * 86_400)));
      } else {
        now = now.plusSeconds(random.nextInt(1 + random.nextInt(9 * 86_400)));
      }
      assertThat(Set.copyOf(queue.held())).as(place()).isEqualTo(slow.held(now));
      assertThat(queue.heldCount()).as(place()).isEqualTo(slow.held(now).size());
    }
    assertThat(troubles).as(place()).allMatch(told -> told.contains("the clock was ahead then"));
    assertThat(handedOut).as(place()).isGreaterThan(OPERATIONS / 20); // or it says little
  }

  /**
   * Whether holds are remembered that fetches ended which are not believed soon is not promised.
   */
  private void forgetEnded() throws IOException {
    for (int page = 0; page < PAGES; page++) {
      if (slow.holdEnded("p" + page, now)) {
        queue.returned("p" + page);
        slow.returned("p" + page);
      }
    }
    queue.save(); // or a kill would bring back those that were written down
    slow.save();
  }

  private void tellWithoutWriter(String page) throws IOException {
    try (DeltaState state = DeltaState.open(life().resolve("index"))) {
      Discoveries discoveries = state.discoveries(new WhitespaceAnalyzer());
      discoveries.add(page, null, now);
      discoveries.save();
    }
    slow.discover(page, now);
    slow.save();
  }

  private String place() {
    return "seed %d, step %d, life %d, lease %s, now %s".formatted(seed, step, lives, lease, now);
  }

  private int take() throws IOException {
    int count = random.nextInt(8) == 0 ? 3 * PAGES : random.nextInt(1 + random.nextInt(30));
    int choice = random.nextInt(4);
    Predicate<String> wanted = choice == 0 ? page -> page.hashCode() % 3 == 0 : page -> true;
    slow.catchUp(now);
    Set<String> free = slow.free(now);
    free.removeIf(wanted.negate());
    List<String> waiting = slow.longestWaiting(count, now, wanted);
    boolean looks = random.nextBoolean();
    List<PagePriority> next = looks ? queue.nextFree(count) : List.of();
    List<String> taken = choice < 2 ? queue.take(count, new AskedOnce(wanted)) : queue.take(count);
    assertThat(taken)
        .as("%s, of %d", place(), count)
        .doesNotHaveDuplicates()
        .hasSize(Math.min(count, free.size()))
        .isSubsetOf(free)
        .containsAll(waiting);
    if (looks && choice >= 2) {
      assertThat(next).extracting(PagePriority::page).as(place()).isEqualTo(taken);
    }
    slow.lease(taken, now);
    slow.save();
    assertThat(queue.discoveredCount()).as(place()).isEqualTo(slow.discovered().size());
    assertThat(new TreeMap<>(queue.copyOfTold().byPage())).as(place()).isEqualTo(slow.told());
    return taken.size();
  }

  /** Of no page twice. */
  private record AskedOnce(Predicate<String> wanted, Set<String> asked)
      implements Predicate<String> {
    AskedOnce(Predicate<String> wanted) {
      this(wanted, new HashSet<>());
    }

    @Override
    public boolean test(String page) {
      assertThat(asked.add(page)).as(page).isTrue();
      return wanted.test(page);
    }
  }

  private void report(String page) {
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        if (!slow.holdEnded(page, now)) { // that may be forgotten by now, and its failures with it
          if (random.nextInt(3) == 0) {
            Instant time = now.plusSeconds(random.nextInt(9 * 86_400) - 86_400);
            queue.retryAfter(page, time);
            slow.retryAfter(page, now, time);
          } else {
            queue.failed(page);
            slow.failed(page, now);
          }
        }
      }
      case 2 -> {
        queue.gone(page);
        slow.gone(page, now);
      }
      case 3 -> {
        queue.returned(page);
        slow.returned(page);
      }
      case 4 -> {
        queue.forget(page);
        slow.forget(page);
      }
      case 5, 6 -> {
        queue.discovered(page, random.nextBoolean() ? "alpha" : null);
        slow.discover(page, now);
      }
      default -> {
        Instant at = now.plusSeconds(random.nextInt(86_400) - 70_000);
        queue.modified(page, at);
        slow.modified(page, at, now);
      }
    }
  }

  private void change(String page) throws IOException {
    Instant last = slow.index.get(page);
    if (!fetched.getOrDefault(page, Instant.MIN).isBefore(now)) {
      return; // by a clock that was ahead
    }
    int choice = random.nextInt(10);
    if (choice == 0 && !slow.holdEnded(page, now) && !batch.containsKey(page)) {
      writer.deleteDocuments(new Term("url", page));
      batch.put(page, Instant.MIN);
    } else if (choice < 4 && last != null && !batch.containsKey(page)) {
      writer.recordUnchanged(page, now);
      visits.put(page, now);
      fetched.put(page, now);
    } else {
      put(page);
    }
  }

  private void put(String page) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new StringField("fetched", now.toString(), Field.Store.NO));
    String text = "alpha ".repeat(random.nextInt(4)) + "beta ".repeat(random.nextInt(3));
    document.add(new TextField("body", text + page, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
    batch.put(page, now);
    fetched.put(page, now);
  }

  /** A page is in the index for one commit, and nobody asks meanwhile. */
  private void comeAndLeave(String page) throws IOException {
    boolean isNew = !slow.index.containsKey(page) && !batch.containsKey(page);
    if (isNew && fetched.getOrDefault(page, Instant.MIN).isBefore(now)) {
      put(page);
      commit();
      writer.deleteDocuments(new Term("url", page));
      batch.put(page, Instant.MIN);
      commit();
    }
  }

  private void commit() throws IOException {
    writer.commit();
    commitModel();
  }

  private void commitModel() {
    if (batch.isEmpty() && visits.isEmpty()) {
      slow.committedNothing();
    } else {
      slow.committed();
    }
    batch.forEach(
        (page, fetched) -> {
          if (fetched.equals(Instant.MIN)) {
            slow.delete(page);
          } else {
            slow.put(page, millis(fetched));
          }
        });
    visits.keySet().removeAll(batch.keySet());
    visits.forEach((page, fetched) -> slow.put(page, millis(fetched)));
    forgetBatch();
  }

  private static Instant millis(Instant time) {
    return Instant.ofEpochMilli(time.toEpochMilli());
  }

  private void forgetBatch() {
    batch.clear();
    visits.clear();
  }

  /** The process ends now: what lies on the disk is all there is. */
  private void kill() throws IOException {
    FolderCopy.make(life(), folder.resolve("life" + (lives + 1)));
    writer.rollback();
    lives++;
    forgetBatch();
    slow.restart();
    open();
  }

  private Path life() {
    return folder.resolve("life" + lives);
  }

  private void open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder().add(List.of("alpha"), 3).add(List.of("beta"), 1).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .clock(() -> now)
            .hashSeed(seed)
            .listener(new Troubles(troubles))
            .build();
    writer =
        new DeltaIndexWriter(
            FSDirectory.open(life().resolve("index")),
            new IndexWriterConfig(new WhitespaceAnalyzer()),
            config);
    queue = writer.fetchQueue(lease);
    try (Directory files = FSDirectory.open(life().resolve("index.delta"))) {
      slow.begin(
          QueueFile.read(files, null, 0).holds.stream()
              .map(RefreshQueue.Hold::since)
              .max(Comparator.naturalOrder())
              .orElse(Instant.MAX));
    }
  }
}
