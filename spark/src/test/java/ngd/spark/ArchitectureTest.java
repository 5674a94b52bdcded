package ngd.spark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of this room (docs/architecture.md), held by the compiled classes. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("ngd.spark");

  /** A task is replicate number r of something; what it means is nobody's business here. */
  @Test
  void spark_everyClass_knowsEnginesAndStreamsAlone() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("ngd..")
                .and(
                    resideOutsideOfPackages(
                        "ngd.core", "ngd.core.random", "ngd.studies.engine", "ngd.spark")))
        .check(CLASSES);
  }

  @Test
  void nothingInSpark_prints() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }
}
