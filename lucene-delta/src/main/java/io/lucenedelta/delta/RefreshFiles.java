// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.PriorityQueue;

/** Several refresh files, oldest first, read as one: pages in key order, refreshes oldest first. */
final class RefreshFiles implements Closeable {
  private record Cursor(String name, RefreshFile.Reader file, int age) {}

  private static final class Cursors extends PriorityQueue<Cursor> {
    Cursors(int most) {
      super(most);
    }

    @Override
    protected boolean lessThan(Cursor a, Cursor b) {
      int order = a.file().key().compareTo(b.file().key());
      return order != 0 ? order < 0 : a.age() < b.age();
    }
  }

  private final Directory directory;
  private final List<RefreshFile.Reader> files = new ArrayList<>();
  private final PriorityQueue<Cursor> queue;
  private BytesRef key;
  private final StoredRefreshes stored = new StoredRefreshes();

  /**
   * Opens files that the manifest names; whoever reads one that is gone or damaged hears
   * {@linkplain RefreshFile#lost what to do}.
   */
  RefreshFiles(Directory directory, List<String> names) throws IOException {
    this.directory = directory;
    this.queue = new Cursors(names.size());
    try {
      for (String name : names) {
        add(name);
      }
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(files);
      throw t;
    }
  }

  /** The refreshes of one page in one of these files, oldest first, none if it has none. */
  static List<Refresh> find(Directory directory, String name, BytesRef page) throws IOException {
    try {
      return RefreshFile.find(directory, name, page);
    } catch (IOException e) {
      throw RefreshFile.lost(directory, name, e);
    }
  }

  private void add(String name) throws IOException {
    try {
      files.add(new RefreshFile.Reader(directory, name));
    } catch (IOException e) {
      throw RefreshFile.lost(directory, name, e);
    }
    Cursor cursor = new Cursor(name, files.get(files.size() - 1), files.size());
    if (advance(cursor)) {
      queue.add(cursor);
    }
  }

  /** Moves to a file's next page, false if it has none. */
  private boolean advance(Cursor cursor) throws IOException {
    try {
      return cursor.file().next();
    } catch (IOException e) {
      throw RefreshFile.lost(directory, cursor.name(), e);
    }
  }

  boolean next() throws IOException {
    if (queue.size() == 0) {
      return false;
    }
    key = queue.top().file().key();
    stored.clear();
    while (queue.size() > 0 && queue.top().file().key().equals(key)) {
      Cursor cursor = queue.top();
      stored.addAll(cursor.file().stored());
      if (advance(cursor)) {
        queue.updateTop();
      } else {
        queue.pop();
      }
    }
    return true;
  }

  BytesRef key() {
    return key;
  }

  /** The current page's refreshes, in a new list. */
  List<Refresh> refreshes() throws IOException {
    return stored.read();
  }

  /** The current page's refreshes as the files hold them; reused for the next page. */
  StoredRefreshes stored() {
    return stored;
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(files);
  }
}
