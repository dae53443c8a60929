// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;

/**
 * Audits the estimate on a live index: measures a random sample of each batch's refreshes exactly
 * as well, within a time budget, and keeps the result. Does nothing unless configured.
 *
 * <p>Runs while a commit is prepared, after the batch is measured; what is audited counts once the
 * batch is settled. For one thread; what it throws concerns the audit alone.
 */
final class RefreshAuditor {
  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final Directory files;
  private AuditLog log = new AuditLog();
  private List<AuditLog.Pair> pending = List.of();
  private long brokenOff;
  private boolean outdated; // the folder has a log of another set-up
  private boolean unread; // the folder has a log that could not be read so far
  private boolean unwritten; // the log has what no file has
  private SelfAudit told; // of the log; null when it is to be computed, or there is none

  RefreshAuditor(DeltaConfig config, WorkloadTerms terms, Directory files) {
    this.config = config;
    this.terms = terms;
    this.files = files;
  }

  /**
   * Takes up the log of the folder, or forgets it when it is of another set-up: in the folder too,
   * before a manifest tells of the new one, or it would pass for the log of that.
   *
   * @param tentative whether the folder stays as it is until {@link #confirm}
   * @throws IOException if the thread was interrupted, or a log cannot be deleted
   */
  void open(boolean sameEstimates, boolean tentative) throws IOException {
    outdated = !sameEstimates || !takeUp();
    if (outdated && !tentative) {
      confirm();
    }
  }

  /** Takes up the log of the folder; false if that is lost. */
  private boolean takeUp() throws IOException {
    try {
      return readOrTellLost();
    } catch (IOException e) {
      if (StateFolder.wasInterrupted(e)) { // which says nothing of the file, and ends the opening
        throw e;
      }
      unread = true;
      config
          .listener()
          .trouble(
              Trouble.RETRIED,
              "what was audited before cannot be read yet; it is read once more before anything is added to it, which fails as long as it cannot be read: let the file be read, or delete it to begin anew",
              e);
      return true;
    }
  }

  /**
   * Goes on with the log of the folder; false if that is lost, of which the listener hears.
   *
   * @throws IOException if it cannot be read for a reason that may pass
   */
  private boolean readOrTellLost() throws IOException {
    try {
      AuditLog before = AuditLog.read(files);
      before.add(log);
      log = before;
      told = null;
      return true;
    } catch (IOException | RuntimeException e) {
      if (!StateFiles.isLost(e)) {
        throw e;
      }
      config
          .listener()
          .trouble(Trouble.LOST, "what was audited before cannot be read and begins anew", e);
      return false;
    }
  }

  /** The set-up counts from now on: a log of another one is deleted. */
  void confirm() throws IOException {
    if (outdated) {
      AuditLog.clear(files);
      outdated = false;
    }
  }

  /** A sample to be filled while a batch is measured; null when nothing is to be audited. */
  AuditSample sample(long generation) {
    pending = List.of();
    brokenOff = 0;
    return config.auditedRefreshes() == 0
        ? null
        : new AuditSample(config.auditedRefreshes(), generation);
  }

  /**
   * Measures a sample exactly; nothing that fails here matters to the batch.
   *
   * @param sample null when nothing is to be audited
   * @param index whose latest commit is the one before the batch
   * @param ranks null before the first are built
   */
  void audit(AuditSample sample, CommittedIndex index, Ranks ranks) {
    if (sample == null || ranks == null) {
      return;
    }
    try {
      // first: to open a reader of the whole commit takes its time, too
      TimeBudget budget = new TimeBudget(config.auditBudget(), config.nanos());
      try (DirectoryReader before = index.openLatest()) {
        if (before != null) {
          audit(sample, before, ranks, budget);
        }
      }
    } catch (Throwable t) {
      config.listener().trouble(Trouble.LOST, "a sample of the batch could not be audited", t);
    }
  }

  private void audit(AuditSample sample, DirectoryReader before, Ranks ranks, TimeBudget budget)
      throws IOException {
    List<AuditSample.Drawn> refreshes = sample.refreshes();
    ExactRefresh exact =
        new ExactRefresh(
            before,
            config,
            terms,
            ranks,
            refreshes.stream().map(AuditSample.Drawn::key).toList(),
            budget);
    List<AuditLog.Pair> measured = new ArrayList<>();
    try {
      for (AuditSample.Drawn refresh : refreshes) {
        config.faults().at(FaultPoints.AUDIT);
        measured.add(new AuditLog.Pair(refresh.estimate(), exact.of(refresh)));
      }
    } catch (TimeBudget.Spent e) {
      brokenOff = (long) refreshes.size() - measured.size();
    }
    pending = measured;
  }

  /** The batch was committed: what was audited of it counts. */
  void settled() {
    if (!pending.isEmpty() || brokenOff > 0) {
      Trouble kind = Trouble.LOST;
      try {
        log.add(pending, brokenOff, config.now());
        kind = Trouble.RETRIED; // it is written with what is audited next
        told = null;
        unwritten = true;
        write();
      } catch (IOException | RuntimeException | Error e) { // the batch is told all the same
        config.listener().trouble(kind, "what was audited could not be written", e);
      }
      pending = List.of();
      brokenOff = 0;
    }
  }

  private void write() throws IOException {
    if (unread) {
      outdated = !readOrTellLost();
      unread = false;
    }
    confirm();
    log.write(files);
    unwritten = false;
  }

  /**
   * Writes what could not be written before, for no later batch does; tells what is lost.
   *
   * @param unsettled whether the batch that was audited last was committed and is not settled
   */
  void close(boolean unsettled) {
    if (unwritten) {
      try {
        write();
      } catch (IOException | RuntimeException | Error e) {
        tellLost("it could not be written before the writer was closed", e);
      }
    }
    if (unsettled && (!pending.isEmpty() || brokenOff > 0)) {
      tellLost("the batch could not be settled before the writer was closed", null);
    }
  }

  private void tellLost(String why, Throwable cause) {
    config
        .listener()
        .trouble(
            Trouble.LOST,
            "what was audited last is lost, and the self-audit goes on without it: " + why,
            cause);
  }

  /** What the audits so far tell; null before the first. */
  SelfAudit selfAudit() {
    if (told == null) {
      told = log.selfAudit();
    }
    return told;
  }
}
