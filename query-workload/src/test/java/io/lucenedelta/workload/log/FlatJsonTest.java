// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlatJsonTest {
  /** Each of thousands of values in objects of long names would have these names once more. */
  @Test
  void whatHasALongPathTakesNoMoreRoomThanItsLine() {
    String name = "n".repeat(43_000);
    String scalars =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "\"" + i + "\":1")
            .collect(Collectors.joining(","));
    String nested = "{\"%s\":{\"%s\":{\"%s\":{%s}}}".formatted(name, name, name, scalars);
    String line = nested + ",\"user_query\":\"pond\",\"a\":{\"%s\":2}}".formatted(name);
    Map<String, String> values = FlatJson.of(line).orElseThrow();
    assertThat(values).containsEntry("user_query", "pond");
    assertThat(values.keySet().stream().mapToLong(String::length).sum()).isLessThan(line.length());
  }

  @Test
  void anObjectIsCheckedToItsEndThoughItsPathIsLong() {
    String name = "n".repeat(1000);
    assertThat(FlatJson.of("{\"%s\":{\"a\":1}}".formatted(name))).isPresent();
    assertThat(FlatJson.of("{\"%s\":{\"a\":1,}}".formatted(name))).isEmpty();
    assertThat(FlatJson.of("{\"%s\":{\"a\":1}".formatted(name))).isEmpty();
  }

  @Test
  void aLineOfALongPathAloneIsNoneThatPrecedesADocument() {
    String line = "{\"%s\":{\"%s\":1}}";
    UbiLog ubi = new UbiLog();
    String name = "n".repeat(1000);
    assertThat(ubi.read(line.formatted("index", name))).isEqualTo(new LogRemark(Fate.OTHER_RECORD));
    assertThat(ubi.read(line.formatted(name, "a"))).isEqualTo(new LogRemark(Fate.FIELD_MISSING));
  }
}
