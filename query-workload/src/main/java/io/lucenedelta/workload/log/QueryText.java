// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of a query without its operators: what stays is what the user wants to find.
 *
 * <ul>
 *   <li>{@code +word}, {@code "some words"} and parentheses lose their signs.
 *   <li>{@code -word}, {@code -"some words"} and {@code NOT word} go: the user does not want them.
 *       An exclamation mark is none: names such as Yahoo! have one.
 *   <li>{@code AND}, {@code OR}, {@code NEAR} in capitals go, unless the whole query is in
 *       capitals. Numbers alone do not make it so, nor does an acronym beside words of a script
 *       without capitals, such as Chinese.
 *   <li>{@code site:example.org} and the like restrict where to look and go; {@code title:word} and
 *       other fields that search engines know keep the word, and so does whatever stands before a
 *       colon and a quote or parenthesis, or has an underscore. Else a colon is part of a word, as
 *       in {@code xlink:href}: pages hold it as it stands.
 *   <li>Ranges such as {@code [10 TO 20]} go with their field, and so do words with wildcards,
 *       {@code gard*} and {@code te?t}: they stand for many words, of which no page needs to hold
 *       any one. {@code Lehrer*innen} stays: this star stands for itself, as in pages.
 *   <li>{@code word^3} and {@code word~2} lose their weights.
 *   <li>A text without blanks but with {@code +} or {@code %20} between words was encoded; it is
 *       decoded.
 * </ul>
 */
final class QueryText {
  private static final Set<String> BOOLEANS = Set.of("AND", "OR", "NEAR", "&&", "||");
  private static final String EXCLUSION = "NOT";
  private static final Set<String> PLACES =
      Set.of("site host domain link url inurl allinurl filetype image applet like".split(" "));
  private static final Set<String> FIELDS =
      Set.of(
          ("title intitle allintitle text intext allintext body inbody "
                  + "content contents anchor inanchor allinanchor author subject "
                  + "keywords description name define")
              .split(" "));
  private static final Pattern ENCODED = Pattern.compile("[^\\s+]\\+[^\\s+]|%[0-9A-Fa-f]{2}");
  private static final Pattern FIELD =
      Pattern.compile("([A-Za-z_][A-Za-z_0-9.]*+):(?=[^\\s:])(?!//)");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final String HEBREW = "[\\p{IsHebrew}&&[\\p{L}\\p{M}]]";

  /** Behind a quote: that it is not within a Hebrew acronym, where tokenizers keep it. */
  private static final String OF_NO_ACRONYM = "(?:(?!" + HEBREW + ")|(?<!" + HEBREW + "\"))";

  private static final String OF_ACRONYM = "(?=" + HEBREW + ")(?<=" + HEBREW + "\")";
  private static final String QUOTED =
      "\"" + OF_NO_ACRONYM + "[^\"]*+(?:\"" + OF_ACRONYM + "[^\"]*+)*+\"";
  private static final Pattern FIELD_OF_WORD =
      Pattern.compile(QUOTED + "|(?<![^\\s(+])([A-Za-z_][\\w.]*+):(?=[^\\s:])(?!//)");

  /** Two deep in others; one that is deeper, or does not end, ends with the first of them. */
  private static final String PARENTHESES =
      "\\((?:[^()]++|\\((?:[^()]++|\\([^()]*+\\))*+\\))*+\\)|\\([^)]*+\\)";

  /** One without its end is looked through to the end of the text: texts need a bound. */
  private static final String GROUP =
      "(?:" + QUOTED + "|\u201c[^\u201d]*+\u201d|" + PARENTHESES + ")";

  private static final Pattern PLACE_OF_GROUP =
      Pattern.compile("(?<!\\S)[+-]?(?i:" + String.join("|", PLACES) + "):" + GROUP);
  private static final Pattern FIELD_OF_GROUP =
      Pattern.compile("(?<!\\S)([+-]?)[A-Za-z_][\\w.]*:(?=[\"\u201c(])");
  private static final Pattern EXCLUDED_GROUP = Pattern.compile("(?<!\\S)(?:-|NOT\\s+)" + GROUP);
  private static final Pattern RANGE =
      Pattern.compile(
          "(?<![^\\s(])(?:NOT\\s++)?[+-]?(?:[^\\s:()\"\\[\\]{}]++:)?"
              + "[\\[{]\\s*+[^\\s\\[\\]{}]++\\s++TO\\s++[^\\s\\[\\]{}]++\\s*+[\\]}]");

  /** Or a mark: some vowels of Hindi and Thai are, say, and accents that stand apart. */
  private static final String LETTER = "[\\p{L}\\p{M}]";

  private static final Pattern STAR = Pattern.compile(LETTER + "{2}\\*|\\*" + LETTER + "{2}");

  /** The star of {@code Lehrer*in} and {@code Lehrer*innen}, as people of all genders are named. */
  private static final Pattern ALL_GENDERS =
      Pattern.compile("(?<=\\p{L})\\*(?i:in(?:nen)?)(?![\\p{L}\\p{M}*])");

  private static final Pattern ONE_UNKNOWN =
      Pattern.compile(
          "(?<![^\\s(])(?:NOT\\s++)?[+-]?" + LETTER + "++(?:\\?" + LETTER + "++)++(?![^\\s)])");
  private static final Pattern WEIGHT =
      Pattern.compile("(?<=\\S)(?:[\\^~][0-9.]*+){1,2}+(?=[\\s)\"]|$)");
  private static final Pattern SIGNS =
      Pattern.compile("[\"()\\[\\]{}\\u201c\\u201d]" + OF_NO_ACRONYM);

  private QueryText() {}

  /**
   * A text in Lucene's query syntax, where a word before a colon is the name of a field, but in
   * quotes. That of what is excluded stays: it goes with it. Words with a question mark in them go,
   * as it stands for any letter there; elsewhere people leave out the blank behind one.
   */
  static String withoutFields(String typed) {
    String text =
        FIELD_OF_WORD
            .matcher(withPlainBlanks(typed))
            .replaceAll(
                field ->
                    field.group(1) == null
                            || PLACES.contains(field.group(1).toLowerCase(Locale.ROOT))
                        ? Matcher.quoteReplacement(field.group())
                        : "");
    return text.indexOf('?') < 0 ? text : ONE_UNKNOWN.matcher(text).replaceAll(" ");
  }

  /**
   * The words of a text.
   *
   * @param typed of bounded length: groups that never end take time by its square
   */
  static String words(String typed) {
    String text = typed.strip();
    if (!mayHoldOperators(text)) {
      return text;
    }
    text = withPlainBlanks(text).strip();
    if (!text.startsWith("+") && isOneWord(text) && ENCODED.matcher(text).find()) {
      text = withPlainBlanks(FormDecoding.decode(text));
    }
    boolean shouting = isShouting(text);
    text = PLACE_OF_GROUP.matcher(text).replaceAll(" ");
    text = FIELD_OF_GROUP.matcher(text).replaceAll("$1");
    text = EXCLUDED_GROUP.matcher(text).replaceAll(" ");
    text = RANGE.matcher(text).replaceAll(" ");
    text = WEIGHT.matcher(text).replaceAll("");
    StringBuilder words = new StringBuilder(text.length());
    boolean excluded = false;
    for (String token : BLANKS.split(SIGNS.matcher(text).replaceAll(" ").strip(), -1)) {
      if (!shouting && token.equals(EXCLUSION)) {
        excluded = true;
      } else if (shouting || !BOOLEANS.contains(token)) {
        String word = excluded ? "" : word(token);
        excluded = false;
        words.append(words.isEmpty() || word.isEmpty() ? "" : " ").append(word);
      }
    }
    return words.toString();
  }

  /**
   * Whether a query is in capitals, besides its operators. One with letters of a script that has
   * none is not, whatever acronyms stand beside them.
   */
  private static boolean isShouting(String text) {
    if (!text.equals(text.toUpperCase(Locale.ROOT))
        || text.codePoints().anyMatch(QueryText::hasNoCase)) {
      return false;
    }
    List<String> others =
        BLANKS
            .splitAsStream(text)
            .filter(token -> !BOOLEANS.contains(token) && !token.equals(EXCLUSION))
            .toList();
    return others.isEmpty()
        || others.stream().anyMatch(token -> token.chars().anyMatch(Character::isUpperCase));
  }

  /** Whether it is a letter of a script without capitals: º is none, which stands beside them. */
  private static boolean hasNoCase(int letter) {
    return Character.getType(letter) == Character.OTHER_LETTER && !Character.isLowerCase(letter);
  }

  /** With a blank for each full-width one, which CJK keyboards give, and each that never breaks. */
  private static String withPlainBlanks(String text) {
    return text.replace('\u3000', ' ').replace('\u00a0', ' '); // the same text if it has none
  }

  private static boolean isOneWord(String text) {
    return !BLANKS.matcher(text).find();
  }

  /** Nearly all queries hold none, and need no more than this look. */
  private static boolean mayHoldOperators(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!(c >= 'a' && c <= 'z') && c != ' ' && !(c >= '0' && c <= '9')) {
        return true;
      }
    }
    return false;
  }

  /** Whether a word stands for many, as {@code gard*} does: not beside single letters. */
  private static boolean isPattern(String word) {
    return word.indexOf('*') >= 0 && STAR.matcher(ALL_GENDERS.matcher(word).replaceAll("")).find();
  }

  /** The word of a token, empty if the token is no word to find. */
  private static String word(String token) {
    if (isPattern(token)) {
      return "";
    }
    Matcher field = FIELD.matcher(token);
    for (int from = 0; ; from = field.end()) { // names before names, as many as a text has room for
      if (isExcluded(token, from)) {
        return "";
      }
      int word = token.startsWith("+", from) ? from + 1 : from;
      if (!field.region(word, token.length()).lookingAt()) {
        return token.substring(word);
      }
      String name = field.group(1).toLowerCase(Locale.ROOT);
      if (PLACES.contains(name)) {
        return "";
      }
      if (!FIELDS.contains(name) && name.indexOf('_') < 0) {
        return token.substring(word);
      }
    }
  }

  private static boolean isExcluded(String token, int from) {
    return token.startsWith("-", from)
        && from + 1 < token.length()
        && Character.isLetter(token.charAt(from + 1));
  }
}
