// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The words a person typed, out of a search request in the query language of Elasticsearch and
 * OpenSearch: the texts of full-text clauses, each once, wherever they stand. Filters, exclusions
 * and exact terms are an application's words, not a person's, and are passed over. So are clauses
 * whose last word is a prefix: they complete what somebody types, a request for each key. A request
 * that goes on behind a result ({@code search_after}) is for a further page, as one from an offset
 * is.
 */
final class QueryDsl {
  private static final Set<String> PASSED_OVER =
      Set.of(
          "filter",
          "must_not",
          "negative",
          "post_filter",
          "aggs",
          "aggregations",
          "sort",
          "_source",
          "highlight",
          "suggest",
          "rescore",
          "collapse",
          "script",
          "ext",
          "indices_boost",
          "match_phrase_prefix",
          "match_bool_prefix");
  private static final Set<String> BY_FIELD = Set.of("match", "match_phrase");
  private static final Set<String> ACROSS_FIELDS =
      Set.of("multi_match", "query_string", "simple_query_string", "combined_fields");

  private final Set<String> texts = new LinkedHashSet<>();
  private int from;
  private boolean forNoResult;
  private int intervals; // of those that are open

  private QueryDsl() {}

  /**
   * The query of a request, or another record if it is for no result but counts and facets; empty
   * if the source is not JSON.
   */
  static Optional<LogRecord> record(String source) {
    QueryDsl dsl = new QueryDsl();
    try (JsonParser parser = FlatJson.JSON.createParser(source)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      dsl.clause(parser, true);
    } catch (IOException broken) {
      return Optional.empty();
    }
    boolean showsNone = dsl.forNoResult && !source.contains("\"top_hits\""); // results in groups
    return Optional.of(
        showsNone && !dsl.texts.isEmpty()
            ? new LogRemark(Fate.OTHER_RECORD)
            : LogEntry.of(String.join(" ", dsl.texts)).page(dsl.from));
  }

  /** Reads an object or array to its end. */
  private void clause(JsonParser parser, boolean isRequest) throws IOException {
    boolean inArray = parser.currentToken() == JsonToken.START_ARRAY;
    JsonToken end = inArray ? JsonToken.END_ARRAY : JsonToken.END_OBJECT;
    while (parser.nextToken() != end) {
      if (parser.currentToken() == null) {
        return;
      }
      if (inArray) {
        if (parser.currentToken().isStructStart()) {
          clause(parser, false);
        }
        continue;
      }
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (isRequest && name.equals("from") && value == JsonToken.VALUE_NUMBER_INT) {
        from = Math.max(from, Fields.number(parser.getText()));
      } else if (isRequest && name.equals("size") && value == JsonToken.VALUE_NUMBER_INT) {
        forNoResult = parser.getText().equals("0");
      } else if (isRequest && name.equals("search_after") && value == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
          parser.skipChildren();
          from = Math.max(from, 1); // behind one result at least
        }
      } else {
        member(parser, name);
      }
    }
  }

  private void member(JsonParser parser, String name) throws IOException {
    if (PASSED_OVER.contains(name)) {
      parser.skipChildren();
    } else if (name.equals("intervals") && parser.currentToken().isStructStart()) {
      intervals++; // a match in them has no field, but an analyzer, and how far words are apart
      clause(parser, false);
      intervals--;
    } else if (intervals > 0
        && name.equals("match")
        && parser.currentToken() == JsonToken.START_OBJECT) {
      text(parser, parser.currentToken(), false);
    } else if (parser.currentToken() == JsonToken.START_OBJECT && BY_FIELD.contains(name)) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        text(parser, parser.nextToken(), false);
      }
    } else if (parser.currentToken() == JsonToken.START_OBJECT && ACROSS_FIELDS.contains(name)) {
      text(parser, parser.currentToken(), name.equals("query_string"));
    } else if (parser.currentToken().isStructStart()) {
      clause(parser, false);
    }
  }

  /** A text, or an object with the text under {@code query}, with names of fields or without. */
  private void text(JsonParser parser, JsonToken value, boolean namesFields) throws IOException {
    if (value == JsonToken.VALUE_STRING) {
      texts.add(parser.getText().strip());
    } else if (value == JsonToken.START_OBJECT) {
      String query = "";
      boolean isPrefix = false;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken() == JsonToken.VALUE_STRING && name.equals("query")) {
          query = parser.getText().strip();
        } else if (parser.currentToken() == JsonToken.VALUE_STRING && name.equals("type")) {
          isPrefix = parser.getText().endsWith("prefix"); // bool_prefix, phrase_prefix
        } else {
          parser.skipChildren();
        }
      }
      if (!isPrefix && !query.isEmpty()) {
        texts.add(namesFields ? QueryText.withoutFields(query) : query);
      }
    } else {
      parser.skipChildren();
    }
  }
}
