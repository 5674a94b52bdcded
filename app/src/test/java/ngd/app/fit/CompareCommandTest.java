package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Oracles: each algorithm's own fit, and messages counted by hand. */
class CompareCommandTest {
  @TempDir private Path folder;

  private static final String PROBLEM =
      " --simulate linear --rows 400 --clients 8 --network ring:2 --weights lazy-metropolis --partition sorted --alpha 0.02 --rounds 500";

  @Test
  void compare_twoAlgorithms_agreesWithTheirFits() {
    Command compared = Command.line("compare --format json --algorithms ngd,extra" + PROBLEM);
    assertThat(compared.err()).isEmpty();
    JsonNode lines = compared.json().get("algorithms");
    assertThat(lines.size()).isEqualTo(2);
    for (JsonNode line : lines) {
      String name = line.get("algorithm").asString();
      JsonNode fit = Command.line("fit --format json --algorithm " + name + PROBLEM).json();
      assertThat(line.get("distanceToGlobal")).isEqualTo(fit.get("distanceToGlobal"));
      assertThat(line.get("rounds").asInt()).isEqualTo(500);
      // Four links a client, eight coefficients of eight bytes.
      assertThat(line.get("messages").asLong()).isEqualTo(500 * 8 * 4);
      assertThat(line.get("bytes").asLong()).isEqualTo(500 * 8 * 4 * 64);
    }
  }

  @Test
  void compare_out_writesTableAndTraces() throws IOException {
    Path out = folder.resolve("c");
    Command compared =
        Command.line("compare --algorithms ngd,d2,diging --trace-every 100 --out " + out + PROBLEM);
    assertThat(compared.code()).isZero();
    assertThat(compared.out()).contains("algorithm", "distance", "d2", "diging");
    List<String> lines = Files.readAllLines(out.resolve("compare.csv"));
    assertThat(lines).hasSize(4);
    assertThat(lines.getFirst())
        .isEqualTo("algorithm,distance,consensus,rounds,messages,bytes,seconds");
    assertThat(Files.readAllLines(out.resolve("trace.csv"))).hasSize(1 + 3 * 6);
    assertThat(Files.readString(out.resolve("rounds.svg"))).startsWith("<svg").contains("diging");
    assertThat(out.resolve("bytes.png")).isNotEmptyFile();
    // The manifest repeats it, but for the seconds.
    Path again = folder.resolve("again");
    Command repeated =
        Command.run("compare", out.resolve("manifest.json").toString(), "--out", again.toString());
    assertThat(repeated.code()).as(repeated.err()).isZero();
    assertThat(Files.readString(again.resolve("trace.csv")))
        .isEqualTo(Files.readString(out.resolve("trace.csv")));
    assertThat(Files.readString(again.resolve("manifest.json")))
        .isEqualTo(Files.readString(out.resolve("manifest.json")));
  }

  @Test
  void compare_outThatIsInUse_isLeftAlone() throws IOException {
    Path out = Files.createDirectory(folder.resolve("used"));
    Files.writeString(out.resolve("mine.txt"), "mine");
    Command refused = Command.line("compare --algorithms ngd,d2 --out " + out + PROBLEM);
    assertThat(refused.code()).isEqualTo(2);
    try (var files = Files.list(out)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void compare_thePooledAnswer_isRefusedAmongMethods() {
    for (String word : List.of("pooled", "pooled-rounds")) {
      Command refused = Command.line("compare --algorithms ngd," + word + PROBLEM);
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .contains("--algorithms: must be methods")
          .contains("got `%s`".formatted(word));
    }
  }

  @Test
  void compare_oneDiverges_theOthersStand() {
    Command compared =
        Command.line(
            "compare --format json --algorithms collaborative,ngd"
                + PROBLEM.replace("0.02", "0.6"));
    assertThat(compared.code()).isZero();
    JsonNode lines = compared.json().get("algorithms");
    assertThat(lines.get(0).get("distanceToGlobal").isNumber()).isTrue();
    assertThat(lines.get(1).get("failure").asString()).contains("diverg");
  }

  @Test
  void compare_wrongWords_namesAllAtOnce() {
    Command compared =
        Command.line(
            "compare --algorithms exta,extra,cfa-ge --simulate linear --rows 100 --clients 5 --network circle:2 --rounds 10 --alpha 0.1");
    assertThat(compared.code()).isEqualTo(2);
    assertThat(compared.err()).contains("did you mean `extra`");
    Command unsuited =
        Command.line(
            "compare --algorithms extra,cfa-ge --simulate linear --rows 100 --clients 5 --network circle:2 --rounds 10 --alpha 0.1");
    assertThat(unsuited.code()).isEqualTo(2);
    assertThat(unsuited.err()).contains("`extra`: needs a symmetric W", "`cfa-ge`: needs mutual");
  }
}
