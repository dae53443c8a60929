// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.Directory;

/** What a {@link Measurer} is made of: one of each, which its classes share. */
final class MeasurerParts {
  final IndexWriter writer;
  final DeltaConfig config;
  final CommittedIndex index;
  final Similarity similarity;
  final String softDeletesField;
  final Capture capture;
  final WriterOperations operations;
  final BatchNames names;
  final SettledCommit settledCommit;
  final Costs costs;
  final StateFolder folder;
  final Directory files;
  final Manifest manifest;
  final long workloadId;
  final KeptWorkloads workloads;
  final RefreshAuditor auditor;
  final StateUpkeep state;
  final HistoryRollback rollback;
  final RecordedBatches recorded;
  final CurrentRanks ranks;
  final PageUsefulness usefulness;
  final UntoldBatches untold;
  final CurrentPages pages;
  final SetupCheck setup;
  final FoundPages found = new FoundPages(); // when the batch was measured
  final MeasuringThreads threads;
  final UnmeasuredCommits unmeasuredCommits = new UnmeasuredCommits();

  MeasurerParts(IndexWriter writer, WriterParts parts, StateFolder folder) throws IOException {
    this.writer = writer;
    this.config = parts.config();
    this.similarity = writer.getConfig().getSimilarity();
    this.softDeletesField = writer.getConfig().getSoftDeletesField();
    this.index = new CommittedIndex(writer.getDirectory(), softDeletesField);
    this.capture = parts.capture();
    this.operations = parts.operations();
    this.costs = parts.costs();
    this.folder = folder;
    this.files = folder.directory();
    this.workloads = new KeptWorkloads(folder.path());
    this.threads = new MeasuringThreads(config.measuringThreads(), config.measuringBlock());
    config.checkWorkload();
    this.workloadId = WorkloadIdentity.of(config.workload());
    Manifest known = Manifest.read(files);
    this.manifest = known == null ? new Manifest() : known;
    this.names = new BatchNames(writer, capture, operations, manifest);
    this.settledCommit = new SettledCommit(capture, operations.merges());
    this.auditor = new RefreshAuditor(config, parts.terms(), files);
    this.untold = new UntoldBatches(config.listener());
    this.pages = new CurrentPages(config, parts.terms(), folder, manifest, workloads, untold);
    this.setup = new SetupCheck(config, folder.path());
    this.state = new StateUpkeep(files, config.listener());
    this.rollback = new HistoryRollback(files);
    this.recorded = new RecordedBatches(files, manifest, state, setup, rollback, config.listener());
    this.ranks =
        new CurrentRanks(
            config, parts.terms(), workloadId, similarity, this.index, files, manifest, costs);
    this.usefulness = new PageUsefulness(config, this.index, files, manifest, pages, ranks, costs);
  }
}
