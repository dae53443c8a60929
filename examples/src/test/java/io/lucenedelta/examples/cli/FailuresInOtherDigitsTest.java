// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("the default locale is the whole JVM's")
class FailuresInOtherDigitsTest {
  @Test
  void theOptionToGiveIsOneThatAJvmTakes() {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat("%d".formatted(4)).isEqualTo("\u0664");
      assertThat(Failures.notEnough("Java heap space", 512L << 20)).contains("512 MB", " -Xmx4g,");
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }
}
