package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ngd.app.Command;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Models with random terms, asked of a rehearsal and of real peers: the same bits. Oracle: the
 * rehearsal.
 */
class SameMixedTest {
  private static final long PATIENCE_S = 120;
  private static final List<Site> SITES =
      List.of(new Site("h1", "h.example.org", 7), new Site("h2", "2.h.example.org", 7));

  @TempDir Path dir;
  private final List<TableAddress> data = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../oracles/mixed/sleep.csv"));
    for (Site site : SITES) {
      List<String> own = new ArrayList<>(List.of(lines.getFirst()));
      lines.stream().filter(line -> line.endsWith("," + site.name())).forEach(own::add);
      Path file = Files.write(dir.resolve(site.name() + ".csv"), own);
      data.add(TableAddress.of(site.name(), file.toString()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Reaction ~ Days + (Days | subject), yes",
    "Reaction ~ Days + (1 | subject) + (1 | site), no"
  })
  void peersAndRehearsal_areTheSameBits_andEffectsStay(String formula, String reml)
      throws Exception {
    Path out = dir.resolve("rehearsed");
    List<String> line = new ArrayList<>(List.of("fit", "--formula", formula));
    line.addAll(List.of("--network", "complete", "--out", out.toString()));
    line.addAll(List.of("--reml", reml, "--anova"));
    data.forEach(site -> line.addAll(List.of("--site", site.site() + "=" + site.location())));
    Command command = Command.run(line.toArray(String[]::new));
    assertThat(command.code()).as(command.err()).isZero();
    JsonNode expected = json(out);
    PlanTemplate plan =
        new PlanTemplate()
            .with("formula", formula)
            .with("family", "gaussian")
            .with("reml", reml)
            .with("anova", "true")
            .with("network", "complete");
    Path folder = Files.createDirectory(dir.resolve("federation"));
    try (LocalFederation federation = LocalFederation.make(folder, plan.text(SITES), data)) {
      federation.start();
      while (!federation.ended(50)) {
        assertThat(federation.seconds()).isLessThan(PATIENCE_S);
      }
      for (TableAddress site : data) {
        Path own = federation.site(site.site());
        for (String file : List.of("coefficients.csv", "vcov.csv", "variances.csv")) {
          assertThat(own.resolve(file)).hasSameTextualContentAs(out.resolve(file));
        }
        assertThat(json(own).get("mixed")).isEqualTo(expected.get("mixed"));
        assertThat(json(own).get("anova")).isEqualTo(expected.get("anova"));
        assertThat(own.resolve("random_effects.csv"))
            .hasSameTextualContentAs(
                out.resolve("sites").resolve(site.site()).resolve("random_effects.csv"));
      }
    }
  }

  private static JsonNode json(Path folder) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve("result.json")));
  }
}
