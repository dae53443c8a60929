// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.List;

/**
 * Why a page has the priority it has.
 *
 * @param page the page's key
 * @param refreshes every refresh known, the latest first
 */
public record PageExplanation(String page, List<MeasuredRefresh> refreshes) {
  /** Copies the list. */
  public PageExplanation {
    refreshes = List.copyOf(refreshes);
  }
}
