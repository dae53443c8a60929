// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class AuditLogTest {
  @Test
  void aLogWithEstimatesThatAreNoNumbersTellsOfTheOthers() throws IOException {
    try (Directory folder = new ByteBuffersDirectory()) {
      AuditLog log = AuditLog.read(folder);
      log.add(
          List.of(
              new AuditLog.Pair(Double.NaN, 0),
              new AuditLog.Pair(2, 2),
              new AuditLog.Pair(1, Double.POSITIVE_INFINITY)),
          1,
          Instant.EPOCH);
      log.write(folder);

      SelfAudit told = AuditLog.read(folder).selfAudit();

      assertThat(told.kept()).isOne();
      assertThat(told.audited()).isEqualTo(3);
    }
  }
}
