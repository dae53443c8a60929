// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditCommandTest {
  @TempDir Path directory;

  private CommandRun audit(Object... more) throws IOException {
    Path demo = directory.resolve("demo");
    new DemoCrawl(60, 6, 40, 500, 3).write(demo);
    Object[] usual = {
      "audit",
      "--crawl",
      DemoCrawl.snapshots(demo),
      "--query-log",
      DemoCrawl.queryLog(demo),
      "--out",
      directory.resolve("out")
    };
    Object[] all = java.util.Arrays.copyOf(usual, usual.length + more.length);
    System.arraycopy(more, 0, all, usual.length, more.length);
    return CommandRun.of(all);
  }

  @Test
  void itWritesThreeTablesAndPrintsThem() throws IOException {
    CommandRun run = audit();
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .anyMatch(line -> line.startsWith("Estimates. "))
        .anyMatch(line -> line.startsWith("Rank functions. "))
        .anyMatch(line -> line.startsWith("Ageing. "));
    DocumentedTables.assertThese(
        directory.resolve("out"), "estimates.tsv", "rank_functions.tsv", "ageing.tsv");
    assertThat(Files.readAllLines(directory.resolve("out/estimates.tsv"))).hasSize(11);
    assertThat(Files.readAllLines(directory.resolve("out/rank_functions.tsv"))).hasSize(30);
    assertThat(Files.readAllLines(directory.resolve("out/ageing.tsv")))
        .extracting(line -> line.split("\t", -1)[1]) // no more weeks than there are
        .containsExactly("rebuilt_every_weeks", "1", "4", "5", "1", "4", "5");
  }

  @Test
  void whatWasFoundIsPrintedAlsoWhereNoFileCanBeWritten() throws IOException {
    Files.createDirectories(directory.resolve("out/estimates.tsv/in the way"));
    CommandRun run = audit();
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.complaint()).contains("estimates.tsv");
    assertThat(run.out())
        .anyMatch(line -> line.startsWith("Estimates. "))
        .anyMatch(line -> line.startsWith("Ageing. "));
  }

  @Test
  void queriesThatNoPageMatchesAreSaidToCompareNothing() throws IOException {
    String sentence =
        "no page of the crawl matches any of the 2 queries measured: there is nothing to compare";
    Path log = Files.writeString(directory.resolve("log"), "nowhere\t3\nmissing\t2\n");
    Path demo = directory.resolve("demo");
    assertThat(audit().err()).doesNotContain(sentence);
    CommandRun run =
        CommandRun.of(
            "audit",
            "--crawl",
            DemoCrawl.snapshots(demo),
            "--query-log",
            log,
            "--out",
            directory.resolve("out"));
    assertThat(run.status()).isZero();
    assertThat(run.err()).contains(sentence);
  }

  @ParameterizedTest
  @ValueSource(strings = {"audit", "replay"})
  void frequenciesThatNoIndexTakesAreRefused(String verb) throws IOException {
    Path demo = directory.resolve("demo");
    new DemoCrawl(20, 3, 10, 50, 3).write(demo);
    Path file = directory.resolve("often.workload");
    for (double often : new double[] {1e308, 1e-20}) {
      Workload.builder().add(List.of("garden"), often).build().write(file);
      CommandRun run =
          CommandRun.of(
              verb,
              "--crawl",
              DemoCrawl.snapshots(demo),
              "--workload",
              file,
              "--out",
              directory.resolve("out"));
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.complaint())
          .contains(often > 1 ? "asked 1.0E15 times at most" : "asked 1.0E-15 times at least")
          .contains(", was " + often + " for ")
          .endsWith("; scale all frequencies");
    }
  }

  @Test
  void importanceNeedsItsTable() throws IOException {
    CommandRun run = audit("--scoring", "importance");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().get(0)).contains("add --importance FILE");
    CommandRun named =
        audit(
            "--scoring",
            "importance",
            "--importance",
            DemoCrawl.inlinks(directory.resolve("demo")));
    assertThat(named.status()).isZero();
    assertThat(named.err())
        .anyMatch(line -> line.matches("in-links are those of .*, which has counts of .* pages"));
  }

  @Test
  void aTableOfInlinksWithoutItsScoringIsBadUse() throws IOException {
    CommandRun run = audit("--importance", "links.tsv");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint())
        .contains("--importance has no effect without --scoring importance; add that");
  }

  @Test
  void aSeedOfTheDemoIsBadUseWhereACrawlIsNamed() throws IOException {
    CommandRun run = audit("--seed", "7");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.complaint())
        .contains("--seed is of the demo crawl, in place of which --crawl is read: leave one");
  }

  @Test
  void anUnknownScoringAndAMissingLogAreBadUse() throws IOException {
    assertThat(audit("--scoring", "best").status()).isEqualTo(2);
    CommandRun run = CommandRun.of("audit", "--crawl", directory, "--out", directory.resolve("o"));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().get(0)).contains("add --query-log FILE");
  }
}
