// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * The measured refreshes of one page one by one, R(p) of Pandey and Olston 2005 (section 6.1.3),
 * for strategies to which the recent ones mean more; numbered from 0, oldest first.
 */
public interface MeasuredRefreshes {
  /** For a page of which storage keeps only sums. */
  MeasuredRefreshes NOT_KEPT =
      new MeasuredRefreshes() {
        @Override
        public int size() {
          return 0;
        }

        @Override
        public Instant time(int refresh) {
          throw new IndexOutOfBoundsException("refresh " + refresh + " where none is kept");
        }

        @Override
        public double rate(int refresh) {
          throw new IndexOutOfBoundsException("refresh " + refresh + " where none is kept");
        }
      };

  /** Number of refreshes, {@link PageHistory#refreshes} or 0 where they are not kept. */
  int size();

  /** When a refresh took place. */
  Instant time(int refresh);

  /** {@link UserCentric#rateOfRefresh ΔQ_A / interval} of a refresh, per day. */
  double rate(int refresh);
}
