// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.ArrayUtil;

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

  /** Bytes that merging leaves others on the disk: as many as it takes, but no more than these. */
  private static final long MOST_LEFT_FREE = 1L << 30;

  /** What becomes of a refresh. */
  private static final byte DROPPED = 0;

  private static final byte WITHOUT_DETAILS = 1;
  private static final byte WHOLE = 2;

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
      requireRoom(from, StateFiles.REFRESHES + manifest.nextFile);
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

  /**
   * Looks first: to find out by writing would take all the room from others for a while, and Lucene
   * closes a writer that lacks room.
   */
  private void requireRoom(int from, String name) throws IOException {
    long bytes = 0;
    for (String source : manifest.refreshFiles.subList(from, manifest.refreshFiles.size())) {
      bytes += files.fileLength(source); // all that is written is of them, but for places of blocks
    }
    long wanted = bytes + Math.min(bytes, MOST_LEFT_FREE);
    long usable = StateFiles.usable(files);
    if (0 < usable && usable < wanted) { // some file systems say 0 for what they do not know
      throw new UnwrittenFile(
          StateFiles.path(files, name),
          "see whether its disk has room for %d bytes: it may take %d, and only %d are free"
              .formatted(wanted, bytes, usable),
          null);
    }
  }

  private void merge(int from, long lastGeneration) throws IOException {
    List<String> sources = manifest.refreshFiles.subList(from, manifest.refreshFiles.size());
    List<Integer> levels = manifest.refreshLevels.subList(from, manifest.refreshLevels.size());
    String name = StateFiles.newRefreshes(manifest);
    int highest = levels.stream().mapToInt(Integer::intValue).max().orElse(0);
    boolean any;
    try (RefreshFiles pages = new RefreshFiles(files, sources);
        RefreshFile.Writer merged = new RefreshFile.Writer(files, name)) {
      any = copy(pages, merged, lastGeneration);
      merged.finish();
    }
    sources.clear();
    levels.clear();
    if (any) {
      manifest.refreshFiles.add(name);
      manifest.refreshLevels.add(highest + 1);
    }
  }

  /** Copies what is kept; whether there is any. */
  private static boolean copy(RefreshFiles pages, RefreshFile.Writer target, long lastGeneration)
      throws IOException {
    RefreshFile.Buffer buffer = new RefreshFile.Buffer();
    StoredRefresh refresh = new StoredRefresh();
    byte[] fates = new byte[1]; // by refresh
    boolean any = false;
    while (pages.next()) {
      StoredRefreshes stored = pages.stored();
      fates = ArrayUtil.growNoCopy(fates, stored.size());
      int kept = decide(stored, lastGeneration, refresh, fates);
      if (kept > 0) {
        any = true;
        buffer.beginPage(pages.key(), kept);
        for (int i = 0; i < stored.size(); i++) {
          if (fates[i] != DROPPED) {
            stored.get(i, refresh);
            buffer.refresh(refresh, fates[i] == WHOLE);
          }
          if (buffer.isLarge()) { // within a page, too: it may have millions of refreshes
            target.append(buffer);
            buffer.clear();
          }
        }
      }
    }
    target.append(buffer);
    return any;
  }

  /**
   * Keeps all visits, and what tells usefulness alone where nothing later tells it: finding that of
   * all pages anew leaves something to write for each of them, however often it is done.
   *
   * @return how many are kept
   */
  private static int decide(
      StoredRefreshes stored, long lastGeneration, StoredRefresh refresh, byte[] fates)
      throws IOException {
    int kept = 0;
    int explained = 0;
    boolean told = false; // the usefulness of the page
    for (int i = stored.size() - 1; i >= 0; i--) {
      stored.get(i, refresh);
      fates[i] = DROPPED;
      if (refresh.generation() <= lastGeneration && (refresh.isVisit() || !told)) {
        told |= refresh.tellsUsefulness();
        boolean shown = refresh.hasDetails() && explained < EXPLAINED;
        explained += shown ? 1 : 0;
        fates[i] = shown ? WHOLE : WITHOUT_DETAILS;
        kept++;
      }
    }
    return kept;
  }
}
