// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * Builds the page store anew from what is durable: vectors from a commit of the index, sums from
 * the refresh files. Decides on the way which candidates of an unsettled batch are live.
 *
 * <p>A candidate is live when the page's live document is the candidate's; if the candidate's
 * segment was merged, when vector and fetch time are the candidate's and the document is in a later
 * segment. One scan of the workload's postings; used at adoption, after an unclean shutdown or
 * damage, for a set-up or workload that the store cannot be brought to, on an earlier commit, when
 * a batch does not add up, and on request.
 */
final class Reconciliation {
  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final Path folder;
  private final PageStore target;
  private final long firstSeen;
  private final PageEntry entry = new PageEntry();
  private final PageEntry old = new PageEntry();
  private Candidates candidates = new Candidates(false); // none
  private Set<String> gone = Set.of(); // segments of candidates
  private long present;
  private long extraCopies;
  private long liveDocuments;
  private long livePages; // copies included
  private PageStore before; // has the vectors of the histories; null where none are known
  private boolean timesTaken;
  private boolean othersLookedFor;
  private long replaced;
  private int refreshes;
  private int pagesWithOtherVector;
  private double change;
  private long done;

  /**
   * A reconciliation into an empty store.
   *
   * @param folder for a file that is there while a segment is read
   * @param firstSeen fetch time, in milliseconds, of pages of which none is known
   */
  Reconciliation(
      DeltaConfig config, WorkloadTerms terms, Path folder, PageStore target, long firstSeen) {
    this.config = config;
    this.terms = terms;
    this.folder = folder;
    this.target = target;
    this.firstSeen = firstSeen;
  }

  /** Takes the sums of all pages from the refresh files. */
  void addHistory(Directory directory, List<String> files) throws IOException {
    try (RefreshFiles history = new RefreshFiles(directory, files)) {
      while (history.next()) {
        entry.clear();
        for (Refresh refresh : history.refreshes()) {
          entry.add(refresh);
        }
        if (entry.fetched() || entry.usefulness >= 0) {
          target.put(history.key(), entry);
        }
      }
    }
  }

  /** Takes the sums of all pages from another store. */
  void addHistory(PageStore source) throws IOException {
    before = source;
    source.forEach(
        (key, known) -> {
          if (known.unrecorded) { // the live document, if there is one, tells its time
            if (known.usefulness < 0) {
              return;
            }
            known.unrecorded = false;
            known.lastRefresh = FetchTimes.UNKNOWN;
          }
          known.present = false;
          target.put(new BytesRef(key), known);
        });
  }

  /**
   * Takes the candidates of an unsettled batch.
   *
   * @param closed their batch: if its vectors are of the workload and fields measured now, a
   *     document that was merged since can be known by its vector
   */
  void addCandidates(Directory directory, String file, ClosedBatch closed) throws IOException {
    candidates = new Candidates(closed.alike());
    gone = closed.gone();
    try (RefreshFile.Reader reader = new RefreshFile.Reader(directory, file)) {
      while (reader.next()) {
        candidates.add(reader.key(), copies(reader));
      }
    }
  }

  /** The copies of a page that may be live. */
  private List<Refresh> copies(RefreshFile.Reader reader) throws IOException {
    List<Refresh> copies = new ArrayList<>(reader.refreshes());
    copies.removeIf(copy -> gone.contains(copy.segment()));
    return copies;
  }

  /**
   * Takes fetch times from the documents that tell later ones than the refreshes: some refreshes of
   * the batch that the commit closed, or of another writer, are not recorded, but the vectors read
   * are of that time, and the next refresh is measured from them.
   */
  void takeTimes() {
    timesTaken = true;
  }

  /**
   * Looks for documents that another writer put in the place of candidates before their batch was
   * settled; while this writer is open there can be none.
   */
  void lookForOthers() {
    othersLookedFor = true;
  }

  /** Adds the visits of an unsettled batch that found nothing; to be called last. */
  void addVisits(Directory directory, String file) throws IOException {
    target.add(directory, file);
  }

  /** Reads the commit. */
  void readIndex(DirectoryReader reader) throws IOException {
    candidates.beginCommit(
        reader.leaves().stream()
            .map(leaf -> IndexPages.segmentName(leaf.reader()))
            .collect(Collectors.toSet()));
    liveDocuments = reader.numDocs();
    for (LeafReaderContext leaf : reader.leaves()) {
      livePages += PageKeys.of(leaf.reader(), config.keyField()).countLive();
    }
    new IndexPages(config, terms, folder).read(reader.leaves(), this::page);
  }

  private void page(BytesRef key, String segment, int doc, long fetched, VectorBuffer vector)
      throws IOException {
    target.get(key, entry);
    if (entry.present) {
      extraCopies++;
    } else {
      present++;
    }
    entry.present = true;
    if (!entry.fetched() || entry.unrecorded) {
      entry.unrecorded = true;
      entry.lastRefresh = fetched == FetchTimes.UNKNOWN ? firstSeen : fetched;
    } else if (timesTaken) {
      takeLater(fetched);
    }
    if (entry.usefulness >= 0 && wasKnown(key) && !hadVector(vector)) {
      entry.usefulness = -1; // it was that of another text; a live candidate tells its own
    }
    entry.vector.copyFrom(vector);
    target.put(key, entry);
    candidates.identify(key, segment, doc, fetched, vector.hash());
    if (++done % 10_000 == 0) {
      config.listener().progress("reading pages from the index", done, livePages);
    }
  }

  /** Whether the former store is at hand and knew a page, which is {@code old} then. */
  private boolean wasKnown(BytesRef key) {
    return before != null && before.get(key, old);
  }

  private boolean hadVector(VectorBuffer vector) {
    return old.present && vector.sameAs(old.vector);
  }

  /** When a page that went back was fetched last is known again, as from a refresh. */
  private void takeLater(long fetched) {
    if (fetched > entry.lastRefresh) {
      entry.lastRefresh = fetched;
      entry.wentBack = false;
    }
  }

  /**
   * Adds the live refreshes of the candidates' batch to the sums of their pages and writes them to
   * a file of their own, durably, if there are any; to be called when the index was read.
   *
   * @param file of the candidates
   * @param live name of the new file
   */
  void settle(Directory directory, String file, String live) throws IOException {
    try (RefreshFile.Reader all = new RefreshFile.Reader(directory, file);
        RefreshFile.Writer writer = new RefreshFile.Writer(directory, live)) {
      for (int page = 0; all.next(); page++) {
        long later = candidates.replaced(page);
        if (candidates.live(page) >= 0) {
          Refresh refresh = copies(all).get(candidates.live(page)).settled();
          target.get(all.key(), entry);
          pagesWithOtherVector += wasKnown(all.key()) && hadVector(entry.vector) ? 0 : 1;
          entry.add(refresh);
          target.put(all.key(), entry);
          writer.page(all.key(), List.of(refresh));
          refreshes++;
          change += refresh.qualityChange();
        } else if (othersLookedFor && later != FetchTimes.UNKNOWN) {
          target.get(all.key(), entry);
          takeLater(later);
          target.put(all.key(), entry);
          replaced++;
        }
      }
      if (refreshes > 0) {
        writer.finish();
      }
    }
  }

  /**
   * Pages of the candidates' batch whose live document is none of them and was fetched later: the
   * next refresh is measured from there, and those of the batch are lost.
   */
  long replaced() {
    return replaced;
  }

  /** How many live refreshes the candidates' batch has. */
  int refreshes() {
    return refreshes;
  }

  /**
   * How many of these pages have another vector than before, new ones included; all of them where
   * no vectors are known.
   */
  int pagesWithOtherVector() {
    return pagesWithOtherVector;
  }

  /** The sum of the ΔQ_A of these refreshes. */
  double change() {
    return change;
  }

  long present() {
    return present;
  }

  /** Live copies beyond the first of a page. */
  long extraCopies() {
    return extraCopies;
  }

  /** Live documents without a key. */
  long keyless() {
    return liveDocuments - present - extraCopies;
  }
}
