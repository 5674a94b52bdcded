package ngd.core;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules of the rooms (docs/architecture.md), held by the compiled classes. */
class ArchitectureTest {
  /** Each room may know those before it; {@code ngd.core} itself is below them all. */
  private static final List<String> ORDER =
      List.of(
          "file",
          "linalg",
          "rows",
          "random",
          "codec",
          "network",
          "formula",
          "data",
          "model",
          "theory",
          "algorithm",
          "world",
          "privacy",
          "preparation",
          "simulation",
          "inference",
          "question",
          "run",
          "answer",
          "fit",
          "training");

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("ngd.core");

  private static String room(String name) {
    return "ngd.core." + name + "..";
  }

  @Test
  void rooms_allOfThem_knowOnlyThoseBefore() {
    for (int i = 0; i < ORDER.size() - 1; i++) {
      String[] later =
          ORDER.subList(i + 1, ORDER.size()).stream()
              .map(ArchitectureTest::room)
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(room(ORDER.get(i)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(later)
          .allowEmptyShould(true)
          .check(CORE);
    }
    noClasses()
        .that()
        .resideInAPackage("ngd.core")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("ngd.core.*..")
        .check(CORE);
    slices().matching("ngd.core.(*)..").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void rooms_allOfThem_haveTheirPlaceInTheOrderAndExplainThemselves() {
    assertThat(
            CORE.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.equals("ngd.core"))
                .map(name -> name.substring("ngd.core.".length()).split("\\.", -1)[0])
                .collect(Collectors.toSet()))
        .isSubsetOf(ORDER)
        .doesNotContain("util", "common")
        .hasSizeGreaterThan(7);
    for (String name : CORE.stream().map(JavaClass::getPackageName).collect(Collectors.toSet())) {
      assertThat(CORE.contain(name + ".package-info")).as(name).isTrue();
      assertThat(
              CORE.get(name + ".package-info")
                  .isAnnotatedWith("org.jspecify.annotations.NullMarked"))
          .as(name)
          .isTrue();
    }
  }

  /** It is the oracle of both, so neither side may lean on the other. */
  @Test
  void theory_andTheSimulator_doNotKnowEachOther() {
    noClasses()
        .that()
        .resideInAPackage(room("theory"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(room("algorithm"), room("simulation"))
        .check(CORE);
    noClasses()
        .that()
        .resideInAnyPackage(room("algorithm"), room("simulation"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(room("theory"))
        .check(CORE);
  }

  /** An algorithm sees rows, what it hears and its data, and no world. */
  @Test
  void algorithm_everyClass_knowsNoNetworkNoDataNoModelAndNoArrayOfThisProcess() {
    noClasses()
        .that()
        .resideInAPackage(room("algorithm"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(room("network"), room("data"), room("model"))
        .orShould()
        .dependOnClassesThat()
        .haveSimpleNameStartingWith("Host")
        .check(CORE);
  }

  @Test
  void vectorsAndLibraries_ofLinearAlgebra_stayInLinalg() {
    noClasses()
        .that()
        .resideOutsideOfPackage(room("linalg"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jdk.incubator.vector..", "org.ejml..", "org.netlib..")
        .check(CORE);
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("Vector")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .check(CORE);
  }

  @Test
  void nothingInCore_printsSleepsOrReadsTheClock() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethodWhere(
            DescribedPredicate.describe(
                "prints a stack trace, sleeps or ends the process",
                call ->
                    call.getTarget().getName().equals("printStackTrace")
                        || (call.getTargetOwner().isEquivalentTo(Thread.class)
                            && call.getTarget().getName().equals("sleep"))
                        || (call.getTargetOwner().isEquivalentTo(System.class)
                            && call.getTarget().getName().equals("exit"))))
        .check(CORE);
    noClasses()
        .that()
        .resideOutsideOfPackage(room("run"))
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "reads the clock",
                call ->
                    List.of("now", "currentTimeMillis", "nanoTime", "systemUTC")
                        .contains(call.getTarget().getName())))
        .check(CORE);
  }

  @Test
  void randomness_allOfIt_comesFromStreams() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("java.util.random..")
                .or(JavaClass.Predicates.assignableTo(Random.class))
                .or(JavaClass.Predicates.type(java.util.concurrent.ThreadLocalRandom.class)))
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(StrictMath.class, "random")
        .check(CORE);
    noClasses()
        .that()
        .resideOutsideOfPackage(room("random"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.commons.rng.simple..")
        .check(CORE);
  }

  @Test
  void names_allClasses_sayWhatAThingIs() {
    List<String> empty = Arrays.asList("Manager", "Helper", "Util", "Utils", "Impl", "Base");
    for (JavaClass type : CORE) {
      assertThat(empty).as(type.getName()).noneMatch(type.getSimpleName()::endsWith);
    }
  }
}
