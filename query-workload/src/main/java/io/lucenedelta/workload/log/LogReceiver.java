// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;

/** Takes what a log says, in the order of the log, from one thread. */
interface LogReceiver {
  /** A new log begins, in the format of a name. */
  void begin(String log, String format);

  /** The format of the log may be another one; in words. */
  void doubtful(String why);

  /** The next lines; only lent for the duration of the call. */
  void lines(ParsedLines lines) throws IOException;

  /** The log broke off where the last line was. */
  void damaged(String why);

  /** The log has no more lines. */
  void end();
}
