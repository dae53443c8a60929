// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshFileTest {
  private static final String NAME = "refreshes_1";

  private final Directory files = new ByteBuffersDirectory();

  private static Refresh refresh(Random random, long generation) {
    RefreshDetails details = random.nextBoolean() ? null : details(random);
    return new Refresh(
        generation,
        random.nextLong() >> 20,
        true,
        random.nextInt(1000),
        random.nextDouble(),
        random.nextFloat(),
        null,
        0,
        0,
        details);
  }

  private static RefreshDetails details(Random random) {
    RefreshDetails details = new RefreshDetails();
    details.clear(7);
    details.shown = random.nextInt(RefreshDetails.SHOWN + 1);
    details.further = random.nextInt(3);
    return details;
  }

  /** Details are told by whether they are there. */
  private static List<Object> facts(List<Refresh> refreshes) {
    List<Object> facts = new ArrayList<>();
    for (Refresh refresh : refreshes) {
      facts.add(withoutDetails(refresh));
      facts.add(refresh.details() == null ? -1 : refresh.details().shown);
    }
    return facts;
  }

  private static Refresh withoutDetails(Refresh refresh) {
    return new Refresh(
        refresh.generation(),
        refresh.fetched(),
        refresh.measured(),
        refresh.interval(),
        refresh.qualityChange(),
        refresh.usefulness(),
        refresh.segment(),
        refresh.document(),
        refresh.vectorHash(),
        null);
  }

  private static SortedMap<BytesRef, List<Refresh>> pages(Random random, int pages) {
    SortedMap<BytesRef, List<Refresh>> all = new TreeMap<>();
    for (int page = 0; page < pages; page++) {
      List<Refresh> refreshes = new ArrayList<>();
      for (int n = random.nextInt(4); n >= 0; n--) {
        refreshes.add(refresh(random, n + 1));
      }
      all.put(new BytesRef("page" + 2 * random.nextInt(10 * pages)), refreshes);
    }
    return all;
  }

  private void write(Map<BytesRef, List<Refresh>> pages) throws IOException {
    try (RefreshFile.Writer writer = new RefreshFile.Writer(files, NAME)) {
      for (Map.Entry<BytesRef, List<Refresh>> page : pages.entrySet()) {
        writer.page(page.getKey(), page.getValue());
      }
      writer.finish();
    }
  }

  private void holds(Map<BytesRef, List<Refresh>> pages) throws IOException {
    try (RefreshFile.Reader reader = new RefreshFile.Reader(files, NAME)) {
      for (Map.Entry<BytesRef, List<Refresh>> page : pages.entrySet()) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.key()).isEqualTo(page.getKey());
        assertThat(facts(reader.refreshes())).isEqualTo(facts(page.getValue()));
      }
      assertThat(reader.next()).isFalse();
    }
    for (Map.Entry<BytesRef, List<Refresh>> page : pages.entrySet()) {
      assertThat(facts(RefreshFile.find(files, NAME, page.getKey())))
          .isEqualTo(facts(page.getValue()));
      BytesRef other = new BytesRef(page.getKey().utf8ToString() + "x");
      assertThat(RefreshFile.find(files, NAME, other)).isEmpty();
    }
    assertThat(RefreshFile.find(files, NAME, new BytesRef(""))).isEmpty();
    assertThat(RefreshFile.find(files, NAME, new BytesRef("a"))).isEmpty();
    assertThat(RefreshFile.find(files, NAME, new BytesRef("z"))).isEmpty();
  }

  @Test
  void everyKindOfRefreshComesBackAsItWas() throws IOException {
    BytesRef page = new BytesRef("a");
    List<Refresh> kinds =
        List.of(
            Refresh.useful(1, 0),
            Refresh.useful(2, 0.25f),
            new Refresh(3, 1_000, false, 0, 0, -1, null, 0, 0, null), // first seen, not scored
            new Refresh(4, -1_000, false, 0, 0, 0.5f, null, 0, 0, null),
            new Refresh(5, 2_000, true, 3_000, 0.125, -1, null, 0, 0, null),
            new Refresh(6, 3_000, true, 1_000, 0, 0, "_3", 17, -9, null),
            new Refresh(7, 4_000, false, 0, 0, -1, "_4", 0, 9, null));
    write(Map.of(page, kinds));
    assertThat(RefreshFile.find(files, NAME, page)).isEqualTo(kinds);
    assertThat(kinds).extracting(Refresh::isVisit).startsWith(false, false, true).endsWith(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 50, 500, 3000})
  void everyPageIsFoundAndNoOther(int count) throws IOException {
    Map<BytesRef, List<Refresh>> pages = pages(new Random(count), count);
    write(pages);
    holds(pages);
  }

  /** As many bytes as there can be, and as few, in turns: the room made beforehand is enough. */
  @Test
  void pagesKeptInMemoryMakeTheFileThatPagesWrittenOneByOneMake() throws IOException {
    SortedMap<BytesRef, List<Refresh>> pages = pages(new Random(5), 40);
    for (int page = 0; page < 40; page++) {
      byte[] longest = new byte[IndexWriter.MAX_TERM_LENGTH];
      longest[0] = (byte) page;
      pages.put(new BytesRef(longest), Collections.nCopies(1 + page % 3 * 200, largest()));
    }
    write(pages);
    final byte[] oneByOne = bytes();
    RefreshFile.Buffer kept = new RefreshFile.Buffer();
    try (RefreshFile.Writer writer = new RefreshFile.Writer(files, NAME)) {
      int page = 0;
      for (Map.Entry<BytesRef, List<Refresh>> entry : pages.entrySet()) {
        kept.beginPage(entry.getKey(), entry.getValue().size());
        for (Refresh refresh : entry.getValue()) {
          kept.refresh(refresh);
        }
        if (page++ % 7 == 0) {
          writer.append(kept);
          kept.clear();
        }
      }
      writer.append(kept);
      writer.finish();
    }
    assertThat(bytes()).isEqualTo(oneByOne);
    holds(pages);
  }

  @Test
  void theLargestRefreshTakesAsManyBytesAsThereIsRoomFor() throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    largest().write(out);
    assertThat(out.size()).isEqualTo(Refresh.MOST_BYTES);
  }

  private static Refresh largest() {
    RefreshDetails details = new RefreshDetails();
    details.clear(Long.MIN_VALUE);
    details.shown = RefreshDetails.SHOWN;
    Arrays.fill(details.query, Integer.MAX_VALUE);
    details.further = Integer.MAX_VALUE;
    String segment = "_".repeat(255);
    int number = Integer.MAX_VALUE;
    long large = Long.MAX_VALUE;
    return new Refresh(
        large, Long.MIN_VALUE, true, large, 1e300, 1e30f, segment, number, large, details);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void looksAtBlocksAndNotAtPagesBeforeThem(long seed) throws IOException {
    SortedMap<BytesRef, List<Refresh>> pages = pages(new Random(seed), 3000);
    write(pages);
    byte[] bytes = bytes();
    Arrays.fill(bytes, 2000, 10_000, (byte) 0x55); // within the first block
    replace(bytes);
    assertThat(facts(RefreshFile.find(files, NAME, pages.lastKey())))
        .isEqualTo(facts(pages.get(pages.lastKey())));
  }

  /** Behind its key a page has no checksum of its own, so there damage may be read as refreshes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void damageElsewhereIsToldByAnIoExceptionOrThePageIsNotFoundOrAsItWas(long seed)
      throws IOException {
    SortedMap<BytesRef, List<Refresh>> pages = pages(new Random(seed), 300);
    write(pages);
    byte[] whole = bytes();
    BytesRef page = pages.lastKey();
    int begin = endOfLast(page, whole);
    int end = begin + bytesOf(pages.get(page));
    List<Object> right = facts(pages.get(page));
    Random random = new Random(seed);
    int told = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(damaged.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      replace(damaged);
      try {
        List<Object> found = facts(RefreshFile.find(files, NAME, page));
        if (at < begin || at >= end) {
          assertThat(found)
              .as("seed %d, byte %d of %d", seed, at, damaged.length)
              .isIn(List.of(), right);
        }
      } catch (IOException e) {
        told++;
      }
    }
    assertThat(told).as("of 2000, seed %d", seed).isPositive();
  }

  /** Where the last bytes end that are those of a page's key. */
  private static int endOfLast(BytesRef key, byte[] bytes) {
    for (int at = bytes.length; at >= key.length; at--) {
      if (key.bytesEquals(new BytesRef(bytes, at - key.length, key.length))) {
        return at;
      }
    }
    throw new AssertionError("there is no " + key.utf8ToString());
  }

  /** How many bytes there are behind a page's key. */
  private static int bytesOf(List<Refresh> refreshes) throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    out.writeVInt(refreshes.size());
    for (Refresh refresh : refreshes) {
      refresh.write(out);
    }
    return (int) out.size();
  }

  @Test
  void aFolderThatSomebodyClosesMeanwhileIsNotDamaged() throws IOException {
    write(pages(new Random(1), 30));
    files.close();
    assertThatThrownBy(() -> RefreshFile.find(files, NAME, new BytesRef("page2")))
        .isInstanceOf(AlreadyClosedException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aDamagedFileReadToItsEndIsToldByAnIoException(long seed) throws IOException {
    write(pages(new Random(seed), 30));
    byte[] whole = bytes();
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(damaged.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      replace(damaged);
      assertThatThrownBy(this::readAll)
          .as("seed %d, byte %d of %d", seed, at, damaged.length)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(NAME);
    }
  }

  private void readAll() throws IOException {
    try (RefreshFile.Reader reader = new RefreshFile.Reader(files, NAME)) {
      while (reader.next()) {
        // the end checks the checksum
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1 << 20, Integer.MAX_VALUE})
  void aNumberOfBlocksThatCannotBeIsToldAsSuch(int blocks) throws IOException {
    write(pages(new Random(1), 10));
    byte[] bytes = bytes();
    int at = bytes.length - CodecUtil.footerLength() - Integer.BYTES;
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[at + i] = (byte) (blocks >>> (8 * i)); // as DataOutput writes it
    }
    replace(bytes);
    assertThatThrownBy(() -> RefreshFile.find(files, NAME, new BytesRef("page")))
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining(blocks + " blocks cannot be in ")
        .hasMessageContaining("the file is damaged");
  }

  private byte[] bytes() throws IOException {
    try (IndexInput in = files.openInput(NAME, IOContext.DEFAULT)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private void replace(byte[] bytes) throws IOException {
    files.deleteFile(NAME);
    try (IndexOutput out = files.createOutput(NAME, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }
}
