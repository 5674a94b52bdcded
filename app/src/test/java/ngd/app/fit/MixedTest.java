package ngd.app.fit;

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
 * Linear mixed models by sums, on real data in unequal sites. Oracle: lme4::lmer on the pooled rows
 * (oracles/mixed_oracle.R).
 */
class MixedTest {
  private static final Path ORACLES = Path.of("../oracles/mixed");
  private static final OracleFits FITS = new OracleFits(ORACLES);
  private static final Map<String, Map<String, Double>> R = new LinkedHashMap<>();
  private static final MixedOracle ORACLE = new MixedOracle(R, "t");

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    R.putAll(FITS.numbers("lmer.csv"));
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, yes, sleep-slope, Days + (Days | subject)",
    "central, no, sleep-slope, Days + (1 + Days | subject)",
    "regular:3, yes, sleep-apart, Days + (Days || subject)",
    "circle:1, no, sleep-apart, Days + (1 | subject) + (0 + Days | subject)",
    "central, yes, sleep-weights, Days + (1 | subject) + offset(o) + weights(w)",
    "regular:3, no, sleep-weights, Days + (1 | subject) + offset(o) + weights(w)",
    "circle:1, yes, sleep-site, Days + (1 | subject) + (1 | site)",
    "central, no, sleep-siteslope, Days + (1 | subject) + (0 + Days | site)"
  })
  void sleepstudy_interceptsAndSlopes_areLmers(
      String network, String reml, String name, String terms) {
    ORACLE.holds(
        FITS.json("sleep", "Reaction ~ " + terms, network, "--reml", reml), name + how(reml));
  }

  private static String how(String reml) {
    return reml.equals("yes") ? "-reml" : "-ml";
  }

  @Test
  void groupsWithinSites_areNamedAsLme4NamesThem() {
    JsonNode mixed =
        FITS.json("sleep", "Reaction ~ Days + (1 | site/subject)", "circle:1").get("mixed");
    MixedOracle.same(
        mixed.get("criterion").asDouble(),
        R.get("sleep-site-reml criterion").get("value"),
        1e-9,
        "nested");
    assertThat(mixed.get("groups").get(0).get("group").asString()).isEqualTo("site");
    assertThat(mixed.get("groups").get(1).get("group").asString()).isEqualTo("subject:site");
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, no, orthodont, age * Sex + (age | child)",
    "central, yes, orthodont, age * Sex + (age | child)",
    "regular:3, yes, orthodont-level, age + Sex + (1 | child)"
  })
  void orthodont_interactionsAndFactors_areLmers(
      String network, String reml, String name, String terms) {
    ORACLE.holds(
        FITS.json("orthodont", "distance ~ " + terms, network, "--reml", reml), name + how(reml));
  }

  @ParameterizedTest
  @CsvSource({
    "circle:1, yes, machines, machines, score ~ machine + (1 | worker) + (1 | worker:machine)",
    "central, no, machines, machines-factor, score ~ machine + (0 + machine | worker)",
    "circle:1, no, machines, machines-crossed, score ~ 1 + (1 | worker) + (1 | machine)",
    "central, yes, machines, machines-crossed, score ~ 1 + (1 | worker) + (1 | machine)",
    "circle:1, yes, pastes, pastes, strength ~ 1 + (1 | batch/cask)",
    "central, no, oxide, oxide, thickness ~ source + (1 | lot/wafer)"
  })
  void nestedAndCrossedGroups_areLmers(
      String network, String reml, String data, String name, String formula) {
    ORACLE.holds(FITS.json(data, formula, network, "--reml", reml), name + how(reml));
  }

  @ParameterizedTest
  @CsvSource({"yes", "no"})
  void variancesOfNothing_areSingularFits(String reml) {
    String formula = "Reaction ~ Days + (1 | deal)";
    JsonNode found = FITS.json("singular", formula, "circle:1", "--reml", reml);
    ORACLE.holds(found, "singular" + how(reml));
    assertThat(found.get("mixed").get("theta").get(0).asDouble()).isZero();
    assertThat(found.get("notes").toString()).contains("the fit is singular");
  }

  @Test
  void anova_ofTermsAndOfRuns_isLikelihoodRatiosOfMl() {
    String formula = "distance ~ age + Sex + (1 | child)";
    JsonNode terms =
        FITS.json("orthodont", formula, "central", "--anova").get("anova").get("terms");
    Map<String, Double> expected = R.get("orthodont-anova chisq");
    assertThat(terms.size()).isEqualTo(2);
    for (JsonNode line : terms) {
      String term = line.get("term").asString();
      MixedOracle.same(line.get("statistic").asDouble(), expected.get(term), 1e-8, term);
      MixedOracle.same(
          line.get("pValue").asDouble(), R.get("orthodont-anova p").get(term), 1e-6, term);
    }
    String small = folder.resolve("small").toString();
    String large = folder.resolve("large").toString();
    assertThat(FITS.ngd("orthodont", formula, "central", "--reml", "no", "--out", small).code())
        .isZero();
    assertThat(
            FITS.ngd(
                    "orthodont",
                    formula.replace("1 |", "age |"),
                    "central",
                    "--reml",
                    "no",
                    "--out",
                    large)
                .code())
        .isZero();
    Command run = Command.run("anova", large, small, "--format", "json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode second = run.json().get("models").get(1);
    assertThat(run.json().get("distribution").asString()).isEqualTo("chi-squared");
    MixedOracle.same(second.get("statistic").asDouble(), expected.get("slope"), 1e-8, "slope");
    assertThat(second.get("df").asDouble()).isEqualTo(R.get("orthodont-anova df").get("slope"));
    String restricted = folder.resolve("restricted").toString();
    assertThat(FITS.ngd("orthodont", formula, "central", "--out", restricted).code()).isZero();
    refused(Command.run("anova", restricted, large), "--reml no");
  }

  @Test
  void predictions_areOfFixedEffects_andThoseOfGroupsInTheirSitesFoldersAlone() throws IOException {
    Path out = folder.resolve("run");
    String formula = "Reaction ~ Days + (Days | subject)";
    assertThat(FITS.ngd("sleep", formula, "central", "--out", out.toString()).code()).isZero();
    Map<String, Double> expected = R.get("sleep-slope-reml ranef");
    int seen = 0;
    for (String site : List.of("h1", "h2", "h3", "h4")) {
      List<String> lines =
          Files.readAllLines(out.resolve("sites").resolve(site).resolve("random_effects.csv"));
      assertThat(lines.getFirst()).isEqualTo("grp,level,effect,value");
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.split(",", -1);
        double value = expected.get("subject|" + site + "." + fields[1] + "|" + fields[2]);
        assertThat(Double.parseDouble(fields[3])).as(line).isCloseTo(value, within(2e-4));
        seen++;
      }
    }
    assertThat(seen).isEqualTo(expected.size());
    for (String file : List.of("result.json", "coefficients.csv", "variances.csv", "vcov.csv")) {
      assertThat(Files.readString(out.resolve(file))).doesNotContain("random_effects", "level,");
    }
    assertThat(Files.readString(out.resolve("variances.csv")))
        .startsWith("grp,var1,var2,vcov,sdcor\nsubject,(Intercept),,");
    Path rows = Files.writeString(folder.resolve("new.csv"), "Days\n0\n3.5\n20\n");
    Command run = Command.run("predict", "--model", out.toString(), "--data", rows.toString());
    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    for (int i = 1; i <= 3; i++) {
      MixedOracle.same(
          Double.parseDouble(lines.get(i).split(",", -1)[1]),
          R.get("sleep-slope-reml predict").get(Integer.toString(i)),
          1e-8,
          "prediction " + i);
    }
  }

  @Test
  void predictions_ofFittedRows_arePredictsWithoutRandomEffects() {
    String out = folder.resolve("run").toString();
    String formula = "distance ~ age * Sex + (age | child)";
    assertThat(FITS.ngd("orthodont", formula, "regular:3", "--out", out).code()).isZero();
    ORACLE.predicts(out, ORACLES.resolve("orthodont.csv"), "response", "orthodont-reml predict");
  }

  @Test
  void refusals_nameWhatIsWrong() {
    String sleep = "Reaction ~ Days + ";
    refused(
        FITS.ngd("sleep", sleep + "(1 | 2)", "circle:1"), "expected the factor whose groups vary");
    refused(
        FITS.ngd("sleep", sleep + "(1 | Reaction:Days)", "circle:1"), "must be fewer than rows");
    refused(
        Command.run(
            "fit",
            "--formula",
            "Reaction ~ Days + (1 | site)",
            "--site",
            "a=" + ORACLES.resolve("sleep.csv"),
            "--network",
            "complete"),
        "needs at least two groups",
        "got 1");
    refused(FITS.ngd("sleep", sleep + "(I(0 * Days + 2) | subject)", "circle:1"), "must vary");
    refused(FITS.ngd("sleep", sleep + "I(2 * Days) + (1 | subject)", "circle:1"), "Days", "leave");
    refused(FITS.ngd("sleep", sleep + "site + (1 | site)", "circle:1"), "at once", "site");
    refused(
        FITS.ngd("sleep", sleep + "(1 | subject)", "circle:1", "--family", "gamma"),
        "must be gaussian",
        "`gamma`");
    refused(
        FITS.ngd("sleep", sleep + "(1 | subject)", "circle:1", "--link", "log"),
        "link identity",
        "`log`");
    refused(
        FITS.ngd(
            "sleep",
            sleep + "(1 | subject)",
            "circle:1",
            "--algorithm",
            "ngd",
            "--alpha",
            "0.1",
            "--rounds",
            "5"),
        "pooled fit by sums");
    refused(
        FITS.ngd("sleep", sleep + "(1 | subject)", "circle:1", "--robust"),
        "robust: does not work");
    refused(FITS.ngd("sleep", sleep + "(1 | subject)", "circle:1", "--reml", "maybe"), "yes or no");
    refused(FITS.ngd("sleep", "Reaction ~ Days", "circle:1", "--reml", "no"), "random terms");
    refused(FITS.ngd("sleep", sleep + "(. | subject)", "circle:1"), "`.` may not stand");
    refused(FITS.ngd("sleep", sleep + "(1 | subject) + (1 | subject)", "circle:1"), "given once");
    refused(
        FITS.ngd("sleep", "Reaction ~ Days - (1 | subject)", "circle:1"), "of its own, after +");
    refused(FITS.ngd("sleep", "Surv(Days, Reaction) ~ w + (1 | subject)", "circle:1"), "Surv(…)");
    refused(
        FITS.ngd("sleep", sleep + "(1 | subject) + weights(I(w - 1))", "circle:1"),
        "weights must be positive");
    refused(
        FITS.ngd("orthodont", "distance ~ age + child + (1 | site)", "circle:1"),
        "tell the groups of a random term apart");
  }

  @Test
  void rulesOfSites_countGroupsAndTheirRows() {
    Command run = FITS.sites("sleep", "Reaction ~ Days + (1 | subject)");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err())
        .contains(
            "a real site would refuse this question: site h4: its rows are in 2 groups of subject;"
                + " it must have at least 3 (nfilter.tab)")
        .doesNotContain("site h1");
    // Names of groups recur at other sites, and no level of them is counted as a class.
    assertThat(run.out()).contains("subject: 18 groups", "Random effects:", "Fixed effects:");
  }
}
