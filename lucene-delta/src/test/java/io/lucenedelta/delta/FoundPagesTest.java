// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was found of a batch's pages comes back, and is never taken for what another store has. */
class FoundPagesTest {
  private static final int PAGES = 5_000;

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final FoundPages found = new FoundPages();
  private final PageEntry entry = new PageEntry();

  @Test
  void everyPageComesBackWithoutItsVector() throws IOException {
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE)) {
      for (int batch = 0; batch < 3; batch++) {
        found.begin(store, PAGES);
        for (int page = 0; page < PAGES; page++) {
          fill(page);
          found.add(page, entry);
        }
        PageEntry read = new PageEntry();
        for (int page = 0; page < PAGES; page++) {
          fill(page);
          entry.vector.clear();
          assertThat(found.get(page, store, read)).as("seed %d", seed).isTrue();
          String as = "seed " + seed + ", page " + page;
          assertThat(read.stored).as(as).isEqualTo(entry.stored);
          assertThat(read.storedHead).as(as).isEqualTo(entry.storedHead);
          assertThat(read.edition).as(as).isEqualTo(entry.edition);
          assertThat(read.place).as(as).isEqualTo(entry.place);
          assertThat(read.keyPlace).as(as).isEqualTo(entry.keyPlace);
          assertThat(read.keyLength).as(as).isEqualTo(entry.keyLength);
          assertThat(encoded(read)).as(as).isEqualTo(encoded(entry));
        }
        assertThat(found.get(PAGES, store, read))
            .as("a page that was not added, seed %d", seed)
            .isFalse();
      }
    }
  }

  @Test
  void nothingComesBackForAnotherStore() throws IOException {
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE);
        PageStore builtAnew = PageStore.create(folder, 2, 0, FaultPoints.NONE)) {
      found.begin(store, 1);
      fill(0);
      found.add(0, entry);
      assertThat(found.get(0, builtAnew, entry)).isFalse();
      found.begin(builtAnew, 0);
      assertThat(found.get(0, builtAnew, entry)).as("a page of the batch before").isFalse();
    }
  }

  @Test
  void pagesBeyondTheMostItHoldsAreNotHere() throws IOException {
    FoundPages few = new FoundPages(3);
    try (PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE)) {
      few.begin(store, 5);
      for (int page = 0; page < 5; page++) {
        fill(page);
        few.add(page, entry);
      }
      PageEntry read = new PageEntry();
      for (int page = 0; page < 5; page++) {
        assertThat(few.get(page, store, read)).as("page %d", page).isEqualTo(page < 3);
      }
    }
  }

  private static byte[] encoded(PageEntry page) {
    int size = page.encode();
    return Arrays.copyOf(page.bytes(), size);
  }

  /** A page not known, one never measured, or one with refreshes and a vector. */
  private void fill(int page) {
    Random random = new Random(seed + page);
    entry.clear();
    if (random.nextInt(4) == 0) {
      return;
    }
    entry.present = random.nextBoolean();
    entry.stored = random.nextInt(1000);
    entry.storedHead = random.nextInt(1000);
    entry.edition = random.nextLong();
    entry.place = random.nextLong();
    entry.keyPlace = random.nextLong();
    entry.keyLength = random.nextInt();
    entry.add(false, random.nextLong(), 0, 0, random.nextFloat());
    for (int i = random.nextInt(3); i > 0; i--) {
      entry.add(true, random.nextInt(), 1 + random.nextInt(1000), random.nextDouble(), 1);
    }
    entry.vector.addField(0, 1, 1);
    entry.vector.addTerm(page, 1);
  }
}
