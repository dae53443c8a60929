// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.Discoveries;
import io.lucenedelta.examples.OneLine;
import io.lucenedelta.scorer.refresh.PageHistories;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A list of pages whose addresses became known, a line each: the address, and after a tab, if there
 * is one, words of a link to it or its title.
 *
 * <p>In UTF-8. Empty lines are passed over. Lines that cannot be pages are counted and the first of
 * them shown, the others are told all the same. Several lines of one page add up their words.
 *
 * <p>An address is a URL or the path of a file, as most crawls have them; where the keys of the
 * index are others, such as article numbers, whatever can be a key is one.
 */
final class DiscoveredList {
  /** The name that stands for standard input. */
  static final String STANDARD_INPUT = "-";

  private static final int SHOWN = 3;
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");
  private static final Pattern URL =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+.*|(?i:file):///.+");

  /** Pages of the index whose keys say what the others are like. */
  private static final int LOOKED_AT = 100;

  private final String name;
  private final boolean ofAddresses;
  private final Set<String> pages = new HashSet<>();
  private final Set<String> before = new HashSet<>(); // those a queue was told of already
  private final List<String> badLines = new ArrayList<>();
  private int lines;
  private int bad;

  private DiscoveredList(String name, boolean ofAddresses) {
    this.name = name;
    this.ofAddresses = ofAddresses;
  }

  /** Whether keys are addresses, by some of them; so they are where there are none yet. */
  static boolean areAddresses(PageHistories indexed) {
    int[] looked = {0};
    boolean[] others = {false};
    indexed.forEach(
        page -> others[0] |= looked[0]++ < LOOKED_AT && addressFault(page.page()) != null);
    return !others[0];
  }

  /**
   * Tells of all pages of a list.
   *
   * @param file its name, {@value #STANDARD_INPUT} for {@code in}
   * @param since when they became known
   * @param ofAddresses see {@link #areAddresses}; else any key is taken
   * @throws CommandFailure if there is no such file, or nothing in it
   */
  static DiscoveredList tell(
      String file, InputStream in, Discoveries told, Instant since, boolean ofAddresses)
      throws IOException {
    boolean standard = file.equals(STANDARD_INPUT);
    DiscoveredList list = new DiscoveredList(standard ? "standard input" : file, ofAddresses);
    if (standard) {
      list.read(in, told, since);
    } else {
      list.requireFile(Path.of(file));
      try (InputStream stream = Files.newInputStream(Path.of(file))) {
        list.read(stream, told, since);
      }
    }
    if (list.lines == 0) {
      throw new CommandFailure(
          list.name + " has no line in it: give an address a line, or --discovered without a file");
    }
    return list;
  }

  private void requireFile(Path file) throws CommandFailure {
    if (!Files.exists(file)) {
      throw new CommandFailure("no file " + file + " of discovered pages: check the path");
    }
    if (Files.isDirectory(file)) {
      throw new CommandFailure(file + " is a directory: name a file with an address a line");
    }
  }

  private void read(InputStream bytes, Discoveries told, Instant since) throws IOException {
    BoundedLines reader = new BoundedLines(bytes);
    int number = 0;
    for (byte[] line = reader.next(); line != null; line = reader.next()) {
      number++;
      String decoded = new String(line, StandardCharsets.UTF_8);
      String text = number == 1 && decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
      if (reader.isTooLong()) {
        lines++;
        bad(number, text, BoundedLines.TOO_LONG);
      } else if (!text.isBlank()) {
        lines++;
        take(number, text, told, since);
      }
    }
  }

  private void take(int number, String line, Discoveries told, Instant since) {
    int tab = line.indexOf('\t');
    String address = (tab < 0 ? line : line.substring(0, tab)).strip();
    String words = tab < 0 ? "" : line.substring(tab + 1).strip();
    String fault = fault(address);
    fault = fault == null && ofAddresses ? addressFault(address) : fault;
    if (fault == null) {
      try {
        boolean first = told.add(address, words.isEmpty() ? null : words, since);
        if (pages.add(address) && !first) {
          before.add(address);
        }
        return;
      } catch (IllegalArgumentException e) {
        fault = e.getMessage();
      }
    }
    bad(number, line, fault);
  }

  private void bad(int number, String line, String fault) {
    bad++;
    if (badLines.size() < SHOWN) {
      badLines.add("line %d %s: %s".formatted(number, fault, BoundedLines.shown(line)));
    }
  }

  /** Why something cannot be the key of a page, null if it can. */
  private static String fault(String address) {
    if (address.isEmpty()) {
      return "has no address before the tab";
    }
    if (address.indexOf('\uFFFD') >= 0) {
      return "is not UTF-8";
    }
    return address.chars().anyMatch(Character::isISOControl)
        ? "has a control character in its address"
        : null;
  }

  /** Why a key is no address, null if it is one: a URL, or the path of a file. */
  private static String addressFault(String address) {
    if (address.chars().anyMatch(Character::isWhitespace)) {
      return "has white space in its address (words come after a tab)";
    }
    boolean url = SCHEME.matcher(address).matches();
    if (url ? !URL.matcher(address).matches() : !address.matches(".*[/.].*")) {
      return "is no URL such as https://example.org/page";
    }
    return null;
  }

  /** Says what was read and what became of it. */
  void say(Set<String> indexed, PrintWriter err) {
    int told = pages.size();
    pages.removeAll(indexed);
    before.removeAll(indexed);
    int again = lines - bad - told;
    err.printf(
        "%s: %s; %s never fetched (%d of them told before), %d already in the index (ignored), %s%s%n",
        name,
        counted(lines, "line"),
        counted(pages.size(), "page"),
        before.size(),
        told - pages.size(),
        counted(bad, "malformed line"),
        again == 0 ? "" : ", " + counted(again, "more line") + " of these pages");
    badLines.forEach(line -> err.println("  " + OneLine.of(line)));
    if (bad > badLines.size()) {
      err.printf("  and %s%n", counted(bad - badLines.size(), "more malformed line"));
    }
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
