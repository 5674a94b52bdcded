package ngd.sources;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of this room (docs/architecture.md), held by the compiled classes. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("ngd.sources");

  /** It opens tables; what is fitted to them, by whom and where, it must not know. */
  @Test
  void sources_everyClass_knowOfTheCoreTablesAndExpressionsAlone() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("ngd..")
                .and(
                    resideOutsideOfPackages(
                        "ngd.core",
                        "ngd.core.data",
                        "ngd.core.file",
                        "ngd.core.formula",
                        "ngd.sources")))
        .check(CLASSES);
  }

  /** Others find it as a {@code TableProvider}, and see no engine. */
  @Test
  void sources_allButTheirDoor_areHidden() {
    assertThat(CLASSES.stream().filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC)))
        .extracting("simpleName")
        .containsExactly("EngineTables");
  }

  @Test
  void nothingInSources_prints() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }
}
