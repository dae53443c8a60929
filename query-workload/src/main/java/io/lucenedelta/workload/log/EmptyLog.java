// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/** The format of a log without a line, or with blank ones only. */
final class EmptyLog implements LogFormat {
  static final String NAME = "empty";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LogRecord read(String line) {
    return new LogRemark(Fate.BLANK);
  }
}
