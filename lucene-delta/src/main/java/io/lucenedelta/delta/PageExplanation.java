// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.List;

/**
 * What a page's refreshes did: the measured part of why it has the priority it has. The rest is
 * what users get from the page as it is, what it {@linkplain FetchQueue#modified said} of its
 * changes since, and what other pages of its site and directory teach: a page of which no refresh
 * moved a result can be the first in the order for these alone.
 *
 * @param page the page's key
 * @param refreshes every refresh known, the latest first
 */
public record PageExplanation(String page, List<MeasuredRefresh> refreshes) {
  /** Copies the list. */
  public PageExplanation {
    refreshes = List.copyOf(refreshes);
  }

  /**
   * How many {@link #refreshes} from the one at a place on moved no result, to be told together: a
   * page that rarely changes has many such in a row.
   *
   * @param from 0 or more; 0 of them from beyond the last on
   * @throws IndexOutOfBoundsException if it is negative
   */
  public int unmovedFrom(int from) {
    int end = from;
    while (end < refreshes.size()
        && refreshes.get(end).measured()
        && refreshes.get(end).qualityChange() == 0) {
      end++;
    }
    return end - from;
  }

  /**
   * Whether the one of the {@link #refreshes} at a place is the page's first fetch that is
   * recorded, and not measured: there was nothing to compare with, or nobody knows when that was
   * fetched, as of a page that was in the index before anything was measured. A later one that is
   * not measured was only recorded: its time was not after that of the fetch before, say.
   *
   * @param at {@code 0 <= at < refreshes().size()}
   */
  public boolean isFirstFetch(int at) {
    return at == refreshes.size() - 1 && !refreshes.get(at).measured();
  }
}
