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
import java.util.SequencedMap;
import java.util.stream.Stream;
import ngd.app.federation.LocalFederation;
import ngd.app.federation.WindowFederations;
import ngd.app.fit.FitTrialFactory;
import ngd.app.window.Window;
import ngd.app.window.WindowSettings;
import ngd.core.question.Key;
import ngd.peer.plan.PlanKeys;
import ngd.peer.plan.QuestionKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The forms of the window with every option that they have, in a real Chromium: questions of every
 * kind of answer to real peers, and runs with everything that a method takes. The oracles are the
 * files of the answers and the command line.
 */
@ExtendWith(QuickStart.class)
class WindowFormsTest {
  @TempDir private static Path folder;

  private static Browser browser;
  private static Window window;
  private static LocalFederation federation;

  @BeforeAll
  static void open() throws IOException {
    browser = Browser.start();
    federation = standing();
    federation.start();
    Path runs = Files.createDirectories(folder.resolve("runs"));
    window =
        Window.open(
            new WindowSettings(
                InetAddress.getLoopbackAddress(), 0, Optional.empty(), runs, List.of()),
            new FitTrialFactory(),
            new WindowFederations(List.of(federation.site("north"))));
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
    if (federation != null) {
      federation.close();
    }
  }

  /** Scattered over [0, 1), the same on every machine. */
  private static double at(int row, int column) {
    double x = Math.sin(row * 12.9898 + column * 78.233) * 43758.5453;
    return x - Math.floor(x);
  }

  private static LocalFederation standing() throws IOException {
    SequencedMap<String, String> tables = new LinkedHashMap<>();
    for (String site : List.of("north", "east", "south")) {
      StringBuilder csv =
          new StringBuilder("age,stay,ill,treated,bmi,ward,weight,grade,months,dead,end\n");
      for (int i = 0; i < 240; i++) {
        int n = 240 * tables.size() + i;
        double age = Math.rint(30 + 40 * at(n, 1));
        double stay = Math.rint(1 + 12 * at(n, 2));
        int ill = at(n, 3) < 1 / (1 + Math.exp(2.5 - 0.05 * age - 0.1 * (stay - 6))) ? 1 : 0;
        int treated = at(n, 4) < 0.3 + 0.4 * (age > 50 ? 1 : 0) ? 1 : 0;
        int ward = 1 + n % 8;
        double weight = 60 + 0.2 * age - 2 * treated + 3 * at(ward, 5) + 6 * at(n, 6);
        double latent = 0.04 * (age - 50) + 3 * (at(n, 7) - 0.5);
        int months = (int) Math.min(24, 1 - 18 * Math.log(1 - at(n, 8)) * Math.exp(-0.01 * age));
        int dead = at(n, 9) < 0.7 ? 1 : 0;
        csv.append(
            "%.0f,%.0f,%d,%d,%s,w%d,%.3f,%s,%d,%d,%d%n"
                .formatted(
                    age,
                    stay,
                    ill,
                    treated,
                    i % 9 == 0 ? "" : "%.2f".formatted(20 + 0.1 * age + 4 * at(n, 10)),
                    ward,
                    weight,
                    latent < -0.6 ? "low" : latent < 0.6 ? "mid" : "high",
                    months,
                    dead,
                    dead == 0 ? 0 : 1 + n % 2));
      }
      tables.put(site, csv.toString());
    }
    return StandingSites.make(
        folder.resolve("federation"),
        tables,
        _ ->
            """
            kinds: [pooled, pooled-rounds, methods, describe, cross-validation, losses, check]
            differencing: off
            """);
  }

  /**
   * A question by the words of the form.
   *
   * @param words by the labels of the fields
   * @param parts the parts that its answer must have
   * @param numbers where numbers of its result lie that the page must show
   */
  record Asked(String name, Map<String, String> words, List<String> parts, List<String> numbers) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String FORMULA = "Model formula";

  private static Stream<Asked> questions() {
    return Stream.of(
        new Asked(
            "glm",
            Map.of(
                FORMULA,
                "ill ~ age + stay",
                "Family",
                "binomial",
                "robust",
                "hc1",
                "exponentiate",
                "yes",
                "heterogeneity",
                "yes",
                "test",
                "age = 0",
                "meta",
                "yes"),
            List.of("Coefficients", "Tests", "Between sites", "Heterogeneity"),
            List.of(
                "/coefficients/1/ratio",
                "/tests/0/wald/statistic",
                "/meta/terms/1/methods/2/estimate",
                "/heterogeneity/statistic")),
        new Asked(
            "penalised",
            Map.of(
                FORMULA,
                "ill ~ age + stay + weight",
                "Family",
                "binomial",
                "penalty",
                "lasso",
                "folds",
                "5",
                "select",
                "min",
                "lambda-count",
                "12"),
            List.of("Coefficients", "Penalty"),
            List.of("/penalty/lambdaMin", "/penalty/lambda1se", "/coefficients/1/estimate")),
        new Asked(
            "imputed",
            Map.of(FORMULA, "weight ~ age + bmi", "impute", "2", "impute-iterations", "2"),
            List.of("Coefficients", "Imputation"),
            List.of("/imputation/terms/2/fmi", "/coefficients/2/stdError")),
        new Asked(
            "weighted",
            Map.of(
                FORMULA,
                "weight ~ treated",
                "treatment",
                "treated ~ age + stay",
                "estimand",
                "att"),
            List.of("Coefficients", "Weighting"),
            List.of(
                "/weighting/balance/0/weightedDifference",
                "/weighting/others/effective",
                "/coefficients/1/estimate")),
        new Asked(
            "mixed",
            Map.of(FORMULA, "weight ~ age + (1 | ward)", "reml", "no"),
            List.of("Coefficients", "Random effects"),
            List.of("/mixed/groups/0/effects/0/variance", "/mixed/residual/variance")),
        new Asked(
            "quadrature",
            Map.of(FORMULA, "ill ~ age + (1 | ward)", "Family", "binomial", "quadrature", "3"),
            List.of("Coefficients", "Random effects"),
            List.of("/mixed/groups/0/effects/0/variance", "/coefficients/1/estimate")),
        new Asked(
            "cox",
            Map.of(
                FORMULA, "Surv(months, dead) ~ age + treated", "times", "4,8,12,24", "zph", "log"),
            List.of("Coefficients", "Tests of the model"),
            List.of("/cox/score/statistic", "/cox/zph/terms/0/statistic")),
        new Asked(
            "curves",
            Map.of(
                FORMULA,
                "Surv(months, end) ~ strata(treated)",
                "times",
                "4,8,12,24",
                "tau",
                "12",
                "conf-type",
                "log-log"),
            List.of("Survival"),
            List.of(
                "/curves/groups/0/restrictedMean",
                "/curves/groups/1/incidences/1/timeLost",
                "/curves/causes/0/logRank/statistic")),
        new Asked(
            "ordered",
            Map.of(FORMULA, "grade ~ age", "Family", "ordered", "order", "low<mid<high"),
            List.of("Coefficients"),
            List.of("/coefficients/0/estimate", "/coefficients/2/estimate")),
        new Asked(
            "loss",
            Map.of(FORMULA, "weight ~ age", "Loss", "huber:2"),
            List.of("Coefficients"),
            List.of("/coefficients/1/estimate", "/coefficients/1/stdError")),
        new Asked(
            "method",
            Map.of(
                FORMULA,
                "ill ~ age",
                "Family",
                "binomial",
                "Method",
                "ngd",
                "alpha",
                "0.0005",
                "rounds",
                "30",
                "weight-decay",
                "0.01",
                "link-failures",
                "0.1:0.5",
                "activation",
                "bernoulli:0.8"),
            List.of("Coefficients"),
            List.of("/coefficients/1/estimate")),
        new Asked(
            "compressed",
            Map.of(
                FORMULA,
                "ill ~ age + stay",
                "Family",
                "binomial",
                "Method",
                "choco:0.3",
                "alpha",
                "0.0005",
                "rounds",
                "30",
                "codec",
                "top:2"),
            List.of("Coefficients"),
            List.of("/coefficients/2/estimate")));
  }

  /** A form as it is before anything was written into it. */
  private static void fresh() {
    browser.size(1400, 900);
    browser.script("sessionStorage.removeItem('ngd-question')");
    browser.page("#/questions", "questions");
    browser.until(
        "a peer that runs", () -> browser.text("main").contains("peer of this folder runs"));
    browser.script(
        "document.querySelectorAll('form[aria-label=Ask] details').forEach((one) => one.open ="
            + " true)");
  }

  /** Writes into a form's field, or ticks it. */
  private static void say(String form, String label, String words) {
    boolean ticked =
        Boolean.TRUE.equals(
            browser.script(
                "const box = [...document.querySelectorAll(`form[aria-label=${arguments[0]}]"
                    + " label.check`)].find((one) => one.textContent === arguments[1]);"
                    + " box?.querySelector('input').click(); return Boolean(box);",
                form,
                label));
    if (!ticked) {
      browser.write(label, words);
    }
  }

  @ParameterizedTest
  @MethodSource("questions")
  void question_ofEveryKind_isAskedAndItsAnswerShown(Asked asked) throws IOException {
    fresh();
    int known = browser.all("[data-question]").size();
    asked.words().forEach((label, words) -> say("Ask", label, words));
    browser.click("#ask");
    browser.until(
        "the question",
        () ->
            browser.all("[data-question]").size() > known
                || !browser.all("form [role=alert]").isEmpty());
    assertThat(browser.all("form [role=alert]").stream().map(one -> one.getText())).isEmpty();
    String question = browser.attribute("[data-question]", "data-question");
    browser.until(
        "an end",
        () -> {
          String state =
              browser.attribute("[data-question='%s']".formatted(question), "data-state");
          return !state.equals("waiting") && !state.equals("running");
        });
    assertThat(browser.attribute("[data-question='%s']".formatted(question), "data-state"))
        .as(browser.text("[data-question='%s']".formatted(question)))
        .isEqualTo("answered");
    String answer = "[data-answer='%s']".formatted(question);
    browser.click("[data-question='%s'] summary".formatted(question));
    browser.until("the answer", () -> !browser.all(answer + " [data-part]").isEmpty());
    List<String> parts = new ArrayList<>();
    browser
        .all(answer + " [data-part]")
        .forEach(one -> parts.add(one.getDomAttribute("data-part")));
    assertThat(parts).containsAll(asked.parts());
    JsonNode result =
        JsonMapper.shared()
            .readTree(
                Files.readString(
                    federation
                        .site("north")
                        .resolve("answers")
                        .resolve(question)
                        .resolve("result.json")));
    String shown = browser.text(answer);
    for (String place : asked.numbers()) {
      assertThat(result.at(place).isNumber()).as(place).isTrue();
      assertThat(shown).as(place).contains(browser.number(result.at(place).asDouble()));
    }
    // What there is no chance of is not 0.
    assertThat(shown).doesNotContainPattern("(?m)p\u00a0=\u00a00$");
    assertThat(browser.text("[data-question='%s'] code".formatted(question)))
        .contains(asked.words().get(FORMULA))
        .doesNotContain(", ,");
    // As it was asked: the words of the form, whatever else holds.
    String details = browser.text("[data-question='%s'] .pairs".formatted(question));
    for (String words : asked.words().values()) {
      if (!words.equals("yes")) {
        assertThat(details).contains(words);
      }
    }
    assertThat(PageChecks.shown(browser, "#/questions-" + asked.name())).isEmpty();
    browser.click("[data-question='%s'] summary".formatted(question));
  }

  /** The keys of plans are the oracle: none is left out, and each shows where it applies. */
  @Test
  void questions_form_hasAFieldForEveryOptionOfItsKind() {
    fresh();
    Map<String, String> labels =
        Map.of(
            "kind",
            "What",
            "formula",
            FORMULA,
            "family",
            "Family",
            "loss",
            "Loss",
            "algorithm",
            "Method",
            "columns",
            "Columns",
            "by",
            "Groups");
    for (QuestionKind kind : QuestionKind.values()) {
      browser.choose("#kind", kind.word());
      List<String> visible = new ArrayList<>();
      browser.all("form[aria-label=Ask] label").stream()
          .filter(one -> one.isDisplayed())
          .forEach(one -> visible.add(one.getText()));
      List<String> wanted = new ArrayList<>();
      for (Key<?> key : PlanKeys.ALL) {
        if (key.equals(PlanKeys.KIND) || kind.keys().contains(key)) {
          wanted.add(labels.getOrDefault(key.name(), key.name()));
        }
      }
      assertThat(visible).as(kind.word()).containsExactlyInAnyOrderElementsOf(wanted);
    }
  }

  @Test
  void questions_badOptions_areRefusedInTheWordsOfTheForm() {
    fresh();
    say("Ask", FORMULA, "ill ~ age");
    say("Ask", "folds", "5");
    say("Ask", "impute", "1");
    browser.click("#learn");
    browser.until("the refusal", () -> !browser.all("form [role=alert]").isEmpty());
    assertThat(browser.text("form [role=alert]"))
        .contains("folds: works only with penalty", "impute: must be at least 2")
        .doesNotContain("--");
    assertThat(PageChecks.shown(browser, "#/questions-refused")).isEmpty();
  }

  /** The oracle is the line that the page shows, run as it stands. */
  @ParameterizedTest
  @MethodSource("runs")
  void trial_withFurtherOptions_hasTheNumbersOfItsLine(Map<String, String> words) {
    browser.size(1400, 900);
    browser.script("sessionStorage.removeItem('ngd-try')");
    browser.page("#/network", "network");
    browser.page("#/try", "try");
    browser.click("form[aria-label=Setup] summary");
    Map<String, String> setup = new LinkedHashMap<>();
    setup.putAll(
        Map.of("Rows", "600", "Clients", "12", "Network", "ring:1", "Weights", "metropolis"));
    setup.putAll(Map.of("Step size α", "0.05", "Rounds", "60"));
    setup.putAll(words);
    setup.forEach((label, one) -> say("Setup", label, one));
    browser.choose("#speed", "0");
    browser.click("#begin");
    browser.until(
        "its end",
        () ->
            browser.text("#state").equals("finished")
                || !browser.all("form [role=alert]").isEmpty());
    assertThat(browser.all("form [role=alert]").stream().map(one -> one.getText())).isEmpty();
    String line = browser.text(".command code");
    words.forEach(
        (label, one) -> {
          if (Character.isLowerCase(label.charAt(0))) {
            assertThat(line).contains("--%s %s".formatted(label, one));
          }
        });
    Command same = Command.line(line.replace("./ngd ", "") + " --format json");
    assertThat(same.code()).as(same.err()).isZero();
    assertThat(Double.parseDouble(browser.attribute("[data-measure=distance]", "data-exact")))
        .isEqualTo(same.json().get("distanceToGlobal").asDouble());
  }

  private static Stream<Map<String, String>> runs() {
    return Stream.of(
        Map.of("Algorithm", "choco:0.3", "codec", "top:2"),
        Map.of(
            "Model",
            "linear",
            "weight-decay",
            "0.01",
            "link-failures",
            "0.1:0.5",
            "activation",
            "bernoulli:0.8"),
        Map.of("mix", "trimmed:1", "attack", "sign-flip:3", "attackers", "2", "Network", "ring:3"),
        Map.of("Model", "linear", "Algorithm", "fedavg", "local-steps", "3", "batch", "10"),
        Map.of("Algorithm", "async-ngd", "clocks", "poisson", "delay", "0.5", "Rounds", "20"));
  }

  @Test
  void trial_badFurtherOption_isRefusedInTheWordsOfTheForm() {
    browser.size(1400, 900);
    browser.script("sessionStorage.removeItem('ngd-try')");
    browser.page("#/network", "network");
    browser.page("#/try", "try");
    browser.click("form[aria-label=Setup] summary");
    say("Setup", "codec", "topp:2");
    say("Setup", "delay", "1");
    browser.click("#begin");
    browser.until("the refusal", () -> !browser.all("form [role=alert]").isEmpty());
    assertThat(browser.text("form [role=alert]"))
        .contains("codec: ", "`topp:2`", "delay: ")
        .doesNotContain("--");
    assertThat(PageChecks.shown(browser, "#/try-refused")).isEmpty();
  }
}
