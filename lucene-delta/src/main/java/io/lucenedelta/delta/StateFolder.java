// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.ThreadInterruptedException;

/**
 * The folder that holds what is measured, and the lock that keeps other writers out.
 *
 * <p>The lock is the operating system's on {@code writer.lock}: it ends with the process, however
 * that ends. The file names who holds it. Closing any channel on a file, in POSIX systems, ends the
 * locks that the process has on it; so the folders that this process holds are kept in mind, and
 * their lock files left alone.
 */
final class StateFolder implements Closeable {
  private static final String LOCK = "writer.lock";

  /** Between two tries to lock a folder that is about to be free, in milliseconds. */
  private static final long PAUSE = 20;

  /** So often at most: for five seconds. */
  private static final int TRIES = 250;

  /** By real path, the folders that this process holds or tries to lock, and who holds them. */
  private static final Map<Path, AtomicReference<Holder>> HELD = new ConcurrentHashMap<>();

  /**
   * Lock files of folders that other classes of this process hold. They stay open: closing one
   * would end the lock that the others have.
   */
  private static final Map<Path, LockFile> OTHERS = new ConcurrentHashMap<>();

  private final Path path;
  private final Path real;
  private final Directory directory;
  private final FileChannel channel;
  private final FileLock lock;
  private boolean open = true;

  /** Who holds a folder. */
  interface Holder extends Closeable {
    /** Whether the folder is still of use to it; if not, whoever wants the folder closes it. */
    boolean isOpen();
  }

  private StateFolder(
      Path path, Path real, Directory directory, FileChannel channel, FileLock lock) {
    this.path = path;
    this.real = real;
    this.directory = directory;
    this.channel = channel;
    this.lock = lock;
  }

  /** Where the state of an index lies unless configured: beside it, with {@code .delta} added. */
  static Path pathFor(Directory index, Path configured) throws IOException {
    Directory unwrapped = FilterDirectory.unwrap(index);
    Path folder = unwrapped instanceof FSDirectory fs ? fs.getDirectory() : null;
    if (configured != null) {
      if (folder != null && real(configured).equals(real(folder))) {
        throw new IllegalArgumentException(
            "the state cannot lie in the index's own folder "
                + folder
                + "; give another statePath or none");
      }
      return configured;
    }
    if (folder == null) {
      throw new IllegalArgumentException(
          "the index is not in a folder ("
              + unwrapped.getClass().getSimpleName()
              + "), so the state has no place beside it; give a statePath");
    }
    return pathFor(folder);
  }

  /** The same for an index that is named by a path, be it a symbolic link. */
  static Path pathFor(Path index) throws IOException {
    Path normal = Files.isDirectory(index) ? index.toRealPath() : normal(index);
    if (normal.getFileName() == null) {
      throw new IllegalArgumentException(
          "the index is in the root folder "
              + normal
              + ", so the state has no place beside it; put the index into another folder, or give a statePath");
    }
    return normal.resolveSibling(normal.getFileName() + ".delta");
  }

  private static Path real(Path path) throws IOException {
    return Files.exists(path) ? path.toRealPath() : normal(path);
  }

  private static Path normal(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /**
   * Looks whether a folder, if there is one, could be locked now, before anything else is opened
   * that would have to be closed again.
   *
   * @throws StateLockedException if another writer has it
   * @throws NotDirectoryException if there can be no folder
   */
  static void requireFree(Path path, DeltaConfig config) throws IOException {
    requirePlace(path);
    if (Files.exists(path)) {
      lock(path, config.stateDirectory()).close();
    }
  }

  /**
   * Refuses a path on which something stands in the way of a folder.
   *
   * @throws NotDirectoryException that says what
   */
  static void requirePlace(Path path) throws IOException {
    Path there = path.toAbsolutePath();
    while (there != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    if (there == null || Files.isDirectory(there)) {
      return;
    }
    String what =
        Files.isSymbolicLink(there)
            ? "a link to %s, which is no folder".formatted(Files.readSymbolicLink(there))
            : "a file";
    throw new NotDirectoryException(
        "the measurements cannot be kept in %s: %s is %s; give them another place, or make room for a folder in this one"
            .formatted(path, there, what));
  }

  /**
   * Opens the folder for writing, creating it if needed. Another process that only saves discovered
   * pages is waited for: it takes part of a second, and no writer is to fail for it.
   *
   * @throws StateLockedException if another writer has it
   * @throws FileSystemException if it cannot be written
   * @throws ThreadInterruptedException if the thread is interrupted
   */
  static StateFolder lock(Path path, UnaryOperator<Directory> wrap) throws IOException {
    return lock(path, wrap, LockHolder.self());
  }

  /** The same for who saves discovered pages and closes it at once. */
  static StateFolder lockToSave(Path path) throws IOException {
    return lock(path, UnaryOperator.identity(), LockHolder.saving());
  }

  private static StateFolder lock(Path path, UnaryOperator<Directory> wrap, String holder)
      throws IOException {
    try {
      Files.createDirectories(path);
    } catch (FileSystemException e) {
      throw notWritable(path, e);
    }
    Path real = path.toRealPath();
    AtomicReference<Holder> before = HELD.putIfAbsent(real, new AtomicReference<>());
    if (before != null && before.get() != null && !before.get().isOpen()) {
      IOUtils.closeWhileHandlingException(before.get()); // its writer was closed by a failure
      before = HELD.putIfAbsent(real, new AtomicReference<>());
    }
    if (before != null) {
      throw locked(path, LockHolder.HERE);
    }
    try {
      return lock(path, real, wrap, holder);
    } catch (ClosedByInterruptException e) {
      HELD.remove(real);
      throw interrupted("locking", path, e);
    } catch (Throwable t) {
      HELD.remove(real); // after its channel was closed
      throw t;
    }
  }

  /** Whether something failed as the thread that did it was interrupted. */
  static boolean wasInterrupted(Throwable t) {
    for (Throwable cause = t; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClosedByInterruptException
          || cause instanceof FileLockInterruptionException) {
        return true;
      }
    }
    return false;
  }

  /** What Lucene throws when a thread is interrupted that waits, the interrupt taken note of. */
  static ThreadInterruptedException interrupted(String doing, Path path, Throwable e) {
    Thread.interrupted();
    InterruptedException interrupted =
        new InterruptedException(
            "interrupted while %s the measurements in %s; try again".formatted(doing, path));
    interrupted.initCause(e);
    return new ThreadInterruptedException(interrupted);
  }

  private static StateFolder lock(
      Path path, Path real, UnaryOperator<Directory> wrap, String holder) throws IOException {
    LockFile file;
    try {
      file = LockFile.of(real.resolve(LOCK));
    } catch (IOException e) {
      if (Files.isSymbolicLink(real.resolve(LOCK))) { // the JDK tells it by no kind of its own
        throw linked(path, e);
      }
      throw e instanceof FileSystemException system ? notWritable(path, system) : e;
    }
    FileChannel channel = file.channel();
    try {
      FileLock lock = lockOnceSaved(path, real, channel);
      writeHolder(path, channel, holder);
      Directory directory = wrap.apply(FSDirectory.open(path));
      return new StateFolder(path, real, directory, channel, lock);
    } catch (OverlappingFileLockException e) { // another writer, of classes loaded a second time
      OTHERS.put(real, file);
      throw locked(path, LockHolder.HERE);
    } catch (Throwable t) {
      channel.close();
      throw t;
    }
  }

  /** Tries once more in any case: who has just locked it may not have said yet that it saves. */
  private static FileLock lockOnceSaved(Path path, Path real, FileChannel channel)
      throws IOException {
    for (int tried = 1; ; tried++) {
      FileLock lock = tryLock(path, channel);
      if (lock != null) {
        return lock;
      }
      String holder = holder(real);
      if (tried >= (LockHolder.isSaving(holder) ? TRIES : 2)) {
        throw locked(path, holder);
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        throw interrupted("locking", path, e);
      }
    }
  }

  private static FileLock tryLock(Path path, FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (ClosedChannelException | FileLockInterruptionException e) { // none of the disk's
      throw e;
    } catch (IOException e) { // the JDK's message is the system's alone, as "No locks available"
      throw new IOException(
          "measurements in %s cannot be locked (%s); give them a folder on a file system that has locks, see DeltaConfig.Builder.statePath"
              .formatted(path, e.getMessage()),
          e);
    }
  }

  private static void writeHolder(Path path, FileChannel channel, String holder)
      throws IOException {
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
    } catch (ClosedChannelException e) { // by an interrupt, say: is none of the disk's
      throw e;
    } catch (IOException e) { // the JDK's message does not name the disk
      throw new IOException(
          "measurements cannot be written in %s, not even who holds them; see whether its disk has room: %s"
              .formatted(path, e.getMessage()),
          e);
    }
  }

  /**
   * An opened lock file.
   *
   * @param key tells the file from another of its name
   */
  private record LockFile(FileChannel channel, Object key) {
    static LockFile of(Path path) throws IOException {
      LockFile kept = OTHERS.remove(path.getParent());
      if (kept != null && kept.key.equals(keyOf(path))) {
        return kept;
      }
      FileChannel channel =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS); // what it leads to would be written over
      return new LockFile(channel, keyOf(path));
    }

    private static Object keyOf(Path path) throws IOException {
      Object key =
          Files.exists(path)
              ? Files.readAttributes(path, BasicFileAttributes.class).fileKey()
              : null;
      return key == null ? path : key; // some systems have none
    }
  }

  private static FileSystemException notWritable(Path path, FileSystemException e) {
    boolean denied = e instanceof AccessDeniedException; // whose message is the file alone
    FileSystemException told =
        new FileSystemException(
            path.toString(),
            null,
            "measurements cannot be written here (%s%s); give this process the right to, or them another place"
                .formatted(denied ? "no permission for " : "", e.getMessage()));
    told.initCause(e);
    return told;
  }

  private static FileSystemException linked(Path path, IOException e) {
    FileSystemException told =
        new FileSystemException(
            path.toString(),
            null,
            "measurements cannot be written here: %s is a link, and what it leads to would be written over; delete the link"
                .formatted(LOCK));
    told.initCause(e);
    return told;
  }

  private static StateLockedException locked(Path path, String holder) {
    return new StateLockedException(
        "measurements in %s are in use by %s; %s"
            .formatted(
                path,
                holder,
                LockHolder.isSaving(holder) ? "try again" : "close that writer first"));
  }

  private static String holder(Path path) {
    String unknown = "another writer";
    try {
      String text = Files.readString(path.resolve(LOCK), StandardCharsets.UTF_8);
      return text.isEmpty() ? unknown : text;
    } catch (IOException e) { // Windows lets nobody read what another process has locked
      return unknown;
    }
  }

  /** Says who holds the folder, until it is closed. */
  void heldBy(Holder holder) {
    HELD.get(real).set(holder);
  }

  Path path() {
    return path;
  }

  Directory directory() {
    return directory;
  }

  /** Gives the folder free; does nothing when that was done before. */
  @Override
  public synchronized void close() throws IOException {
    if (!open) {
      return; // another may hold the folder by now
    }
    open = false;
    try (channel;
        directory) {
      lock.release();
    } finally {
      HELD.remove(real);
    }
  }
}
