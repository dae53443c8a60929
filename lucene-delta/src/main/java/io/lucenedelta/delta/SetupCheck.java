// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tells the application, once each, what looks as if it had been set up for other pages, or with
 * another index's measurements. All of it may be meant, so nothing is refused for it; but then
 * every page would have the same priority, or the history of another, and nobody would know why.
 * Guarded by the measurer's lock.
 */
final class SetupCheck {
  /** Pages that say something about the rest. */
  private static final int ENOUGH = 100;

  private final DeltaConfig config;
  private final Path folder;
  private long wordless; // pages measured, none of which had a term of the workload
  private boolean worded;
  private boolean keyed;

  /** A check of a writer that keeps its measurements in {@code folder}. */
  SetupCheck(DeltaConfig config, Path folder) {
    this.config = config;
    this.folder = folder;
  }

  /**
   * A writer is being opened.
   *
   * @param userData of the commit it was opened on
   * @param indexed whether that is an index's latest commit
   * @param manifest of the measurements, as read
   */
  void opening(Map<String, String> userData, boolean indexed, Manifest manifest) {
    String named = userData.get(Measurer.STATE);
    if (named != null && manifest.stateId.isEmpty()) {
      tell(
          "this index was measured before, but not into %s: histories start anew. To go on with them, close the writer, put the folder that was beside the index in this place, and open it again"
              .formatted(folder));
    } else if (named != null && !named.equals(manifest.stateId)) {
      tell(
          "%s holds the measurements of another index: pages of the same key take over its histories. Give each index a folder of its own, see DeltaConfig.statePath"
              .formatted(folder));
    } else if (named == null && indexed && manifest.generation > 0) {
      tell(
          "the index does not know of the measurements in %s: it was made anew, restored from before, or is another one. Pages of the same key take over their histories; if they should not, close the writer, move the folder away, and open it again"
              .formatted(folder));
    }
  }

  /** The workload is known. */
  void workload() {
    if (config.workload().queryCount() == 0) {
      tell("the workload holds no query: nothing can be measured, every page is worth the same");
    }
  }

  /** A batch was captured. */
  void captured(Batch batch) {
    if (worded || config.workload().queryCount() == 0) {
      return;
    }
    for (CapturedSegment segment : batch.segments) {
      worded |= segment.hasTerms();
      wordless += segment.size();
    }
    if (!worded && wordless >= ENOUGH) {
      worded = true;
      tell(
          "none of the first %d pages has any of the workload's %d terms in %s: are these the fields that are searched, and was the workload made with the analyzer that pages are indexed with?"
              .formatted(wordless, config.workload().termCount(), fields()));
    }
  }

  private String fields() {
    return config.scoredFields().stream()
        .map(ScoredField::name)
        .collect(Collectors.joining(" or ", config.scoredFields().size() == 1 ? "field " : "", ""));
  }

  /** A commit was settled. */
  void settled(Manifest manifest) {
    keyed |= manifest.present > 0;
    if (!keyed && manifest.keyless >= ENOUGH) {
      keyed = true;
      tell(
          "none of the %d documents has a key in field %s, so none is measured: give each page's document an indexed, untokenized field of that name, or say which has its key in DeltaConfig.keyField"
              .formatted(manifest.keyless, config.keyField()));
    }
  }

  private void tell(String sentence) {
    config.listener().trouble(sentence, null);
  }
}
