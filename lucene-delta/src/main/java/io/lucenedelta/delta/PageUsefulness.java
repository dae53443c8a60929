// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * What users get from pages. For a page that was never seen to change it is the best sign of what a
 * change would be worth, and most pages are rarely fetched again.
 *
 * <p>Measuring tells it of pages whose text changes, mostly carried on from what it was. Here it is
 * found of those of which it is not known: they were in the index before there were rank functions,
 * or their text was read from there. And of all pages anew, when what was found no longer compares
 * with what measuring finds: at first, when the index has grown by half or shrunk by a third or its
 * pages have changed ten times each or been exchanged, since a page shares its queries with all
 * others, when a scored field has come to pages or left them, when another set-up is measured, and
 * on request.
 *
 * <p>For each page whose usefulness differs from the one recorded, a refresh that is no visit is
 * written, so that it lasts; in the order of keys, which is the order of the index. One that comes
 * to no finite number is not known: what was recorded is of another set-up, perhaps. The page store
 * takes it from the file, once that is whole: what only the store had would not differ from what is
 * recorded the next time, and no file would ever have it. For the same reason that of every page is
 * written when a file of refreshes is lost: the store has what it told, and no file may have it.
 *
 * <p>Guarded by the measurer's lock.
 */
final class PageUsefulness {
  private static final int TOLD_EVERY = 10_000;

  private static final String FAILED =
      "what users get from pages could not be found; it will be when rank functions are built, by"
          + " rebuild() say, or by the next writer";

  private static final String INTERRUPTED =
      "what users get from pages could not be found, as the thread was interrupted; it will be by"
          + " the next question or commit";

  private final DeltaConfig config;
  private final CommittedIndex index;
  private final Directory files;
  private final Manifest manifest;
  private final CurrentPages pages;
  private final CurrentRanks ranks;
  private final Costs costs;
  private long triedAt = -1; // builds of rank functions at the last try, -1 before the first

  PageUsefulness(
      DeltaConfig config,
      CommittedIndex index,
      Directory files,
      Manifest manifest,
      CurrentPages pages,
      CurrentRanks ranks,
      Costs costs) {
    this.config = config;
    this.index = index;
    this.files = files;
    this.manifest = manifest;
    this.pages = pages;
    this.ranks = ranks;
    this.costs = costs;
  }

  /**
   * Finds it if rank functions were built since that was tried last, or it was not tried yet and is
   * to be found of all pages. There must be rank functions, and the pages must stand for the
   * index's latest commit. What fails waits for the next build, or the next writer, unless it
   * failed as the thread was interrupted.
   */
  void find() {
    boolean all = manifest.isUsefulnessOld();
    boolean tried = triedAt == ranks.builds();
    boolean lackedNothing = triedAt < 0 && ranks.builds() == 0 && !all;
    if (ranks.inUse() == null || tried || lackedNothing) {
      return;
    }
    long triedBefore = triedAt;
    triedAt = ranks.builds();
    long begin = costs.begin();
    try (DirectoryReader reader = index.openLatest()) {
      String name = StateFiles.newRefreshes(manifest);
      int found = write(reader, all, name);
      if (found > 0) {
        manifest.addRefreshFile(name); // it counts, however many of its pages the store takes
        try {
          pages.store().add(files, name); // read back: not all of it would fit on the heap
        } finally {
          pages.countHistoryChanges(1 + found);
        }
      }
      manifest.usefulPages = all ? manifest.pages : manifest.usefulPages;
      if (found > 0) {
        manifest.write(files);
      }
    } catch (Throwable t) {
      manifest.outdateUsefulness(); // the store may have some, and nobody knows which
      boolean interrupted = Thread.currentThread().isInterrupted();
      triedAt = interrupted ? triedBefore : triedAt;
      config.listener().trouble(Trouble.RETRIED, interrupted ? INTERRUPTED : FAILED, t);
    }
    costs.end(Costs.Step.RANKS, begin);
  }

  /** Writes it to a file, durably; there is no file if it is as it was. */
  private int write(DirectoryReader reader, boolean all, String name) throws IOException {
    boolean lost = manifest.isUsefulnessLost();
    long wanted = all ? manifest.pages : unknown();
    Terms keys = wanted == 0 ? null : MultiTerms.getTerms(reader, config.keyField());
    if (keys == null) {
      return 0;
    }
    PageMeasure measure =
        new PageMeasure(ranks.inUse(), ranks.inUse().scores(), config, costs.loop());
    PageEntry page = new PageEntry();
    int found = 0;
    int looked = 0;
    try (RefreshFile.Writer file = new RefreshFile.Writer(files, name)) {
      TermsEnum cursor = keys.iterator();
      for (BytesRef key = cursor.next(); key != null; key = cursor.next()) {
        if (pages.store().get(key, page) && (all ? page.present : isUnknown(page))) {
          page.page = PageKeys.name(key);
          float useful = (float) measure.usefulness(page, page.vector);
          boolean finite = Float.isFinite(useful);
          if (lost || (finite ? useful != page.usefulness : page.usefulness >= 0)) {
            float told = finite ? useful : Refresh.FORGOTTEN;
            file.page(key, List.of(Refresh.useful(manifest.generation, told)));
            found++;
          }
          if (++looked % TOLD_EVERY == 0) {
            config.listener().progress("finding what users get from pages", looked, wanted);
          }
        }
      }
      if (found > 0) {
        file.finish();
      }
    }
    return found;
  }

  private static boolean isUnknown(PageEntry page) {
    return page.present && page.usefulness < 0;
  }

  private long unknown() throws IOException {
    int[] unknown = new int[1];
    pages.store().forEach((key, page) -> unknown[0] += isUnknown(page) ? 1 : 0);
    return unknown[0];
  }
}
