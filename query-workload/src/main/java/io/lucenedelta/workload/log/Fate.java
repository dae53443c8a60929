// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/** What became of a line of a log; each line has exactly one fate. */
public enum Fate {
  /** A query that counts. */
  KEPT("kept"),
  /** A request for a further result page of a query. */
  NEXT_PAGE("next-page"),
  /** The same text again from the same session within the session window. */
  REPEATED("repeated"),
  /** Another shard's record of a query that was already there. */
  SHARD_REPEAT("shard repeat"),
  /** A query without text, or one that asks for everything. */
  EMPTY("empty"),
  /** A query beyond what a person asks in an hour, when such are to be left out. */
  ROBOT("robot"),
  /** A click, which is no query of its own. */
  CLICK("click"),
  /** A line without content. */
  BLANK("blank line"),
  /** The names of the columns. */
  HEADER("header"),
  /** A record of something else than a query. */
  OTHER_RECORD("other record"),
  /** Fewer fields than the format has. */
  FIELD_MISSING("field missing", true),
  /** Not built as the format's lines are. */
  OTHER_FORM("not in the format", true),
  /** A time that cannot be read. */
  BAD_TIME("bad time", true),
  /** An offset, rank or count that is no number or out of range. */
  BAD_NUMBER("bad number", true),
  /** Broken JSON. */
  BAD_JSON("broken JSON", true),
  /** NUL bytes: not text. */
  NOT_TEXT("not text", true),
  /** Longer than a line, or a query, may be. */
  TOO_LONG("too long", true),
  /** The last line of a file that ends too early. */
  CUT_OFF("cut off", true);

  private final String label;
  private final boolean rejection;

  Fate(String label) {
    this(label, false);
  }

  Fate(String label, boolean rejection) {
    this.label = label;
    this.rejection = rejection;
  }

  /** What people read. */
  public String label() {
    return label;
  }

  /** Whether the line could not be read. */
  public boolean isRejection() {
    return rejection;
  }
}
