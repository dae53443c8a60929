// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The commit data of the application with the name of the batch added.
 *
 * <p>Lucene visits it late: when everything the commit will hold has been flushed, within the
 * writer's monitor. Visits by others, who only want to read the data, name no batch. What the
 * application's data throws is thrown, and it is not asked again: the commit fails as without us.
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
    List<Map.Entry<String, String>> entries = given(); // what it throws is the commit's to throw
    try {
      return marked(entries).iterator();
    } catch (Throwable t) {
      watch.report("a batch could not be named and is measured with the next", t);
      return entries.iterator();
    }
  }

  private List<Map.Entry<String, String>> given() {
    List<Map.Entry<String, String>> entries = new ArrayList<>();
    if (data != null) {
      for (Map.Entry<String, String> entry : data) {
        entries.add(new SimpleImmutableEntry<>(entry)); // the iterator may use it again
      }
    }
    return entries;
  }

  private List<Map.Entry<String, String>> marked(List<Map.Entry<String, String>> given) {
    List<Map.Entry<String, String>> entries = new ArrayList<>(given);
    entries.removeIf(
        entry ->
            BatchNames.GENERATION.equals(entry.getKey())
                || BatchNames.STATE.equals(entry.getKey()));
    watch.addName(entries);
    return entries;
  }
}
