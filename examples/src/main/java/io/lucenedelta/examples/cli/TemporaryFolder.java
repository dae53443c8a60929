// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where queries that take more than the heap go while logs are read.
 *
 * <p>A process that is killed deletes nothing. So each holds the lock of a file in its folder, and
 * a later one deletes folders whose lock nobody holds: unlike the number of a process, a lock is
 * seen from another container that has the same directory, too.
 */
final class TemporaryFolder {
  private static final String NAME = "lucene-delta-workload";
  private static final String LOCK = "lock";

  /** A younger folder may be about to be locked. */
  private static final Duration YOUNG = Duration.ofMinutes(1);

  /**
   * The locks of this JVM, by folder. They are never tried: on POSIX systems closing a second
   * channel of a file gives up the lock of the first.
   */
  private static final Map<Path, FileChannel> HELD = new ConcurrentHashMap<>();

  private TemporaryFolder() {}

  /**
   * Makes an empty one, which whoever asks for it {@linkplain #delete deletes}, and deletes those
   * of processes that were killed.
   *
   * @throws CommandFailure if none can be made: the system names a path that the user never gave
   */
  static Path make() {
    try {
      Path folder = Files.createTempDirectory(NAME);
      lock(folder);
      deleteLeftBeside(folder);
      return folder;
    } catch (IOException e) {
      throw new CommandFailure(
          "no temporary file can be made in %s (java.io.tmpdir): make it a directory with room in which this user may write, or name another by LUCENE_DELTA_JVM_OPTS=-Djava.io.tmpdir=DIR"
              .formatted(System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  /** Without a lock, as on file systems that have none, a folder is left to whoever finds it. */
  private static void lock(Path folder) throws IOException {
    Path file = folder.resolve(LOCK);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    HELD.put(folder, channel);
    try {
      channel.lock();
    } catch (IOException e) {
      Files.delete(file);
    }
  }

  /**
   * Deletes one that is empty again. Windows deletes no file that is mapped, as a workload of many
   * queries is until the program ends; who runs the program hears of what stays.
   */
  static void delete(Path folder, PrintWriter err) {
    try {
      if (contents(folder).stream().allMatch(TemporaryFolder::isLock)) {
        unlock(folder);
        Files.deleteIfExists(folder);
        return;
      }
    } catch (NoSuchFileException e) {
      return; // somebody else deleted it
    } catch (IOException e) {
      // as if a file were left in it
    }
    err.printf(
        "%s cannot be deleted yet, and holds queries: delete it when this has ended%n", folder);
    err.flush();
  }

  private static void unlock(Path folder) throws IOException {
    FileChannel channel = HELD.get(folder);
    if (channel != null) {
      Files.deleteIfExists(folder.resolve(LOCK)); // first: who finds it unlocked deletes the folder
      channel.close();
      HELD.remove(folder);
    }
  }

  /**
   * Deletes the folders beside one of this process that others of its user left and which have
   * ended. A folder stays if it has no lock or something that is no temporary file, or if anything
   * goes wrong: it is nothing that the caller asked for.
   */
  static void deleteLeftBeside(Path own) {
    Path directory = own.toAbsolutePath().getParent();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(directory, NAME + "*")) {
      UserPrincipal user = Files.getOwner(own);
      for (Path folder : folders) {
        if (!HELD.containsKey(folder)) {
          deleteIfLeft(folder, user);
        }
      }
    } catch (IOException | RuntimeException e) {
      // the next run tries again
    }
  }

  /** A folder of somebody else may become a link to any other while it is looked at. */
  private static void deleteIfLeft(Path folder, UserPrincipal user) {
    try {
      FileTime changed = Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS);
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user)
          && changed.toInstant().isBefore(Instant.now().minus(YOUNG))) {
        deleteIfUnlocked(folder);
      }
    } catch (IOException | RuntimeException e) {
      // one without a lock, or not to be deleted yet
    }
  }

  private static void deleteIfUnlocked(Path folder) throws IOException {
    Path lock = folder.resolve(LOCK);
    try (FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      List<Path> files = contents(folder);
      if (channel.tryLock() != null && files.stream().allMatch(TemporaryFolder::isOurs)) {
        files.remove(lock);
        for (Path file : files) {
          Files.delete(file);
        }
        Files.delete(lock);
        Files.delete(folder);
      }
    }
  }

  private static List<Path> contents(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> content = Files.newDirectoryStream(folder)) {
      content.forEach(files::add);
    }
    return files;
  }

  private static boolean isLock(Path file) {
    return file.endsWith(LOCK);
  }

  private static boolean isOurs(Path file) {
    boolean named = isLock(file) || file.toString().endsWith(".tmp");
    return named && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }
}
