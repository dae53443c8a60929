// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.queue.RefreshQueue;
import io.lucenedelta.scorer.queue.WantedPages;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.UserUtility;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;

/**
 * Hands out the pages to fetch, by {@link UserUtility}, to crawlers that report back what happened;
 * made by {@link DeltaIndexWriter#fetchQueue}.
 *
 * <pre>{@code
 * FetchQueue queue = writer.fetchQueue(Duration.ofHours(6));
 * for (String page : queue.take(100)) {
 *   switch (fetch(page)) {
 *     case CHANGED -> writer.updateDocument(new Term("url", page), document);
 *     case UNCHANGED -> writer.recordUnchanged(page, clock.instant());
 *     case FAILED -> queue.failed(page);
 *     case GONE -> queue.gone(page);
 *   }
 * }
 * writer.commit();
 * }</pre>
 *
 * <p>A page handed out is leased: nobody gets it again until it was indexed and committed,
 * reported, or the lease has run out. A page that failed waits one lease, then two, four, … up to
 * 32 days, or 32 leases if that is longer; one that is gone until it has {@linkplain #returned
 * returned}. Neither takes a place in a batch meanwhile: where batches are a month apart, let the
 * lease be about a month, or failing pages are free again before the next. A lease that runs out
 * without a word counts as a failure: the next one is twice as long. {@link
 * DeltaIndexWriter#nextPages} tells the order regardless of who holds a page, {@link #nextFree}
 * what the next batch would be.
 *
 * <p>A report names a page and no lease. Once its lease on a page has run out, a crawler should
 * index the page if it has it, and report nothing else. Expiry has already counted as a failure,
 * another crawler may hold the page now, and a report would be taken as that crawler's. {@link
 * #failed} gives a leased page to nobody sooner; it counts as one more failure, and a fetch of the
 * other's that is dated before the report does not end the wait. But {@link #failed} and {@link
 * #retryAfter} end an earlier {@link #gone}, and {@link #failed} an earlier {@link #retryAfter}:
 * the last report counts. After {@link #returned} and {@link #forget} the page is handed out though
 * the other still fetches it, and after {@link #gone} to nobody, unless the other's fetch is dated
 * after that. Lease for longer than it takes to fetch a page and until that is committed.
 *
 * <p>{@code docs/crawlers.md} has a table of what to report when: of pages that redirect, say, or
 * are no longer in their sitemap.
 *
 * <p>Pages whose address is known but that were never fetched are {@linkplain #discovered(String)
 * told} and stand in the same queue, as early as other pages of their site and directory and, if
 * told, the words of links to them promise. Once they are indexed they are pages like any other.
 * Pages of the index that {@linkplain #modified say} that they changed come as early as the change
 * seems worth it, and wait as long as their site says that they have not. The worth of a page never
 * fetched, and of a known change, does not grow while it waits. So that none waits for ever, one
 * page in twenty of those handed out is the one of them that has waited longest ({@link
 * io.lucenedelta.scorer.refresh.LongestWaiting}): since it changed or its address was told or, if
 * it was tried, since then.
 *
 * <p><b>What lasts.</b> The order comes from the histories and what pages told. Leases, reports,
 * discovered pages and what pages told of their changes are written to small files beside them
 * before {@link #take} returns, by {@link #save}, and when the writer is closed; after a crash,
 * reports since then are forgotten and their pages handed out once more, when the lease that the
 * crashed crawler had of them has run out. A damaged file is reported to the listener, which hears
 * what to tell again, and kept under another name; the queue starts with leases and reports alone,
 * or empty if these are lost. A writer opened on an earlier commit, or anew over an index, writes
 * nothing of the queue before its first commit. If the index goes back, what was told since is
 * still there, except changes and addresses that were fetched since: tell them again. On the heap:
 * some 200 bytes and the key of each page held, discovered or changed and not yet fetched, 100 more
 * while a change of it is still to come, 4 bytes for each of up to {@value Discovery#KEPT} words of
 * a page discovered, and 25 to 45 bytes for each page of the index that ever said something of its
 * changes.
 *
 * <p><b>Cost.</b> A {@code take} is a pass over all pages once a day; after a hundredth of the
 * pages changed, or more than 16,384 were written, since the last one; when 1,000 pages, or a
 * sixteenth of all if that is more, were told of; after rank functions were built anew; and when a
 * site turns out to keep changes back. Otherwise it looks up a short list, on which an address
 * waits where it was when what words promise is learned from a page. Each writes down all holds,
 * 0.4 s where half a million pages are held: {@linkplain #forget forget} those that are gone for
 * good. A commit waits for one under way. {@code docs/performance.md} has figures. Safe for several
 * threads. Once the writer is closed what takes or tells something throws an {@link
 * AlreadyClosedException}.
 */
// Long because everything that a crawler asks or tells stands here once, with what it means.
public final class FetchQueue {
  private static final int PLANNED_AGAIN = 100; // after changes of one page in so many

  private final Measurer measurer;
  private final DeltaConfig config;
  private final RefreshQueue queue;
  private final QueueFile file;
  private final ToldAddresses addresses;
  private final LongestTold longest;
  private final AnalyzedQueries analysis;
  private final PromisingWords words;
  private final ReentrantLock turns = new ReentrantLock(true); // of takers to wait for the measurer
  private long plannedAt = Long.MIN_VALUE / 2; // changes of histories counted then
  private Exception unreadable; // why the files of an earlier queue could not be read, or null
  private boolean holdsAreKept; // whether only what was told cannot be read of these
  private int unsaved; // how many batches are leased and not yet written down
  private boolean wentBack; // whether the index went back and the saved queue lacks that
  private boolean uncompared; // whether it went back and nothing was compared with histories
  private boolean picking; // whether a crawler is being asked which pages it wants
  private boolean closed;

  FetchQueue(Measurer measurer, DeltaConfig config, Analyzer analyzer, Duration lease)
      throws IOException {
    this.measurer = measurer;
    this.config = config;
    this.file = read();
    file.countIn(UsefulnessUnit.of(measurer.measured(), config.workload().totalFrequency()));
    this.addresses = new ToldAddresses(file);
    this.queue = LiveOrder.queue(lease, file.holds, measurer.hashSeed());
    this.longest = new LongestTold(file, queue, measurer.hashSeed());
    this.analysis = AnalyzedQueries.of(analyzer, config.scoredFields().get(0).name());
    this.words = new PromisingWords(config.workload(), file.wordFactor);
    this.wentBack = measurer.rollback().happened();
    this.uncompared = wentBack;
    if (wentBack) {
      goBack(measurer.histories());
    }
    if (unreadable != null) { // last: whoever is refused a queue finds them as they were
      setAside();
    }
  }

  /** A writer that begins the index anew has no page to compare with before its first commit. */
  private void goBack(StoredHistories histories) {
    if (uncompared && !isBegunAnew(histories)) {
      file.goBack(histories);
      uncompared = false;
    }
  }

  /** Whether the first commit may have all the pages. */
  private boolean isBegunAnew(StoredHistories histories) {
    return measurer.isTentative() && histories.size() == 0;
  }

  private QueueFile read() throws IOException {
    Directory files = measurer.files();
    try {
      return QueueFile.read(files, config.workload(), measurer.hashSeed());
    } catch (IOException | RuntimeException e) {
      requireLost(e);
      unreadable = e;
    }
    try {
      QueueFile rest = QueueFile.readWithoutBase(files, config.workload(), measurer.hashSeed());
      holdsAreKept = true;
      return rest;
    } catch (IOException | RuntimeException e) {
      requireLost(e);
      return QueueFile.afresh(files, measurer.hashSeed()); // numbered from theirs on
    }
  }

  /** After an interrupt, say, the files may be right: what went wrong is thrown then. */
  private static void requireLost(Exception e) throws IOException {
    if (e instanceof IOException other && !StateFiles.isLost(e)) {
      throw other;
    }
  }

  private void setAside() throws IOException {
    if (holdsAreKept) {
      QueueFile.setBaseAside(measurer.files());
    } else {
      QueueFile.setAside(measurer.files());
    }
  }

  /** Tells what was wrong, once the writer has this queue: a listener may ask for it then. */
  void tellTrouble() {
    if (unreadable != null) {
      String lost =
          holdsAreKept
              ? "addresses and changes that crawlers told the fetch queue cannot be read; leases and"
                  + " reports are kept. Tell it addresses and what sitemaps say again; its files are"
                  + " kept as "
              : "what crawlers lease, reported and told cannot be read; the fetch queue starts empty."
                  + " Tell it addresses, what sitemaps say and which pages are gone again; its files"
                  + " are kept as ";
      config.listener().trouble(Trouble.LOST, lost + StateFiles.DAMAGED + "…", unreadable);
    }
  }

  /**
   * Leases the most urgent pages that nobody holds, by the clock of the configuration; see {@link
   * #take(int, Instant)}.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IOException if histories cannot be read or the leases cannot be written: then none was
   *     handed out
   */
  public List<String> take(int count) throws IOException {
    return take(count, WantedPages.all(), config::now); // when others have had their batches
  }

  /**
   * The same of pages that a crawler wants, such as a few of each host: others are passed over,
   * neither leased nor counted.
   *
   * <p>Those that have waited longest are asked about first, for their share of the batch, then the
   * most urgent, the best first, each page once, until the batch is full. So what is accepted is
   * handed out, and may be counted. Up to {@value WantedPages#MOST} pages of both are gone through,
   * or {@code count} if that is more: where it refuses nearly all of these the batch is shorter,
   * though others are free.
   *
   * @param count how many at most, 0 or more
   * @param wanted is asked by the calling thread while commits and other crawlers wait, perhaps
   *     about many pages: let it be fast, and wait for nothing. It must neither change the index
   *     nor commit, or it may wait for ever, nor record a visit, which is refused. If it throws
   *     anything that goes to the caller, and no page is leased
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IllegalStateException if {@code wanted} asks or tells this queue something, or asks its
   *     writer for {@link DeltaIndexWriter#nextPages(int)}, by whatever strategy, or to {@link
   *     DeltaIndexWriter#rebuild}
   * @throws NullPointerException if {@code wanted} is null
   * @throws IOException if histories cannot be read or the leases cannot be written: then none was
   *     handed out
   */
  public List<String> take(int count, Predicate<String> wanted) throws IOException {
    Objects.requireNonNull(wanted, "pages are taken that a predicate wants, was null");
    return take(count, WantedPages.of(page -> isWanted(wanted, page)), config::now);
  }

  private boolean isWanted(Predicate<String> wanted, String page) {
    picking = true;
    try {
      return wanted.test(page);
    } finally {
      picking = false;
    }
  }

  /**
   * Leases the most urgent pages that nobody holds, best first, and the share of those that have
   * waited longest. A page is due after its last fetch: at that very time, or before, it is left
   * out, so that nothing is handed out if all pages were fetched at {@code now}. A page whose last
   * fetch is more than a day after the configured clock is due, since the clock was wrong then or
   * is now.
   *
   * @param count how many at most, 0 or more
   * @throws NullPointerException if the time is null
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IOException if histories cannot be read or the leases cannot be written: then none was
   *     handed out
   */
  public List<String> take(int count, Instant now) throws IOException {
    return take(count, WantedPages.all(), () -> now);
  }

  /**
   * The pages that {@link #take(int)} would lease now, in the same order, each with its priority;
   * leases nothing. For whoever makes one order out of the queues of several indexes.
   *
   * <p>A {@code take} of as many that follows hands out the same pages if nothing was taken, told
   * or committed in between. But leases run out and the order moves on with time, and the share of
   * those that have waited longest, one page in twenty, is rounded by the time of the question:
   * there may be one more of them, or one fewer. Those that are among the pages for that alone come
   * last, whatever their priority; so a {@code take} of fewer pages has the first of these and, at
   * its end, a share of its own.
   *
   * <p>Writes nothing of the queue. A change {@linkplain #modified told} of a page that is not in
   * the index takes no place and is not forgotten. Costs what a {@code take} costs that has no
   * holds to write down; a commit waits for it.
   *
   * @param count how many at most, 0 or more
   * @return a list of its own; pages never fetched, of which only the address is known, are among
   *     them
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws IllegalStateException if asked by who is asked which pages are wanted
   * @throws IOException if histories cannot be read
   */
  public List<PagePriority> nextFree(int count) throws IOException {
    Priorities.requireCount(count);
    synchronized (measurer) { // first, as a listener that asks holds it already
      synchronized (this) {
        requireOpen();
        StoredHistories histories = settled();
        Instant now = Priorities.plannable(config.now());
        RowHistories believed = histories.believed(FetchTimes.latest(config));
        catchUp(histories, believed, now, false);
        Set<String> waiting = longest.of(count, WantedPages.all(), now);
        List<RefreshCandidate> free =
            queue.nextFree(
                file.told.known(believed, now),
                toldApart(believed, now),
                waiting,
                RefreshBudget.atAnyTime(count, now),
                now);
        return Priorities.described(believed, free);
      }
    }
  }

  private List<String> take(int count, WantedPages wanted, InstantSource clock) throws IOException {
    Priorities.requireCount(count);
    Leased leased = takeInTurn(count, wanted, clock);
    try {
      config.faults().at(FaultPoints.LEASED);
      write();
    } catch (Throwable t) {
      synchronized (this) { // another take that fails puts all holds back as it found them
        queue.takeBack(leased.leases(), leased.before());
      }
      throw t;
    } finally {
      saved();
    }
    return leased.batch();
  }

  /**
   * A batch that is not written down yet.
   *
   * @param leases the holds of its pages
   * @param before the holds when it was asked for
   */
  private record Leased(
      List<String> batch, List<RefreshQueue.Hold> leases, List<RefreshQueue.Hold> before) {}

  /** A listener that takes has the measurer already: whoever's turn it is may wait for that. */
  private Leased takeInTurn(int count, WantedPages wanted, InstantSource clock) throws IOException {
    if (Thread.holdsLock(measurer)) {
      return takeOnce(count, wanted, clock);
    }
    turns.lock();
    try {
      return takeOnce(count, wanted, clock);
    } finally {
      turns.unlock(); // before the leases are written, which nobody need wait for
    }
  }

  private Leased takeOnce(int count, WantedPages wanted, InstantSource clock) throws IOException {
    synchronized (measurer) { // first, as a listener that takes holds it already
      synchronized (this) {
        requireOpen();
        StoredHistories histories = settled();
        List<RefreshQueue.Hold> before = queue.holds();
        try {
          List<String> batch =
              measurer.reading(
                  () -> takePages(histories, count, wanted, Priorities.plannable(clock.instant())));
          List<RefreshQueue.Hold> leases =
              batch.stream().flatMap(page -> queue.hold(page).stream()).toList();
          Leased leased = new Leased(batch, leases, before);
          unsaved++; // last, or whoever closes would wait for a batch that nobody has
          return leased;
        } catch (Throwable t) {
          queue.restore(before); // nobody has reported meanwhile, or given leases back
          throw t;
        }
      }
    }
  }

  private synchronized void saved() {
    unsaved--;
    notifyAll();
  }

  /** Listeners hear of a commit that is settled here; they may report and take pages themselves. */
  private StoredHistories settled() throws IOException {
    StoredHistories histories = measurer.toOrder();
    if (measurer.historyChanges() - plannedAt > histories.size() / PLANNED_AGAIN) {
      queue.replan();
      plannedAt = measurer.historyChanges();
    }
    return histories;
  }

  private List<String> takePages(
      StoredHistories histories, int count, WantedPages wanted, Instant now) throws IOException {
    RowHistories believed = histories.believed(FetchTimes.latest(config));
    catchUp(histories, believed, now, !isBegunAnew(histories));
    KnownPages known = file.told.known(believed, now);
    KnownPages changed = toldApart(believed, now);
    RefreshBudget budget = RefreshBudget.atAnyTime(count, now);
    Set<String> waiting = longest.of(count, wanted, now);
    return queue.take(known, changed, waiting, wanted, budget, now).stream()
        .map(RefreshCandidate::page)
        .toList();
  }

  /** What they are worth does not grow with time: a short list of them lasts longer. */
  private KnownPages toldApart(RowHistories believed, Instant now) {
    return new DiscoveredPages(file.told.pagesWithChanges(believed, now), file.discovered(), words);
  }

  /**
   * Forgets discovered pages that are in the index, or came and left, and learns from those that
   * came since they were told what words tell; forgets told changes that were fetched, and perhaps
   * those of pages that are not in the index.
   */
  private void catchUp(
      StoredHistories histories, RowHistories believed, Instant now, boolean forgetsAbsent)
      throws IOException {
    goBack(histories);
    words.use(measurer.ranks(), () -> histories.learned(now).orElseThrow());
    Optional<Set<String>> written = histories.written();
    addresses.catchUp(
        histories,
        written,
        measurer.settledBatch(),
        words::learn,
        (page, known) -> {
          longest.addressKnownSince(known.since());
          queue.consider(page);
        });
    long doubts = file.told.publishers().doubts();
    file.told.forEachCome(now, queue::consider);
    file.catchUp(histories, written, now, forgetsAbsent);
    if (file.told.publishers().doubts() > doubts) {
      queue.replan(); // which pages are of the sites that are believed less nobody keeps
    }
    considerFetched(written, believed);
    histories.forgetWritten();
  }

  /** A fetch may have brought a page, or ended the hold for which it was left off the lists. */
  private void considerFetched(Optional<Set<String>> written, RowHistories believed) {
    if (written.isEmpty()) {
      queue.replan(); // it may have brought any
      return;
    }
    Set<String> told = file.told.byPage().keySet();
    for (String page : written.get()) {
      if (told.contains(page) || queue.hold(page).isPresent()) {
        queue.consider(page);
      } else {
        believed.of(page).ifPresent(found -> queue.fetched(page, found.lastRefresh()));
      }
    }
  }

  /**
   * The page could not be fetched for now.
   *
   * @throws NullPointerException if the page is null
   * @throws IllegalArgumentException if its key is empty or longer than one can be
   */
  public synchronized void failed(String page) {
    queue.failed(reportableKeyOf(page), config.now());
  }

  /**
   * The page could not be fetched for now, and its site says when to ask again, as by {@code
   * Retry-After} of HTTP: it is handed out to nobody before, unless another report comes later, and
   * then is free, however often it failed. Does not count for how long later failures wait that are
   * told without a time.
   *
   * <p>A time that is over says nothing of when to ask again, and counts as {@link #failed}: a site
   * that always names one, such as {@code Retry-After: 0}, would have its page at the head of every
   * batch.
   *
   * @param time when it is free, if no fetch is committed before; in 365,000 days at the latest
   * @throws NullPointerException if page or time is null
   * @throws IllegalArgumentException if the key is empty or longer than one can be
   */
  public synchronized void retryAfter(String page, Instant time) {
    Objects.requireNonNull(time, "a wait needs the time it ends, was null");
    queue.retryAfter(reportableKeyOf(page), config.now(), time);
  }

  /**
   * The page does not exist any more, or is never to be indexed, whatever it answers: nobody asks
   * for it again. So report a failure where it may be there tomorrow: one that is not found for the
   * first time, say, or leads elsewhere for now. It stays in the index until the application
   * deletes it. What is {@linkplain #modified said} or {@linkplain #discovered(String) told} of it
   * later does not bring it back, though a later failure does: sitemaps and old links go on to name
   * pages that are gone. Say that it {@linkplain #returned returned} when it answers again, be it
   * as what a redirect of another leads to, or is named again with a time after this report. The
   * report is kept, some 200 bytes, and written down with every batch handed out, until then or
   * until the page is {@linkplain #forget forgotten}.
   *
   * @throws NullPointerException if the page is null
   * @throws IllegalArgumentException if its key is empty or longer than one can be
   */
  public synchronized void gone(String page) {
    queue.gone(reportableKeyOf(page), config.now());
  }

  /**
   * A page is free at once: it is there again, or whoever had it will not fetch it. If its document
   * was deleted it is no page of the index: {@linkplain #discovered(String) tell} its address, too,
   * when that is committed. To spare a host say which pages are {@linkplain #take(int, Predicate)
   * wanted}: of those that are given back the next batch has the same first.
   *
   * @throws NullPointerException if the page is null
   */
  public synchronized void returned(String page) {
    queue.returned(keyOf(page));
  }

  /**
   * An address is as if nobody had ever told of it: its lease or report and its words are dropped.
   * For pages {@linkplain #gone gone} whose documents are deleted, and that committed, and that
   * nothing will name again, and for addresses discovered by mistake; whatever names one later
   * discovers it anew. A page of the index stays in the order, free at once, until a commit deletes
   * its document; so do the changes that were {@linkplain #modified told} of it.
   *
   * @throws NullPointerException if the page is null
   */
  public synchronized void forget(String page) {
    String key = keyOf(page);
    file.forget(key);
    queue.returned(key);
  }

  /**
   * A report that names no page would break every later question, and one that comes when the
   * writer is closed would be forgotten.
   *
   * @return the key as the index has it
   */
  private String keyOf(String page) {
    Objects.requireNonNull(page, "a report needs the key of a page, was null");
    requireOpen();
    return PageKeys.indexed(page);
  }

  /**
   * The same of a report that is kept: none of a page that there cannot be. Those that only drop
   * something take any key, for a queue saved before this was refused may hold such.
   */
  private String reportableKeyOf(String page) {
    String key = keyOf(page);
    Discoveries.requireKey(page);
    return key;
  }

  private void requireOpen() {
    requirePicked();
    if (closed) {
      throw new AlreadyClosedException(
          "this fetch queue was closed with its writer; ask or tell that of the next writer",
          measurer.whyClosed());
    }
  }

  private void requirePicked() {
    if (picking) {
      throw new IllegalStateException(
          "a batch is being picked; who is asked which pages are wanted cannot ask or tell the"
              + " queue anything");
    }
  }

  /**
   * The address of a page became known, from a link or a sitemap. Has no effect on a page that was
   * told before, nor on one of the index, unless the next commit deletes it: then its address is
   * known from that commit on. A page reported {@link #gone} stays so until it is told to have
   * {@linkplain #returned returned}, since old links lead there too; say that of an address that a
   * redirect led to and that answered, or a move that is taken back leaves both addresses gone.
   *
   * @param page the key under which it will be indexed
   * @throws NullPointerException if it is null
   * @throws IllegalArgumentException if it is empty or longer than a key can be
   */
  public synchronized void discovered(String page) {
    Discoveries.requireAddress(page);
    discover(keyOf(page), null);
  }

  /**
   * The same with words about the page: the text of a link to it, or its title in a feed. Words of
   * several links add up; only those that some query has are kept, and no more than {@value
   * Discovery#KEPT} of a page. How well words predict usefulness is learned, once a page, from
   * those that came into the index since they were told with words, by the next {@link #take},
   * {@link #nextFree} or {@link DeltaIndexWriter#nextPages}; for a page that is in the index
   * already the call does nothing else, however often it is made. It is learned anew where scored
   * fields, boosts, similarity or estimator are others than before, or queries more than twice or
   * less than half as frequent altogether. Until there is something to learn from, words change
   * nothing.
   *
   * @param page the key under which it will be indexed
   * @param text analysed as the first scored field is; null for none
   * @throws NullPointerException if the page is null
   * @throws IllegalArgumentException if the key is empty or longer than one can be
   */
  public void discovered(String page, String text) {
    if (text == null) {
      discovered(page);
      return;
    }
    Discoveries.requireAddress(page);
    // before the lock: an analyzer may ask the writer, whose lock comes first
    int[] terms = analysis.terms(text, config.workload());
    synchronized (this) {
      discover(keyOf(page), terms);
    }
  }

  private void discover(String page, int[] terms) {
    Instant since = config.now();
    longest.addressKnownSince(since);
    addresses.tell(page, measurer.names().begun());
    file.discover(page, since, terms);
    queue.consider(page);
  }

  /**
   * A page says when it changed last, where it says so of every change without being asked: in a
   * sitemap, or a feed that leaves none out. If that was after its last fetch it is worth what a
   * known change is worth until it is fetched. If not, it has not changed until now, and waits.
   * Tell all pages of a sitemap each time that it is read, the same times too: a page that ever
   * said something is taken to say of every change, as long as its site is heard, that is, as this
   * is called for pages of the same host; {@link #discovered}, {@link #failed} and the like do not
   * count. So a page of a feed need not be told when nothing is new of it, but while nothing is new
   * of any repeat a call; and a page that left its sitemap would be silent for good. Sites in which
   * fetches find changes that were not told are believed the less. Forgotten at the next take if
   * the page is not in the index then; has no effect while the page is reported {@link #gone}.
   *
   * <p>Tell only of pages of the host that the sitemap or feed was read from, or that names it in
   * its robots.txt: else any host could silence the pages of another, by saying that they have not
   * changed.
   *
   * <p>Do not tell what the answer to a request says: a page that speaks only when it is fetched is
   * believed to have changed no more, and is not fetched. Nor is this the way to have one page
   * fetched soon: fetch and index it without {@link #take}.
   *
   * @param at when it changed, as the page says. Where that is a day, tell its beginning as long as
   *     it lasts, or the change counts from midnight on, and until then the page waits; and its end
   *     when it is over, or a change later on the day of a fetch goes unnoticed. Where it is a
   *     second, as in HTTP, tell it as it is: many pages name that of their answer, and would be
   *     due at once again. A time in the future counts from then, and hides no change before it;
   *     one outside the range of 64-bit milliseconds is taken as the nearest in it
   * @throws NullPointerException if page or time is null
   * @throws IllegalArgumentException if the key is empty or longer than one can be
   */
  public synchronized void modified(String page, Instant at) {
    Objects.requireNonNull(at, "a change needs a time, was null; say now if the page does not");
    String key = reportableKeyOf(page);
    if (file.modified(key, at, config.now())) {
      queue.consider(key);
    }
  }

  /**
   * Makes leases, reports, discovered pages and what pages told of changes durable. Does nothing
   * while a writer that was opened on an earlier commit, or anew over an index, has made none: then
   * the queue left by the later ones would count again. The first call after that commit may have
   * to read the index.
   *
   * @throws AlreadyClosedException if the writer is closed
   * @throws IOException if it cannot be written, or that first commit cannot be read; what was
   *     saved before is still there
   */
  public void save() throws IOException {
    synchronized (this) {
      requireOpen();
    }
    if (measurer.isTentative()) {
      measurer.settleFirst(); // its lock comes first, and others need not wait for it
    }
    synchronized (this) {
      requireOpen();
      write();
    }
  }

  /** Also while the writer is being closed, which waits for batches that are handed out. */
  private synchronized void write() throws IOException {
    if (measurer.isTentative()) {
      return;
    }
    file.write(measurer.files(), queue.holds(), config.workload());
    if (wentBack && !uncompared) {
      measurer.rollback().forget();
      wentBack = false;
    }
  }

  /**
   * Saves for the last time, when batches that are being handed out are written down: who asks or
   * tells something from now on hears that it is too late. An interrupt changes nothing of that; it
   * is there still afterwards.
   */
  synchronized void close() throws IOException {
    closed = true;
    boolean interrupted = false;
    while (unsaved > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    try {
      write();
    } catch (IOException e) {
      if (!StateFolder.wasInterrupted(e)) {
        throw e;
      }
      interrupted |= Thread.interrupted(); // or no file could be written
      write();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * What pages told of their changes, less what was fetched since: who never {@linkplain #take
   * takes} would keep that, and order by it, for good. What was told of pages that are not in the
   * index stays: they may be about to be committed.
   */
  synchronized ToldChanges catchUpAndCopyTold(StoredHistories histories) throws IOException {
    requirePicked();
    RowHistories believed = histories.believed(FetchTimes.latest(config));
    catchUp(histories, believed, Priorities.plannable(config.now()), false);
    return file.told.copy();
  }

  /**
   * Number of pages told that were not in the index at the last {@link #take}, {@link #nextFree} or
   * {@link DeltaIndexWriter#nextPages}, and of all told since, in the index or not.
   */
  public synchronized int discoveredCount() {
    requirePicked();
    return file.discovered().size();
  }

  /** How long a page is leased. */
  Duration leaseDuration() {
    return queue.lease();
  }

  /**
   * Number of pages held back: leased, failing or gone, and not indexed and committed since. Looks
   * each of them up. Settles the last commit first and needs what pages are ordered by: the first
   * question for that, and the first after pages were read back from the index, may copy what is
   * known of all pages. A commit waits for it.
   *
   * @throws IOException if histories cannot be read
   */
  public int heldCount() throws IOException {
    return holds().size();
  }

  /**
   * The pages {@linkplain #heldCount held back}, in no order, as they are now. So leases of
   * crawlers that were killed can be given back ({@link #returned}), pages that are gone asked once
   * more after some months, and those of a site that was dropped {@linkplain #forget forgotten}.
   * Takes as long as {@link #heldCount}.
   *
   * @return a list of its own, which can be long: pages that are gone are held for good
   * @throws IOException if histories cannot be read
   */
  public List<HeldPage> held() throws IOException {
    return holds().stream().map(HeldPage::of).toList();
  }

  private List<RefreshQueue.Hold> holds() throws IOException {
    synchronized (measurer) { // first, as a listener that asks holds it already
      requirePicked();
      Instant now = Priorities.plannable(config.now());
      RowHistories believed = measurer.histories().believed(FetchTimes.latest(now));
      return queue.holds(KnownPages.of(believed), now);
    }
  }

  // What follows is for tests.

  /** What pages told of their changes, whatever was fetched. */
  synchronized ToldChanges copyOfTold() {
    return file.told.copy();
  }
}
