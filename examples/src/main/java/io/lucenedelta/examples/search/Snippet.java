// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

import io.lucenedelta.examples.crawl.PageAnalysis;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/** A piece of a page's text around the first word that was searched for, cut at blanks. */
record Snippet(List<Part> parts) {
  private static final int BEFORE = 60;
  private static final int LENGTH = 260;

  /** A stretch of text, a word that was searched for or not. */
  record Part(String text, boolean found) {}

  private record Place(int start, int end) {}

  static Snippet of(String text, Set<String> words, Analyzer analyzer) throws IOException {
    List<Place> places = places(text, words, analyzer);
    int from = places.isEmpty() ? 0 : Math.max(0, places.get(0).start() - BEFORE);
    from = from == 0 ? 0 : text.indexOf(' ', from) + 1;
    int to = Math.min(text.length(), from + LENGTH);
    List<Part> parts = new ArrayList<>();
    int at = from;
    for (Place place : places) {
      if (place.start() >= at && place.end() <= to) {
        parts.add(new Part(text.substring(at, place.start()), false));
        parts.add(new Part(text.substring(place.start(), place.end()), true));
        at = place.end();
      }
    }
    int end = to == text.length() ? to : Math.max(at, text.lastIndexOf(' ', to));
    parts.add(new Part(text.substring(at, end) + (end < text.length() ? " …" : ""), false));
    return new Snippet(parts);
  }

  private static List<Place> places(String text, Set<String> words, Analyzer analyzer)
      throws IOException {
    List<Place> places = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream(PageAnalysis.BODY, text)) {
      CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
      OffsetAttribute place = tokens.addAttribute(OffsetAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        if (words.contains(word.toString())) {
          places.add(new Place(place.startOffset(), place.endOffset()));
        }
      }
      tokens.end();
    }
    return places;
  }
}
