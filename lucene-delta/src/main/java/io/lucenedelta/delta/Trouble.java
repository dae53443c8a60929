// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * What a {@link DeltaListener#trouble trouble} asks for, so that an application can tell which to
 * alert somebody of. Indexing goes on in all of them.
 */
public enum Trouble {
  /**
   * What was measured, or told to the writer or its fetch queue, is lost, or something could not be
   * measured. That is for good, unless the sentence says how to get it back, from a backup say;
   * what comes later is measured. Look at the exception for the cause, such as a full disk, and do
   * what the sentence says, such as telling addresses again.
   */
  LOST,

  /**
   * The configuration, the documents as a whole, or the folder of the measurements look wrong:
   * pages may be measured wrongly, or not at all, until somebody changes that. The sentence says
   * what to change; if all of it is meant so, there is nothing to do.
   */
  SETUP,

  /**
   * The application told something of single pages that is not taken as told: visits of pages that
   * are not in the index, say, fetch times that cannot be read, or a second key. Some of the first
   * are usual, since pages leave the index; if there are many, or others, correct what tells them.
   */
  REJECTED,

  /**
   * Something failed that is tried again, or made anew, without anybody's help; nothing is lost by
   * it so far. There is nothing to do about a single one. If they go on, remove the cause, such as
   * too little memory: what is lost until then is told as {@link #LOST}.
   */
  RETRIED
}
