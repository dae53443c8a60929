// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;

/**
 * A line that asks something, while it is read: what a {@link LogEntry} holds, texts by where they
 * stand. One draft serves line after line. Not safe for use by several threads.
 */
final class EntryDraft {
  private static final byte[] NOTHING = {};

  long epochSecond;
  int offset;
  int rank;
  double count;
  int shard;
  String badField; // behind the name of its column; empty if none is bad
  private byte[] text;
  private int textFrom;
  private int textTo;
  private byte[] session;
  private int sessionFrom;
  private int sessionTo;

  EntryDraft() {
    clear();
  }

  /** An entry asked once, of which no more is known. */
  void clear() {
    epochSecond = LogEntry.NO_TIME;
    offset = 0;
    rank = 0;
    count = 1;
    shard = -1;
    badField = "";
    text(NOTHING, 0, 0);
    session(NOTHING, 0, 0);
  }

  /** The same as an entry; NUL characters in its text are blanks. */
  void set(LogEntry entry) {
    epochSecond = entry.epochSecond();
    offset = entry.offset();
    rank = entry.clickedRank();
    count = entry.count();
    shard = entry.shard();
    byte[] textUtf8 = entry.text().replace('\0', ' ').getBytes(StandardCharsets.UTF_8);
    text(textUtf8, 0, textUtf8.length);
    byte[] sessionUtf8 = entry.session().getBytes(StandardCharsets.UTF_8);
    session(sessionUtf8, 0, sessionUtf8.length);
  }

  /** The text is the UTF-8 in {@code [from, to)}. */
  void text(byte[] utf8, int from, int to) {
    text = utf8;
    textFrom = from;
    textTo = to;
  }

  /** The session is the UTF-8 in {@code [from, to)}. */
  void session(byte[] utf8, int from, int to) {
    session = utf8;
    sessionFrom = from;
    sessionTo = to;
  }

  byte[] textBytes() {
    return text;
  }

  int textFrom() {
    return textFrom;
  }

  int textTo() {
    return textTo;
  }

  /** The number by which the session is told from others, 0 without one. */
  long sessionNumber() {
    return sessionFrom == sessionTo ? 0 : Fingerprint.of(session, sessionFrom, sessionTo);
  }

  /** The text, decoded. */
  String text() {
    return new String(text, textFrom, textTo - textFrom, StandardCharsets.UTF_8);
  }

  /** The same as an object. */
  LogEntry entry() {
    String who = new String(session, sessionFrom, sessionTo - sessionFrom, StandardCharsets.UTF_8);
    return new LogEntry(text(), who, epochSecond, offset, rank, count, shard, false);
  }
}
