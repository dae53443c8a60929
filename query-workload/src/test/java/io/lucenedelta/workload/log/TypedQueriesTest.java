// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lucenedelta.workload.QueryCounts;
import io.lucenedelta.workload.QueryNormalizer;
import io.lucenedelta.workload.Workload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypedQueriesTest {
  private static final List<String> TYPED =
      List.of(
          "+garden -koi pond",
          "\"garden pond\" NOT koi",
          "site:example.org garden AND pond",
          "c++ e-mail",
          "yahoo!");

  @TempDir Path temporary;

  @Test
  void aProgramThatCountsQueriesItselfHasThoseOfALog() throws IOException {
    QueryNormalizer blanks = text -> text.isBlank() ? List.of() : List.of(text.split(" +"));
    Map<String, Double> read;
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      byte[] log = ("query\n" + String.join("\n", TYPED)).getBytes(StandardCharsets.UTF_8);
      ingest.read("log", new ByteArrayInputStream(log));
      read = frequencies(ingest.workload(blanks).workload());
    }
    assertThat(read).isEqualTo(Map.of("garden pond", 3.0, "c++ e-mail", 1.0, "yahoo!", 1.0));
    try (QueryCounts counts = new QueryCounts(temporary, QueryCounts.LEAST_HEAP_BYTES, 1)) {
      for (String text : TYPED) {
        counts.add(text, 1, 1);
      }
      assertThat(frequencies(counts.workload(TypedQueries.of(blanks)).workload())).isEqualTo(read);
      assertThat(frequencies(counts.workload(blanks).workload()))
          .as("texts as they are")
          .hasSize(TYPED.size())
          .containsKey("+garden -koi pond");
    }
  }

  @Test
  void aTextThatNobodyTypesHasNoTermsAsItsLineOfALogIsRejected() {
    QueryNormalizer typed = TypedQueries.of(text -> List.of(text.split(" ")));
    String longest = "garden" + "x".repeat(ParsedLines.LONGEST_TEXT - 6);
    assertThat(typed.terms("  " + longest + "\u3000\n")).containsExactly(longest);
    assertThat(typed.terms(longest + "x")).isEmpty();
    assertThat(typed.terms("-( ".repeat(1_000))).isEmpty();
  }

  @Test
  void whatIsMissingIsSaid() {
    assertThatNullPointerException()
        .isThrownBy(() -> TypedQueries.of(null))
        .withMessageEndingWith("was null");
    assertThatNullPointerException()
        .isThrownBy(() -> TypedQueries.of(List::of).terms(null))
        .withMessageEndingWith("was null");
  }

  private static Map<String, Double> frequencies(Workload workload) {
    Map<String, Double> frequencies = new TreeMap<>();
    for (int query = 0; query < workload.queryCount(); query++) {
      frequencies.put(workload.queryText(query), workload.frequency(query));
    }
    return frequencies;
  }
}
