// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  @Test
  void ofOrdersAskedEquallyOftenTheTermsOwnIsTold() {
    for (List<List<String>> asked :
        List.of(
            List.of(List.of("b", "a"), List.of("a", "b")),
            List.of(List.of("a", "b"), List.of("b", "a")))) {
      WorkloadBuilder builder = Workload.builder();
      asked.forEach(terms -> builder.add(terms, 2));
      assertThat(builder.build().queryText(0)).isEqualTo("a b");
    }
  }

  @Test
  void orderAndRepetitionOfWordsDoNotMakeAnotherQuery() {
    Workload workload =
        Workload.builder()
            .add(List.of("credit", "card"), 2)
            .add(List.of("card", "credit", "card"), 1)
            .build();

    assertThat(workload.queryCount()).isEqualTo(1);
    assertThat(workload.frequency(0)).isEqualTo(3);
    assertThat(workload.queryTerms(0)).containsExactly("card", "credit");
  }

  /** "an" and "c0" have the same hash, and so have their pairs, whole queries of them, too. */
  @Test
  void queriesOfOneHashAreKeptApartAndSoAreThoseOfOneTextInOtherPieces() {
    WorkloadBuilder builder = Workload.builder();
    List<String> pairs = List.of("anan", "anc0", "c0an", "c0c0");
    for (String first : pairs) {
      for (String second : pairs) {
        builder.add(List.of("q", first + second), 2);
      }
    }
    builder.add(List.of("qa", "nanan"), 1).add(List.of("qanananan"), 1);
    Workload workload = builder.build();
    assertThat(texts(workload)).hasSize(18).contains("q anananan", "q c0c0c0c0", "qa nanan");
    assertThat(workload.frequency(15)).isEqualTo(2);
  }

  @Test
  void inALogAWorkloadIsItsSizeAndNothingThatAnybodyAsked() {
    Workload workload =
        Workload.builder().add(List.of("credit", "card"), 2).add(List.of("card"), 1.5).build();

    assertThat(workload)
        .hasToString("workload of 2 queries over 2 terms, asked 3.5 times in all")
        .asString()
        .doesNotContain("card");
  }

  @Test
  void aQueryOfMoreTermsThanAnyonesReadsWithAllOfThem() {
    List<String> terms = IntStream.range(0, 300).mapToObj("t%03d"::formatted).toList();
    Workload workload = Workload.builder().add(terms, 1).build();

    assertThat(workload.queryText(0)).isEqualTo(String.join(" ", terms));
  }

  @Test
  void aQueryReadsInTheOrderInWhichItWasAskedMostOften() {
    Workload workload =
        Workload.builder()
            .add(List.of("river", "bank", "fishing"), 2)
            .add(List.of("fishing", "river", "bank"), 3)
            .add(List.of("bank", "fishing", "river"), 2)
            .add(List.of("new", "york"), 1)
            .build();

    assertThat(texts(workload)).containsExactly("fishing river bank", "new york");
    assertThat(texts(workload.filter(query -> query == 0))).containsExactly("fishing river bank");
    assertThat(texts(workload.singleTerm())).contains("bank", "river", "new");
  }

  @Test
  void mergingWorkloadsCountsTheOrdersOfBoth() throws IOException {
    Workload older = Workload.builder().add(List.of("york", "new"), 3).build();
    Workload newer = Workload.builder().add(List.of("new", "york"), 2).build();

    assertThat(texts(older.merge(1, newer, 0))).containsExactly("york new");
    assertThat(texts(older.merge(0.5, newer, 0))).containsExactly("new york");
  }

  @Test
  void aQueryOfAsManyTermsAsAByteNumbersReadsAsItWasAsked() {
    List<String> asked = IntStream.range(0, 256).mapToObj(i -> "t" + (999 - i)).toList();
    Workload workload = Workload.builder().add(asked, 1).build();
    assertThat(workload.queryText(0)).isEqualTo(String.join(" ", asked));
  }

  @Test
  void aQueryOfMoreTermsThanAByteNumbersReadsInTermOrder() {
    List<String> many =
        IntStream.range(0, 300)
            .mapToObj(i -> String.format(Locale.ROOT, "t%03d", 299 - i))
            .toList();

    assertThat(Workload.builder().add(many, 1).build().queryText(0)).startsWith("t000 t001 t002");
  }

  @Test
  void queriesAreNumberedByFrequencyAndThenByTerms() {
    Workload workload =
        Workload.builder()
            .add(List.of("b"), 1)
            .add(List.of("a", "c"), 1)
            .add(List.of("a"), 1)
            .add(List.of("c"), 5)
            .build();

    assertThat(texts(workload)).containsExactly("c", "a", "a c", "b");
  }

  @Test
  void termsAreNumberedInTheOrderOfTheirUtf8Bytes() {
    List<String> words = List.of("z", "\uffee", "\ud83d\ude00", "é", "\ue000", "zz", "a", "世界");
    WorkloadBuilder builder = Workload.builder();
    words.forEach(word -> builder.add(List.of(word), 1));
    Workload workload = builder.build();

    List<String> expected = new ArrayList<>(words);
    expected.sort(
        (a, b) ->
            Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    assertThat(IntStream.range(0, words.size()).mapToObj(workload::term)).isEqualTo(expected);
    for (int term = 0; term < words.size(); term++) {
      assertThat(workload.termNumber(workload.term(term))).isEqualTo(term);
      assertThat(workload.termUtf8(term))
          .isEqualTo(workload.term(term).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(workload.termNumber("zzz")).isEqualTo(-1);
    assertThat(workload.termNumber("")).isEqualTo(-1);
  }

  @Test
  void theSingleTermWorkloadSumsTheQueriesOfEachTerm() {
    Workload single =
        Workload.builder()
            .add(List.of("credit", "card"), 3)
            .add(List.of("card"), 2)
            .add(List.of("house"), 4)
            .build()
            .singleTerm();

    assertThat(texts(single)).containsExactly("card", "house", "credit");
    assertThat(IntStream.range(0, 3).mapToDouble(single::frequency)).containsExactly(5.0, 4.0, 3.0);
    assertThat(single.totalFrequency()).isEqualTo(12);
    assertThat(single.termNumber("credit")).isEqualTo(1);
  }

  @Test
  void aFilteredWorkloadKeepsFrequenciesAndLosesUnusedTerms() {
    Workload workload = Workload.builder().add(List.of("a", "b"), 3).add(List.of("b"), 2).build();

    Workload filtered = workload.filter(query -> workload.queryLength(query) == 1);

    assertThat(texts(filtered)).containsExactly("b");
    assertThat(filtered.frequency(0)).isEqualTo(2);
    assertThat(filtered.termCount()).isEqualTo(1);
  }

  @Test
  void mergingDecaysTheOlderAndDropsWhatFellBelowTheFloor() throws IOException {
    Workload older = Workload.builder().add(List.of("a"), 8).add(List.of("rare"), 1).build();
    Workload newer = Workload.builder().add(List.of("a"), 1).add(List.of("new"), 1).build();

    Workload merged = older.merge(0.5, newer, 0.6);

    assertThat(texts(merged)).containsExactly("a", "new");
    assertThat(merged.frequency(0)).isEqualTo(5);
  }

  @Test
  void aQueryThatNobodyAskedForSoLongThatNothingIsLeftIsForgotten() throws IOException {
    Workload running = Workload.builder().add(List.of("a"), 1).build();
    Workload nothing = Workload.builder().build();
    for (int day = 0; running.queryCount() > 0; day++) {
      assertThat(running.frequency(0)).as("day %d", day).isPositive();
      running = running.merge(1e-50, nothing, 0);
    }
    assertThat(running.queryCount()).isZero();
  }

  /** Lucene indexes half a surrogate pair, which an analyzer leaves that cuts tokens, as U+FFFD. */
  @Test
  void aTermThatIsNoUnicodeIsTheOneThatIsIndexedAndLosesNoOther() {
    Workload workload =
        Workload.builder()
            .add(List.of("n\uD83D", "na"), 4)
            .add(List.of("na", "n\uFFFD"), 3)
            .add(List.of("nb", "n?"), 2)
            .add(List.of("nc\uD83D\uDE00", "zz"), 1)
            .build();
    assertThat(workload.queryCount()).isEqualTo(3);
    assertThat(workload.frequency(0)).isEqualTo(7);
    List<String> terms = IntStream.range(0, workload.termCount()).mapToObj(workload::term).toList();
    assertThat(terms).isSortedAccordingTo(Utf8Order.STRINGS).doesNotHaveDuplicates().hasSize(6);
    for (String term : terms) {
      assertThat(workload.term(workload.termNumber(term))).isEqualTo(term);
    }
    for (String half : List.of("\uD800", "\uDBFF", "\uDC00", "\uDE00", "\uDFFF")) {
      assertThat(workload.termNumber("n" + half)).isEqualTo(workload.termNumber("n\uFFFD"));
    }
  }

  @Test
  void aQueryThatFellToTheFloorAndNoFurtherStays() throws IOException {
    Workload older = Workload.builder().add(List.of("a"), 1).build();
    Workload newer = Workload.builder().build();

    assertThat(texts(older.merge(0.5, newer, 0.5))).containsExactly("a");
    assertThat(texts(older.merge(0.5, newer, Math.nextUp(0.5)))).isEmpty();
  }

  @Test
  void dailyMergesEqualTheWeightedSumOfTheDays() throws IOException {
    long seed = 20051;
    Random random = new Random(seed);
    double weight = Math.pow(2, -1.0 / 30);
    Map<String, Double> expected = new HashMap<>();
    Workload running = Workload.builder().build();
    for (int day = 0; day < 20; day++) {
      expected.replaceAll((query, f) -> f * weight);
      WorkloadBuilder today = Workload.builder();
      for (int i = 0; i < 50; i++) {
        String query = "q" + random.nextInt(100);
        today.add(List.of(query), 1);
        expected.merge(query, 1.0, Double::sum);
      }
      running = running.merge(weight, today.build(), 0);
    }
    assertThat(running.queryCount()).as("seed %d", seed).isEqualTo(expected.size());
    for (int query = 0; query < running.queryCount(); query++) {
      assertThat(running.frequency(query))
          .isCloseTo(expected.get(running.queryText(query)), Percentage.withPercentage(1e-9));
    }
  }

  @Test
  void aFrequencyThatIsNotPositiveIsRefusedWithItsQuery() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> Workload.builder().add(List.of("a"), bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("positive")
          .hasMessageContaining("[a]");
    }
  }

  @Test
  void frequenciesThatAddUpToMoreThanANumberHoldsAreRefused() {
    WorkloadBuilder builder =
        Workload.builder().add(List.of("a"), 1e308).add(List.of("b"), 2).add(List.of("c"), 1e308);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the frequencies of 3 queries")
        .hasMessageContaining("the largest is 1.0E308");
  }

  @Test
  void aTermThatAWorkloadCannotKeepApartIsRefusedWithItsQuery() {
    for (String bad : List.of("", "a\0b", "\0")) {
      assertThatThrownBy(() -> Workload.builder().add(List.of("x", bad), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not be empty or have a zero character")
          .hasMessageContaining("[x, " + bad + "]");
    }
  }

  @Test
  void aWeightOrFloorThatNoMergeCanHaveIsRefused() {
    Workload any = Workload.builder().add(List.of("a"), 1).build();
    for (double bad : new double[] {0, 1.5, -1, Double.NaN}) {
      assertThatThrownBy(() -> any.merge(bad, any, 0)).hasMessageContaining("was " + bad);
    }
    for (double bad : new double[] {-1, Double.NaN}) {
      assertThatThrownBy(() -> any.merge(1, any, bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("floor must be 0 or more, was " + bad);
    }
  }

  @Test
  void aMergeWhoseFrequenciesAddUpToMoreThanANumberCanHoldIsRefused() {
    double half = Double.MAX_VALUE / 1.5;
    Workload some = Workload.builder().add(List.of("a"), half).build();
    for (String other : List.of("a", "b")) {
      Workload newer = Workload.builder().add(List.of(other), half).build();
      assertThatThrownBy(() -> some.merge(1, newer, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("add up to more than a number can hold");
    }
  }

  private static List<String> texts(Workload workload) {
    return IntStream.range(0, workload.queryCount()).mapToObj(workload::queryText).toList();
  }
}
