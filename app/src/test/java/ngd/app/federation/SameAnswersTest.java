package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The same question, asked of a rehearsal in one process and of real peers: the same files, keys
 * and bits. Oracle: the rehearsal.
 */
@ExtendWith(QuickStart.class)
class SameAnswersTest {
  @TempDir Path dir;
  private final List<TableAddress> data = new ArrayList<>();

  /** Unequal sites, a factor, exposures, weights, and a missing value here and there. */
  @BeforeEach
  void write() throws IOException {
    for (int m = 0; m < 2; m++) {
      StringBuilder rows = new StringBuilder("y,x,g,t,w,d\n");
      for (int i = 0; i < 40 + 25 * m; i++) {
        String x = i % 17 == 3 ? "" : Double.toString(Math.sin(3 * i + m));
        int y = (i * 7 + m) % 5 < 2 + (i % 3 == 0 ? 1 : 0) ? 1 : 0;
        rows.append(
            "%d,%s,%s,%s,%d,%s\n"
                .formatted(
                    y,
                    x,
                    "aßc".charAt(i % 3),
                    1 + i % 4,
                    1 + i % 2,
                    LocalDate.of(2020, 1, 1).plusDays(9L * i)));
      }
      String site = m == 0 ? "north" : "north-2";
      // The second site writes decimal commas, and not in UTF-8.
      String text = m == 0 ? rows.toString() : rows.toString().replace(',', ';').replace('.', ',');
      Path file =
          Files.writeString(
              dir.resolve(site + ".csv"),
              text,
              m == 0 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
      data.add(TableAddress.of(site, file.toString()));
    }
  }

  private static final String FORMULA =
      "y ~ x + g + I(month(d)/10) + offset(log(t)/10) + weights(w)";

  private static final List<String> FORMAT =
      List.of("decimal", "north-2=,", "encoding", "north-2=latin-1");

  /** The addresses end in each other, which text alone cannot tell apart. */
  private static final List<Site> SITES =
      List.of(new Site("north", "h.example.org", 7), new Site("north-2", "2.h.example.org", 7));

  private static JsonNode json(Path file) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(file));
  }

  private LocalFederation asked(String... more) throws Exception {
    PlanTemplate plan = new PlanTemplate().with("formula", FORMULA).with("network", "complete");
    for (int i = 0; i < FORMAT.size(); i += 2) {
      plan.with(FORMAT.get(i), FORMAT.get(i + 1));
    }
    for (int i = 0; i < more.length; i += 2) {
      plan.with(more[i], more[i + 1]);
    }
    Path folder = Files.createDirectory(dir.resolve("federation"));
    LocalFederation federation = LocalFederation.make(folder, plan.text(SITES), data);
    BothWorlds.run(federation, data);
    return federation;
  }

  private Path rehearsed(String... more) {
    Path out = dir.resolve("rehearsed");
    List<String> line = new ArrayList<>(List.of("fit", "--formula", FORMULA));
    line.addAll(List.of("--network", "complete", "--out", out.toString()));
    data.forEach(site -> line.addAll(List.of("--site", site.site() + "=" + site.location())));
    for (int i = 0; i < FORMAT.size(); i += 2) {
      line.addAll(List.of("--" + FORMAT.get(i), FORMAT.get(i + 1)));
    }
    for (int i = 0; i < more.length; i += 2) {
      line.add(
          more[i + 1].equals("true") ? "--" + more[i] : "--%s=%s".formatted(more[i], more[i + 1]));
    }
    Command command = Command.run(line.toArray(String[]::new));
    assertThat(command.code()).as(command.err()).isZero();
    return out;
  }

  private static Set<String> names(JsonNode object) {
    return new TreeSet<>(object.propertyNames());
  }

  @Test
  void pooled_peersAndRehearsal_areTheSameFilesKeysAndBits() throws Exception {
    String[] options = {
      "family",
      "binomial",
      "link",
      "probit",
      "robust",
      "hc1",
      "level",
      "0.9",
      "heterogeneity",
      "true",
      "anova",
      "true"
    };
    Path fit = rehearsed(options);
    JsonNode expected = json(fit.resolve("result.json"));
    assertThat(names(expected)).contains("anova", "calibration", "discrimination");
    try (LocalFederation federation = asked(options)) {
      for (TableAddress site : data) {
        Path folder = federation.site(site.site());
        JsonNode found = json(folder.resolve("result.json"));
        for (String file : List.of("coefficients.csv", "vcov.csv")) {
          assertThat(Files.readString(folder.resolve(file)))
              .isEqualTo(Files.readString(fit.resolve(file)));
        }
        Set<String> keys = names(found);
        assertThat(keys).contains("site", "plan", "exposure");
        keys.removeAll(Set.of("site", "plan", "exposure"));
        assertThat(keys).isEqualTo(names(expected));
        for (String key : keys) {
          if (!key.equals("rowsBySite")) {
            assertThat(found.get(key)).as(key).isEqualTo(expected.get(key));
          }
        }
        assertThat(found.get("rowsDropped").asInt()).isEqualTo(3 + 4);
        assertThat(found.get("rowsBySite")).hasSize(1);
        assertThat(expected.get("rowsBySite")).contains(found.get("rowsBySite").get(0));
        assertThat(json(folder.resolve("manifest.json")).at("/question/link").asString())
            .isEqualTo("probit");
        assertThat(Files.readString(folder.resolve("log.err")))
            .contains("rows dropped; missing: x in");
        String rows = Files.writeString(dir.resolve("new.csv"), "x,g,t\n0.5,b,2\n").toString();
        assertThat(Command.run("predict", "--model", folder.toString(), "--data", rows).out())
            .isEqualTo(Command.run("predict", "--model", fit.toString(), "--data", rows).out());
      }
    }
  }

  /** Standard errors are withheld by peers as by the rehearsal, and predictions do without. */
  @Test
  void ridge_peersAndRehearsal_withholdTheSame() throws Exception {
    String[] options = {"family", "binomial", "ridge", "0.3"};
    Path fit = rehearsed(options);
    JsonNode expected = json(fit.resolve("result.json"));
    String rows = Files.writeString(dir.resolve("new.csv"), "x,g,t\n0.5,b,2\n").toString();
    try (LocalFederation federation = asked(options)) {
      for (TableAddress site : data) {
        Path folder = federation.site(site.site());
        JsonNode found = json(folder.resolve("result.json"));
        for (String key : List.of("coefficients", "vcov", "withheld", "notes", "covariance")) {
          assertThat(found.get(key)).as(key).isEqualTo(expected.get(key));
        }
        assertThat(found.get("withheld").asString()).contains("biased towards 0");
        assertThat(folder.resolve("vcov.csv")).doesNotExist();
        assertThat(Files.readString(folder.resolve("coefficients.csv")))
            .isEqualTo(Files.readString(fit.resolve("coefficients.csv")));
        assertThat(Files.readString(folder.resolve("log.out"))).contains("withheld: ridge");
        Command predicted =
            Command.run("predict", "--model", folder.toString(), "--data", rows, "--interval");
        assertThat(predicted.err()).contains("which the fit withheld");
      }
    }
  }

  @Test
  void algorithm_peersAndRehearsal_haveTheSameKeysAndBits() throws Exception {
    String[] options = {
      "family", "binomial", "algorithm", "balanced-ngd", "alpha", "0.05", "rounds", "60"
    };
    Path fit = rehearsed(options);
    List<String> theta = Files.readAllLines(fit.resolve("theta.csv"));
    JsonNode expected = json(fit.resolve("result.json"));
    try (LocalFederation federation = asked(options)) {
      for (int m = 0; m < 2; m++) {
        Path folder = federation.site(data.get(m).site());
        assertThat(Files.readAllLines(folder.resolve("theta.csv")))
            .containsExactly(theta.getFirst(), theta.get(m + 1));
        Set<String> keys = names(json(folder.resolve("result.json")));
        keys.removeAll(Set.of("site", "plan", "exposure"));
        assertThat(keys).isEqualTo(names(expected));
      }
    }
  }
}
