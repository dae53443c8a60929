// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that has its name when it is whole, and not before: it is written beside, as {@code
 * NAME.part}, and renamed when it is closed, over one that is there. If it cannot be written to its
 * end, as on a full disk, what was written is removed, and a file of that name stays as it was.
 *
 * <p>What is no plain file, such as {@code /dev/stdout}, and a file in a folder that takes no
 * other, is written as it stands. A symbolic link stays one. Not safe for use by several threads.
 */
public final class WholeFile extends FilterOutputStream {
  private static final String PART = ".part";

  private final Path file;
  private final Path written;
  private IOException failure;
  private boolean closed;

  WholeFile(Path file, Path written, OutputStream out) {
    super(out);
    this.file = file;
    this.written = written;
  }

  /**
   * Begins a file.
   *
   * @throws IOException if it cannot be written; all that is thrown later names the file
   */
  public static OutputStream create(Path file) throws IOException {
    if (Files.exists(file) && !Files.isWritable(file)) {
      throw new AccessDeniedException(file.toString());
    }
    boolean plain = Files.isRegularFile(file);
    Path target = plain ? file.toRealPath() : file;
    boolean asItStands =
        plain ? !Files.isWritable(target.toAbsolutePath().getParent()) : Files.exists(file);
    Path written = asItStands ? target : partOf(target);
    return new WholeFile(target, written, Files.newOutputStream(written));
  }

  /** Begins a text file, in UTF-8. */
  public static Writer text(Path file) throws IOException {
    return new BufferedWriter(new OutputStreamWriter(create(file), StandardCharsets.UTF_8));
  }

  /** What a file is called until it is whole. */
  public static Path partOf(Path file) {
    return file.resolveSibling(file.getFileName() + PART);
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

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      out.close();
      if (failure == null && !written.equals(file)) {
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    if (failure != null) {
      if (!written.equals(file)) {
        Files.deleteIfExists(written);
      }
      throw named();
    }
  }

  /** A new one each time: an exception cannot be suppressed by itself. */
  private IOException named() {
    String reason =
        failure instanceof FileSystemException system ? system.getReason() : failure.getMessage();
    FileSystemException named = new FileSystemException(file.toString(), null, reason);
    named.initCause(failure);
    return named;
  }
}
