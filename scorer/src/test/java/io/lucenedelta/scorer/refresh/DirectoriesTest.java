// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DirectoriesTest {
  @Test
  void directoriesKeepTheNumbersUnderWhichTheyAreStored() {
    DirectoryPath path = DirectoryPath.of("https://www.example.org/news/2024/page.html");
    assertThat(List.of(path.depth(), path.number(0), path.number(1), path.number(2)))
        .as("if these change, so must the version of the order file")
        .containsExactly(3, 23235, 53307, 19387);
  }

  @Test
  void aHostIsTheSameWhateverTheScheme() {
    DirectoryPath secure = DirectoryPath.of("https://a.test/news/1");
    for (String other : List.of("http://a.test/news/2", "ftp://a.test/news/3")) {
      DirectoryPath path = DirectoryPath.of(other);
      assertThat(path.depth()).isEqualTo(secure.depth());
      for (int level = 0; level < path.depth(); level++) {
        assertThat(path.number(level)).as(other).isEqualTo(secure.number(level));
      }
    }
  }

  @Test
  void aHostIsOneThoughNoSlashFollowsIt() {
    DirectoryPath inner = DirectoryPath.of("https://a.test/news/1");
    for (String bare :
        List.of(
            "https://a.test",
            "http://a.test",
            "https://a.test?x=/1",
            "https://a.test#top/1",
            "https://a.test/")) {
      DirectoryPath path = DirectoryPath.of(bare);
      assertThat(path.depth()).as(bare).isEqualTo(1);
      assertThat(path.number(0)).as(bare).isEqualTo(inner.number(0));
      byte[] bytes = bare.getBytes(StandardCharsets.UTF_8);
      DirectoryPath ofBytes = DirectoryPath.of(bytes, 0, bytes.length, 0);
      assertThat(ofBytes.depth()).as(bare).isEqualTo(1);
      assertThat(ofBytes.number(0)).as(bare).isEqualTo(inner.number(0));
    }
    for (String none : List.of("https://", "a.test", "a.test?x", "no address")) {
      assertThat(DirectoryPath.of(none).depth()).as(none).isZero();
    }
  }

  @Test
  void anAddressWithinAPathIsNoHost() {
    DirectoryPath path = DirectoryPath.of("a.test/proxy?u=https://b.test/news/1");
    assertThat(path.number(0)).isNotEqualTo(DirectoryPath.of("https://a.test/other").number(0));
    assertThat(path.number(0)).isEqualTo(DirectoryPath.of("a.test/other").number(0));
    assertThat(PageFacts.siteOf("a.test/proxy?u=https://b.test/news/1")).isEqualTo("a.test");
    assertThat(PageFacts.siteOf("https://b.test/news/1")).isEqualTo("b.test");
    assertThat(PageFacts.siteOf("https://b.test")).isEqualTo("b.test");
    assertThat(PageFacts.siteOf("docs/a.md")).isEqualTo("docs");
    assertThat(PageFacts.siteOf("https://b.test?x=1")).isEqualTo("b.test");
    assertThat(PageFacts.siteOf("https://b.test#top")).isEqualTo("b.test");
    assertThat(PageFacts.siteOf("what?/a.md")).isEqualTo("what?");
    assertThat(PageFacts.siteOf("//b.test/1")).isEmpty();
  }

  /** Or each id were a site of its own, where directories have them all in one. */
  @Test
  void idsAreAllOfOneSite() {
    for (String id : List.of("4711", "urn:isbn:1", "c++")) {
      assertThat(PageFacts.siteOf(id)).isEmpty();
      assertThat(DirectoryPath.of(id).depth()).isZero();
    }
    assertThat(PageFacts.siteOf("erp://parts/4711")).isEqualTo("parts");
  }

  @Test
  void directoriesOfBytesAreThoseOfTheString() {
    Random random = new Random(7);
    String characters = "ab:://////.?ü猫";
    for (int round = 0; round < 5_000; round++) {
      StringBuilder key = new StringBuilder(round % 2 == 0 ? "https://" : "");
      for (int left = random.nextInt(40); left > 0; left--) {
        key.append(characters.charAt(random.nextInt(characters.length() - round % 3)));
      }
      byte[] bytes = ("x" + key + "/x").getBytes(StandardCharsets.UTF_8);
      long seed = round % 4 == 0 ? 0 : random.nextLong();
      DirectoryPath path = DirectoryPath.of(bytes, 1, bytes.length - 3, seed);
      DirectoryPath expected = DirectoryPath.of(key.toString(), seed);
      assertThat(path.depth()).as("%s", key).isEqualTo(expected.depth());
      for (int level = 0; level < path.depth(); level++) {
        assertThat(path.number(level)).as("%s", key).isEqualTo(expected.number(level));
      }
    }
  }

  /** By 31 · h + c these share a hash from whatever value on it begins. */
  @Test
  void hostsThatShareANumberWithoutASeedDoNotByOthers() {
    int shared = 0;
    for (long seed = 0; seed < 10_000; seed++) {
      boolean same =
          DirectoryPath.of("https://Aa.test/", seed).number(0)
              == DirectoryPath.of("https://BB.test/", seed).number(0);
      assertThat(same || seed > 0).isTrue();
      shared += same ? 1 : 0;
    }
    assertThat(shared).as("by seed 0, and one in 65,536 others").isLessThanOrEqualTo(3);
  }

  /** Or few directories had one of their own. */
  @Test
  void numbersBySeedsAreSpreadEvenly() {
    for (long seed : new long[] {1, -1, 1L << 63, 42}) {
      int[] count = new int[DirectoryPath.NUMBERS];
      int hosts = 1_000_000;
      for (int host = 0; host < hosts; host++) {
        count[DirectoryPath.of("https://h%d.test/a/".formatted(host), seed).number(host % 2)]++;
      }
      double mean = (double) hosts / count.length;
      double deviation = 0;
      for (int number : count) {
        deviation += (number - mean) * (number - mean) / mean;
      }
      assertThat(deviation / count.length).as("seed %d", seed).isBetween(0.96, 1.04);
    }
  }

  private static void add(
      Directories directories, DirectoryPath page, double observed, double exposure) {
    directories.replace(page, 0, 0, observed, exposure);
  }

  @Test
  void aDirectoryWithoutRecordIsLikeItsParent() {
    Directories directories = new Directories(3);
    add(directories, DirectoryPath.of("https://a.test/news/1"), 9, 1);
    double site = (9 + 3) / (1.0 + 3);
    assertThat(directories.factor(DirectoryPath.of("https://a.test/other/2"), 1, 1))
        .isEqualTo(site);
    assertThat(directories.factor(DirectoryPath.of("https://b.test/news/1"), 1, 1)).isEqualTo(1);
    assertThat(directories.factor(DirectoryPath.of("no address"), 1, 1)).isEqualTo(1);
  }

  @Test
  void aSubdirectoryIsShrunkTowardsTheDirectoryAboveIt() {
    Directories directories = new Directories(3);
    add(directories, DirectoryPath.of("https://a.test/news/1"), 9, 1);
    double site = (9 + 3) / (1.0 + 3);
    double news = (9 + 3 * site) / (1.0 + 3);
    assertThat(directories.factor(DirectoryPath.of("https://a.test/news/7"), 1, 1))
        .isCloseTo(news, within(1e-6));
  }

  @Test
  void theWeightCountsInTheScaleOfWhatIsObserved() {
    Directories directories = new Directories(2);
    add(directories, DirectoryPath.of("a/1"), 50, 3);
    assertThat(directories.factor(DirectoryPath.of("a/2"), 10, 5))
        .isEqualTo((50 + 2 * 5) / (3 * 10 + 2 * 5.0));
  }

  @Test
  void withoutAPageFactorsAreThoseOfTheOthers() {
    DirectoryPath page = DirectoryPath.of("https://a.test/news/2024/1");
    Directories others = new Directories(3);
    add(others, DirectoryPath.of("https://a.test/news/2"), 0.1, 1);
    add(others, DirectoryPath.of("https://a.test/3"), 0.7, 2);
    double expected = others.factor(page, 1.3, 0.7);
    assertThat(others.factorWithout(page, 0, 0, 1.3, 0.7)).isEqualTo(expected);
    add(others, page, 1e6, 1);
    assertThat(others.factor(page, 1.3, 0.7)).isGreaterThan(100 * expected);
    assertThat(others.factorWithout(page, 1e6, 1, 1.3, 0.7)).isEqualTo(expected);
  }

  @Test
  void aPageAloneInItsDirectoriesLeavesNothingInThem() {
    Directories directories = new Directories(3);
    DirectoryPath page = DirectoryPath.of("https://a.test/news/2024/1");
    add(directories, page, 1 / 3.0, 1);
    assertThat(directories.factorWithout(page, 1 / 3.0, 1, 1.3, 0.7)).isEqualTo(1);
  }

  /** As two directories of one page do that happen to have the same hash. */
  private static DirectoryPath twiceInASlot() {
    return new DirectoryPath() {
      @Override
      public int depth() {
        return 3;
      }

      @Override
      public int number(int level) {
        return level % 2;
      }
    };
  }

  @Test
  void whatIsPutInThePlaceOfAnotherIsAllThatCounts() {
    DirectoryPath other = DirectoryPath.of("https://a.test/news/2");
    for (DirectoryPath page : List.of(DirectoryPath.of("https://a.test/1"), twiceInASlot())) {
      Directories replaced = new Directories(3);
      add(replaced, other, 0.7, 2);
      add(replaced, page, 1e15, 5);
      replaced.replace(page, 1e15, 5, 0.1, 1);
      Directories expected = new Directories(3);
      add(expected, other, 0.7, 2);
      add(expected, page, 0.1, 1);
      assertThat(replaced.factor(page, 1.3, 0.7)).isEqualTo(expected.factor(page, 1.3, 0.7));
      assertThat(replaced.factor(other, 1.3, 0.7)).isEqualTo(expected.factor(other, 1.3, 0.7));
      replaced.replace(page, 0.1, 1, 0, 0);
      assertThat(replaced.factorWithout(other, 0.7, 2, 1.3, 0.7)).isEqualTo(1);
    }
  }

  @Test
  void aPageThatIsTwiceInASlotIsTakenOutTwice() {
    DirectoryPath page = twiceInASlot();
    Directories directories = new Directories(3);
    add(directories, page, 9, 1);
    assertThat(directories.factorWithout(page, 9, 1, 1, 1)).isEqualTo(1);
    add(directories, page, 2, 1);
    double expected = directories.factorWithout(page, 9, 1, 1, 1);
    Directories other = new Directories(3);
    add(other, page, 2, 1);
    assertThat(expected).isEqualTo(other.factor(page, 1, 1));
  }

  @Test
  void directoriesBeyondTheDepthAreNotToldApart() {
    String deep = "h/".repeat(DirectoryPath.LONGEST) + "x/";
    Directories directories = new Directories(1);
    add(directories, DirectoryPath.of(deep + "1"), 100, 1);
    assertThat(directories.factor(DirectoryPath.of(deep + "2"), 1, 1))
        .isGreaterThan(1)
        .isEqualTo(
            directories.factor(DirectoryPath.of("h/".repeat(DirectoryPath.LONGEST) + "y/2"), 1, 1));
  }

  @Test
  void neitherTheOrderOfRecordsNorAnyKeyBeatsTheLargestFactor() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> pages = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      pages.add("https://s%d.test/%d/%d/%d".formatted(i % 5, i % 7, i % 3, i));
    }
    Directories one = filled(pages, seed);
    Collections.shuffle(pages, random);
    Directories other = filled(pages, seed);
    double largest = one.largestFactor(1.3, 0.7);
    for (String page : pages) {
      double factor = one.factor(DirectoryPath.of(page), 1.3, 0.7);
      assertThat(factor)
          .as("seed %d", seed)
          .isEqualTo(other.factor(DirectoryPath.of(page), 1.3, 0.7));
      assertThat(factor).as("seed %d", seed).isPositive().isLessThanOrEqualTo(largest);
    }
  }

  private static Directories filled(List<String> pages, long seed) {
    Directories directories = new Directories(3);
    for (String page : pages) {
      double size = TopPages.fraction(seed, page);
      add(directories, DirectoryPath.of(page), 20 * size * size * size, 1 + size);
    }
    return directories;
  }
}
