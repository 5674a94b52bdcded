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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cox models and survival curves, asked of a rehearsal and of real peers: the same bits. Oracle:
 * the rehearsal.
 */
class SameSurvivalTest {
  private static final long PATIENCE_S = 120;
  private static final List<Site> SITES =
      List.of(new Site("h1", "h.example.org", 7), new Site("h2", "2.h.example.org", 7));

  @TempDir Path dir;
  private final List<TableAddress> data = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../oracles/survival/mgus.csv"));
    for (Site site : SITES) {
      List<String> own = new ArrayList<>(List.of(lines.getFirst()));
      lines.stream().filter(line -> line.endsWith("," + site.name())).forEach(own::add);
      Path file = Files.write(dir.resolve(site.name() + ".csv"), own);
      data.add(TableAddress.of(site.name(), file.toString()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Surv(futime; death) ~ age + sex + strata(site), identity, hc0",
    "Surv(futime; death) ~ age + strata(sex), km, hc1"
  })
  void cox_peersAndRehearsal_areTheSameBits(String semicolons, String zph, String robust)
      throws Exception {
    String formula = semicolons.replace(';', ',');
    Path out = dir.resolve("rehearsed");
    List<String> line = new ArrayList<>(List.of("fit", "--formula", formula));
    line.addAll(List.of("--network", "complete", "--out", out.toString()));
    line.addAll(List.of("--zph=" + zph, "--robust=" + robust, "--ties", "breslow"));
    data.forEach(site -> line.addAll(List.of("--site", site.site() + "=" + site.location())));
    Command command = Command.run(line.toArray(String[]::new));
    assertThat(command.code()).as(command.err()).isZero();
    JsonNode expected = json(out);
    PlanTemplate plan =
        new PlanTemplate()
            .with("formula", formula)
            .with("family", "cox")
            .with("ties", "breslow")
            .with("zph", zph)
            .with("robust", robust)
            .with("network", "complete");
    Path folder = Files.createDirectory(dir.resolve("federation"));
    try (LocalFederation federation = LocalFederation.make(folder, plan.text(SITES), data)) {
      federation.start();
      while (!federation.ended(50)) {
        assertThat(federation.seconds()).isLessThan(PATIENCE_S);
      }
      for (TableAddress site : data) {
        Path own = federation.site(site.site());
        assertThat(Files.readString(own.resolve("coefficients.csv")))
            .isEqualTo(Files.readString(out.resolve("coefficients.csv")));
        assertThat(Files.readString(own.resolve("vcov.csv")))
            .isEqualTo(Files.readString(out.resolve("vcov.csv")));
        assertThat(json(own).get("cox")).isEqualTo(expected.get("cox"));
        if (!formula.contains("site")) {
          assertThat(Files.readString(own.resolve("baseline.csv")))
              .isEqualTo(Files.readString(out.resolve("baseline.csv")));
        }
      }
    }
  }

  @Test
  void curves_peersAndRehearsal_areTheSameBits() throws Exception {
    String formula = "Surv(futime, death) ~ strata(sex)";
    Path out = dir.resolve("rehearsed");
    List<String> line = new ArrayList<>(List.of("fit", "--formula", formula));
    line.addAll(List.of("--network", "complete", "--out", out.toString()));
    line.addAll(List.of("--conf-type", "log-log", "--tau", "200"));
    data.forEach(site -> line.addAll(List.of("--site", site.site() + "=" + site.location())));
    Command command = Command.run(line.toArray(String[]::new));
    assertThat(command.code()).as(command.err()).isZero();
    PlanTemplate plan =
        new PlanTemplate()
            .with("formula", formula)
            .with("family", "survival")
            .with("conf-type", "log-log")
            .with("tau", "200")
            .with("network", "complete");
    Path folder = Files.createDirectory(dir.resolve("federation"));
    try (LocalFederation federation = LocalFederation.make(folder, plan.text(SITES), data)) {
      federation.start();
      while (!federation.ended(50)) {
        assertThat(federation.seconds()).isLessThan(PATIENCE_S);
      }
      for (TableAddress site : data) {
        Path own = federation.site(site.site());
        assertThat(Files.readString(own.resolve("curves.csv")))
            .isEqualTo(Files.readString(out.resolve("curves.csv")));
        assertThat(json(own).get("curves")).isEqualTo(json(out).get("curves"));
        assertThat(json(own).get("notes")).isEqualTo(json(out).get("notes"));
      }
    }
  }

  private static JsonNode json(Path folder) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve("result.json")));
  }
}
