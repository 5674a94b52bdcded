package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The oracles are the issue's list of keys and closed forms of circles and stars. */
class NetworkCommandTest {
  private static final List<String> KEYS =
      List.of(
          "clients",
          "edges",
          "inDegree",
          "outDegree",
          "unheard",
          "transient",
          "closedClasses",
          "irreducible",
          "period",
          "balance",
          "sigmaMax",
          "sigmaMinPlus",
          "rhoSigmaW",
          "secondEigenvalue",
          "stationary",
          "warnings",
          "notes");

  @Test
  void network_circleAsJson_hasTheKeysOfTheIssueAndTheirClosedForms() {
    JsonNode json = Command.line("network --network circle:2 --clients 200 --format json").json();
    assertThat(json.propertyNames()).containsExactlyElementsOf(KEYS);
    assertThat(json.get("clients").asInt()).isEqualTo(200);
    assertThat(json.get("edges").asInt()).isEqualTo(400);
    assertThat(json.at("/inDegree/min").asInt()).isEqualTo(2);
    assertThat(json.at("/outDegree/max").asInt()).isEqualTo(2);
    assertThat(json.get("unheard").asInt()).isEqualTo(0);
    assertThat(json.get("transient").asInt()).isEqualTo(0);
    assertThat(json.get("closedClasses").toString()).isEqualTo("[200]");
    assertThat(json.get("irreducible").asBoolean()).isTrue();
    assertThat(json.get("period").asInt()).isEqualTo(1);
    assertThat(json.at("/balance/se").asDouble()).isCloseTo(0, Offset.offset(1e-12));
    assertThat(json.at("/balance/expectedSe2").asDouble()).isEqualTo(0);
    assertThat(json.get("sigmaMax").asDouble()).isCloseTo(1, Offset.offset(1e-9));
    // The eigenvalues of circle:2 are (ω + ω²) / 2, of modulus |cos(π k / M)|.
    assertThat(json.get("secondEigenvalue").asDouble())
        .isCloseTo(Math.cos(Math.PI / 200), Offset.offset(1e-9));
    assertThat(json.at("/stationary/min").asDouble()).isCloseTo(1 / 200.0, Offset.offset(1e-12));
    assertThat(json.get("warnings").isEmpty()).isTrue();
  }

  /** Schedules whose period is one round are constant networks: here complete ones. */
  @ParameterizedTest
  @CsvSource({"base:1, 2", "base:2, 3", "base:3, 4", "one-peer-exponential, 2"})
  void network_byRoundsWhosePeriodIsOne_isJudgedAsConstant(String network, int clients) {
    JsonNode json =
        Command.line("network --network " + network + " --clients " + clients + " --format json")
            .json();
    assertThat(json.at("/balance/se").asDouble()).isCloseTo(0, Offset.offset(1e-14));
    assertThat(json.get("secondEigenvalue").asDouble()).isCloseTo(0, Offset.offset(1e-12));
    assertThat(json.at("/stationary/min").asDouble())
        .isCloseTo(1.0 / clients, Offset.offset(1e-14));
  }

  /** Oracle: the base-(k+1) graph averages exactly, so that its product is 11ᵀ / M. */
  @Test
  void network_byRounds_isJudgedByTheProductOfAPeriod(@TempDir Path folder) {
    Path out = folder.resolve("base");
    JsonNode json =
        Command.line("network --network base:1 --clients 6 --format json --out " + out).json();
    assertThat(json.at("/rounds/period").asInt()).isEqualTo(4);
    assertThat(json.at("/rounds/judged").asString())
        .isEqualTo("the product of W over a period of 4 rounds");
    assertThat(json.get("irreducible").asBoolean()).isTrue();
    assertThat(json.at("/balance/se").asDouble()).isCloseTo(0, Offset.offset(1e-14));
    assertThat(json.get("secondEigenvalue").asDouble()).isCloseTo(0, Offset.offset(1e-14));
    assertThat(json.at("/stationary/min").asDouble()).isCloseTo(1 / 6.0, Offset.offset(1e-14));
    // What is written is read again as the same network.
    JsonNode again =
        Command.line(
                "network --network file:%s --clients 6 --format json"
                    .formatted(out.resolve("edges.csv")))
            .json();
    assertThat(again).isEqualTo(json);
  }

  /** Oracle: a client of an even number is paired with each other once in M − 1 rounds. */
  @Test
  void network_drawnInEveryRound_isJudgedInExpectationAndSaysSo() {
    Command page = Command.line("network --network random-matching --clients 6");
    assertThat(page.out())
        .contains(
            "random-matching, own weights: 6 clients, 30 links over all rounds",
            "Judged by the expected W of a round",
            "not of any one run");
    JsonNode json =
        Command.line(
                "network --network complete --weights metropolis --clients 4 --link-failures"
                    + " 0.1:0.3 --format json")
            .json();
    assertThat(json.at("/rounds/period").isNull()).isTrue();
    // Links of weight 1/4 that are up 3/4 of the time: 1 − 4 · 3/16.
    assertThat(json.get("secondEigenvalue").asDouble()).isCloseTo(0.25, Offset.offset(1e-12));
  }

  @Test
  void network_fileWithNames_callsClientsByThem(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("named.csv"), "client,hears\nnorth,east\neast,north\nsouth,east\n");
    Command page = Command.line("network --network file:%s --clients 3".formatted(file));
    assertThat(page.out()).contains("1 of 3 clients is heard by nobody (south)");
    Path out = folder.resolve("out");
    assertThat(
            Command.line("network --network file:%s --clients 3 --out %s".formatted(file, out))
                .code())
        .isEqualTo(0);
    assertThat(Files.readString(out.resolve("edges.csv"))).contains("south,east,1.0");
  }

  @Test
  void network_central_isWarnedOf() {
    Command page = Command.line("network --network central --clients 10");
    assertThat(page.code()).isEqualTo(0);
    // SE² = (M − 2)² / (M − 1) = 64 / 9.
    assertThat(page.out()).contains("central, uniform weights: 10 clients, 18 links", "2.6667");
    assertThat(page.out().lines().filter(line -> line.startsWith("! "))).isNotEmpty();
  }

  @Test
  void network_fixed_namesTheUnheardInPlainWords() {
    Command page = Command.line("network --network fixed:2 --clients 200 --seed 3");
    assertThat(page.out())
        .containsPattern("! \\d+ of 200 clients are heard by nobody")
        .contains("`regular:2` costs the same and has none");
  }

  @Test
  void network_wrongWordsButAVerdict_exitsZero() {
    assertThat(Command.line("network --network fixed:1 --clients 9 --seed 5").code()).isEqualTo(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--clients 9 --network cirle:2 | did you mean `circle",
        "--clients 9 --network circle:9 | [1, 8]",
        "--clients 9 --network circle:two | whole number",
        "--clients 0 --network complete | at least 1",
        "--clients 9 --network circle:2 --weights metropolis | mutual",
        "--clients 9 --network ring:2 --weights metropolis:rows | where there are data",
        "--clients 9 --network file:nowhere.csv | nowhere.csv",
        "--network circle:2 | --clients: must be given",
        "--clients 9 | --network: must be given",
      })
  void network_wrongWords_saysWhatIsAllowed(String words, String message) {
    Command wrong = Command.line("network " + words);
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err()).startsWith("ngd network: ").contains(message);
  }

  /** The oracle: the network read back from the file of weights is the one that wrote it. */
  @ParameterizedTest
  @ValueSource(strings = {"circle:2 uniform", "ring:2 metropolis", "central lazy:0.5"})
  void network_out_readBackIsTheSame(String asked, @TempDir Path dir) {
    String[] words = asked.split(" ", -1);
    Path folder = dir.resolve("net");
    Command first =
        Command.run(
            "network",
            "--network",
            words[0],
            "--weights",
            words[1],
            "--clients",
            "7",
            "--out",
            folder.toString(),
            "--format",
            "json");
    assertThat(first.err()).isEmpty();
    assertThat(folder.resolve("network.json")).hasContent(first.out());
    Command again =
        Command.run(
            "network",
            "--network",
            "file:" + folder.resolve("edges.csv"),
            "--clients",
            "7",
            "--format",
            "json");
    assertThat(again.err()).isEmpty();
    for (String key : List.of("clients", "edges", "inDegree", "outDegree", "irreducible")) {
      assertThat(again.json().get(key)).isEqualTo(first.json().get(key));
    }
    assertThat(again.json().path("balance").path("se").asDouble())
        .isCloseTo(first.json().path("balance").path("se").asDouble(), Offset.offset(1e-12));
  }
}
