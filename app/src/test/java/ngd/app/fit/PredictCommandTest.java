package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracle: a saturated model, whose predictions are the means of the rows that share a level. */
class PredictCommandTest {
  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** Counts with means 2, 4 and 8 at the levels a, b and c, at three times the exposure. */
  @BeforeEach
  void fit() throws IOException {
    Path data =
        file(
            "d.csv",
            "y,g,t\n3,a,3\n9,a,3\n6,a,3\n12,b,3\n12,b,3\n15,b,3\n9,b,3\n20,c,3\n28,c,3\n24,c,3\n24,c,3\n6,a,3\n");
    Command fitted =
        Command.run(
            "fit",
            "--data",
            data.toString(),
            "--formula",
            "y ~ factor(g) + offset(log(t))",
            "--family",
            "poisson",
            "--clients",
            "3",
            "--network",
            "circle:1",
            "--bias-share",
            "1e-6",
            "--out",
            folder.resolve("run").toString());
    assertThat(fitted.code()).as(fitted.err()).isZero();
  }

  private Command predict(Path data, String... words) {
    List<String> all =
        new java.util.ArrayList<>(
            List.of(
                "predict", "--model", folder.resolve("run").toString(), "--data", data.toString()));
    all.addAll(List.of(words));
    return Command.run(all.toArray(String[]::new));
  }

  private static double[] numbers(String line) {
    String[] fields = line.split(",", -1);
    double[] numbers = new double[fields.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = fields[i].isEmpty() ? Double.NaN : Double.parseDouble(fields[i]);
    }
    return numbers;
  }

  @Test
  void predict_newRows_givesTheMeansOfTheirLevelsTimesTheirExposure() throws IOException {
    Path rows = file("new.csv", "t,g\n1,c\n2,a\n,b\n10,b\n");
    Command command = predict(rows, "--interval");
    assertThat(command.err()).isEmpty();
    List<String> lines = command.out().lines().toList();
    assertThat(lines.getFirst()).isEqualTo("row,prediction,conf_low,conf_high");
    assertThat(numbers(lines.get(1))[1]).isCloseTo(8, within(1e-5));
    assertThat(numbers(lines.get(2))[1]).isCloseTo(4, within(1e-5));
    assertThat(lines.get(3)).isEqualTo("3,,,");
    assertThat(numbers(lines.get(4))[1]).isCloseTo(40, within(1e-4));
    // The variance of a log mean of n counts with mean m is 1 / (n m): here 96 events in all.
    double halfWidth = 1.959963984540054 / Math.sqrt(96);
    assertThat(numbers(lines.get(1))[2]).isCloseTo(8 * Math.exp(-halfWidth), within(1e-4));
    assertThat(numbers(lines.get(1))[3]).isCloseTo(8 * Math.exp(halfWidth), within(1e-4));
    Command link = predict(rows, "--type", "link");
    assertThat(numbers(link.out().lines().toList().get(1))[1]).isCloseTo(Math.log(8), within(1e-6));
  }

  @Test
  void predict_toAFile_writesItWholeAndNotOverAnother() throws IOException {
    Path rows = file("new.csv", "t,g\n1,c\n");
    Path out = folder.resolve("p.csv");
    assertThat(predict(rows, "--out", out.toString()).code()).isZero();
    assertThat(Files.readAllLines(out)).hasSize(2);
    Command again = predict(rows, "--out", out.toString());
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("--out: must be a new file");
    Path bad = file("bad.csv", "t,g\n1,c\n1,z\n");
    Path other = folder.resolve("other.csv");
    Command refused = predict(bad, "--out", other.toString());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .contains("bad.csv, row 2: factor(g): must be one of the levels that the model knows")
        .contains("a row has `z`");
    try (var files = Files.list(folder)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.contains("other"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t,h\\n1,c\\n | must have the column `g`, which the model uses; it does not",
        "t,g\\nx,c\\n | the column `t` must hold numbers as in the fitted data; it holds text",
      })
  void predict_tableThatDoesNotFit_isRefused(String rows, String message) throws IOException {
    Command command = predict(file("bad.csv", rows.strip().replace("\\n", "\n")));
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.out()).isEmpty();
    assertThat(command.err()).contains(message);
  }

  @Test
  void predict_noModelOrNoData_isRefused() throws IOException {
    Path rows = file("new.csv", "t,g\n1,c\n");
    Command none =
        Command.run(
            "predict", "--model", folder.resolve("no").toString(), "--data", rows.toString());
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("--model: must be a run folder written by ngd fit");
    file("odd.json", "{\"a\": 1}");
    Command odd =
        Command.run(
            "predict", "--model", folder.resolve("odd.json").toString(), "--data", rows.toString());
    assertThat(odd.err()).contains("must be from a pooled fit");
    Command noData = Command.run("predict", "--model", folder.resolve("run").toString());
    assertThat(noData.code()).isEqualTo(2);
    assertThat(noData.err()).contains("--data: must be given: a table of new rows");
  }

  /** The features are drawn anew from the seed: fitted rows get the fit's own predictions. */
  @Test
  void predict_randomFeatures_areThoseOfTheFit() throws IOException {
    StringBuilder rows = new StringBuilder("y,a,b\n");
    for (int i = 0; i < 40; i++) {
      double a = Math.sin(i);
      double b = Math.cos(2 * i);
      rows.append("%s,%s,%s\n".formatted(a * a + b, a, b));
    }
    Path data = file("r.csv", rows.toString());
    Path out = folder.resolve("random");
    Command fitted =
        Command.line(
            "fit --data %s --response y --random-features 6:1.5 --seed 4 --clients 3 --network complete --out %s"
                .formatted(data, out));
    assertThat(fitted.code()).as(fitted.err()).isZero();
    List<String> lines =
        Command.run("predict", "--model", out.toString(), "--data", data.toString())
            .out()
            .lines()
            .toList();
    // The oracle: residuals of a least-squares fit without intercept are orthogonal to its fit,
    // and their squares add up to the deviance.
    double deviance =
        tools.jackson.databind.json.JsonMapper.shared()
            .readTree(Files.readString(out.resolve("result.json")))
            .get("deviance")
            .asDouble();
    double squares = 0;
    double product = 0;
    for (int i = 0; i < 40; i++) {
      double fit = numbers(lines.get(i + 1))[1];
      double a = Math.sin(i);
      double y = a * a + Math.cos(2 * i);
      squares += (y - fit) * (y - fit);
      product += (y - fit) * fit;
    }
    assertThat(squares).isCloseTo(deviance, within(1e-9));
    assertThat(product).isCloseTo(0, within(1e-6));
  }
}
