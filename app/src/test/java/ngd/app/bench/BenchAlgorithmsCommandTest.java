package ngd.app.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ngd.app.Command;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class BenchAlgorithmsCommandTest {
  /** diging sends two vectors a round, fedavg's sum is one, d-psgd is held against mini-batches. */
  @Test
  void algorithms_json_countsVectorsAndBatches() {
    Command command =
        Command.line(
            "bench algorithms --algorithms diging,fedavg,d-psgd --clients 8 --network ring:1"
                + " --stretch 1 --format json");
    JsonNode lines = command.json().get("algorithms");
    assertThat(lines.size()).isEqualTo(3);
    double byRows = command.json().get("ngdByRowsMicrosPerRound").asDouble();
    for (JsonNode line : lines) {
      assertThat(line.get("perVectorByRows").asDouble() * byRows)
          .isCloseTo(
              line.get("perVector").asDouble() * line.get("ngdMicrosPerRound").asDouble(),
              within(1e-9 * byRows));
      double perVector = line.get("perVector").asDouble();
      assertThat(perVector)
          .isCloseTo(
              line.get("microsPerRound").asDouble()
                  / line.get("vectors").asDouble()
                  / line.get("ngdMicrosPerRound").asDouble(),
              within(1e-12 * perVector));
    }
    assertThat(lines.get(0).get("vectors").asDouble()).isEqualTo(2);
    assertThat(lines.get(0).get("batch").isNull()).isTrue();
    assertThat(lines.get(1).get("vectors").asDouble()).isEqualTo(1);
    assertThat(lines.get(2).get("batch").asInt()).isEqualTo(10);
  }

  /** Parameters twice to all alike, and a gradient to each of four neighbours. */
  @Test
  void algorithms_gradientsForSingleNeighbours_areMadeOneByOne() {
    Command command =
        Command.line(
            "bench algorithms --algorithms cfa-ge,cfa,fedavg --clients 8 --network ring:2"
                + " --stretch 1 --format json");
    JsonNode lines = command.json().get("algorithms");
    assertThat(lines.get(0).get("vectors").asDouble()).isEqualTo(3);
    assertThat(lines.get(0).get("made").asDouble()).isEqualTo(6);
    assertThat(lines.get(1).get("made").asDouble()).isEqualTo(1);
    assertThat(lines.get(2).get("made").asDouble()).isEqualTo(1);
    for (JsonNode line : lines) {
      double perMade = line.get("perMade").asDouble();
      assertThat(perMade * line.get("made").asDouble())
          .isCloseTo(
              line.get("perVector").asDouble() * line.get("vectors").asDouble(),
              within(1e-9 * perMade));
    }
  }

  @Test
  void algorithms_unsuitedNetwork_leavesThatOneOutAndSaysWhy() {
    Command command =
        Command.line("bench algorithms --algorithms d2,cfa --clients 16 --network torus");
    assertThat(command.code()).isZero();
    assertThat(command.err()).contains("left out", "d2", "eigenvalues");
    assertThat(command.out()).contains("cfa ").doesNotContain("d2");
  }

  @Test
  void algorithms_wrongWords_namesThemAll() {
    Command command =
        Command.line(
            "bench algorithms --algorithms nxd,async-ngd --model linaer --network circle:9"
                + " --clients 4 --batch -1 --stretch 0");
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err())
        .contains(
            "did you mean `linear`",
            "nxd",
            "`async-ngd` is asynchronous",
            "--batch",
            "[1, 3]",
            "--stretch");
  }
}
