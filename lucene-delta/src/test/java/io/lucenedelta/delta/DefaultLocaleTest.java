// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultLocaleTest {
  @ParameterizedTest
  @CsvSource({"tr, TR", "ar, EG"})
  void oneThatChronicleMapCannotCompileInIsRefusedWithWhatToDo(
      String language, String country, @TempDir Path folder) throws Exception {
    List<String> flags = List.of("-Duser.language=" + language, "-Duser.country=" + country);
    assertThat(Child.run(LocaleProgram.class, flags, folder)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"TR", "EG"})
  void whatIsToBeDoneHelps(String country, @TempDir Path folder) throws Exception {
    List<String> flags = List.of("-Duser.language=en", "-Duser.country=" + country);
    assertThat(Child.run(LocaleProgram.class, flags, folder)).as("opens at once").isEqualTo(2);
  }
}
