// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What it means that a snapshot says nothing of a page that is known. */
enum Silence {
  /** The page was visited and found as it was: the snapshot holds only what is new. */
  UNCHANGED,
  /** Nobody knows: the crawl did not reach every page. */
  UNKNOWN;

  /** The one of this name, if there is one. */
  static Optional<Silence> of(String name) {
    return Arrays.stream(values())
        .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }
}
