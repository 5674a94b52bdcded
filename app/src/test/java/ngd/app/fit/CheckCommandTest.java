package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.app.Command;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The oracles are the issue's list of keys and a problem of one number, solved by hand. */
class CheckCommandTest {
  @TempDir private Path folder;

  private String oneNumber() throws IOException {
    // One client, one coefficient: Σ̂xx = (1 + 4 + 9 + 16) / 4 = 7.5.
    Path data = Files.writeString(folder.resolve("d.csv"), "a,y\n1,1\n2,3\n3,3\n4,5\n");
    return "check --data %s --response y --no-intercept --clients 1 --network complete --format json"
        .formatted(data);
  }

  /** The oracle is the theory's scope: it knows one method, one step on all rows. */
  @Test
  void check_anotherMethod_isRefusedInsteadOfJudgedAsNgd() {
    String line =
        "check --simulate linear --rows 200 --clients 4 --network complete --alpha 0.02 --algorithm ";
    Command extra = Command.line(line + "extra");
    assertThat(extra.code()).isEqualTo(2);
    assertThat(extra.err()).contains("--algorithm: must be `ngd`", "got `extra`");
    Command batch = Command.line(line + "ngd --batch 5");
    assertThat(batch.code()).isEqualTo(0);
    assertThat(batch.err()).contains("warning: ignores --batch");
  }

  @Test
  void check_json_hasTheKeysOfTheIssue() {
    JsonNode json =
        Command.line(
                "check --simulate logistic --rows 200 --clients 5 --network circle:1 --alpha 0.1 --rounds 9 --format json")
            .json();
    assertThat(json.propertyNames())
        .containsExactly(
            "converges",
            "reason",
            "safeAlpha",
            "alpha",
            "spectralRadius",
            "stableDistanceToGlobal",
            "seSigmaXX",
            "seSigmaXY",
            "seScore",
            "seW",
            "rows",
            "conditions",
            "bound",
            "notes");
    assertThat(json.get("conditions").isEmpty()).isFalse();
    for (JsonNode condition : json.get("conditions")) {
      assertThat(condition.propertyNames()).contains("name", "holds", "value", "limit");
    }
  }

  @Test
  void check_oneNumber_matchesTheClosedForm() throws IOException {
    JsonNode json = Command.line(oneNumber() + " --alpha 0.1").json();
    assertThat(json.get("converges").asBoolean()).isTrue();
    assertThat(json.get("safeAlpha").asDouble()).isCloseTo(2 / 7.5, Offset.offset(1e-12));
    assertThat(json.get("spectralRadius").asDouble()).isCloseTo(1 - 0.75, Offset.offset(1e-12));
    assertThat(json.get("stableDistanceToGlobal").asDouble()).isCloseTo(0, Offset.offset(1e-12));
    assertThat(json.get("seW").asDouble()).isEqualTo(0);
  }

  @Test
  void check_alphaTooLarge_saysNoAndExitsZero() throws IOException {
    Command command = Command.line(oneNumber() + " --alpha 1");
    assertThat(command.code()).isEqualTo(0);
    assertThat(command.json().get("converges").asBoolean()).isFalse();
    assertThat(command.json().get("spectralRadius").asDouble())
        .isCloseTo(6.5, Offset.offset(1e-12));
  }

  @Test
  void check_noAlpha_takesHalfTheSafeLimit() throws IOException {
    JsonNode json = Command.line(oneNumber()).json();
    assertThat(json.get("alpha").asDouble()).isCloseTo(1 / 7.5, Offset.offset(1e-12));
    assertThat(json.at("/notes/alpha").asString()).contains("half the safe limit");
  }

  @Test
  void check_schedule_judgesItsLastStepSize() throws IOException {
    JsonNode json = Command.line(oneNumber() + " --alpha 0.2,0.1@5").json();
    assertThat(json.get("alpha").asDouble()).isEqualTo(0.1);
  }

  @Test
  void check_page_saysItInWords() {
    Command page =
        Command.line(
            "check --simulate linear --rows 200 --clients 5 --network circle:2 --alpha 0.01");
    assertThat(page.code()).isEqualTo(0);
    assertThat(page.out()).contains("It converges.", "safe alpha", "theorem 2", "SE(W)");
  }

  /** By hand: all rows have mean 3.2, and the two clients' means 0 and 4 have mean 2. */
  @Test
  void check_unequalClients_saysThatThePaperHasOneNumberOfRows() throws IOException {
    Path data = folder.resolve("unequal.csv");
    Files.writeString(data, "g,one,y\n" + "a,1,0\n".repeat(2) + "b,1,4\n".repeat(8));
    String line =
        "check --data %s --response y --features one --no-intercept --partition column:g --network complete --weights lazy:0.5 --alpha 0.001"
            .formatted(data);
    Command page = Command.line(line);
    assertThat(page.code()).as(page.err()).isZero();
    assertThat(page.out())
        .contains(
            "✗ theorems 1 to 3: the same n at every client", "8 against 2: the paper has one n")
        .contains("it does not hold here");
    JsonNode json = Command.line(line + " --format json").json();
    assertThat(json.get("stableDistanceToGlobal").asDouble()).isCloseTo(1.2, Offset.offset(0.01));
    assertThat(json.at("/conditions/0/holds").asBoolean()).isFalse();
  }

  @Test
  void check_wrongWords_namesThemAll() {
    Command wrong =
        Command.line("check --simulate linear --clients 3 --network circle:7 --rounds x");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("ngd check: --rounds: must be a whole number");
    Command more = Command.line("check --simulate linear --clients 3 --network circle:7 --batch 0");
    assertThat(more.errors()).hasSize(3);
    assertThat(more.err()).contains("--rows", "--batch", "[1, 2]");
  }

  @Test
  void check_out_holdsTheVerdictAndItsQuestion(@TempDir Path folder) throws IOException {
    Path out = folder.resolve("c");
    Command command =
        Command.line(
            "check --simulate linear --rows 200 --clients 5 --network circle:2 --alpha 0.01 --format json --out "
                + out);
    assertThat(command.code()).as(command.err()).isZero();
    assertThat(Files.readString(out.resolve("check.json"))).isEqualTo(command.out());
    assertThat(Files.readString(out.resolve("manifest.json"))).contains("\"alpha\" : [ \"0.01\" ]");
  }
}
