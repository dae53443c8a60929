// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.ContentProvider;
import io.lucenedelta.scorer.refresh.NeverRefresh;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.SiteMetadata;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.workload.Workload;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;

/**
 * The measurements of an index, to be read without writing to it: for programs that ask while no
 * writer, or another process's writer, is at work. Only {@link Discoveries#save} writes, where no
 * writer is.
 *
 * <p>Shows the last batch settled when it was opened; a writer settles a batch when it is
 * committed. Needs none of the JVM flags that writing needs. Safe for several threads. Once it is
 * closed questions throw an {@link AlreadyClosedException}.
 */
public final class DeltaState implements Closeable {
  /** Until a batch is settled whose commit is there, in milliseconds: ten times that in all. */
  private static final long PAUSE = 20;

  private static final String NO_INDEX = "an index is in a folder, was null";

  private final Path folder;
  private final Directory files;
  private final DirectoryReader reader;
  private final Manifest manifest;
  private final IOSupplier<Workload> workload; // measured then
  private final List<String> unsettled; // files of batches that were committed then
  private final List<String> queue; // its files then
  private final List<String> audit; // likewise
  private final Set<String> troubles = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private DeltaState(OpenedState opened) {
    this.folder = opened.folder();
    this.files = opened.files();
    this.reader = opened.reader();
    this.manifest = opened.manifest();
    this.workload = opened.workload();
    this.unsettled = opened.unsettled();
    this.queue = opened.queue();
    this.audit = opened.audit();
    opened.trouble().ifPresent(troubles::add);
  }

  /**
   * Opens the measurements that lie beside an index folder, in {@code <index>.delta}.
   *
   * @throws NullPointerException if the folder is null
   * @throws NoSuchFileException if there is no index, or nothing of it was ever measured, with a
   *     reason; its other file is the index if that was measured into another folder. Without a
   *     reason, if a file of the index or the manifest is gone at each of 20 looks
   * @throws FileSystemException if a folder was moved away, or a writer deleted a file again and
   *     again, while they were opened: no reason to index anew; open them once more
   * @throws IOException if index or measurements cannot be read
   */
  public static DeltaState open(Path index) throws IOException {
    Objects.requireNonNull(index, NO_INDEX);
    Path named = Files.isDirectory(index) ? index.toRealPath() : index; // or a link may change
    return open(named, StateFolder.pathFor(named));
  }

  /**
   * Opens the measurements in {@code state} of the index in {@code index}: those of a writer with a
   * {@link DeltaConfig.Builder#statePath}.
   *
   * @throws NullPointerException if one of the folders is null
   * @throws NoSuchFileException if there is no index, or nothing of it was ever measured there
   * @throws FileSystemException as when they lie beside the index
   * @throws IOException if index or measurements cannot be read
   */
  public static DeltaState open(Path index, Path state) throws IOException {
    return open(index, state, () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE)));
  }

  /**
   * The same.
   *
   * @param pause is run between two looks
   */
  static DeltaState open(Path index, Path state, Runnable pause) throws IOException {
    Objects.requireNonNull(index, NO_INDEX);
    Objects.requireNonNull(state, "measurements are in a folder, was null");
    if (!Files.isDirectory(index)) {
      throw new NoMeasuredIndex(index, "there is no index folder " + index);
    }
    if (!Files.isDirectory(state)) {
      throw NoMeasuredIndex.in(
          state, index, "index %s has no measurements (no folder %s)".formatted(index, state));
    }
    Path folder = state.toRealPath(); // by whatever name it is opened it is the same
    Path named = index.toRealPath(); // though a link leads to another index meanwhile
    return new DeltaState(OpenedState.open(named, folder, pause));
  }

  /**
   * The pages to fetch at a time, the most urgent first, by {@link UserUtility}; pages that told a
   * {@link FetchQueue} of changes, and were not fetched since, with what they said.
   *
   * <p>Before there are rank functions all pages seem worth the same to users. The second commit of
   * a new index builds them, and the first one through a {@link DeltaIndexWriter} of an index that
   * was there before; or before that the first who asks the writer for pages, as by {@link
   * DeltaIndexWriter#nextPages}. Fetch times are believed as they are recorded: a page that was
   * dated ahead by a wrong clock is left out until that time, though a writer would hand it out.
   *
   * @throws NullPointerException if the time is null
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws UncheckedIOException if index or measurements cannot be read, or the thread was
   *     interrupted while they were
   */
  public List<PagePriority> nextPages(int count, Instant now) {
    requireOpen();
    return nextPages(OrderSources.of(told()), count, now).pages();
  }

  /**
   * The same with pages of which only the address is known, the two in one order.
   *
   * @param discovered from {@link #discoveries} of this, or of another state opened on the same
   *     folder of measurements; says afterwards which of them are in the index
   * @throws NullPointerException if discoveries or time are null
   * @throws IllegalArgumentException if {@code count} is negative, or the discoveries are of
   *     another index, or from before the measurements in the folder were begun anew with another
   *     hash seed
   * @throws UncheckedIOException if index or measurements cannot be read, or the thread was
   *     interrupted while they were
   */
  public List<PagePriority> nextPages(Discoveries discovered, int count, Instant now) {
    Objects.requireNonNull(discovered, "discoveries are of this state, was null");
    requireOpen();
    discovered.requireOf(folder, manifest);
    LiveOrder.Ordered best = nextPages(discovered.orderSources(told()), count, now);
    discovered.found(best.indexed());
    return best.pages();
  }

  /**
   * The pages that a {@link FetchQueue} was told of and that were never fetched, to tell of more.
   * Words about them are analysed as text of the scored field that was named first, be it here or
   * by a writer's queue: let that be the field that the workload's queries were analysed for, or
   * words are not recognised as theirs.
   *
   * @param analyzer for words about pages; a writer's queue takes the one pages are indexed with
   * @throws NullPointerException if it is null
   * @throws IOException if measurements cannot be read, or the thread was interrupted while they
   *     were; what crawlers told may be damaged, then it is left out and {@link #troubles} says so
   */
  public Discoveries discoveries(Analyzer analyzer) throws IOException {
    requireOpen();
    return new Discoveries(
        folder,
        files,
        manifest,
        workload.get(),
        analyzer,
        this::unreadableQueue,
        this::unreadableRanks);
  }

  private LiveOrder.Ordered nextPages(OrderSources sources, int count, Instant time) {
    Instant now = Priorities.plannable(time);
    tellLackOfRanks();
    LiveOrder.Ordered best =
        SavedOrder.next(folder, files, reader, manifest, sources, count, now)
            .orElseGet(
                () -> new LiveOrder(manifest.hashSeed).next(0, histories(), sources, count, now));
    requireOpen(); // or words of pages may be left out
    return best;
  }

  private ToldChanges told() {
    try {
      return QueueFile.readBesideWriter(files, null, manifest.hashSeed).told;
    } catch (IOException | RuntimeException e) {
      unreadableQueue(e);
      return new ToldChanges(manifest.hashSeed);
    }
  }

  /** Throws what an interrupt has done: whoever asks next should not hear of damage. */
  private void unreadableQueue(Exception e) {
    requireOpen(); // by another thread it may be closed meanwhile
    if (StateFolder.wasInterrupted(e)) {
      throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
    }
    troubles.add("what crawlers told cannot be read, and is left out: " + e);
  }

  private void unreadableCopied(Exception e) {
    requireOpen();
    troubles.add("what crawlers told cannot be read, and is copied as it is: " + e);
  }

  private void unreadableRanks(Exception e) {
    requireOpen();
    troubles.add(
        "rank functions cannot be read, and are left out until a writer builds them anew: " + e);
  }

  /**
   * An order shows by nothing that it was made without; where they were lost, pages keep theirs.
   */
  private void tellLackOfRanks() {
    if (manifest.pages == 0 || !manifest.ranksFile.isEmpty() || !manifest.isUsefulnessOutdated()) {
      return;
    }
    String order = "so that pages may be ordered as if all were worth the same to users: ";
    troubles.add(
        manifest.ranksFailure.isEmpty()
            ? "there are no rank functions yet, %sthe next batch committed through a DeltaIndexWriter builds them, or before that the first who asks it for the order"
                .formatted(order)
            : "there are no rank functions, %s%s".formatted(order, manifest.ranksFailure));
  }

  /**
   * What was found wrong when this was opened, or by questions since, in sentences: index and
   * measurements do not belong together, or what crawlers told, or rank functions, cannot be read.
   * Answers are then as good as what is there. An order for which there are no rank functions yet
   * is told, too.
   */
  public List<String> troubles() {
    return List.copyOf(troubles);
  }

  /**
   * The pages to fetch at a time by another strategy. It plans one period of a day from the time
   * on, with {@code count} as its budget.
   *
   * <p>What it finds of visits and changes, what that takes, and how it is asked for the rest when
   * it hands out fewer pages, {@link DeltaIndexWriter#nextPages(RefreshPolicy, int, Instant)} says;
   * but here what sites published is what the queue saved last, whether or not a writer has opened
   * it since. Where that is damaged it is left out, and {@link #troubles} says so.
   *
   * @throws NullPointerException if policy or time is null
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws UncheckedIOException if index or measurements cannot be read, or the thread was
   *     interrupted while they were
   */
  public List<PagePriority> nextPages(RefreshPolicy policy, int count, Instant now) {
    List<PagePriority> best =
        Priorities.next(histories(), told(), visitRecords(), policy, count, now);
    if (!needsNoRanks(policy)) {
      tellLackOfRanks();
    }
    return best;
  }

  /** The measured refreshes of all pages one by one, for one question. */
  VisitRecords visitRecords() {
    IndexedHistories histories = new IndexedHistories(reader, files, manifest);
    return new VisitRecords(
        files, manifest.refreshFiles, manifest.hashSeed, histories.pagesInOrder());
  }

  /** Whether the order of a strategy is the same whatever rank functions there are now. */
  private static boolean needsNoRanks(RefreshPolicy policy) {
    return policy instanceof Uniform
        || policy instanceof NeverRefresh
        || policy instanceof SiteMetadata
        || policy instanceof ContentProvider;
  }

  /**
   * Every page's history, for a refresh strategy of your choice, with fetch times as they are
   * recorded. Its methods throw {@link UncheckedIOException} if index or measurements cannot be
   * read.
   */
  public PageHistories histories() {
    requireOpen();
    return new IndexedHistories(reader, files, manifest);
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
    requireOpen();
    List<MeasuredRefresh> refreshes = new RefreshHistory(files, manifest, folder).of(page);
    return refreshes.isEmpty()
        ? Optional.empty()
        : Optional.of(new PageExplanation(page, refreshes));
  }

  /**
   * How measuring stood when the last batch was settled before this was opened; without the
   * self-audit, or the share of queries that is answered, if its file cannot be read; where that is
   * the file of the rank functions, {@link #troubles} says so. {@link DeltaStatus#orderBytes} alone
   * goes by the files that are there now.
   *
   * @throws IOException if the workload measured, or the files of the measurements, cannot be
   *     looked at
   */
  public DeltaStatus status() throws IOException {
    requireOpen();
    Workload measured = workload.get();
    boolean ranked = !manifest.ranksFile.isEmpty();
    DeltaStatus status =
        DeltaStatus.of(manifest, files, measured, ranked, answered(), audit(), 0, null);
    requireOpen(); // or what cannot be read is left out for another reason
    return status;
  }

  /**
   * Copies the measurements as they were when this was opened, with what was measured of a commit
   * that was not settled then, and the {@link FetchQueue} as it was saved last before that: a
   * backup, also while a writer is at work. To go with a copy of the index: take a snapshot of its
   * commit ({@link org.apache.lucene.index.SnapshotDeletionPolicy}), open this, and copy both. What
   * was measured after the snapshot is then forgotten when a writer opens the two; it builds the
   * page store, which is not copied, from index and refreshes. The {@linkplain
   * DeltaStatus#selfAudit self-audit} is not copied either, and counts anew. Files of the queue
   * that cannot be read, be they damaged or of another version, are copied as they are, and {@link
   * #troubles} says so.
   *
   * <p>When this returns the copy is forced to the disk. Force that of the index as well ({@link
   * Directory#sync}, {@link Directory#syncMetaData}) before an older backup is deleted.
   *
   * @param target a folder that is empty or not there yet; beside a copied index {@code INDEX} the
   *     writer looks for {@code INDEX.delta}
   * @throws NullPointerException if it is null
   * @throws DirectoryNotEmptyException if there is something in it
   * @throws java.nio.file.NotDirectoryException if it is a file, or lies below one
   * @throws IOException if something cannot be read or written; the folder is then left empty
   */
  public void copyTo(Path target) throws IOException {
    Objects.requireNonNull(target, "measurements are copied to a folder, was null");
    requireOpen();
    StateFolder.requirePlace(target);
    Files.createDirectories(target);
    try (Directory copy = FSDirectory.open(target)) {
      if (copy.listAll().length > 0) {
        throw new DirectoryNotEmptyException(
            target + " is not empty; measurements are copied to a folder of their own");
      }
      new StateCopy(files, manifest, unsettled, queue, copy, this::unreadableCopied).make();
    }
  }

  private double answered() {
    try {
      return manifest.ranksFile.isEmpty() ? Double.NaN : Ranks.answeredShare(files, manifest);
    } catch (IOException | RuntimeException e) {
      unreadableRanks(e);
      return Double.NaN;
    }
  }

  private SelfAudit audit() {
    try {
      return AuditLog.read(files, audit).selfAudit();
    } catch (IOException | RuntimeException e) {
      return null; // nothing else needs it; the writer says so when it opens the log
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new AlreadyClosedException(Measurer.CLOSED);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    IOUtils.close(reader, reader.directory(), files);
  }
}
