// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Version;

/** What a {@link DeltaIndexWriter} is made of and must exist before the index writer does. */
record WriterParts(
    DeltaConfig config,
    WorkloadTerms terms,
    Costs costs,
    Capture capture,
    WriterOperations operations,
    CommitWatch watch,
    BorrowedConfig borrowed,
    Path folder) {

  /** Puts the listening policy into the writer's configuration; keeps no lock yet. */
  static WriterParts prepare(Directory index, IndexWriterConfig writerConfig, DeltaConfig config)
      throws IOException {
    Objects.requireNonNull(index, "a writer needs the directory of its index, was null");
    Objects.requireNonNull(writerConfig, "a writer needs an IndexWriterConfig, was null");
    Objects.requireNonNull(config, "a writer needs a DeltaConfig, was null");
    LuceneRelease.require(Version.LATEST);
    ChronicleFlags.require();
    BorrowedConfig borrowed = new BorrowedConfig(writerConfig);
    Path folder = StateFolder.pathFor(index, config.statePath());
    StateFolder.requireFree(folder, config);
    BorrowedConfig.requireFree(index);
    WorkloadTerms terms = WorkloadTerms.of(config.workload());
    Costs costs = new Costs(config.costsCounted());
    Capture capture = new Capture(config, terms, costs, index::equals);
    WriterOperations operations =
        new WriterOperations(config.batchHeap() / 4, config.batchHeap() / 4);
    CommitWatch watch = new CommitWatch(borrowed, config.listener());
    borrowed.lendPolicy(watch);
    return new WriterParts(config, terms, costs, capture, operations, watch, borrowed, folder);
  }
}
