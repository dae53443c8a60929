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

/**
 * A piece of a page's text around the first word that was searched for, or its start, if none
 * occurs; cut at white space, or between two characters where there is none nearby.
 */
record Snippet(List<Part> parts) {
  private static final int BEFORE = 60;
  private static final int LENGTH = 260;

  /** How far a cut may move to find white space, in {@code char}s; many scripts have none. */
  private static final int REACH = 40;

  /** A stretch of text, a word that was searched for or not. */
  record Part(String text, boolean found) {}

  private record Place(int start, int end) {}

  static Snippet of(String text, Set<String> words, Analyzer analyzer) throws IOException {
    List<Place> places = places(text, words, analyzer);
    int from = places.isEmpty() ? 0 : Math.max(0, places.get(0).start() - BEFORE);
    from = from == 0 ? 0 : startAfter(text, from);
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
    int end = to == text.length() ? to : Math.max(at, endBefore(text, to));
    parts.add(new Part(text.substring(at, end) + (end < text.length() ? " …" : ""), false));
    return new Snippet(parts);
  }

  /** The start of a word at or soon after {@code from}, which is at least 1. */
  private static int startAfter(String text, int from) {
    for (int at = from; at < Math.min(text.length(), from + REACH); at++) {
      if (isSpace(text.charAt(at - 1)) && !isSpace(text.charAt(at))) {
        return at;
      }
    }
    return betweenCharacters(text, from);
  }

  /** The end of a word at or soon before {@code to}, which is within the text. */
  private static int endBefore(String text, int to) {
    for (int at = to; at > Math.max(0, to - REACH); at--) {
      if (isSpace(text.charAt(at)) && !isSpace(text.charAt(at - 1))) {
        return at;
      }
    }
    return betweenCharacters(text, to);
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  private static int betweenCharacters(String text, int at) {
    return Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
  }

  /** Where words stand that were searched for, as far as a snippet may reach from the first. */
  private static List<Place> places(String text, Set<String> words, Analyzer analyzer)
      throws IOException {
    List<Place> places = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream(PageAnalysis.BODY, text)) {
      CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
      OffsetAttribute place = tokens.addAttribute(OffsetAttribute.class);
      tokens.reset();
      boolean near = true;
      while (near && tokens.incrementToken()) {
        near = places.isEmpty() || place.startOffset() <= places.get(0).start() + LENGTH;
        if (near && words.contains(word.toString())) {
          places.add(new Place(place.startOffset(), place.endOffset()));
        }
      }
      tokens.end();
    }
    return places;
  }
}
