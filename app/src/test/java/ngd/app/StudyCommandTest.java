package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The oracles are the issue's names, headers and refusals. */
class StudyCommandTest {
  @TempDir Path folder;

  private String out() {
    return folder.resolve("out").toString();
  }

  @Test
  void study_figure2_writesTheFilesAndHeadersOfTheIssue() throws IOException {
    Command done = Command.run("study", "figure2", "--replicates", "1", "--out", out());
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(done.out()).contains("rounds", "a second", "figure2.csv");
    List<String> table = Files.readAllLines(folder.resolve("out/figure2.csv"));
    assertThat(table.getFirst())
        .isEqualTo(
            "model,network,partition,placement,alpha,iteration,median_log_mse,q25,q75,replicates");
    assertThat(table)
        .anyMatch(line -> line.startsWith("linear,circle:1,sorted,random,0.05,400,"))
        .anyMatch(line -> line.startsWith("linear,global,random,in-order,0.005,0,"));
    assertThat(Files.readString(folder.resolve("out/report.html")))
        .contains("<svg", "circle-type network structure", "supported")
        .doesNotContain("<img", "<script", "<link");
    assertThat(folder.resolve("out/figure2.png")).isNotEmptyFile();
    assertThat(folder.resolve("out/figure2.svg")).isNotEmptyFile();
    assertThat(Files.readString(folder.resolve("out/manifest.json")))
        .contains("\"study\" : \"figure2\"", "\"kernels\"", "\"finished\"");
  }

  @Test
  void study_ofAFile_runsItAndAFlagWins() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("mine.yaml"),
            """
            networks: ["circle:1", "regular:2"]
            alphas: [0.01]
            clients: 10
            rows: 100
            rounds: 20
            replicates: 3
            """);
    Command done =
        Command.run(
            "study", file.toString(), "--replicates", "2", "--out", out(), "--format", "json");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(done.json().get("computed").asInt()).isEqualTo(2);
    Command again = Command.run("study", file.toString(), "--out", out(), "--format", "json");
    assertThat(again.json().get("computed").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "study figure7|did you mean `figure2`?",
        "study figure2 --replicates 0|replicates: must lie in [1,",
        "study figure2 --on nowhere|engine: must be local",
        "study figure2 --on spark://localhost:1|needs the Spark module",
        "study missing.yaml|must be a YAML file; it does not exist",
        "study figure2 --full|--full: works only with figure6; got `figure2`",
        "study figure6|--data: the folder with mnist and cifar10 must be given",
      })
  void study_wrongRequests_areRefusedWithAReason(String line, String reason) {
    Command refused = Command.line(line + " --out " + out());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains(reason);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void study_inAFolderOfAnotherSeed_isRefusedAndLeavesItAlone() throws IOException {
    Command.run("study", "overparameterised", "--replicates", "1", "--out", out());
    String before = Files.readString(folder.resolve("out/manifest.json"));
    Command refused =
        Command.run(
            "study", "overparameterised", "--replicates", "1", "--seed", "2", "--out", out());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("seed is 1 there and 2 here");
    assertThat(Files.readString(folder.resolve("out/manifest.json"))).isEqualTo(before);
  }

  private Path grid(String weights) throws IOException {
    return Files.writeString(
        folder.resolve("mine.yaml"),
        """
        networks: ["circle:1", "ring:2"]
        weights: %s
        algorithms: [ngd, extra, d2]
        alphas: [0.01, 0.02]
        clients: 10
        rows: 100
        rounds: 20
        replicates: 2
        """
            .formatted(weights));
  }

  /** What cannot be computed is said before anything is, and the corrected file begins anew. */
  @Test
  void study_withIncompatibleCells_namesThemAllAndWritesNothing() throws IOException {
    Command refused = Command.run("study", grid("lazy:0.5").toString(), "--out", out());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains(
            "10 clients, network circle:1, weights lazy:0.5, algorithm extra (2 cells): algorithm `extra`: needs a symmetric W")
        .contains(
            "10 clients, network circle:1, weights lazy:0.5, algorithm d2 (2 cells): algorithm `d2`: needs")
        .doesNotContain("ring:2,")
        .doesNotContain("algorithm ngd");
    assertThat(folder.resolve("out")).doesNotExist();
    Files.writeString(
        folder.resolve("mine.yaml"),
        Files.readString(grid("lazy:0.5")).replace("\"circle:1\", ", ""));
    Command corrected =
        Command.run("study", folder.resolve("mine.yaml").toString(), "--out", out());
    assertThat(corrected.code()).as(corrected.err()).isZero();
  }

  @Test
  void study_withIncompatibleCells_leavesAFolderThatIsThereAsItWas() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("out"));
    Command refused = Command.run("study", grid("uniform").toString(), "--out", out());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void study_help_listsTheStudiesAndTheOptionsOfTheirKinds() {
    Command help = Command.run("study", "--help");
    assertThat(help.out())
        .contains("figure2", "coverage", "figure6", "all", "--replicates", "--full")
        .contains("For figure6: run at the paper's size");
    assertThat(help.out().indexOf("--replicates=R  ")).isLessThan(help.out().indexOf("--full  "));
  }
}
