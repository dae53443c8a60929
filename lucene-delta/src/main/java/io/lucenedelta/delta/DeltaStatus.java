// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import org.apache.lucene.store.Directory;

/**
 * How measuring stands.
 *
 * @param pages pages in the index, documents with a key
 * @param pagesKnown pages with a history, those that left the index included
 * @param keylessDocuments live documents without a key, which are not measured
 * @param extraCopies live documents beyond the first of a page; the last in the index counts
 * @param terms distinct terms of the workload
 * @param queries queries measured: whole ones and single terms of the others
 * @param wholeQueries queries measured whole, see {@link DeltaConfig.Builder#wholeQueries}
 * @param coverage the share of the volume of queries that these make up, from 0 to 1
 * @param generation the number of the last batch settled; commits that changed nothing leave gaps
 * @param batchesMeasured batches settled since the state was made whose refreshes, all or some,
 *     were recorded
 * @param batchesIncomplete batches of which something could not be measured, and those that could
 *     not be settled yet. One of which some refreshes were recorded is in both numbers, one of
 *     which none were in this alone: neither number, nor their sum, is that of all batches
 * @param lastIncomplete why, for the last of them; empty when there is none
 * @param pageBytes bytes outside the heap for the page store: vectors and sums of all pages
 * @param orderBytes bytes outside the heap of the copy that {@link DeltaIndexWriter#nextPages} and
 *     {@link FetchQueue} order pages by: sums, keys and what was learned. It is 0 before the first
 *     question to one of them, or for all histories, and after pages were read back from the index
 *     until the next
 * @param rankBytes bytes outside the heap for rank functions; 0 while there are none. What the
 *     estimator keeps of them on the heap is not counted, see {@link
 *     DeltaConfig.Builder#wholeQueries}
 * @param refreshFiles number of files that hold refreshes
 * @param lastRebuild when the rank functions were built, with new statistics or without; null while
 *     there are none. A writer goes by those in use, a {@link DeltaState} by those in a file: some
 *     that could not be written are in use all the same, and there may be no memory to read others
 * @param answered the share of the volume of whole queries that some page of the index answers,
 *     from 0 to 1, by the rank functions; NaN before there are any, and where no query is measured
 *     whole
 *     <ul>
 *       <li>A low share means that users ask for what is not here, that the workload's terms are
 *           not those of the index, or that searches also show pages without some of the terms. For
 *           one index among several that are searched as one it is far lower than for all, and says
 *           nothing of the workload.
 *       <li>Queries measured by their terms are not counted, as nobody knows whether one page has
 *           all the terms.
 *       <li>Pages deleted in another way than by key count until the batch after.
 *     </ul>
 *
 * @param selfAudit how good the estimates are here; null when none was ever audited
 * @param ranksFailure when and why rank functions could not be built, read or written, when that
 *     was tried last; empty when they could: former ones, if there are any, stay in use, and
 *     commits try again ever less often, {@link DeltaIndexWriter#rebuild} at once
 */
public record DeltaStatus(
    long pages,
    long pagesKnown,
    long keylessDocuments,
    long extraCopies,
    int terms,
    int queries,
    long wholeQueries,
    double coverage,
    long generation,
    long batchesMeasured,
    long batchesIncomplete,
    String lastIncomplete,
    long pageBytes,
    long orderBytes,
    long rankBytes,
    int refreshFiles,
    Instant lastRebuild,
    double answered,
    SelfAudit selfAudit,
    String ranksFailure) {

  /**
   * A status.
   *
   * @param ranked whether there are rank functions: in use, or to be read by who only reads
   * @param unsettled commits that could not be settled yet
   * @param why they could not; null when nothing is to be said of them
   */
  static DeltaStatus of(
      Manifest manifest,
      Directory files,
      Workload workload,
      boolean ranked,
      double answered,
      SelfAudit selfAudit,
      int unsettled,
      String why)
      throws IOException {
    return new DeltaStatus(
        manifest.pages,
        manifest.pagesKnown,
        manifest.keylessDocuments,
        manifest.extraCopies,
        workload.termCount(),
        workload.queryCount(),
        manifest.wholeQueries,
        manifest.coverage,
        manifest.generation,
        manifest.batchesMeasured,
        manifest.batchesIncomplete + unsettled,
        why == null ? manifest.lastIncomplete : why,
        manifest.pagesBytes,
        orderBytes(files, why),
        ranked ? OffHeapRankTable.sizeInBytes(workload.queryCount()) : 0,
        manifest.refreshFiles.size(),
        ranked ? Instant.ofEpochMilli(manifest.ranksTime) : null,
        answered,
        selfAudit,
        manifest.ranksFailure);
  }

  /** 0 when the folder cannot be listed, and that much is known already. */
  private static long orderBytes(Directory files, String why) throws IOException {
    try {
      return OrderFile.bytesOf(files);
    } catch (IOException e) {
      if (why == null) {
        throw e;
      }
      return 0;
    }
  }

  /** Bytes of the page store for each page known, without its order; 0 when there is none. */
  public double bytesPerPage() {
    return pagesKnown == 0 ? 0 : (double) pageBytes / pagesKnown;
  }

  /** Bytes outside the heap for each query's rank function. */
  public double bytesPerQuery() {
    return queries == 0 ? 0 : (double) rankBytes / queries;
  }

  private String ranksInWords() {
    if (ranksFailure.isEmpty()) {
      return lastRebuild == null ? "not built yet" : "built " + lastRebuild;
    }
    String failed = " (failed since: " + ranksFailure + ")";
    return (lastRebuild == null ? "lacking" : "built " + lastRebuild) + failed;
  }

  /** The status in one line, for people. */
  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "%d pages of %d known (%d bytes, %.0f each, and %d for their order)%s%s, "
                + "%d terms, %d queries (%d bytes, %.0f each; %d whole, %.1f %% of the volume), "
                + "batch %d, %d measured, %d incomplete%s, %d refresh files, ranks %s%s",
            pages,
            pagesKnown,
            pageBytes,
            bytesPerPage(),
            orderBytes,
            keylessDocuments == 0 ? "" : ", %d documents without a key".formatted(keylessDocuments),
            extraCopies == 0 ? "" : ", %d further copies of pages".formatted(extraCopies),
            terms,
            queries,
            rankBytes,
            bytesPerQuery(),
            wholeQueries,
            100 * coverage,
            generation,
            batchesMeasured,
            batchesIncomplete,
            lastIncomplete.isEmpty() ? "" : " (last: " + lastIncomplete + ")",
            refreshFiles,
            ranksInWords(),
            Double.isNaN(answered)
                ? ""
                : String.format(
                    Locale.ROOT,
                    ", %.1f %% of the volume%s answered",
                    100 * answered,
                    coverage < 1 ? " of whole queries" : ""))
        + (selfAudit == null ? "" : "; " + selfAudit.sentence());
  }
}
