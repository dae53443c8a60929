// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.store.Directory;

/**
 * Keeps the number of refresh files logarithmic in the number of batches: eight files of a level,
 * or a few more, become one of the next.
 *
 * <p>Every refresh is rewritten once a level. Contributions of queries are kept for a page's latest
 * three refreshes that have them; all times and quality changes stay.
 */
final class RefreshCompaction {
  private static final int FANOUT = 8;
  private static final int EXPLAINED = 3;

  private final Directory files;
  private final Manifest manifest;

  RefreshCompaction(Directory files, Manifest manifest) {
    this.files = files;
    this.manifest = manifest;
  }

  /** Compacts what is due; returns whether the manifest has changed and must be written. */
  boolean compact() throws IOException {
    boolean changed = false;
    for (int from = firstOfLevel();
        manifest.refreshFiles.size() - from >= FANOUT;
        from = firstOfLevel()) {
      merge(from, Long.MAX_VALUE);
      changed = true;
    }
    return changed;
  }

  /** Forgets refreshes of batches after the given one: the index was taken back to it. */
  void forgetAfter(long generation) throws IOException {
    if (!manifest.refreshFiles.isEmpty()) {
      merge(0, generation);
    }
  }

  /**
   * Where the files begin that are of the last one's level or lower. All of them are merged, as a
   * batch may bring more than one: a file left between two of a higher level would keep these apart
   * for ever.
   */
  private int firstOfLevel() {
    int first = manifest.refreshFiles.size();
    int level = first == 0 ? 0 : manifest.refreshLevels.get(first - 1);
    while (first > 0 && manifest.refreshLevels.get(first - 1) <= level) {
      first--;
    }
    return first;
  }

  private void merge(int from, long lastGeneration) throws IOException {
    List<String> sources = manifest.refreshFiles.subList(from, manifest.refreshFiles.size());
    List<Integer> levels = manifest.refreshLevels.subList(from, manifest.refreshLevels.size());
    String name = StateFiles.newRefreshes(manifest);
    int highest = levels.stream().mapToInt(Integer::intValue).max().orElse(0);
    boolean any = false;
    try (RefreshFiles pages = new RefreshFiles(files, sources);
        RefreshFile.Writer merged = new RefreshFile.Writer(files, name)) {
      while (pages.next()) {
        List<Refresh> kept = kept(pages.refreshes(), lastGeneration);
        if (!kept.isEmpty()) {
          merged.page(pages.key(), kept);
          any = true;
        }
      }
      merged.finish();
    }
    sources.clear();
    levels.clear();
    if (any) {
      manifest.refreshFiles.add(name);
      manifest.refreshLevels.add(highest + 1);
    }
  }

  /**
   * All visits, and what tells usefulness alone where nothing later tells it: finding that of all
   * pages anew leaves something to write for each of them, however often it is done.
   */
  private static List<Refresh> kept(List<Refresh> refreshes, long lastGeneration) {
    List<Refresh> kept = new ArrayList<>();
    int explained = 0;
    boolean told = false; // the usefulness of the page
    for (int i = refreshes.size() - 1; i >= 0; i--) {
      Refresh refresh = refreshes.get(i).settled();
      if (refresh.generation() <= lastGeneration && (refresh.isVisit() || !told)) {
        told |= refresh.tellsUsefulness();
        Refresh rest = explained == EXPLAINED ? refresh.withoutDetails() : refresh;
        explained += rest.details() == null ? 0 : 1;
        kept.add(rest);
      }
    }
    Collections.reverse(kept);
    return kept;
  }
}
