// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

/** How far colours stand out, as WCAG 2.1 defines it. */
public final class Contrast {
  /** The least that is asked of graphics and of the bounds of controls (criterion 1.4.11). */
  public static final double OF_GRAPHICS = 3;

  private static final double[] WEIGHTS = {0.2126, 0.7152, 0.0722};

  private Contrast() {}

  /**
   * The ratio of a colour to white, from 1 to 21.
   *
   * @param colour six hexadecimal digits
   */
  public static double onWhite(String colour) {
    double luminance = 0;
    for (int i = 0; i < WEIGHTS.length; i++) {
      double c = Integer.parseInt(colour, 2 * i, 2 * i + 2, 16) / 255.0;
      luminance += WEIGHTS[i] * (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
    }
    return 1.05 / (luminance + 0.05);
  }
}
