// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

/**
 * An axis of a figure.
 *
 * @param label what it shows, with its unit
 * @param scale how values are laid out
 */
public record Axis(String label, Scale scale) {
  /** How values are laid out along an axis. */
  public enum Scale {
    /** Evenly. */
    LINEAR,
    /** By their logarithm; values that are not positive are not shown. */
    LOG,
    /** Evenly; 0 to 1 is shown as 0 to 100 %. */
    PERCENT
  }

  /** An even axis. */
  public static Axis linear(String label) {
    return new Axis(label, Scale.LINEAR);
  }

  /** A logarithmic axis. */
  public static Axis log(String label) {
    return new Axis(label, Scale.LOG);
  }

  /** An even axis of shares. */
  public static Axis percent(String label) {
    return new Axis(label, Scale.PERCENT);
  }
}
