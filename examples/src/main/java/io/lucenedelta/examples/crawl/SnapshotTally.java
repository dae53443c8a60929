// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

/**
 * What became of the records of one snapshot.
 *
 * @param pages pages handed out
 * @param binary records left out because their media type is not text we can read
 * @param failed records left out because the server answered with something other than 200, the
 *     answer is broken or could not be decoded, the address is missing or too long to be a key, or
 *     a header that is needed cannot be read
 */
public record SnapshotTally(int pages, int binary, int failed) {
  /** The tally of two snapshots together. */
  public SnapshotTally plus(SnapshotTally other) {
    return new SnapshotTally(pages + other.pages, binary + other.binary, failed + other.failed);
  }
}
