// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Request lines of Solr: {@code … path=/select params={q=…&start=0} hits=… status=0 QTime=…}.
 *
 * <p>Used: the time at the beginning, {@code q} (and its {@code v='text'}, or what it refers to by
 * {@code v=$name}), {@code start}, {@code cursorMark}, and of {@code json={…}} {@code query} and
 * {@code offset}. One query: a request with {@code q} and start 0, and without a cursor or with the
 * first one, {@code *}. Requests between shards ({@code isShard=true}) are repeats, and so is what
 * is said once more of a slow one within seconds; {@code *:*} asks for everything and counts as
 * empty; completions, requests of {@code /admin/} such as pings, those by which a searcher warms up
 * ({@code event=newSearcher}), those for no result ({@code rows=0}) and those with a status other
 * than 0 are other records. No clicks and no sessions: a text asked twice counts twice.
 */
final class SolrLog implements LogFormat {
  static final String NAME = "solr";
  private static final String PARAMS = " params={";
  private static final String FIRST_MARK = "*";
  private static final String JSON = "json";
  private static final String STATUS = " status=";
  private static final String PATH = " path=";

  /** The two ends of a request; apart, since together they would go to and fro in a long line. */
  private static final Pattern ASKED = Pattern.compile(" path=/\\S*+ params=\\{");

  /** What searchers are asked before anyone sees them. */
  private static final Set<String> WARMING = Set.of("firstSearcher", "newSearcher");

  /** In place of a shard: a slow request is told once more, there or in a log of its own. */
  private static final int OF_ALL = 0;

  private static final int OF_SLOW_ONES = 1;
  private static final Pattern SLOW = Pattern.compile("\\.SlowRequest\\b|\\bslow: ");

  /** The parameter {@code v} among the local ones: the name of a parameter, or a text in quotes. */
  private static final Pattern VALUE = Pattern.compile("[\\s!]v=(?:\\$([^\\s}]++)|(['\"]))");

  /** What follows the parameters, in which blanks are plus signs. */
  private static final Pattern END = Pattern.compile("} (?=[A-Za-z]++=)");

  private static final Pattern ANSWERED = Pattern.compile(" status=[0-9]++ QTime=[0-9]");

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Whether one of many lines is a request with a query. Starting, Solr writes hundreds of lines
   * that have no shape in common; so this is for logs in no other format, but for topics of TREC,
   * which lines that begin with the time of the day may look like.
   */
  boolean isAmong(List<String> lines) {
    return lines.stream().anyMatch(line -> isRequest(line) && !(read(line) instanceof LogRemark));
  }

  private static boolean isRequest(String line) {
    Matcher asked = ASKED.matcher(line);
    int close = asked.find() ? line.indexOf('}', asked.end()) : -1;
    return close >= 0 && ANSWERED.matcher(line).find(close);
  }

  @Override
  public LogRecord read(String line) {
    int params = line.indexOf(PARAMS);
    if (params < 0) {
      return new LogRemark(Fate.OTHER_RECORD);
    }
    int from = params + PARAMS.length();
    int to = endOfParameters(line, from);
    if (to < from) {
      return new LogRemark(Fate.OTHER_FORM);
    }
    Set<String> western = new HashSet<>();
    Map<String, String> parameters = FormDecoding.parameters(line.substring(from, to), western);
    Map<String, String> request = inJson(parameters);
    String text = request.getOrDefault("query", parameters.get("q"));
    if (text == null
        || !isSearch(line.substring(0, params))
        || WARMING.contains(parameters.getOrDefault("event", ""))
        || isFailed(line, to)) {
      return new LogRemark(Fate.OTHER_RECORD);
    }
    if ("true".equals(parameters.get("isShard"))) {
      return new LogRemark(Fate.SHARD_REPEAT);
    }
    int start = Fields.number(request.getOrDefault("offset", parameters.getOrDefault("start", "")));
    if (start < 0) {
      return new LogRemark(Fate.BAD_NUMBER);
    }
    int before = goesOn(parameters) ? Math.max(1, start) : start; // one result at least
    boolean isRecoded = western.contains(request.containsKey("query") ? JSON : "q");
    LogEntry entry = LogEntry.of(typed(text, parameters)).page(before).recoded(isRecoded);
    String rows = request.getOrDefault("limit", parameters.getOrDefault("rows", ""));
    if (rows.strip().equals("0") && !entry.text().isEmpty()) {
      return new LogRemark(Fate.OTHER_RECORD);
    }
    long second = line.length() < 19 ? LogTime.NONE : LogTime.epochSecond(line.substring(0, 19));
    boolean slow = SLOW.matcher(line).region(0, params).find();
    return entry.at(second).onShard(slow ? OF_SLOW_ONES : OF_ALL);
  }

  /** What is asked in the parameter of the JSON Request API, which goes before the others. */
  private static Map<String, String> inJson(Map<String, String> parameters) {
    return Optional.ofNullable(parameters.get(JSON)).flatMap(FlatJson::of).orElse(Map.of());
  }

  /** Whether a request is for what comes behind a mark that an earlier answer gave. */
  private static boolean goesOn(Map<String, String> parameters) {
    String mark = parameters.getOrDefault("cursorMark", FIRST_MARK).strip();
    return !mark.isEmpty() && !mark.equals(FIRST_MARK);
  }

  /** Completions and what asks whether the server lives are nobody's searches. */
  private static boolean isSearch(String beforeParameters) {
    int path = Math.max(0, beforeParameters.lastIndexOf(PATH)); // a core may have any name
    return beforeParameters.indexOf("suggest", path) < 0
        && !beforeParameters.startsWith(PATH + "/admin/", path);
  }

  /** Whether what follows the parameters tells of another status than 0. */
  private static boolean isFailed(String line, int from) {
    int status = line.indexOf(STATUS, from);
    int value = status + STATUS.length();
    return status >= 0 && !line.startsWith("0 ", value) && !line.substring(value).equals("0");
  }

  /**
   * Where the parameters end: at the brace before the hits, else before the status, else at the
   * first before anything else that has a name, else at the last one, for lines may be strings
   * within JSON, which goes on behind them; less than {@code from} if nowhere.
   */
  private static int endOfParameters(String line, int from) {
    for (String after : List.of("} hits=", "} status=")) {
      int end = line.lastIndexOf(after);
      if (end >= from) {
        return end;
      }
    }
    Matcher end = END.matcher(line);
    return end.find(from) ? end.start() : line.lastIndexOf('}');
  }

  /** Without local parameters, and without {@code *:*}. */
  private static String typed(String text, Map<String, String> parameters) {
    String typed = text.strip();
    if (typed.startsWith("({!") && typed.endsWith(")")) {
      typed = typed.substring(1, typed.length() - 1).strip();
    }
    if (typed.startsWith("{!")) {
      typed = withoutLocalParameters(typed, parameters);
    }
    return typed.equals("*:*") || typed.equals("*") ? "" : QueryText.withoutFields(typed);
  }

  private static String withoutLocalParameters(String text, Map<String, String> parameters) {
    Matcher value = VALUE.matcher(text);
    int close = text.indexOf('}');
    if (value.find() && (close < 0 || value.start() < close)) {
      return value.group(1) != null
          ? parameters.getOrDefault(value.group(1), "").strip()
          : quoted(text, value.end(), value.group(2).charAt(0)).strip();
    }
    return close < 0 ? "" : text.substring(close + 1).strip();
  }

  /** What stands up to the closing quote; a backslash takes the next character as it is. */
  private static String quoted(String text, int from, char quote) {
    StringBuilder content = new StringBuilder();
    for (int at = from; at < text.length() && text.charAt(at) != quote; at++) {
      at += text.charAt(at) == '\\' && at + 1 < text.length() ? 1 : 0;
      content.append(text.charAt(at));
    }
    return content.toString();
  }
}
