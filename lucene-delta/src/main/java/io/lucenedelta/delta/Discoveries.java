// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.WordFactor;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * Pages of which only the address is known, for programs that have no {@link FetchQueue}: those
 * that a queue was told of, and more. {@link DeltaState#nextPages(Discoveries, int, Instant)} puts
 * them in one order with the pages of the index; {@link #save} leaves them to the next queue.
 *
 * <p>Not safe for use by several threads.
 */
public final class Discoveries {
  private final Path folder;
  private final Directory files;
  private final Manifest manifest;
  private final Workload workload;
  private final AnalyzedQueries analysis;
  private final Consumer<Exception> unreadableRanks;
  private final Map<String, Discovery> known;
  private final WordFactor learned;
  private final Map<String, Discovery> told = new LinkedHashMap<>();
  private Set<String> indexed = Set.of();

  Discoveries(
      Path folder,
      Directory files,
      Manifest manifest,
      Workload workload,
      Analyzer analyzer,
      Consumer<Exception> unreadableQueue,
      Consumer<Exception> unreadableRanks)
      throws IOException {
    this.unreadableRanks = unreadableRanks;
    this.folder = folder;
    this.files = files;
    this.manifest = manifest;
    this.workload = workload;
    this.analysis = AnalyzedQueries.of(analyzer, manifest.scoredFields.get(0).name());
    QueueFile queue = queue(unreadableQueue);
    queue.countIn(UsefulnessUnit.of(MeasuredSetup.of(manifest), workload.totalFrequency()));
    this.known = new HashMap<>(queue.discovered());
    this.learned = queue.wordFactor;
  }

  /** What is remembered; nothing of a file that cannot be read, as a queue begins then too. */
  private QueueFile queue(Consumer<Exception> unreadable) throws IOException {
    try {
      return QueueFile.readBesideWriter(files, workload, manifest.hashSeed);
    } catch (IOException | RuntimeException e) {
      if (StateFolder.wasInterrupted(e)) { // which says nothing of the file
        throw e;
      }
      unreadable.accept(e);
      return QueueFile.afresh(files, manifest.hashSeed);
    }
  }

  /**
   * Tells of a page, as {@link FetchQueue#discovered(String, String)} does.
   *
   * @param page the key under which it will be indexed
   * @param text words of a link to it, or its title; null for none
   * @param now since when its address is known, if it was not before
   * @return whether it was told for the first time; it may be in the index nevertheless
   * @throws NullPointerException if the page or the time is null
   * @throws IllegalArgumentException if the key is empty or longer than one can be
   */
  public boolean add(String page, String text, Instant now) {
    requireAddress(page);
    Objects.requireNonNull(now, "a discovered page needs the time it was told, was null");
    String key = PageKeys.indexed(page);
    boolean first = !known.containsKey(key);
    Discovery found = first ? Discovery.of(key, now, manifest.hashSeed) : known.get(key);
    if (text != null) {
      found = found.with(analysis.terms(text, workload));
    }
    known.put(key, found);
    told.put(key, found);
    return first;
  }

  /** Anything else could not be indexed when it is fetched, and would be handed out for ever. */
  static void requireAddress(String page) {
    Objects.requireNonNull(page, "a discovered page needs its address, was null");
    requireKey(page);
  }

  /** Refuses what the index cannot have as the key of a page. */
  static void requireKey(String page) {
    int bytes = new BytesRef(page).length;
    if (bytes == 0 || bytes > IndexWriter.MAX_TERM_LENGTH) {
      throw new IllegalArgumentException(
          "the key of a page must have 1 to %d bytes in UTF-8, this one has %d: %s"
              .formatted(IndexWriter.MAX_TERM_LENGTH, bytes, PageKeys.start(page)));
    }
  }

  /**
   * Those of the pages that turned out to be in the index when an order was asked for last: no
   * discoveries any more.
   */
  public Set<String> indexed() {
    return Collections.unmodifiableSet(indexed);
  }

  /**
   * Leaves what was told here to the next {@link FetchQueue}, but for pages {@linkplain #indexed
   * found} in the index. Where a writer has come with another workload meanwhile, only words that
   * both have are kept of these pages. A writer that another process opens meanwhile waits for
   * this, up to five seconds, and so does another that saves.
   *
   * @throws StateLockedException if a writer is at work, whose own queue is the one to tell
   * @throws FileSystemException if the folder of the measurements was moved or deleted meanwhile
   * @throws IOException if what is remembered cannot be read or written; it stays as it is
   */
  public void save() throws IOException {
    told.keySet().removeAll(indexed);
    if (told.isEmpty()) {
      return;
    }
    requireFolder();
    try (StateFolder locked = StateFolder.lockToSave(folder)) {
      Manifest current = Manifest.read(locked.directory());
      Manifest now = current == null ? manifest : current; // a writer may have begun anew
      Workload measured = measured(now);
      QueueFile latest = QueueFile.read(locked.directory(), measured, now.hashSeed);
      told.forEach((page, found) -> latest.discover(page, found.since(), terms(found, measured)));
      latest.write(locked.directory(), latest.holds, measured);
    }
    told.clear();
  }

  /** Locking makes a folder; whoever moved ours away may be about to put another in its place. */
  private void requireFolder() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new GoneMeanwhile(
          folder.toString(),
          "was moved or deleted since it was opened; open the measurements once more and tell the pages again");
    }
  }

  /** A writer may have come with another; written in terms of ours, words told it would be lost. */
  private Workload measured(Manifest now) throws IOException {
    return now.workloadId == manifest.workloadId
        ? workload
        : Workload.open(folder.resolve(Manifest.workloadFile(now.workloadId)));
  }

  private int[] terms(Discovery page, Workload measured) {
    return measured == workload || !page.hasWords()
        ? page.terms()
        : Discovery.known(
            Arrays.stream(page.terms()).map(term -> measured.termNumber(workload.term(term))));
  }

  /**
   * Refuses the question of another index: its sites have other hashes, and what is found in it may
   * not be in the one that {@link #save} leaves these pages to.
   *
   * @param asked the folder of its measurements
   */
  void requireOf(Path asked, Manifest its) {
    if (!asked.equals(folder)) {
      throw new IllegalArgumentException(
          "these discoveries are of the measurements in %s, asked were those in %s; ask for discoveries there, and tell them their own pages"
              .formatted(folder, asked));
    }
    if (its.hashSeed != manifest.hashSeed) {
      throw new IllegalArgumentException(
          "the measurements in %s were begun anew since these discoveries were asked for; ask for discoveries once more, and tell them the pages again"
              .formatted(folder));
    }
  }

  /** What the order of pages takes from here. */
  OrderSources orderSources(ToldChanges changes) {
    PromisingWords words = new PromisingWords(workload, learned);
    if (known.values().stream().anyMatch(Discovery::hasWords) && !manifest.ranksFile.isEmpty()) {
      try {
        words.use(Ranks.evidence(files, manifest, workload));
      } catch (IOException | RuntimeException e) {
        unreadableRanks.accept(e); // words tell nothing then, as before there are rank functions
      }
    }
    return new OrderSources(changes, known, words);
  }

  /** Says which of them turned out to be in the index when an order was made of them. */
  void found(Set<String> present) {
    indexed = present;
  }
}
