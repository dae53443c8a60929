// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

import io.lucenedelta.delta.MeasuredRefresh;
import io.lucenedelta.delta.PageExplanation;
import io.lucenedelta.delta.PagePriority;
import io.lucenedelta.delta.QueryContribution;
import io.lucenedelta.examples.HtmlShell;
import io.lucenedelta.examples.LengthOfTime;
import io.lucenedelta.examples.MovedQueries;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.math.RoundingMode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** The pages of the search application as HTML; whatever is put in is text. */
final class SearchPages {
  /** So many letters of a title are shown: a page may be one title and nothing else. */
  private static final int SHOWN = 200;

  private static final String STYLE = HtmlShell.resource(SearchPages.class, "search.css");

  private SearchPages() {}

  /** A result with what measuring knows of its page. */
  record Result(SearchHit hit, Snippet snippet, Optional<PageHistory> history) {}

  static String results(String query, List<Result> results) {
    Document page = page(query.isBlank() ? "Search" : query, query);
    Element list = page.body().select("main").first();
    if (!query.isBlank() && results.isEmpty()) {
      list.appendElement("p").text("No page has all of these words.");
    }
    for (Result result : results) {
      Element entry = list.appendElement("article");
      SearchHit hit = result.hit();
      Element title = entry.appendElement("h2");
      link(title, hit.page(), hit.title().isBlank() ? hit.page() : shown(hit.title()));
      entry.appendElement("p").addClass("address").text(hit.page());
      Element text = entry.appendElement("p");
      for (Snippet.Part part : result.snippet().parts()) {
        text.appendElement(part.found() ? "mark" : "span").text(part.text());
      }
      Element due = entry.appendElement("p").addClass("due");
      due.appendText(result.history().map(SearchPages::fetched).orElse("not measured yet") + " · ");
      due.appendElement("a")
          .attr("href", "/why?page=" + encoded(hit.page()))
          .text("why is it due?");
    }
    return page.outerHtml();
  }

  /** Cut where it is long, not within a character. */
  private static String shown(String title) {
    if (title.length() <= SHOWN) {
      return title;
    }
    int end = Character.isLowSurrogate(title.charAt(SHOWN)) ? SHOWN - 1 : SHOWN;
    return title.substring(0, end) + " …";
  }

  static String next(List<PagePriority> pages) {
    Document page = page("Pages to fetch next", "");
    Element main = page.body().select("main").first();
    Element rows =
        table(
            main,
            "Pages to fetch next",
            List.of("rank", "page", "priority", "rate a day", "last fetched", "measured"));
    int rank = 0;
    for (PagePriority due : pages) {
      Element row = rows.appendElement("tr");
      cells(row, String.valueOf(++rank));
      rowHeader(row)
          .appendElement("a")
          .attr("href", "/why?page=" + encoded(due.page()))
          .text(due.page());
      cells(
          row,
          number(due.priority()),
          number(due.rate()),
          String.valueOf(due.lastRefresh()),
          String.valueOf(due.refreshes()));
    }
    return page.outerHtml();
  }

  static String why(PageExplanation explanation) {
    Document page = page("Why " + explanation.page() + " is due", "");
    Element main = page.body().select("main").first();
    link(main.appendElement("p"), explanation.page(), explanation.page());
    for (int i = 0; i < explanation.refreshes().size(); i++) {
      MeasuredRefresh refresh = explanation.refreshes().get(i);
      int visits = explanation.unmovedFrom(i);
      if (visits > 1) {
        i += visits - 1;
        main.appendElement("p").text(unmoved(refresh, explanation.refreshes().get(i), visits));
        continue;
      }
      main.appendElement("p").text(said(refresh, explanation.isFirstFetch(i)));
      if (!MovedQueries.of(refresh).listed().isEmpty()) {
        contributions(main, refresh);
      }
    }
    return page.outerHtml();
  }

  private static String unmoved(MeasuredRefresh last, MeasuredRefresh first, int visits) {
    return "%s back to %s: %d visits that changed no result."
        .formatted(last.fetched(), first.fetched(), visits);
  }

  private static String said(MeasuredRefresh refresh, boolean first) {
    if (!refresh.measured()) {
      String why =
          first
              ? "first recorded fetch, nothing dated to compare with."
              : "recorded, not measured.";
      return refresh.fetched() + ": " + why;
    }
    return String.format(
        Locale.ROOT,
        "%s: after %s this refresh changed the quality of results by %s.",
        refresh.fetched(),
        LengthOfTime.of(refresh.interval()),
        number(refresh.qualityChange()));
  }

  static String message(String text) {
    Document page = page("Search", "");
    page.body().select("main").first().appendElement("p").text(text);
    return page.outerHtml();
  }

  private static void contributions(Element main, MeasuredRefresh refresh) {
    Element rows =
        table(
            main,
            "Queries that the refresh of " + refresh.fetched() + " moved",
            List.of("query", "asked", "rank before", "rank after", "contribution"));
    MovedQueries queries = MovedQueries.of(refresh);
    for (QueryContribution query : queries.listed()) {
      Element row = rows.appendElement("tr");
      rowHeader(row)
          .appendElement("a")
          .attr("href", "/?q=" + encoded(query.query()))
          .text(query.query());
      cells(
          row,
          number(query.frequency()),
          rank(query.rankBefore()),
          rank(query.rankAfter()),
          number(query.total()));
    }
    if (queries.others() > 0) {
      Element row = rows.appendElement("tr");
      rowHeader(row).text("and up to " + queries.others() + " more");
      cells(row, "", "", "", number(queries.othersChange()));
    }
  }

  private static Document page(String title, String query) {
    Document page = HtmlShell.titled(title, STYLE);
    Element form = page.body().appendElement("form").attr("action", "/");
    form.appendElement("input")
        .attr("name", "q")
        .attr("value", query)
        .attr("aria-label", "Search")
        .attr("placeholder", "Search the pages");
    form.appendElement("button").text("Search");
    form.appendElement("a").attr("href", "/next").text("pages to fetch next");
    page.body().appendElement("main").appendElement("h1").text(title);
    return page;
  }

  /** A table with a name and headers, as screen readers tell them; returns its body. */
  private static Element table(Element parent, String name, List<String> columns) {
    Element table = parent.appendElement("table").attr("aria-label", name);
    Element header = table.appendElement("thead").appendElement("tr");
    for (String column : columns) {
      header.appendElement("th").attr("scope", "col").text(column);
    }
    return table.appendElement("tbody");
  }

  /** The cell that says what its row is of. */
  private static Element rowHeader(Element row) {
    return row.appendElement("th").attr("scope", "row");
  }

  private static void cells(Element row, String... texts) {
    for (String text : texts) {
      row.appendElement("td").text(text);
    }
  }

  /** Links to Web addresses only: a page's key may be anything, a script too. */
  private static void link(Element parent, String address, String text) {
    if (address.startsWith("https://") || address.startsWith("http://")) {
      parent.appendElement("a").attr("href", address).text(text);
    } else {
      parent.appendText(text);
    }
  }

  private static String fetched(PageHistory history) {
    return "fetched "
        + history.lastRefresh()
        + ", "
        + history.refreshes()
        + (history.refreshes() == 1 ? " refresh" : " refreshes")
        + " measured, together worth "
        + number(history.totalGain());
  }

  private static String rank(double rank) {
    return Double.isInfinite(rank) ? "not in the result" : plain(rank, 1);
  }

  /** Four digits, or all before the dot: a count is no 34.00, and few read 7.591e+05. */
  private static String number(double value) {
    if (value == 0) {
      return "0";
    }
    int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
    return magnitude < -4
        ? String.format(Locale.ROOT, "%.3e", value)
        : plain(value, Math.max(0, 3 - magnitude));
  }

  private static String plain(double value, int decimals) {
    NumberFormat format = NumberFormat.getInstance(Locale.ROOT);
    format.setMaximumFractionDigits(decimals);
    format.setRoundingMode(RoundingMode.HALF_UP);
    return format.format(value);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
