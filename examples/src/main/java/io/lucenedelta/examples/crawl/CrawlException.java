// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

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
}
