// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotPaceTest {
  @TempDir Path crawl;

  @ParameterizedTest
  @CsvSource({
    "1, 1 day",
    "30.4375, 30.4 days",
    "0.25, 6 hours",
    "0.0416, 59.9 minutes",
    "0.0000115741, 1 second",
    "5.9, 5.9 days",
    "8.1, 8.1 days"
  })
  void snapshotsThatAreNoWeekApartAreSaidToBeSo(double days, String length) {
    assertThat(new SnapshotPace(days, days, days, true).note())
        .contains(
            "snapshots are "
                + length
                + " apart: read \"a week\" as \"a snapshot\", but for settings of strategies, which"
                + " stay weeks and days");
  }

  @ParameterizedTest
  @CsvSource({"6", "7", "8"})
  void ofSnapshotsAboutAWeekApartNothingIsSaid(double days) {
    assertThat(new SnapshotPace(days, days, days, true).note()).isEmpty();
  }

  @Test
  void onePauseIsNotThePaceOfACrawl() throws IOException {
    assertThat(pace(0, 1, 2, 33)).extracting(SnapshotPace::days).isEqualTo(1.0);
  }

  @Test
  void ofAnEvenNumberOfPausesTheTwoInTheMiddleCount() throws IOException {
    assertThat(pace(0, 1, 4)).isEqualTo(new SnapshotPace(2, 1, 3, true));
  }

  /** A daily crawl that was a weekly one, say: a week of it is a day in half of the tables. */
  @Test
  void whereTimesAreUnevenThatIsSaidThoughTheMedianIsAWeek() throws IOException {
    SnapshotPace uneven = pace(0, 1, 3, 10, 17, 24, 84, 174);
    assertThat(uneven.days()).isEqualTo(7);
    assertThat(uneven.note())
        .hasValueSatisfying(
            note ->
                assertThat(note)
                    .startsWith(
                        "snapshots are 1 day to 90 days apart, 7 days in the median: read"));
  }

  @Test
  void oneOtherTimeInTenIsNotSaidToBeUneven() throws IOException {
    assertThat(pace(0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 84).note()).isEmpty();
  }

  @Test
  void twoOtherTimesInTenAreSaidToBeUneven() throws IOException {
    assertThat(pace(0, 3, 10, 17, 24, 31, 38, 45, 52, 59, 80).note()).isPresent();
  }

  private SnapshotPace pace(int... days) throws IOException {
    for (int day : days) {
      Files.createDirectory(crawl.resolve(LocalDate.of(2024, 1, 1).plusDays(day).toString()));
    }
    return SnapshotPace.of(SnapshotArchive.open(crawl)).orElseThrow();
  }

  @Test
  void aSingleSnapshotHasNoPace() throws IOException {
    Files.createDirectory(crawl.resolve("2024-01-01"));
    assertThat(SnapshotPace.of(SnapshotArchive.open(crawl))).isEmpty();
  }
}
