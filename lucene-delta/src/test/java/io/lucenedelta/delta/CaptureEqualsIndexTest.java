// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.lucene.index.IndexWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is captured equals what a reader sees, whatever is done to the index. */
class CaptureEqualsIndexTest {
  /** How many random runs; {@code -Dseeds=5000 -Dfirst.seed=1} for a long look. */
  private static final int SEEDS = Integer.getInteger("seeds", 24);

  /** So many runs have compared two thirds of what they do on average, or more. */
  private static final int ENOUGH = 24;

  /** So many, as with the oldest Lucene, have compared some of each; a single one need not. */
  private static final int FEW = 8;

  private static final long FIRST = Long.getLong("first.seed", 1);

  @Test
  void storeShiftsAndHistoryEqualASlowAnswerAfterEveryCommit(@TempDir Path folder) {
    Compared all = new Compared(0, 0, 0);
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      all = all.plus(run(seed, folder));
    }
    if (SEEDS >= ENOUGH) {
      assertThat(all.refreshes()).as("%s", all).isGreaterThan(25 * SEEDS);
      assertThat(all.gains()).as("%s", all).isGreaterThan(8 * SEEDS);
      assertThat(all.ranks()).as("%s", all).isGreaterThan(SEEDS / 2);
    } else if (SEEDS >= FEW) {
      assertThat(all.refreshes()).as("%s", all).isPositive();
      assertThat(all.gains()).as("%s", all).isPositive();
      assertThat(all.ranks()).as("%s", all).isPositive();
    }
  }

  /** How much was compared: a run that compares nothing differs in nothing. */
  private record Compared(int refreshes, int gains, int ranks) {
    static Compared in(RandomRun run) {
      return new Compared(run.slow().compared(), run.slow().gains(), run.rankComparisons());
    }

    Compared plus(Compared more) {
      return new Compared(refreshes + more.refreshes, gains + more.gains, ranks + more.ranks);
    }
  }

  /**
   * A copy of a page merged within its batch, a second one after it, and another page deleted; and
   * a deletion by another thread while a commit was flushed.
   */
  @ParameterizedTest
  @ValueSource(longs = {20_300, 41_256})
  void seedsThatOnceDifferedAreEqual(long seed, @TempDir Path folder) {
    run(seed, folder);
  }

  private static Compared run(long seed, Path folder) {
    String settings = "";
    try (RandomRun run = new RandomRun(seed, folder.resolve("seed" + seed))) {
      settings = run.toString();
      run.run();
      return Compared.in(run);
    } catch (Throwable t) {
      return fail(
          "seed %d differs (-Dseeds=1 -Dfirst.seed=%d): %s".formatted(seed, seed, settings), t);
    }
  }

  /**
   * Methods of the index writer that change what it holds and have to be overridden; {@link
   * RandomOperations} and {@link RandomRun} call each of them.
   */
  private static final Set<String> OVERRIDDEN =
      Set.of(
          "addBatch(ColumnBatch)",
          "addDocuments(Iterable)",
          "addIndexes(CodecReader[])",
          "addIndexes(Directory[])",
          "close()",
          "deleteAll()",
          "deleteDocuments(Query[])",
          "deleteDocuments(Term[])",
          "rollback()",
          "softUpdateDocument(Term,Iterable,Field[])",
          "softUpdateDocuments(Term,Iterable,Field[])",
          "tryDeleteDocument(IndexReader,int)",
          "tryUpdateDocValue(IndexReader,int,Field[])",
          "updateBinaryDocValue(Term,String,BytesRef)",
          "updateDocValues(Term,Field[])",
          "updateDocument(Term,Iterable)",
          "updateDocuments(Query,ColumnBatch)",
          "updateDocuments(Query,Iterable)",
          "updateDocuments(Term,ColumnBatch)",
          "updateDocuments(Term,Iterable)",
          "updateNumericDocValue(Term,String,long)",
          "updateSortedNumericDocValue(Term,String,long)");

  /** Others that they call, which do so by way of one of these, or change no documents. */
  private static final Set<String> INHERITED =
      Set.of(
          "addDocument(Iterable)",
          "commit()",
          "flush()",
          "flushNextBuffer()",
          "forceMerge(int)",
          "forceMergeDeletes()",
          "maybeMerge()",
          "prepareCommit()",
          "setLiveCommitData(Iterable)");

  /** Methods that need no run of their own, with the reason. */
  private static final Set<String> HARMLESS =
      Set.of(
          // as the covered method of the same kind
          "forceMerge(int,boolean)",
          "forceMergeDeletes(boolean)",
          // commit data and numbers, no documents
          "setLiveCommitData(Iterable,boolean)",
          "advanceSegmentInfosVersion(long)",
          "advanceSegmentInfosCounter(long)",
          // files that no commit needs
          "deleteUnusedFiles()",
          "incRefDeleter(SegmentInfos)",
          "decRefDeleter(SegmentInfos)",
          // called by the writer itself
          "addIndexesReaderMerge(OneMerge)",
          "onTragicEvent(Throwable,String)",
          // questions
          "getAnalyzer()",
          "getConfig()",
          "getDirectory()",
          "getDocStats()",
          "getFieldNames()",
          "getFlushingBytes()",
          "getInfoStream()",
          "getLiveCommitData()",
          "getMaxCompletedSequenceNumber()",
          "getMergingSegments()",
          "getPendingNumDocs()",
          "getSegmentInfosCounter()",
          "getTragicException()",
          "hasDeletions()",
          "hasPendingMerges()",
          "hasUncommittedChanges()",
          "isOpen()",
          "numDeletedDocs(SegmentCommitInfo)",
          "numDeletesToMerge(SegmentCommitInfo)",
          "numRamDocs()",
          "ramBytesUsed()");

  @Test
  void noPublicMethodOfTheIndexWriterIsUnknown() {
    Set<String> all =
        Arrays.stream(IndexWriter.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
            .map(CaptureEqualsIndexTest::signature)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> known = new TreeSet<>(OVERRIDDEN);
    known.addAll(INHERITED);
    known.addAll(HARMLESS);
    if (!RandomOperations.SORTED_NUMBERS_KNOWN) { // an older Lucene than the one compiled with
      known.retainAll(all);
    }
    assertThat(all)
        .as("a method that changes the index needs an operation in RandomOperations")
        .isEqualTo(known);
  }

  /** Not seen by runs of several operations: one that is noted has the others looked for. */
  @Test
  void everyMethodThatChangesDocumentsIsNoted() {
    assumeTrue(RandomOperations.COLUMNS_KNOWN, "before Lucene 10.5 reflection does not get far");
    assertThat(Arrays.stream(DeltaIndexWriter.class.getDeclaredMethods()))
        .filteredOn(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .extracting(CaptureEqualsIndexTest::signature)
        .as("overrides in DeltaIndexWriter")
        .containsAll(OVERRIDDEN);
  }

  private static String signature(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
  }
}
