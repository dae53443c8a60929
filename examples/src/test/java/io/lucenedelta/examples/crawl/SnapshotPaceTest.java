// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    assertThat(new SnapshotPace(days).note())
        .contains(
            "snapshots are "
                + length
                + " apart: read \"a week\" as \"a snapshot\", but for settings of strategies, which"
                + " stay weeks and days");
  }

  @ParameterizedTest
  @CsvSource({"6", "7", "8"})
  void ofSnapshotsAboutAWeekApartNothingIsSaid(double days) {
    assertThat(new SnapshotPace(days).note()).isEmpty();
  }

  @Test
  void onePauseIsNotThePaceOfACrawl() throws IOException {
    for (String day : List.of("2024-01-01", "2024-01-02", "2024-01-03", "2024-02-03")) {
      Files.createDirectory(crawl.resolve(day));
    }
    assertThat(SnapshotPace.of(SnapshotArchive.open(crawl))).contains(new SnapshotPace(1));
  }

  @Test
  void ofAnEvenNumberOfPausesTheTwoInTheMiddleCount() throws IOException {
    for (String day : List.of("2024-01-01", "2024-01-02", "2024-01-05")) {
      Files.createDirectory(crawl.resolve(day));
    }
    assertThat(SnapshotPace.of(SnapshotArchive.open(crawl))).contains(new SnapshotPace(2));
  }

  @Test
  void aSingleSnapshotHasNoPace() throws IOException {
    Files.createDirectory(crawl.resolve("2024-01-01"));
    assertThat(SnapshotPace.of(SnapshotArchive.open(crawl))).isEmpty();
  }
}
