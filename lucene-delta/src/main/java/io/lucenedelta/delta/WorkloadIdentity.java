// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;

/** A number that tells workloads apart: equal contents, equal number, in every JVM. */
final class WorkloadIdentity {
  private WorkloadIdentity() {}

  static long of(Workload workload) {
    long h = workload.termCount() * 31L + workload.queryCount();
    for (int term = 0; term < workload.termCount(); term++) {
      for (byte b : workload.termUtf8(term)) {
        h = mix(h, b);
      }
      h = mix(h, 256);
    }
    for (int query = 0; query < workload.queryCount(); query++) {
      for (int i = 0; i < workload.queryLength(query); i++) {
        h = mix(h, workload.queryTerm(query, i));
      }
      h = mix(h, Double.doubleToRawLongBits(workload.frequency(query)));
    }
    return h;
  }

  private static long mix(long h, long value) {
    long x = (h ^ value) * 0x9E3779B97F4A7C15L;
    return x ^ x >>> 29;
  }
}
