// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The search slow log of Elasticsearch (from 7) and OpenSearch in JSON, one object a line; that of
 * whole requests, which OpenSearch has since 2.12, too.
 *
 * <p>Used: the time, the source of the request, index and shard. One query: the first record of a
 * text; the records of the other shards, of this index or another, within seconds are repeats, and
 * fetch phases, indexing and requests for no result ({@code size} 0) are other records; a request
 * from an offset or behind a result ({@code search_after}) is for a further page. The {@code
 * X-Opaque-Id} is not used: it may name an application as well as a user. No clicks.
 */
final class SlowLogJson implements LogFormat {
  static final String NAME = "slowlog-json";

  /** In place of the shard, where a record is of a whole request; what no shard's number is. */
  static final int WHOLE = Integer.MAX_VALUE;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LogRecord read(String line) {
    return FlatJson.of(line).map(SlowLogJson::record).orElseGet(() -> new LogRemark(Fate.BAD_JSON));
  }

  private static LogRecord record(Map<String, String> json) {
    String logger = first(json, "log.logger", "component", "event.dataset");
    if (logger != null && (logger.endsWith("fetch") || isIndexing(logger))) {
      return new LogRemark(Fate.OTHER_RECORD);
    }
    String source = first(json, "elasticsearch.slowlog.source", "source");
    if (source == null) {
      return new LogRemark(Fate.FIELD_MISSING);
    }
    Optional<LogRecord> record = QueryDsl.record(source);
    if (record.isEmpty()) {
      // The source is escaped twice where the log's layout escapes what was escaped already.
      record = FlatJson.unescaped(source).flatMap(QueryDsl::record);
    }
    if (record.isEmpty()) {
      return new LogRemark(Fate.BAD_JSON);
    }
    if (!(record.get() instanceof LogEntry entry)) {
      return record.get();
    }
    String time = first(json, "@timestamp", "timestamp");
    long second = time == null ? LogTime.NONE : LogTime.epochSecond(time);
    if (time != null && second == LogTime.NONE) {
      return new LogRemark(Fate.BAD_TIME);
    }
    if (logger != null && (logger.startsWith("c.s.r.") || logger.contains("search.request"))) {
      return entry.at(second).onShard(WHOLE);
    }
    String message = first(json, "elasticsearch.slowlog.message", "message");
    return entry.at(second).onShard(message == null ? -1 : shard(message));
  }

  /** Indexing has a source, too: the document. Version 7 shortens the names of loggers. */
  private static boolean isIndexing(String logger) {
    return logger.contains("index.indexing")
        || logger.contains("index_indexing")
        || logger.startsWith("i.i.s.");
  }

  private static String first(Map<String, String> json, String... names) {
    for (String name : names) {
      if (json.containsKey(name)) {
        return json.get(name);
      }
    }
    return null;
  }

  /**
   * A number for the shard of {@code [index][0]}, which may stand at the end of more; -1 without
   * one. Every index has a shard 0, so its name counts, too.
   */
  static int shard(String message) {
    int close = message.lastIndexOf(']');
    int open = message.lastIndexOf('[', close);
    if (open < 0 || close - open < 2 || Fields.number(message.substring(open + 1, close)) < 0) {
      return -1;
    }
    int index = Math.max(0, message.lastIndexOf('[', open - 1));
    byte[] shard = message.substring(index, close).getBytes(StandardCharsets.UTF_8);
    return (int) (Fingerprint.of(shard, 0, shard.length) >>> 33);
  }
}
