// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The walls of ARCHITECTURE.md, held against the compiled classes of all four modules. */
@TestInstance(Lifecycle.PER_CLASS)
final class ArchitectureTest {
  private static final String WORKLOAD = "io.lucenedelta.workload..";
  private static final String SCORER = "io.lucenedelta.scorer..";
  private static final String DELTA = "io.lucenedelta.delta..";
  private static final String EXAMPLES = "io.lucenedelta.examples..";

  /** Read here, not by ArchUnit's own engine, which runs before all other tests, alone. */
  private final JavaClasses imported =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.lucenedelta");

  @Test
  void theWorkloadKnowsNobodyElse() {
    noClasses()
        .that()
        .resideInAPackage(WORKLOAD)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(SCORER, DELTA, EXAMPLES, "org.apache.lucene..", "net.openhft..")
        .check(imported);
  }

  @Test
  void theMathematicsKnowsNeitherLuceneNorNativeMemory() {
    noClasses()
        .that()
        .resideInAPackage(SCORER)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(DELTA, EXAMPLES, "org.apache.lucene..", "net.openhft..")
        .check(imported);
  }

  @Test
  void theLibraryDoesNotKnowItsExamples() {
    noClasses()
        .that()
        .resideInAPackage(DELTA)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(EXAMPLES)
        .check(imported);
  }

  @Test
  void onlyThePageStoreKnowsTheMemoryLibrary() {
    noClasses()
        .that()
        .haveNameNotMatching("io\\.lucenedelta\\.delta\\.PageStore(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("net.openhft..")
        .check(imported);
  }

  @Test
  void divergenceLooksAtTextOnly() {
    noClasses()
        .that()
        .resideInAPackage("io.lucenedelta.scorer.divergence..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.lucenedelta.scorer.rank..",
            "io.lucenedelta.scorer.quality..",
            "io.lucenedelta.scorer.refresh..",
            "io.lucenedelta.scorer.schedule..",
            "io.lucenedelta.scorer.queue..")
        .allowEmptyShould(true)
        .check(imported);
  }

  @Test
  void ranksComeBeforeQuality() {
    noClasses()
        .that()
        .resideInAPackage("io.lucenedelta.scorer.rank..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.lucenedelta.scorer.quality..",
            "io.lucenedelta.scorer.refresh..",
            "io.lucenedelta.scorer.schedule..",
            "io.lucenedelta.scorer.queue..")
        .check(imported);
  }

  @Test
  void qualityComesBeforeRefresh() {
    noClasses()
        .that()
        .resideInAPackage("io.lucenedelta.scorer.quality..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.lucenedelta.scorer.refresh..",
            "io.lucenedelta.scorer.schedule..",
            "io.lucenedelta.scorer.queue..")
        .check(imported);
  }

  @Test
  void theQueueKnowsStrategiesByTheirContractAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.lucenedelta.scorer.queue..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.lucenedelta.scorer.rank..",
            "io.lucenedelta.scorer.quality..",
            "io.lucenedelta.scorer.divergence..",
            "io.lucenedelta.scorer.schedule..")
        .check(imported);
  }

  @Test
  void noStrategyKnowsTheQueue() {
    noClasses()
        .that()
        .resideInAnyPackage("io.lucenedelta.scorer.refresh..", "io.lucenedelta.scorer.schedule..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.lucenedelta.scorer.queue..")
        .check(imported);
  }

  @Test
  void noPackagesInACircle() {
    SlicesRuleDefinition.slices()
        .matching("io.lucenedelta.(**)")
        .should()
        .beFreeOfCycles()
        .check(imported);
  }

  @Test
  void namesSaySomething() {
    noClasses()
        .should()
        .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)(\\$.*)?")
        .check(imported);
  }

  @Test
  void noClassMovesIntoLucenesPackages() {
    classes().should().resideInAPackage("io.lucenedelta..").check(imported);
  }

  /** The exact evaluator is for replay and tests, never for indexing. */
  @Test
  void theExactEvaluatorStaysOffTheIndexingPath() {
    noClasses()
        .that()
        .resideInAPackage(DELTA)
        .should()
        .dependOnClassesThat()
        .haveSimpleName("ExactQuality")
        .check(imported);
  }

  /** Which is off by default; see decision 23. */
  @Test
  void theSelfAuditAloneMeasuresExactly() {
    noClasses()
        .that()
        .resideInAPackage(DELTA)
        .and()
        .haveNameNotMatching(".*\\.ExactRefresh(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .haveSimpleNameStartingWith("ExactShift")
        .check(imported);
  }

  @Test
  void theSelfAuditAloneSearchesWithinACommit() {
    noClasses()
        .that()
        .resideInAPackage(DELTA)
        .and()
        .haveNameNotMatching(".*\\.(ExactRefresh|RefreshAuditor)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(".*\\.ExactRefresh(\\$.*)?")
        .check(imported);
  }

  @Test
  void aClassOfDeltaKnowsItsOwnRoomAndThoseAbove() throws IOException {
    Map<String, Integer> rooms = roomsOfDelta();
    List<JavaClass> delta =
        imported.stream()
            .filter(c -> c.getPackageName().equals("io.lucenedelta.delta"))
            .filter(c -> !c.getSimpleName().equals("package-info"))
            .toList();
    assertThat(delta.stream().map(ArchitectureTest::outermost).collect(Collectors.toSet()))
        .as("classes in the table of rooms in ARCHITECTURE.md")
        .containsExactlyInAnyOrderElementsOf(rooms.keySet());
    Set<String> backwards = new TreeSet<>();
    for (JavaClass one : delta) {
      for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
        String from = outermost(one);
        String to = outermost(dependency.getTargetClass());
        if (rooms.getOrDefault(to, 0) > rooms.get(from)) {
          backwards.add(from + " knows " + to + " of a later room");
        }
      }
    }
    assertThat(backwards).isEmpty();
  }

  /** Number of the room by class, from the table in ARCHITECTURE.md. */
  private static Map<String, Integer> roomsOfDelta() throws IOException {
    String text = Files.readString(Path.of("..", "ARCHITECTURE.md"));
    String section = text.substring(text.indexOf("## Rooms of `delta`"));
    Map<String, Integer> rooms = new HashMap<>();
    int room = 0;
    for (String line : section.substring(0, section.indexOf("\n## ", 1)).lines().toList()) {
      String[] cells = line.split("\\|", -1);
      if (cells.length == 5) {
        room++;
        Matcher name = Pattern.compile("`([A-Z]\\w+)`").matcher(cells[3]);
        while (name.find()) {
          assertThat(rooms.put(name.group(1), room)).as(name.group(1) + " stands twice").isNull();
        }
      }
    }
    return rooms;
  }

  private static String outermost(JavaClass one) {
    JavaClass type = one.getBaseComponentType();
    while (type.getEnclosingClass().isPresent()) {
      type = type.getEnclosingClass().get();
    }
    return type.getSimpleName();
  }
}
