// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryCountsTest {
  private static final long ROOMY = 64 << 20;
  private static final long TIGHT = 1 << 16;
  private static final QueryNormalizer WORDS =
      text ->
          Arrays.stream(text.toLowerCase(Locale.ROOT).split("\\W+"))
              .filter(word -> !word.isEmpty())
              .toList();

  @TempDir Path directory;

  @Test
  void textsThatNormaliseAlikeBecomeOneQuery() throws IOException {
    CountedWorkload counted =
        counted(
            ROOMY,
            1,
            counts -> {
              counts.add("Credit Card", 1, 1);
              counts.add("card, credit", 2, 2);
              counts.add("...", 2, 4);
            });

    assertThat(texts(counted.workload())).containsExactly("card credit");
    assertThat(counted.workload().frequency(0)).isEqualTo(3);
    assertThat(counted.distinctTexts()).isEqualTo(3);
    assertThat(counted.withoutTerms()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void whatIsNoNumberOfTimesIsRefused(double count) throws IOException {
    try (QueryCounts counts = new QueryCounts(directory, ROOMY, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> counts.add("travel", 1, count))
          .withMessage("a text is asked a positive and finite number of times, was " + count);
    }
  }

  @Test
  void countingOnDiskGivesWhatCountingOnTheHeapGives() throws IOException {
    long seed = System.nanoTime();
    Workload onHeap = counted(ROOMY, 1, randomTexts(seed, 120_000)).workload();
    Workload onDisk = counted(TIGHT, 1, randomTexts(seed, 120_000)).workload();
    WorkloadBuilder builder = Workload.builder();
    Random random = new Random(seed);
    for (int i = 0; i < 120_000; i++) {
      String text = randomText(random);
      random.nextInt(50);
      builder.add(WORDS.terms(text), 1 + i % 3);
    }

    assertSame(onHeap, builder.build(), seed);
    assertSame(onDisk, onHeap, seed);
  }

  @Test
  void temporaryFilesAreGoneAfterClosing() throws IOException {
    Workload workload = counted(TIGHT, 1, randomTexts(1, 60_000)).workload();

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
    assertThat(workload.queryText(workload.queryCount() - 1)).isNotEmpty();
  }

  /** As when two programs name the directory for temporary files that all share. */
  @Test
  void countsInOneDirectoryAreKeptApartAndFromOtherFilesThere() throws IOException {
    List<String> others = List.of("texts-0", "queries-0", "terms-0", "order-0", "query-terms");
    for (String other : others) {
      Files.writeString(directory.resolve(other), "not ours");
    }
    try (QueryCounts some = new QueryCounts(directory, TIGHT, 1);
        QueryCounts more = new QueryCounts(directory, TIGHT, 1)) {
      for (int i = 0; i < 3_000; i++) {
        some.add("pond " + i, 1, 1);
        more.add("garden " + i, 1, 2);
      }
      assertThat(some.workload(WORDS).workload().totalFrequency()).isEqualTo(3_000);
      assertThat(more.workload(WORDS).workload().totalFrequency()).isEqualTo(6_000);
      assertThat(texts(some.workload(WORDS).workload())).allMatch(text -> text.contains("pond"));
    }
    for (String other : others) {
      assertThat(directory.resolve(other)).hasContent("not ours");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aWorkloadAskedForAgainIsOfAllThatWasAddedWhetherItFitsTheHeapOrNot(int minSessions)
      throws IOException {
    QueryNormalizer initials = text -> WORDS.terms(text.replaceAll("(\\w)\\w*", "$1"));
    long seed = System.nanoTime();
    try (QueryCounts onHeap = new QueryCounts(directory.resolve("heap"), ROOMY, minSessions);
        QueryCounts onDisk = new QueryCounts(directory.resolve("disk"), TIGHT, minSessions)) {
      for (int part = 0; part < 2; part++) {
        randomTexts(seed + part, 15_000).into(onHeap);
        randomTexts(seed + part, 15_000).into(onDisk);
        for (QueryNormalizer normalizer : List.of(WORDS, initials, WORDS)) {
          CountedWorkload expected = onHeap.workload(normalizer);
          CountedWorkload counted = onDisk.workload(normalizer);
          assertSame(counted.workload(), expected.workload(), seed);
          assertThat(counted.distinctTexts()).isEqualTo(expected.distinctTexts()).isPositive();
          double asked = counted.workload().totalFrequency() + counted.withheldFrequency();
          assertThat(asked + counted.withoutTerms()).isEqualTo(30_000.0 * (part + 1));
        }
      }
      assertThat(directory.resolve("disk")).isNotEmptyDirectory();
    }
  }

  @Test
  void countsThatAreClosedTakeNothingAndGiveNothing() throws IOException {
    QueryCounts counts = new QueryCounts(directory, ROOMY, 1);
    counts.add("tide", 1, 1);
    counts.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> counts.add("table", 1, 1))
        .withMessageContaining("these counts are closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> counts.workload(WORDS))
        .withMessageContaining("these counts are closed");
    counts.close();
  }

  @Test
  void queriesOfFewerThanKSessionsAreWithheldAndCounted() throws IOException {
    CountedWorkload counted =
        counted(
            ROOMY,
            2,
            counts -> {
              counts.add("shared secret", 1, 1);
              counts.add("secret SHARED", 2, 3);
              counts.add("my own secret", 1, 5);
              counts.add("my own, secret", 1, 2);
            });

    assertThat(texts(counted.workload())).containsExactly("secret shared");
    assertThat(counted.workload().termCount()).isEqualTo(2);
    assertThat(counted.withheldQueries()).isEqualTo(1);
    assertThat(counted.withheldFrequency()).isEqualTo(7);
  }

  @Test
  void sessionsCountAcrossTheOrdersInWhichTheyAsked() throws IOException {
    CountedWorkload counted =
        counted(
            ROOMY,
            3,
            counts -> {
              counts.add("tide table", 7, 2);
              counts.add("table tide", 7, 1);
              counts.add("table tide", 8, 1);
              counts.add("tide, table", 9, 1);
              counts.add("map north", 1, 9);
              counts.add("north map", 1, 9);
              counts.add("map, north", 2, 9);
            });

    assertThat(texts(counted.workload())).containsExactly("tide table");
    assertThat(counted.workload().frequency(0)).isEqualTo(5);
    assertThat(counted.withheldQueries()).isEqualTo(1);
  }

  /** Sessions are any numbers, of whose bytes some are letters. */
  @Test
  void theNormaliserSeesEachTextOnceAndWithoutItsSessions() throws IOException {
    List<String> seen = new ArrayList<>();
    try (QueryCounts counts = new QueryCounts(directory, ROOMY, 2)) {
      counts.add("tide\0table", 0x4142434445464748L, 1);
      counts.add("tide table", 0x0142434445464748L, 2);
      counts.add("tide", 0x4142434445464748L, 4);
      counts.add("tide", 0x4142434445464748L, 8);
      CountedWorkload counted =
          counts.workload(
              text -> {
                seen.add(text);
                return List.of(text);
              });

      assertThat(seen).containsExactly("tide", "tide table");
      assertThat(counted.distinctTexts()).isEqualTo(2);
      assertThat(texts(counted.workload())).containsExactly("tide table");
      assertThat(counted.workload().frequency(0)).isEqualTo(3);
      assertThat(counted.withheldFrequency()).isEqualTo(12);
    }
  }

  @Test
  void countingWithTooLittleHeapOrForFewerSessionsThanOneIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueryCounts(directory, TIGHT - 1, 1))
        .withMessage("heapBytes must be at least 65536, was 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueryCounts(directory, TIGHT, 0))
        .withMessage("minSessions must be at least 1, was 0");
  }

  @Test
  void withholdingOnDiskEqualsWithholdingOnTheHeap() throws IOException {
    long seed = System.nanoTime();
    CountedWorkload onHeap = counted(ROOMY, 3, randomTexts(seed, 60_000));
    CountedWorkload onDisk = counted(TIGHT, 3, randomTexts(seed, 60_000));

    assertSame(onDisk.workload(), onHeap.workload(), seed);
    assertThat(onDisk.withheldFrequency())
        .as("seed %d", seed)
        .isEqualTo(onHeap.withheldFrequency())
        .isPositive();
    assertThat(onHeap.workload().queryCount()).as("seed %d", seed).isPositive();
  }

  @Test
  void aTermThatAWorkloadCannotKeepApartIsLeftOutOfItsQuery() throws IOException {
    QueryNormalizer careless = text -> List.of("", text, "a\0b");
    try (QueryCounts counts = new QueryCounts(directory, ROOMY, 1)) {
      counts.add("tide", 1, 2);
      counts.add("", 1, 3);
      CountedWorkload counted = counts.workload(careless);

      assertThat(texts(counted.workload())).containsExactly("tide");
      assertThat(counted.workload().termCount()).isEqualTo(1);
      assertThat(counted.withoutTerms()).isEqualTo(3);
    }
  }

  /** Any other character may stand in a term, and that of one query is a beginning of another's. */
  @Test
  void termsOfControlCharactersAreKeptApart() throws IOException {
    List<List<String>> queries =
        List.of(List.of("a"), List.of("a", "b"), List.of("a\1b"), List.of("a\1"), List.of("\1"));
    try (QueryCounts counts = new QueryCounts(directory, ROOMY, 1)) {
      for (int query = 0; query < queries.size(); query++) {
        counts.add("" + query, 1, 10 - query);
      }
      Workload workload = counts.workload(text -> queries.get(Integer.parseInt(text))).workload();
      assertThat(texts(workload)).containsExactly("a", "a b", "a\1b", "a\1", "\1");
      assertThat(workload.termCount()).isEqualTo(5);
    }
  }

  @Test
  void noWordsGiveAnEmptyWorkload() throws IOException {
    assertThat(counted(ROOMY, 1, counts -> {}).workload().queryCount()).isZero();
  }

  private interface Filling {
    void into(QueryCounts counts) throws IOException;
  }

  private CountedWorkload counted(long heapBytes, int minSessions, Filling filling)
      throws IOException {
    try (QueryCounts counts = new QueryCounts(directory, heapBytes, minSessions)) {
      filling.into(counts);
      return counts.workload(WORDS);
    }
  }

  private static Filling randomTexts(long seed, int lines) {
    return counts -> {
      Random random = new Random(seed);
      for (int i = 0; i < lines; i++) {
        counts.add(randomText(random), random.nextInt(50), 1 + i % 3);
      }
    };
  }

  private static String randomText(Random random) {
    StringBuilder text = new StringBuilder();
    int words = 1 + random.nextInt(3);
    for (int i = 0; i < words; i++) {
      double skewed = Math.pow(random.nextDouble(), 3);
      text.append(i == 0 ? "" : " ").append(Integer.toString((int) (skewed * 5000), 36));
    }
    return text.toString();
  }

  private static void assertSame(Workload actual, Workload expected, long seed) {
    assertThat(texts(actual)).as("seed %d", seed).isEqualTo(texts(expected));
    assertThat(IntStream.range(0, actual.queryCount()).mapToDouble(actual::frequency).toArray())
        .as("seed %d", seed)
        .isEqualTo(
            IntStream.range(0, expected.queryCount()).mapToDouble(expected::frequency).toArray());
    assertThat(IntStream.range(0, actual.termCount()).mapToObj(actual::term).toList())
        .as("seed %d", seed)
        .isEqualTo(IntStream.range(0, expected.termCount()).mapToObj(expected::term).toList());
  }

  private static List<String> texts(Workload workload) {
    return IntStream.range(0, workload.queryCount()).mapToObj(workload::queryText).toList();
  }
}
