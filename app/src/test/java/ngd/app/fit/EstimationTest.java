package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code ngd fit} with neither --alpha nor --algorithm. Oracle: R (oracles/glm_oracle.R). */
class EstimationTest {
  @TempDir private Path folder;

  private static Path oracles() {
    Path here = Path.of("").toAbsolutePath();
    Path own = here.resolve("oracles/glm");
    return Files.isDirectory(own) ? own : here.resolveSibling("oracles").resolve("glm");
  }

  private static String data() {
    return "fit --data %s --features x1,x2 --partition column:site --network regular:2"
        .formatted(oracles().resolve("synthetic.csv"));
  }

  /** The numbers of one line of an oracle's table of coefficients. */
  private static double[] oracle(String name, int line) throws IOException {
    String[] fields =
        Files.readAllLines(oracles().resolve(name + ".coefficients.csv")).get(line).split(",", -1);
    double[] numbers = new double[fields.length - 1];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Double.parseDouble(fields[i + 1]);
    }
    return numbers;
  }

  @ParameterizedTest
  @CsvSource({
    "gaussian,--response gaussian",
    "logit,--response binary --family binomial",
    "probit,--response binary --family binomial --link probit",
    "gamma,--response positive --family gamma",
    "negative-binomial,--response over --family negative-binomial --dispersion 1.5",
    "gaussian-hc0,--response gaussian --robust",
    "gaussian-hc1,--response gaussian --robust=hc1",
    "gaussian-site,--response gaussian --cluster site",
  })
  void fit_nothingToldOfTheWay_printsAndWritesWhatRSays(String name, String words)
      throws IOException {
    Path out = folder.resolve("run");
    Command command = Command.line("%s %s --format json --out %s".formatted(data(), words, out));
    assertThat(command.err()).isEmpty();
    JsonNode json = command.json();
    List<String> lines = Files.readAllLines(out.resolve("coefficients.csv"));
    assertThat(lines.getFirst())
        .isEqualTo("term,estimate,std_error,statistic,p_value,conf_low,conf_high");
    for (int j = 0; j < 3; j++) {
      double[] truth = oracle(name, j + 1);
      JsonNode line = json.at("/coefficients/" + j);
      assertThat(line.get("estimate").asDouble()).isCloseTo(truth[0], within(1e-5 * truth[1]));
      assertThat(line.get("stdError").asDouble()).isCloseTo(truth[1], within(1e-5 * truth[1]));
      assertThat(lines.get(j + 1))
          .startsWith(line.get("term").asString() + "," + line.get("estimate").asDouble());
      assertThat(json.at("/vcov/%d/%d".formatted(j, j)).asDouble())
          .isCloseTo(truth[1] * truth[1], within(2e-5 * truth[1] * truth[1]));
    }
    assertThat(json.get("remainingBias").asDouble()).isLessThanOrEqualTo(1e-6);
    assertThat(Files.readString(out.resolve("result.json"))).isEqualTo(command.out());
    assertThat(Files.readAllLines(out.resolve("vcov.csv")).getFirst())
        .isEqualTo("term,(Intercept),x1,x2");
    assertThat(out.resolve("manifest.json")).exists();
  }

  @Test
  void fit_forPeople_hasTheLayoutOfR() {
    Command command = Command.line(data() + " --response binary --family binomial --time");
    assertThat(command.code()).isZero();
    assertThat(command.out())
        .contains("Estimate  Std. Error  z value  Pr(>|z|)")
        .contains("Signif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1")
        .contains("(Dispersion parameter for binomial family taken to be 1)")
        .contains("    Null deviance: ")
        .contains("Residual deviance: ")
        .contains("on 647  degrees of freedom")
        .contains("on 645  degrees of freedom")
        .contains("AIC: ")
        .contains("SE of the pooled estimate");
    assertThat(command.err()).contains("s  total").contains("agreeing on coordinates");
  }

  private Command refused(String words) {
    Path out = folder.resolve("refused");
    Command command = Command.line("%s %s --out %s".formatted(data(), words, out));
    assertThat(command.code()).as(command.err()).isEqualTo(2);
    assertThat(command.out()).isEmpty();
    assertThat(out).doesNotExist();
    return command;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--response gaussian --bias-share 0 | bias share: must be a share of the standard error"
            + " above 0",
        "--response gaussian --level 95 | level: the intervals' coverage must lie between 0 and 1,"
            + " such as 0.95; got 95",
        "--response gaussian --robust=hc3 | --robust: must be hc0 or hc1; got `hc3`",
        "--response gaussian --cluster patient | --cluster: must be site; got `patient`",
        "--response gaussian --robust --cluster site | without --robust: it is robust too",
        "--response gaussian --ridge -1 | ridge: the penalty must be 0 or a positive number",
        "--response gaussian --penalty net | --penalty: must be lasso, ridge, elastic-net:SHARE or"
            + " adaptive-lasso:POWER; got `net`",
        "--response gaussian --penalty elastic-net:1.5 | --penalty: the share of the lasso in"
            + " elastic-net:SHARE must lie in [0, 1]; got 1.5",
        "--response gaussian --penalty lasso --lambda 1,0 | --lambda: must be positive numbers"
            + " (without a penalty, leave out --penalty); got `0`",
        "--response gaussian --penalty lasso --lambda-ratio 2 | lambda ratio: must lie above 0 and"
            + " below 1; got 2.0",
        "--response gaussian --penalty lasso --folds 2 | folds: must be 0, for none, or lie in [3, 32767];"
            + " got 2",
        "--response gaussian --penalty lasso --folds 5000 | folds: must be so few that each has"
            + " rows",
        "--response gaussian --penalty lasso --robust | robust: does not work with --penalty",
        "--response gaussian --penalty lasso --ridge 1 | --penalty ridge --lambda LAMBDA says the"
            + " same as --ridge LAMBDA",
        "--response gaussian --penalty lasso --algorithm pooled-rounds | penalty: works only with a"
            + " pooled fit by sums",
        "--response gaussian --lambda 1 | --lambda: works only with --penalty",
        "--response gaussian --batch 5 | --batch: works only with --algorithm or --alpha",
        "--response gaussian --alpha 0.1 --rounds 3 --robust | --robust: works only with a pooled"
            + " fit",
        "--response binary --family binomial --link sqrt | got `sqrt`",
        "--response gaussian --family gamma | responses of the gamma family must be positive",
        "--response gaussian --heterogeneity --cluster site | heterogeneity: cannot be tested where"
            + " rows of a site may depend on each other",
        "--response gaussian --heterogeneity --ridge 1 | and without --ridge",
      })
  void fit_wrongRequests_areRefusedInWords(String words, String message) {
    assertThat(refused(words).err()).contains(message);
  }

  @Test
  void fit_networkThatFallsApart_namesTheClasses() throws IOException {
    Path edges =
        Files.writeString(folder.resolve("edges.csv"), "client,hears\n0,1\n1,0\n2,1\n3,2\n2,3\n");
    Path data =
        Files.writeString(folder.resolve("d.csv"), "y,x\n1,2\n2,1\n4,4\n3,0\n5,5\n1,1\n2,4\n3,3\n");
    Command command =
        Command.line(
            "fit --data %s --response y --clients 4 --network file:%s".formatted(data, edges));
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err())
        .contains("it falls into 2 classes: {0, 1} hears nobody outside it; {2, 3};");
  }

  @Test
  void fit_redundantColumnsOrSeparation_areErrorsThatNameTheTerm() throws IOException {
    Path redundant =
        Files.writeString(
            folder.resolve("r.csv"), "y,a,b\n1,2,4\n2,1,2\n4,4,8\n3,0,0\n5,5,10\n1,1,2\n");
    Command first =
        Command.line(
            "fit --data %s --response y --clients 2 --network circle:1".formatted(redundant));
    assertThat(first.code()).isEqualTo(2);
    assertThat(first.err()).contains("column `b` is redundant: it equals 2·a");
    Path separated =
        Files.writeString(
            folder.resolve("s.csv"),
            "y,a\n0,1\n0,2\n0,1.5\n0,0\n0,2.2\n1,4\n1,5\n1,3\n1,6\n1,3.5\n");
    Command second =
        Command.line(
            "fit --data %s --response y --family binomial --clients 2 --network circle:1"
                .formatted(separated));
    assertThat(second.code()).isEqualTo(2);
    assertThat(second.err()).contains("separation").contains("`a`");
  }

  @Test
  void fit_tooFewRoundsWithoutLastSteps_failsHonestly() {
    Command command =
        Command.line(
            data()
                + " --response gaussian --algorithm pooled-rounds --no-last-step --rounds 60"
                + " --bias-share 1e-6");
    assertThat(command.code()).isEqualTo(1);
    assertThat(command.err()).contains("60 rounds left the clients");
  }

  @Test
  void fit_oneSite_works() {
    Command command =
        Command.line(
            "fit --data %s --features x1,x2 --response gaussian --clients 1 --network complete --format json"
                .formatted(oracles().resolve("synthetic.csv")));
    assertThat(command.code()).as(command.err()).isZero();
    assertThat(command.json().get("sites").asInt()).isEqualTo(1);
  }
}
