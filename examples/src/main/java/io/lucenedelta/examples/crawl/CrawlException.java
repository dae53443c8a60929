// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.IOException;
import java.nio.file.AccessDeniedException;

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
   * What the system does not let us do. If a permission is missing, the system names the file and
   * no reason.
   *
   * @param wanted what cannot be done, such as "read a.warc"
   */
  static CrawlException unreadable(String wanted, IOException cause) {
    String why =
        cause instanceof AccessDeniedException
            ? "no permission for " + cause.getMessage()
            : cause.getMessage();
    return new CrawlException("cannot " + wanted + ": " + why, cause);
  }
}
