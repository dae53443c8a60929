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
  private record Cursor(RefreshFile.Reader file, int age) {}

  private final List<RefreshFile.Reader> files = new ArrayList<>();
  private final PriorityQueue<Cursor> queue =
      new PriorityQueue<>(
          (a, b) -> {
            int order = a.file().key().compareTo(b.file().key());
            return order != 0 ? order : Integer.compare(a.age(), b.age());
          });
  private BytesRef key;
  private final List<Refresh> refreshes = new ArrayList<>();

  RefreshFiles(Directory directory, List<String> names) throws IOException {
    try {
      for (String name : names) {
        RefreshFile.Reader file = new RefreshFile.Reader(directory, name);
        files.add(file);
        if (file.next()) {
          queue.add(new Cursor(file, files.size()));
        }
      }
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(files);
      throw t;
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
      if (cursor.file().next()) {
        queue.add(cursor);
      }
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
