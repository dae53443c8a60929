// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;

/**
 * Marks that {@code batch_G} lacks refreshes of its batch, or that earlier batches were lost and
 * the manifest on disk does not say so. Written first: a whole {@code batch_G} without it is
 * complete.
 *
 * <pre>
 * file → header, incomplete (vlong), reason (string), footer
 * </pre>
 *
 * @param incomplete how many batches are incomplete in all once this one is settled
 * @param reason why the batch itself is, empty when only others are
 */
record IncompleteBatch(long incomplete, String reason) {
  private static final String CODEC = "LuceneDeltaIncomplete";
  private static final int VERSION = 1;

  /** A batch of which nothing is known to be missing. */
  static final IncompleteBatch NONE = new IncompleteBatch(0, "");

  /** What a batch lacks that the manifest does not know yet. */
  static IncompleteBatch unknownTo(
      Manifest manifest, long generation, Directory files, DeltaListener listener)
      throws IOException {
    return generation > manifest.generation ? read(files, generation, listener) : NONE;
  }

  /** Writes down, durably, what is known of a batch, whose number is new. */
  void write(Directory files, long generation) throws IOException {
    StateFiles.write(
        files,
        StateFiles.incomplete(generation),
        CODEC,
        VERSION,
        out -> {
          out.writeVLong(incomplete);
          out.writeString(reason);
        });
  }

  /**
   * What is known of a batch. If its file is damaged, something is missing.
   *
   * @param listener told of damage; of what the file tells, who wrote it has told
   * @throws IOException if the file cannot be read for another reason, which may pass
   */
  static IncompleteBatch read(Directory files, long generation, DeltaListener listener)
      throws IOException {
    String name = StateFiles.incomplete(generation);
    if (!List.of(files.listAll()).contains(name)) {
      return NONE;
    }
    try (IndexInput in = StateFiles.openWhole(files, name, CODEC, VERSION)) {
      return new IncompleteBatch(in.readVLong(), StateFiles.readString(in));
    } catch (CorruptIndexException damage) {
      String reason =
          "not all of batch %d was measured, and %s is damaged".formatted(generation, name);
      listener.trouble(Trouble.LOST, reason, damage);
      return new IncompleteBatch(0, reason);
    }
  }

  /** The reason, null when the batch itself is complete. */
  String why() {
    return reason.isEmpty() ? null : reason;
  }

  /** Counts earlier incomplete batches that the manifest on disk has not counted yet. */
  void countEarlier(Manifest manifest, long generation) {
    long earlier = incomplete - (why() == null ? 0 : 1);
    long unknown = earlier - manifest.batchesIncomplete;
    if (unknown > 0) {
      manifest.batchesIncomplete = earlier;
      if (why() == null) {
        manifest.lastIncomplete = settledByNobody(unknown, generation);
      }
    }
  }

  /** Why batches are incomplete that a later one brought with it. */
  static String settledByNobody(long commits, long generation) {
    return "%d commits before batch %d were settled by nobody: of a page that came with several of them, one refresh is known at most"
        .formatted(commits, generation);
  }
}
