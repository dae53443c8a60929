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
  private volatile Iterable<Map.Entry<String, String>> committed;

  /**
   * Marks the application's data.
   *
   * @param data null for what the last commit had, which Lucene leaves as it is then
   * @param committed what the last commit had
   */
  CommitMark(
      Iterable<Map.Entry<String, String>> data,
      Iterable<Map.Entry<String, String>> committed,
      CommitWatch watch) {
    this.data = data;
    this.committed = committed;
    this.watch = watch;
  }

  /** What the last commit had. */
  Iterable<Map.Entry<String, String>> committed() {
    return committed;
  }

  @Override
  public Iterator<Map.Entry<String, String>> iterator() {
    List<Map.Entry<String, String>> entries = given(); // what it throws is the commit's to throw
    try {
      entries = marked(entries);
    } catch (Throwable t) {
      watch.putOff("a batch could not be named and is measured with the next", t);
    }
    if (watch.isCommitting()) {
      committed = entries;
    }
    return entries.iterator();
  }

  private List<Map.Entry<String, String>> given() {
    List<Map.Entry<String, String>> entries = new ArrayList<>();
    for (Map.Entry<String, String> entry : data == null ? committed : data) {
      entries.add(new SimpleImmutableEntry<>(entry)); // the iterator may use it again
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
