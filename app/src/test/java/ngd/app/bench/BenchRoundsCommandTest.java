package ngd.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ngd.app.Command;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class BenchRoundsCommandTest {
  @Test
  void rounds_json_hasTheKeysOfTheIssue() {
    Command command =
        Command.line(
            "bench rounds --model linear --clients 4 --rows 40 --network circle:1 --stretch 1 --format json");
    JsonNode json = command.json();
    assertThat(json.propertyNames())
        .containsExactly("model", "clients", "rows", "microsPerRound", "threads");
    assertThat(json.get("model").asString()).isEqualTo("linear");
    assertThat(json.get("rows").asInt()).isEqualTo(40);
    assertThat(json.get("microsPerRound").asDouble()).isPositive();
    assertThat(json.get("threads").asInt()).isEqualTo(1);
  }

  @Test
  void rounds_wrongWords_namesThemAll() {
    Command command =
        Command.line(
            "bench rounds --model linaer --clients 9 --rows 3 --network circle:0 --stretch 1e9");
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.errors()).hasSize(4);
    assertThat(command.err()).contains("did you mean `linear`", "[1, 8]", "--rows", "--stretch");
  }
}
