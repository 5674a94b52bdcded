package ngd.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import org.junit.jupiter.api.Test;

/** The rules of the rooms (docs/architecture.md), held by the compiled classes. */
final class ArchitectureTest {
  /**
   * Each room may know those before it; {@code ngd.app} itself, with {@link Main}, is above them
   * all.
   */
  private static final List<String> ORDER =
      List.of("terminal", "shell", "answer", "window", "federation", "fit", "bench");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("ngd.app");

  @Test
  void rooms_allOfThem_knowOnlyThoseBefore() {
    for (int i = 0; i < ORDER.size(); i++) {
      String[] above =
          Stream.concat(
                  Stream.of("ngd.app"),
                  ORDER.subList(i + 1, ORDER.size()).stream().map(room -> "ngd.app." + room))
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage("ngd.app." + ORDER.get(i))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(above)
          .check(CLASSES);
    }
  }

  /** One that hands on by itself would lose what tables learn to say later. */
  @Test
  void tablesOverTables_allOfThem_handOnTheOneWay() {
    for (JavaClass type : CLASSES) {
      boolean over =
          type.isAssignableTo(SiteTable.class)
              && type.getAllFields().stream()
                  .anyMatch(field -> field.getRawType().isAssignableTo(SiteTable.class));
      assertThat(over && !type.isAssignableTo(TableOver.class)).as(type.getName()).isFalse();
    }
  }
}
