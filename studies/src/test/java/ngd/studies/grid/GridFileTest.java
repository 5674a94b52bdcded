package ngd.studies.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.question.DataKeys;
import ngd.core.question.FitKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Words;
import ngd.core.question.WordsFile;
import ngd.studies.StudyRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridFileTest {
  @TempDir Path folder;

  private StudyRequest read(String text) throws IOException {
    return StudyRequest.of(Files.writeString(folder.resolve("own.yaml"), text).toString());
  }

  @Test
  void read_aGrid_givesEveryCombination() throws IOException {
    StudyRequest request =
        read(
            """
            models: [linear, poisson]
            networks: [central, "circle:1"]
            weights: [uniform, "lazy:0.5"]
            partitions: [random, sorted]
            placements: [in-order, random]
            alphas: [0.001, 0.002, "0.01/t"]
            clients: [10, 20]
            rows: 100
            rounds: 100
            points: 10
            replicates: 7
            seed: 3
            """);
    GridStudy study = (GridStudy) request.studies().getFirst();
    assertThat(study.grid().cells()).hasSize(2 * 2 * 2 * 4 * 3 * 2);
    assertThat(study.grid().cells().stream().map(Cell::question)).doesNotHaveDuplicates();
    assertThat(study.grid().cells().getFirst().points()).isEqualTo(11);
    assertThat(request.replicates()).hasValue(7);
    assertThat(request.seed()).isEqualTo(3);
  }

  @Test
  void read_anUnknownKey_offersTheNearest() {
    assertThatThrownBy(() -> read("networks: [central]\nalpha: 0.1\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("unknown key `alpha`; did you mean `alphas`?");
  }

  @Test
  void read_severalProblems_tellsAllOfThem() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    models: [linaer]
                    networks: ["circle:1"]
                    partitions: [sortd]
                    alphas: [fast]
                    clients: many
                    """))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("did you mean `linear`?")
        .hasMessageContaining("did you mean `sorted`?")
        .hasMessageContaining("alpha: must be a number")
        .hasMessageContaining("line 5: clients: must be a whole number");
  }

  private List<Cell> cells(String text) throws IOException {
    return ((GridStudy) read(text).studies().getFirst()).grid().cells();
  }

  @Test
  void read_selections_areAnAxis() throws IOException {
    String grid =
        """
        networks: complete
        clients: 10
        rows: 100
        algorithms: %s
        local-steps: 2
        selection: [all, "uniform:3", "bernoulli:0.5"]
        alphas: 0.05
        rounds: 20
        """;
    assertThat(
            cells(grid.formatted("fedavg")).stream()
                .map(cell -> cell.question().get(MethodKeys.SELECTION).spec()))
        .containsExactly("all", "uniform:3", "bernoulli:0.5");
    assertThatThrownBy(() -> read(grid.replace("local-steps: 2\n", "").formatted("ngd")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("has all clients in every round");
  }

  /** Oracle: the words of `ngd fit` for the same. */
  @Test
  void read_furtherKeys_areAskedOfEveryCell() throws IOException {
    List<Cell> cells =
        cells(
            """
            networks: "ring:2"
            algorithms: [ngd]
            alphas: ["0.05,0.01@20"]
            batch: [10, 20]
            mix: [mean, "trimmed:1"]
            attack: "sign-flip:2"
            attackers: "0,3"
            clients: 10
            rows: 200
            rounds: 40
            """);
    assertThat(cells).hasSize(4);
    assertThat(cells.getLast().question().commandLine("ngd fit"))
        .isEqualTo(
            "ngd fit --simulate linear --rows 200 --clients 10 --network ring:2 --batch 20"
                + " --mix trimmed:1 --attack sign-flip:2.0 --attackers 0,3"
                + " --alpha 0.05,0.01@20 --rounds 40 --trace-every 1");
  }

  @Test
  void read_anAsynchronousAlgorithm_takesItsImpairments() throws IOException {
    List<Cell> cells =
        cells(
            """
            networks: "regular:3"
            algorithms: async-ngd
            alphas: 0.01
            clocks: [equal, poisson]
            delay: [0, 0.5]
            message-loss: 0.1
            churn: "20,2"
            clients: 10
            rows: 200
            """);
    assertThat(cells).hasSize(4);
    assertThat(cells.getLast().toString())
        .contains("clocks=[poisson]", "delay=[0.5]", "loss=[0.1]", "churn=[20.0, 2.0]");
  }

  /** Oracle: the same keys of `ngd fit`, in which a list of these is one value. */
  @Test
  void read_listsOfOwnData_areOneValueAsInAFit() throws IOException {
    StringBuilder rows = new StringBuilder("a,b,y\n");
    for (int i = 0; i < 12; i++) {
      rows.append("%d,%d,%d\n".formatted(i % 3, i * i % 5, i));
    }
    Files.writeString(folder.resolve("own.csv"), rows + "?,0,1\n1,-,1\n");
    String grid =
        """
        data: own.csv
        response: y
        features: %s
        na: ["?", "-"]
        clients: 3
        networks: ring:1
        alphas: 0.05
        """;
    List<Cell> cells = cells(grid.formatted("[a, b]"));
    assertThat(cells).hasSize(1);
    Words asked = new Words(Words.Style.FLAGS);
    Map<String, Boolean> rest = Map.of("networks", true, "alphas", true);
    Problems problems = new Problems();
    Words fit = WordsFile.read(folder.resolve("own.yaml"), FitKeys.ALL, rest, asked, problems);
    problems.throwIfAny();
    for (Key<?> key : List.of(ModelKeys.FEATURES, DataKeys.NA)) {
      assertThat(cells.getFirst().question().words().get(key.name()))
          .isEqualTo(fit.find(key).orElseThrow().words())
          .hasSize(2);
    }
    assertThat(cells.getFirst().rows()).isEqualTo(12);
    assertThat(cells(grid.formatted("a,b")).getFirst().question())
        .isEqualTo(cells.getFirst().question());
  }

  /** Options that an algorithm does not have are refused, not ignored. */
  @Test
  void read_aKeyThatDoesNotApply_isRefusedWithItsLine() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    networks: "ring:2"
                    algorithms: [ngd, extra]
                    weights: metropolis
                    alphas: 0.01
                    delay: 2
                    batch: 10
                    """))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("own.yaml, line 5: delay: `ngd` runs in rounds")
        .hasMessageContaining("own.yaml, line 6: batch: `extra` has no mini-batches");
  }

  @Test
  void read_problemsOfEveryKind_areToldAtOnceWithTheirLines() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    networks: ["circle:1", "circle:10"]
                    weigths: uniform
                    alphas: []
                    algorithms: [ngd, ngdd]
                    clients: 10
                    rows: [5, 100]
                    rounds: [10, 20]
                    attackers: 12
                    attack: nan
                    seed: first
                    """))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("own.yaml, line 2: unknown key `weigths`; did you mean `weights`?")
        .hasMessageContaining("own.yaml, line 3: alphas: needs at least one")
        .hasMessageContaining("own.yaml, line 4: algorithm")
        .hasMessageContaining("did you mean `ngd`?")
        .hasMessageContaining("own.yaml, line 7: rounds: takes one value, not a list")
        .hasMessageContaining("own.yaml, line 10: seed: must be a whole number");
  }

  @Test
  void read_cellsThatCannotBe_areNamedByTheirLines() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    networks: ["circle:1", "circle:10"]
                    alphas: [0.1, 0.10]
                    clients: 10
                    rows: [5, 100]
                    partitions: [random, "rows:4,6"]
                    attackers: "12"
                    attack: nan
                    """))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("line 1: network: circle: degree D must lie in [1, 9]")
        .hasMessageContaining("line 3: clients: each needs a row, so at most the 5 rows; got 10")
        .hasMessageContaining("line 5: partition: rows:4,6 has 10 rows for 2 clients")
        .hasMessageContaining("line 6: attackers: must be clients, 0 to 9; got 12");
    assertThatThrownBy(() -> read("networks: central\nalphas: [0.1, 0.10]\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("cells must differ");
    assertThatThrownBy(() -> read("networks: central\nalgorithms: pooled\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("line 2: algorithm: must be one with rounds");
    assertThatThrownBy(() -> read("alphas: 0.1\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("own.yaml: network: must be given");
    assertThatThrownBy(() -> read("networks: central\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("alpha: `ngd` needs a learning rate");
  }

  @Test
  void read_theSameTwice_saysWhatIsGivenTwice() {
    assertThatThrownBy(
            () -> read("networks: central\nalphas: [0.1, 0.2]\nalgorithms: [ngd, dgd, ngd]\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "%s, line 3: algorithm: cells must differ; `ngd` is given twice",
            folder.resolve("own.yaml"));
    assertThatThrownBy(() -> read("networks: central\nalphas: [0.1, 0.10]\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "%s, line 2: alpha: cells must differ; `0.1` and `0.10` are the same",
            folder.resolve("own.yaml"));
  }

  @Test
  void read_aNameThatIsNoFileName_isRefused() throws IOException {
    String grid = "name: '%s'\nnetworks: central\nalphas: 0.1\n";
    for (String name : List.of("a/b", "../zz", "..", "a\\b", "c:d", "a*")) {
      assertThatThrownBy(() -> read(grid.formatted(name)))
          .as(name)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("own.yaml, line 1: name: must be a plain file name");
    }
    assertThat(read(grid.formatted("Trust, 2026 (α)")).name()).isEqualTo("Trust, 2026 (α)");
  }

  /** What was said in a wrong way is not said to be missing as well. */
  @Test
  void read_whatCannotBeRead_isNotAlsoMissing() {
    for (String wrong :
        List.of(
            "networks: [",
            "networks: [ring:1]\nalpha: 0.1\n",
            "network: ring:1\nalphas: 0.1\n",
            "networks: []\nalphas: 0.1\n",
            "networks: ring:1\nalphas:\n")) {
      assertThatThrownBy(() -> read(wrong))
          .as(wrong)
          .isInstanceOf(InvalidInput.class)
          .hasMessageNotContaining("\n");
    }
  }

  /** As for a fit: what a file states are the weights, unless others are asked for. */
  @Test
  void read_aNetworkFileWithWeights_takesThem() throws IOException {
    Files.writeString(
        folder.resolve("edges.csv"), "client,hears,weight\n0,0,0.5\n0,1,0.5\n1,0,1\n");
    String text = "networks: \"file:edges.csv\"\nalphas: 0.1\nclients: 2\nrows: 100\n";
    assertThat(cells(text).getFirst().weights()).isEqualTo("file");
    assertThat(cells(text + "weights: uniform\n").getFirst().weights()).isEqualTo("uniform");
  }

  @Test
  void read_aNetworkThatCannotBe_isRefused() {
    assertThatThrownBy(
            () -> read("networks: [\"circle:10\"]\nalphas: 0.1\nclients: 10\nrows: 100\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("circle: degree D must lie in [1, 9]");
  }

  @Test
  void read_anUnknownAlgorithm_offersTheNearest() {
    assertThatThrownBy(() -> read("networks: [central]\nalphas: 0.1\nalgorithms: [ngdd]\n"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("did you mean `ngd`?");
  }

  @Test
  void read_aMissingFile_saysSo() {
    assertThatThrownBy(() -> StudyRequest.of(folder.resolve("no.yaml").toString()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("does not exist")
        .hasMessageNotContaining("\n");
  }

  @Test
  void read_aNetworkFile_findsItBesideThePlanAndRemembersItsContent() throws IOException {
    Path edges = folder.resolve("edges.csv");
    Files.writeString(edges, "client,hears\n0,1\n1,0\n");
    String plan = "networks: [\"file:edges.csv\"]\nalphas: 0.1\nclients: 2\nrows: 100\n";
    String before = read(plan).studies().getFirst().settings().toString();
    assertThat(read(plan).studies().getFirst().settings().toString()).isEqualTo(before);
    Files.writeString(edges, "client,hears\n1,0\n0,1\n");
    assertThat(read(plan).studies().getFirst().settings().toString()).isNotEqualTo(before);
  }
}
