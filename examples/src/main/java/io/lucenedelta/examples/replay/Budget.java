// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.math.BigDecimal;

/**
 * Refreshes a week, as the user gave them: a count or a percentage of the pages.
 *
 * @param label as given: {@code 200} or {@code 5%}
 * @param amount count or percentage, 0 or more
 * @param percent whether the amount is a percentage
 */
public record Budget(String label, double amount, boolean percent) {
  /**
   * Reads a budget.
   *
   * @throws IllegalArgumentException if it is neither a count from 0 to 2,147,483,647 nor a
   *     percentage from 0 to 100
   */
  public static Budget of(String label) {
    String text = label.strip();
    boolean percent = text.endsWith("%");
    try {
      double amount =
          percent
              ? new BigDecimal(text.substring(0, text.length() - 1).strip()).doubleValue()
              : Integer.parseInt(text);
      if (amount >= 0 && (!percent || amount <= 100)) {
        return new Budget(text, amount, percent);
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw new IllegalArgumentException(
        "a budget must be a whole number (200) from 0 to "
            + Integer.MAX_VALUE
            + " or a percentage of the pages (5%) from 0 to 100, was '"
            + label
            + "'");
  }

  /** Whether it is the same number of refreshes whatever the number of pages. */
  public boolean isSame(Budget other) {
    return amount == other.amount && percent == other.percent;
  }

  /** Refreshes a week for a number of pages: rounded, but at least 1 unless the amount is 0. */
  public int refreshes(int pages) {
    if (!percent) {
      return (int) amount;
    }
    return amount == 0 ? 0 : (int) Math.max(1, Math.round(pages * amount / 100));
  }
}
