package ngd.app.fit;

import static ngd.app.fit.MixedOracle.same;
import static ngd.app.fit.OracleFits.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Generalised linear mixed models by sums, on real data in unequal sites. Oracle: lme4::glmer's
 * deviance function on the pooled rows, minimised to the end (oracles/glmer_oracle.R).
 */
class GeneralizedMixedTest {
  private static final OracleFits FITS = new OracleFits(Path.of("../oracles/glmer"));
  private static final Map<String, Map<String, Double>> R = new LinkedHashMap<>();
  private static final MixedOracle ORACLE = new MixedOracle(R, "z");
  private static final String CBPP = "cbind(incidence, well) ~ period + (1 | herd)";
  private static final String BACTERIA = "y ~ trt + I(week > 2) + (1 | child)";

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    R.putAll(FITS.numbers("glmer.csv"));
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, cbpp, cbpp, logit, 1, cbind(incidence; well) ~ period + (1 | herd)",
    "central, cbpp, cbpp-agq10, logit, 10, cbind(incidence; well) ~ period + (1 | herd)",
    "regular:3, cbpp, cbpp-obs, logit, 1, cbind(incidence; well) ~ period + (1 | herd) + (1 | obs)",
    "circle:1, cbpp, cbpp-site, logit, 1, cbind(incidence; well) ~ period + (1 | site)",
    "central, cbpp, cbpp-cloglog-agq7, cloglog, 7, cbind(incidence; well) ~ period + (1 | herd)",
    "regular:3, bacteria, bacteria, logit, 1, y ~ trt + I(week > 2) + (1 | child)",
    "circle:1, bacteria, bacteria-agq25, logit, 25, y ~ trt + I(week > 2) + (1 | child)",
    "central, bacteria, bacteria-probit, probit, 1, y ~ trt + I(week > 2) + (1 | child)",
    "circle:1, bacteria, bacteria-cloglog, cloglog, 1, y ~ trt + week + (1 | child)",
    "central, verbal, verbal, logit, 1, yes ~ anger + gender + btype + (1 | person) + (1 | item)"
  })
  void labelsAndTrials_areGlmers(
      String network, String data, String name, String link, String points, String formula) {
    ORACLE.holds(
        FITS.json(
            data,
            formula.replace(';', ','),
            network,
            "--family",
            "binomial",
            "--link",
            link,
            "--quadrature",
            points),
        name);
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, epil, epil, 1, y ~ lbase * trt + lage + visit + offset(days) + (1 | patient)",
    "central, epil, epil-agq9, 9, y ~ lbase * trt + lage + visit + offset(days) + (1 | patient)",
    "regular:3, epil, epil-slope, 1, y ~ lbase * trt + lage + visit + (visit | patient)",
    "circle:1, epil, epil-apart, 1, y ~ lbase + trt + (1 | patient) + (0 + visit | site)",
    "central, grouse, grouse, 1, ticks ~ year + height + (1 | location/brood)",
    "circle:1, grouse, grouse-chick, 1, ticks ~ year + height + (1 | location) + (1 | brood) + (1 |"
        + " chick)"
  })
  void counts_areGlmers(String network, String data, String name, String points, String formula) {
    ORACLE.holds(
        FITS.json(data, formula, network, "--family", "poisson", "--quadrature", points), name);
  }

  @Test
  void variancesOfNothing_areSingularFits() {
    JsonNode found =
        FITS.json("singular", "y ~ week + (1 | deal)", "circle:1", "--family", "binomial");
    ORACLE.holds(found, "singular");
    assertThat(found.get("mixed").get("theta").get(0).asDouble()).isZero();
    assertThat(found.get("notes").toString()).contains("the fit is singular");
  }

  @Test
  void anova_ofTermsAndOfRuns_isLikelihoodRatios() {
    JsonNode terms =
        FITS.json("bacteria", BACTERIA, "central", "--family", "binomial", "--anova")
            .get("anova")
            .get("terms");
    assertThat(terms.size()).isEqualTo(2);
    for (JsonNode line : terms) {
      String term = line.get("term").asString();
      same(line.get("statistic").asDouble(), R.get("bacteria-anova chisq").get(term), 1e-8, term);
      same(line.get("pValue").asDouble(), R.get("bacteria-anova p").get(term), 1e-6, term);
    }
    String small = run("bacteria", "y ~ trt + (1 | child)", "small");
    String large = run("bacteria", BACTERIA, "large");
    Command run = Command.run("anova", small, large, "--format", "json");
    assertThat(run.code()).as(run.err()).isZero();
    same(
        run.json().get("models").get(1).get("statistic").asDouble(),
        R.get("bacteria-anova chisq").get("I(week > 2)"),
        1e-8,
        "week");
    refused(
        Command.run("anova", small, run("bacteria", BACTERIA, "points", "--quadrature", "5")),
        "must be of one family",
        "Laplace approximation",
        "5 points");
  }

  private String run(String data, String formula, String name, String... more) {
    String out = folder.resolve(name).toString();
    String[] words = List.of("--family", "binomial", "--out", out).toArray(String[]::new);
    String[] all = new String[words.length + more.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    Command run = FITS.ngd(data, formula, "central", all);
    assertThat(run.code()).as(run.err()).isZero();
    return out;
  }

  @Test
  void predictions_areOfFixedEffects_andThoseOfGroupsInTheirSitesFoldersAlone() throws IOException {
    Path out = Path.of(run("cbpp", CBPP, "run"));
    Map<String, Double> expected = R.get("cbpp ranef");
    int seen = 0;
    for (String site : List.of("h1", "h2", "h3", "h4")) {
      List<String> lines =
          Files.readAllLines(out.resolve("sites").resolve(site).resolve("random_effects.csv"));
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.split(",", -1);
        double value = expected.get("herd|" + site + "." + fields[1] + "|" + fields[2]);
        assertThat(Double.parseDouble(fields[3])).as(line).isCloseTo(value, within(2e-6));
        seen++;
      }
    }
    assertThat(seen).isEqualTo(expected.size());
    for (String file : List.of("result.json", "coefficients.csv", "variances.csv", "vcov.csv")) {
      assertThat(Files.readString(out.resolve(file))).doesNotContain("random_effects", "level,");
    }
    assertThat(Files.readString(out.resolve("variances.csv"))).doesNotContain("Residual");
    Path rows = Files.writeString(folder.resolve("new.csv"), "period\np1\np3\np4\n");
    for (String type : List.of("link", "response")) {
      Command run =
          Command.run(
              "predict", "--model", out.toString(), "--data", rows.toString(), "--type", type);
      assertThat(run.code()).as(run.err()).isZero();
      List<String> lines = run.out().lines().toList();
      for (int i = 1; i <= 3; i++) {
        same(
            Double.parseDouble(lines.get(i).split(",", -1)[1]),
            R.get("cbpp " + type).get(Integer.toString(i)),
            1e-6,
            type + " " + i);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bacteria, bacteria, binomial, y ~ trt + I(week > 2) + (1 | child)",
    "epil, epil, poisson, y ~ lbase * trt + lage + visit + offset(days) + (1 | patient)",
    "epil-slope, epil, poisson, y ~ lbase * trt + lage + visit + (visit | patient)"
  })
  void predictions_ofFittedRows_arePredictsWithoutRandomEffects(
      String name, String data, String family, String formula) {
    String out = folder.resolve("run").toString();
    Command run = FITS.ngd(data, formula, "central", "--family", family, "--out", out);
    assertThat(run.code()).as(run.err()).isZero();
    Path rows = FITS.folder().resolve(data + ".csv");
    for (String type : List.of("link", "response")) {
      ORACLE.predicts(out, rows, type, name + " " + type);
    }
  }

  @Test
  void words_sayWhatWasFitted_andRatiosWhereTheyAreAskedFor() throws IOException {
    Command run =
        FITS.ngd(
            "cbpp", CBPP, "central", "--family", "binomial", "--quadrature", "3", "--exponentiate");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "generalized linear mixed model, binomial with logit link: 56 rows",
            "adaptive Gauss-Hermite quadrature, 3 points",
            "herd: 15 groups",
            "Odds ratio")
        .doesNotContain("Residual", "REML");
    Path page = folder.resolve("page.html");
    Command report = Command.run("report", run("cbpp", CBPP, "page"), "--out", page.toString());
    assertThat(report.code()).as(report.err()).isZero();
    assertThat(Files.readString(page))
        .contains(
            "Generalized linear mixed model, binomial with logit link",
            "−2 log-likelihood (Laplace approximation)",
            "Random effects",
            "dds ratio")
        .doesNotContain("Residual variance", ">Residual<");
  }

  @Test
  void refusals_nameWhatIsWrong() throws IOException {
    refused(
        FITS.ngd(
            "cbpp", CBPP + " + (1 | obs)", "circle:1", "--family", "binomial", "--quadrature", "5"),
        "one random term of one effect",
        "(1 | herd) and (1 | obs)");
    refused(
        FITS.ngd(
            "epil",
            "y ~ visit + (visit | patient)",
            "circle:1",
            "--family",
            "poisson",
            "--quadrature",
            "5"),
        "one random term of one effect",
        "(1 + visit | patient)");
    refused(
        FITS.ngd("cbpp", CBPP, "circle:1", "--family", "binomial", "--quadrature", "101"),
        "from 1 to 100; got 101");
    refused(
        FITS.ngd("cbpp", CBPP, "circle:1", "--family", "binomial", "--quadrature", "0"),
        "quadrature",
        "at least 1; got 0");
    refused(
        FITS.ngd("cbpp", "incidence ~ period + (1 | herd)", "circle:1", "--quadrature", "3"),
        "quadrature: works only with",
        "binomial or poisson");
    refused(
        FITS.ngd("cbpp", CBPP, "circle:1", "--family", "binomial", "--reml", "no"),
        "reml: works only with",
        "gaussian");
    refused(FITS.ngd("cbpp", CBPP, "circle:1"), "cbind", "the family is gaussian");
    refused(
        FITS.ngd("cbpp", CBPP, "circle:1", "--family", "binomial", "--link", "cauchit"),
        "logit, probit or cloglog",
        "`cauchit`");
    refused(
        FITS.ngd("epil", "y ~ visit + (1 | patient)", "circle:1", "--family", "gamma"),
        "poisson with link log",
        "`gamma`");
    refused(
        Command.run(
            "fit",
            "--formula",
            "y ~ week + (1 | site)",
            "--family",
            "binomial",
            "--site",
            "a=../oracles/glmer/bacteria.csv",
            "--network",
            "complete"),
        "needs at least two groups",
        "got 1");
    // A factor is as many effects as levels, which only the data tell.
    refused(
        FITS.ngd(
            "cbpp",
            "cbind(incidence, well) ~ 1 + (0 + period | herd)",
            "circle:1",
            "--family",
            "binomial",
            "--quadrature",
            "5"),
        "one random term of one effect",
        "periodp1, periodp2, periodp3, periodp4 of herd");
    // Perfectly told apart by a covariate, and by groups.
    refused(
        FITS.ngd(
            "bacteria",
            "y ~ I(y * 2 + week * 0) + (1 | child)",
            "circle:1",
            "--family",
            "binomial"),
        "separation");
    refused(
        FITS.ngd("alike", "y ~ x + (1 | group)", "circle:1", "--family", "binomial"),
        "random term of group",
        "at most 30 on the scale of the linear predictor");
    refused(
        FITS.ngd("bacteria", "week ~ trt + (1 | child)", "circle:1", "--family", "binomial"),
        "labels of the binomial family");
  }

  @Test
  void rulesOfSites_countGroupsAndTheirRows() {
    Command run = FITS.sites("cbpp", CBPP, "--family", "binomial");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err())
        .contains(
            "a real site would refuse this question: site h4: its rows are in 2 groups of herd; it"
                + " must have at least 3 (nfilter.tab)");
  }
}
