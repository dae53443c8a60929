// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/** Several refresh files, oldest first, read as one: pages in key order, refreshes oldest first. */
final class RefreshFiles implements Closeable {
  private record Cursor(String name, RefreshFile.Reader file, int age) {}

  private final Directory directory;
  private final List<RefreshFile.Reader> files = new ArrayList<>();
  private final PriorityQueue<Cursor> queue =
      new PriorityQueue<>(
          (a, b) -> {
            int order = a.file().key().compareTo(b.file().key());
            return order != 0 ? order : Integer.compare(a.age(), b.age());
          });
  private BytesRef key;
  private final List<Refresh> refreshes = new ArrayList<>();

  /**
   * Opens files that the manifest names; whoever reads one that is gone or damaged hears
   * {@linkplain RefreshFile#lost what to do}.
   */
  RefreshFiles(Directory directory, List<String> names) throws IOException {
    this.directory = directory;
    try {
      for (String name : names) {
        add(name);
      }
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(files);
      throw t;
    }
  }

  private void add(String name) throws IOException {
    try {
      files.add(new RefreshFile.Reader(directory, name));
    } catch (IOException e) {
      throw RefreshFile.lost(directory, name, e);
    }
    advance(new Cursor(name, files.get(files.size() - 1), files.size()));
  }

  /** Moves to a file's next page, if it has one, which gives the file its place. */
  private void advance(Cursor cursor) throws IOException {
    try {
      if (cursor.file().next()) {
        queue.add(cursor);
      }
    } catch (IOException e) {
      throw RefreshFile.lost(directory, cursor.name(), e);
    }
  }

  boolean next() throws IOException {
    if (queue.isEmpty()) {
      return false;
    }
    key = queue.element().file().key();
    refreshes.clear();
    while (!queue.isEmpty() && queue.element().file().key().equals(key)) {
      Cursor cursor = queue.remove();
      refreshes.addAll(cursor.file().refreshes());
      advance(cursor);
    }
    return true;
  }

  BytesRef key() {
    return key;
  }

  /** The current page's refreshes; the list is reused for the next page. */
  List<Refresh> refreshes() {
    return refreshes;
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(files);
  }
}
