// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;

class LuceneReleaseTest {
  @Test
  void aReleaseThatIsTooOldIsNamed() {
    assertThatIllegalStateException()
        .isThrownBy(() -> LuceneRelease.require(Version.fromBits(10, 2, 2)))
        .withMessage(
            "measuring needs Lucene 10.3.0 or newer, this is 10.2.2; "
                + "ask the build for a newer lucene-core");
    assertThatIllegalStateException()
        .isThrownBy(() -> LuceneRelease.require(Version.fromBits(9, 12, 3)));
  }

  @Test
  void laterReleasesAreTaken() {
    LuceneRelease.require(Version.fromBits(10, 3, 0));
    LuceneRelease.require(Version.fromBits(11, 0, 0));
    LuceneRelease.require(Version.LATEST);
  }

  @Test
  void theReleaseOnTheClassPathIsTheOneThatTheBuildMeans() {
    String expected = System.getProperty("lucene.expected");
    assumeThat(expected).as("named by builds that replace it").isNotNull();
    assertThat(Version.LATEST).hasToString(expected);
  }
}
