// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/**
 * Histories from what is durable alone: the keys of an index joined with the refresh files, both in
 * key order; a single page is looked up in both. Needs no page store and no lock.
 *
 * <p>When a page without a refresh was fetched, its document tells: the times of its segment are
 * then read once, and kept as long as these histories.
 */
final class IndexedHistories implements PageHistories {
  /** One pass reads so many pages in the time that it takes to look one up, or more. */
  private static final int PAGES_A_LOOK_UP = 256;

  private final DirectoryReader reader;
  private final Directory files;
  private final Manifest manifest;
  private final FetchTimes[] times; // by segment; null until asked for

  IndexedHistories(DirectoryReader reader, Directory files, Manifest manifest) {
    this.reader = reader;
    this.files = files;
    this.manifest = manifest;
    this.times = new FetchTimes[reader.leaves().size()];
  }

  @Override
  public long size() {
    return manifest.pages;
  }

  @Override
  public Optional<PageHistory> of(String page) {
    Objects.requireNonNull(page, RowHistories.NO_PAGE);
    Closeable held = hold();
    try (held) {
      return find(new BytesRef(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void forEach(Consumer<? super PageHistory> taker) {
    read(taker);
  }

  @Override
  public void forEach(Set<String> pages, Consumer<? super PageHistory> taker) {
    if (pages.size() < size() / PAGES_A_LOOK_UP) {
      pages.forEach(page -> of(page).ifPresent(taker));
      return;
    }
    forEach(
        history -> {
          if (pages.contains(history.page())) {
            taker.accept(history);
          }
        });
  }

  private Optional<PageHistory> find(BytesRef key) throws IOException {
    Terms keys = MultiTerms.getTerms(reader, manifest.keyField);
    TermsEnum cursor = keys == null ? TermsEnum.EMPTY : keys.iterator();
    int doc =
        cursor.seekExact(key)
            ? PageKeys.lastLive(
                cursor.postings(null, PostingsEnum.NONE), MultiBits.getLiveDocs(reader))
            : PageKeys.NONE;
    if (doc == PageKeys.NONE) {
      return Optional.empty();
    }
    List<Refresh> refreshes = new ArrayList<>();
    for (String file : manifest.refreshFiles) {
      refreshes.addAll(RefreshFiles.find(files, file, key));
    }
    PageEntry entry = new PageEntry();
    fill(entry, key, doc, refreshes);
    return Optional.of(entry);
  }

  private void fill(PageEntry entry, BytesRef key, int doc, List<Refresh> refreshes)
      throws IOException {
    entry.clear();
    refreshes.forEach(entry::add);
    if (!entry.fetched()) {
      entry.lastRefresh = fetched(doc);
    }
    entry.page = PageKeys.name(key);
    entry.hashSeed = manifest.hashSeed;
  }

  /** When a page was fetched of which no refresh was recorded: what was there before measuring. */
  private long fetched(int doc) throws IOException {
    int segment = ReaderUtil.subIndex(doc, reader.leaves());
    LeafReaderContext leaf = reader.leaves().get(segment);
    if (times[segment] == null) {
      String field = manifest.fetchTimeField.isEmpty() ? null : manifest.fetchTimeField;
      times[segment] = FetchTimes.of(leaf.reader(), field, latest(), ByteBuffer::allocateDirect);
    }
    long time = times[segment].of(doc - leaf.docBase);
    return time == FetchTimes.UNKNOWN ? manifest.firstSeen : time;
  }

  /** The latest time that a page can say, as for a writer, whose clock may be ahead of this one. */
  private long latest() {
    long now = Math.max(System.currentTimeMillis(), manifest.firstSeen);
    return FetchTimes.latest(Instant.ofEpochMilli(now));
  }

  private void read(Consumer<? super PageEntry> taker) {
    Closeable held = hold();
    try (held;
        RefreshFiles history = new RefreshFiles(files, manifest.refreshFiles)) {
      join(history, taker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps the reader open while it is read: another thread may close it meanwhile. */
  private Closeable hold() {
    if (!reader.tryIncRef()) {
      throw new AlreadyClosedException(Measurer.CLOSED);
    }
    return reader::decRef;
  }

  /** Tells whether keys, asked for in their order, are those of pages; for one thread. */
  Predicate<BytesRef> pagesInOrder() {
    return new PagesInOrder();
  }

  private final class PagesInOrder implements Predicate<BytesRef> {
    private final Bits live = MultiBits.getLiveDocs(reader);
    private TermsEnum keys; // null until asked
    private BytesRef at; // null behind the last
    private PostingsEnum postings;

    @Override
    public boolean test(BytesRef key) {
      Closeable held = hold();
      try (held) {
        return isPage(key);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private boolean isPage(BytesRef key) throws IOException {
      if (keys == null) {
        Terms all = MultiTerms.getTerms(reader, manifest.keyField);
        keys = all == null ? TermsEnum.EMPTY : all.iterator();
        at = keys.next();
      }
      while (at != null && at.compareTo(key) < 0) {
        at = keys.next();
      }
      if (at == null || !at.equals(key)) {
        return false;
      }
      postings = keys.postings(postings, PostingsEnum.NONE);
      return PageKeys.lastLive(postings, live) != PageKeys.NONE;
    }
  }

  private void join(RefreshFiles history, Consumer<? super PageEntry> taker) throws IOException {
    Terms keys = MultiTerms.getTerms(reader, manifest.keyField);
    if (keys == null) {
      return;
    }
    PageEntry entry = new PageEntry();
    Bits live = MultiBits.getLiveDocs(reader);
    TermsEnum cursor = keys.iterator();
    PostingsEnum postings = null;
    boolean more = history.next();
    for (BytesRef key = cursor.next(); key != null; key = cursor.next()) {
      postings = cursor.postings(postings, PostingsEnum.NONE);
      int doc = PageKeys.lastLive(postings, live);
      if (doc == PageKeys.NONE) {
        continue;
      }
      while (more && history.key().compareTo(key) < 0) {
        more = history.next();
      }
      boolean refreshed = more && history.key().equals(key);
      fill(entry, key, doc, refreshed ? history.refreshes() : List.of());
      if (!PageKeys.isNamed(key, entry.page)) {
        continue; // it cannot be asked for
      }
      taker.accept(entry);
    }
    while (more) { // pages that left the index: checksums are compared at the ends of files
      more = history.next();
    }
  }
}
