// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.divergence.Fragments;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/**
 * Turns text into {@link PageVersion}s by the analyzer that indexes it. Safe for use by several
 * threads.
 */
final class PageVersions {
  private final Analyzer analyzer;
  private final int wordsPerFragment;
  private final Map<String, Integer> workloadTerms = new HashMap<>();

  PageVersions(Analyzer analyzer, Workload workload, int wordsPerFragment) {
    this.analyzer = analyzer;
    this.wordsPerFragment = wordsPerFragment;
    for (int term = 0; term < workload.termCount(); term++) {
      workloadTerms.put(workload.term(term), term);
    }
  }

  /**
   * A text, analysed.
   *
   * @param fragments F(P), what divergence is measured on
   */
  record Analysed(PageVersion version, Fragments fragments) {}

  /** Analyses a text. */
  Analysed of(String text) {
    Map<String, int[]> counts = new HashMap<>();
    int[] words = new int[256];
    int length = 0;
    int stacked = 0;
    try (TokenStream tokens = analyzer.tokenStream(PageAnalysis.BODY, text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      PositionIncrementAttribute step = tokens.addAttribute(PositionIncrementAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        String word = term.toString();
        counts.computeIfAbsent(word, w -> new int[1])[0]++;
        words = length == words.length ? Arrays.copyOf(words, 2 * length) : words;
        words[length++] = word.hashCode();
        stacked += step.getPositionIncrement() == 0 ? 1 : 0;
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException("analysing a text in memory failed", e);
    }
    Fragments fragments = Fragments.of(words, length, wordsPerFragment);
    return new Analysed(version(counts, length, stacked, fingerprint(text)), fragments);
  }

  private PageVersion version(
      Map<String, int[]> counts, int length, int stacked, long fingerprint) {
    long[] found = new long[counts.size()];
    int n = 0;
    int highest = 0;
    for (Map.Entry<String, int[]> entry : counts.entrySet()) {
      int frequency = entry.getValue()[0];
      highest = Math.max(highest, frequency);
      Integer number = workloadTerms.get(entry.getKey());
      if (number != null) {
        found[n++] = (long) number << 32 | frequency;
      }
    }
    Arrays.sort(found, 0, n);
    return new PageVersion(
        PackedTerms.of(found, n), length, stacked, counts.size(), highest, fingerprint);
  }

  /** A 64-bit polynomial hash of a text. */
  static long fingerprint(String text) {
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = hash * 0x5DEECE66DL + text.charAt(i) + 1;
      hash ^= hash >>> 29;
    }
    return hash;
  }
}
