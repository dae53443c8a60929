// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.UserUtility;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.column.ColumnBatch;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * An {@link IndexWriter} that measures how much each re-indexed page moved the results users look
 * at, and tells which pages to fetch next.
 *
 * <p>
 *
 * {@snippet :
 * DeltaConfig config = DeltaConfig.builder(workload).keyField("url").scoredField("body").build();
 * try (var writer = new DeltaIndexWriter(directory, new IndexWriterConfig(analyzer), config)) {
 *   writer.updateDocument(new Term("url", url), document);
 *   writer.commit();
 *   List<PagePriority> next = writer.nextPages(20);
 * }
 * }
 *
 * <p><b>Forwarded:</b> every operation of the index writer; readers, searcher managers and merge
 * schedulers take this writer as they take any. It cannot be extended, though: it does not fit into
 * a server that makes a subclass of the index writer of its own, as Solr does. <b>Observed:</b>
 * postings while a flush writes them, commits through commit data and deletion policy, both of
 * which stay the application's too. <b>Changed:</b> nothing in the index but two entries in the
 * commit data. Because of these a writer's first operation leads to a commit even if it changed no
 * document. The codec of the given {@code IndexWriterConfig} is wrapped until this writer is
 * closed; its deletion policy is wrapped for this writer alone. Commit data that another thread
 * sets while a commit is made may lead to one more commit, which measures what that one brought.
 * Keep no copy of those two entries to set them again later: with old ones an index can look as if
 * it had been restored from a backup, and what was recorded since would be forgotten.
 *
 * <p><b>Pages.</b> A page is a live document with a key; if several have the same key one of them
 * counts, the one that came last in the index when the page was last looked at. Documents without a
 * key are not measured. In a block give the {@linkplain DeltaConfig.Builder#keyField key field} to
 * the parent alone: children with keys of their own would be pages, too. Give the parent the text
 * that is searched as well: that of children does not count. Update and delete blocks by a field
 * that all their documents have: by the key the children stay behind.
 *
 * <p><b>What is measured.</b> A page's first commit is a fetch without a measurement; later ones
 * are measured against the version before. They are recorded without a measurement, too, if their
 * fetch time is not after that of the last one, or if the page had left the index: an application
 * that deletes a page in one commit and adds it in a later one never has it measured, so replace
 * pages by {@code updateDocument}, or delete and add them before the same commit. What comes in
 * through {@code addIndexes} records no refresh. A page of which no fetch is known counts as
 * fetched when its document says, in the {@linkplain DeltaConfig.Builder#fetchTimeField fetch time
 * field}; without that nobody knows when, so its first refresh is not measured.
 *
 * <p><b>What is no fetch.</b> A page that is indexed again without having been fetched, with a new
 * price or another stock say, counts as fetched all the same, and to the {@link FetchQueue} it is
 * there again, whatever was reported or leased. So give its document, in the {@linkplain
 * DeltaConfig.Builder#fetchTimeField fetch time field}, the very time of its last visit, which may
 * be one that {@link #recordUnchanged} told: then nothing is measured and reports stay. An earlier
 * time would set the page back to that, and its next fetch would not be measured. A visit told in
 * the same batch is ignored: the document, which counts, must carry its time. {@code
 * updateNumericDocValue}, {@code updateDocValues} and the like count as nothing.
 *
 * <p><b>Several indexes.</b> Ranks are those within this index. Where it is one of several that are
 * searched as one, such as shards, quality changes and priorities are others than they are for
 * users, mostly larger, in each index by another factor. {@link FetchQueue#nextFree} helps to merge
 * their orders; {@code docs/crawlers.md} says what a merged order is worth.
 *
 * <p><b>Indexing all pages anew</b>, with another analyzer say, looks as if all of them had been
 * fetched and had changed. Three ways count nothing: give each document the time of its last visit
 * in the {@linkplain DeltaConfig.Builder#fetchTimeField fetch time field}; begin the index anew by
 * {@code OpenMode.CREATE} and keep the folder of the measurements; or, while the old index serves,
 * make a new one beside a {@linkplain DeltaState#copyTo copy} of that folder. In the last two ways,
 * too, documents should tell these times: without them each page counts as fetched when it is
 * indexed anew, and its next refresh takes what changed since its last visit for the change since
 * then.
 *
 * <p><b>Costs.</b> Updating and deleting by key cost next to nothing beyond the flush; so do soft
 * updates by key that give the documents they delete a value in the configuration's soft-deletes
 * field. Other additions ({@code addDocument}, blocks, keys given as bytes, updates by a query or
 * another term, and those that replace a page by a document of another key or of none) have each
 * page of their commit and of the next that was in the index before looked up by its key, in every
 * segment, as the commit is settled. After deletions by query or by other terms that took pages,
 * {@code deleteAll}, other changes of that field, {@code addIndexes}, several documents of one key,
 * updates by key with a block that has none of that key, or documents of which nothing can be
 * searched for, the pages are read back from the index, about 40 µs a page: not in the call, but at
 * the next commit or question. So they are after a batch with an update by a query or another term,
 * or with documents that come deleted softly (tombstones), if pages of it were merged before their
 * commit. Lucene's default merge policies do that on many commits, unless {@link
 * IndexWriterConfig#setMaxFullFlushMergeWaitMillis} is 0. The pages of an earlier commit ({@link
 * IndexWriterConfig#setIndexCommit}) are read back as it is opened, and once more after the first
 * commit. Where all that left had no key, as the children of a block that is replaced, keys are
 * counted instead, in some 0.2 µs each. A commit now and then merges files of refreshes, and seldom
 * all of them, as an index merges segments.
 *
 * <p><b>Failures.</b> A failure of measuring never reaches the caller of an index operation; it is
 * reported to the {@link DeltaListener}, and what can be measured again is measured with the next
 * commit. The {@link #status} counts incomplete batches, and says why the last is, and why rank
 * functions are missing or old; of other failures, such as visits that could not be written down,
 * the listener alone hears. Only the constructor and the methods below that ask for measurements
 * throw their own errors, and once the writer is closed an {@link AlreadyClosedException}. A writer
 * that Lucene closed after a failure of its own keeps the folder of its measurements from other
 * processes until it is closed, too. What looks as if it had been set up for other pages (none of a
 * writer's first hundred has a key in the key field, one that is UTF-8, a fetch time in the fetch
 * time field, or, as none indexed before has, a term of the workload in a scored field) is told to
 * the listener, once. No batch can be measured with a postings format that writes several fields
 * side by side, as {@code SharedTermsUniformSplit} of lucene-codecs does. Safe for several threads,
 * as the index writer is.
 */
// Long because every method of the index writer that changes something stands here once, each a
// line or two: what one of them must note can be seen beside the others.
public final class DeltaIndexWriter extends IndexWriter {
  private final WriterParts parts;
  private volatile Measurer measurer; // null once closed
  private final LiveOrder order;
  private FetchQueue queue; // null before it was asked for and once closed
  private final Iterable<Map.Entry<String, String>>
      dataFound; // commit data as it was at this writer's opening
  private volatile CommitMark mark;
  private boolean closing; // by one thread alone, with the measurer's lock

  /**
   * Opens an index for writing and brings its measurements up to it: an index that was never
   * measured, or changed by another writer, is read once.
   *
   * @param directory of the index; closing it stays the caller's
   * @param writerConfig of this writer alone; it may be looked at, but not used again, afterwards
   * @param config what to measure
   * @throws NullPointerException if one of them is null
   * @throws StateLockedException if another writer measures this index; another process that only
   *     {@linkplain Discoveries#save saves} discovered pages is waited for, up to five seconds
   * @throws org.apache.lucene.store.LockObtainFailedException if another writer has the index
   * @throws IllegalStateException if another writer uses the {@code IndexWriterConfig}, or did, the
   *     JVM lacks flags or modules that the page store needs, Lucene is older than 10.3, or a
   *     segment that must be read back has more than 178 million documents
   * @throws IllegalArgumentException if the index is not in a folder and no {@link
   *     DeltaConfig.Builder#statePath} is set, or that is the folder of the index
   * @throws java.nio.file.NotDirectoryException if a file, or a link that leads to no folder,
   *     stands where the folder of the measurements should be
   * @throws CorruptIndexException if the manifest of the measurements is damaged
   * @throws io.lucenedelta.workload.WorkloadFileException if the workload was opened from a file
   *     that is damaged
   * @throws org.apache.lucene.util.ThreadInterruptedException if the thread is interrupted while
   *     the measurements are opened
   * @throws IOException if index or measurements cannot be read or written
   */
  public DeltaIndexWriter(Directory directory, IndexWriterConfig writerConfig, DeltaConfig config)
      throws IOException {
    this(directory, writerConfig, WriterParts.prepare(directory, writerConfig, config));
  }

  @SuppressWarnings("this-escape") // the measurer asks the finished index writer for its commit
  private DeltaIndexWriter(Directory directory, IndexWriterConfig writerConfig, WriterParts parts)
      throws IOException {
    super(directory, writerConfig);
    this.parts = parts;
    this.dataFound = getLiveCommitData();
    Measurer opened = null;
    StateFolder folder = null;
    try {
      parts.borrowed().lendCodec(parts.capture());
      folder = StateFolder.lock(parts.folder(), parts.config().stateDirectory());
      parts.capture().spillTo(folder.directory());
      parts.operations().spillTo(folder.path());
      opened = new Measurer(this, parts, folder);
      opened.open(openingData(), new OpenedOn(this, directory, writerConfig));
      parts.watch().start(opened);
      this.order = new LiveOrder(opened.hashSeed());
      this.measurer = opened;
      folder.heldBy(new MeasuringWriter());
    } catch (Throwable t) {
      boolean interrupted =
          Thread.interrupted() || StateFolder.wasInterrupted(t); // or closing fails
      parts.capture().disable();
      try {
        super.rollback();
      } catch (Throwable another) {
        t.addSuppressed(another);
      }
      parts.borrowed().returnCodec();
      IOUtils.closeWhileHandlingException(opened == null ? folder : opened);
      if (interrupted && (t instanceof IOException || t instanceof RuntimeException)) {
        throw StateFolder.interrupted("opening", parts.folder(), t);
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      throw t;
    }
  }

  private Map<String, String> openingData() {
    Map<String, String> data = new HashMap<>();
    for (Map.Entry<String, String> entry : getLiveCommitData()) {
      data.put(entry.getKey(), entry.getValue());
    }
    return data;
  }

  /**
   * The pages to fetch now, the most urgent first, by the clock of the configuration, whoever holds
   * them; see {@link #nextPages(int, Instant)}.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IOException if measurements cannot be read
   */
  public List<PagePriority> nextPages(int count) throws IOException {
    return nextPages(count, parts.config().now());
  }

  /**
   * The pages to fetch at a time, the most urgent first, by {@link UserUtility}; ties in an order
   * that is always the same in one folder of measurements ({@link DeltaConfig.Builder#hashSeed}).
   * Takes into account changes {@linkplain FetchQueue#modified told} through the fetch queue, if it
   * was opened.
   *
   * <p>As long as no commit has built rank functions, because there is only one yet or the index
   * was there before, the first question builds them, which takes as long as a scan of the index;
   * commits wait for it. If the usefulness of all pages must be computed anew, for example after a
   * change of workload, the first call does that too. So do the first calls of the other {@code
   * nextPages}, of {@link #withHistories}, and of {@link FetchQueue#take} and {@link
   * FetchQueue#nextFree}. Questions try it once, unless the thread was interrupted; if it fails the
   * listener hears of it, pages are ordered as if all were worth the same, and commits and {@link
   * #rebuild} try again.
   *
   * <p>A page is due after its last fetch: at that very time, or before, it is left out. A page
   * whose last fetch is more than a day after the configured clock is due, since the clock was
   * wrong then or is now; its last fetch is told as 1970.
   *
   * @throws NullPointerException if the time is null
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IOException if measurements cannot be read
   */
  public List<PagePriority> nextPages(int count, Instant now) throws IOException {
    Measurer current = measurer();
    synchronized (current) { // first, as a listener that asks holds it already
      synchronized (order) {
        StoredHistories histories = current.toOrder(); // who hears of a batch may open the queue
        OrderSources sources = OrderSources.of(told(current, histories));
        return order
            .next(current.historyChanges(), histories.believed(latest()), sources, count, now)
            .pages();
      }
    }
  }

  /**
   * The pages to fetch at a time by another strategy. It plans one period of a day from the time
   * on, with {@code count} as its budget; that decisions are made {@linkplain
   * io.lucenedelta.scorer.refresh.RefreshBudget#atAnyTime(int, Instant) at any time} is known to
   * {@link UserUtility}, and to strategies that wait for periods, none of which is over sooner for
   * it.
   *
   * <p>It finds {@linkplain io.lucenedelta.scorer.refresh.KnownPage#visits visits} and {@linkplain
   * io.lucenedelta.scorer.refresh.KnownPage#measured measured refreshes} one by one. When it asks
   * for the first, all refresh files are read, and what they tell stays on the heap until the
   * answer: 8 to 13 bytes a refresh, 21 to 45 a page, of those in the index. {@link UserUtility},
   * {@link io.lucenedelta.scorer.refresh.UserCentric} that counts all refreshes alike, {@link
   * io.lucenedelta.scorer.refresh.Uniform} in its fixed or purely random order, unless it skips
   * static pages, {@link io.lucenedelta.scorer.refresh.SiteMetadata}, {@link
   * io.lucenedelta.scorer.refresh.ContentProvider} and {@link
   * io.lucenedelta.scorer.refresh.NeverRefresh} ask for none, and pay nothing.
   *
   * <p>A visit found a change where its ΔQ_A is above 0: one that no query of the workload sees is
   * none. How much of a page changed is not kept; its divergence is 1 between two visits after the
   * first of which a change was found, up to the second, else 0. A refresh that is not measured is
   * left out together with its interval, so that what came before seems later by that much.
   *
   * <p>Changes {@linkplain FetchQueue#modified told} through the fetch queue, if it was opened, are
   * what sites {@linkplain io.lucenedelta.scorer.refresh.PageFacts#provider publish}. But for
   * {@link UserUtility}, strategies that go by them leave a page alone of which a change was ever
   * told and none since its last fetch: {@link io.lucenedelta.scorer.refresh.SiteMetadata}, {@link
   * io.lucenedelta.scorer.refresh.ContentProvider} and {@link
   * io.lucenedelta.scorer.schedule.LambdaCrawl}. A strategy that has the queue look at its pages
   * while it runs finds what was told meanwhile in part. A live index knows no clicks: all pages
   * have the same.
   *
   * <p>One that hands out fewer pages is asked for the rest until it has none, each time in a pass
   * over all pages. It is told that those before are fetched at that time, but not what was found:
   * a strategy that samples, such as {@link io.lucenedelta.scorer.schedule.SiteSampling}, sees
   * samples without a change.
   *
   * @param policy may do what the argument of {@link #withHistories} may; exceptions it throws are
   *     thrown here
   * @throws NullPointerException if policy or time is null
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IOException if measurements cannot be read
   */
  public List<PagePriority> nextPages(RefreshPolicy policy, int count, Instant now)
      throws IOException {
    Measurer current = measurer();
    synchronized (current) {
      StoredHistories stored = current.toOrder();
      ToldChanges changes = told(current, stored);
      RowHistories histories = stored.believed(latest());
      VisitRecords visits = current.visitRecords(histories);
      try {
        return current.reading(
            () -> Priorities.next(histories, changes, visits, policy, count, now));
      } catch (VisitRecords.UnreadableException e) {
        throw e.getCause();
      }
    }
  }

  /** What pages said of their changes, if the queue was opened; with the measurer's lock. */
  private ToldChanges told(Measurer current, StoredHistories histories) throws IOException {
    synchronized (order) {
      return queue == null
          ? new ToldChanges(current.hashSeed())
          : queue.catchUpAndCopyTold(histories);
    }
  }

  private long latest() {
    return FetchTimes.latest(parts.config());
  }

  /**
   * The queue that hands out pages to crawlers, with leases and reports; one for this writer.
   *
   * @param lease how long a crawler may take to fetch a page and commit it; the same in each call.
   *     A page that fails is left alone for one lease, then for 2, 4 … up to 32 days or 32 leases
   * @throws NullPointerException if the lease is null
   * @throws IllegalArgumentException if the lease is not positive, longer than 365,000 days, or
   *     another than in the first call
   * @throws IOException if what an earlier writer left of the queue cannot be looked at
   */
  public FetchQueue fetchQueue(Duration lease) throws IOException {
    Objects.requireNonNull(lease, "a fetch queue needs the time of a lease, was null");
    Measurer current = measurer();
    synchronized (current) {
      current.requireOpen();
      synchronized (order) {
        if (queue == null && current.rollback().happened()) {
          current.histories(); // settled, for the queue: who hears of that may ask for it, too
        }
        if (queue == null) {
          queue = new FetchQueue(current, parts.config(), getAnalyzer(), lease);
          order.planAnew(); // what was learned without what is told would not fit it
          queue.tellTrouble();
        } else if (!queue.leaseDuration().equals(lease)) {
          throw new IllegalArgumentException(
              "this writer's fetch queue has a lease of %s, asked for one of %s; ask for the same"
                  .formatted(queue.leaseDuration(), lease));
        }
        return queue;
      }
    }
  }

  /**
   * Every page's history, for a refresh strategy of your choice. Here, too, a page whose last fetch
   * is more than a day after the configured clock is told as last fetched in 1970; {@link
   * io.lucenedelta.scorer.refresh.PageHistory#recordedRefresh} tells what is recorded.
   *
   * @param use works with the histories, which are valid until it returns. Commits wait for it, and
   *     while one does, updates and reopened readers wait too: what takes long should be copied
   *     first. It must not change the index nor commit, or it may wait for ever, nor ask the writer
   *     anything but what this class adds to {@link IndexWriter}, and of that neither record a
   *     visit nor rebuild, which are refused; nor wait for another thread that uses the writer
   * @throws NullPointerException if {@code use} is null
   * @throws IOException if measurements cannot be read
   */
  public void withHistories(Consumer<PageHistories> use) throws IOException {
    Objects.requireNonNull(use, "histories are handed to a consumer, was null");
    Measurer current = measurer();
    synchronized (current) {
      RowHistories histories = current.toOrder().believed(latest());
      current.reading(
          () -> {
            use.accept(histories);
            return null;
          });
    }
  }

  /**
   * The measured part of why a page has its priority: its refreshes and what they did, see {@link
   * PageExplanation} for the rest. Empty if none was recorded: the page was never in the index, or
   * has not been fetched since measuring began. A page that left the index keeps its refreshes.
   *
   * @throws NullPointerException if the page is null
   * @throws IOException if measurements cannot be read
   */
  public Optional<PageExplanation> explain(String page) throws IOException {
    Objects.requireNonNull(page, "to explain a page takes its key, was null");
    List<MeasuredRefresh> refreshes = measurer().refreshesOf(page);
    return refreshes.isEmpty()
        ? Optional.empty()
        : Optional.of(new PageExplanation(page, refreshes));
  }

  /**
   * Records that a page was fetched and is as the index has it: a refresh that was worth nothing,
   * which is news to every strategy. For a page that answered "not modified" or came back with the
   * same content; one that is indexed again needs no such call, whether it changed or not.
   *
   * <p>Enters the history with the next commit, even if that holds nothing else; until then it is
   * kept on the heap, in a sixty-fourth of it at most for a batch, and beyond that in a file. If
   * the page is indexed in the same batch too, this call is ignored. If there are several calls for
   * a page in one batch, only the latest time counts that is not left out for being ahead. What
   * comes while a commit is under way belongs to the next one, as documents do. Pages that are not
   * in the index, times that are not later than the page's last refresh or more than a day ahead of
   * the clock, and pages for which the disk has no room are reported to the listener and left out.
   *
   * <p>Where no fetch of a page is known yet, since it was in the index before anything was
   * measured and its document tells no time, any time from 1990 on is recorded, without a
   * measurement, and the next refresh is measured from it. So tell the last visit that you know of
   * each such page, if the index holds what it found, and commit before what the first fetch finds
   * is indexed: that is not measured otherwise.
   *
   * <p>Takes the writer's lock, as the index writer's own methods do.
   *
   * @param page the page's key
   * @param fetched when
   * @throws NullPointerException if page or time is null
   * @throws IllegalStateException if this thread reads histories meanwhile, in {@link
   *     #withHistories} say, or is asked which pages a crawler wants: it keeps a commit waiting,
   *     which keeps this visit waiting
   * @throws AlreadyClosedException if the writer is closed
   */
  public void recordUnchanged(String page, Instant fetched) {
    Objects.requireNonNull(page, "a visit needs the key of its page, was null");
    Objects.requireNonNull(fetched, "a visit needs the time of its fetch, was null");
    ensureOpen();
    if (Thread.holdsLock(measurer()) && !Thread.holdsLock(this)) {
      throw new IllegalStateException(
          "a visit of %s cannot be recorded while histories are read or pages are chosen by them: note it, and record it afterwards"
              .formatted(PageKeys.start(page)));
    }
    changing();
    BytesRef key = new BytesRef(page);
    long time = FetchTimes.millis(fetched);
    long latest = latest();
    synchronized (this) { // or another thread commits its visit before the first has made a commit
      ensureOpen(); // once more: a close that began meanwhile may have made the last commit
      if (parts.operations().unchanged(key, time, latest)) {
        makeCommit();
      }
    }
  }

  /**
   * How measuring stands; as it stood before, and why, when the last commit cannot be settled.
   * While another thread's commit is measured, pages are read back from the index, or rank
   * functions are built, by {@link #rebuild} say, this answers at once how measuring stood before
   * that. Other questions wait until it is over, in a large index for minutes; a {@link DeltaState}
   * answers most of them meanwhile.
   *
   * @throws IOException if the files of the measurements cannot be looked at
   */
  public DeltaStatus status() throws IOException {
    return measurer().status();
  }

  /** CPU time of measuring by step; counted only when configured. */
  public Costs costs() {
    return parts.costs();
  }

  /**
   * Builds statistics, rank functions and page vectors anew from the last commit. Takes as long as
   * a scan of the index; commits wait for it, and while one does, updates and reopened readers wait
   * too. So do questions, but {@link #status}.
   *
   * <p>Need not be called: commits do it when it is due, and whoever asks for pages first. Worth it
   * after a long time of small commits, to have it done when it disturbs nobody, or after rank
   * functions could not be built: commits try that ever less often. A writer opened on an earlier
   * commit keeps what it built at its opening until its first commit.
   *
   * @throws IllegalStateException if what a rebuilding calls, such as a listener, calls this again,
   *     or a listener does while it is told of a commit being settled, or whoever reads the
   *     histories for a question: the argument of {@link #withHistories}, a strategy, or who is
   *     asked which pages are {@linkplain FetchQueue#take(int, java.util.function.Predicate)
   *     wanted}
   * @throws IOException if the index cannot be read, or measurements cannot be written, or a writer
   *     on an earlier commit has no rank functions
   */
  public void rebuild() throws IOException {
    measurer().rebuild();
  }

  /** Refuses to answer once this is closed, as the measurer does when Lucene has closed it. */
  Measurer measurer() {
    Measurer current = measurer;
    if (current == null) {
      throw new AlreadyClosedException(Measurer.CLOSED, getTragicException());
    }
    return current;
  }

  // What follows is the index writer, with a note taken before and, where a batch could be closed
  // meanwhile, after.

  private void changing() {
    if (mark == null) {
      ensureOpen();
      try {
        renewMark();
      } catch (Throwable t) {
        parts.watch().putOff("the next batch cannot be marked yet", t);
      }
    }
  }

  /** The next commit is made even if no document changed. */
  private synchronized void makeCommit() { // or commit data set meanwhile would be lost
    renewMark();
    setLiveCommitData(getLiveCommitData(), false);
  }

  private synchronized void renewMark() {
    Iterable<Map.Entry<String, String>> data = getLiveCommitData();
    if (mark == null || data != mark) {
      mark = new CommitMark(data, mark == null ? dataFound : mark.committed(), parts.watch());
      setLiveCommitData(mark, false);
    }
  }

  /** Whether the application has set commit data of its own, be it before the first operation. */
  @SuppressWarnings("ReferenceEquality") // what was set, whatever it says
  private boolean isDataReplaced() {
    return getLiveCommitData() != (mark == null ? dataFound : mark);
  }

  /**
   * Whether the first commit on an earlier one, or of an index begun anew, would have no name, as
   * nothing was asked for: then the number of a batch that it leaves behind would be given again.
   */
  private boolean isUnmarkedOnAnEarlierCommit() {
    Measurer current = measurer;
    return mark == null && current != null && current.isTentative();
  }

  private boolean isKey(Term term) {
    return term != null && term.field().equals(parts.config().keyField());
  }

  private interface Operation {
    long run() throws IOException;
  }

  /** Adds documents that need not replace the older ones of their pages. */
  private long adding(Operation operation) throws IOException {
    parts.operations().addingBegins();
    try {
      return operation.run();
    } finally {
      parts.operations().addingEnds();
    }
  }

  /** Adds documents that replace what a term finds, which may be others than theirs. */
  private long replacing(Term term, Operation operation) throws IOException {
    return term == null || isKey(term) ? adding(operation) : replacing(operation);
  }

  private long replacing(Operation operation) throws IOException {
    return deleting(() -> adding(operation));
  }

  /** Deletes what only the index can tell; noted again, for a batch may be closed meanwhile. */
  private long deleting(Operation operation) throws IOException {
    parts.operations().noteSelective();
    long number = operation.run();
    parts.operations().noteSelective();
    return number;
  }

  /** Whose key a document has, as it will be indexed. */
  private enum OwnKey {
    SAME,
    OTHER, // or none
    UNREADABLE // or several
  }

  private OwnKey ownKey(Iterable<? extends IndexableField> doc, Term key) {
    try {
      return readKey(doc, key);
    } catch (Throwable t) {
      return OwnKey.UNREADABLE; // the caller hears from Lucene of what Lucene meets too
    }
  }

  private OwnKey readKey(Iterable<? extends IndexableField> doc, Term key) {
    OwnKey found = null;
    for (IndexableField field : doc) {
      if (field.name().equals(parts.config().keyField())
          && field.fieldType().indexOptions() != IndexOptions.NONE) {
        String value = field.stringValue();
        if (found != null || value == null || field.fieldType().tokenized()) {
          return OwnKey.UNREADABLE;
        }
        found = PageKeys.isKey(value, key.bytes()) ? OwnKey.SAME : OwnKey.OTHER;
      }
    }
    return found == null ? OwnKey.OTHER : found;
  }

  /** Replaces the page of a key, be it by a document of another one. */
  private long updating(Term key, Iterable<? extends IndexableField> doc, Operation operation)
      throws IOException {
    return switch (ownKey(doc, key)) {
      case SAME -> operation.run();
      case OTHER -> {
        noteDeleted(key);
        long number = adding(operation);
        noteDeleted(key);
        yield number;
      }
      case UNREADABLE -> adding(operation); // most have that key: not worth to note each of them
    };
  }

  /**
   * Whether these doc values delete softly the documents that are given them, whatever they had. A
   * document that comes with such a value itself is noticed by {@link Capture}.
   */
  private boolean isDeletion(Field... softDeletes) {
    String field = getConfig().getSoftDeletesField();
    try {
      Field deleting = null;
      for (Field given : softDeletes) {
        if (given.name().equals(field)) {
          if (deleting != null) {
            return false; // which of them counts is Lucene's affair
          }
          deleting = given;
        }
      }
      return deleting != null && hasValue(deleting);
    } catch (Throwable t) {
      return false; // the caller hears from Lucene of what Lucene meets too
    }
  }

  /** Without a value, doc values are taken away, and documents come back. */
  private static boolean hasValue(Field docValues) {
    return switch (docValues.fieldType().docValuesType()) {
      case NUMERIC -> docValues.numericValue() != null;
      case BINARY -> docValues.binaryValue() != null;
      default -> false; // Lucene refuses it
    };
  }

  @Override
  public long addDocuments(Iterable<? extends Iterable<? extends IndexableField>> docs)
      throws IOException {
    changing();
    return adding(() -> super.addDocuments(docs));
  }

  @Override
  public long addBatch(ColumnBatch columnBatch) throws IOException {
    changing();
    return adding(() -> super.addBatch(columnBatch));
  }

  @Override
  public long updateDocument(Term term, Iterable<? extends IndexableField> doc) throws IOException {
    changing();
    Operation update = () -> super.updateDocument(term, doc);
    return isKey(term) ? updating(term, doc, update) : replacing(term, update);
  }

  @Override
  public long updateDocuments(
      Term term, Iterable<? extends Iterable<? extends IndexableField>> docs) throws IOException {
    changing();
    return replacing(term, () -> super.updateDocuments(term, docs));
  }

  @Override
  public long updateDocuments(Term term, ColumnBatch columnBatch) throws IOException {
    changing();
    return replacing(term, () -> super.updateDocuments(term, columnBatch));
  }

  @Override
  public long updateDocuments(
      Query query, Iterable<? extends Iterable<? extends IndexableField>> docs) throws IOException {
    changing();
    return replacing(() -> super.updateDocuments(query, docs));
  }

  @Override
  public long updateDocuments(Query query, ColumnBatch columnBatch) throws IOException {
    changing();
    return replacing(() -> super.updateDocuments(query, columnBatch));
  }

  @Override
  public long softUpdateDocument(
      Term term, Iterable<? extends IndexableField> doc, Field... softDeletes) throws IOException {
    changing();
    Operation update = () -> super.softUpdateDocument(term, doc, softDeletes);
    return isKey(term) && isDeletion(softDeletes) ? updating(term, doc, update) : replacing(update);
  }

  @Override
  public long softUpdateDocuments(
      Term term, Iterable<? extends Iterable<? extends IndexableField>> docs, Field... softDeletes)
      throws IOException {
    changing();
    Operation update = () -> super.softUpdateDocuments(term, docs, softDeletes);
    return isKey(term) && isDeletion(softDeletes) ? adding(update) : replacing(update);
  }

  @Override
  public long deleteDocuments(Term... terms) throws IOException {
    changing();
    for (Term term : terms) {
      noteDeleted(term);
    }
    long number = super.deleteDocuments(terms);
    for (Term term : terms) {
      noteDeleted(term);
    }
    return number;
  }

  private void noteDeleted(Term term) {
    if (isKey(term)) {
      try {
        parts.operations().deletedKey(term.bytes());
        return;
      } catch (Throwable t) {
        parts
            .watch()
            .report(Trouble.RETRIED, "a deletion could not be noted; the index will tell", t);
      }
    }
    parts.operations().noteSelective();
  }

  @Override
  public long deleteDocuments(Query... queries) throws IOException {
    changing();
    return deleting(() -> super.deleteDocuments(queries));
  }

  @Override
  public synchronized long tryDeleteDocument(IndexReader readerIn, int docID) throws IOException {
    changing();
    return deleting(() -> super.tryDeleteDocument(readerIn, docID));
  }

  @Override
  public synchronized long tryUpdateDocValue(IndexReader readerIn, int docID, Field... fields)
      throws IOException {
    changing();
    return changingDocValues(() -> super.tryUpdateDocValue(readerIn, docID, fields), names(fields));
  }

  @Override
  public long updateNumericDocValue(Term term, String field, long value) throws IOException {
    changing();
    return changingDocValues(() -> super.updateNumericDocValue(term, field, value), field);
  }

  @Override
  public long updateSortedNumericDocValue(Term term, String field, long value) throws IOException {
    changing();
    return changingDocValues(() -> super.updateSortedNumericDocValue(term, field, value), field);
  }

  @Override
  public long updateBinaryDocValue(Term term, String field, BytesRef value) throws IOException {
    changing();
    return changingDocValues(() -> super.updateBinaryDocValue(term, field, value), field);
  }

  @Override
  public long updateDocValues(Term term, Field... updates) throws IOException {
    changing();
    return changingDocValues(() -> super.updateDocValues(term, updates), names(updates));
  }

  private static String[] names(Field[] fields) {
    return Arrays.stream(fields).map(Field::name).toArray(String[]::new);
  }

  /** Doc values matter here only when they delete softly, and then they can also bring back. */
  private long changingDocValues(Operation operation, String... fields) throws IOException {
    return Arrays.asList(fields).contains(getConfig().getSoftDeletesField())
        ? importing(operation)
        : operation.run();
  }

  /** Brings documents in, or back, that no flush shows. */
  private long importing(Operation operation) throws IOException {
    parts.operations().importingBegins();
    try {
      return operation.run();
    } finally {
      parts.operations().importingEnds();
    }
  }

  @Override
  public long deleteAll() throws IOException {
    changing();
    return deleting(() -> super.deleteAll());
  }

  @Override
  public long addIndexes(Directory... dirs) throws IOException {
    changing();
    return importing(() -> super.addIndexes(dirs));
  }

  @Override
  public long addIndexes(CodecReader... readers) throws IOException {
    changing();
    return importing(() -> super.addIndexes(readers));
  }

  @Override
  protected void merge(MergePolicy.OneMerge merge) throws IOException {
    SegmentMerges.Merge begun = null;
    try {
      begun = parts.operations().mergeBegins(merge);
    } catch (Throwable t) {
      parts.watch().report(Trouble.RETRIED, "a merge could not be noted; the index will tell", t);
    }
    try {
      super.merge(merge);
    } finally {
      if (begun != null) {
        begun.ends();
      }
    }
  }

  @Override
  protected void doBeforeFlush() throws IOException {
    parts.watch().beforeFlush(parts.operations().visitsHeard());
    if (isDataReplaced() || isUnmarkedOnAnEarlierCommit()) {
      try {
        renewMark();
      } catch (Throwable t) {
        parts.watch().putOff("this batch cannot be marked and is measured with the next", t);
      }
    }
  }

  @Override
  protected void doAfterFlush() throws IOException {
    parts.watch().afterFlush();
    boolean unnamed = isDataReplaced(); // meanwhile
    if (parts.operations().visitsCameBack() || unnamed) {
      try {
        makeCommit();
      } catch (Throwable t) {
        parts
            .watch()
            .report(
                Trouble.RETRIED,
                "what no commit has named waits for the next change of the index",
                t);
      }
    }
  }

  /**
   * Closes as {@link IndexWriter#close} does, which refuses with an {@link IllegalStateException}
   * while another thread is about to write a commit down: then try again. Waits until the
   * measurements of a commit that is written down are brought up to it.
   */
  @Override
  public void close() throws IOException {
    awaitCommitWrittenDown();
    try {
      super.close();
    } finally {
      closeMeasurer();
    }
  }

  /** With its lock Lucene tells the deletion policy, and so us; or it would refuse to close. */
  private synchronized void awaitCommitWrittenDown() {}

  @Override
  public void rollback() throws IOException {
    try {
      super.rollback();
    } finally {
      closeMeasurer();
    }
  }

  /** Whether Lucene has closed this writer: one that is closing is not open, but may commit yet. */
  private boolean isOver() {
    try {
      ensureOpen(false);
      return false;
    } catch (AlreadyClosedException over) {
      return true;
    }
  }

  /** Lucene closes a writer by itself when it fails, and nobody need close it again. */
  private final class MeasuringWriter implements StateFolder.Holder {
    @Override
    public boolean isOpen() {
      return !isOver();
    }

    @Override
    public void close() {
      closeMeasurer();
    }
  }

  private void saveQueue(Measurer current) {
    FetchQueue last;
    synchronized (order) {
      last = queue;
    }
    if (last == null || !current.isOpen()) {
      return;
    }
    Closeable saved = last::close;
    try (saved) {
      settleFirst(current); // until then nothing is written
    } catch (Throwable t) {
      parts
          .watch()
          .report(
              Trouble.LOST,
              "what crawlers told since pages were last handed out could not be saved; tell the next writer's queue addresses, what sitemaps say and which pages are gone again",
              t);
    }
  }

  /** An interrupt changes nothing of that; it is there still afterwards. */
  private static void settleFirst(Measurer current) throws IOException {
    boolean interrupted = false;
    try {
      current.settleFirst();
    } catch (IOException | RuntimeException e) {
      interrupted = Thread.interrupted(); // or no file could be read or written
      if (interrupted || StateFolder.wasInterrupted(e)) {
        current.settleFirst();
      } else if (current.isTentative()) {
        throw e;
      } // else the queue can be saved; what failed is tried, and told, as the rest is closed
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** When nobody is answered any more: a reader may refer to this writer for long. */
  private void releaseAll() {
    measurer = null;
    synchronized (order) {
      queue = null;
      order.release();
    }
  }

  private void closeMeasurer() {
    Measurer current = measurer;
    if (current != null && isOver()) {
      synchronized (current) { // whoever else closes waits, or would give no free folder back
        if (!closing) {
          closing = true;
          closeMeasurer(current);
        }
      }
    }
  }

  private void closeMeasurer(Measurer current) {
    parts.borrowed().returnCodec();
    parts.watch().stop();
    boolean interrupted = Thread.interrupted(); // or no file could be written
    try {
      saveQueue(current);
      interrupted |= Thread.interrupted(); // while that waited or wrote
      current.close();
    } catch (Throwable t) {
      parts.watch().report(Trouble.RETRIED, "measurements could not be closed cleanly", t);
    } finally {
      releaseAll();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
