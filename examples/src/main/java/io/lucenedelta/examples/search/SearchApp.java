// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lucenedelta.delta.DeltaState;
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
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves three pages on this machine only: {@code /?q=words} results, {@code /why?page=KEY} why a
 * page is due, {@code /next} the refresh order.
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
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private SearchApp(Path index, PageSearch search, HttpServer server) {
    this.index = index;
    this.search = search;
    this.server = server;
  }

  /**
   * Starts serving.
   *
   * @param port 0 for any that is free
   * @throws java.nio.file.NoSuchFileException if there is no index, or nothing was measured in it
   */
  public static SearchApp start(Path index, int port) throws IOException {
    DeltaState.open(index).close();
    PageSearch search = new PageSearch(index);
    try {
      InetAddress local = InetAddress.getLoopbackAddress();
      HttpServer server = HttpServer.create(new InetSocketAddress(local, port), 0);
      SearchApp app = new SearchApp(index, search, server);
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

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      switch (exchange.getRequestURI().getPath()) {
        case "/" -> send(exchange, 200, results(parameter(exchange, "q")));
        case "/next" -> send(exchange, 200, next());
        case "/why" -> why(exchange, parameter(exchange, "page"));
        default -> send(exchange, 404, SearchPages.message("There is no such page here."));
      }
    } catch (IOException | RuntimeException e) {
      send(exchange, 500, SearchPages.message("The index could not be read: " + e.getMessage()));
    }
  }

  private String results(String query) throws IOException {
    Set<String> words = search.words(query);
    List<SearchPages.Result> results = new ArrayList<>();
    try (DeltaState state = DeltaState.open(index)) {
      PageHistories histories = state.histories();
      for (SearchHit hit : search.search(words, RESULTS)) {
        Snippet snippet = Snippet.of(hit.text(), words, search.analyzer());
        results.add(new SearchPages.Result(hit, snippet, histories.of(hit.page())));
      }
      return SearchPages.results(query, results);
    }
  }

  private String next() throws IOException {
    try (DeltaState state = DeltaState.open(index)) {
      return SearchPages.next(state.nextPages(NEXT, Instant.now()));
    }
  }

  private void why(HttpExchange exchange, String page) throws IOException {
    try (DeltaState state = DeltaState.open(index)) {
      var explanation = state.explain(page);
      if (explanation.isPresent()) {
        send(exchange, 200, SearchPages.why(explanation.get()));
      } else {
        send(
            exchange,
            404,
            SearchPages.message(
                "No refresh of page %s was recorded: it is not in the index, or was not fetched since"
                        .formatted(page)
                    + " measuring began."));
      }
    }
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

  private static void send(HttpExchange exchange, int status, String html) throws IOException {
    byte[] body = html.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }
}
