// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import org.apache.lucene.store.Directory;

/**
 * How measuring stands, or stood before something that takes long and holds the measurer's lock:
 * who asks for the status meanwhile is answered by this and waits for nothing. Cheap to make, as
 * every commit makes one; who asks computes the rest.
 *
 * @param manifest a copy where others change it meanwhile
 * @param ranks null before there are any; a batch may move them meanwhile, which this does not mind
 * @param selfAudit null when nothing was audited
 * @param unsettled commits that could not be settled yet
 * @param why they could not; null when nothing is to be said of them
 */
record StatusBefore(
    Manifest manifest, Ranks ranks, SelfAudit selfAudit, int unsettled, String why) {

  DeltaStatus status(Directory files, Workload workload) throws IOException {
    double answered = ranks == null ? Double.NaN : ranks.answeredShare();
    return DeltaStatus.of(
        manifest, files, workload, ranks != null, answered, selfAudit, unsettled, why);
  }
}
