// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.scorer.refresh.NeverRefresh;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches of pages that a crawler wants. */
class WantedBatchesTest {
  private static final Duration LEASE = Duration.ofHours(6);
  private static final int OF_BIG = 1_500;
  private static final int OTHERS = 40;

  private volatile Instant now = Instant.parse("2024-01-01T00:00:00Z");
  private DeltaIndexWriter writer;
  private FetchQueue queue;
  @TempDir Path folder;

  /** One site has more pages than a short list, all of them more urgent than those of others. */
  @BeforeEach
  void open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 3).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .build();
    writer =
        new DeltaIndexWriter(
            FSDirectory.open(folder.resolve("index")),
            new IndexWriterConfig(new WhitespaceAnalyzer()),
            config);
    queue = writer.fetchQueue(LEASE);
    for (int times = 1; times <= 3; times++) {
      for (int page = 0; page < OF_BIG; page++) {
        put("https://big.test/" + page, "alpha ".repeat((page + times) % 4 + 1) + times);
      }
      for (int page = 0; page < OTHERS; page++) {
        String url = "https://other" + page % 20 + ".test/" + page;
        if (times == 1) {
          put(url, "beta");
        } else {
          writer.recordUnchanged(url, now);
        }
      }
      writer.commit();
      now = now.plus(Duration.ofDays(3));
    }
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
  }

  private void put(String url, String text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.NO));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", url), document);
  }

  private static String host(String url) {
    return url.substring("https://".length(), url.indexOf('/', "https://".length()));
  }

  @Test
  void aSiteOfUrgentPagesKeepsNobodyElseWaiting() throws IOException {
    assertThat(queue.take(100)).allMatch(page -> host(page).equals("big.test"));
    for (int batch = 0; batch < 3; batch++) {
      Map<String, Integer> ofHost = new HashMap<>();
      List<String> taken = queue.take(10, url -> ofHost.merge(host(url), 1, Integer::sum) <= 1);
      assertThat(taken).hasSize(10);
      assertThat(taken).extracting(WantedBatchesTest::host).doesNotHaveDuplicates();
      assertThat(taken.get(0)).startsWith("https://big.test/");
    }
    assertThat(queue.heldCount()).as("nobody holds what was passed over").isEqualTo(130);
  }

  @Test
  void pagesAreAskedAboutInTheOrderOfTheQueueUntilTheBatchIsFull() throws IOException {
    List<String> order = writer.nextPages(800).stream().map(PagePriority::page).toList();
    List<String> asked = new ArrayList<>();
    List<String> taken =
        queue.take(
            7,
            url -> {
              asked.add(url);
              return asked.size() % 100 == 0;
            });
    assertThat(asked).isEqualTo(order.subList(0, 700));
    assertThat(taken).hasSize(7).allMatch(page -> asked.indexOf(page) % 100 == 99);
    assertThat(taken).isEqualTo(order.stream().filter(taken::contains).toList());
  }

  @Test
  void wantingAllIsTheSameAsNotBeingAsked() throws IOException {
    List<String> taken = queue.take(50, url -> true);
    taken.forEach(queue::returned);
    assertThat(queue.take(50)).isEqualTo(taken);
    assertThat(queue.take(0, url -> true)).isEmpty();
  }

  @Test
  void whoWantsNothingIsAskedAboutAllAndGetsNothing() throws IOException {
    List<String> asked = new ArrayList<>();
    assertThat(queue.take(10, url -> !asked.add(url))).isEmpty();
    assertThat(asked).hasSize(OF_BIG + OTHERS).doesNotHaveDuplicates();
    assertThat(queue.heldCount()).isZero();
    assertThat(queue.take(9_999)).hasSize(OF_BIG + OTHERS);
  }

  @Test
  void whatHasWaitedLongestHasItsPlaceIfItIsWanted() throws IOException {
    for (int page = 0; page < 200; page++) {
      queue.discovered("https://dead.test/" + page);
      queue.discovered("https://new.test/" + page);
      now = now.plusSeconds(1);
    }
    List<String> taken = queue.take(100, url -> url.matches("https://(big|new).*"));
    assertThat(taken).hasSize(100).contains("https://new.test/0", "https://new.test/4");
    assertThat(taken).noneMatch(url -> url.contains("dead"));
  }

  @Test
  void whatIsThrownWhenAskedGoesToWhoTakesAndNothingIsHeld() throws IOException {
    queue.take(3);
    assertThatThrownBy(
            () ->
                queue.take(
                    10,
                    url -> {
                      throw new UnsupportedOperationException("no host in " + url);
                    }))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith("no host in");
    assertThat(queue.heldCount()).isEqualTo(3);
    assertThat(queue.take(9_999)).hasSize(OF_BIG + OTHERS - 3);
    assertThatThrownBy(() -> queue.take(1, (Predicate<String>) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("a predicate wants");
    assertThatThrownBy(() -> queue.take(-1, url -> true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whoIsAskedCannotAskOrTellTheQueue() throws IOException {
    List<ThrowingCallable> calls =
        List.of(
            () -> queue.take(1),
            () -> queue.take(1, other -> true),
            () -> queue.nextFree(1),
            () -> queue.failed("https://big.test/1"),
            () -> queue.discovered("https://big.test/new", "alpha"),
            queue::discoveredCount,
            queue::heldCount,
            queue::held,
            queue::save,
            () -> writer.nextPages(3),
            () -> writer.nextPages(new NeverRefresh(), 3, Instant.EPOCH));
    for (ThrowingCallable call : calls) {
      List<String> taken =
          queue.take(
              1,
              url -> {
                assertThatThrownBy(call)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("being picked");
                return true;
              });
      assertThat(taken).hasSize(1);
    }
    queue.failed("https://big.test/1");
    assertThat(queue.heldCount()).isBetween(calls.size(), calls.size() + 1);
  }

  @Test
  void whoReadsHistoriesCannotHaveThemReplaced() throws IOException {
    Runnable rebuilding =
        () ->
            assertThatThrownBy(() -> writer.rebuild())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("or read");
    List<String> taken =
        queue.take(
            2,
            url -> {
              rebuilding.run();
              return true;
            });
    assertThat(taken).hasSize(2);
    List<String> read = new ArrayList<>();
    writer.withHistories(
        pages -> {
          rebuilding.run();
          pages.forEach(page -> read.add(page.page()));
        });
    assertThat(read).hasSize(OF_BIG + OTHERS);
    RefreshPolicy policy =
        (pages, budget) -> {
          rebuilding.run();
          return new UserUtility(1).plan(pages, budget);
        };
    assertThat(writer.nextPages(policy, 3, now)).hasSize(3);
    writer.rebuild();
  }
}
