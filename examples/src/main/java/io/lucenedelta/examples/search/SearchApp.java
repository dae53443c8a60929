// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.examples.Reason;
import io.lucenedelta.scorer.refresh.PageHistories;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.IOFunction;

/**
 * Serves three pages on this machine only: {@code /?q=words} results, {@code /why?page=KEY} why a
 * page is due, {@code /next} the refresh order. Who asks for another host than this machine is not
 * answered.
 *
 * <p>Reads the index and its measurements anew for each request, so it always shows the last commit
 * of whoever writes. Each request has a thread of its own, so that one whose sender is slow holds
 * up no other.
 */
public final class SearchApp implements Closeable {
  private static final int RESULTS = 10;
  private static final int NEXT = 50;

  private final Path index;
  private final PageSearch search;
  private final HttpServer server;
  private final Consumer<String> log;
  private final Set<String> told = ConcurrentHashMap.newKeySet(); // troubles
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private SearchApp(Path index, PageSearch search, HttpServer server, Consumer<String> log) {
    this.index = index;
    this.search = search;
    this.server = server;
    this.log = log;
  }

  /**
   * Starts serving.
   *
   * @param port 0 for any that is free
   * @param log takes sentences for whoever runs it, from several threads: what was found wrong of
   *     the measurements, once each, and every request that failed
   * @throws java.nio.file.NoSuchFileException if there is no index, or nothing was measured in it
   * @throws IllegalArgumentException if its pages have no addresses or texts that can be searched
   */
  public static SearchApp start(Path index, int port, Consumer<String> log) throws IOException {
    List<String> troubles;
    try (DeltaState state = DeltaState.open(index)) {
      troubles = state.troubles();
    }
    PageSearch search = new PageSearch(index);
    try {
      InetAddress local = InetAddress.getLoopbackAddress();
      HttpServer server = HttpServer.create(new InetSocketAddress(local, port), 0);
      SearchApp app = new SearchApp(index, search, server, log);
      app.tell(troubles);
      search.doubt(index).ifPresent(log);
      server.createContext("/", app::answer);
      server.setExecutor(app.threads);
      server.start();
      return app;
    } catch (Throwable failure) {
      search.close();
      throw failure;
    }
  }

  /** Where to point a browser. */
  public URI address() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
  }

  @Override
  public void close() throws IOException {
    server.stop(0);
    threads.shutdownNow();
    search.close();
  }

  private record Answer(int status, String html) {
    static Answer of(String html) {
      return new Answer(200, html);
    }

    static Answer sorry(int status, String sentence) {
      return new Answer(status, SearchPages.message(sentence));
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      send(exchange, answerTo(exchange));
    }
  }

  /** Within the exchange, which must still be open when a failure is told. */
  private Answer answerTo(HttpExchange exchange) {
    List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
    if (hosts.size() != 1 || !LoopbackHost.isIn(hosts.get(0))) {
      return Answer.sorry(
          403, "This application answers for this machine only: ask for " + address() + ".");
    }
    try {
      return switch (exchange.getRequestURI().getPath()) {
        case "/" -> results(parameter(exchange, "q"));
        case "/next" -> next();
        case "/why" -> why(parameter(exchange, "page"));
        default -> Answer.sorry(404, "There is no such page here.");
      };
    } catch (IOException | RuntimeException e) {
      String sentence = "The index could not be read: " + Reason.of(e);
      log.accept(sentence);
      return Answer.sorry(500, sentence);
    }
  }

  /** Asks the measurements as they are now. */
  private Answer asked(IOFunction<DeltaState, Answer> question) throws IOException {
    try (DeltaState state = DeltaState.open(index)) {
      try {
        return question.apply(state);
      } finally {
        tell(state.troubles());
      }
    }
  }

  private void tell(List<String> troubles) {
    troubles.stream().filter(told::add).forEach(log);
  }

  private Answer results(String query) throws IOException {
    Set<String> words = search.words(query);
    if (words.size() > IndexSearcher.getMaxClauseCount()) {
      return Answer.sorry(
          400,
          String.format(
              Locale.ENGLISH,
              "These are %,d different words, and a search takes %,d at most: leave some out.",
              words.size(),
              IndexSearcher.getMaxClauseCount()));
    }
    return asked(
        state -> {
          List<SearchPages.Result> results = new ArrayList<>();
          PageHistories histories = state.histories();
          for (SearchHit hit : search.search(words, RESULTS)) {
            Snippet snippet = Snippet.of(hit.text(), words, search.analyzer());
            results.add(new SearchPages.Result(hit, snippet, histories.of(hit.page())));
          }
          return Answer.of(SearchPages.results(query, results));
        });
  }

  private Answer next() throws IOException {
    return asked(state -> Answer.of(SearchPages.next(state.nextPages(NEXT, Instant.now()))));
  }

  private Answer why(String page) throws IOException {
    return asked(
        state ->
            state
                .explain(page)
                .map(explanation -> Answer.of(SearchPages.why(explanation)))
                .orElseGet(
                    () ->
                        Answer.sorry(
                            404,
                            "No refresh of page %s was recorded: it is not in the index, or was not"
                                    .formatted(page)
                                + " fetched since measuring began.")));
  }

  private static String parameter(HttpExchange exchange, String name) {
    String query = exchange.getRequestURI().getRawQuery();
    for (String pair : query == null ? new String[0] : query.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.html().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(answer.status(), -1); // no body
      return;
    }
    exchange.sendResponseHeaders(answer.status(), body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }
}
