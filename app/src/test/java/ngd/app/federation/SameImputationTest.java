package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import ngd.app.QuickStart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Imputed rows, asked of a rehearsal and of real peers. Each peer fills its own gaps with random
 * numbers that nobody else knows, so that peers agree with each other to the bit, and with the
 * rehearsal on all that is not drawn; what is, within its error. Oracle: the rehearsal.
 */
@ExtendWith(QuickStart.class)
class SameImputationTest {
  @TempDir Path dir;

  @Test
  void peersAndRehearsal_sayTheSameButForDraws() throws Exception {
    StringBuilder rows = new StringBuilder("y,x,b,hospital\n");
    for (int i = 0; i < 420; i++) {
      rows.append(
          "%s,%s,%s,%s%n"
              .formatted(
                  i % 7 == 0 ? "" : Double.toString(i * 13 % 29 / 7.0),
                  i % 5 == 0 ? "" : Double.toString(i * 17 % 31 / 5.0),
                  i % 4 == 0 ? "" : i * 11 % 13 < 6 ? "u" : "v",
                  i % 3 == 0 ? "h1" : "h2"));
    }
    BothWorlds.Answers answers =
        new BothWorlds(dir, Files.writeString(dir.resolve("rows.csv"), rows))
            .ask(
                Map.of(
                    "formula", "y ~ x + b",
                    "family", "gaussian",
                    "impute", "20",
                    "impute-iterations", "1"));
    answers.requireSameParts("model", "rows");
    List<Path> peers = List.copyOf(answers.sites().values());
    for (String file : List.of("coefficients.csv", "vcov.csv", "imputation.csv")) {
      assertThat(peers.getFirst().resolve(file))
          .hasSameTextualContentAs(peers.getLast().resolve(file));
    }
    JsonNode found = json(peers.getFirst());
    JsonNode expected = json(answers.rehearsed());
    assertThat(found.at("/imputation/variables")).isEqualTo(expected.at("/imputation/variables"));
    for (int j = 0; j < expected.get("coefficients").size(); j++) {
      JsonNode one = expected.get("coefficients").get(j);
      double estimate = found.get("coefficients").get(j).get("estimate").asDouble();
      double error = one.get("stdError").asDouble();
      assertThat(estimate)
          .as(one.get("term").asString())
          .isNotEqualTo(one.get("estimate").asDouble())
          .isCloseTo(one.get("estimate").asDouble(), within(error));
    }
  }

  private static JsonNode json(Path folder) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve("result.json")));
  }
}
