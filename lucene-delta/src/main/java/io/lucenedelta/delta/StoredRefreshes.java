// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.util.ArrayUtil;

/** The refreshes of a page as their files hold them, oldest first; reusable, for one thread. */
final class StoredRefreshes {
  private byte[] bytes = new byte[Refresh.MOST_BYTES];
  private int used;
  private int[] begins = new int[1]; // by refresh
  private int size;

  void clear() {
    used = 0;
    size = 0;
  }

  /** Adds the refresh that lies at a place of other bytes. */
  void add(byte[] source, int begin, int end) {
    begins = ArrayUtil.grow(begins, size + 1);
    begins[size++] = used;
    append(source, begin, end - begin);
  }

  void addAll(StoredRefreshes later) {
    begins = ArrayUtil.grow(begins, size + later.size);
    for (int refresh = 0; refresh < later.size; refresh++) {
      begins[size++] = used + later.begins[refresh];
    }
    append(later.bytes, 0, later.used);
  }

  private void append(byte[] source, int begin, int length) {
    bytes = ArrayUtil.grow(bytes, Math.addExact(used, length));
    System.arraycopy(source, begin, bytes, used, length);
    used += length;
  }

  int size() {
    return size;
  }

  /** Finds the parts of a refresh. */
  void get(int refresh, StoredRefresh found) throws IOException {
    found.readAgain(bytes, begins[refresh], refresh + 1 < size ? begins[refresh + 1] : used);
  }

  /** The refreshes as objects, in a new list. */
  List<Refresh> read() throws IOException {
    List<Refresh> refreshes = new ArrayList<>(size);
    ByteArrayDataInput in = new ByteArrayDataInput(bytes, 0, used);
    for (int refresh = 0; refresh < size; refresh++) {
      refreshes.add(Refresh.read(in));
    }
    return refreshes;
  }
}
