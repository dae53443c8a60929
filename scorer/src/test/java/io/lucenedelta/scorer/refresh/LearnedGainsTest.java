// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LearnedGainsTest {
  private static final Instant NOW = TestPage.day(200);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private TestPage randomPage(int number) {
    double[] gains = new double[random.nextInt(3)];
    Arrays.setAll(gains, g -> Math.exp(2 * random.nextGaussian()));
    String page = "https://s%d.test/d%d/%d".formatted(number % 7, number % 11, number);
    return TestPage.of(page)
        .record(100 * random.nextDouble(), gains)
        .useful(random.nextInt(5) == 0 ? -1 : Math.exp(random.nextGaussian()));
  }

  private List<TestPage> randomPages(int count) {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < count; page++) {
      pages.add(randomPage(page));
    }
    return pages;
  }

  /** Some pages and what was learned of them, maybe without looking at all. */
  private record Kept(List<TestPage> pages, LearnedGains gains) implements KnownPages {
    @Override
    public long size() {
      return pages.size();
    }

    @Override
    public void forEach(Consumer<? super KnownPage> reader) {
      pages.forEach(reader);
    }

    @Override
    public Optional<LearnedGains> learned(Instant now) {
      return Optional.of(gains);
    }
  }

  private static List<RefreshCandidate> order(KnownPages known) {
    RefreshBudget budget = RefreshBudget.regular(50, NOW, Duration.ofDays(1), 1);
    return new UserUtility(1).plan(known, budget).next(known, NOW, 50);
  }

  @Test
  void pagesThatChangedAndChangedBackLeaveNoTrace() {
    List<TestPage> pages = randomPages(2_000);
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    for (int change = 0; change < 5_000; change++) {
      int number = random.nextInt(pages.size());
      TestPage page = pages.get(number);
      TestPage other = randomPage(random.nextInt(3_000));
      gains.remove(page);
      gains.add(other);
      gains.remove(other);
      gains.add(page);
      TestPage later = randomPage(number);
      gains.replace(page, later);
      gains.replace(later, page);
    }
    assertThat(order(new Kept(pages, gains)))
        .as("seed %d", seed)
        .isEqualTo(order(TestPage.known(pages)));
  }

  @Test
  void sumsAreThoseOfLearningAnewAndTheRestIsNear() {
    List<TestPage> pages = randomPages(20_000); // so many that means seldom move by a twentieth
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    for (int page = 0; page < 3_000; page++) {
      TestPage before = pages.set(page, randomPage(page));
      if (page % 2 == 0) {
        gains.remove(before);
        gains.add(pages.get(page));
      } else {
        gains.replace(before, pages.get(page));
      }
    }
    for (int page = 20_000; page < 21_000; page++) {
      pages.add(randomPage(page));
      gains.add(pages.get(page));
    }
    GainModel anew = GainModel.learn(TestPage.known(pages), GainParameters.LEARNING, NOW);
    GainModel kept = gains.at(NOW);
    assertThat(kept.roundDays()).as("round, seed %d", seed).isEqualTo(anew.roundDays());
    boolean due = gains.due(NOW, pages.size());
    for (TestPage page : pages) {
      assertThat(kept.changesPerDay(page, NOW))
          .as("rate, seed %d", seed)
          .isCloseTo(anew.changesPerDay(page, NOW), within(1e-6 * anew.changesPerDay(page, NOW)));
      double gain = anew.gainPerChange(page);
      assertThat(due || Math.abs(kept.gainPerChange(page) - gain) <= LearnedGains.MOVED * gain)
          .as("gain %s of %s, seed %d", kept.gainPerChange(page), gain, seed)
          .isTrue();
    }
  }

  @Test
  void whatPagesOfADirectoryGainIsLearnedOfThoseAddedAndForgottenOfThoseTakenAway() {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < 1_000; page++) {
      pages.add(TestPage.of("https://s.test/old/" + page).record(50, 4));
    }
    TestPage alike = TestPage.of("https://s.test/new/alike");
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    double before = gains.at(NOW).gainPerChange(alike);
    List<TestPage> added = new ArrayList<>();
    for (int page = 0; page < 10; page++) {
      added.add(TestPage.of("https://s.test/new/" + page).record(50, 8));
    }
    added.forEach(gains::add);
    pages.addAll(added);
    assertThat(gains.due(NOW, pages.size())).isFalse();
    double anew =
        GainModel.learn(TestPage.known(pages), GainParameters.LEARNING, NOW).gainPerChange(alike);
    assertThat(anew).isGreaterThan(1.05 * before);
    assertThat(gains.at(NOW).gainPerChange(alike)).isCloseTo(anew, within(0.01 * anew));
    added.forEach(gains::remove);
    assertThat(gains.at(NOW).gainPerChange(alike)).isCloseTo(before, within(1e-9 * before));
  }

  @Test
  void allIsLearnedAgainWhenAMeanHasMovedByATwentieth() {
    assertThat(dueWith(3.04)).as("mean usefulness moved by 4 %").isFalse();
    assertThat(dueWith(4.06)).as("mean usefulness moved by 6 %").isTrue();
    assertThat(dueWith(1, 12.16)).as("mean gain moved by 4 %").isFalse();
    assertThat(dueWith(1, 16.24)).as("mean gain moved by 6 %").isTrue();
  }

  @Test
  void allIsLearnedAgainWhenUsefulnessTellsSomethingElseOfGains() {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < 100; page++) {
      double useful = page % 2 == 0 ? 1 : 9;
      pages.add(TestPage.of("https://s.test/" + page).record(50, useful).useful(useful));
    }
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    for (TestPage page : pages) { // the means stay
      gains.remove(page);
      gains.add(page.record(50, 10 - page.usefulness()));
    }
    assertThat(gains.due(NOW, pages.size())).isTrue();
  }

  /** Lively pages beside as many quiet ones, of six visits each. */
  private static List<TestPage> unlike(int pages) {
    List<TestPage> unlike = new ArrayList<>();
    for (int page = 0; page < pages; page++) {
      int changes = page % 2 * 6;
      String key = "https://s.test/" + page;
      unlike.add(new TestPage(key, 42, 6, changes, changes, changes, 42, 1, false, null));
    }
    return unlike;
  }

  @Test
  void allIsLearnedAgainWhenHalfAsManyChangesAgainWereFound() {
    List<TestPage> pages = unlike(1_000);
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    pages.subList(0, 480).forEach(gains::add);
    assertThat(gains.due(NOW, 1_480)).as("by 48 %").isFalse();
    pages.subList(480, 520).forEach(gains::add);
    assertThat(gains.due(NOW, 1_520)).as("by 52 %").isTrue();
  }

  /** As where a crawler begins to tell of visits that found nothing, or an index is purged. */
  @Test
  void allIsLearnedAgainWhenThereAreFarMoreRefreshesOrFarFewer() {
    List<TestPage> pages = unlike(1_000);
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    List<TestPage> quiet = new ArrayList<>();
    for (int page = 0; page < 520; page++) {
      quiet.add(new TestPage("https://s.test/q" + page, 42, 6, 0, 0, 0, 42, 1, false, null));
    }
    quiet.subList(0, 480).forEach(gains::add);
    assertThat(gains.due(NOW, 1_480)).as("48 % more refreshes").isFalse();
    quiet.subList(480, 520).forEach(gains::add);
    assertThat(gains.due(NOW, 1_520)).as("52 % more").isTrue();
    quiet.forEach(gains::remove);
    assertThat(gains.due(NOW, 1_000)).as("as before").isFalse();
    pages.subList(0, 400).forEach(gains::remove);
    assertThat(gains.due(NOW, 600)).as("a third fewer").isTrue();
  }

  @Test
  void whatStandsForTheSpreadOfRatesMustBeAShape() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LearnedGains.of(TestPage.known(unlike(100)), NOW).write(new DataOutputStream(bytes));
    for (double odd : new double[] {0, -1, 3.1, Double.NaN}) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
      int shape = buffer.capacity() - 5 * Long.BYTES - 2 * Double.BYTES;
      assertThat(buffer.getDouble(shape)).isEqualTo(3.0 / 16);
      buffer.putDouble(shape, odd);
      assertThatThrownBy(
              () ->
                  LearnedGains.read(new DataInputStream(new ByteArrayInputStream(buffer.array()))))
          .as("%s", odd)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void whatIsWrittenSaysHowWidelyRatesSpread() throws IOException {
    List<TestPage> pages = unlike(100);
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    gains.write(new DataOutputStream(bytes));
    LearnedGains read =
        LearnedGains.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    GainModel anew = GainModel.learn(TestPage.known(pages), GainParameters.LEARNING, NOW);
    for (TestPage page : pages.subList(0, 2)) {
      double rate = gains.at(NOW).changesPerDay(page, NOW);
      assertThat(rate).isEqualTo(anew.changesPerDay(page, NOW));
      assertThat(read.at(NOW).changesPerDay(page, NOW)).isEqualTo(rate);
    }
    pages.subList(0, 60).forEach(read::add);
    assertThat(read.due(NOW, 160)).as("as many as were learned from are kept").isTrue();
  }

  /** Whether twenty pages of some usefulness and gain beside a thousand others make it due. */
  private static boolean dueWith(double usefulness, double... gain) {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < 1_000; page++) {
      pages.add(TestPage.of("https://s.test/" + page).record(50, 4).useful(1));
    }
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    for (int page = 0; page < 20; page++) {
      gains.add(TestPage.of("https://s.test/new" + page).record(50, gain).useful(usefulness));
    }
    return gains.due(NOW, 1_020);
  }

  @Test
  void whereNoChangeIsLeftTheRestIsPlannedAsEver() {
    for (int round = 0; round < 300; round++) {
      List<TestPage> changed = new ArrayList<>();
      List<TestPage> others = new ArrayList<>();
      for (int page = 0; page < 30; page++) {
        TestPage still = TestPage.of("https://s.test/" + page).record(100 * random.nextDouble());
        TestPage useful = still.useful(Math.exp(12 * random.nextGaussian()));
        if (page % 3 == 0) {
          changed.add(useful.record(50, randomGains()));
        } else {
          others.add(useful);
        }
      }
      List<TestPage> all = new ArrayList<>(changed);
      all.addAll(others);
      LearnedGains gains = LearnedGains.of(TestPage.known(all), NOW);
      for (int change = 0; change < 200; change++) {
        int page = random.nextInt(changed.size());
        gains.remove(changed.get(page));
        TestPage again = changed.get(page).useful(Math.exp(12 * random.nextGaussian()));
        changed.set(page, again.record(50, randomGains()));
        gains.add(changed.get(page));
      }
      Collections.shuffle(changed, random);
      changed.forEach(gains::remove);
      GainModel model = gains.at(NOW);
      for (TestPage page : others) {
        assertThat(model.gainPerDay(page, NOW))
            .as("seed %d, round %d", seed, round)
            .isPositive()
            .isLessThan(Double.MAX_VALUE);
      }
      assertThat(order(new Kept(others, gains)))
          .as("seed %d, round %d", seed, round)
          .hasSize(others.size());
    }
  }

  @Test
  void weightsOfPagesTakenAwayLeaveNoTraceInWhatAChangeGains() {
    TestPage still = TestPage.of("https://s.test/still").record(50);
    LearnedGains gains = LearnedGains.of(TestPage.known(List.of(still)), NOW);
    TestPage large = still.record(50, 4).useful(1e40);
    TestPage medium = still.record(50, 4).useful(1e20);
    TestPage small = still.record(50, 4);
    List.of(large, medium, small).forEach(gains::add); // the small one is lost beside the others
    List.of(medium, large, small).forEach(gains::remove);
    assertThat(gains.at(NOW).gainPerChange(still)).isPositive().isFinite();
  }

  private double[] randomGains() {
    double[] gains = new double[1 + random.nextInt(4)];
    Arrays.setAll(gains, g -> Math.exp(12 * random.nextGaussian()));
    return gains;
  }

  /** Of each kind: never fetched again, found unchanged or changed, useful or not known to be. */
  @Test
  void aPageInThePlaceOfAnotherTeachesAsIfOneWereRemovedAndTheOtherAdded() {
    List<TestPage> pages = randomPages(300);
    LearnedGains replaced = LearnedGains.of(TestPage.known(pages), NOW);
    LearnedGains exchanged = LearnedGains.of(TestPage.known(pages), NOW);
    for (int change = 0; change < 2_000; change++) {
      int number = random.nextInt(pages.size());
      TestPage before = pages.get(number);
      TestPage after = random.nextInt(4) == 0 ? before : randomPage(number);
      after = random.nextInt(4) == 0 ? TestPage.of(before.page()) : after;
      pages.set(number, after);
      replaced.replace(before, after);
      exchanged.remove(before);
      exchanged.add(after);
    }
    GainModel model = replaced.at(NOW);
    GainModel expected = exchanged.at(NOW);
    assertThat(model.roundDays()).as("seed %d", seed).isEqualTo(expected.roundDays());
    for (TestPage page : pages) {
      assertNear(model.changesPerDay(page, NOW), expected.changesPerDay(page, NOW));
      assertNear(model.gainPerChange(page), expected.gainPerChange(page));
      assertNear(model.usualUsefulness(page), expected.usualUsefulness(page));
      assertNear(
          replaced.usualUsefulnessWithout(page).orElseThrow(),
          exchanged.usualUsefulnessWithout(page).orElseThrow());
    }
    assertThat(replaced.due(TestPage.day(300), 300))
        .as("seed %d", seed)
        .isEqualTo(exchanged.due(TestPage.day(300), 300));
  }

  private void assertNear(double value, double expected) {
    assertThat(value).as("seed %d", seed).isCloseTo(expected, within(1e-6 * expected));
  }

  @Test
  void aPageThatIsNotFiniteTakesNoOthersPlace() {
    TestPage page = TestPage.of("https://s.test/1").record(50, 4).useful(1);
    LearnedGains gains = LearnedGains.of(TestPage.known(List.of(page)), NOW);
    double expected = gains.at(NOW).gainPerDay(page, NOW);
    TestPage odd = page.record(50, Double.POSITIVE_INFINITY);
    assertThatThrownBy(() -> gains.replace(page, odd))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("totalGain of page https://s.test/1");
    assertThat(gains.at(NOW).gainPerDay(page, NOW)).isEqualTo(expected);
  }

  @Test
  void allIsLearnedAgainOnlyWhenThereWasTimeOrWorkAndItMakesADifference() {
    List<TestPage> pages = randomPages(1_000);
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    assertThat(gains.due(TestPage.day(300), 1_000)).as("no difference, seed %d", seed).isFalse();
    gains.add(TestPage.of("https://new.test/").record(10, 1e6));
    assertThat(gains.due(NOW, 1_000)).as("a single page on the same day, seed %d", seed).isFalse();
    assertThat(gains.due(TestPage.day(201), 1_000)).as("on the next day, seed %d", seed).isTrue();
    assertThat(gains.due(TestPage.day(199), 1_000))
        .as("the clock went back, seed %d", seed)
        .isTrue();
    assertThat(gains.due(NOW, 99)).as("more than a hundredth of the pages, seed %d", seed).isTrue();
  }

  @Test
  void whatWaitingCountsIsNotLearned() {
    GainParameters learning = GainParameters.LEARNING;
    assertThat(learning.withAgingRounds(7).withWaitingShare(0).learnsLike(learning)).isTrue();
    assertThat(learning.withGainChanges(7).learnsLike(learning)).isFalse();
  }

  @Test
  void aPlanDoesNotSeeWhatIsCountedLater() {
    List<TestPage> pages = randomPages(100);
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    GainModel before = gains.at(NOW);
    double rate = before.changesPerDay(pages.get(0), NOW);
    gains.add(TestPage.of(pages.get(0).page()).record(1, 1, 1, 1, 1, 1));
    assertThat(before.changesPerDay(pages.get(0), NOW)).as("seed %d", seed).isEqualTo(rate);
    assertThat(gains.at(NOW).changesPerDay(pages.get(0), NOW))
        .as("seed %d", seed)
        .isNotEqualTo(rate);
  }

  @Test
  void aLayoutIsReadByItsVersionAlone() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    KnownPages known = TestPage.known(List.of(TestPage.of("https://a.test/").record(9, 2)));
    LearnedGains.of(known, NOW).write(new DataOutputStream(bytes));
    assertThat(bytes.size()).as("if this changes, so must the version").isEqualTo(536 + 3 * 34);
    byte[] other = bytes.toByteArray();
    other[3]--;
    assertThatThrownBy(
            () -> LearnedGains.read(new DataInputStream(new ByteArrayInputStream(other))))
        .isInstanceOf(IOException.class)
        .hasMessage("what was learned is of version 3, not 4; learn again");
  }

  @Test
  void whatIsNotFiniteIsNotGoneOnWith() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    KnownPages known = TestPage.known(List.of(TestPage.of("a").record(90, 2, 3)));
    LearnedGains.of(known, NOW).write(new DataOutputStream(bytes));
    ByteBuffer odd = ByteBuffer.wrap(bytes.toByteArray());
    int gain = 4 + 8 + 8 + 3 * 24; // the fourth sum
    assertThat(odd.getDouble(gain)).isEqualTo(5);
    odd.putDouble(gain, Double.POSITIVE_INFINITY);
    assertThatThrownBy(
            () -> LearnedGains.read(new DataInputStream(new ByteArrayInputStream(odd.array()))))
        .isInstanceOf(IOException.class)
        .hasMessage("what was learned is not finite; learn again");
  }

  @Test
  void aUsualUsefulnessThatIsNotFiniteIsNotGoneOnWith() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    KnownPages known = TestPage.known(List.of(TestPage.of("a").record(90, 2, 3).useful(7)));
    LearnedGains.of(known, NOW).write(new DataOutputStream(bytes));
    ByteBuffer odd = ByteBuffer.wrap(bytes.toByteArray());
    int usual = odd.capacity() - 5 * Long.BYTES - 4 * Double.BYTES; // before the round's length
    assertThat(odd.getDouble(usual)).isEqualTo(7);
    odd.putDouble(usual, Double.NaN);
    assertThatThrownBy(
            () -> LearnedGains.read(new DataInputStream(new ByteArrayInputStream(odd.array()))))
        .isInstanceOf(IOException.class)
        .hasMessage("what was learned is not finite; learn again");
  }

  /** Some of them alone in their directories, also where pages came and went. */
  @Test
  void whatIsUsualWithoutAPageIsWhatTheOthersTeach() {
    List<TestPage> pages = randomPages(60);
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    for (int page = 0; page < 20; page++) {
      gains.remove(pages.get(page));
      pages.set(page, randomPage(page + 100));
      gains.add(pages.get(page));
      double useful = Math.exp(10 * random.nextGaussian());
      pages.add(TestPage.of("https://new%d.test/a/b/".formatted(page)).useful(useful));
      gains.add(pages.get(pages.size() - 1));
    }
    for (TestPage page : pages) {
      KnownPages others = TestPage.known(pages.stream().filter(other -> other != page).toList());
      double expected = GainModel.learn(others, GainParameters.LEARNING, NOW).usualUsefulness(page);
      assertThat(gains.usualUsefulnessWithout(page).orElseThrow())
          .as("%s, seed %d", page, seed)
          .isCloseTo(expected, within(1e-6 * expected));
    }
  }

  @Test
  void nothingIsUsualWhereNoOtherPageIsOfAnyUse() {
    TestPage useful = TestPage.of("https://a.test/1").useful(9);
    for (double other : new double[] {-1, 0}) {
      List<TestPage> pages = List.of(useful, TestPage.of("https://a.test/2").useful(other));
      LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
      assertThat(gains.usualUsefulnessWithout(useful)).as("%s", other).isEmpty();
      assertThat(gains.usualUsefulnessWithout(pages.get(1)))
          .as("%s", other)
          .hasValueCloseTo(9 * (9 + 5 * 9) / (9 + 5 * 9.0), within(1e-6));
    }
  }

  @Test
  void wordsOfUsefulPagesEachAloneOnItsSitePromiseAboutAllThatTheyBrought() {
    List<TestPage> told = new ArrayList<>();
    for (int site = 0; site < 20; site++) {
      told.add(TestPage.of("https://h%d.test/a/b/".formatted(site)).useful(10));
    }
    List<TestPage> pages = new ArrayList<>(told);
    for (int page = 0; page < 200; page++) {
      pages.add(TestPage.of("https://other.test/" + page).useful(0.1));
    }
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    WordFactor words = new WordFactor();
    told.forEach(page -> words.add(1, 10, gains.usualUsefulnessWithout(page).orElseThrow()));
    double usual = 210 / 219.0; // the mean without the one page
    assertThat(words.of(1)).isCloseTo((200 + 5 * usual) / (25 * usual), within(1e-5));
  }

  @Test
  void whatIsReadIsWhatWasWritten() throws IOException {
    List<TestPage> pages = randomPages(500);
    LearnedGains gains = LearnedGains.of(TestPage.known(pages), NOW);
    pages.set(0, randomPage(0)); // not counted: a wrong sum must show
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    gains.write(new DataOutputStream(bytes));
    LearnedGains read =
        LearnedGains.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    for (int round = 0; round < 2; round++) {
      assertThat(order(new Kept(pages, read)))
          .as("seed %d", seed)
          .isEqualTo(order(new Kept(pages, gains)));
      for (LearnedGains both : List.of(read, gains)) {
        both.remove(pages.get(7));
        both.add(pages.get(8));
      }
    }
    assertThat(read.due(TestPage.day(300), 500))
        .as("seed %d", seed)
        .isEqualTo(gains.due(TestPage.day(300), 500));
  }
}
