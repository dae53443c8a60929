// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;

/** Files in memory, of which it is known which were made durable. */
final class SyncedFiles extends FilterDirectory {
  final List<String> synced = new ArrayList<>();

  SyncedFiles() {
    super(new ByteBuffersDirectory());
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    in.sync(names);
    synced.addAll(names);
  }
}
