package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import ngd.app.Command;
import ngd.core.NumberText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page of an answer. Oracle: the numbers of its {@code result.json}. */
class ReportCommandTest {
  @TempDir private Path folder;

  /** A table whose columns have names that are no names for a page. */
  private Path table() throws IOException {
    StringBuilder rows = new StringBuilder("y,z,a<b>,site\n");
    for (int i = 0; i < 200; i++) {
      double x = Math.sin(7 * i);
      int y = (i * 13 % 10) / 10.0 < 0.5 + 0.4 * x ? 1 : 0;
      rows.append("%d,%s,%s,%d\n".formatted(y, 1000 * Math.cos(3 * i), x, i % 4));
    }
    return Files.writeString(folder.resolve("d.csv"), rows);
  }

  private Path fit(String name, String words) throws IOException {
    Path run = folder.resolve(name);
    Command command =
        Command.line(
            "fit --data %s --response y --features z,a<b> --partition column:site --network complete --out %s %s"
                .formatted(table(), run, words));
    assertThat(command.code()).as(command.err()).isZero();
    return run;
  }

  private static JsonNode result(Path run) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(run.resolve("result.json")));
  }

  private static String number(JsonNode value, int digits) {
    return NumberText.text(value.asDouble(), digits).replace("-", "−");
  }

  @Test
  void report_binomial_showsRatiosCalibrationAndAreaAndNoNameAsMarkup() throws Exception {
    Path run = fit("run", "--family binomial --anova --level 0.9");
    assertThat(Command.line("report " + run).out()).contains("written to", "report.html");
    String page = Files.readString(run.resolve("report.html"));
    JsonNode result = result(run);
    assertThat(page)
        .contains("<th>Odds ratio</th><th>5 %</th><th>95 %</th>", "<h2>Terms</h2>")
        .contains("200 rows at 4 sites")
        .contains("<td>a&lt;b&gt;</td>")
        .doesNotContain("a<b>", "<script")
        .contains("<td>" + number(result.at("/coefficients/1/ratio"), 5) + "</td>")
        .contains("Area under the curve: " + number(result.at("/discrimination/auc"), 4))
        .contains("<td>" + number(result.at("/calibration/2/observed"), 4) + "</td>");
    Matcher figure = Pattern.compile("<svg.*?</svg\\s*>", Pattern.DOTALL).matcher(page);
    int figures = 0;
    while (figure.find()) {
      figures++;
      Document drawn =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(figure.group().getBytes(StandardCharsets.UTF_8)));
      assertThat(drawn.getDocumentElement().getTextContent())
          .containsAnyOf("every line has its own scale", "mean prediction");
    }
    assertThat(figures).isEqualTo(2);
    // The same request gives the same page, over the older one or elsewhere.
    Path other = folder.resolve("other.html");
    assertThat(
            Command.line("report %s --out %s".formatted(run.resolve("result.json"), other)).code())
        .isZero();
    assertThat(Files.readString(other)).isEqualTo(page);
  }

  @Test
  void report_gaussianAndRidge_showResidualsAndWhatIsWithheld() throws Exception {
    Path run = fit("run", "--robust");
    assertThat(Command.line("report " + run).code()).isZero();
    assertThat(Files.readString(run.resolve("report.html")))
        .contains("<h2>Residuals</h2>", "<td>95 %</td>", "<th>2.5 %</th><th>97.5 %</th>")
        .doesNotContain("Odds", "Area under");
    Path ridge = fit("ridge", "--ridge 0.5 --family binomial");
    assertThat(Command.line("report " + ridge).code()).isZero();
    assertThat(Files.readString(ridge.resolve("report.html")))
        .contains("Standard errors, tests and intervals are withheld: ridge");
    Path forest = folder.resolve("forest.svg");
    assertThat(Command.line("plot %s --out %s".formatted(run, forest)).code()).isZero();
    assertThat(Files.readString(forest)).contains("every line has its own scale", "a&lt;b&gt;");
    Command two = Command.line("plot %s %s --out %s".formatted(run, ridge, forest));
    assertThat(two.code()).isEqualTo(2);
    assertThat(two.err()).contains("a pooled fit has none, and its figure is drawn alone");
  }

  @Test
  void report_survivalCurves_showsThemWithNumbersAtRisk() throws Exception {
    Path run = folder.resolve("curves");
    Command command =
        Command.run(
            "fit",
            "--formula",
            "Surv(etime, event) ~ strata(sex)",
            "--data",
            "../oracles/survival/competing.csv",
            "--partition",
            "column:hospital",
            "--network",
            "complete",
            "--times",
            "60,120,180,240,300",
            "--out",
            run.toString());
    assertThat(command.code()).as(command.err()).isZero();
    assertThat(Command.line("report " + run).code()).isZero();
    JsonNode result = result(run);
    String page = Files.readString(run.resolve("report.html"));
    assertThat(page)
        .contains("<h2>Survival</h2>", "<h2>Cumulative incidence</h2>", "1384 rows at 4 sites")
        .contains("<td>" + number(result.at("/curves/groups/1/restrictedMean"), 5) + "</td>")
        .contains("chi-squared = " + number(result.at("/curves/logRank/statistic"), 5))
        .contains("rounded up to the grid that was given")
        .doesNotContain("Coefficients", "deviance");
    Matcher figure = Pattern.compile("<svg.*?</svg\\s*>", Pattern.DOTALL).matcher(page);
    int figures = 0;
    while (figure.find()) {
      figures++;
      assertThat(figure.group())
          .contains("Numbers at risk", "sex=F", "sex=M")
          .contains(">" + result.at("/curves/groups/0/points/1/atRisk").asString() + "<");
    }
    assertThat(figures).isEqualTo(3);
    Path picture = folder.resolve("curves.svg");
    assertThat(Command.line("plot %s --out %s".formatted(run, picture)).code()).isZero();
    String drawn = Files.readString(picture);
    assertThat(drawn.split("Numbers at risk", -1)).hasSize(4);
    assertThat(drawn).contains("incidence of cause 1", "incidence of cause 2");
    List<List<Double>> paths = heights(drawn);
    for (JsonNode group : result.at("/curves/groups")) {
      requireDrawn(paths, 1, group.get("points"), "survival");
      for (JsonNode one : group.get("incidences")) {
        requireDrawn(paths, 0, one.get("points"), "incidence");
      }
    }
  }

  /** The heights of the points of every path, from the foot of a plot that is 300 high. */
  private static List<List<Double>> heights(String svg) {
    List<List<Double>> paths = new ArrayList<>();
    Matcher path = Pattern.compile(" d=\"(M[^\"]*)\"").matcher(svg);
    while (path.find()) {
      List<Double> heights = new ArrayList<>();
      for (String point : path.group(1).split("[MLZ]", -1)) {
        if (!point.isBlank()) {
          heights.add((316 - Double.parseDouble(point.strip().split("[ ,]+", -1)[1])) / 300);
        }
      }
      paths.add(heights);
    }
    return paths;
  }

  /** Steps from where a curve starts, through the answer's values. */
  private static void requireDrawn(
      List<List<Double>> paths, double start, JsonNode points, String value) {
    List<Double> steps = new ArrayList<>(List.of(start));
    for (JsonNode point : points) {
      steps.add(steps.getLast());
      steps.add(point.get(value).asDouble());
    }
    assertThat(paths)
        .as("%s %s", value, steps)
        .anySatisfy(
            path -> {
              assertThat(path).hasSameSizeAs(steps);
              for (int i = 0; i < steps.size(); i++) {
                assertThat(path.get(i)).isCloseTo(steps.get(i), within(1e-4));
              }
            });
  }

  @Test
  void report_ofSomethingElse_isRefusedAndNothingIsWritten() throws Exception {
    Path method = fit("method", "--alpha 0.00000001 --rounds 2");
    Path damaged = Files.createDirectory(folder.resolve("damaged"));
    Files.writeString(damaged.resolve("result.json"), "{\"deviance\": 1, \"model\": {}}");
    for (Path run : new Path[] {method, damaged}) {
      Command refused = Command.line("report " + run);
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains("must be from a pooled fit");
      assertThat(run.resolve("report.html")).doesNotExist();
    }
    assertThat(Command.line("report " + folder.resolve("none")).err()).contains("is missing");
    Command nowhere =
        Command.line("report %s --out %s".formatted(method, folder.resolve("no/x.html")));
    assertThat(nowhere.code()).isEqualTo(2);
    assertThat(nowhere.err()).contains("--out: must be a file in a folder that can be written");
  }
}
