package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.app.federation.WindowFederations;
import ngd.app.fit.FitTrialFactory;
import ngd.app.window.Window;
import ngd.app.window.WindowSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every kind of answer on its page, in a real Chromium. The oracles are the files of the answers.
 */
class WindowAnswersTest {
  private static final String HOSPITALS = " --partition column:hospital --network complete";

  /** A line for each kind; `ORACLES` stands for the folder of their tables. */
  private static final Map<String, String> ANSWERS = new LinkedHashMap<>();

  static {
    ANSWERS.put(
        "lasso",
        "fit --data ORACLES/penalty/birthwt.csv --family binomial --penalty lasso --formula"
            + " low~age+lwt+factor(race)+smoke"
            + HOSPITALS);
    ANSWERS.put(
        "weighted",
        "fit --data ORACLES/weighting/birthwt.csv --formula bwt~smoke --treatment"
            + " smoke~age+factor(race)+lwt"
            + HOSPITALS);
    ANSWERS.put(
        "imputed",
        "fit --data ORACLES/imputation/boys.csv --formula wgt~age+hgt --impute 2" + HOSPITALS);
    ANSWERS.put(
        "mixed",
        "fit --data ORACLES/mixed/sleep.csv --formula Reaction~Days+(Days|subject)" + HOSPITALS);
    ANSWERS.put(
        "generalized-mixed",
        "fit --data ORACLES/glmer/bacteria.csv --family binomial --formula y~trt+week+(1|child)"
            + HOSPITALS);
    ANSWERS.put(
        "curves",
        "fit --data ORACLES/survival/lung.csv --formula Surv(time,status=2)~strata(sex) --times"
            + " 90,180,365,730,1022 --tau 365"
            + HOSPITALS);
    ANSWERS.put(
        "causes",
        "fit --data ORACLES/survival/competing.csv --formula Surv(etime,event)~strata(sex) --times"
            + " 12,48,120,240,500"
            + HOSPITALS);
    ANSWERS.put(
        "cox",
        "fit --data ORACLES/survival/lung.csv --formula Surv(time,status=2)~age+factor(sex) --zph"
            + " --exponentiate --times 60,120,180,240,300,365,450,540,730"
            + HOSPITALS);
    ANSWERS.put(
        "multinomial",
        "fit --data ORACLES/categories/births.csv --formula race~age+lwt --family multinomial"
            + HOSPITALS);
    ANSWERS.put(
        "sites-compared",
        "fit --data ORACLES/penalty/birthwt.csv --formula low~age+lwt --family binomial --meta"
            + " --heterogeneity --anova --test age=0"
            + HOSPITALS);
    ANSWERS.put(
        "private",
        "fit --simulate logistic --rows 3000 --clients 6 --network complete --privacy"
            + " epsilon=2,delta=1e-6,noise=central,bound=4");
    ANSWERS.put(
        "changing-network",
        "fit --simulate linear --rows 1000 --clients 16 --network one-peer-exponential --alpha 0.05"
            + " --rounds 100");
    ANSWERS.put(
        "codec",
        "fit --simulate linear --rows 1000 --clients 16 --network ring:1 --weights metropolis"
            + " --algorithm choco:0.3 --codec top:2 --alpha 0.05 --rounds 100");
    ANSWERS.put(
        "compared",
        "compare --algorithms ngd,extra,diging --simulate linear --rows 400 --clients 8 --partition"
            + " sorted --network ring:2 --weights metropolis --alpha 0.02 --rounds 200");
    ANSWERS.put(
        "described",
        "describe --data ORACLES/tables/birthwt-a.csv --by race --columns age,lwt,smoke --cross"
            + " race,smoke --histogram age --correlation age,lwt");
    ANSWERS.put(
        "checked",
        "check --simulate linear --rows 400 --clients 8 --network circle:2 --alpha 0.05");
    ANSWERS.put("trust", "study trust --replicates 2");
  }

  @TempDir private static Path runs;

  private static Browser browser;
  private static Window window;

  @BeforeAll
  static void open() throws IOException {
    browser = Browser.start();
    for (Map.Entry<String, String> answer : ANSWERS.entrySet()) {
      Command done =
          Command.line(
              answer.getValue().replace("ORACLES", "../oracles")
                  + " --out "
                  + runs.resolve(answer.getKey()));
      assertThat(done.code()).as(answer.getKey() + ": " + done.err()).isZero();
    }
    window =
        Window.open(
            new WindowSettings(
                InetAddress.getLoopbackAddress(), 0, Optional.empty(), runs, List.of()),
            new FitTrialFactory(),
            new WindowFederations(List.of()));
    browser.open(window.address());
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
    if (window != null) {
      window.close();
    }
  }

  private static JsonNode found(String answer, String file) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(runs.resolve(answer).resolve(file)));
  }

  private static String part(String answer, String title) {
    browser.page("#/run?name=" + answer, "run");
    return browser.text("[data-part='%s']".formatted(title));
  }

  private static String shown(JsonNode number) {
    return browser.number(number.asDouble());
  }

  @Test
  void everyAnswer_inLightAndDarkWideAndOnAPhone_hasNoBarrierAndBreaksNothing() {
    List<String> found = new ArrayList<>();
    for (String answer : ANSWERS.keySet()) {
      found.addAll(PageChecks.of(browser, "#/run?name=" + answer));
    }
    assertThat(found).isEmpty();
    assertThat(PageChecks.complaints(browser)).isEmpty();
  }

  @Test
  void table_ofRuns_saysOfEachWhatItIs() {
    browser.size(1440, 900);
    browser.page("#/runs", "runs");
    for (Map.Entry<String, String> one :
        Map.of(
                "lasso", "pooled, lasso",
                "weighted", "pooled, weighted",
                "imputed", "pooled, imputed",
                "generalized-mixed", "pooled, random effects",
                "curves", "survival curves",
                "private", "pooled, private",
                "described", "description",
                "checked", "check")
            .entrySet()) {
      assertThat(browser.text("[data-run='%s']".formatted(one.getKey())))
          .contains(one.getValue())
          .doesNotContain("damaged");
    }
    assertThat(browser.text("[data-run=cox]")).contains("Surv(time,status=2)~age");
  }

  /** The oracle is the line that made each. */
  @Test
  void page_ofARun_saysFormulaFamilyAndLink() {
    for (Map.Entry<String, List<String>> one :
        Map.of(
                "lasso", List.of("low~age+lwt+factor(race)+smoke", "binomial", "logit"),
                "mixed", List.of("Reaction~Days+(Days|subject)", "gaussian", "identity"),
                "cox", List.of("Surv(time,status=2)~age+factor(sex)", "cox"),
                "multinomial", List.of("race~age+lwt", "multinomial", "baseline"))
            .entrySet()) {
      browser.page("#/run?name=" + one.getKey(), "run");
      assertThat(browser.text("#model")).contains(one.getValue());
    }
  }

  @Test
  void overlay_ofWhatHasNoCurves_saysWhy() {
    browser.page(
        "#/overlay?name=described&name=checked&name=lasso&name=trust&name=compared", "overlay");
    assertThat(browser.all("#left-out li").stream().map(one -> one.getText()).toList())
        .containsExactly(
            "described: a description has no rounds and so no curves",
            "checked: a check has no rounds and so no curves",
            "lasso: a pooled fit has no rounds and so no curves",
            "trust: a study has figures of its own");
    assertThat(browser.all("#costs tbody tr")).hasSize(3);
  }

  @Test
  void penalty_showsItsPathAndWhatWasChosen() throws IOException {
    JsonNode penalty = found("lasso", "result.json").get("penalty");
    assertThat(part("lasso", "Penalty"))
        .contains(
            "10-fold cross-validation",
            shown(penalty.get("lambdaMin")),
            shown(penalty.get("lambda1se")));
    assertThat(browser.all("[data-part=Penalty] img")).hasSize(1);
    assertThat(browser.text("main")).contains("no standard error accounts for that");
    // There is no interval to draw.
    assertThat(browser.all(".whisker")).isEmpty();
  }

  @Test
  void weighting_showsTheBalanceBeforeAndAfter() throws IOException {
    JsonNode first = found("weighted", "result.json").at("/weighting/balance/0");
    assertThat(part("weighted", "Weighting"))
        .contains(
            "the average effect on all rows",
            first.get("term").asString(),
            shown(first.get("difference")),
            shown(first.get("weightedDifference")));
    assertThat(browser.text("#model")).contains("smoke~age+factor(race)+lwt");
  }

  @Test
  void imputation_showsWhatWasMissingAndWhatThatCost() throws IOException {
    JsonNode imputation = found("imputed", "result.json").get("imputation");
    assertThat(part("imputed", "Imputation"))
        .contains("2 imputations", "hgt", shown(imputation.at("/terms/1/fmi")));
  }

  @Test
  void randomEffects_withAndWithoutAResidual_areShown() throws IOException {
    JsonNode linear = found("mixed", "result.json").get("mixed");
    assertThat(part("mixed", "Random effects"))
        .contains(
            "residual",
            shown(linear.at("/residual/variance")),
            shown(linear.at("/groups/0/effects/1/sd")));
    JsonNode binomial = found("generalized-mixed", "result.json").get("mixed");
    assertThat(part("generalized-mixed", "Random effects"))
        .contains("child", shown(binomial.at("/groups/0/effects/0/variance")))
        .doesNotContain("residual");
  }

  @Test
  void survival_showsCurvesMeansAndTests() throws IOException {
    JsonNode curves = found("curves", "result.json").get("curves");
    assertThat(part("curves", "Survival"))
        .contains(
            "mean to 365",
            shown(curves.at("/groups/0/restrictedMean")),
            shown(curves.at("/logRank/statistic")));
    assertThat(browser.all("[data-part=Survival] img")).hasSize(1);
    JsonNode causes = found("causes", "result.json").get("curves");
    assertThat(part("causes", "Survival"))
        .contains("Log-rank test of cause 1", "Log-rank test of cause 2")
        .contains("time lost to", shown(causes.at("/groups/1/incidences/1/timeLost")))
        .contains(shown(causes.at("/groups/0/incidences/0/points").get(4).get("incidence")));
    // The figure has the curves of each cause too, each with the rows at risk.
    assertThat(browser.attribute("[data-part=Survival] img", "alt"))
        .isEqualTo("Survival curves and cumulative incidences with numbers at risk");
    String figure =
        String.valueOf(
            browser.script(
                "const request = new XMLHttpRequest(); request.open('GET',"
                    + " document.querySelector('[data-part=Survival] img').src, false);"
                    + " request.send(); return request.responseText"));
    assertThat(figure).contains("incidence of cause 1", "incidence of cause 2");
    assertThat(figure.split("Numbers at risk", -1)).hasSize(4);
    JsonNode cox = found("cox", "result.json").get("cox");
    assertThat(part("cox", "Tests of the model"))
        .contains(
            "likelihood ratio",
            shown(cox.at("/likelihoodRatio/statistic")),
            "Proportional hazards",
            shown(cox.at("/zph/terms/0/statistic")));
  }

  /** The oracle is the printed answer: R's way to say that a p-value is below all precision. */
  @Test
  void pValues_belowPrecision_areNotSaidToBeZero() throws IOException {
    JsonNode result = found("mixed", "result.json");
    assertThat(result.at("/coefficients/0/pValue").doubleValue()).isLessThan(2e-16);
    assertThat(part("mixed", "Coefficients")).contains("<2e-16");
  }

  @Test
  void termsTestsAndSites_areShown() throws IOException {
    JsonNode result = found("sites-compared", "result.json");
    assertThat(part("sites-compared", "Terms"))
        .contains(shown(result.at("/anova/terms/1/deviance")));
    assertThat(browser.text("[data-part='Between sites']"))
        .contains("REML", shown(result.at("/meta/terms/1/methods/2/estimate")));
    assertThat(browser.text("[data-part=Tests]"))
        .contains(shown(result.at("/tests/0/wald/statistic")));
    assertThat(browser.text("[data-part=Heterogeneity]"))
        .contains(shown(result.at("/heterogeneity/statistic")));
    // A note that names an option does so without its dashes.
    assertThat(browser.text("main")).contains("“robust” gives a test that does not");
  }

  /** An answer without intervals has no report to offer; one with noise says how much. */
  @Test
  void privateAnswer_showsItsNoiseAndOffersNoReport() throws IOException {
    JsonNode first = found("private", "result.json").at("/coefficients/0");
    assertThat(part("private", "Coefficients"))
        .contains("noise", shown(first.get("estimate")), shown(first.get("noiseSd")));
    assertThat(browser.all(".head a.button")).isEmpty();
    assertThat(browser.text("#model")).contains("epsilon=2, delta=1e-6", "3,000 rows");
  }

  @Test
  void comparison_showsWhatWasComparedAndWhatEachCost() throws IOException {
    browser.page("#/run?name=compared", "run");
    assertThat(browser.text("#model")).contains("ring:2", "ngd, extra, diging");
    JsonNode first = found("compared", "result.json").at("/algorithms/0");
    assertThat(browser.attribute("#costs tr[data-run=ngd] [data-cost=messages]", "data-exact"))
        .isEqualTo(first.get("messages").asString());
  }

  @Test
  void description_showsTheFirstTableOfAPaper() throws IOException {
    JsonNode groups = found("described", "description.json").at("/groups/0/groups");
    assertThat(part("described", "By race"))
        .contains(
            "black", "other", "white", "mean (SD)", groups.get(0).get("n").asString() + " (0)");
    assertThat(browser.text("[data-part='race by smoke']")).contains("chi-squared", "Fisher exact");
    assertThat(browser.all("[data-part=Histograms] .histogram")).hasSize(4);
    assertThat(browser.text("[data-part=Correlations]")).contains("120 rows");
  }

  @Test
  void check_showsItsVerdictAndConditions() throws IOException {
    JsonNode check = found("checked", "check.json");
    assertThat(part("checked", "What the theory says"))
        .contains("Converges.", check.at("/conditions/0/words").asString());
    assertThat(browser.text("main")).contains("safe α");
  }

  @Test
  void methods_sayTheirCodecAndTheirChangingNetwork() {
    browser.page("#/run?name=codec", "run");
    assertThat(browser.text("#model")).contains("choco:0.3", "top:2", "ring:1, metropolis weights");
    browser.page("#/run?name=changing-network", "run");
    assertThat(browser.text("#model")).contains("one-peer-exponential");
  }

  /** The oracle is the width of the numbers as the browser measures them. */
  @Test
  void curves_whereverTheyEnd_haveNumbersThatStandApart() {
    browser.size(1440, 900);
    browser.page("#/run?name=codec", "run");
    for (int end : new int[] {843, 810, 1000, 1199, 7, 100_003, 99_999}) {
      Object gaps =
          browser.wait(
              """
              const done = arguments[arguments.length - 1];
              import("/curves.js").then(({Curves}) => {
                const box = document.createElement("div");
                box.style.width = "420px";
                document.getElementById("main").prepend(box);
                const curves = new Curves(box);
                curves.set([{name: "", rounds: [0, arguments[0]], values: {distance: [1, 0.5]}}]);
                const chart = window.Chart.getChart(box.querySelector("canvas")), x = chart.scales.x;
                chart.ctx.font = "11px Inter, sans-serif";
                const gaps = x.ticks.slice(1).map((tick, i) => x.getPixelForTick(i + 1) - x.getPixelForTick(i)
                    - (chart.ctx.measureText(tick.label).width + chart.ctx.measureText(x.ticks[i].label).width) / 2);
                curves.destroy();
                box.remove();
                done(gaps);
              });
              """,
              end);
      assertThat((List<?>) gaps).as("gaps up to " + end).isNotEmpty();
      for (Object gap : (List<?>) gaps) {
        assertThat(((Number) gap).doubleValue()).as("gaps up to %d: %s", end, gaps).isPositive();
      }
    }
  }

  @Test
  void phone_aWideTable_scrollsAndSaysSoUntilItsEnd() {
    browser.size(390, 844);
    browser.page("#/run?name=lasso", "run");
    browser.page("#/run?name=weighted", "run");
    String box = "[data-part=Weighting] .scroller:last-child";
    browser.until("the hint", () -> browser.text(box).contains("Scroll sideways for more"));
    assertThat(browser.attribute(box, "class")).contains("wide", "more");
    browser.script(
        "const box = document.querySelector(arguments[0] + ' .table'); box.scrollLeft ="
            + " box.scrollWidth",
        box);
    browser.until("its end", () -> !browser.attribute(box, "class").contains("more"));
    assertThat(browser.text(box)).doesNotContain("Scroll sideways");
    assertThat(
            browser.script(
                "const last = [...document.querySelectorAll(arguments[0] + ' thead th')].at(-1);"
                    + " return last.getBoundingClientRect().right <= innerWidth",
                box))
        .isEqualTo(true);
    browser.size(1440, 900);
  }

  @Test
  void phone_columnsOfWords_areNotSqueezed() {
    browser.size(390, 844);
    browser.page("#/run?name=checked", "run");
    assertThat(
            ((Number)
                    browser.script(
                        "return Math.min(...[...document.querySelectorAll('td.words')].map((one) =>"
                            + " one.clientWidth))"))
                .intValue())
        .isGreaterThan(180);
    browser.page("#/runs", "runs");
    assertThat(
            browser.script(
                "const one = document.getElementById('search'), pen ="
                    + " document.createElement('canvas').getContext('2d'); pen.font ="
                    + " getComputedStyle(one).font; return pen.measureText(one.placeholder).width <"
                    + " one.clientWidth - 20"))
        .isEqualTo(true);
    browser.size(1440, 900);
  }

  @Test
  void sentences_ofClaimsAndChecks_keepSymbolsWithTheirNumbers() {
    Object said =
        browser.wait(
            "const done = arguments[arguments.length - 1]; import('/answer.js').then((answer) =>"
                + " done(answer.plain('circle (D = 2) at α = 0.01, 95 % of rows')));");
    assertThat(said).isEqualTo("circle (D\u00a0=\u00a02) at α\u00a0=\u00a00.01, 95\u00a0% of rows");
    assertThat(part("checked", "What the theory says"))
        .contains("α = 0.05 is below", "κ1", "λmax(Σxx)")
        .doesNotContain("alpha", "kappa", "Sigma", "0.0500");
  }

  /** On a phone, a page's own link is in sight, however far right it stands. */
  @Test
  void phone_theLinkOfThePage_isInSight() {
    browser.size(390, 844);
    browser.page("#/disclosure", "disclosure");
    assertThat(
            browser.script(
                "const link = document.querySelector('nav [aria-current]').getBoundingClientRect();"
                    + " const nav = document.querySelector('.bar nav').getBoundingClientRect();"
                    + " return link.left >= nav.left && link.right <= nav.right"))
        .isEqualTo(true);
  }
}
