// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageColumnsTest {
  @TempDir private Path folder;

  @Test
  void columnsFollowEveryWriteToTheStore() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    Map<String, PageEntry> expected = new TreeMap<>();
    for (int write = 0; write < 3_000; write++) {
      if (write == 500) {
        store.columns();
      }
      String key = key(random.nextInt(1_500));
      PageEntry entry = randomEntry(random, key);
      expected.put(key, entry);
      store.put(new BytesRef(key), entry);
    }
    assertThat(held(store)).as("seed %d", seed).isEqualTo(described(expected));
    store.discard();
  }

  /** Directories of different depths, one key longer than a page of memory. */
  private static String key(int number) {
    String directories = "d/".repeat(number % 11);
    String tail = number == 7 ? "x".repeat(10_000) : "";
    return (number % 2 == 0 ? "https://s" + number % 5 + ".test/" : "")
        + directories
        + number
        + tail;
  }

  private static PageEntry randomEntry(Random random, String key) {
    PageEntry entry = new PageEntry();
    entry.clear();
    entry.page = key;
    entry.present = random.nextInt(4) > 0;
    long fetched = 1_700_000_000_000L + random.nextInt();
    entry.add(false, fetched, 0, 0, random.nextFloat());
    for (int refresh = random.nextInt(4); refresh > 0; refresh--) {
      double gain = random.nextBoolean() ? 0 : random.nextDouble();
      entry.add(true, fetched, 1 + random.nextInt(1_000_000), gain, -1);
    }
    return entry;
  }

  private static List<String> held(PageStore store) throws Exception {
    List<String> held = new ArrayList<>();
    store.columns().forEach(page -> held.add(describe(page)));
    held.sort(null);
    return held;
  }

  private static List<String> described(Map<String, PageEntry> entries) {
    List<String> described = new ArrayList<>();
    entries.values().stream().filter(e -> e.present).forEach(e -> described.add(describe(e)));
    described.sort(null);
    return described;
  }

  private static String describe(PageHistory page) {
    StringBuilder text = new StringBuilder(page.page());
    text.append(' ').append(page.lastRefresh()).append(' ').append(page.refreshes());
    text.append(' ').append(page.changes()).append(' ').append((float) page.sumOfRates());
    text.append(' ').append((float) page.totalGain()).append(' ').append(page.totalDays());
    text.append(' ').append((float) page.totalRootGain());
    text.append(' ').append((float) page.usefulness());
    DirectoryPath directories = page.directories();
    for (int level = 0; level < directories.depth(); level++) {
      text.append(' ').append(directories.number(level));
    }
    return text.toString();
  }

  @Test
  void pagesOfManyBlocksAreFoundAgain() throws Exception {
    PageStore store = PageStore.create(folder, 1, 70_000, FaultPoints.NONE);
    PageEntry entry = new PageEntry();
    entry.clear();
    entry.present = true;
    store.columns();
    for (int round = 1; round <= 2; round++) {
      for (int page = 0; page < 70_000; page++) {
        entry.lastRefresh = 1_000L * page * round;
        store.put(new BytesRef("https://a.test/" + page), entry);
      }
    }
    long[] sum = new long[2];
    store
        .columns()
        .forEach(
            page -> {
              sum[0]++;
              sum[1] += page.lastRefresh().getEpochSecond();
            });
    assertThat(sum).containsExactly(70_000, 2L * 70_000 * 69_999 / 2);
    store.discard();
  }

  @Test
  void theFileOfColumnsGoesWithTheStore() throws Exception {
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    store.columns();
    store.close();
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactly("pages_1.map");
    }
  }
}
