// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

/** What it means that a snapshot says nothing of a page that is known. */
enum Silence {
  /** The page was visited and found as it was: the snapshot holds only what is new. */
  UNCHANGED,
  /** Nobody knows: the crawl did not reach every page. */
  UNKNOWN
}
