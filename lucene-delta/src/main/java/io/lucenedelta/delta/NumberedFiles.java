// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/**
 * Files of a kind: a prefix, digits and an end. Where one of them counts it is that with the
 * highest number. What only begins like them, such as a copy beside them, is none of them and left
 * alone.
 */
record NumberedFiles(String prefix, String end) {
  private static final String DIGITS = "[0-9]{1,18}";
  private static final long NONE = -1; // smaller than any number

  /** Files whose names end with the number. */
  NumberedFiles(String prefix) {
    this(prefix, "");
  }

  /** The highest number, 0 when there is no such file. */
  long latest(Directory directory) throws IOException {
    return latest(List.of(directory.listAll()));
  }

  /** The same among some names. */
  long latest(List<String> names) {
    long latest = 0;
    for (String file : names) {
      latest = Math.max(latest, numberOf(file));
    }
    return latest;
  }

  /** Whether a file is one of them that may count: those have numbers from 1 on. */
  boolean has(String file) {
    return numberOf(file) > 0;
  }

  /** Whether a file has the name of one; some kinds begin with number 0. */
  boolean names(String file) {
    return numberOf(file) != NONE;
  }

  /** Those with numbers between two others, in no order. */
  List<String> between(Directory directory, long low, long high) throws IOException {
    List<String> found = new ArrayList<>();
    for (String file : directory.listAll()) {
      long number = numberOf(file);
      if (number > low && number < high) {
        found.add(file);
      }
    }
    return found;
  }

  /** Deletes the files of lower numbers, as far as the system lets it. */
  void deleteBefore(Directory directory, long limit) throws IOException {
    for (String file : directory.listAll()) {
      long number = numberOf(file);
      if (number > 0 && number < limit) {
        IOUtils.deleteFilesIgnoringExceptions(directory, file);
      }
    }
  }

  /** Gives the files names that nobody deletes, the one that counts last. */
  void setAside(Directory directory) throws IOException {
    List<String> there = List.of(directory.listAll());
    List<String> all =
        there.stream().filter(this::has).sorted(Comparator.comparingLong(this::numberOf)).toList();
    for (String file : all) {
      directory.rename(file, StateFiles.aside(file, there));
    }
  }

  private long numberOf(String file) {
    int digits = file.length() - prefix.length() - end.length();
    if (digits <= 0 || !file.startsWith(prefix) || !file.endsWith(end)) {
      return NONE;
    }
    String number = file.substring(prefix.length(), prefix.length() + digits);
    return number.matches(DIGITS) ? Long.parseLong(number) : NONE;
  }
}
