// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.queue.RefreshQueue;
import java.time.Instant;

/**
 * A page that a {@link FetchQueue} holds back.
 *
 * @param page the page's key
 * @param kind why
 * @param since when it was handed out or reported; where a clock was ahead then and was set back,
 *     when the first batch after that was taken, or now if none was
 * @param until when the hold ends by itself, unless a fetch or a report ends it before; {@link
 *     Instant#MAX} for a page that is gone
 */
public record HeldPage(String page, Kind kind, Instant since, Instant until) {
  /** Why a page is held back. */
  public enum Kind {
    /** It was handed out, and nothing was reported since. */
    LEASED,
    /** It could not be fetched. */
    FAILED,
    /** It does not exist any more, or is never to be indexed. */
    GONE
  }

  static HeldPage of(RefreshQueue.Hold hold) {
    Kind kind =
        hold.leased() ? Kind.LEASED : hold.until().equals(Instant.MAX) ? Kind.GONE : Kind.FAILED;
    return new HeldPage(hold.page(), kind, hold.since(), hold.until());
  }
}
