// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** Reads the refreshes of one page back from the files, for people who ask why. */
final class RefreshHistory {
  private final Directory files;
  private final Manifest manifest;
  private final KeptWorkloads workloads;
  private final Map<Long, Optional<Workload>> opened = new HashMap<>();

  RefreshHistory(Directory files, Manifest manifest, Path folder) {
    this.files = files;
    this.manifest = manifest;
    this.workloads = new KeptWorkloads(folder);
  }

  /**
   * Every refresh of a page, the latest first.
   *
   * @throws NoSuchFileException if a file is missing
   * @throws CorruptIndexException if one is damaged
   */
  List<MeasuredRefresh> of(String page) throws IOException {
    BytesRef key = new BytesRef(page);
    List<MeasuredRefresh> found = new ArrayList<>();
    for (String file : manifest.refreshFiles) {
      for (Refresh refresh : RefreshFiles.find(files, file, key)) {
        if (refresh.isVisit()) {
          found.add(describe(refresh, file));
        }
      }
    }
    Collections.reverse(found);
    return found;
  }

  private MeasuredRefresh describe(Refresh refresh, String file) throws IOException {
    RefreshDetails details = refresh.details();
    Workload workload = details == null ? null : open(details.workload);
    List<QueryContribution> contributions = new ArrayList<>();
    double rest = refresh.qualityChange();
    if (workload != null) {
      for (int i = 0; i < details.shown; i++) {
        int query = details.query[i];
        if (query < 0 || query >= workload.queryCount()) {
          throw new CorruptIndexException("there is no query " + query, file);
        }
        QueryContribution contribution = describe(workload, query, details.numbers[i]);
        contributions.add(contribution);
        rest -= contribution.total();
      }
    }
    return new MeasuredRefresh(
        refresh.generation(),
        Instant.ofEpochMilli(refresh.fetched()),
        refresh.measured() ? Duration.ofMillis(refresh.interval()) : null,
        refresh.qualityChange(),
        contributions,
        workload == null ? 0 : details.further,
        rest);
  }

  /** Opens a workload once, as it is checked whole; null when it is not kept. */
  private Workload open(long id) throws IOException {
    Optional<Workload> workload = opened.get(id);
    if (workload == null) {
      workload = Optional.ofNullable(workloads.open(id));
      opened.put(id, workload);
    }
    return workload.orElse(null);
  }

  private static QueryContribution describe(Workload workload, int query, float[] numbers) {
    double frequency = workload.frequency(query);
    return new QueryContribution(
        workload.queryText(query),
        frequency,
        numbers[RefreshDetails.SCORE_BEFORE],
        numbers[RefreshDetails.SCORE_AFTER],
        numbers[RefreshDetails.RANK_BEFORE],
        numbers[RefreshDetails.RANK_AFTER],
        frequency * numbers[RefreshDetails.OWN_PART],
        frequency * numbers[RefreshDetails.OTHERS_PART]);
  }
}
