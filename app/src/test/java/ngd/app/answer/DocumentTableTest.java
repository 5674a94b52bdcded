package ngd.app.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ngd.app.Command;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Oracle: what the fit itself printed. */
class DocumentTableTest {
  @TempDir private Path folder;

  private static Path data() {
    Path here = Path.of("").toAbsolutePath();
    Path own = here.resolve("oracles");
    return (Files.isDirectory(own) ? own : here.resolveSibling("oracles"))
        .resolve("glm/synthetic.csv");
  }

  private JsonNode result() throws Exception {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve("run/result.json")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--family=binomial --anova",
        "--family=binomial --exponentiate --level=0.9",
        "--family=gaussian --robust",
        "--family=binomial --ridge=1"
      })
  void print_fromTheFile_hasTheTablesOfTheFit(String options) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                "fit",
                "--formula",
                "binary ~ x1 + x2",
                "--data",
                data().toString(),
                "--partition",
                "column:site",
                "--network",
                "central",
                "--out",
                folder.resolve("run").toString()));
    line.addAll(List.of(options.split(" ", -1)));
    Command fit = Command.run(line.toArray(String[]::new));
    assertThat(fit.code()).as(fit.err()).isZero();
    JsonNode result = result();
    assertThat(DocumentTable.fits(result)).isTrue();
    StringWriter written = new StringWriter();
    try (PrintWriter out = new PrintWriter(written)) {
      DocumentTable.print(result, out);
    }
    List<String> shown = written.toString().lines().toList();
    List<String> fitted = fit.out().lines().toList();
    // From the heading to the last coefficient, word for word.
    int from = heading(fitted);
    assertThat(shown.subList(heading(shown), heading(shown) + 4))
        .isEqualTo(fitted.subList(from, from + 4));
    if (options.contains("--anova")) {
      int tests = index(fitted, "Analysis of deviance, terms added in this order:");
      int here = index(shown, "Analysis of deviance, terms added in this order:");
      assertThat(shown.subList(here, here + 5)).isEqualTo(fitted.subList(tests, tests + 5));
    }
    assertThat(written.toString())
        .contains("binary ~ x1 + x2", "Residual deviance: ", " sites")
        .contains(options.contains("ridge") ? "withheld: " : " %");
  }

  private static int heading(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains("(Intercept)")) {
        return i - 1;
      }
    }
    throw new AssertionError(lines.toString());
  }

  private static int index(List<String> lines, String text) {
    assertThat(lines).contains(text);
    return lines.indexOf(text);
  }
}
