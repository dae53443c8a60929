// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The search slow log of Elasticsearch and OpenSearch as text: {@code [time][level][logger] [node]
 * [index][shard] took[…], …, source[{…}], id[…]}.
 *
 * <p>Used and counted as in {@link SlowLogJson}.
 */
final class SlowLogText implements LogFormat {
  static final String NAME = "slowlog-text";
  private static final String SOURCE = " source[";
  private static final String TOOK = " took[";
  private static final Pattern QUERY =
      Pattern.compile("(?:search\\.slowlog|i\\.s\\.s)\\.query\\s*+]");

  /** OpenSearch tells of a whole request, too, from version 2.12 on. */
  private static final Pattern REQUEST =
      Pattern.compile("(?:cluster\\.search\\.request|c\\.s\\.r)\\.slowlog\\s*+]");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LogRecord read(String line) {
    int timeEnd = line.indexOf(']');
    int took = line.indexOf(TOOK);
    if (!line.startsWith("[") || timeEnd < 0 || took < 0) {
      return new LogRemark(Fate.OTHER_FORM);
    }
    boolean isWhole = REQUEST.matcher(line).region(0, took).find();
    if (!isWhole && !QUERY.matcher(line).region(0, took).find()) {
      return new LogRemark(Fate.OTHER_RECORD);
    }
    int source = line.indexOf(SOURCE, took);
    int end = line.indexOf("], id[", Math.max(source, 0));
    end = end < 0 ? line.lastIndexOf(']') : end;
    if (source < 0 || end < source + SOURCE.length()) {
      return new LogRemark(Fate.FIELD_MISSING);
    }
    long second = LogTime.epochSecond(line.substring(1, timeEnd));
    if (second == LogTime.NONE) {
      return new LogRemark(Fate.BAD_TIME);
    }
    Optional<LogRecord> record = QueryDsl.record(line.substring(source + SOURCE.length(), end));
    if (record.isEmpty()) {
      return new LogRemark(Fate.BAD_JSON);
    }
    return record.get() instanceof LogEntry entry
        ? entry
            .at(second)
            .onShard(isWhole ? SlowLogJson.WHOLE : SlowLogJson.shard(line.substring(0, took)))
        : record.get();
  }
}
