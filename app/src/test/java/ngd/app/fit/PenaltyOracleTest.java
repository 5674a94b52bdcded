package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import ngd.app.Command;
import ngd.core.Problems;
import ngd.core.fit.FitSetup;
import ngd.core.fit.PenalisedRun;
import ngd.core.inference.CrossValidation;
import ngd.core.inference.FitProgress;
import ngd.core.inference.PenalisedEstimate;
import ngd.core.question.FitKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Penalised estimates over unequal sites against glmnet on the pooled rows. Oracle: the committed
 * output of {@code oracles/penalty_oracle.R}.
 */
class PenaltyOracleTest {
  @TempDir Path folder;

  private static final Path FOLDER = Path.of("../oracles/penalty");

  private static final Map<String, String> FORMULAS =
      Map.of(
          "boston",
          "medv ~ crim + zn + indus + chas + nox + rm + age + dis + rad + tax + ptratio + black"
              + " + lstat",
          "birthwt",
          "low ~ age + lwt + race + smoke + ptl + ht + ui + ftv",
          "quine",
          "Days ~ Eth * Sex + Age + Lrn",
          "pbc",
          "Surv(time, status) ~ trt + age + sex + bili + albumin + protime + edema + ast + stage",
          "lung",
          "Surv(time, status) ~ age + sex + ph_ecog + ph_karno + pat_karno + wt_loss",
          "housing",
          "Sat ~ Infl + Type + Cont + weights(Freq)",
          "fgl",
          "type ~ RI + Na + Mg + Al + Si + K + Ca + Ba + Fe");

  /** Of cases that ask something else of the same rows. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "epil-lasso",
          "y ~ trt * base + age + V4 + period",
          "pbc-gamma",
          "albumin ~ trt + age + sex + bili + protime + edema + ast + stage",
          "pbc-probit",
          "status ~ trt + age + sex + bili + albumin + protime + edema + ast + stage",
          "pbc-ridge",
          "status ~ trt + age + sex + bili + albumin + protime + edema + ast + stage");

  private static final Map<String, String> TIMES =
      Map.of(
          "pbc", "400,800,1200,1600,2000,2400,2800,3200,3600,4000,4400,4800",
          "lung", "100,200,300,400,500,600,700,800,900,1000,1100");

  private static List<NamedCsvRecord> lines(String file) throws IOException {
    try (CsvReader<NamedCsvRecord> csv =
        CsvReader.builder().ofNamedCsvRecord(FOLDER.resolve(file))) {
      return csv.stream().toList();
    }
  }

  private static double number(NamedCsvRecord line, String field) {
    return Double.parseDouble(line.getField(field));
  }

  private static String formula(String name) {
    return OTHERS.getOrDefault(name, FORMULAS.getOrDefault(data(name), ""));
  }

  private static String data(String name) {
    return name.substring(0, name.indexOf('-'));
  }

  private static PenalisedEstimate fitted(String name, String network, String words) {
    String data = data(name);
    Map<String, String> question = new LinkedHashMap<>();
    boolean grid = words.contains("times=grid");
    question.put("data", FOLDER.resolve(data + ".csv").toString());
    question.put("partition", "column:hospital");
    question.put("network", network);
    question.put("formula", formula(name));
    for (String pair : words.split(" ", -1)) {
      String[] parts = pair.split("=", 2);
      question.put(parts[0], parts[1]);
    }
    if (name.endsWith("-weights")) {
      question.merge("formula", " + weights(age)", String::concat);
    }
    if (formula(name).startsWith("Surv") && !grid) {
      question.merge("formula", " + strata(site)", String::concat);
    }
    question.remove("times");
    Words said = Words.of(Words.Style.KEYS, question);
    Problems problems = new Problems();
    Question asked =
        Question.read(
            FitKeys.ALL, grid ? said.say(ModelKeys.TIMES, TIMES.get(data)) : said, problems);
    problems.throwIfAny();
    FitSetup setup = FitSetup.of(asked);
    return new PenalisedRun(setup, 1).run(FitProgress.NONE).estimate();
  }

  /** The whole path: as many λ, the same coefficients not 0, and their values. */
  @ParameterizedTest
  @CsvSource({
    "boston-lasso, circle:1, family=gaussian penalty=lasso folds=0",
    "boston-net, regular:3, family=gaussian penalty=elastic-net:0.5 folds=0",
    "boston-ridge, central, family=gaussian penalty=ridge folds=0",
    "boston-adaptive, central, family=gaussian penalty=adaptive-lasso folds=0",
    "boston-gamma, circle:1, family=gamma penalty=elastic-net:0.7 folds=0",
    "boston-weights, circle:1, family=gaussian penalty=lasso folds=0",
    "birthwt-lasso, circle:1, family=binomial penalty=lasso folds=0",
    "birthwt-net, central, family=binomial penalty=elastic-net:0.3 folds=0",
    "birthwt-ridge, regular:3, 'family=binomial penalty=ridge folds=0 partition=rows:90,60,30,9'",
    "birthwt-probit, regular:3, 'family=binomial link=probit penalty=elastic-net folds=0"
        + " partition=rows:90,60,30,9'",
    "quine-net, circle:1, family=poisson penalty=elastic-net:0.5 folds=0",
    "epil-lasso, regular:3, family=poisson penalty=lasso folds=0",
    "epil-lasso, central, family=poisson penalty=lasso folds=0",
    "pbc-gamma, central, family=gamma penalty=elastic-net:0.5 folds=0",
    "pbc-probit, circle:1, family=binomial link=probit penalty=elastic-net:0.4 folds=0",
    "pbc-ridge, central, family=binomial penalty=ridge folds=0",
    "pbc-lasso, central, ties=breslow penalty=lasso folds=0",
    "pbc-net, circle:1, ties=breslow penalty=elastic-net:0.5 folds=0",
    "pbc-grid, central, ties=breslow penalty=lasso folds=0 times=grid",
    "pbc-efron, circle:1, penalty=elastic-net:0.5 folds=0 times=grid",
    "lung-grid, regular:3, 'penalty=elastic-net:0.7 folds=0 times=grid"
        + " partition=rows:100,70,30,10'",
    "lung-lasso, circle:1, penalty=lasso folds=0",
    "housing-lasso, circle:1, family=multinomial penalty=lasso folds=0",
    "housing-net, central, family=multinomial penalty=elastic-net:0.5 folds=0",
    "housing-adaptive, regular:3, 'family=multinomial penalty=adaptive-lasso folds=0"
        + " partition=rows:40,20,8,4'",
    "fgl-lasso, central, family=multinomial penalty=lasso folds=0 lambda-ratio=0.05",
    "fgl-ridge, circle:1, family=multinomial penalty=ridge folds=0 lambda-ratio=0.05",
  })
  void path_glmnetOnPooledRows_isTheSame(String name, String network, String words)
      throws IOException {
    PenalisedEstimate found = fitted(name, network, words);
    List<NamedCsvRecord> path = lines(name + ".path.csv");
    assertThat(found.path().size()).isEqualTo(path.size());
    // Of ridge, glmnet reports an infinite λ as the first.
    for (int l = found.penalty().mix() == 0 ? 1 : 0; l < path.size(); l++) {
      PenalisedEstimate.Step step = found.path().get(l);
      double lambda = number(path.get(l), "lambda");
      assertThat(step.lambda()).as("λ %d", l).isCloseTo(lambda, within(1e-9 * lambda));
      // There the largest λ is the slope at 0 to the last digit: rounding decides which side.
      int edge = l == 0 && name.equals("pbc-gamma") ? 1 : 0;
      int df = (int) number(path.get(l), "df");
      assertThat(step.nonzero()).as("at %s", lambda).isBetween(df, df + edge);
      assertThat(found.explained(step))
          .as("at %s", lambda)
          .isCloseTo(number(path.get(l), "dev_ratio"), within(1e-7));
    }
    Map<Double, List<NamedCsvRecord>> coefficients =
        lines(name + ".coef.csv").stream()
            .collect(Collectors.groupingBy(line -> number(line, "lambda")));
    coefficients.forEach(
        (lambda, own) -> {
          PenalisedEstimate.Step step =
              found.path().stream()
                  .filter(one -> Math.abs(one.lambda() - lambda) < 1e-8 * lambda)
                  .findFirst()
                  .orElseThrow();
          assertThat(own).hasSameSizeAs(found.terms());
          for (NamedCsvRecord line : own) {
            String term = line.getField("term");
            assertThat(step.coefficients().get(found.terms().indexOf(term)))
                .as("%s at %s", term, lambda)
                .isCloseTo(number(line, "estimate"), within(1e-6 * number(line, "scale")));
          }
        });
  }

  /** Mean, standard error and both choices, with glmnet given the folds of {@code FoldsTest}. */
  @ParameterizedTest
  @CsvSource({
    "boston-lasso, regular:3, family=gaussian penalty=lasso folds=10",
    "birthwt-lasso, circle:1, family=binomial penalty=lasso folds=10",
    "birthwt-net, central, family=binomial penalty=elastic-net:0.3 folds=10",
    "quine-net, regular:2, family=poisson penalty=elastic-net:0.5 folds=10",
    "pbc-lasso, central, ties=breslow penalty=lasso folds=10",
    "pbc-grid, circle:1, ties=breslow penalty=lasso folds=10 times=grid",
    "lung-grid, central, penalty=elastic-net:0.7 folds=10 times=grid",
    "lung-lasso, regular:2, penalty=lasso folds=10",
    "housing-net, circle:1, family=multinomial penalty=elastic-net:0.5 folds=10",
    "fgl-lasso, regular:2, family=multinomial penalty=lasso folds=10 lambda-ratio=0.05",
  })
  void crossValidation_cvGlmnetWithTheSameFolds_isTheSame(String name, String network, String words)
      throws IOException {
    PenalisedEstimate found = fitted(name, network, words);
    CrossValidation validation = found.validation().orElseThrow();
    List<NamedCsvRecord> lines = lines(name + ".cv.csv");
    assertThat(validation.means()).hasSameSizeAs(lines);
    for (int l = 0; l < lines.size(); l++) {
      NamedCsvRecord line = lines.get(l);
      double mean = number(line, "mean");
      assertThat(validation.means().get(l)).as("λ %d", l).isCloseTo(mean, within(1e-8 * mean));
      assertThat(validation.errors().get(l)).isCloseTo(number(line, "error"), within(1e-8 * mean));
      assertThat(validation.least() == l).isEqualTo(line.getField("min").equals("1"));
      assertThat(validation.simplest() == l).isEqualTo(line.getField("simplest").equals("1"));
    }
    assertThat(found.chosen()).hasValue(validation.simplest());
  }

  /** {@code predict(type = "link")} and {@code "response"} of the first rows, at one λ. */
  @ParameterizedTest
  @CsvSource({
    "boston-lasso, circle:1, family=gaussian penalty=lasso",
    "boston-net, central, family=gaussian penalty=elastic-net:0.5",
    "boston-ridge, regular:3, family=gaussian penalty=ridge",
    "boston-adaptive, circle:1, family=gaussian penalty=adaptive-lasso",
    "boston-gamma, central, family=gamma penalty=elastic-net:0.7",
    "birthwt-lasso, circle:1, family=binomial penalty=lasso",
    "birthwt-probit, central, family=binomial link=probit penalty=elastic-net",
    "quine-net, circle:1, family=poisson penalty=elastic-net:0.5",
    "epil-lasso, regular:3, family=poisson penalty=lasso",
    "pbc-gamma, circle:1, family=gamma penalty=elastic-net:0.5",
    "pbc-probit, central, family=binomial link=probit penalty=elastic-net:0.4",
    "pbc-ridge, circle:1, family=binomial penalty=ridge",
    "pbc-grid, central, family=cox ties=breslow penalty=lasso"
  })
  void predictions_linkAndResponse_areThoseOfGlmnet(String name, String network, String words)
      throws IOException {
    List<NamedCsvRecord> expected = lines(name + ".predicted.csv");
    String table = FOLDER.resolve(data(name) + ".csv").toString();
    String out = folder.resolve("run").toString();
    List<String> line = new ArrayList<>(List.of("fit", "--data", table, "--out", out));
    line.addAll(List.of("--partition", "column:hospital", "--network", network));
    line.addAll(List.of("--formula", formula(name)));
    line.addAll(List.of("--lambda", expected.getFirst().getField("lambda")));
    for (String pair : words.split(" ", -1)) {
      line.add("--" + pair);
    }
    if (name.endsWith("-grid")) {
      line.addAll(List.of("--times", TIMES.get(data(name))));
    }
    Command fit = Command.run(line.toArray(String[]::new));
    assertThat(fit.code()).as(fit.err()).isZero();
    for (String type : List.of("link", "response")) {
      Command run = Command.run("predict", "--model", out, "--data", table, "--type", type);
      assertThat(run.code()).as(run.err()).isZero();
      List<String> rows = run.out().lines().skip(1).toList();
      assertThat(expected).hasSize(40);
      for (int i = 0; i < expected.size(); i++) {
        double value = number(expected.get(i), type);
        assertThat(Double.parseDouble(rows.get(i).split(",", -1)[1]))
            .as("%s of row %d", type, i + 1)
            .isCloseTo(value, within(1e-6 * (1 + Math.abs(value))));
      }
    }
  }

  /** {@code predict(type = "response")} of all classes, at one λ. */
  @ParameterizedTest
  @CsvSource({
    "fgl-lasso, type ~ RI + Na + Mg + Al + Si + K + Ca + Ba + Fe, lasso",
    "housing-net, Sat ~ Infl + Type + Cont + weights(Freq), elastic-net:0.5"
  })
  void predictions_classes_areTheSharesOfGlmnet(String name, String formula, String penalty)
      throws IOException {
    String data = FOLDER.resolve(name.substring(0, name.indexOf('-')) + ".csv").toString();
    String out = folder.resolve("run").toString();
    List<NamedCsvRecord> expected = lines(name + ".shares.csv");
    Command fit =
        Command.run(
            "fit",
            "--data",
            data,
            "--partition",
            "column:hospital",
            "--network",
            "circle:1",
            "--formula",
            formula,
            "--family",
            "multinomial",
            "--penalty",
            penalty,
            "--lambda",
            expected.getFirst().getField("lambda"),
            "--out",
            out);
    assertThat(fit.code()).as(fit.err()).isZero();
    assertThat(fit.out()).contains("Coefficients at lambda");
    Command run = Command.run("predict", "--model", out, "--data", data);
    assertThat(run.code()).as(run.err()).isZero();
    List<String> rows = run.out().lines().skip(1).toList();
    assertThat(rows).hasSameSizeAs(expected);
    for (int i = 0; i < rows.size(); i++) {
      String[] fields = rows.get(i).split(",", -1);
      List<String> shares = expected.get(i).getFields();
      assertThat(fields.length).isEqualTo(shares.size() + 1);
      for (int k = 1; k < shares.size(); k++) {
        assertThat(Double.parseDouble(fields[k + 1]))
            .as("row %d, class %d", i, k)
            .isCloseTo(Double.parseDouble(shares.get(k)), within(1e-7));
      }
    }
    Command report = Command.run("report", out);
    assertThat(report.code()).as(report.err()).isZero();
  }

  /** A path of one penalty has nothing to draw; before, the axis had no length. */
  @Test
  void plot_onePenalty_isRefusedWithTheReason() {
    Path out = folder.resolve("one");
    Command fit =
        Command.run(
            "fit",
            "--data=" + FOLDER.resolve("birthwt.csv"),
            "--partition=column:hospital",
            "--network=circle:1",
            "--formula=low ~ age + lwt",
            "--family=binomial",
            "--penalty=lasso",
            "--lambda=0.01",
            "--out=" + out);
    assertThat(fit.code()).as(fit.err()).isZero();
    OracleFits.refused(
        Command.run("plot", out.toString(), "--out", folder.resolve("one.svg").toString()),
        "must have a path of penalties",
        "coefficients.csv");
  }
}
