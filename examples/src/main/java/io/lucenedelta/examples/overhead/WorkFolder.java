// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Folders that a probe fills and leaves no trace of; a file in them says that they are ours, and
 * that it is locked, that the probe has not ended. A link to a folder, on another disk say, stays
 * one, and so does that folder.
 */
public final class WorkFolder {
  private static final String MARK = "made-and-removed-by-lucene-delta-overhead";

  /**
   * The locks of this JVM, by folder. They are never tried: on POSIX systems closing a second
   * channel of a file gives up the lock of the first.
   */
  private static final Map<Path, FileChannel> HELD = new ConcurrentHashMap<>();

  private WorkFolder() {}

  /**
   * Whether a probe works in a folder, here or in another process. On a file system without locks
   * nobody knows, and the answer is no.
   */
  public static boolean isInUse(Path directory) {
    if (HELD.containsKey(nameOf(directory))) {
      return true;
    }
    try (FileChannel mark = FileChannel.open(directory.resolve(MARK), StandardOpenOption.WRITE)) {
      return mark.tryLock() == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      return false; // there is none, or no lock of it
    }
  }

  /** Whether a folder can be made anew: it is not there, holds nothing, or was made here. */
  public static boolean isFree(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return !Files.exists(directory);
    }
    try (Stream<Path> files = Files.list(directory)) {
      return Files.exists(directory.resolve(MARK)) || files.findAny().isEmpty();
    }
  }

  /**
   * Makes a folder anew, without what an earlier probe left in it, to be used until it is
   * {@linkplain #remove removed}.
   *
   * @throws IOException if it cannot be made, is in use, or is somebody else's
   */
  static void make(Path directory) throws IOException {
    if (isInUse(directory)) {
      throw new IOException(
          directory + " is in use by another run: wait until that has ended, or work elsewhere");
    }
    remove(directory);
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
    }
    hold(directory);
  }

  private static void hold(Path directory) throws IOException {
    FileChannel mark =
        FileChannel.open(
            directory.resolve(MARK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    HELD.put(nameOf(directory), mark);
    try {
      mark.lock(); // waits for who just looks whether there is one
    } catch (IOException e) {
      // a file system without locks: as if nobody else came
    }
  }

  private static Path nameOf(Path directory) {
    return directory.toAbsolutePath().normalize();
  }

  /**
   * Deletes a folder that was {@linkplain #make made} and everything in it, if it is there; behind
   * a link the folder itself stays.
   *
   * @throws IOException if it cannot be deleted, or is somebody else's
   */
  static void remove(Path directory) throws IOException {
    if (!isFree(directory)) {
      throw new IOException(directory + " was not made here: move it away, or work elsewhere");
    }
    FileChannel held = HELD.remove(nameOf(directory)); // null where an earlier process made it
    boolean there = Files.exists(directory);
    try (held) {
      if (there) {
        empty(directory.toRealPath()); // a walk does not follow the link that it starts at
      }
    }
    if (there && !Files.isSymbolicLink(directory)) {
      Files.delete(directory);
    }
  }

  private static void empty(Path directory) throws IOException {
    Path mark = directory.resolve(MARK);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(mark) && !file.equals(directory)) {
          Files.delete(file);
        }
      }
    }
    Files.deleteIfExists(mark); // last: a folder that is half removed is still ours
  }
}
