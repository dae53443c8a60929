// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DeclaredCharsetTest {
  @Test
  void everyNameThatJavaKnowsIsKnown() {
    for (Charset charset : Charset.availableCharsets().values()) {
      assertThat(DeclaredCharset.of(charset.name())).as(charset.name()).isPresent();
      Set<String> aliases = charset.aliases();
      assertThat(aliases)
          .allMatch(
              alias ->
                  DeclaredCharset.of(alias).equals(DeclaredCharset.of(charset.name()))
                      && Charset.forName(alias).equals(charset));
    }
    assertThat(DeclaredCharset.of(" UTF-8\n")).contains(Charset.forName("UTF-8"));
    assertThat(DeclaredCharset.of("")).isEmpty();
    assertThat(DeclaredCharset.of("no such\u0000name")).isEmpty();
  }

  /** At this number asking Java for each would not end. */
  @Test
  @Timeout(600)
  void aPageMayNameCharsetsWithoutEndThatNobodyKnows() {
    for (int number = 0; number < 10_000_000; number++) {
      if (DeclaredCharset.of("x" + number).isPresent()) {
        throw new AssertionError("x" + number);
      }
    }
  }
}
