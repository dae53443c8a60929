// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import io.lucenedelta.workload.FileAccess;
import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.lucene.util.IOConsumer;

/**
 * A file that has its name when it is whole, and not before: it is written beside, as a new file of
 * the name, random letters and {@code .part}, and renamed when all is written, over one that is
 * there. If it is not written to its end, for a full disk or whatever else fails meanwhile, what
 * was written is removed, and a file of that name stays as it was.
 *
 * <p>A file that replaces another gets its permissions, and its group and owner where the system
 * lets it have them; until then it is its owner's alone.
 *
 * <p>What is no plain file, such as {@code /dev/stdout}, and a file in a folder that takes no
 * other, is written as it stands. A symbolic link stays one. Not safe for use by several threads.
 */
public final class WholeFile extends FilterOutputStream {
  private static final Pattern BEHIND_NAME = Pattern.compile("[.][-0-9a-f]{36}[.]part");
  private static final int MOST_LINKS = 40; // as many as Linux follows

  private final Path file;
  private final Path written;
  private IOException failure;

  WholeFile(Path file, Path written, OutputStream out) {
    super(out);
    this.file = file;
    this.written = written;
  }

  /**
   * Writes a file.
   *
   * @param contents writes what it holds to a stream; closing that flushes it, and no more
   * @throws IOException if it cannot be written; then it names the file, unless the contents have
   *     thrown it
   */
  public static void write(Path file, IOConsumer<OutputStream> contents) throws IOException {
    begin(file).fill(contents);
  }

  /** Writes a text file, in UTF-8. */
  public static void writeText(Path file, IOConsumer<Writer> text) throws IOException {
    write(
        file,
        out -> {
          Writer encoded = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
          text.accept(encoded);
          encoded.flush();
        });
  }

  private static WholeFile begin(Path file) throws IOException {
    if (Files.exists(file) && !Files.isWritable(file)) {
      throw new AccessDeniedException(file.toString());
    }
    boolean plain = Files.isRegularFile(file);
    Path target = plain ? file.toRealPath() : Files.exists(file) ? file : behindLinks(file);
    boolean asItStands =
        plain ? !Files.isWritable(target.toAbsolutePath().getParent()) : Files.exists(file);
    if (asItStands) {
      return new WholeFile(target, target, Files.newOutputStream(target));
    }
    Path part = partOf(target);
    return new WholeFile(target, part, create(part, target));
  }

  /** Makes what is written first, following no link; what fails is told of the file itself. */
  private static OutputStream create(Path part, Path file) throws IOException {
    Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      return Channels.newOutputStream(
          Files.newByteChannel(part, options, FileAccess.of(file).whileWritten()));
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(file.toString());
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(file.toString());
    } catch (FileSystemException e) {
      throw named(file, e, e.getReason());
    }
  }

  /** Where a file will be that links lead to and that is not there yet. */
  private static Path behindLinks(Path file) throws IOException {
    Path target = file;
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MOST_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** Writes it to its end, or nothing of it stays. */
  void fill(IOConsumer<OutputStream> contents) throws IOException {
    try {
      contents.accept(this);
    } catch (Throwable t) {
      giveUp(t);
      throw t;
    }
    end();
  }

  /**
   * What a file may be called until it is whole: another name each time, which none can foresee.
   */
  public static Path partOf(Path file) {
    return file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
  }

  /** Whether that is what a file was called, or may have been, when it was not whole yet. */
  public static boolean isPartOf(Path file, Path part) {
    String name = file.getFileName().toString();
    String longer = part.getFileName().toString();
    return longer.startsWith(name)
        && BEHIND_NAME.matcher(longer.substring(name.length())).matches();
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    requireWritten();
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failure = e;
      throw named();
    }
  }

  @Override
  public void flush() throws IOException {
    requireWritten();
    try {
      out.flush();
    } catch (IOException e) {
      failure = e;
      throw named();
    }
  }

  /** After a gap nothing more is written, though there may be space again. */
  private void requireWritten() throws IOException {
    if (failure != null) {
      throw named();
    }
  }

  /** What is written last may be wrapped in something that is closed; the file is not. */
  @Override
  public void close() throws IOException {
    flush();
  }

  private void end() throws IOException {
    try {
      out.close();
      if (failure == null && !written.equals(file)) {
        FileAccess.of(file).giveTo(written);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    if (failure != null) {
      deleteWritten();
      throw named();
    }
  }

  private void giveUp(Throwable why) {
    try {
      out.close();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
    try {
      deleteWritten();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private void deleteWritten() throws IOException {
    if (!written.equals(file)) {
      Files.deleteIfExists(written);
    }
  }

  /** A new one each time: an exception cannot be suppressed by itself. */
  private IOException named() {
    String reason =
        failure instanceof FileSystemException system ? system.getReason() : failure.getMessage();
    return named(file, failure, reason);
  }

  private static FileSystemException named(Path file, IOException failure, String reason) {
    FileSystemException named = new FileSystemException(file.toString(), null, reason);
    named.initCause(failure);
    return named;
  }
}
