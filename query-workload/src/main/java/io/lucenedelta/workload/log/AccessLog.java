// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Access logs of Apache and nginx, common or combined, where queries are a parameter of the
 * address: {@code 10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /search?q=credit+card HTTP/1.1"
 * 200 2326 "…" "…"}; anything may stand before the client's address, such as a virtual host ({@code
 * vhost_combined}) or what syslog writes.
 *
 * <p>Used: the time, the parameter with the query, a parameter with the page, the status, and
 * address with user agent to tell sessions apart (neither is stored). One query: a successful
 * request (status 2xx or 3xx) for the first page whose text the session did not ask within the
 * session window. Other records: what a method asks that is not answered with results, requests for
 * completions while typing, as far as their path or their parameter {@code action} says so, and
 * those for pictures, style sheets and fonts. No clicks.
 */
final class AccessLog implements LogFormat {
  static final String NAME = "access";

  /** Names of the parameter that holds the query, the likeliest first. */
  static final List<String> QUERY_PARAMETERS =
      List.of("q", "query", "search", "keywords", "keyword", "search_query", "text", "s");

  private static final List<String> OFFSET_PARAMETERS = List.of("start", "offset", "from", "first");

  /** Those that count results from 1, as in {@code from=1&to=10}. */
  private static final Set<String> FROM_ONE = Set.of("from", "first");

  private static final List<String> PAGE_PARAMETERS = List.of("page", "pg", "p");
  private static final int PAGE_LENGTH = 10;

  /** Methods whose answers show nobody a result; checks of a server's health use the first. */
  private static final Set<String> WITHOUT_RESULTS = Set.of("HEAD", "OPTIONS");

  /**
   * In a path or an action; the last two are MediaWiki's, the action as a whole, since in a path
   * the same word may stand for a search.
   */
  private static final Pattern COMPLETION =
      Pattern.compile(
          "suggest|complet|typeahead|/rest\\.php/v1/search/title|^opensearch$",
          Pattern.CASE_INSENSITIVE);

  /**
   * The end of a path that no page of results has: what is called {@code q} there is the quality of
   * a picture, and what is called {@code s} its size. The last paths are of what makes pictures
   * smaller.
   */
  private static final Pattern PICTURE =
      Pattern.compile(
          "\\.(?:avif|bmp|css|gif|ico|jpe?g|png|svg|ttf|webp|woff2?)$|/_(?:next/|vercel/)?image/?$",
          Pattern.CASE_INSENSITIVE);

  private static final String NOBODY = "-";

  /** In other parameters the words may be what is filtered by, or where a search came from. */
  private static final String ACTION = "action";

  /** What stands between words; proxies write a comma between the addresses of a chain. */
  private static final Pattern BETWEEN = Pattern.compile("[\\s,]+");

  /** Where the time begins; what syslog writes before it may have brackets, too. */
  private static final Pattern TIME = Pattern.compile("\\[(?=[0-9]{2}/[A-Za-z]{3}/)");

  private static final String IPV4 = "(?:[0-9]{1,3}\\.){3}[0-9]{1,3}";

  /** Shortened by two colons, or with seven: a time of day has digits and colons, too. */
  private static final String IPV6 = "(?=.*::|(?:[^:]*+:){7})[0-9A-Fa-f:.]++";

  private static final Pattern ADDRESS = Pattern.compile(IPV4 + "|" + IPV6);

  private static final Pattern ADDRESS_AND_PORT =
      Pattern.compile("(" + IPV4 + "):[0-9]{1,5}|\\[(" + IPV6 + ")\\](?::[0-9]{1,5})?");

  /** What only access logs have: method, address and status. Other logs quote text, too. */
  private static final Pattern REQUEST =
      Pattern.compile("\"[A-Z]+ [^\" ]++[^\"]*+\" [1-5][0-9]{2}\\b");

  private final List<String> queryParameters;

  /**
   * @param queryParameters names as a program has them or as they are sent, {@code %5B} for a
   *     bracket
   */
  AccessLog(List<String> queryParameters) {
    this.queryParameters = queryParameters.stream().map(FormDecoding::decode).toList();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LogRecord read(String line) {
    Matcher begin = TIME.matcher(line);
    int time = begin.find() ? begin.start() : line.indexOf('[');
    int timeEnd = line.indexOf(']', Math.max(time, 0));
    int request = line.indexOf('"', Math.max(timeEnd, 0));
    int requestEnd = closingQuote(line, request + 1);
    if (time < 0 || timeEnd < 0 || request < 0 || requestEnd < 0) {
      return new LogRemark(Fate.OTHER_FORM);
    }
    long second = LogTime.epochSecond(line.substring(time + 1, timeEnd));
    if (second == LogTime.NONE) {
      return new LogRemark(Fate.BAD_TIME);
    }
    String asked = line.substring(request + 1, requestEnd);
    int address = asked.indexOf(' ') + 1;
    int protocol = asked.lastIndexOf(" HTTP/");
    char status = requestEnd + 2 < line.length() ? line.charAt(requestEnd + 2) : ' ';
    boolean successful = status == '2' || status == '3';
    if (address == 0 || !successful || WITHOUT_RESULTS.contains(asked.substring(0, address - 1))) {
      return new LogRemark(Fate.OTHER_RECORD);
    }
    // some servers take, and write, addresses with blanks in them
    LogRecord record =
        request(asked.substring(address, protocol < address ? asked.length() : protocol));
    return record instanceof LogEntry entry
        ? entry.at(second).by(session(line, time, requestEnd))
        : record;
  }

  /** Client and agent; nobody where the client is left out, since many have one agent. */
  private static String session(String line, int time, int requestEnd) {
    String client = client(line, time, requestEnd);
    return client.equals(NOBODY) ? "" : client + agent(line, requestEnd);
  }

  private static String client(String line, int time, int requestEnd) {
    String forwarded = forwarded(line, requestEnd);
    return forwarded != null ? forwarded : client(line.substring(0, time));
  }

  /**
   * The client, of what stands before the time: the first address, one with a port only if there is
   * no other, since that may be a virtual host; without the port, which is another one with each
   * connection. Where clients have names, the word before the identity, which is a dash nearly
   * everywhere; the user behind it may have blanks in his name.
   */
  private static String client(String before) {
    String[] words = BETWEEN.split(before.strip(), -1);
    for (String word : words) {
      if (ADDRESS.matcher(word).matches()) {
        return word;
      }
    }
    for (String word : words) {
      Matcher withPort = ADDRESS_AND_PORT.matcher(word);
      if (withPort.matches()) {
        return withPort.group(1) != null ? withPort.group(1) : withPort.group(2);
      }
    }
    for (int word = 1; word < words.length; word++) {
      if (words[word].equals("-")) {
        return words[word - 1];
      }
    }
    return words[Math.max(0, words.length - 3)];
  }

  /**
   * Whether the first lines are requests. None of them need be a search: a page of results may come
   * after hundreds of images.
   */
  boolean matches(FirstLines firstLines) {
    return firstLines.readsAs(this)
        || FirstLines.mostly(
            firstLines.lines(),
            line -> REQUEST.matcher(line).find() && FirstLines.isReadable(this, line));
  }

  private LogRecord request(String address) {
    int mark = address.indexOf('?');
    String path = address.substring(0, Math.max(mark, 0));
    if (mark < 0 || COMPLETION.matcher(path).find()) {
      return new LogRemark(Fate.OTHER_RECORD);
    }
    FormDecoding.Sent form = FormDecoding.sent(address.substring(mark + 1), "\\x");
    Set<String> western = new HashSet<>();
    Map<String, String> parameters = FormDecoding.parameters(form.text(), western);
    if (COMPLETION.matcher(parameters.getOrDefault(ACTION, "")).find()) {
      return new LogRemark(Fate.OTHER_RECORD);
    }
    for (String name : queryParameters) {
      String text = parameters.get(name);
      if (text != null && !PICTURE.matcher(path).find()) {
        return LogEntry.of(text)
            .page(offset(parameters))
            .recoded(form.western() || western.contains(name));
      }
    }
    return new LogRemark(Fate.OTHER_RECORD);
  }

  /**
   * A paging parameter that is no number, or one too large for it, is none: other things are called
   * {@code from} too, such as where or on which day a journey begins.
   */
  private static int offset(Map<String, String> parameters) {
    for (String name : OFFSET_PARAMETERS) {
      int offset = Fields.number(parameters.getOrDefault(name, ""));
      int firstPage = FROM_ONE.contains(name) ? 1 : 0;
      if (offset > firstPage && offset < Fields.MOST_OFFSET) {
        return offset;
      }
    }
    for (String name : PAGE_PARAMETERS) {
      int page = Fields.number(parameters.getOrDefault(name, ""));
      if (page > 1 && page <= Fields.MOST_OFFSET / PAGE_LENGTH) {
        return (page - 1) * PAGE_LENGTH;
      }
    }
    return 0;
  }

  private static int closingQuote(String line, int from) {
    for (int at = from; at > 0 && at < line.length(); at++) {
      if (line.charAt(at) == '\\') {
        at++;
      } else if (line.charAt(at) == '"') {
        return at;
      }
    }
    return -1;
  }

  /**
   * The second quoted field behind the request, since the first is the referer, or the only one;
   * empty in the common format. Servers add fields at the end that differ with each request.
   */
  private static String agent(String line, int requestEnd) {
    String second = quoted(line, requestEnd, 2);
    return second != null ? second : Objects.requireNonNullElse(quoted(line, requestEnd, 1), "");
  }

  /**
   * The client that a proxy names behind the agent, as nginx's own format has it: before the time
   * stands the proxy then. Null if there is none.
   */
  private static String forwarded(String line, int requestEnd) {
    String third = quoted(line, requestEnd, 3);
    String first = third == null || third.isEmpty() ? "" : BETWEEN.split(third.substring(1), 2)[0];
    return ADDRESS.matcher(first).matches() ? first : null;
  }

  /**
   * A quoted field behind the request with the quote that opens it, counted from 1; empty if the
   * line ends within it, null if it has none.
   */
  private static String quoted(String line, int requestEnd, int number) {
    int begin = -1;
    int end = requestEnd;
    for (int field = 0; field < number; field++) {
      begin = end < 0 ? -1 : line.indexOf('"', end + 1);
      if (begin < 0) {
        return null;
      }
      end = closingQuote(line, begin + 1);
    }
    return end < 0 ? "" : line.substring(begin, end);
  }
}
