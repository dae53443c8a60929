// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;

/**
 * A directory some of whose files were opened at once, so that they can be read after a writer has
 * deleted them. Closing closes the directory too. Safe for several threads.
 */
final class OpenedFiles extends FilterDirectory {
  /** How often a reader tries: no writer replaces files so often while they are opened. */
  static final int ATTEMPTS = 10;

  private final Map<String, IndexInput> opened = new HashMap<>();
  private List<String> gone = List.of(); // of those that were to be opened first

  private OpenedFiles(Directory in) {
    super(in);
  }

  /** Opens those of the files that are there. */
  static OpenedFiles of(Directory in, List<String> names) throws IOException {
    OpenedFiles files = new OpenedFiles(in);
    try {
      for (String name : names) {
        files.open(name);
      }
      files.gone = names.stream().filter(name -> !files.opened.containsKey(name)).toList();
      return files;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(files.opened.values());
      throw t;
    }
  }

  /** Those that were not there; {@link #openAtOnce} adds none. */
  List<String> gone() {
    return gone;
  }

  /**
   * Opens all files of a kind as they are at one moment, as far as a writer that puts others in
   * their place lets it.
   *
   * @return their names
   */
  List<String> openAtOnce(IOSupplier<List<String>> kind) throws IOException {
    for (int tried = 1; ; tried++) {
      List<String> names = kind.get();
      for (String name : names) {
        open(name);
      }
      if (tried == ATTEMPTS || kind.get().equals(names)) {
        return names;
      }
      for (String name : names) {
        IOUtils.close(opened.remove(name));
      }
    }
  }

  private void open(String name) throws IOException {
    try {
      opened.put(name, in.openInput(name, IOContext.DEFAULT));
    } catch (NoSuchFileException | FileNotFoundException missing) {
      // whoever reads it is told
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput whole = opened.get(name);
    return whole == null ? in.openInput(name, context) : whole.clone();
  }

  @Override
  public void close() throws IOException {
    try {
      IOUtils.close(opened.values());
    } finally {
      in.close();
    }
  }
}
