// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** The walls of ARCHITECTURE.md, held against the compiled classes of all four modules. */
@AnalyzeClasses(packages = "io.lucenedelta", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String WORKLOAD = "io.lucenedelta.workload..";
  private static final String SCORER = "io.lucenedelta.scorer..";
  private static final String DELTA = "io.lucenedelta.delta..";
  private static final String EXAMPLES = "io.lucenedelta.examples..";

  @ArchTest
  static final ArchRule theWorkloadKnowsNobodyElse =
      noClasses()
          .that()
          .resideInAPackage(WORKLOAD)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SCORER, DELTA, EXAMPLES, "org.apache.lucene..", "net.openhft..");

  @ArchTest
  static final ArchRule theMathematicsKnowsNeitherLuceneNorNativeMemory =
      noClasses()
          .that()
          .resideInAPackage(SCORER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(DELTA, EXAMPLES, "org.apache.lucene..", "net.openhft..");

  @ArchTest
  static final ArchRule theLibraryDoesNotKnowItsExamples =
      noClasses()
          .that()
          .resideInAPackage(DELTA)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(EXAMPLES);

  @ArchTest
  static final ArchRule onlyThePageStoreKnowsTheMemoryLibrary =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.lucenedelta\\.delta\\.PageStore(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("net.openhft..");

  @ArchTest
  static final ArchRule divergenceLooksAtTextOnly =
      noClasses()
          .that()
          .resideInAPackage("io.lucenedelta.scorer.divergence..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.lucenedelta.scorer.rank..",
              "io.lucenedelta.scorer.quality..",
              "io.lucenedelta.scorer.refresh..",
              "io.lucenedelta.scorer.schedule..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule ranksComeBeforeQualityAndQualityBeforeRefresh =
      noClasses()
          .that()
          .resideInAPackage("io.lucenedelta.scorer.rank..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.lucenedelta.scorer.quality..",
              "io.lucenedelta.scorer.refresh..",
              "io.lucenedelta.scorer.schedule..");

  @ArchTest
  static final ArchRule noPackagesInACircle =
      SlicesRuleDefinition.slices().matching("io.lucenedelta.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule namesSaySomething =
      noClasses().should().haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)(\\$.*)?");

  @ArchTest
  static final ArchRule noClassMovesIntoLucenesPackages =
      classes().should().resideInAPackage("io.lucenedelta..");

  /** The exact evaluator is for replay, tests and the sampled self-audit, never for indexing. */
  @ArchTest
  static final ArchRule theExactEvaluatorStaysOffTheIndexingPath =
      noClasses()
          .that()
          .resideInAPackage(DELTA)
          .and(
              DescribedPredicate.not(
                  JavaClass.Predicates.resideInAPackage("io.lucenedelta.delta.audit..")))
          .should()
          .dependOnClassesThat()
          .haveSimpleName("ExactQuality");
}
