// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which addresses of a crawl are pages: all that were asked for, but no host's rules for robots,
 * which every crawler fetches and no user reads.
 *
 * @param wanted what was asked for; may be used by several threads
 */
record PageAddresses(Predicate<String> wanted) {
  static final PageAddresses ALL = new PageAddresses(key -> true);

  /** In a folder of pages the host has its own, or the folder is a host's. */
  private static final Pattern ROBOTS =
      Pattern.compile(
          "(?:[a-z][a-z0-9+.-]*+://[^/?#]*+/|[^/.]*+\\.[^/]*+/)?robots\\.txt(?:[?#].*+)?",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** Why nothing that is said of an address counts, if so. */
  Optional<LeftOut> leaveOut(String key) {
    if (ROBOTS.matcher(key).matches()) {
      return Optional.of(LeftOut.ROBOTS);
    }
    return wanted.test(key) ? Optional.empty() : Optional.of(LeftOut.UNWANTED);
  }
}
