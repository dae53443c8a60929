// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Who may do what with a file: owner, group and permissions, handed on to the file that takes its
 * place, so that whoever may read queries of users still may, and nobody else. Where there is no
 * such file, or its system knows none of these, the new one is left as it is. Lists of access
 * (ACLs) are not handed on.
 *
 * <p>Immutable.
 */
public final class FileAccess {
  private static final FileAttribute<?> OWNERS_ALONE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final PosixFileAttributes kept; // null where nothing is to be kept

  private FileAccess(PosixFileAttributes kept) {
    this.kept = kept;
  }

  /**
   * That of a file, which need not be there.
   *
   * @throws NullPointerException if the file is null
   * @throws IOException if it is there and cannot be asked
   */
  public static FileAccess of(Path file) throws IOException {
    Objects.requireNonNull(file, "a file is asked for, was null");
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    try {
      return new FileAccess(view == null ? null : view.readAttributes());
    } catch (NoSuchFileException e) {
      return new FileAccess(null);
    }
  }

  /** With what to make the file that takes its place: for its owner alone, until it is whole. */
  public FileAttribute<?>[] whileWritten() {
    return kept == null ? new FileAttribute<?>[0] : new FileAttribute<?>[] {OWNERS_ALONE};
  }

  /**
   * Gives it to the file that takes the place, as far as this user may. None but root may give an
   * owner. A group that cannot be given may no more than all others.
   *
   * @param file which this user has made
   * @throws NullPointerException if the file is null
   * @throws IOException if it cannot be asked, or its permissions cannot be set
   */
  public void giveTo(Path file) throws IOException {
    Objects.requireNonNull(file, "a file is given access, was null");
    if (kept == null) {
      return;
    }
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    PosixFileAttributes made = view.readAttributes();
    Set<PosixFilePermission> permissions = kept.permissions();
    try {
      if (!made.owner().equals(kept.owner())) {
        view.setOwner(kept.owner());
      }
    } catch (IOException e) {
      // then it is the file of who writes it
    }
    try {
      if (!made.group().equals(kept.group())) {
        view.setGroup(kept.group());
      }
    } catch (IOException e) {
      permissions = forAnyGroup(permissions);
    }
    if (!made.permissions().equals(permissions)) {
      view.setPermissions(permissions);
    }
  }

  /** Without what a group may that others may not: who is in another group gains nothing. */
  static Set<PosixFilePermission> forAnyGroup(Set<PosixFilePermission> permissions) {
    Set<PosixFilePermission> left = new HashSet<>(permissions);
    if (!left.contains(PosixFilePermission.OTHERS_READ)) {
      left.remove(PosixFilePermission.GROUP_READ);
    }
    if (!left.contains(PosixFilePermission.OTHERS_WRITE)) {
      left.remove(PosixFilePermission.GROUP_WRITE);
    }
    if (!left.contains(PosixFilePermission.OTHERS_EXECUTE)) {
      left.remove(PosixFilePermission.GROUP_EXECUTE);
    }
    return left;
  }
}
