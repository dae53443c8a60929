// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;

/**
 * Files of a version that is not read, refused in words of their own: those of Lucene's exceptions
 * name no folder, and say which releases of Lucene an index may be of.
 */
final class OtherVersion {
  private OtherVersion() {}

  /**
   * A file of a later version.
   *
   * @param file with its folder
   * @param what follows from it
   */
  static IndexFormatTooNewException later(
      String file, IndexFormatTooNewException seen, String what) {
    return new Later(
        file,
        seen,
        sentence(file, seen.getVersion(), seen.getMinVersion(), seen.getMaxVersion(), what));
  }

  /** The same of an earlier version. */
  static IndexFormatTooOldException earlier(
      String file, IndexFormatTooOldException seen, String what) {
    return new Earlier(
        file,
        seen,
        sentence(file, seen.getVersion(), seen.getMinVersion(), seen.getMaxVersion(), what));
  }

  private static String sentence(String file, int version, int least, int most, String what) {
    String read = least == most ? "" + most : least + " to " + most;
    return "%s is of version %d, this software reads %s: %s".formatted(file, version, read, what);
  }

  private static final class Later extends IndexFormatTooNewException {
    private static final long serialVersionUID = 1;
    private final String sentence;

    Later(String file, IndexFormatTooNewException seen, String sentence) {
      super(file, seen.getVersion(), seen.getMinVersion(), seen.getMaxVersion());
      this.sentence = sentence;
      initCause(seen);
    }

    @Override
    public String getMessage() {
      return sentence;
    }

    @Override
    public String toString() {
      return IndexFormatTooNewException.class.getName() + ": " + sentence;
    }
  }

  private static final class Earlier extends IndexFormatTooOldException {
    private static final long serialVersionUID = 1;
    private final String sentence;

    Earlier(String file, IndexFormatTooOldException seen, String sentence) {
      super(file, seen.getVersion(), seen.getMinVersion(), seen.getMaxVersion());
      this.sentence = sentence;
      initCause(seen);
    }

    @Override
    public String getMessage() {
      return sentence;
    }

    @Override
    public String toString() {
      return IndexFormatTooOldException.class.getName() + ": " + sentence;
    }
  }
}
