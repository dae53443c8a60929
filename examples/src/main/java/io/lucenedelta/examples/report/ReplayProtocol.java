// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.replay.ReplayRequest;
import io.lucenedelta.examples.replay.ReplayResult;
import io.lucenedelta.examples.replay.RunResult;
import io.lucenedelta.examples.replay.Scoring;
import io.lucenedelta.examples.replay.Strategies;
import io.lucenedelta.examples.replay.Tuning;
import io.lucenedelta.scorer.refresh.Knowledge;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a replay went, in sentences: whatever was set for it, so that a reader can do it again. */
final class ReplayProtocol {
  /** Figures have three digits, whatever chance has done to them. */
  static final String CHANCE =
      "Each figure is of one run, so a difference of some points may be chance. Budgets near each"
          + " other (--budgets 0.9%,1%,1.1%) show it, and so do parts of the pages (--addresses);"
          + " with the same pages another seed mostly changes ties alone.";

  private final ReplayResult result;
  private final ReplayRequest request;

  ReplayProtocol(ReplayResult result, ReplayRequest request) {
    this.result = result;
    this.request = request;
  }

  String text() {
    List<String> sentences = new ArrayList<>();
    sentences.add(start());
    if (request.hidden() > 0) {
      sentences.add(hidden());
    }
    sentences.add(
        "In each later week pages change, then the strategy spends its budget, then quality is"
            + " computed exactly, from the complete results of all queries.");
    sentences.add("Scores: " + result.scoring().label() + ".");
    importance(sentences);
    sentences.add(knowledge());
    others(Knowledge.HINDSIGHT, "The history in hindsight", sentences);
    others(Knowledge.ONLINE, "Only what has been fetched so far", sentences);
    hints(sentences);
    sentences.add(
        "Strategies with parameters were tried with "
            + (request.tuning().all() ? "every setting." : "a few settings."));
    thresholds(sentences);
    sentences.add("Texts are compared by runs of " + words() + ".");
    sentences.add("Seed: " + request.seed() + ".");
    sentences.add(CHANCE);
    return String.join(" ", sentences);
  }

  private int lastLearned() {
    return request.learnWeeks() - 1;
  }

  private String start() {
    return request.learnWeeks() == 0
        ? "The repository is in step with the Web in the first week, week 0."
        : String.format(
            Locale.ENGLISH,
            "Weeks 0 to %d are for learning alone: the repository is in step with the Web in week"
                + " %<d, and only the weeks after it are judged.",
            lastLearned());
  }

  private String hidden() {
    return share(request.hidden())
        + " of the pages are not in it: their addresses"
        + (request.titles() ? " and titles" : "")
        + " are known, but they were never fetched.";
  }

  /** Where strategies go by in-links that scores do not go by. */
  private void importance(List<String> sentences) {
    if (request.scoring() != Scoring.IMPORTANCE && !request.inlinks().isEmpty()) {
      sentences.add("In-links are known to strategies that weigh pages by them.");
    }
  }

  private String knowledge() {
    if (request.knowledge() == Knowledge.ONLINE) {
      return "Strategies know only what they have fetched so far (online).";
    }
    return request.learnWeeks() == 0
        ? "Strategies know the whole history of the pages, weeks to come included (hindsight)."
        : String.format(
            Locale.ENGLISH,
            "Strategies know the history of the pages up to week %d and nothing later (hindsight).",
            lastLearned());
  }

  /**
   * The strategies that know something else than was asked for, since they can do with nothing
   * else.
   */
  private void others(Knowledge knowledge, String what, List<String> sentences) {
    List<String> names =
        result.runs().stream()
            .filter(run -> run.knowledge() == knowledge && knowledge != request.knowledge())
            .map(RunResult::policy)
            .distinct()
            .toList();
    if (!names.isEmpty()) {
      sentences.add(what + " is known in any case to " + String.join(", ", names) + ".");
    }
  }

  private void hints(List<String> sentences) {
    if (request.hints() != null) {
      sentences.add(share(request.hints()) + " of the pages publish when they changed.");
    } else if (result.runs().stream().anyMatch(run -> run.settings().startsWith("coverage="))) {
      sentences.add(
          "No page publishes when it changed, but for strategies with a coverage among their"
              + " settings: that share does.");
    }
  }

  /** Where others than the usual ones were asked for, and tried. */
  private void thresholds(List<String> sentences) {
    List<Double> taus = request.tuning().taus();
    List<String> names =
        Strategies.WITH_THRESHOLDS.stream()
            .filter(name -> result.runs().stream().anyMatch(run -> run.policy().equals(name)))
            .toList();
    if (!names.isEmpty() && !taus.equals(Tuning.USUAL.taus())) {
      sentences.add(
          "Thresholds τ of "
              + String.join(" and ", names)
              + ": "
              + taus.stream().map(String::valueOf).collect(Collectors.joining(", "))
              + ".");
    }
  }

  private String words() {
    int words = request.tuning().fragmentWords();
    return words == 1 ? "1 word" : words + " words";
  }

  private static String share(double share) {
    return String.format(Locale.ROOT, "%.4g %%", 100 * share)
        .replaceFirst("(\\.\\d*?)0+ %", "$1 %")
        .replace(". %", " %");
  }
}
