// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The commit data of the application with the name of the batch added.
 *
 * <p>Lucene visits it late: when everything the commit will hold has been flushed, within the
 * writer's monitor. Visits by others, who only want to read the data, name no batch.
 */
final class CommitMark implements Iterable<Map.Entry<String, String>> {
  private final Iterable<Map.Entry<String, String>> data;
  private final CommitWatch watch;

  CommitMark(Iterable<Map.Entry<String, String>> data, CommitWatch watch) {
    this.data = data;
    this.watch = watch;
  }

  @Override
  public Iterator<Map.Entry<String, String>> iterator() {
    try {
      return marked().iterator();
    } catch (Throwable t) {
      watch.report("a batch could not be named and is measured with the next", t);
      return data == null ? Collections.emptyIterator() : data.iterator();
    }
  }

  private List<Map.Entry<String, String>> marked() {
    List<Map.Entry<String, String>> entries = new ArrayList<>();
    if (data != null) {
      for (Map.Entry<String, String> entry : data) {
        if (!entry.getKey().equals(BatchNames.GENERATION)
            && !entry.getKey().equals(BatchNames.STATE)) {
          entries.add(new SimpleImmutableEntry<>(entry)); // the iterator may use it again
        }
      }
    }
    watch.addName(entries);
    return entries;
  }
}
