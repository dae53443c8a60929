// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
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

  @Test
  void flagsThatLackAreNamed() throws Exception {
    assertThat(Child.printed(OpeningProgram.class, List.of(), folder))
        .contains(
            "IllegalStateException: the JVM lacks flags that the page store needs; add to its"
                + " command line: --add-opens=java.base/java.lang=ALL-UNNAMED"
                + " --add-opens=java.base/java.lang.reflect=ALL-UNNAMED"
                + " --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
                + System.lineSeparator());
  }

  /** As newer JVMs will deny it that are not told to. */
  @Test
  @EnabledForJreRange(minVersion = 23, disabledReason = "older ones do not know the flag")
  void aJvmThatDeniesAccessToMemoryIsRefusedWithTheFlagThatAllowsIt() throws Exception {
    List<String> flags = new ArrayList<>(Child.opening());
    flags.add("--sun-misc-unsafe-memory-access=deny");
    assertThat(Child.printed(OpeningProgram.class, flags, folder))
        .contains(
            "IllegalStateException: the JVM lacks flags that the page store needs; add to its"
                + " command line: --sun-misc-unsafe-memory-access=allow"
                + System.lineSeparator());
  }
}
