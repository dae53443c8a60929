// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.index.IndexCommit;

/**
 * What the history of every page must be, told from the sequence of all commits by plain Lucene:
 * when it was fetched, what its refresh changed, and each score that moved.
 */
final class SlowHistory {
  /** A refresh; of one of {@code several} copies it is not known which of them it replaced. */
  private record Expected(
      long generation,
      Instant fetched,
      boolean several,
      Duration interval,
      double change,
      Map<String, double[]> shifts) {}

  private final DeltaConfig config;
  private final String softField;
  private final Map<String, List<Expected>> refreshes = new TreeMap<>();
  private final Map<String, Long> lastRefresh = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private final Set<String> ambiguous = new HashSet<>(); // several live copies: any is the page
  private final Set<String> incomplete =
      new HashSet<>(); // so once: refreshes until then are unknown
  private final Set<String> commits = new HashSet<>();
  private SlowAnswer latest;

  private int compared;
  private int gains;

  SlowHistory(DeltaConfig config, String softField) {
    this.config = config;
    this.softField = softField;
  }

  /** The last commit, null before the first. */
  SlowAnswer latest() {
    return latest;
  }

  /** Takes the commits, oldest first, that are new; {@code ranks} tells what each was scored by. */
  void follow(List<IndexCommit> all, Map<Long, RanksAsOf> ranks) throws IOException {
    for (IndexCommit commit : all) {
      if (commits.add(commit.getSegmentsFileName())) {
        follow(SlowAnswer.of(commit, config, softField), generation(commit), ranks);
      }
    }
  }

  private static long generation(IndexCommit commit) throws IOException {
    return Long.parseLong(commit.getUserData().getOrDefault(BatchNames.GENERATION, "0"));
  }

  private void follow(SlowAnswer after, long generation, Map<Long, RanksAsOf> ranks) {
    for (Map.Entry<String, SlowAnswer.Page> page : after.pages.entrySet()) {
      String key = page.getKey();
      String uid = page.getValue().uid();
      if (after.severalCopies.containsKey(key)) {
        ambiguous.add(key);
        incomplete.add(key);
        refreshes.remove(key);
      } else if (uid.startsWith("u") && !seen.contains(uid)) {
        SlowAnswer.Page old = latest == null ? null : latest.pages.get(key);
        Expected refresh = refresh(generation, key, page.getValue(), old, ranks.get(generation));
        refreshes.computeIfAbsent(key, k -> new ArrayList<>()).add(0, refresh);
        lastRefresh.put(key, RandomDocuments.millis(uid));
        ambiguous.remove(key);
      } else if (!refreshes.containsKey(key)) {
        lastRefresh.put(key, RandomDocuments.millis(uid));
      }
    }
    seen.addAll(after.everyUid);
    latest = after;
  }

  private Expected refresh(
      long generation, String key, SlowAnswer.Page now, SlowAnswer.Page old, RanksAsOf ranks) {
    long time = RandomDocuments.millis(now.uid());
    Long since = old == null ? null : lastRefresh.get(key);
    boolean several = old != null && ambiguous.contains(key);
    boolean measured = since != null && time > since && ranks != null && !several;
    return new Expected(
        generation,
        Instant.ofEpochMilli(time),
        several,
        measured ? Duration.ofMillis(time - since) : null,
        measured ? SlowAnswer.change(old, now, config, ranks) : 0,
        measured ? SlowAnswer.shifts(old, now, config, ranks) : Map.of());
  }

  /** Compares what the writer tells of a page with what must be. */
  void compare(DeltaIndexWriter writer, String key) throws IOException {
    if (ambiguous.contains(key)) {
      return;
    }
    List<Expected> expected = refreshes.getOrDefault(key, List.of());
    List<MeasuredRefresh> actual =
        writer.explain(key).map(PageExplanation::refreshes).orElse(List.of());
    assertThat(actual)
        .as("refreshes of %s, expected %s", key, expected)
        .hasSizeBetween(expected.size(), incomplete.contains(key) ? 1_000 : expected.size());
    for (int i = 0; i < expected.size(); i++) {
      String what = "refresh " + i + " of " + key;
      compare(what, actual.get(i), expected.get(i));
      if (i == 0 && expected.get(i).change() > 1e-9) {
        assertThat(actual.get(i).contributions()).as(what).isNotEmpty();
      }
    }
  }

  /** Refreshes compared, each as often as it was. */
  int compared() {
    return compared;
  }

  /** Those of them that gained something. */
  int gains() {
    return gains;
  }

  private void compare(String what, MeasuredRefresh actual, Expected expected) {
    assertThat(actual.generation()).as(what).isEqualTo(expected.generation());
    assertThat(actual.fetched()).as(what).isEqualTo(expected.fetched());
    if (expected.several()) {
      return;
    }
    compared++;
    gains += expected.change() > 0 ? 1 : 0;
    assertThat(actual.interval()).as(what).isEqualTo(expected.interval());
    assertThat(actual.qualityChange())
        .as(what)
        .isCloseTo(expected.change(), within(1e-9 * Math.max(1, Math.abs(expected.change()))));
    if (actual.contributions().isEmpty()) {
      return; // kept for the latest refresh only
    }
    assertThat(actual.contributions().size() + actual.otherQueries())
        .as("score shifts of %s", what)
        .isEqualTo(expected.shifts().size());
    for (QueryContribution moved : actual.contributions()) {
      double[] shift = expected.shifts().get(moved.query());
      assertThat(shift).as("shift of %s in %s", moved.query(), what).isNotNull();
      assertThat(moved.scoreBefore()).as(what).isEqualTo((float) shift[0]);
      assertThat(moved.scoreAfter()).as(what).isEqualTo((float) shift[1]);
    }
  }
}
