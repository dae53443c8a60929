// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;

/** Which of the state's files are whole and needed, and what becomes of the others. */
final class StateUpkeep {
  // by whole names: what only begins like these is somebody's copy, or a file on its way back
  private static final List<NumberedFiles> COUNTED =
      numbered(
          StateFiles.BATCH,
          StateFiles.VISITS,
          StateFiles.INCOMPLETE,
          StateFiles.REFRESHES,
          StateFiles.RANKS);
  private static final List<NumberedFiles> HISTORY =
      numbered(StateFiles.BATCH, StateFiles.VISITS, StateFiles.REFRESHES);
  private static final NumberedFiles PAGES = new NumberedFiles(StateFiles.PAGES, ".map");
  private static final NumberedFiles CHECKS = new NumberedFiles(PagesCheck.PREFIX);
  private static final List<NumberedFiles> NUMBERED_SPILLS =
      List.of(
          new NumberedFiles(IndexPages.READING, ".map"),
          new NumberedFiles(HeardVisits.PREFIX, ".map"),
          new NumberedFiles(OrderFile.COLUMNS, ".map"),
          new NumberedFiles(OrderFile.COLUMNS, ".tmp"), // of former versions
          new NumberedFiles(OrderFile.PREFIX));
  private static final Set<String> NAMED_SPILLS =
      Set.of(IndexPages.READING_BEFORE, AuditLog.PENDING, QueueFile.PENDING);

  private final Directory files;
  private final DeltaListener listener;

  StateUpkeep(Directory files, DeltaListener listener) {
    this.files = files;
    this.listener = listener;
  }

  private static List<NumberedFiles> numbered(String... prefixes) {
    return Arrays.stream(prefixes).map(NumberedFiles::new).toList();
  }

  /** What is found of a file. */
  enum Found {
    NOTHING,
    DAMAGED,
    WHOLE
  }

  /**
   * Looks for a file of what was measured before a commit. One that is damaged is given a name that
   * nobody deletes.
   *
   * @throws IOException if it cannot be read for another reason, which may pass
   */
  Found checkOrSetAside(String file) throws IOException {
    List<String> there = List.of(files.listAll());
    if (!there.contains(file)) {
      return Found.NOTHING;
    }
    try {
      RefreshFile.check(files, file);
      return Found.WHOLE;
    } catch (CorruptIndexException
        | IndexFormatTooNewException
        | IndexFormatTooOldException
        | EOFException damage) {
      String aside = StateFiles.aside(file, there);
      files.rename(file, aside);
      listener.trouble(
          Trouble.LOST,
          "what was measured before the commit cannot be read: %s is damaged and kept as %s"
              .formatted(file, aside),
          damage);
      return Found.DAMAGED;
    }
  }

  /** The highest number of a batch whose files are here, whether or not it was ever committed. */
  long lastMeasured() throws IOException {
    List<String> names = List.of(files.listAll());
    long last = 0;
    for (String kind : List.of(StateFiles.BATCH, StateFiles.VISITS, StateFiles.INCOMPLETE)) {
      last = Math.max(last, new NumberedFiles(kind).latest(names));
    }
    return last;
  }

  /**
   * Counts batches that were measured and never settled, at most: the state could not be written
   * then, on a full disk say, and the writer ended before it could.
   *
   * @param generation the batch that the index names
   */
  void noteMissing(Manifest manifest, long generation) throws IOException {
    NumberedFiles batches = new NumberedFiles(StateFiles.BATCH);
    int missing = 0;
    long next = generation;
    for (Manifest.Branch branch : manifest.branchesTo(generation)) {
      missing += batches.between(files, branch.first() - 1, next).size();
      next = branch.after() + 1;
    }
    missing += batches.between(files, manifest.generation, next).size();
    if (missing > 0) {
      manifest.batchesIncomplete += missing;
      manifest.lastIncomplete =
          "what was measured of %d %s between batch %d and batch %d never became part of the history: the state could not be written before its writer ended"
              .formatted(
                  missing, missing == 1 ? "batch" : "batches", manifest.generation, generation);
      listener.trouble(Trouble.LOST, manifest.lastIncomplete, null);
    }
  }

  /**
   * Takes files of refreshes that are damaged or gone off the manifest and gives them a name that
   * nobody deletes: what the others tell is worth more than an index that cannot be opened.
   *
   * @throws IOException if a file cannot be read for another reason; nothing has changed then
   */
  void setDamagedAside(Manifest manifest) throws IOException {
    for (String file : List.copyOf(manifest.refreshFiles)) {
      try {
        RefreshFile.check(files, file);
      } catch (CorruptIndexException | FileNotFoundException | NoSuchFileException damage) {
        setAside(manifest, file, damage);
      }
    }
  }

  /**
   * The same with files that are gone, or that do not end as they were written: this takes a look
   * at names and ends alone.
   */
  void setLostAside(Manifest manifest) throws IOException {
    List<String> there = List.of(files.listAll());
    for (String file : List.copyOf(manifest.refreshFiles)) {
      if (!there.contains(file)) {
        setAside(manifest, file, null);
        continue;
      }
      try {
        RefreshFile.checkEnd(files, file);
      } catch (CorruptIndexException damage) {
        setAside(manifest, file, damage);
      } catch (IOException e) {
        listener.trouble(
            Trouble.RETRIED, file + " cannot be looked at; it is taken to be whole", e);
      }
    }
  }

  /**
   * Keeps the files of refreshes under names that nobody deletes when there is no manifest: which
   * of them count is not known any more.
   *
   * @return whether there were any
   */
  boolean setUnnamedAside() throws IOException {
    int kept = 0;
    List<String> there = List.of(files.listAll());
    for (String file : there) {
      if (isOne(file, HISTORY)) {
        files.rename(file, StateFiles.aside(file, there));
        kept++;
      }
    }
    if (kept > 0) {
      listener.trouble(
          Trouble.LOST,
          "the manifest is gone; everything is measured anew, and %d files of refreshes that it may have named are kept as %s…"
              .formatted(kept, StateFiles.DAMAGED),
          null);
    }
    return kept > 0;
  }

  private void setAside(Manifest manifest, String file, IOException damage) throws IOException {
    List<String> there = List.of(files.listAll());
    boolean damaged = there.contains(file);
    String aside = damaged ? StateFiles.aside(file, there) : StateFiles.DAMAGED + file;
    if (damaged) {
      files.rename(file, aside);
    }
    boolean kept = damaged || there.contains(aside); // by an opening that was killed then
    String sentence =
        "%s is %s; the histories of its pages lack the refreshes in it"
            .formatted(file, kept ? "damaged and kept as " + aside : "gone");
    if (!there.contains(StateFiles.MISSED + file)) {
      files.createOutput(StateFiles.MISSED + file, IOContext.DEFAULT).close();
      files.sync(List.of(StateFiles.MISSED + file));
    }
    manifest.removeRefreshFile(file);
    manifest.loseUsefulness(); // it may have told some
    manifest.countIncomplete(sentence);
    listener.trouble(Trouble.LOST, sentence, damage);
  }

  /**
   * Deletes what a process that died left of its batches, of columns but for those kept, and of an
   * audit log, a queue or a workload that it was writing: whoever writes one has the folder's lock,
   * as who opens a writer has.
   */
  void deleteSpills(long columnsNumber) throws IOException {
    Set<String> kept =
        Set.of(
            OrderFile.PREFIX + columnsNumber,
            OrderFile.columns(Path.of(""), columnsNumber).toString());
    for (String file : files.listAll()) {
      if (isSpill(file) && !kept.contains(file)) {
        IOUtils.deleteFilesIgnoringExceptions(files, file);
      }
    }
  }

  private static boolean isSpill(String file) {
    return isOne(file, NUMBERED_SPILLS)
        || NAMED_SPILLS.contains(file)
        || CapturedSegment.isSpilled(file)
        || KeptWorkloads.isPending(file);
  }

  private static boolean isOne(String file, List<NumberedFiles> kinds) {
    return kinds.stream().anyMatch(kind -> kind.names(file));
  }

  /**
   * Deletes what the manifest does not name, and every page store but the one in use; nothing while
   * it is {@linkplain Manifest#makeTentative tentative}, when another one on disk names more. A
   * file that was taken for lost and put back since is kept, and so is what has none of our names.
   *
   * @param underWay the batch that is measured and not settled, whose files the manifest will name;
   *     null when there is none
   */
  void deleteOthers(Manifest manifest, long pagesNumber, Batch underWay) throws IOException {
    if (manifest.isTentative()) {
      return;
    }
    Set<String> kept = new HashSet<>(manifest.refreshFiles);
    kept.add(manifest.ranksFile);
    if (underWay != null) {
      kept.add(StateFiles.batch(underWay.generation));
      kept.add(StateFiles.visits(underWay.generation));
      kept.add(StateFiles.incomplete(underWay.generation));
    }
    Set<String> there = Set.of(files.listAll());
    for (String file : there) {
      boolean uncounted = isOne(file, COUNTED) && !kept.contains(file);
      boolean stale =
          (PAGES.names(file) && !file.equals(StateFiles.pages(pagesNumber)))
              || (CHECKS.names(file) && !file.equals(PagesCheck.name(pagesNumber)));
      if (there.contains(StateFiles.MISSED + file)) {
        putBack(file, uncounted, there);
      } else if (uncounted || stale) {
        IOUtils.deleteFilesIgnoringExceptions(files, file);
      }
    }
  }

  /**
   * A file of refreshes is there again that was taken off a manifest. Perhaps that manifest was
   * never written, and the file counts; else nobody else may have what it tells.
   */
  private void putBack(String file, boolean uncounted, Set<String> there) {
    if (uncounted) {
      String aside = StateFiles.aside(file, there); // beside the damaged one that this is a copy of
      try {
        files.rename(file, aside);
      } catch (IOException e) {
        return; // it stays where it is until it can be renamed
      }
      listener.trouble(
          Trouble.LOST,
          "%s was put back after the measurements had been opened without it: its refreshes count no more, and it is kept as %s. To have them, close the writer and restore the index and all measurements from one backup"
              .formatted(file, aside),
          null);
    }
    IOUtils.deleteFilesIgnoringExceptions(files, StateFiles.MISSED + file);
  }
}
