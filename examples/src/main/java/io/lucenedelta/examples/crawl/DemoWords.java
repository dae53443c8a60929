// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;

/**
 * A list of words from which texts draw with Zipf's frequencies (exponent 1): the first word is the
 * most frequent. Words of a generated vocabulary can be pronounced and mean nothing.
 */
final class DemoWords {
  private static final String[] ONSETS = {
    "b", "d", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "br", "pl", "st", "tr", "th"
  };
  private static final String[] VOWELS = {"a", "a", "e", "e", "i", "i", "o", "o", "u", "ea"};
  private static final String[] ENDINGS = {"", "", "n", "r", "l", "m", "s", "t", "ng", "nd"};

  private final List<String> words;
  private final ZipfDistribution ranks;
  private final RandomGenerator random;

  private DemoWords(List<String> words, RandomGenerator random) {
    this.words = words;
    this.ranks = new ZipfDistribution(random, words.size(), 1);
    this.random = random;
  }

  /**
   * A vocabulary of {@code size} different words, short ones most frequent as in real languages.
   */
  static DemoWords vocabulary(int size, RandomGenerator random) {
    Set<String> made = new LinkedHashSet<>();
    while (made.size() < size) {
      made.add(word(made.size() % 4 == 3 ? 3 : 2, random));
    }
    List<String> words = new ArrayList<>(made);
    words.sort(Comparator.comparingInt(String::length));
    return new DemoWords(words, random);
  }

  /** Some words of this list, each equally likely at any place: what a site or page is about. */
  DemoWords topic(int size) {
    Set<String> chosen = new LinkedHashSet<>();
    while (chosen.size() < size) {
      chosen.add(words.get(random.nextInt(words.size())));
    }
    return new DemoWords(new ArrayList<>(chosen), random);
  }

  /** A word, drawn by Zipf's frequencies. */
  String draw() {
    return words.get(ranks.sample() - 1);
  }

  /** Up to {@code count} different words, drawn by Zipf's frequencies, in the order drawn. */
  List<String> drawDistinct(int count) {
    Set<String> drawn = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      drawn.add(draw());
    }
    return new ArrayList<>(drawn);
  }

  private static String word(int syllables, RandomGenerator random) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < syllables; i++) {
      word.append(oneOf(ONSETS, random)).append(oneOf(VOWELS, random));
    }
    return word.append(oneOf(ENDINGS, random)).toString();
  }

  private static String oneOf(String[] choices, RandomGenerator random) {
    return choices[random.nextInt(choices.length)];
  }
}
