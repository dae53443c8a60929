// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.Map;

/** What each strategy of the catalogue does, in a sentence for people who know none of them. */
final class StrategyIdeas {
  private static final Map<String, String> SENTENCES =
      Map.ofEntries(
          Map.entry("never", "Fetches nothing: the lower reference."),
          Map.entry(
              "user-centric",
              "The strategy of the 2005 paper: first the pages whose past refreshes changed what users see most, by time since the last fetch."),
          Map.entry(
              "user-utility",
              "This project's own: fetches where waiting costs users most, by what the page and pages like it changed in results before."),
          Map.entry(
              "user-utility-variants",
              "The project's own with one choice made otherwise in each setting."),
          Map.entry("uniform", "Fetches all pages equally often, the longest unvisited first."),
          Map.entry(
              "staleness",
              "Keeps as many pages up to date as possible, whoever searches for them."),
          Map.entry(
              "embarrassment", "Keeps clicks from landing on pages that no longer fit the query."),
          Map.entry(
              "fragment-static",
              "Fetches a page when its text has, by its usual course, changed by much and mostly lately: what changed soon after a fetch and stood still since counts little."),
          Map.entry(
              "holistic-static",
              "The same with any change of a page counted as a change of the whole."),
          Map.entry(
              "fragment-dynamic",
              "A reference that sees the live page: fetches it when it has changed by much and mostly lately; what changed soon after a fetch and stood still counts little."),
          Map.entry(
              "holistic-dynamic",
              "The same reference with any change of a page counted as a change of the whole."),
          Map.entry(
              "curve-fitting",
              "Learns on the way the curve by which each page drifts away from a copy, and fetches it when waiting no longer pays."),
          Map.entry(
              "bound-based",
              "Lengthens and shortens each page's interval by bounds on how far the page has drifted away."),
          Map.entry(
              "cgm",
              "Estimates on the way how often each page changes, and keeps as many up to date as possible."),
          Map.entry(
              "site-metadata", "Fetches what sites say has changed, the longest waiting first."),
          Map.entry(
              "content-provider",
              "Weighs how long a page has been out of date with how many users met it, by what its site tells."),
          Map.entry(
              "incremental-buckets",
              "Puts pages of similar change rate into buckets and decides for each bucket how often to fetch."),
          Map.entry("polling", "Fetches each page in proportion to how often it changes."),
          Map.entry(
              "site-sampling",
              "Fetches a few pages of each site, then more of the sites that had changed most."),
          Map.entry(
              "cluster-sampling",
              "Groups pages that look alike, watches a few of each group and fetches from the groups that change most."),
          Map.entry(
              "lambda-crawl",
              "Lets no important page miss many changes: each further change missed costs less than the one before."),
          Map.entry(
              "adaptive-interval",
              "Waits longer for a page that was found unchanged and less for one that changed, as Apache Nutch does."),
          Map.entry(
              "clairvoyant",
              "The upper reference: sees the live pages as they are now and takes greedily those that gain most this week; a strategy that looks ahead could beat it."));

  private StrategyIdeas() {}

  /** The sentence; empty for a strategy that has none. */
  static String of(String policy) {
    return SENTENCES.getOrDefault(policy, "");
  }
}
