package ngd.core.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.preparation.Missing;
import ngd.core.run.JsonObject;
import org.junit.jupiter.api.Test;

/** Oracle: the words of the documentation. */
final class TrainingDataTest {
  @Test
  void describe_aDatabase_keepsItsSecrets() {
    TrainingData rows =
        new TrainingData.Rows(
            new TableAddress(
                "data",
                "jdbc:postgresql://reader:hunter2@db/clinic?password=hunter3",
                Optional.of("visits"),
                List.of("?")),
            Formula.parse("outcome ~ age"),
            Missing.FAIL);
    assertThat(rows.describe(new JsonObject()).toString())
        .contains("jdbc:postgresql:", "visits", "?", "outcome ~ age", "fail")
        .doesNotContain("hunter", "reader");
  }

  @Test
  void isTable_filesPatternsAndDatabases_notImages() {
    for (String table :
        List.of("t.csv", "v/*.parquet", "jdbc:sqlite:t.db", "C:\\t.csv", "a folder/t.tsv")) {
      assertThat(TrainingData.isTable(table)).as(table).isTrue();
    }
    for (String images : List.of("mnist:d", "cifar10:d", "images:d", "mnist", "mnits:d")) {
      assertThat(TrainingData.isTable(images)).as(images).isFalse();
    }
  }

  @Test
  void parse_aMistypedUrl_isNotRepeated() {
    assertThatThrownBy(() -> TrainingData.Images.parse("jbdc:postgresql://u:hunter2@db"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("`jbdc` is unknown", "a jdbc: URL")
        .hasMessageNotContaining("hunter2");
  }
}
