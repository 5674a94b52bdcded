package ngd.core.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.question.Question;
import org.junit.jupiter.api.Test;

/** Oracle: the words of the documentation. */
final class TrainingDataTest {
  @Test
  void question_aDatabase_keepsItsSecrets() {
    Question question =
        Question.of(
            TrainingKeys.ALL,
            Map.of(
                "data", "jdbc:postgresql://reader:hunter2@db/clinic?password=hunter3",
                "query", "visits",
                "na", "?",
                "formula", "outcome ~ age",
                "missing", "fail"));
    assertThat(question.json().toString())
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
    assertThatThrownBy(() -> TrainingData.ImageFiles.parse("jbdc:postgresql://u:hunter2@db"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("`jbdc` is unknown", "a jdbc: URL")
        .hasMessageNotContaining("hunter2");
  }
}
