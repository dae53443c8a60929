// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.queue.RefreshQueue;
import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.WordFactor;
import io.lucenedelta.workload.Workload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/**
 * What a {@link FetchQueue} has to remember beside the histories: {@code queue_N}, the largest N
 * counts, and the file {@code told_M} that it names.
 *
 * <pre>
 * queue → header, count (vint), hold^count, M (vlong, 0 for none), count (vint), told^count,
 *         count (vint), site^count, length (vint), WordFactor, [hash seed (int64), [unit]], footer
 * told_M → header, count (vint), told^count, count (vint), (hash (int64), publisher)^count, footer
 * hold → page (string), since, until, refreshed (zlong, milliseconds; until 2^63-1 if the hold never
 *        ends), failures (vint), kind (byte: 1 leased + 2 its site named until when)
 * told → page (string), kind (byte: 1 discovered + 2 changed + 4 publishes), what of it there is:
 *        since (zlong), words + 1 (vint; 0 when told without), word^words (string);
 *        count (vint), time^count (zlong); publisher
 * publisher → int64: last refresh in seconds (upper 32 bits), fetches that found a change (the low
 *        16 bits of their number), changes published and fetched (16 bits, at most 65535)
 * site → number (vint), heard (zlong, milliseconds), found, unpublished (vint)
 * unit → of what words promise: number of scores (int64), volume of queries (float64)
 * </pre>
 *
 * Hashes and numbers are by the hash seed, 0 where there is none. The WordFactor is big-endian, as
 * {@link java.io.DataOutput} writes. A file is written as a whole under a pending name, made
 * durable, renamed, like the manifest. Crawlers tell of millions of pages and take a hundred at a
 * time: so {@code queue_N} holds what was told since {@code told_M} was written, which happens when
 * that is more than {@value #FEWEST_RECENT} pages, and a sixteenth of everything or written so
 * often that it took more bytes. The first file of all names none, so that a {@code told_M} without
 * any {@code queue_N} is always a loss, and never the beginning of a first write.
 *
 * <p>Former versions wrote no hash seed, or no unit: what words promise is then taken to be in that
 * of today. They learned it beside what was usual with the page itself; their sums stay, and count
 * less with each page that is learned from.
 *
 * <p>Not safe for use by several threads.
 */
// Long because all that crawlers told is written, read and healed together.
final class QueueFile {
  private static final String QUEUE_CODEC = "LuceneDeltaQueue";
  private static final String TOLD_CODEC = "LuceneDeltaTold";
  static final int VERSION = 5;

  /** The name of a file until it is whole. */
  static final String PENDING = "pending_queue";

  private static final String QUEUE = "queue_";
  private static final String TOLD = "told_";
  private static final NumberedFiles QUEUES = new NumberedFiles(QUEUE);
  private static final NumberedFiles BASES = new NumberedFiles(TOLD);
  private static final int LEASED = 1;
  private static final int NAMED = 2;
  private static final int DISCOVERED = 1;
  private static final int CHANGED = 2;
  private static final int PUBLISHES = 4;
  private static final int FEWEST_RECENT = 1_000;
  private static final int RECENT_SHARE = 16;

  final List<RefreshQueue.Hold> holds = new ArrayList<>();

  /** What words have promised and pages kept; to be taken after {@link #countIn}. */
  WordFactor wordFactor = new WordFactor();

  /** Changes that pages say they had. */
  final ToldChanges told;

  private final long hashSeed;
  private final Map<String, Discovery> discovered = new HashMap<>();
  private final Map<String, Discovery> hidden = new HashMap<>(); // no page is in both
  private final Set<String> recent = new HashSet<>(); // pages told or forgotten since the base
  private UsefulnessUnit unit = UsefulnessUnit.UNKNOWN; // of what words have promised
  private long number; // that of the files written last, or left by a write that failed
  private long base; // number of the file of what was told before; 0 without
  private long baseBytes; // the length of that file
  private long recentBytes; // written since, of what was told since: with every file once more
  private boolean baseIsValid = true; // else all is written anew

  private QueueFile(long hashSeed) {
    this.hashSeed = hashSeed;
    this.told = new ToldChanges(hashSeed);
  }

  /**
   * The latest file, or an empty one when there is none.
   *
   * @param workload whose terms are taken from the words, which forgets others; null for none
   * @param hashSeed that of the manifest
   * @throws FileNotFoundException if one of the two files is there without the other
   */
  static QueueFile read(Directory directory, Workload workload, long hashSeed) throws IOException {
    return read(directory, workload, hashSeed, true);
  }

  /**
   * The same where the file of what was told before is lost, and that with it; all holds are there,
   * what is known of sites and words, and what was told since.
   */
  static QueueFile readWithoutBase(Directory directory, Workload workload, long hashSeed)
      throws IOException {
    return read(directory, workload, hashSeed, false);
  }

  private static QueueFile read(
      Directory directory, Workload workload, long hashSeed, boolean withBase) throws IOException {
    QueueFile file = afresh(directory, hashSeed);
    long latest = latest(directory, List.of(directory.listAll()));
    if (latest == 0) {
      return file;
    }
    try (IndexInput in = StateFiles.openWhole(directory, QUEUE + latest, QUEUE_CODEC, VERSION)) {
      file.holds.addAll(readHolds(in));
      file.base = in.readVLong();
      file.baseIsValid = withBase;
      if (file.base > 0 && withBase) {
        try (IndexInput before =
            StateFiles.openWhole(directory, TOLD + file.base, TOLD_CODEC, VERSION)) {
          file.baseBytes = before.length();
          file.readTold(before, workload);
          file.told.publishers().readPages(before);
        }
      }
      file.recent.addAll(file.readTold(in, workload));
      file.told.publishers().readSites(in);
      byte[] learned = StateFiles.readBytes(in);
      file.wordFactor.read(new DataInputStream(new ByteArrayInputStream(learned)));
      file.hashedBy(left(in) > 0 ? in.readLong() : 0);
      file.unit = left(in) > 0 ? UsefulnessUnit.read(in) : UsefulnessUnit.UNKNOWN;
    }
    return file;
  }

  /** The number of the file that counts among some; 0 when there is none, nor ever was. */
  private static long latest(Directory directory, List<String> names) throws IOException {
    long latest = QUEUES.latest(names);
    long told = BASES.latest(names);
    if (latest == 0 && told > 0) {
      throw new FileNotFoundException(
          "%s is there, but no %sN that names it"
              .formatted(StateFiles.path(directory, TOLD + told), QUEUE));
    }
    return latest;
  }

  /** Bytes before the footer. */
  private static long left(IndexInput in) {
    return in.length() - in.getFilePointer() - CodecUtil.footerLength();
  }

  /** A queue outlives a manifest that is lost: what was hashed by its seed is to be told again. */
  private void hashedBy(long seed) {
    if (seed != hashSeed) {
      told.publishers().clear();
      baseIsValid = false;
    }
  }

  /**
   * Usefulness is found in a unit from now on: what words promise is learned anew if it was learned
   * in one that does not compare with that. The words themselves stay.
   */
  void countIn(UsefulnessUnit now) {
    if (now.isKnown() && !now.comparesWith(unit)) {
      wordFactor = unit.isKnown() ? new WordFactor() : wordFactor;
      unit = now;
    }
  }

  /** Reads while a writer may be saving: when it has deleted a file, there is a later one. */
  static QueueFile readBesideWriter(Directory directory, Workload workload, long hashSeed)
      throws IOException {
    for (int tried = 1; ; tried++) {
      try {
        return read(directory, workload, hashSeed);
      } catch (NoSuchFileException | FileNotFoundException e) {
        if (tried == OpenedFiles.ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** The files that there are now, in order. */
  static List<String> names(Directory directory) throws IOException {
    return Arrays.stream(directory.listAll())
        .filter(name -> QUEUES.has(name) || BASES.has(name))
        .sorted()
        .toList();
  }

  /**
   * Copies the latest of some files of one moment, if there are any; all of them, as they are, if
   * it cannot be read: a version that can may want them.
   *
   * @param unreadable is told why it cannot be read
   */
  static void copy(Directory from, List<String> names, Directory to, Consumer<Exception> unreadable)
      throws IOException {
    for (String name : needed(from, names, unreadable)) {
      to.copyFrom(from, name, name, IOContext.DEFAULT);
    }
  }

  private static List<String> needed(
      Directory from, List<String> names, Consumer<Exception> unreadable) {
    if (names.isEmpty()) {
      return List.of();
    }
    try {
      return named(from, names);
    } catch (IOException | RuntimeException e) {
      unreadable.accept(e);
      return names;
    }
  }

  /** The latest file, before it the one that it names. */
  private static List<String> named(Directory from, List<String> names) throws IOException {
    String queue = QUEUE + latest(from, names);
    try (IndexInput in = StateFiles.openWhole(from, queue, QUEUE_CODEC, VERSION)) {
      readHolds(in);
      long base = in.readVLong();
      if (base > 0 && !names.contains(TOLD + base)) {
        throw new FileNotFoundException(TOLD + base + " is missing, which " + queue + " names");
      }
      return base == 0 ? List.of(queue) : List.of(TOLD + base, queue);
    }
  }

  /** An empty file that takes the place of the latest, whatever that holds. */
  static QueueFile afresh(Directory directory, long hashSeed) throws IOException {
    QueueFile file = new QueueFile(hashSeed);
    file.number = Math.max(QUEUES.latest(directory), BASES.latest(directory));
    return file;
  }

  /**
   * Gives files that cannot be read names that nobody deletes; the one that names the other last:
   * whoever comes after a failure finds it, and that it cannot be read.
   */
  static void setAside(Directory directory) throws IOException {
    BASES.setAside(directory);
    QUEUES.setAside(directory);
  }

  /**
   * The same where the file that names the other was {@linkplain #readWithoutBase read}: it stays
   * until it is written anew, and a copy for good, for whoever finds the other.
   */
  static void setBaseAside(Directory directory) throws IOException {
    List<String> there = List.of(directory.listAll());
    String queue = QUEUE + QUEUES.latest(there);
    String aside = StateFiles.DAMAGED + queue;
    if (!there.contains(aside)) { // by an opening that ended before it was written anew
      directory.copyFrom(directory, queue, aside, IOContext.DEFAULT);
      directory.sync(List.of(aside));
    }
    BASES.setAside(directory);
  }

  /** Pages that were never fetched. */
  Map<String, Discovery> discovered() {
    return Collections.unmodifiableMap(discovered);
  }

  /** Addresses told that may be those of pages of the index; written as if they were not. */
  Map<String, Discovery> hidden() {
    return Collections.unmodifiableMap(hidden);
  }

  /**
   * A page is known.
   *
   * @param terms words about it, null for none
   */
  void discover(String page, Instant now, int[] terms) {
    Discovery before = discovered.get(page);
    Discovery earlier = before == null ? hidden.remove(page) : before;
    Discovery first = earlier == null ? Discovery.of(page, now, hashSeed) : earlier;
    if (before == null || terms != null) {
      discovered.put(page, terms == null ? first : first.with(terms));
      recent.add(page);
    }
  }

  /** Pages were discovered by a clock that was set back since: they are known from now on. */
  void setBack(List<String> pages, Instant now) {
    for (String page : pages) {
      discovered.computeIfPresent(page, (p, known) -> known.from(now));
      recent.add(page);
    }
  }

  /** A page counts as discovered no more: it is in the index, or nobody is to ask for it. */
  Discovery forget(String page) {
    recent.add(page);
    hidden.remove(page);
    return discovered.remove(page);
  }

  /** A discovered page may be in the index: what was told of it is kept. */
  Discovery hide(String page) {
    Discovery known = discovered.remove(page);
    hidden.put(page, known);
    return known;
  }

  /** A hidden page is not in the index. */
  Discovery show(String page) {
    Discovery known = hidden.remove(page);
    discovered.put(page, known);
    return known;
  }

  /**
   * A page says that it changed.
   *
   * @return whether that is news
   */
  boolean modified(String page, Instant at, Instant now) {
    told.publishers().hear(page, now);
    boolean news = told.add(page, at, now);
    if (news) {
      recent.add(page);
    }
    return news;
  }

  /** The histories went back: of the pages that publish they may not know all fetches any more. */
  void goBack(PageHistories histories) {
    if (!told.publishers().isEmpty()) {
      retain(histories);
    }
  }

  /** Writes everything anew next time: the base still has what is forgotten here. */
  private void retain(PageHistories histories) {
    told.retain(histories);
    baseIsValid = false;
  }

  /**
   * Catches up with what was told and fetched; see {@link ToldChanges#catchUp}. Where no page is in
   * the index and none is to be forgotten for that, they may all be about to be committed.
   */
  void catchUp(
      PageHistories histories, Optional<Set<String>> written, Instant now, boolean forgetsAbsent) {
    told.catchUp(histories, written, now, forgetsAbsent, recent::add);
    boolean mayForget = forgetsAbsent || histories.size() > 0;
    if (mayForget && told.publishers().size() > histories.size()) { // some have left unseen
      retain(histories);
    }
  }

  /**
   * Writes what is remembered and deletes the files before; when that fails they are as they were,
   * and nothing takes room that was written.
   *
   * @param workload whose terms the words are
   */
  void write(Directory directory, Collection<RefreshQueue.Hold> held, Workload workload)
      throws IOException {
    try {
      tryToWrite(directory, held, workload);
    } catch (Throwable t) {
      deleteUnnamed(directory);
      throw t;
    }
  }

  /** Deletes what the last attempt has written, but for a file that names the other. */
  private void deleteUnnamed(Directory directory) {
    IOUtils.deleteFilesIgnoringExceptions(directory, PENDING);
    try {
      if (!names(directory).contains(QUEUE + number)) {
        IOUtils.deleteFilesIgnoringExceptions(directory, TOLD + number);
      }
    } catch (IOException unlisted) {
      // the next base that is written takes its place
    }
  }

  private void tryToWrite(
      Directory directory, Collection<RefreshQueue.Hold> held, Workload workload)
      throws IOException {
    int all = discovered.size() + hidden.size() + told.byPage().size() + told.publishers().size();
    boolean many = recent.size() > FEWEST_RECENT;
    boolean dear = recent.size() > all / RECENT_SHARE || recentBytes > baseBytes;
    boolean anew = (!baseIsValid || (many && dear)) && !isFirst(directory);
    number++; // another one after a failure too, as what that left may be the latest file
    long newBase = anew ? number : base;
    long newBaseBytes = anew ? writeBase(directory, newBase, workload) : baseBytes;
    long[] toldBytes = {0};
    StateFiles.write(
        directory,
        PENDING,
        QUEUE + number,
        QUEUE_CODEC,
        VERSION,
        out -> {
          out.writeVInt(held.size());
          for (RefreshQueue.Hold hold : held) {
            writeHold(out, hold);
          }
          out.writeVLong(newBase);
          long begin = out.getFilePointer();
          writeTold(out, anew ? Set.of() : recent, true, workload);
          toldBytes[0] = out.getFilePointer() - begin;
          told.publishers().writeSites(out);
          ByteArrayOutputStream learned = new ByteArrayOutputStream();
          wordFactor.write(new DataOutputStream(learned));
          out.writeVInt(learned.size());
          out.writeBytes(learned.toByteArray(), learned.size());
          out.writeLong(hashSeed);
          unit.write(out);
        });
    QUEUES.deleteBefore(directory, number);
    recentBytes += toldBytes[0];
    if (anew) {
      recent.clear();
      recentBytes = 0;
      base = newBase;
      baseBytes = newBaseBytes;
      baseIsValid = true;
      BASES.deleteBefore(directory, base);
    }
  }

  /** Whether no file is there that could name a base; then all that was told is recent. */
  private boolean isFirst(Directory directory) throws IOException {
    return base == 0 && QUEUES.latest(directory) == 0;
  }

  /** Writes what was told of all pages; returns how many bytes. */
  private long writeBase(Directory directory, long newBase, Workload workload) throws IOException {
    Set<String> pages = new HashSet<>(discovered.keySet());
    pages.addAll(hidden.keySet());
    pages.addAll(told.byPage().keySet());
    StateFiles.write(
        directory,
        PENDING,
        TOLD + newBase,
        TOLD_CODEC,
        VERSION,
        out -> {
          writeTold(out, pages, false, workload);
          told.publishers().writePages(out);
        });
    return directory.fileLength(TOLD + newBase);
  }

  private static List<RefreshQueue.Hold> readHolds(IndexInput in) throws IOException {
    List<RefreshQueue.Hold> holds = new ArrayList<>();
    for (int left = in.readVInt(); left > 0; left--) {
      holds.add(readHold(in));
    }
    return holds;
  }

  private static RefreshQueue.Hold readHold(IndexInput in) throws IOException {
    String page = StateFiles.readString(in);
    Instant since = instant(in.readZLong());
    Instant until = instant(in.readZLong());
    Instant refreshed = instant(in.readZLong());
    int failures = in.readVInt();
    int kind = in.readByte();
    boolean leased = (kind & LEASED) != 0;
    boolean named = (kind & NAMED) != 0;
    return new RefreshQueue.Hold(page, since, until, failures, leased, refreshed, named);
  }

  private static void writeHold(DataOutput out, RefreshQueue.Hold hold) throws IOException {
    out.writeString(hold.page());
    out.writeZLong(FetchTimes.millis(hold.since()));
    out.writeZLong(FetchTimes.millis(hold.until()));
    out.writeZLong(FetchTimes.millis(hold.refreshed()));
    out.writeVInt(hold.failures());
    out.writeByte((byte) ((hold.leased() ? LEASED : 0) | (hold.named() ? NAMED : 0)));
  }

  /** Reads what was told of pages, in place of what is known of them; returns these pages. */
  private List<String> readTold(IndexInput in, Workload workload) throws IOException {
    List<String> pages = new ArrayList<>();
    for (int left = in.readVInt(); left > 0; left--) {
      String page = StateFiles.readString(in);
      int kind = in.readByte();
      pages.add(page);
      discovered.remove(page);
      told.forget(page);
      if ((kind & DISCOVERED) != 0) {
        Instant since = instant(in.readZLong());
        int[] words = readWords(in, workload);
        discovered.put(page, new Discovery(DirectoryPath.of(page, hashSeed), since, words));
      }
      if ((kind & CHANGED) != 0) {
        for (int times = in.readVInt(); times > 0; times--) {
          told.add(page, instant(in.readZLong()), Instant.MAX); // in order
        }
      }
      if ((kind & PUBLISHES) != 0) {
        told.publishers().read(page, in);
      }
    }
    return pages;
  }

  private void writeTold(
      DataOutput out, Set<String> pages, boolean withPublishers, Workload workload)
      throws IOException {
    out.writeVInt(pages.size());
    for (String page : pages) {
      Discovery known = discovered.getOrDefault(page, hidden.get(page));
      List<Instant> changes = told.byPage().get(page);
      boolean publishes = withPublishers && told.publishers().has(page);
      int kind = (known == null ? 0 : DISCOVERED) | (changes == null ? 0 : CHANGED);
      out.writeString(page);
      out.writeByte((byte) (kind | (publishes ? PUBLISHES : 0)));
      if (known != null) {
        out.writeZLong(FetchTimes.millis(known.since()));
        writeWords(out, known.terms(), workload);
      }
      if (changes != null) {
        out.writeVInt(changes.size());
        for (Instant time : changes) {
          out.writeZLong(FetchTimes.millis(time));
        }
      }
      if (publishes) {
        told.publishers().write(page, out);
      }
    }
  }

  private static int[] readWords(IndexInput in, Workload workload) throws IOException {
    int count = StateFiles.readCount(in) - 1;
    if (count < 0) {
      return null;
    }
    int[] terms = new int[count];
    for (int i = 0; i < count; i++) {
      String word = StateFiles.readString(in);
      terms[i] = workload == null ? -1 : workload.termNumber(word);
    }
    return Discovery.known(Arrays.stream(terms).sorted());
  }

  private static void writeWords(DataOutput out, int[] terms, Workload workload)
      throws IOException {
    out.writeVInt(terms == null ? 0 : terms.length + 1);
    for (int i = 0; terms != null && i < terms.length; i++) {
      out.writeString(workload.term(terms[i]));
    }
  }

  private static Instant instant(long millis) {
    return millis == Long.MAX_VALUE ? Instant.MAX : Instant.ofEpochMilli(millis);
  }
}
