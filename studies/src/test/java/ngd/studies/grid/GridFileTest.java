package ngd.studies.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.core.InvalidInput;
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
    StudyRequest plan =
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
    GridStudy study = (GridStudy) plan.studies().getFirst();
    assertThat(study.grid().cells()).hasSize(2 * 2 * 2 * 4 * 3 * 2).doesNotHaveDuplicates();
    assertThat(study.grid().cells().getFirst().points()).isEqualTo(11);
    assertThat(plan.replicates()).hasValue(7);
    assertThat(plan.seed()).isEqualTo(3);
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
        .hasMessageContaining("clients: must be a whole number; got `many`");
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
        .hasMessageContaining("no such file");
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
