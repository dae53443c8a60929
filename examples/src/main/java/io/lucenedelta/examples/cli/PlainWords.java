// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.QueryContribution;
import java.util.Locale;

/** What a refresh did to one query's result, for people who do not know the formula. */
final class PlainWords {
  private PlainWords() {}

  /** One sentence without a full stop. */
  static String of(QueryContribution query) {
    String asked =
        query.frequency() == 1
            ? "asked once"
            : String.format(Locale.ROOT, "asked %s times", number(query.frequency()));
    return "%s: %s; %s".formatted(asked, move(query), effect(query));
  }

  private static String move(QueryContribution query) {
    boolean wasThere = query.scoreBefore() > 0;
    boolean isThere = query.scoreAfter() > 0;
    if (!wasThere) {
      return "the page enters the result at rank " + rank(query.rankAfter());
    }
    String before = rank(query.rankBefore());
    if (!isThere) {
      return "the page leaves the result, where it had rank " + before;
    }
    if (query.rankBefore() == query.rankAfter()) {
      return "the page stays at rank " + before;
    }
    String verb = query.rankAfter() < query.rankBefore() ? "rises" : "falls";
    return "the page %s from rank %s to %s".formatted(verb, before, rank(query.rankAfter()));
  }

  private static String effect(QueryContribution query) {
    if (query.own() == 0 && query.others() == 0) {
      return "users notice nothing";
    }
    String own =
        query.scoreAfter() == 0
            ? "no user needs it there"
            : "users %s %s by seeing it %s often"
                .formatted(
                    query.own() >= 0 ? "gain" : "lose",
                    number(Math.abs(query.own())),
                    query.own() >= 0 ? "more" : "less");
    if (query.others() == 0) {
      return own;
    }
    return "%s, and %s %s by seeing the pages it %s %s often"
        .formatted(
            own,
            query.others() > 0 ? "they gain" : "they lose",
            number(Math.abs(query.others())),
            query.others() > 0 ? "makes room for" : "overtakes",
            query.others() > 0 ? "more" : "less");
  }

  private static String rank(double rank) {
    return rank == Math.rint(rank)
        ? String.format(Locale.ROOT, "%.0f", rank)
        : String.format(Locale.ROOT, "about %.1f", rank);
  }

  private static String number(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.3g", value)
            .replaceAll("(\\.\\d*?)0+$", "$1")
            .replaceAll("\\.$", "");
  }
}
