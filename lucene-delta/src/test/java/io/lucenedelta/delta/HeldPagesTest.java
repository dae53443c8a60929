// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages held back: until when, and the list of them. */
class HeldPagesTest {
  private static final Duration LEASE = Duration.ofHours(6);

  private volatile Instant now = Instant.parse("2024-01-01T00:00:00Z");
  private DeltaIndexWriter writer;
  private FetchQueue queue;
  @TempDir Path folder;

  @BeforeEach
  void begin() throws IOException {
    open();
    for (String page : List.of("a", "b", "c", "d")) {
      put(page);
    }
    writer.commit();
    now = now.plus(Duration.ofDays(1));
  }

  private void open() throws IOException {
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
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
  }

  private void reopen() throws IOException {
    writer.close();
    open();
  }

  private void put(String page) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", "alpha " + page + now, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  private void wait(Duration time) {
    now = now.plus(time);
  }

  @ParameterizedTest
  @ValueSource(longs = {120, 2 * 86_400, 100 * 86_400})
  void aPageThatIsToBeAskedLaterIsHandedOutThenAndNotBefore(long seconds) throws IOException {
    assertThat(queue.take(9)).hasSize(4);
    for (int failures = 0; failures < 3; failures++) {
      queue.failed("a"); // so that another plain one would be for longer than two minutes
    }
    for (String page : List.of("b", "c", "d")) {
      queue.gone(page);
    }
    Instant then = now.plusSeconds(seconds);
    queue.retryAfter("a", then);
    reopen();
    now = then.minusMillis(1);
    assertThat(queue.take(9)).isEmpty();
    now = then;
    assertThat(queue.take(9)).containsExactly("a");
  }

  @Test
  void aWaitThatTheSiteNamesMakesLaterOnesNoLonger() throws IOException {
    for (int times = 0; times < 5; times++) {
      queue.retryAfter("a", now.plusSeconds(9));
    }
    queue.failed("a");
    assertThat(queue.held()).extracting(HeldPage::until).containsExactly(now.plus(LEASE));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3_600, Integer.MAX_VALUE})
  void aSiteThatNamesATimeThatIsOverIsLeftAloneEverLonger(long secondsAgo) throws IOException {
    for (int failures = 0; failures < 4; failures++) {
      assertThat(queue.take(9)).contains("a");
      queue.retryAfter("a", now.minusSeconds(secondsAgo));
      Duration wait = LEASE.multipliedBy(1 << failures);
      assertThat(queue.held()).contains(failed("a", now.plus(wait)));
      assertThat(queue.take(9)).doesNotContain("a");
      wait(wait);
    }
  }

  @Test
  void aWaitOfAnyLengthIsWrittenAndReadAgainAndThePageIsNotGone() throws IOException {
    queue.retryAfter("a", Instant.MAX);
    queue.retryAfter("b", Instant.MIN);
    reopen();
    assertThat(queue.held())
        .containsExactlyInAnyOrder(
            failed("a", now.plus(Duration.ofDays(365_000))), failed("b", now.plus(LEASE)));
    assertThat(queue.take(9)).containsExactlyInAnyOrder("c", "d");
  }

  private HeldPage failed(String page, Instant until) {
    return new HeldPage(page, HeldPage.Kind.FAILED, now, until);
  }

  @Test
  void aFetchEndsAWaitThatTheSiteNamed() throws IOException {
    queue.retryAfter("a", now.plus(Duration.ofDays(99)));
    wait(Duration.ofHours(1));
    put("a");
    writer.commit();
    wait(Duration.ofHours(1));
    assertThat(queue.held()).isEmpty();
    assertThat(queue.take(9)).contains("a");
  }

  @Test
  void whoIsHeldIsListedWithTheReasonAndTheTimeAndAfterARestart() throws IOException {
    assertThat(queue.held()).isEmpty();
    Instant begin = now;
    assertThat(queue.take(9)).hasSize(4);
    queue.returned("d");
    wait(Duration.ofMinutes(1));
    Instant reported = now;
    queue.failed("b");
    queue.gone("c");
    queue.gone("elsewhere");
    HeldPage elsewhere = new HeldPage("elsewhere", HeldPage.Kind.GONE, reported, Instant.MAX);
    List<HeldPage> held =
        List.of(
            new HeldPage("a", HeldPage.Kind.LEASED, begin, begin.plus(LEASE)),
            new HeldPage("b", HeldPage.Kind.FAILED, reported, reported.plus(LEASE)),
            new HeldPage("c", HeldPage.Kind.GONE, reported, Instant.MAX),
            elsewhere);
    assertThat(queue.held()).containsExactlyInAnyOrderElementsOf(held);
    reopen();
    assertThat(queue.held()).containsExactlyInAnyOrderElementsOf(held);
    wait(Duration.ofMinutes(1));
    put("a");
    put("c");
    assertThat(queue.held()).as("not committed").hasSize(4);
    writer.commit();
    assertThat(queue.held()).extracting(HeldPage::page).containsOnly("b", "elsewhere");
    wait(LEASE);
    assertThat(queue.held()).containsExactly(elsewhere);
    assertThat(queue.heldCount()).isOne();
  }

  @Test
  void afterAClockThatWasAheadIsSetRightHoldsAreListedAsTheNextBatchKeepsThem() throws IOException {
    Instant right = now;
    wait(Duration.ofDays(365));
    assertThat(queue.take(9)).hasSize(4);
    queue.failed("b");
    queue.gone("c");
    wait(Duration.ofHours(1));
    put("d");
    writer.commit();
    now = right;
    List<HeldPage> held = queue.held();
    assertThat(held)
        .containsExactlyInAnyOrder(
            new HeldPage("a", HeldPage.Kind.LEASED, now, now.plus(LEASE)),
            failed("b", now.plus(LEASE)),
            new HeldPage("c", HeldPage.Kind.GONE, now, Instant.MAX));
    queue.take(0);
    assertThat(queue.held()).containsExactlyInAnyOrderElementsOf(held);
  }

  @Test
  void theLeasesOfACrawlerThatWasKilledCanBeGivenBack() throws IOException {
    assertThat(queue.take(2)).hasSize(2);
    queue.gone("elsewhere");
    reopen();
    assertThat(queue.take(9)).hasSize(2);
    for (HeldPage page : queue.held()) {
      if (page.kind() == HeldPage.Kind.LEASED) {
        queue.returned(page.page());
      }
    }
    assertThat(queue.take(9)).containsExactlyInAnyOrder("a", "b", "c", "d");
  }
}
