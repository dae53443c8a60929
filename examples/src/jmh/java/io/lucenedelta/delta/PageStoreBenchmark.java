// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.util.BytesRef;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The page store beside a plain map on the heap, which holds the same bytes and survives nothing;
 * and a page vector written, read and compared.
 *
 * <p>{@code mvn -Pbench -pl examples -am verify -DskipTests -Dbench=PageStoreBenchmark}
 *
 * <p>Pages have 150 of 30,000 terms and addresses of 55 characters. The number of bytes a page that
 * the store's file takes is printed at the end of each fork.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PageStoreBenchmark {
  private static final int TERMS = 150;
  private static final int WORKLOAD = 30_000;
  private static final int DIFFERENT = 512;

  /** Pages in the store. */
  @Param({"10000", "100000"})
  public int pages;

  private final VectorBuffer[] vectors = new VectorBuffer[DIFFERENT];
  private final VectorBuffer copy = new VectorBuffer();
  private final PageEntry entry = new PageEntry();
  private final Map<BytesRef, byte[]> heap = new ConcurrentHashMap<>();
  private final Random random = new Random(5);
  private Path directory;
  private PageStore store;
  private BytesRef[] keys;

  /** Fills store and map. */
  @Setup
  public void prepare() throws IOException {
    for (int i = 0; i < DIFFERENT; i++) {
      vectors[i] = new VectorBuffer();
      vectors[i].addField(0, random.nextInt(100), TERMS);
      int[] terms = random.ints(0, WORKLOAD).distinct().limit(TERMS).sorted().toArray();
      for (int term : terms) {
        vectors[i].addTerm(term, 1 + (int) (-1.2 * Math.log(random.nextDouble())));
      }
    }
    directory = Files.createTempDirectory("store-benchmark");
    store = PageStore.create(directory, 1, pages, FaultPoints.NONE);
    keys = new BytesRef[pages];
    for (int page = 0; page < pages; page++) {
      keys[page] =
          new BytesRef(String.format("https://www.example.org/section/%012d/index.html", page));
      fill(page);
      store.put(keys[page], entry);
      heap.put(keys[page], encoded());
    }
  }

  private byte[] encoded() {
    int size = entry.encode();
    return Arrays.copyOf(entry.bytes(), size);
  }

  private void fill(int page) {
    VectorBuffer vector = vectors[page & DIFFERENT - 1];
    entry.clear();
    entry.present = true;
    entry.lastRefresh = 1_700_000_000_000L + page;
    entry.refreshes = 3;
    entry.usefulness = 1;
    entry.vector.copyFrom(vector);
  }

  /** Says how large the store is and removes it. */
  @TearDown
  public void remove() throws IOException {
    System.out.printf("%n%.0f bytes a page%n", (double) store.bytes() / pages);
    store.discard();
    Files.delete(directory);
  }

  /** An entry read and decoded. */
  @Benchmark
  public int get() {
    store.get(keys[random.nextInt(pages)], entry);
    return entry.vector.length();
  }

  /** An entry read from a map on the heap and decoded. */
  @Benchmark
  public int getFromHeap() {
    decode(heap.get(keys[random.nextInt(pages)]));
    return entry.vector.length();
  }

  private void decode(byte[] bytes) {
    System.arraycopy(bytes, 0, entry.buffer(bytes.length), 0, bytes.length);
    entry.decode(bytes.length);
  }

  /** An entry read and written again with another refresh, as a batch does. */
  @Benchmark
  public void refresh() throws IOException {
    BytesRef key = keys[random.nextInt(pages)];
    store.get(key, entry);
    entry.add(true, entry.lastRefresh + 1, 1, 0, 1);
    store.put(key, entry);
  }

  /** The same with a map on the heap. */
  @Benchmark
  public Object refreshOnHeap() {
    BytesRef key = keys[random.nextInt(pages)];
    decode(heap.get(key));
    entry.add(true, entry.lastRefresh + 1, 1, 0, 1);
    return heap.put(key, encoded());
  }

  /** An entry encoded and written over the one before, which was not looked for. */
  @Benchmark
  public void put() throws IOException {
    int page = random.nextInt(pages);
    fill(page);
    store.put(keys[page], entry);
  }

  /** An entry encoded and put into a map on the heap. */
  @Benchmark
  public Object putToHeap() {
    int page = random.nextInt(pages);
    fill(page);
    return heap.put(keys[page], encoded());
  }

  /** A vector read back and written again, 150 terms. */
  @Benchmark
  public int code() {
    VectorBuffer vector = vectors[random.nextInt(DIFFERENT)];
    vector.rewind();
    vector.nextField();
    copy.clear();
    copy.addField(0, vector.norm(), vector.count());
    for (int i = 0; i < vector.count(); i++) {
      copy.addTerm(vector.terms()[i], vector.frequencies()[i]);
    }
    return copy.length();
  }
}
