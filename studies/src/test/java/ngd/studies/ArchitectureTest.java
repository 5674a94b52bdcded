package ngd.studies;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of the rooms (docs/architecture.md), held by the compiled classes. */
class ArchitectureTest {
  /** Below {@code ngd.studies}, each may know those before it. */
  private static final List<String> BELOW =
      Stream.of("engine", "figure", "store", "report").map(ArchitectureTest::room).toList();

  /** Above it: the kinds of study. */
  private static final List<String> KINDS =
      Stream.of(
              "grid",
              "paper",
              "networks",
              "overparameterised",
              "coverage",
              "privacy",
              "trust",
              "figure6")
          .map(ArchitectureTest::room)
          .toList();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("ngd.studies");

  private static String room(String name) {
    return "ngd.studies." + name;
  }

  private static void refuse(String room, List<String> others) {
    noClasses()
        .that()
        .resideInAPackage(room)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others.toArray(String[]::new))
        .check(CLASSES);
  }

  @Test
  void rooms_belowTheStudies_knowOnlyThoseBefore() {
    for (int i = 0; i < BELOW.size(); i++) {
      List<String> above = new ArrayList<>(BELOW.subList(i + 1, BELOW.size()));
      above.add("ngd.studies");
      above.addAll(KINDS);
      refuse(BELOW.get(i), above);
    }
    slices().matching("ngd.studies.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  /** Replicates are computed, kept and drawn by rooms that do not know each other. */
  @Test
  void engineFigureAndStore_knowNothingOfEachOther() {
    for (String room : List.of(room("engine"), room("figure"), room("store"))) {
      refuse(room, BELOW.stream().filter(other -> !other.equals(room)).toList());
    }
  }

  /** A new kind needs no change here: kinds are found, not named. */
  @Test
  void studies_theContract_knowsNoKind() {
    refuse("ngd.studies", KINDS);
  }

  @Test
  void kinds_allOfThem_doNotKnowEachOther() {
    for (String kind : KINDS) {
      Set<String> allowed = kind.equals(room("paper")) ? Set.of(kind, room("grid")) : Set.of(kind);
      refuse(kind, KINDS.stream().filter(other -> !allowed.contains(other)).toList());
    }
  }

  @Test
  void rooms_allOfThem_haveTheirPlaceAndExplainThemselves() {
    Set<String> rooms = CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    assertThat(rooms)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(BELOW, List.of("ngd.studies"), KINDS).flatMap(List::stream).toList());
    for (String name : rooms) {
      assertThat(CLASSES.contain(name + ".package-info")).as(name).isTrue();
    }
  }

  @Test
  void nothingInStudies_printsSleepsOrReadsTheClock() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethodWhere(
            DescribedPredicate.describe(
                "prints a stack trace, sleeps, ends the process or reads the clock",
                call ->
                    List.of(
                            "printStackTrace",
                            "sleep",
                            "exit",
                            "now",
                            "currentTimeMillis",
                            "nanoTime",
                            "systemUTC")
                        .contains(call.getTarget().getName())))
        .check(CLASSES);
  }
}
