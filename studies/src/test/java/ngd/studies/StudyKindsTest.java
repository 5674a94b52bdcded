package ngd.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.question.Words;
import ngd.studies.engine.LocalEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyKindsTest {
  @TempDir Path folder;

  private static Words said(String option, String value) {
    return Words.of(Words.Style.FLAGS, Map.of(option, value));
  }

  @Test
  void names_ofTheLibrary_areThoseOfTheCommandLine() {
    assertThat(StudyKinds.names())
        .containsSubsequence(
            "figure2",
            "figure3",
            "figure4",
            "figure5",
            "networks",
            "overparameterised",
            "placement",
            "coverage",
            "privacy",
            "trust",
            "figure6")
        .endsWith("all");
  }

  @Test
  void of_all_hasEveryStudyThatNeedsNoData() {
    assertThat(StudyRequest.of("all").studies())
        .extracting(Study::name)
        .containsExactly(
            "figure2",
            "figure3",
            "figure4",
            "figure5",
            "networks",
            "overparameterised",
            "placement",
            "coverage",
            "coverage-averaged",
            "privacy",
            "trust",
            "identification");
  }

  @Test
  void of_aKindFromElsewhere_isFoundByNameAndRunLikeTheOthers() throws IOException {
    StudyRequest request = StudyRequest.of("coin", said("tosses", "4"));
    StudyRunner.Outcome outcome =
        new StudyRunner(new LocalEngine(1), InstantSource.system())
            .run(request, folder.resolve("out"), StudyProgress.silent());
    assertThat(outcome.computed()).isEqualTo(3);
    assertThat(outcome.files()).containsExactly("coin.csv", "report.html", "claims.json");
    assertThat(Files.readAllLines(folder.resolve("out/coin.csv"))).hasSize(4);
  }

  @Test
  void of_anOptionOfAnotherStudy_isRefusedNamingThatStudy() {
    assertThatThrownBy(() -> StudyRequest.of("figure2", said("tosses", "4")))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("--tosses: works only with coin; got `figure2`");
    assertThatThrownBy(() -> StudyRequest.of("all", said("full", "true")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("--full: works only with figure6");
  }

  @Test
  void of_figure6WithoutData_saysWhatIsMissing() {
    assertThatThrownBy(() -> StudyRequest.of("figure6", said("data", folder.toString())))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("must hold the folders mnist or cifar10");
  }

  @Test
  void of_anUnknownStudy_offersTheNearest() {
    assertThatThrownBy(() -> StudyRequest.of("figur2"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("did you mean `figure2`?");
  }
}
