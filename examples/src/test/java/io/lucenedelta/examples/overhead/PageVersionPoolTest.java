// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageVersionPoolTest {
  @TempDir Path directory;

  @Test
  void ofACrawlThatIsTooLargeTheFirstPagesAreTakenAndWhatBecameOfThem() throws IOException {
    new DemoCrawl(50, 6, 10, 10, 1).write(directory);
    SnapshotArchive archive = SnapshotArchive.open(DemoCrawl.snapshots(directory));
    PageVersionPool whole = PageVersionPool.read(archive, Integer.MAX_VALUE);
    long half = firstTexts(whole) / 2;
    PageVersionPool part = PageVersionPool.read(archive, half);

    assertThat(whole.all()).hasSizeGreaterThanOrEqualTo(50);
    assertThat(part.all().size()).isBetween(10, 40);
    assertThat(firstTexts(part)).isGreaterThanOrEqualTo(half);
    assertThat(firstTexts(part) - lastOf(part.all()).texts().get(0).length()).isLessThan(half);
    assertThat(part.changing()).isNotEmpty();
    for (int page = 0; page < part.all().size(); page++) {
      PageVersionPool.Versions known = whole.all().get(page);
      assertThat(part.all().get(page).key()).isEqualTo(known.key());
      List<String> texts = part.all().get(page).texts();
      assertThat(texts).isEqualTo(known.texts().subList(0, texts.size()));
    }
  }

  private static long firstTexts(PageVersionPool pool) {
    return pool.all().stream().mapToLong(page -> page.texts().get(0).length()).sum();
  }

  private static <T> T lastOf(List<T> list) {
    return list.get(list.size() - 1);
  }
}
