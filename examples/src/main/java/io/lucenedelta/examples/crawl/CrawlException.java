// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import io.lucenedelta.examples.Reason;
import java.io.IOException;

/**
 * A crawl directory cannot be read. The message is one sentence for the person at the keyboard: the
 * file, what is wrong with it, and what to do.
 */
public final class CrawlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CrawlException(String message) {
    super(message);
  }

  CrawlException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * What the system does not let us do.
   *
   * @param wanted what cannot be done, such as "read a.warc"
   */
  static CrawlException unreadable(String wanted, IOException cause) {
    return new CrawlException("cannot " + wanted + ": " + Reason.of(cause), cause);
  }
}
