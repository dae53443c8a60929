// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first page store of a process, for which Chronicle Map would write and compile a class. */
class FirstOpeningTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"tr, TR", "ar, EG"})
  void theDefaultLocaleMaySpellJavaSourceAsItLikes(String language, String country)
      throws Exception {
    List<String> flags = List.of("-Duser.language=" + language, "-Duser.country=" + country);
    assertThat(Child.run(OpeningProgram.class, flags, folder)).isZero();
  }

  @Test
  void noJarHasToBeOnTheClassPathOfTheJvm() throws Exception {
    Path classes = Child.jarOf(OpeningProgram.class);
    assertThat(
            Child.runWith(
                List.of(classes), OpeningProgram.class, Child.opening(), folder, Child.classPath()))
        .isZero();
  }
}
