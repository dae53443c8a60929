// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TableOutputTest {
  @Test
  void whatIsEmptyOrNoFiniteNumberIsNullInJson() throws IOException {
    TableOutput table = new TableOutput("name", "value");
    table.row("nothing", null);
    table.row("no reason", "");
    table.row("no rank", Double.POSITIVE_INFINITY);
    table.row("unknown", Double.NaN);
    table.row("none", 0);
    table.row("reason", "no space");
    table.row("blank", " ");
    JsonNode rows = new ObjectMapper().readTree(printed(table, TableOutput.Format.JSON));
    assertThat(rows)
        .extracting(row -> row.get("value").toString())
        .containsExactly("null", "null", "null", "null", "0", "\"no space\"", "\" \"");
  }

  @Test
  void timesHaveOneFormInBothFormats() throws IOException {
    TableOutput table = new TableOutput("time");
    table.row(Instant.parse("2024-01-01T00:00:00Z"));
    table.row(Instant.parse("2024-01-01T00:00:00.123456Z"));
    String whole = "2024-01-01T00:00:00.000Z";
    String cut = "2024-01-01T00:00:00.123Z";
    assertThat(new ObjectMapper().readTree(printed(table, TableOutput.Format.JSON)))
        .extracting(row -> row.get("time").asText())
        .containsExactly(whole, cut);
    assertThat(printed(table, TableOutput.Format.TSV).lines()).containsExactly("time", whole, cut);
  }

  private static String printed(TableOutput table, TableOutput.Format format) throws IOException {
    StringWriter out = new StringWriter();
    table.print(format, new PrintWriter(out));
    return out.toString();
  }
}
