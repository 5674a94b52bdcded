package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of docs/comparing.md do what the page says, and what comes out agrees with itself. */
class ComparingPageTest {
  private static final Pattern FILE =
      Pattern.compile("```yaml\n# (\\S+)\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @BeforeEach
  void writeTable() throws IOException {
    Random draw = new Random(3);
    List<String> lines = new ArrayList<>(List.of("visits,age,income,region"));
    for (int i = 0; i < 300; i++) {
      double age = draw.nextGaussian();
      double income = draw.nextGaussian();
      lines.add(
          "%s,%s,%s,%s"
              .formatted(
                  1 + age - income + draw.nextGaussian(), age, income, "abcdef".charAt(i % 6)));
    }
    Files.write(folder.resolve("visits.csv"), lines);
  }

  @Test
  void page_everyFile_runs() throws IOException {
    String page = Files.readString(Path.of("../docs/comparing.md"));
    Matcher files = FILE.matcher(page);
    List<String> seen = new ArrayList<>();
    while (files.find()) {
      Path file = Files.writeString(folder.resolve(files.group(1)), files.group(2));
      Path out = folder.resolve("out-" + seen.size());
      seen.add(files.group(1));
      List<String> words =
          new ArrayList<>(
              files.group(2).contains("replicates:")
                  ? List.of("study", file.toString(), "--replicates", "2")
                  : List.of("compare", file.toString()));
      if (files.group(1).equals("budget.yaml")) {
        words.addAll(List.of("--seeds", "2", "--budget", "bytes:100000"));
      }
      words.addAll(List.of("--out", out.toString()));
      Command done = Command.run(words.toArray(String[]::new));
      assertThat(done.code()).as(files.group(1) + ": " + done.err()).isZero();
    }
    assertThat(seen).hasSize(page.split("```yaml", -1).length - 1).hasSizeGreaterThan(4);
  }

  private static final String GRID =
      """
      data: visits.csv
      response: visits
      features: age,income
      clients: 5
      networks: ring:1
      algorithms: ngd
      alphas: [0.1, 0.02]
      rounds: 40
      points: 4
      replicates: 3
      """;

  @Test
  void replicateTable_ownData_isOfTheFitsAndOfTheMedians() throws IOException {
    Path file = Files.writeString(folder.resolve("grid.yaml"), GRID);
    Path out = folder.resolve("grid");
    Command done =
        Command.run("study", file.toString(), "--out", out.toString(), "--replicate-table", "csv");
    assertThat(done.code()).as(done.err()).isZero();
    List<String> lines = Files.readAllLines(out.resolve("study-replicates.csv"));
    assertThat(lines).hasSize(1 + 2 * 3 * 5);
    List<String> header = List.of(lines.getFirst().split(",", -1));
    int value = header.indexOf("log_mse");
    assertThat(header).contains("data", "alpha", "replicate", "iteration");
    // Of three replicates the median is the middle one.
    double[] last = new double[3];
    for (int r = 0; r < 3; r++) {
      // "age,income" has a comma of its own.
      String[] cells = lines.get(5 * (r + 1)).split(",", -1);
      last[r] = Double.parseDouble(cells[cells.length - 1]);
    }
    Arrays.sort(last);
    assertThat(value).isEqualTo(header.size() - 1);
    List<String> medians = Files.readAllLines(out.resolve("study.csv"));
    assertThat(medians.get(5)).contains("," + last[1] + ",");
    assertThat(Files.readString(out.resolve("report.html")))
        .contains("the estimate from the pooled data")
        .doesNotContain("The paper is silent");
  }

  @Test
  void grid_ownDataThatCannotBe_isRefusedBeforeAnythingIsWritten() throws IOException {
    record Wrong(String from, String to, String message) {}
    for (Wrong wrong :
        List.of(
            new Wrong("data: visits.csv", "data: visit.csv", "visit.csv"),
            new Wrong("response: visits", "response: vists", "vists"),
            new Wrong("clients: 5\n", "", "clients: must be given"),
            new Wrong("response: visits\n", "", "response: must be given"),
            new Wrong("clients: 5", "clients: 5\nmodels: linear", "holds for simulated rows"),
            new Wrong("clients: 5", "clients: 5\nactivaton: cyclic:2", "activation"))) {
      Path file =
          Files.writeString(folder.resolve("wrong.yaml"), GRID.replace(wrong.from(), wrong.to()));
      Path out = folder.resolve("wrong");
      Command refused = Command.run("study", file.toString(), "--out", out.toString());
      assertThat(refused.code()).as(wrong.to() + refused.err()).isEqualTo(2);
      assertThat(refused.err()).contains(wrong.message());
      assertThat(out).doesNotExist();
    }
  }

  /** The oracle: a figure for each model, and as many files as names. */
  @Test
  void grid_ofSeveralModels_hasAFigureForEach() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("models.yaml"),
            GRID.replace("response: visits", "response: [visits, income]")
                .replace("features: age,income", "features: age")
                .replace("algorithms: ngd", "no-intercept: [true, false]"));
    Path out = folder.resolve("models");
    Command done = Command.run("study", file.toString(), "--out", out.toString());
    assertThat(done.code()).as(done.err()).isZero();
    List<String> listed = List.of(done.out().strip().replaceFirst("(?s).*: ", "").split(", ", -1));
    assertThat(listed).doesNotHaveDuplicates();
    assertThat(listed.stream().filter(name -> name.endsWith(".svg"))).hasSize(4);
    assertThat(listed).allSatisfy(name -> assertThat(out.resolve(name)).isNotEmptyFile());
    assertThat(listed)
        .anyMatch(name -> name.contains("visits.csv-visits"))
        .anyMatch(name -> name.contains("visits.csv-income"));
  }

  /** The oracle: half of the step sizes are far beyond the safe limit, and `ngd fit`'s words. */
  @Test
  void grid_withRunsThatDivergeAndRowsThatMiss_saysBothAndSucceeds() throws IOException {
    Path table = folder.resolve("visits.csv");
    Files.writeString(table, Files.readString(table) + "1,NA,1,a\n");
    String rows =
        Command.line(
                "fit --data "
                    + table
                    + " --formula visits~age+income --clients 5 --network ring:1 --partition random")
            .err()
            .strip()
            .replace("ngd fit: ", "ngd study: ");
    assertThat(rows).contains("1 of 301 rows dropped");
    Path file =
        Files.writeString(
            folder.resolve("lost.yaml"),
            GRID.replace("response: visits\nfeatures: age,income", "formula: visits ~ age + income")
                .replace("alphas: [0.1, 0.02]", "alphas: [1000000, 0.02]"));
    Path out = folder.resolve("lost");
    Command done = Command.run("study", file.toString(), "--out", out.toString());
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(done.err().lines())
        .containsExactly(
            rows,
            "ngd study: warning: runs diverged in 1 of 2 cells: random, ring:1, ngd, α = 1000000 (3 of 3 replicates)");
    assertThat(Files.readString(out.resolve("report.html")))
        .contains(
            "1 of 301 rows dropped", "∞ (diverged)</td>", "no median that did not diverge moved by")
        .doesNotContain("∞ (diverged) (");
  }

  private static final String FIT =
      "fit --simulate linear --rows 90 --clients 3 --network circle:1 --algorithm ngd --alpha 0.05 --rounds 20 --trace-every 10";

  @Test
  void trajectories_ofAFit_endInItsCoefficients() throws IOException {
    Path out = folder.resolve("fit");
    Command fit = Command.line(FIT + " --trajectories csv --out " + out);
    assertThat(fit.code()).as(fit.err()).isZero();
    List<String> ways = Files.readAllLines(out.resolve("trajectories.csv"));
    List<String> ends = Files.readAllLines(out.resolve("theta.csv"));
    assertThat(ways).hasSize(1 + 3 * 3);
    assertThat(ways.getFirst()).isEqualTo("round," + ends.getFirst());
    assertThat(ways.get(1)).isEqualTo("0,0" + ",0.0".repeat(8));
    for (int m = 0; m < 3; m++) {
      assertThat(ways.get(7 + m)).isEqualTo("20," + ends.get(1 + m));
    }
    Path other = folder.resolve("parquet");
    assertThat(Command.line(FIT + " --trajectories parquet --out " + other).code()).isZero();
    assertThat(Files.readAllBytes(other.resolve("trajectories.parquet")))
        .startsWith('P', 'A', 'R', '1');
    assertThat(other.resolve("trajectories.csv")).doesNotExist();
  }

  @Test
  void trajectories_withoutAFolderOrRounds_areRefused() {
    assertThat(Command.line(FIT + " --trajectories csv").err()).contains("needs --out");
    assertThat(Command.line(FIT + " --trajectories xls --out " + folder.resolve("x")).err())
        .contains("must be csv or parquet; got `xls`");
  }

  @Test
  void network_out_hasTheStationaryWeights() throws IOException {
    Path out = folder.resolve("network");
    assertThat(Command.line("network --network central --clients 4 --out " + out).code()).isZero();
    // By detailed balance a client counts as it has links: 3, 1, 1, 1 of 6.
    List<String> lines = Files.readAllLines(out.resolve("stationary.csv"));
    assertThat(lines.getFirst()).isEqualTo("client,weight");
    assertThat(Double.parseDouble(lines.get(1).split(",", -1)[1])).isEqualTo(0.5);
    assertThat(Double.parseDouble(lines.get(2).split(",", -1)[1])).isEqualTo(1.0 / 6);
  }
}
