// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.WorkloadIngest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NullArgumentsTest {
  private static final Workload WORKLOAD = Workload.builder().add(List.of("a"), 1).build();
  private static final IngestSettings USUAL = IngestSettings.usual(Path.of("nowhere"));

  @TempDir private static Path folder;

  private static Arguments call(String name, ThrowingCallable call) {
    return arguments(name, call);
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        call("add terms", () -> Workload.builder().add(null, 1)),
        call("add a term", () -> Workload.builder().add(Arrays.asList("a", null), 1)),
        call("open", () -> Workload.open(null)),
        call("write", () -> WORKLOAD.write(null)),
        call("filter", () -> WORKLOAD.filter(null)),
        call("merge", () -> WORKLOAD.merge(1, null, 0)),
        call("termNumber", () -> WORKLOAD.termNumber(null)),
        call("counts", () -> new QueryCounts(null, QueryCounts.LEAST_HEAP_BYTES, 1)),
        call("normalizer of no list", () -> normalized(null)),
        call("normalizer of no term", () -> normalized(Arrays.asList("a", null))),
        call("sessions", () -> USUAL.withSessions(null, 1, false)),
        call("ingest", () -> new WorkloadIngest(null)),
        call("read", NullArgumentsTest::readNothing));
  }

  private static void normalized(List<String> terms) throws Exception {
    try (QueryCounts counts = new QueryCounts(folder, QueryCounts.LEAST_HEAP_BYTES, 1)) {
      counts.add("text", 0, 1);
      counts.workload(text -> terms);
    }
  }

  private static void readNothing() throws Exception {
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(folder))) {
      ingest.read(null);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void whatIsMissingIsSaid(String name, ThrowingCallable call) {
    assertThatNullPointerException().as(name).isThrownBy(call).withMessageEndingWith("was null");
  }
}
