// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * There is no index in a folder, or nothing of it was measured; the message says which. It is the
 * reason, too, which a file has none that the system misses: so the two can be told apart. What
 * went away while it was opened is a {@link GoneMeanwhile}.
 */
final class NoMeasuredIndex extends NoSuchFileException {
  private static final long serialVersionUID = 1L;

  NoMeasuredIndex(Path folder, String sentence) {
    this(folder, null, sentence);
  }

  private NoMeasuredIndex(Path folder, Path index, String sentence) {
    super(folder.toString(), index == null ? null : index.toString(), sentence);
  }

  /**
   * A folder without the measurements of an index. Its commit tells whether there are some in
   * another one.
   *
   * @param lack what is not there
   */
  static NoMeasuredIndex in(Path folder, Path index, String lack) {
    return isMeasured(index)
        ? new NoMeasuredIndex(
            folder,
            index,
            lack
                + "; the index was measured, into a folder that is elsewhere or gone: open it with that, by DeltaState.open(index, folder), or let a symbolic link "
                + folder
                + " lead there")
        : new NoMeasuredIndex(folder, lack + "; index it with a DeltaIndexWriter first");
  }

  private static boolean isMeasured(Path index) {
    try (Directory directory = FSDirectory.open(index)) {
      return DirectoryReader.indexExists(directory)
          && SegmentInfos.readLatestCommit(directory).getUserData().containsKey(BatchNames.STATE);
    } catch (IOException | RuntimeException e) {
      return false; // whoever opens it is told
    }
  }

  @Override
  public String getMessage() {
    return getReason();
  }

  @Override
  public String toString() {
    return NoSuchFileException.class.getName() + ": " + getMessage();
  }
}
