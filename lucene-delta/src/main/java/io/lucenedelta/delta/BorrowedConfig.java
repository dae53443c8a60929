// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/**
 * The application's configuration of an index writer, which says for a time what we say.
 *
 * <p>The deletion policy is ours from before the index writer is constructed, which reads it once,
 * until it has been read. The codec, which every flush reads, is ours from when the index writer is
 * there until it is closed. What another writer uses is not touched. If Lucene's constructor fails,
 * the configuration keeps our deletion policy, which then only forwards; Lucene accepts that
 * configuration for no other writer.
 */
final class BorrowedConfig {
  private final IndexWriterConfig config;
  private final Codec codec;
  private final IndexDeletionPolicy policy;

  /**
   * Changes nothing yet.
   *
   * @throws IllegalStateException if another writer uses the configuration, or did
   */
  BorrowedConfig(IndexWriterConfig config) {
    String user = user(config);
    if (user != null) {
      throw new IllegalStateException(
          "do not share IndexWriterConfig instances across IndexWriters: this one is, or was, used by %s;"
                  .formatted(user)
              + " give each writer one of its own");
    }
    this.config = config;
    this.codec = config.getCodec();
    this.policy = config.getIndexDeletionPolicy();
  }

  /** The writer that a configuration was given to, which it tells as text alone; null if none. */
  private static String user(IndexWriterConfig config) {
    String name = "\nwriter=";
    String text = config.toString();
    int place = text.lastIndexOf(name);
    String user = place < 0 ? "null" : text.substring(place + name.length()).strip();
    return user.equals("null") ? null : user;
  }

  /**
   * Looks whether an index writer could lock the index now, before it is asked to: when it cannot,
   * nobody gives back what it was lent.
   *
   * @throws org.apache.lucene.store.LockObtainFailedException if another writer has it
   */
  static void requireFree(Directory index) throws IOException {
    index.obtainLock(IndexWriter.WRITE_LOCK_NAME).close();
  }

  /** The application's own. */
  IndexDeletionPolicy policy() {
    return policy;
  }

  void lendPolicy(IndexDeletionPolicy ours) {
    config.setIndexDeletionPolicy(ours);
  }

  void returnPolicy() {
    config.setIndexDeletionPolicy(policy);
  }

  void lendCodec(Capture capture) {
    config.setCodec(new CaptureCodec(codec, capture));
  }

  void returnCodec() {
    config.setCodec(codec);
  }
}
