// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnmeasuredCommitsTest {
  private final UnmeasuredCommits commits = new UnmeasuredCommits();

  @Test
  void aFailureIsThatOfTheCommitUnderWayThoughThoseBeforeAreCountedMeanwhile() {
    commits.couldNotBegin(new OutOfMemoryError("injected"));
    commits.counted();
    commits.add();
    commits.made();
    assertThat(commits.missed()).isEqualTo(1);
    assertThat(commits.why()).contains("could not be begun", "injected");
    commits.add();
    assertThat(commits.missed()).as("of the next it is none").isEqualTo(1);
    commits.counted();
    commits.add();
    assertThat(commits.why()).contains("set commit data");
  }
}
