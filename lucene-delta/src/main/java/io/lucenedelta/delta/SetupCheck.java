// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOSupplier;

/**
 * Tells the application, once each, what looks as if it had been set up for other pages, or with
 * another index's measurements. All of it may be meant, so nothing is refused for it; but then
 * every page would have the same priority, or the history of another, and nobody would know why.
 * Guarded by the measurer's lock.
 */
final class SetupCheck {
  /** Pages that say something about the rest. */
  static final int ENOUGH = 100;

  /** Pages of which one would have a term of a field that most have: more are not looked at. */
  static final int MOST_LOOKED_AT = 100_000;

  /** Clocks that somebody sets right are less apart. */
  private static final long CLOCKS_DIFFER = Duration.ofMinutes(5).toMillis();

  /** One further copy for so many pages is no accident, or one that goes on. */
  private static final int PAGES_A_COPY = 10;

  private final DeltaConfig config;
  private final Path folder;
  private final FieldsCheck fields;
  private final ScoresCheck scores;
  private boolean keyless; // documents without a key came, or are there
  private boolean timed; // some document has a fetch time, or it was told that none has
  private boolean named; // some key is a name, or it was told that none is
  private boolean keyed;
  private boolean toldOfClock;
  private boolean toldOfCopies;
  private long rankedAt = -1;
  private boolean lookedBack;

  /** A check of a writer that keeps its measurements in {@code folder}. */
  SetupCheck(DeltaConfig config, Path folder) {
    this.config = config;
    this.folder = folder;
    this.fields = new FieldsCheck(config);
    this.scores = new ScoresCheck(config);
  }

  /**
   * A writer is being opened.
   *
   * @param userData of the commit it was opened on
   * @param indexed whether the writer goes on with it; not if it begins the index anew
   * @param manifest of the measurements, as read
   * @return whether something was told
   */
  boolean opening(Map<String, String> userData, boolean indexed, Manifest manifest) {
    String named = userData.get(BatchNames.STATE);
    if (named != null && manifest.stateId.isEmpty()) {
      tell(
          "this index was measured before, but not into %s: histories start anew. To go on with them, close the writer, put the folder that was beside the index in this place, or name its place by DeltaConfig.Builder.statePath, and open it again"
              .formatted(folder));
    } else if (named != null && !named.equals(manifest.stateId)) {
      tell(
          "%s holds the measurements of another index, or this index was last measured into another folder: pages of the same key take over the histories that are here. If they should not, give each index a folder of its own, see DeltaConfig.Builder.statePath"
              .formatted(folder));
    } else if (named == null && indexed && manifest.generation > 0) {
      tell(
          "the index does not know of the measurements in %s: it was made anew, restored from before, committed by a writer that does not measure and sets commit data, or is another one. Pages of the same key take over their histories; if they should not, close the writer, move the folder away, and open it again"
              .formatted(folder));
    } else {
      return false;
    }
    return true;
  }

  /**
   * A writer was opened on an index's latest commit, of an earlier batch than was measured last.
   */
  void indexIsOlder(long generation, Manifest manifest) {
    tell(
        Trouble.LOST,
        "the index is older than the measurements in %s, restored from before perhaps: it holds batch %d, they go on to batch %d. What was measured since is forgotten; changes and addresses that were fetched since are to be told again"
            .formatted(folder, generation, manifest.generation));
  }

  /**
   * The field that names pages is known: what is known of a page goes by its key.
   *
   * @param before the field until now, empty in a new folder
   * @param pages how many were in the index by that field
   */
  void keyField(String before, long pages) {
    if (pages > 0 && !before.isEmpty() && !before.equals(config.keyField())) {
      tell(
          "pages were named by field %s until now and are named by field %s: a page goes on with what is known by its key in field %s, if anything is, and begins anew otherwise; histories, leases and what crawlers told by other keys stay with these. If field %s still names the pages, close the writer and name it by DeltaConfig.Builder.keyField"
              .formatted(before, config.keyField(), config.keyField(), before));
    }
  }

  /** The workload is known. */
  void workload() {
    if (!anyQueries()) {
      tell("the workload holds no query: nothing can be measured, every page is worth the same");
    }
  }

  /** Whether anything can be measured: without a query no change would be one. */
  boolean anyQueries() {
    return config.workload().queryCount() > 0;
  }

  /**
   * A batch was captured. Its fields are judged later, by {@link #ranked}.
   *
   * @param indexed pages that were in the index before it
   * @param index opens these, to be closed; null when there are none
   */
  void captured(Batch batch, long indexed, IOSupplier<DirectoryReader> index) {
    config.faults().at(FaultPoints.SETUP);
    for (CapturedSegment segment : batch.segments) {
      fields.captured(segment);
      timed |= segment.isTimed();
      named = named || anyNamed(segment);
      keyless |= segment.keylessLive() > 0;
    }
    long captured = fields.captured();
    if (captured < ENOUGH) {
      if (!lookedBack && captured > 0 && indexed >= ENOUGH && (lacksTimes() || !named)) {
        lookedBack = true;
        lookBack(indexed, index);
      }
      return;
    }
    if (lacksTimes()) {
      tellOfTimes("first " + captured);
    }
    if (!named) {
      tellOfNames("the first " + captured);
    }
  }

  private boolean lacksTimes() {
    return !timed && config.fetchTimeField() != null;
  }

  /**
   * Looks at what earlier writers indexed: each of them, and this one, may be closed before it has
   * seen enough pages. Only where this one's have no times or names: an index taken over may have
   * none, and those that come now have them.
   */
  private void lookBack(long indexed, IOSupplier<DirectoryReader> index) {
    try (DirectoryReader reader = index.get()) {
      if (reader == null) {
        return;
      }
      if (lacksTimes() && !hasTerms(reader, config.fetchTimeField())) {
        tellOfTimes(indexed + " indexed");
      }
      if (!named) {
        List<BytesRef> keys = firstKeys(reader);
        if (keys.size() >= ENOUGH && keys.stream().noneMatch(PageKeys::isNamed)) {
          tellOfNames(keys.size() + " indexed");
        }
      }
    } catch (IOException | RuntimeException e) {
      // what cannot be read is told where it is needed
    }
  }

  private static boolean hasTerms(DirectoryReader reader, String field) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      if (leaf.reader().terms(field) != null) {
        return true;
      }
    }
    return false;
  }

  /** Enough keys of each segment, or all it has: those of ten million pages would take long. */
  private List<BytesRef> firstKeys(DirectoryReader reader) throws IOException {
    List<BytesRef> keys = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(config.keyField());
      TermsEnum cursor = terms == null ? TermsEnum.EMPTY : terms.iterator();
      BytesRef key = cursor.next();
      for (int seen = 0; key != null && seen < ENOUGH; seen++) {
        keys.add(BytesRef.deepCopyOf(key));
        key = cursor.next();
      }
    }
    return keys;
  }

  private static boolean anyNamed(CapturedSegment segment) {
    BytesRef key = new BytesRef();
    for (int entry = 0; entry < segment.size(); entry++) {
      segment.key(entry, key);
      if (PageKeys.isNamed(key)) {
        return true;
      }
    }
    return false;
  }

  private void tellOfTimes(String which) {
    timed = true;
    tell(
        "none of the %s pages has a fetch time in field %s, so each counts as fetched when it is committed: give each page's document the field that DeltaConfig.fetchTime makes, or name the one that has its fetch time by DeltaConfig.Builder.fetchTimeField"
            .formatted(which, config.fetchTimeField()));
  }

  private void tellOfNames(String which) {
    named = true;
    tell(
        "none of the keys in field %s of %s pages is UTF-8, so pages are measured, but named by no order and handed out by no queue: index keys as text, such as the digits of a number"
            .formatted(config.keyField(), which));
  }

  /**
   * The candidates of a batch are known. No page is fetched after its commit: a clock that is ahead
   * hides, for as long as it is ahead, pages that were fetched by it, and what they tell of their
   * changes.
   *
   * @param now of the commit, in milliseconds
   */
  void fetched(Batch batch, long now) {
    if (toldOfClock) {
      return;
    }
    long latest = now;
    for (long time : batch.fetched) {
      latest = Math.max(latest, time);
    }
    if (latest - now > CLOCKS_DIFFER) {
      toldOfClock = true;
      tell(
          "a page of batch %d was fetched, by its fetch time, %d minutes after the clock at the commit, at %s: until then no queue hands it out, and changes that it tells of meanwhile do not count. Give fetch times in UTC, by a clock that is right, or correct that of the writer (DeltaConfig.Builder.clock)"
              .formatted(batch.generation, (latest - now) / 60_000, Instant.ofEpochMilli(latest)));
    }
  }

  /** A commit was settled. */
  void settled(Manifest manifest) {
    keyed |= manifest.pages > 0;
    keyless |= manifest.keylessDocuments > 0;
    if (!keyed && manifest.keylessDocuments >= ENOUGH) {
      keyed = true;
      tell(
          "none of the %d documents has a key in field %s, so none is measured: give each page's document an indexed, untokenized field of that name, or name the one that has its key by DeltaConfig.Builder.keyField"
              .formatted(manifest.keylessDocuments, config.keyField()));
    }
    long documents = manifest.pages + manifest.extraCopies;
    boolean many = PAGES_A_COPY * manifest.extraCopies >= manifest.pages;
    if (!toldOfCopies && many && documents >= ENOUGH) {
      toldOfCopies = true;
      tell(
          "%d documents have %d keys in field %s: of those of one key the last alone is measured, and commits read the index back; give each a key of its own, or the key to one of them alone"
              .formatted(documents, manifest.pages, config.keyField()));
    }
  }

  /**
   * A batch was captured, or there are rank functions, of pages of which perhaps none was.
   *
   * @param ranks null when there are none yet
   * @param builds how often they were built
   * @param pages those of the index
   * @param index opens it, to be closed; null when there is none
   */
  void ranked(Ranks ranks, long builds, PageStore pages, IOSupplier<DirectoryReader> index) {
    boolean another = ranks != null && builds != rankedAt;
    if (anyQueries()) {
      fields.check(ranks, another, pages, keyless);
    }
    if (another) {
      rankedAt = builds;
      scores.check(ranks, pages, index);
    }
  }

  private void tell(String sentence) {
    tell(Trouble.SETUP, sentence);
  }

  private void tell(Trouble kind, String sentence) {
    config.listener().trouble(kind, sentence, null);
  }
}
