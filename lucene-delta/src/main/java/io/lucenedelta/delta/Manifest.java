// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Which files make up the state, and how far it has come: {@code delta_N}, the largest N counts.
 *
 * <p>Written as a whole under a pending name, made durable, renamed: there is always one that is
 * complete. Fields are package-private: this is a record of numbers with a file format.
 */
// Long because every number stands here with what it means, how it is written and how checked.
final class Manifest {
  /**
   * A batch of a writer that was opened on an earlier commit, or anew. If the index names it, or
   * one that came after it, refreshes between the two count no more.
   *
   * @param first the batch
   * @param after the last one before it, which the earlier commit names
   */
  record Branch(long first, long after) {}

  private static final String CODEC = "LuceneDeltaManifest";
  private static final int VERSION = 13;
  private static final int WITHOUT_FAILURE = 12; // has no ranksFailure
  private static final int WITHOUT_SEED = 11; // has no hashSeed
  private static final int WITHOUT_SETTLED = 10; // has no settledCommit
  private static final int OLDEST = 9; // has one branch, no estimator and no usefulPages
  private static final String PREFIX = "delta_";
  private static final NumberedFiles FILES = new NumberedFiles(PREFIX);
  private static final String PENDING = "pending_delta";
  private static final String DAMAGED =
      "the manifest of these measurements is damaged, the index is not concerned; restore index and measurements from one backup, or move this file away and begin anew, but leave its folder, which has the fetch queue";

  /** It is found of all pages anew when there are so many times more or fewer than there were. */
  private static final double USEFULNESS_GROWN = 1.5;

  /** A file that may have told what users get from pages is lost; the page store still has it. */
  private static final long USEFULNESS_LOST = Long.MAX_VALUE; // former versions find it anew, too

  long number;

  /** Names the index this state belongs to; in the commit user data too. */
  String stateId = "";

  /** The last batch whose refreshes are in the files. */
  long generation;

  /** In ascending order. Which of them were committed, if any, only the index can tell. */
  List<Branch> branches = new ArrayList<>();

  private volatile boolean tentative; // a commit that is prepared asks without the measurer's lock
  private long countedOnDisk; // incomplete batches, when this became tentative

  /** Refresh files, oldest first. */
  List<String> refreshFiles = new ArrayList<>();

  /** How often the refreshes of each file were compacted. */
  List<Integer> refreshLevels = new ArrayList<>();

  String keyField = "";
  List<ScoredField> scoredFields = new ArrayList<>();
  String similarity = "";

  /** What estimates ΔQ_A; empty when that is not known. */
  String estimator = "";

  /** The field that tells when a page was fetched; empty when there is none. */
  String fetchTimeField = "";

  /** Or empty when documents are not deleted softly. */
  String softDeletesField = "";

  long workloadId;

  /** Queries measured whole. */
  long wholeQueries;

  /** The share of the volume of queries that these make up. */
  double coverage;

  /** Or empty when no ranks were built yet. */
  String ranksFile = "";

  long ranksBatch;
  long ranksTime;

  /**
   * When and why ranks could not be built, read or written, when that was tried last; empty when
   * they could.
   */
  String ranksFailure = "";

  /**
   * Pages that came with another vector, or left, since the ranks were built, each as often as it
   * did, and that the ranks were not told of.
   */
  long changedSinceRanks;

  /** The same of pages that they were told of. */
  long followedSinceRanks;

  /**
   * Pages that changed since the corpus statistics were read last when what users get from each
   * page was to be found, too, each as often as it did; those that came or left count several
   * times.
   */
  long changedSinceStatistics;

  /**
   * Pages in the index when what users get from each was found last; 0 when it is to be found of
   * all of them, {@link #USEFULNESS_LOST} when it is to be written of all of them, too.
   */
  long usefulPages;

  long nextFile;

  /** Fetch time, in milliseconds, of pages that were in the index before anything was measured. */
  long firstSeen;

  /** Number of the page store's file. */
  long pagesNumber;

  long pagesCapacity;

  /** The id of the index commit that the page store stands for; empty while it is in use. */
  String cleanCommit = "";

  /** The id of the last commit that was settled as ours; empty when it is not known. */
  String settledCommit = "";

  /**
   * By which keys are hashed in columns, in what is learned of directories, in the queue, and where
   * priorities are equal; 0 in folders that former versions made.
   */
  long hashSeed;

  /** Number of the columns saved beside the page store by a clean close; 0 when there are none. */
  long columnsNumber;

  /** Bytes of the page store when last written. */
  long pagesBytes;

  /** Pages in the index. */
  long pages;

  /** Pages with a history, those that left the index included. */
  long pagesKnown;

  long keylessDocuments;
  long extraCopies;
  long batchesMeasured;
  long batchesIncomplete;
  String lastIncomplete = "";

  /** Counts a batch of which something is lost; who counts it tells the listener. */
  void countIncomplete(String why) {
    batchesIncomplete++;
    lastIncomplete = why;
  }

  /** Says what is measured from now on. */
  void measures(MeasuredSetup setup, DeltaConfig config) {
    setup.writeTo(this);
    fetchTimeField = config.fetchTimeField() == null ? "" : config.fetchTimeField();
    wholeQueries = config.selection().taken();
    coverage = config.selection().coverage();
  }

  /** Whether the writer before closed with this very commit, all of it settled. */
  boolean closedCleanlyAt(long batch, IndexCommit commit) throws IOException {
    return commit != null && batch == generation && cleanCommit.equals(CommittedIndex.idOf(commit));
  }

  /**
   * Whether a commit that closes no later batch is not the one settled last: another writer has
   * made it, or the index comes from elsewhere. Such a commit is our own only if the writer died
   * between a commit without a batch and settling it.
   */
  boolean isForeign(long batch, IndexCommit commit) throws IOException {
    return commit != null && batch <= generation && isForeign(CommittedIndex.idOf(commit));
  }

  /**
   * The same of a commit that closes no later batch.
   *
   * @param commitId what tells it from every other
   */
  boolean isForeign(String commitId) {
    String last = settledCommit.isEmpty() ? cleanCommit : settledCommit; // of a former version
    return CommittedIndex.isId(last) && !last.equals(commitId);
  }

  /** How many documents the commit has that are not deleted. */
  long liveDocuments() {
    return pages + keylessDocuments + extraCopies;
  }

  /** What users get from pages is to be found of all of them. */
  void outdateUsefulness() {
    usefulPages = isUsefulnessLost() ? usefulPages : 0;
  }

  /** The same, and some of what the page store has of it no file has any more. */
  void loseUsefulness() {
    usefulPages = USEFULNESS_LOST;
  }

  boolean isUsefulnessLost() {
    return usefulPages == USEFULNESS_LOST;
  }

  /** Whether it is to be found of all pages, however many there are. */
  boolean isUsefulnessOutdated() {
    return usefulPages == 0 || isUsefulnessLost();
  }

  /** The same, or there are half as many more pages than when it was, or a third fewer. */
  boolean isUsefulnessOld() {
    return isUsefulnessOutdated()
        || pages > usefulPages * USEFULNESS_GROWN
        || pages * USEFULNESS_GROWN < usefulPages;
  }

  /** Adds the file of one batch. */
  void addRefreshFile(String name) {
    refreshFiles.add(name);
    refreshLevels.add(0);
  }

  /** Forgets a refresh file. */
  void removeRefreshFile(String name) {
    int at = refreshFiles.indexOf(name);
    refreshFiles.subList(at, at + 1).clear();
    refreshLevels.subList(at, at + 1).clear();
  }

  /** The file that holds a workload. */
  static String workloadFile(long workloadId) {
    return "workload_%016x".formatted(workloadId);
  }

  /**
   * From now on this is not written, but for what {@link #announce} says, and nothing is deleted
   * that the manifest on disk names or that is of its set-up, as the self-audit is: that one stays
   * right until there is a commit to this. Only files of refreshes that are found damaged are set
   * aside all the same, and that one lacks them then.
   */
  void makeTentative() {
    tentative = true;
    countedOnDisk = batchesIncomplete;
  }

  /** Whether this is not yet what counts: the writer was not opened on the latest commit. */
  boolean isTentative() {
    return tentative;
  }

  /** Whether incomplete batches were counted that the manifest on disk does not count. */
  boolean countsMoreThanOnDisk() {
    return tentative && batchesIncomplete > countedOnDisk;
  }

  /**
   * Says on disk, where the latest manifest stays as it is otherwise, what a batch will mean. What
   * was said of others stays: the commit of one of them may be there, and not settled yet. Where
   * there is no manifest this is the first, or nobody would know whose batch the commit names.
   */
  void announce(Directory directory, long batch) throws IOException {
    Manifest onDisk = read(directory);
    if (onDisk == null) {
      onDisk = copy();
      onDisk.ranksFile = ""; // they are of what was opened, which may come to nothing
    }
    onDisk.branches.add(new Branch(batch, generation));
    onDisk.write(directory);
    number = onDisk.number;
  }

  /** The branches that lead to a batch, the last of them first. */
  List<Branch> branchesTo(long batch) {
    List<Branch> way = new ArrayList<>();
    long end = batch;
    for (int i = branches.size() - 1; i >= 0; i--) {
      Branch branch = branches.get(i);
      if (branch.first <= end) {
        way.add(branch);
        end = branch.after;
      }
    }
    return way;
  }

  /** The highest number of a batch that this tells of, whatever came of that. */
  long lastNamed() {
    return branches.isEmpty() ? generation : branches.get(branches.size() - 1).first;
  }

  /** The commit is there: this is what counts. */
  void confirm() {
    tentative = false;
  }

  /** What would be read after this was written now. */
  Manifest copy() throws IOException {
    ByteBuffersDataOutput written = new ByteBuffersDataOutput();
    writeTo(written);
    Manifest copy = new Manifest();
    copy.readFrom(new ByteBuffersIndexInput(written.toDataInput(), "copy"), VERSION);
    return copy;
  }

  /**
   * The same for another folder that has no page store and no columns yet: a writer there builds
   * them anew.
   */
  Manifest forCopy() throws IOException {
    Manifest copy = copy();
    copy.cleanCommit = "";
    copy.columnsNumber = 0;
    return copy;
  }

  void write(Directory directory) throws IOException {
    if (tentative) {
      return;
    }
    number++;
    StateFiles.write(directory, PENDING, PREFIX + number, CODEC, VERSION, this::writeTo);
    FILES.deleteBefore(directory, number);
  }

  /** The number of the latest manifest, 0 when there is none. */
  static long latest(Directory directory) throws IOException {
    return FILES.latest(directory);
  }

  /**
   * Reads the latest manifest, or returns null when there is none.
   *
   * @throws CorruptIndexException if it is damaged, wherever
   * @throws IndexFormatTooNewException if it is of a later version
   * @throws IndexFormatTooOldException if it is of a version that is read no more
   */
  static Manifest read(Directory directory) throws IOException {
    long latest = latest(directory);
    if (latest == 0) {
      return null;
    }
    String name = PREFIX + latest;
    String path = StateFiles.path(directory, name);
    Manifest manifest = new Manifest();
    manifest.number = latest;
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      CodecUtil.checksumEntireFile(in); // first, or damage may look like another version
      int version = StateFiles.checkHeader(in, CODEC, OLDEST, VERSION);
      manifest.readFrom(in, version);
      requireEnd(in);
    } catch (IndexFormatTooNewException e) {
      throw OtherVersion.later(path, e, byAnother("later"));
    } catch (IndexFormatTooOldException e) {
      throw OtherVersion.earlier(path, e, byAnother("earlier"));
    } catch (CorruptIndexException | EOFException | RuntimeException e) {
      throw new CorruptIndexException(DAMAGED, path, e);
    }
    return manifest;
  }

  private static void requireEnd(IndexInput in) throws CorruptIndexException {
    long left = in.length() - CodecUtil.footerLength() - in.getFilePointer();
    if (left != 0) {
      throw new CorruptIndexException(left + " bytes stand before the footer, not 0", in);
    }
  }

  private static String byAnother(String version) {
    return "these measurements were written by a version of lucene-delta "
        + version
        + " than this one; use that, or move the folder away and begin anew";
  }

  private void writeTo(DataOutput out) throws IOException {
    out.writeString(stateId);
    out.writeVLong(generation);
    writeRefreshFiles(out);
    writeSetup(out);
    writeRanks(out);
    out.writeZLong(firstSeen);
    out.writeVLong(nextFile);
    writeStore(out);
    writeCounts(out);
    writeAdditions(out);
    writeBranches(out);
    writeLaterAdditions(out);
  }

  private void readFrom(IndexInput in, int version) throws IOException {
    stateId = StateFiles.readString(in);
    generation = in.readVLong();
    readRefreshFiles(in);
    readSetup(in);
    readRanks(in);
    firstSeen = in.readZLong();
    nextFile = in.readVLong();
    readStore(in);
    readCounts(in);
    readAdditions(in);
    if (version == OLDEST) {
      readOnlyBranch(in);
    } else {
      readBranches(in);
      readLaterAdditions(in, version);
    }
  }

  private void writeRefreshFiles(DataOutput out) throws IOException {
    out.writeVInt(refreshFiles.size());
    for (int i = 0; i < refreshFiles.size(); i++) {
      out.writeString(refreshFiles.get(i));
      out.writeVInt(refreshLevels.get(i));
    }
  }

  private void readRefreshFiles(IndexInput in) throws IOException {
    int count = in.readVInt();
    for (int i = 0; i < count; i++) {
      refreshFiles.add(StateFiles.readString(in));
      refreshLevels.add(in.readVInt());
    }
  }

  private void writeSetup(DataOutput out) throws IOException {
    out.writeString(keyField);
    out.writeVInt(scoredFields.size());
    for (ScoredField field : scoredFields) {
      out.writeString(field.name());
      out.writeInt(Float.floatToRawIntBits(field.boost()));
    }
    out.writeString(similarity);
    out.writeString(softDeletesField);
    out.writeLong(workloadId);
  }

  private void readSetup(IndexInput in) throws IOException {
    keyField = StateFiles.readString(in);
    int fields = in.readVInt();
    for (int i = 0; i < fields; i++) {
      String name = StateFiles.readString(in);
      scoredFields.add(new ScoredField(name, Float.intBitsToFloat(in.readInt())));
    }
    similarity = StateFiles.readString(in);
    softDeletesField = StateFiles.readString(in);
    workloadId = in.readLong();
  }

  private void writeRanks(DataOutput out) throws IOException {
    out.writeString(ranksFile);
    out.writeVLong(ranksBatch);
    out.writeZLong(ranksTime);
  }

  private void readRanks(IndexInput in) throws IOException {
    ranksFile = StateFiles.readString(in);
    ranksBatch = in.readVLong();
    ranksTime = in.readZLong();
  }

  private void writeStore(DataOutput out) throws IOException {
    out.writeVLong(pagesNumber);
    out.writeVLong(pagesCapacity);
    out.writeString(cleanCommit);
    out.writeVLong(pagesBytes);
  }

  private void readStore(IndexInput in) throws IOException {
    pagesNumber = in.readVLong();
    pagesCapacity = in.readVLong();
    cleanCommit = StateFiles.readString(in);
    pagesBytes = in.readVLong();
  }

  private void writeCounts(DataOutput out) throws IOException {
    out.writeVLong(pages);
    out.writeVLong(pagesKnown);
    out.writeVLong(keylessDocuments);
    out.writeVLong(extraCopies);
    out.writeVLong(batchesMeasured);
    out.writeVLong(batchesIncomplete);
    out.writeString(lastIncomplete);
    out.writeVLong(changedSinceRanks);
  }

  private void readCounts(IndexInput in) throws IOException {
    pages = in.readVLong();
    pagesKnown = in.readVLong();
    keylessDocuments = in.readVLong();
    extraCopies = in.readVLong();
    batchesMeasured = in.readVLong();
    batchesIncomplete = in.readVLong();
    lastIncomplete = StateFiles.readString(in);
    changedSinceRanks = in.readVLong();
  }

  /** Set-up and counts that came before the oldest version that is read. */
  private void writeAdditions(DataOutput out) throws IOException {
    out.writeVLong(wholeQueries);
    out.writeLong(Double.doubleToRawLongBits(coverage));
    out.writeVLong(columnsNumber);
    out.writeVLong(followedSinceRanks);
    out.writeVLong(changedSinceStatistics);
    out.writeString(fetchTimeField);
  }

  private void readAdditions(IndexInput in) throws IOException {
    wholeQueries = in.readVLong();
    coverage = Double.longBitsToDouble(in.readLong());
    columnsNumber = in.readVLong();
    followedSinceRanks = in.readVLong();
    changedSinceStatistics = in.readVLong();
    fetchTimeField = StateFiles.readString(in);
  }

  private void writeBranches(DataOutput out) throws IOException {
    out.writeVInt(branches.size());
    for (Branch branch : branches) {
      out.writeVLong(branch.first);
      out.writeVLong(branch.after);
    }
  }

  private void readBranches(IndexInput in) throws IOException {
    int count = in.readVInt();
    for (int i = 0; i < count; i++) {
      branches.add(new Branch(in.readVLong(), in.readVLong()));
    }
  }

  /** The oldest version has one place, with zeros when there is no branch. */
  private void readOnlyBranch(IndexInput in) throws IOException {
    Branch branch = new Branch(in.readVLong(), in.readVLong());
    if (branch.first > 0) {
      branches.add(branch);
    }
  }

  /** What the oldest version does not have. */
  private void writeLaterAdditions(DataOutput out) throws IOException {
    out.writeString(estimator);
    out.writeVLong(usefulPages);
    out.writeString(settledCommit);
    out.writeLong(hashSeed);
    out.writeString(ranksFailure);
  }

  private void readLaterAdditions(IndexInput in, int version) throws IOException {
    estimator = StateFiles.readString(in);
    usefulPages = in.readVLong();
    if (version > WITHOUT_SETTLED) {
      settledCommit = StateFiles.readString(in);
    }
    if (version > WITHOUT_SEED) {
      hashSeed = in.readLong();
    }
    if (version > WITHOUT_FAILURE) {
      ranksFailure = StateFiles.readString(in);
    }
  }
}
