package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import ngd.app.federation.LocalFederation;
import ngd.app.federation.WindowFederations;
import ngd.app.fit.FitTrialFactory;
import ngd.app.window.Trial;
import ngd.app.window.Window;
import ngd.app.window.WindowSettings;
import ngd.core.NumberText;
import ngd.core.network.Network;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The window in a real Chromium. The oracles are the command line, closed forms of small networks,
 * and the files of the runs shown.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith(QuickStart.class)
class WindowInBrowserTest {
  private static final String CANVAS = ".canvas canvas";

  @TempDir private static Path folder;

  private static Path runs;

  private static Browser browser;
  private static Window window;
  private static LocalFederation federation;

  @BeforeAll
  static void open() throws IOException {
    browser = Browser.start();
    // Its peers come up while the first tests run.
    federation = standing();
    federation.start();
    runs = Files.createDirectories(folder.resolve("runs"));
    for (String line :
        List.of(
            "fit --simulate logistic --rows 2000 --clients 20 --partition sorted --placement random"
                + " --network regular:2 --alpha 0.1 --rounds 1000 --out RUNS/logistic/regular",
            "fit --simulate linear --rows 1000 --clients 20 --partition sorted --network circle:1"
                + " --alpha 0.05 --rounds 800 --out RUNS/linear/circle",
            "fit --simulate linear --rows 1000 --clients 20 --partition sorted --network central"
                + " --alpha 0.05 --rounds 800 --out RUNS/linear/central",
            "fit --simulate linear --rows 100 --clients 4 --network complete --alpha 0.05 --rounds"
                + " 10 --out RUNS/damaged",
            "fit --simulate logistic --rows 600 --clients 6 --network complete --exponentiate --out"
                + " RUNS/pooled",
            "compare --algorithms ngd,extra --simulate linear --rows 400 --clients 8 --partition"
                + " sorted --network ring:2 --weights metropolis --alpha 0.02 --rounds 500 --out"
                + " RUNS/two-methods",
            "study figure2 --replicates 2 --out RUNS/figure2")) {
      Command done = Command.line(line.replace("RUNS", runs.toString()));
      assertThat(done.code()).as(done.err()).isZero();
    }
    Files.writeString(runs.resolve("damaged/manifest.json"), "{\"command\": ");
    window =
        Window.open(
            new WindowSettings(
                InetAddress.getLoopbackAddress(), 0, Optional.empty(), runs, List.of()),
            new FitTrialFactory(),
            new WindowFederations(List.of(federation.site("north"), federation.site("south"))));
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

  /** Wide and light, and nothing left in a form. */
  @BeforeEach
  void asNew() {
    browser.size(1440, 900);
    browser.dark(false);
    browser.script("sessionStorage.clear()");
  }

  private static void tool(String value) {
    browser.script(
        "document.querySelector(`input[name=tool][value=${arguments[0]}]`).click()", value);
  }

  private static void verdictBecomes(String words) {
    browser.until(words, () -> browser.text("#verdict").contains(words));
  }

  /** The closed forms of a directed cycle of five: SE = 0, period 5, every eigenvalue of size 1. */
  @Test
  void designer_fiveClientsDrawnByMouse_diagnosesThemAsTheyAre() {
    browser.page("#/network", "network");
    browser.press("Clear");
    int[][] places = {{0, -150}, {160, -40}, {100, 140}, {-100, 140}, {-160, -40}};
    tool("client");
    for (int[] place : places) {
      browser.clickAt(CANVAS, place[0], place[1]);
    }
    verdictBecomes("5 clients hear nobody");
    tool("link");
    for (int m = 0; m < 4; m++) {
      browser.drag(CANVAS, places[m][0], places[m][1], places[m + 1][0], places[m + 1][1]);
    }
    verdictBecomes("1 client hears nobody");
    assertThat(browser.text("#unheard")).isEqualTo("1");
    browser.drag(CANVAS, places[4][0], places[4][1], places[0][0], places[0][1]);
    verdictBecomes("Everyone's data reaches everyone");
    assertThat(browser.text("#se")).isEqualTo("0");
    assertThat(browser.text("#period")).startsWith("5");
    assertThat(browser.text("#closed")).isEqualTo("1");
    browser.until("the spectral gap", () -> browser.text("#gap").startsWith("0"));

    // A sixth link, 2 to 0, ends the period: cycles of five and of three.
    browser.drag(CANVAS, places[2][0], places[2][1], places[0][0], places[0][1]);
    browser.until("the period", () -> browser.text("#period").startsWith("1"));
    assertThat(browser.text("#se")).isNotEqualTo("0");

    // Without client 0, what is left is a chain again, and one click mends it.
    tool("delete");
    browser.clickAt(CANVAS, places[0][0], places[0][1]);
    verdictBecomes("1 client hears nobody");
    browser.click("#repair");
    verdictBecomes("Everyone's data reaches everyone");
    assertThat(browser.text("#period")).startsWith("4");
  }

  @Test
  void designer_aFixedDegreeNetwork_showsWhoIsHeardByNobodyAndHowToMendIt() {
    JsonNode printed = Command.line("network --network fixed:2 --clients 24 --format json").json();
    browser.page("#/network", "network");
    browser.write("Kind", "fixed");
    browser.write("Clients", "24");
    browser.press("Generate");
    browser.until(
        "the diagnosis", () -> browser.text("#unheard").equals(printed.get("unheard").asString()));
    assertThat(browser.text("#transient")).isEqualTo(printed.get("transient").asString());
    assertThat(browser.text("#se"))
        .startsWith(NumberText.text(printed.at("/balance/se").asDouble(), 4));
    browser.until(
        "the spectral gap",
        () ->
            browser
                .text("#gap")
                .startsWith(NumberText.text(1 - printed.get("secondEigenvalue").asDouble(), 4)));
    browser.picture("window-network");
    assertThat(browser.text(".command code"))
        .isEqualTo("./ngd network --network fixed:2 --clients 24");
    browser.click("#repair");
    verdictBecomes("Everyone's data reaches everyone");
    assertThat(browser.text(".command code"))
        .isEqualTo("./ngd network --network file:edges.csv --clients 24");
  }

  /** The oracle is the command line that the page shows, run as it stands. */
  @Test
  void designer_anotherSeedAndOtherWeights_areInTheCommandThatDiagnosesTheSame() {
    browser.page("#/network", "network");
    browser.write("Kind", "small-world");
    browser.write("Clients", "18");
    browser.write("Weights", "lazy-metropolis");
    browser.write("Seed", "7");
    browser.press("Generate");
    browser.until("the command", () -> browser.text(".command code").endsWith(" --seed 7"));
    String line = browser.text(".command code");
    assertThat(line).contains("--weights lazy-metropolis");
    JsonNode printed = Command.line(line.substring("./ngd ".length()) + " --format json").json();
    browser.until(
        "the spectral gap",
        () ->
            browser
                .text("#gap")
                .startsWith(NumberText.text(1 - printed.get("secondEigenvalue").asDouble(), 4)));
  }

  @Test
  void designer_anEdgeListWithWeights_isDiagnosedWithThem() throws IOException {
    Path edges = folder.resolve("weighted.csv");
    Files.writeString(edges, "client,hears,weight\n0,0,0.75\n0,1,0.25\n1,2,1\n2,0,1\n");
    JsonNode printed =
        Command.line("network --clients 3 --format json --network file:" + edges).json();
    browser.page("#/network", "network");
    browser.find("#edges").sendKeys(edges.toString());
    browser.until(
        "three clients",
        () -> browser.text("[aria-label=Diagnosis]").contains("3 clients, 3 links"));
    assertThat(browser.text("#se"))
        .isEqualTo(NumberText.text(printed.at("/balance/se").asDouble(), 4));
    browser.until(
        "the spectral gap",
        () ->
            browser
                .text("#gap")
                .startsWith(NumberText.text(1 - printed.get("secondEigenvalue").asDouble(), 4)));
    Files.writeString(edges, "client,hears\n0,1\n1,7\n");
    browser.find("#edges").sendKeys(edges.toString());
    browser.until(
        "the complaint",
        () -> browser.text("[role=alert]").contains("edge list: every client must hear"));
  }

  /** The reader of plans is the oracle. */
  @Test
  void designer_exportedToAPlan_isReadWithTheSameLinks() {
    browser.page("#/network", "network");
    Object text =
        browser.wait(
            """
            const done = arguments[arguments.length - 1];
            import("/designer.js").then((page) =>
                done(page.planOf({clients: 3, links: [0, 1, 1, 0, 1, 2, 2, 1], weights: "metropolis"})));
            """);
    Network network = PlanReader.parse((String) text).plan().network();
    assertThat(network.weight(1, 0)).isEqualTo(1.0 / 3);
    assertThat(network.weight(1, 2)).isEqualTo(1.0 / 3);
    assertThat(network.weight(0, 2)).isZero();
  }

  @Test
  void designer_badInput_isRefusedInTheWordsOfTheForm() {
    browser.page("#/network", "network");
    browser.write("Kind", "erdos-renyi");
    browser.write("P", "2");
    browser.press("Generate");
    browser.until(
        "the refusal", () -> browser.text("[role=alert]").contains("erdos-renyi: P must lie"));
    browser.write("Kind", "torus");
    browser.write("Clients", "7");
    browser.press("Generate");
    browser.until("the other refusal", () -> browser.text("[role=alert]").contains("torus"));
    assertThat(browser.text("[role=alert]")).contains("number of clients").doesNotContain("--");
    browser.write("Kind", "complete");
    browser.write("Clients", "5000");
    browser.press("Generate");
    browser.until("the last refusal", () -> browser.text("[role=alert]").contains("Kind: a page"));
    browser.write("Clients", "6");
    browser.press("Generate");
    browser.until("none", () -> browser.all("[role=alert]").isEmpty());
  }

  @Test
  void designer_fiveThousandClients_stillDraws() {
    browser.page("#/network", "network");
    browser.write("Kind", "regular");
    browser.write("Clients", "5000");
    browser.press("Generate");
    browser.until(
        "5,000 clients", () -> browser.text("[aria-label=Diagnosis]").contains("5,000 clients"));
    Object ink =
        browser.wait(
            """
            const done = arguments[arguments.length - 1];
            requestAnimationFrame(() => requestAnimationFrame(() => {
              const canvas = document.querySelector(".canvas canvas");
              const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
              let ink = 0;
              for (let i = 3; i < data.length; i += 4) if (data[i] > 40) ink++;
              done(ink / (data.length / 4));
            }));
            """);
    assertThat(((Number) ink).doubleValue()).isBetween(0.02, 0.9);
  }

  private static final String FIT =
      "--simulate logistic --rows 2000 --clients 20 --partition sorted --placement random --network"
          + " fixed:3 --alpha 0.1 --rounds 400 --seed 3";

  private static void begin(String options, String speed) {
    browser.page("#/network", "network");
    browser.page("#/try", "try");
    String[] words = options.split(" ", -1);
    Map<String, String> labels =
        Map.of(
            "--simulate", "Model",
            "--rows", "Rows",
            "--clients", "Clients",
            "--partition", "Partition",
            "--placement", "Placement",
            "--network", "Network",
            "--alpha", "Step size α",
            "--rounds", "Rounds",
            "--seed", "Seed");
    for (int i = 0; i < words.length; i += 2) {
      browser.write(labels.get(words[i]), words[i + 1]);
    }
    browser.choose("#speed", speed);
    browser.click("#begin");
  }

  private static void stateBecomes(String state) {
    browser.until(state, () -> browser.text("#state").equals(state));
  }

  private static double measured(String name) {
    return Double.parseDouble(browser.attribute("[data-measure=" + name + "]", "data-exact"));
  }

  @Test
  void trial_runToItsEnd_showsTheNumbersOfTheCommandLine() {
    begin(FIT, "0");
    stateBecomes("finished");
    assertThat(browser.text("#round")).isEqualTo("round 400 of 400");
    JsonNode printed = Command.line("fit " + FIT + " --format json").json();
    assertThat(measured("distance")).isEqualTo(printed.get("distanceToGlobal").asDouble());
    assertThat(measured("consensus")).isEqualTo(printed.get("consensus").asDouble());
    assertThat(measured("gradient_norm")).isEqualTo(printed.get("gradientNorm").asDouble());
    assertThat(measured("log_mse")).isEqualTo(printed.get("logMse").asDouble());
    assertThat(browser.text(".command code")).contains("./ngd fit --simulate logistic");
  }

  /** The oracle is the folder that the shown command writes. */
  @Test
  void trial_saved_isTheFolderThatTheCommandLineWrites() throws IOException {
    begin(FIT, "0");
    stateBecomes("finished");
    browser.click("#play");
    browser.until("twice the rounds", () -> browser.text("#round").equals("round 800 of 800"));
    String line = browser.text(".command code");
    assertThat(line).contains("--rounds 800");
    browser.write("Save as", "../kept");
    browser.click("#save");
    browser.until(
        "the refusal", () -> browser.text("form [role=alert]").contains("Name: must be 1 to 60"));
    browser.write("Save as", "kept");
    browser.click("#save");
    browser.until("the word", () -> browser.text("main").contains("Saved after 800 rounds"));
    Path same = folder.resolve("same");
    assertThat(Command.line(line.replace("./ngd ", "") + " --out " + same).code()).isZero();
    for (String file : List.of("theta.csv", "result.json")) {
      assertThat(runs.resolve("kept").resolve(file)).hasSameTextualContentAs(same.resolve(file));
    }
    assertThat(json(runs.resolve("kept/manifest.json")).get("question"))
        .isEqualTo(json(same.resolve("manifest.json")).get("question"));
    browser.click("#save");
    browser.until("the other refusal", () -> browser.text("main").contains("Name: must be new"));
    browser.page("#/run?name=kept", "run");
    assertThat(browser.text("#model")).contains("binomial", "logit", "2,000 rows at 20 clients");
  }

  /** Colours tell the clients of the moment apart, however near all have come. */
  @Test
  void trial_atItsEnd_coloursFromTheNearestToTheFarthestOfNow() {
    begin(FIT, "0");
    stateBecomes("finished");
    String[] ends = browser.text("#scale").replaceAll(" now.*", "").split(" to ", -1);
    browser.find(CANVAS).sendKeys(Keys.ARROW_RIGHT);
    List<Double> distances = new ArrayList<>();
    for (int m = 0; m < 20; m++) {
      Object distance =
          browser.wait(
              """
              const done = arguments[arguments.length - 1];
              const {trial} = document.querySelector(".canvas canvas").dataset;
              fetch(`/api/trials/${trial}/client?client=${arguments[0]}`).then((one) => one.json()).then((one) => done(one.distance));
              """,
              m);
      distances.add(((Number) distance).doubleValue());
    }
    assertThat(ends[0])
        .isEqualTo(NumberText.text(distances.stream().min(Double::compare).orElseThrow(), 3));
    assertThat(ends[1])
        .isEqualTo(NumberText.text(distances.stream().max(Double::compare).orElseThrow(), 3));
  }

  /** How many pixels of the picture have exactly the colour of this name. */
  private static int pixels(String colour) {
    return ((Number)
            browser.wait(
                """
                const done = arguments[arguments.length - 1];
                const hex = getComputedStyle(document.documentElement).getPropertyValue("--" + arguments[0]).trim();
                const wanted = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
                requestAnimationFrame(() => requestAnimationFrame(() => {
                  const canvas = document.querySelector(".canvas canvas");
                  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
                  let n = 0;
                  for (let i = 0; i < data.length; i += 4) if (wanted.every((part, k) => data[i + k] === part) && data[i + 3] === 255) n++;
                  done(n);
                }));
                """,
                colour))
        .intValue();
  }

  /** Of a scale of all times, all would be near in the end and none far. */
  @Test
  void trial_atAnyMoment_nodesHaveTheColoursOfTheNearestAndOfTheFarthest() {
    begin(FIT, "20");
    stateBecomes("running");
    browser.click("#play");
    stateBecomes("paused");
    String early = browser.text("#scale");
    assertThat(pixels("near")).isGreaterThan(20);
    assertThat(pixels("far")).isGreaterThan(20);
    browser.choose("#speed", "0");
    browser.click("#play");
    stateBecomes("finished");
    assertThat(browser.text("#scale")).isNotEqualTo(early);
    assertThat(pixels("near")).isGreaterThan(20);
    assertThat(pixels("far")).isGreaterThan(20);
  }

  /** The oracle is the line shown, beside the edge list that the page exports. */
  @Test
  void trial_ofADrawnNetworkWithAnotherMethod_hasTheNumbersOfItsLine() throws IOException {
    browser.page("#/network", "network");
    browser.write("Kind", "ring");
    browser.write("K", "1");
    browser.write("Clients", "9");
    browser.write("Weights", "metropolis");
    browser.press("Generate");
    browser.until(
        "nine clients", () -> browser.text("[aria-label=Diagnosis]").contains("9 clients"));
    browser.write("Listener", "0");
    browser.write("hears", "4");
    browser.press("Add link");
    browser.write("Listener", "4");
    browser.write("hears", "0");
    browser.press("Add link");
    browser.until("20 links", () -> browser.text("[aria-label=Diagnosis]").contains("20 links"));
    Object edges =
        browser.wait(
            "const done = arguments[arguments.length - 1]; import('/designer.js').then((page) =>"
                + " done(page.edgeList(page.stored())));");
    Path file = Files.writeString(folder.resolve("drawn.csv"), (String) edges);
    browser.page("#/try?drawn=1", "try");
    browser.write("Model", "linear");
    browser.write("Rows", "900");
    browser.write("Algorithm", "extra");
    browser.write("Weights", "metropolis");
    browser.write("Step size α", "0.03");
    browser.write("Rounds", "120");
    browser.write("Seed", "5");
    browser.choose("#speed", "0");
    browser.click("#begin");
    stateBecomes("finished");
    String line = browser.text(".command code");
    assertThat(line)
        .contains("--network file:edges.csv", "--algorithm extra", "--weights metropolis")
        .contains("--alpha 0.03", "--rounds 120", "--seed 5");
    JsonNode printed =
        Command.line(line.replace("./ngd ", "").replace("edges.csv", file + " --format json"))
            .json();
    assertThat(measured("distance")).isEqualTo(printed.get("distanceToGlobal").asDouble());
  }

  @Test
  void trial_badInput_isRefusedInTheWordsOfTheForm() {
    begin(
        FIT.replace("--alpha 0.1", "--alpha fast").replace("--rounds 400", "--rounds 99999999"),
        "0");
    browser.until("the refusal", () -> !browser.all("form [role=alert]").isEmpty());
    assertThat(browser.text("form [role=alert]")).contains("Rounds: at most").doesNotContain("--");
    begin(FIT.replace("--alpha 0.1", "--alpha fast").replace("fixed:3", "fixd:3"), "0");
    browser.until(
        "the refusal", () -> browser.text("form [role=alert]").contains("Step size α: must be"));
    assertThat(browser.text("form [role=alert]")).contains("Network: ").doesNotContain("--");
  }

  /** A run made by the same code and cut after the same round is the oracle. */
  @Test
  void trial_aLinkCutInMidRun_goesOnWithoutIt() {
    begin(
        "--simulate linear --rows 1000 --clients 10 --partition sorted --placement in-order"
            + " --network circle:2 --alpha 0.05 --rounds 600 --seed 1",
        "20");
    stateBecomes("running");
    browser.click("#play");
    stateBecomes("paused");
    browser.click("[data-step='10']");
    int[] round = new int[1];
    browser.until(
        "ten more rounds",
        () -> {
          int now = rounds();
          boolean settled = now == round[0] && now >= 10;
          round[0] = now;
          return settled;
        });
    browser.write("Client", "1");
    browser.write("no longer hears", "3");
    browser.click("#cut");
    browser.until(
        "the message", () -> browser.text("#toasts").contains("Client 1 no longer hears 3"));
    browser.choose("#speed", "0");
    browser.click("#play");
    stateBecomes("finished");
    try (Trial same =
        new FitTrialFactory()
            .begin(
                Map.of(
                    "simulate", "linear",
                    "rows", "1000",
                    "clients", "10",
                    "partition", "sorted",
                    "network", "circle:2",
                    "alpha", "0.05",
                    "rounds", "600"),
                Optional.empty())) {
      same.advance(600);
      double uncut = same.measure()[same.measures().indexOf("distance")];
      assertThat(measured("distance")).isNotEqualTo(uncut);
    }
    try (Trial same =
        new FitTrialFactory()
            .begin(
                Map.of(
                    "simulate", "linear",
                    "rows", "1000",
                    "clients", "10",
                    "partition", "sorted",
                    "network", "circle:2",
                    "alpha", "0.05",
                    "rounds", "600"),
                Optional.empty())) {
      same.advance(round[0]);
      same.cut(1, 3);
      same.advance(600 - round[0]);
      assertThat(measured("distance"))
          .isEqualTo(same.measure()[same.measures().indexOf("distance")]);
    }

    assertThat(browser.text("#unsaid"))
        .contains("up to round %d, when client 1 stopped hearing 3".formatted(round[0]));
    assertThat(browser.text(".command code")).contains("--rounds " + round[0]);

    // The last link of a client cannot go: it would have nothing to average.
    browser.write("Client", "1");
    browser.write("no longer hears", "2");
    browser.click("#cut");
    browser.until(
        "the refusal",
        () -> browser.text("[role=alert]").contains("must hear at least one other client"));
  }

  @Test
  void trial_anotherStepSizeBeyondTheLimit_isSeenToDiverge() {
    begin(
        "--simulate linear --rows 1000 --clients 10 --partition sorted --placement in-order"
            + " --network circle:2 --alpha 0.05 --rounds 100000 --seed 1",
        "100");
    stateBecomes("running");
    browser.script("document.getElementById('new-alpha').value = '5'");
    browser.click("#change-alpha");
    browser.choose("#speed", "0");
    stateBecomes("diverged");
    assertThat(browser.text("[role=alert]")).contains("diverged by round");
  }

  /** The oracle is the command line with the schedule that says the same beforehand. */
  @Test
  void trial_anotherStepSizeInMidRun_givesTheNumbersOfTheSchedule() {
    String options =
        "--simulate logistic --rows 4000 --clients 200 --partition sorted --placement random"
            + " --network regular:2 --alpha 0.05 --rounds 1200 --seed 1";
    // Slow enough to be met in mid run by a busy machine's browser.
    begin(options, "100");
    browser.until("some hundred rounds", () -> rounds() > 200);
    browser.click("#play");
    stateBecomes("paused");
    int[] last = {-1};
    browser.until(
        "it to rest",
        () -> {
          boolean rests = last[0] == rounds();
          last[0] = rounds();
          return rests;
        });
    browser.script("document.getElementById('new-alpha').value = '0.2'");
    browser.click("#change-alpha");
    browser.choose("#speed", "500");
    browser.click("#play");
    browser.until("some rounds more", () -> rounds() > Math.min(1100, last[0] + 250));
    browser.picture("window-try");
    assertThat(PageChecks.shown(browser, "#/try-running")).isEmpty();
    browser.choose("#speed", "0");
    stateBecomes("finished");
    JsonNode printed =
        Command.line(
                "fit %s --format json".formatted(options.replace("0.05", "0.05,0.2@" + last[0])))
            .json();
    assertThat(measured("distance")).isEqualTo(printed.get("distanceToGlobal").asDouble());
    assertThat(measured("log_mse")).isEqualTo(printed.get("logMse").asDouble());
    // The line shown says the same: it went along with the change.
    String line = browser.text(".command code");
    assertThat(line).contains("--alpha 0.05,0.2@" + last[0]);
    JsonNode again = Command.line(line.replace("./ngd ", "") + " --format json").json();
    assertThat(again.get("distanceToGlobal")).isEqualTo(printed.get("distanceToGlobal"));
  }

  private static int rounds() {
    String digits =
        browser.text("#round").replaceAll("round ([0-9,]+) of .*", "$1").replace(",", "");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  /** A page that shows everything would hold 100,000 points and fall behind. */
  @Test
  void trial_aHundredThousandRoundsOf200Clients_isThinnedAndKeepsThePageSmooth() {
    begin(
        "--simulate linear --rows 10000 --clients 200 --partition sorted --placement random"
            + " --network regular:2 --alpha 0.01 --rounds 100000 --seed 1",
        "500");
    stateBecomes("running");
    Object frames =
        browser.wait(
            """
            const done = arguments[arguments.length - 1];
            let frames = 0;
            const start = performance.now();
            (function next() {
              frames++;
              if (performance.now() - start < 1000) requestAnimationFrame(next);
              else done(frames / (performance.now() - start) * 1000);
            })();
            """);
    assertThat(((Number) frames).doubleValue()).as("frames a second").isGreaterThan(4);
    browser.choose("#speed", "0");
    stateBecomes("finished");
    assertThat(browser.text("#round")).isEqualTo("round 100,000 of 100,000");
    browser.until(
        "the curves",
        () ->
            ((Number)
                        browser.script(
                            "return Chart.getChart(document.querySelector('.chart"
                                + " canvas')).data.datasets[0].data.length"))
                    .intValue()
                > 100);
    assertThat(
            ((Number)
                    browser.script(
                        "return Chart.getChart(document.querySelector('.chart"
                            + " canvas')).data.datasets[0].data.length"))
                .intValue())
        .isLessThanOrEqualTo(1200);
  }

  @Test
  void runs_oneOfThemDamaged_showsItWithTheReasonAndTheRestAsUsual() {
    browser.page("#/runs", "runs");
    assertThat(browser.all("tbody tr").size()).isGreaterThanOrEqualTo(7);
    assertThat(browser.text("[data-run=damaged]"))
        .contains("damaged", "manifest.json: is not JSON");
    assertThat(browser.text("[data-run='linear/circle']")).contains("ngd", "circle:1", "800");
    browser.script("document.querySelector('.head code').textContent = 'experiments'");
    browser.picture("window-runs");
    browser.find("#search").sendKeys("central");
    browser.until("one run", () -> browser.all("tbody tr").size() == 1);

    browser.page("#/run?name=damaged", "run");
    assertThat(browser.text("main")).contains("manifest.json: is not JSON", "theta.csv");

    browser.page("#/run?name=linear%2Fcircle", "run");
    assertThat(browser.all(".chart canvas")).hasSize(4);
    JsonNode result = json(runs.resolve("linear/circle/result.json"));
    assertThat(browser.text("[data-part=Coefficients]"))
        .contains(result.at("/coefficients/1/term").stringValue())
        .contains(browser.number(result.at("/coefficients/1/estimate").doubleValue()));
    assertThat(Double.parseDouble(distanceShown()))
        .isEqualTo(result.get("distanceToGlobal").asDouble());
    browser.find("#tags").sendKeys("keep, paper");
    browser.press("Save tags");
    browser.until("tags", () -> Files.exists(runs.resolve("linear/circle/tags.json")));
    browser.page("#/runs", "runs");
    browser.press("paper");
    browser.until("one run with that tag", () -> browser.all("tbody tr").size() == 1);

    browser.page(
        "#/overlay?name=linear%2Fcircle&name=two-methods&name=pooled&name=damaged&name=figure2&name=gone",
        "overlay");
    assertThat(browser.text("main"))
        .contains("linear/circle", "two-methods ngd", "two-methods extra");
    assertThat(browser.text("#left-out"))
        .contains(
            "pooled: a pooled fit has no rounds and so no curves",
            "damaged: manifest.json: is not JSON",
            "figure2: a study has figures of its own",
            "gone: there is no run");
    for (String cost : List.of("messages", "bytes")) {
      assertThat(cost("linear/circle", cost)).isEqualTo(result.get(cost).asString());
    }
    assertThat(cost("linear/circle", "distance"))
        .isEqualTo(result.get("distanceToGlobal").asString());
    List<String> traced = lines(runs.resolve("two-methods/trace.csv"));
    String[] heads = traced.getFirst().split(",", -1);
    String[] last =
        traced.stream().filter(one -> one.startsWith("ngd,")).toList().getLast().split(",", -1);
    assertThat(cost("two-methods ngd", "bytes")).isEqualTo(last[List.of(heads).indexOf("bytes")]);
    browser.picture("window-compare");
  }

  private static String cost(String run, String what) {
    return browser.attribute(
        "#costs tr[data-run='%s'] [data-cost=%s]".formatted(run, what), "data-exact");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Copies of one run below a folder, as the page of an overlay is asked for them. */
  private static String copies(String into, int many) throws IOException {
    StringBuilder query = new StringBuilder();
    for (int i = 0; i < many; i++) {
      Path copy = Files.createDirectories(runs.resolve(into).resolve("run" + i));
      for (String file : List.of("manifest.json", "result.json", "trace.csv")) {
        Files.copy(runs.resolve("linear/circle").resolve(file), copy.resolve(file));
      }
      query.append("&name=").append(into).append("%2Frun").append(i);
    }
    return query.toString();
  }

  /** More curves than colours: every two differ in colour or dashes, and the legend shows both. */
  @Test
  void overlay_ofManyCurves_tellsThemApartAndTheLegendMatches() throws IOException {
    browser.page("#/overlay?name=two-methods" + copies("many", 14), "overlay");
    Object curves =
        browser.script(
            "const probe = document.body.appendChild(document.createElement('span'));"
                + " return Chart.getChart(document.querySelector('.chart"
                + " canvas')).data.datasets.map((one) => { probe.style.color = one.borderColor;"
                + " return getComputedStyle(probe).color + ' ' + one.borderDash.join(' '); })");
    Object legend =
        browser.script(
            "return [...document.querySelectorAll('.series line')].map((one) =>"
                + " getComputedStyle(one).stroke + ' ' + one.getAttribute('stroke-dasharray'))");
    assertThat((List<?>) curves).hasSize(16).doesNotHaveDuplicates().isEqualTo(legend);
  }

  @Test
  void overlay_ofMoreThanCanBeToldApart_saysWhichAreLeftOut() throws IOException {
    browser.page("#/overlay?name=two-methods" + copies("crowd", 25), "overlay");
    assertThat(browser.all("#left-out li").stream().map(one -> one.getText()).toList())
        .containsExactly(
            "crowd/run23: at most 24 runs can be told apart",
            "crowd/run24: at most 24 runs can be told apart");
    assertThat(browser.all("#costs tbody tr")).hasSize(25);
  }

  /** The oracle is the trace: one kind of logarithm on the whole page. */
  @Test
  void run_itsCurves_areNaturalLogarithmsAndSayTheLastNumber() {
    browser.page("#/run?name=linear%2Fcircle", "run");
    List<String> lines = lines(runs.resolve("linear/circle/trace.csv"));
    List<String> heads = List.of(lines.getFirst().split(",", -1));
    String[] last = lines.getLast().split(",", -1);
    List<?> charts =
        (List<?>)
            browser.script(
                """
                return [...document.querySelectorAll(".chart canvas")].map((canvas) => {
                  const chart = Chart.getChart(canvas), {data} = chart.data.datasets[0];
                  return {title: canvas.closest(".chart").parentElement.querySelector("h3").firstChild.data, type: chart.scales.y.type,
                    x: data.at(-1).x, y: data.at(-1).y, now: canvas.closest(".chart").parentElement.querySelector(".now").textContent,
                    ticks: chart.scales.x.ticks.map((tick) => tick.value)};
                });
                """);
    assertThat(charts).hasSize(4);
    Map<String, String> columns =
        Map.of(
            "log MSE to the truth", "log_mse",
            "log distance to the global estimate", "distance",
            "log consensus: distance to the clients' mean", "consensus",
            "log norm of the pooled gradient", "gradient_norm");
    for (Object each : charts) {
      Map<?, ?> chart = (Map<?, ?>) each;
      assertThat(columns).containsKey((String) chart.get("title"));
      String column = columns.get((String) chart.get("title"));
      double value = Double.parseDouble(last[heads.indexOf(column)]);
      double drawn = column.startsWith("log") ? value : Math.log(value);
      assertThat(chart.get("type")).isEqualTo("linear");
      assertThat(((Number) chart.get("x")).intValue()).isEqualTo(800);
      assertThat(((Number) chart.get("y")).doubleValue()).isCloseTo(drawn, within(1e-12));
      assertThat(chart.get("now")).isEqualTo(browser.number(drawn));
      // The axis has a number where the rounds end.
      assertThat(((Number) ((List<?>) chart.get("ticks")).getLast()).intValue()).isEqualTo(800);
    }
  }

  @Test
  void run_pooledAnswer_showsRatiosWithTheirIntervalsAndItsReport() {
    browser.page("#/run?name=pooled", "run");
    assertThat(browser.text("main thead")).contains("odds ratio", "2.5 %", "97.5 %");
    JsonNode result = json(runs.resolve("pooled/result.json"));
    assertThat(browser.text("main")).contains("AUC", "Brier score");
    assertThat(browser.all("tbody svg")).hasSize(result.get("coefficients").size());
    assertThat(browser.text("#model"))
        .contains("binomial", "logit", "600 rows at 6 sites", "pooled");
    // Every coefficient has a scale that its interval fills, whatever the others are.
    for (int i = 0; i < result.get("coefficients").size(); i++) {
      JsonNode one = result.get("coefficients").get(i);
      double from = whiskerEnd(i, "from");
      double to = whiskerEnd(i, "to");
      double interval = one.get("confHigh").asDouble() - one.get("confLow").asDouble();
      assertThat(interval / (to - from)).as(one.get("term").asString()).isBetween(0.25, 1.0);
    }
    browser.picture("window-answer");
    String report =
        String.valueOf(
            browser.script(
                "const request = new XMLHttpRequest(); request.open('GET',"
                    + " document.querySelector('.head a.button').href, false); request.send();"
                    + " return request.responseText"));
    assertThat(report)
        .contains("Odds ratio", "Area under the curve", "every line has its own scale");
  }

  private static double whiskerEnd(int line, String end) {
    return Double.parseDouble(
        String.valueOf(
            browser.script(
                "return document.querySelectorAll('.whisker')[arguments[0]].dataset[arguments[1]]",
                line,
                end)));
  }

  private static String distanceShown() {
    return String.valueOf(
        browser.script(
            "return [...document.querySelectorAll('dt')].find((one) => one.textContent ==="
                + " 'distance to global').nextSibling.dataset.exact"));
  }

  private static JsonNode json(Path file) {
    try {
      return JsonMapper.shared().readTree(Files.readString(file));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void study_opened_showsItsFiguresAndTheClaimsChecked() {
    browser.page("#/run?name=figure2", "run");
    browser.until(
        "the figure",
        () ->
            Boolean.TRUE.equals(
                browser.script(
                    "const one = document.querySelector('figure img'); return one.complete &&"
                        + " one.naturalWidth > 100")));
    List<String> verdicts = new ArrayList<>();
    json(runs.resolve("figure2/claims.json"))
        .at("/studies/0/claims")
        .forEach(claim -> verdicts.add(claim.get("verdict").asString()));
    assertThat(verdicts).isNotEmpty();
    assertThat(browser.all(".claim .badge").stream().map(badge -> badge.getText()).toList())
        .isEqualTo(verdicts);
    browser.picture("window-study");
  }

  private static final List<String> SITES = List.of("north", "east", "south");

  /** Three peers over mutual TLS, who wait for questions; at south a person decides. */
  private static LocalFederation standing() throws IOException {
    SequencedMap<String, String> tables = new LinkedHashMap<>();
    for (String site : SITES) {
      StringBuilder csv = new StringBuilder("age,stay,ill\n");
      for (int i = 0; i < 200; i++) {
        int n = 200 * tables.size() + i;
        csv.append(
            "%d,%d,%d%n".formatted(30 + n * 37 % 50, 1 + n * 11 % 13, n * n % 7 < 3 ? 1 : 0));
      }
      tables.put(site, csv.toString());
    }
    return StandingSites.make(
        folder.resolve("federation"),
        tables,
        site ->
            "kinds: [pooled, pooled-rounds, methods, describe]\n"
                + (site.equals("south") ? "approve: by-hand\n" : ""));
  }

  private static void as(String member) {
    browser.choose("#member", Integer.toString(member.equals("north") ? 0 : 1));
    browser.until(member, () -> browser.text(".questions h2").startsWith(member));
  }

  /** Asks with the form, and gives the question's name. */
  private static String asking(String formula) {
    int known = browser.all("[data-question]").size();
    boolean fit = "fit".equals(browser.script("return document.getElementById('kind').value"));
    browser.write(fit ? "Model formula" : "Columns", formula);
    if (fit) {
      browser.write("Family", "binomial");
    }
    browser.click("#ask");
    browser.until("the question", () -> browser.all("[data-question]").size() > known);
    return browser.attribute("[data-question]", "data-question");
  }

  private static void stateOf(String question, String state) {
    browser.until(
        question + " " + state,
        () ->
            browser
                .attribute("[data-question='%s']".formatted(question), "data-state")
                .equals(state));
  }

  private static void act(String question, String how) {
    browser.click("[data-question='%s'] [data-act=%s]".formatted(question, how));
  }

  /** The oracle is the rehearsal of the same question, file by file. */
  @Test
  @Order(Integer.MAX_VALUE - 1)
  void questions_ofAStandingFederation_areAskedDecidedAndAnswered() throws IOException {
    browser.page("#/questions", "questions");
    browser.until(
        "a peer that runs", () -> browser.text("main").contains("peer of this folder runs"));
    browser.write("Model formula", "ill ~");
    browser.click("#ask");
    browser.until("the refusal", () -> browser.text("form [role=alert]").contains("formula"));
    assertThat(browser.text("form [role=alert]")).doesNotContain("--");
    browser.write("Model formula", "ill ~ age + stay");
    browser.click("#learn");
    browser.until("the account", () -> browser.text("#told").contains("the other 2"));
    String question = asking("ill ~ age + stay");
    browser.until(
        "who waits for whom",
        () -> browser.text("[data-question='%s']".formatted(question)).contains("waits for south"));
    assertThat(browser.text("tr[data-site=south]")).contains("1 question");
    browser.picture("window-questions");
    assertThat(PageChecks.shown(browser, "#/questions-asked")).isEmpty();
    as("south");
    act(question, "refuse");
    browser.until("the refusal", () -> browser.text("main").contains("Reason: must be given"));
    act(question, "approve");
    as("north");
    stateOf(question, "answered");
    browser.click("[data-question] summary");
    browser.until(
        "the answer",
        () -> browser.text("[data-answer='%s']".formatted(question)).contains("stay"));
    assertThat(browser.text("[data-answer='%s']".formatted(question)))
        .contains("600 rows at 3 sites", "Who could learn what", "each on its own scale");
    browser.picture("window-answered");
    assertThat(PageChecks.shown(browser, "#/questions-answered")).isEmpty();
    browser.write("Save as run", "answered");
    browser.press("Save");
    browser.until("it to be saved", () -> Files.exists(runs.resolve("answered/manifest.json")));
    List<String> words = new ArrayList<>(List.of("fit", "--network", "complete"));
    for (String site : SITES) {
      words.addAll(
          List.of("--site", site + "=" + folder.resolve("federation").resolve(site + ".csv")));
    }
    Path same = folder.resolve("rehearsed");
    words.addAll(
        List.of("--formula", "ill ~ age + stay", "--family", "binomial", "--out", same.toString()));
    assertThat(Command.run(words.toArray(String[]::new)).code()).isZero();
    for (String file : List.of("coefficients.csv", "vcov.csv")) {
      assertThat(runs.resolve("answered").resolve(file))
          .hasSameTextualContentAs(same.resolve(file));
    }
    assertThat(Command.line("report " + runs.resolve("answered")).code()).isZero();
    assertThat(Files.readString(runs.resolve("answered/report.html")))
        .contains("What sites could learn of each other", "the other 2");

    browser.choose("#kind", "describe");
    String described = asking("age");
    as("south");
    act(described, "approve");
    as("north");
    stateOf(described, "answered");
    browser.click("[data-question='%s'] summary".formatted(described));
    browser.until(
        "the table",
        () -> browser.text("[data-answer='%s']".formatted(described)).contains("median"));
    browser.choose("#kind", "fit");

    String refused = asking("ill ~ age");
    as("south");
    browser
        .find("[data-question='%s'] input".formatted(refused))
        .sendKeys("the board meets in May");
    act(refused, "refuse");
    as("north");
    stateOf(refused, "refused");
    assertThat(browser.text("[data-question='%s']".formatted(refused)))
        .contains("south refuses: the board meets in May", "south: refuses");

    // Nobody waits at a terminal for what is handed in from a page: the page says what was not
    // taken.
    Files.writeString(
        federation.site("north").resolve("questions/in/0123456789abcdef.question"), "torn");
    browser.until(
        "what was not taken",
        () -> browser.text("[data-not-taken]").contains("did not take question 0123456789abcdef"));
    browser.picture("window-not-taken");

    // What an answer is made of may be a link: the window must not read through it.
    Path result =
        federation.site("north").resolve("answers").resolve(question).resolve("result.json");
    Path moved = Files.move(result, folder.resolve("moved.json"));
    Files.createSymbolicLink(result, moved);
    Object linked =
        browser.wait(
            "const done = arguments[arguments.length - 1];"
                + " fetch('/api/members/0/answer?question=' + arguments[0]).then((one) =>"
                + " one.text()).then(done)",
            question);
    assertThat((String) linked).contains("symbolic link").doesNotContain("coefficients");
  }

  /** The oracle is the command line, over a plan with the same links and question. */
  @Test
  void disclosure_ofARing_showsWhatTheCommandComputes() throws IOException {
    Path plan = folder.resolve("ring.yaml");
    List<Site> sites = new ArrayList<>();
    for (int m = 0; m < 4; m++) {
      sites.add(new Site("client-" + m, "client-%d.example".formatted(m), 7400));
    }
    Files.writeString(
        plan,
        new PlanTemplate()
            .with("network", "ring:1")
            .with("formula", "y ~ x1 + x2")
            .with("family", "gaussian")
            .with("algorithm", "ngd")
            .with("alpha", "0.05")
            .with("rounds", "40")
            .text(sites));
    JsonNode printed = Command.line("federation exposure --format json " + plan).json();
    browser.page("#/disclosure", "disclosure");
    browser.choose("form select", "name");
    browser.write("Network", "ring:1");
    browser.write("Sites", "4");
    browser.write("Method", "ngd");
    browser.write("Rounds", "40");
    browser.click("#compute");
    browser.until("the table", () -> browser.all("#learned tbody tr").size() == 4);
    for (JsonNode row : printed.get("models")) {
      for (JsonNode finding : row.get("sites")) {
        assertThat(
                browser.attribute(
                    "[data-coalition='%s'] [data-site='%s']"
                        .formatted(
                            row.at("/coalition/0").asString(), finding.get("site").asString()),
                    "data-verdict"))
            .isEqualTo(finding.get("verdict").asString());
      }
    }
    List<String> said = new ArrayList<>();
    printed.get("statements").forEach(line -> said.add(line.asString()));
    assertThat(browser.all(".statement").stream().map(one -> one.getText()).toList())
        .isEqualTo(said);
    browser.picture("window-disclosure");
    assertThat(PageChecks.shown(browser, "#/disclosure-computed")).isEmpty();
    // The same ring, drawn.
    List<String> named = verdicts();
    browser.page("#/network", "network");
    browser.write("Kind", "ring");
    browser.write("K", "1");
    browser.write("Clients", "4");
    browser.press("Generate");
    browser.until(
        "four clients", () -> browser.text("[aria-label=Diagnosis]").contains("4 clients"));
    browser.page("#/disclosure?drawn=1", "disclosure");
    browser.until("the same table", () -> browser.all("#learned tbody tr").size() == 4);
    assertThat(verdicts()).isEqualTo(named);
    // The federation of a member, with the same question: all hear all.
    browser.choose("form select", "member-0");
    browser.click("#compute");
    browser.until("three sites", () -> browser.all("#learned tbody tr").size() == 3);
    assertThat(browser.text("#learned thead")).contains("of north", "of east", "of south");
    browser.choose("form select", "drawn");
    browser.write("Sites that join forces", "9");
    browser.click("#compute");
    browser.until(
        "the refusal",
        () ->
            browser.text("form [role=alert]").contains("Sites that join forces: must be at least"));
  }

  private static List<String> verdicts() {
    List<String> verdicts = new ArrayList<>();
    browser
        .all("#learned [data-verdict]")
        .forEach(one -> verdicts.add(one.getDomAttribute("data-verdict")));
    assertThat(verdicts).isNotEmpty();
    return verdicts;
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void federation_realPeersOneKilled_showsItGreyAndTheOthersWaitingForIt()
      throws IOException, InterruptedException {
    List<String> addresses = new ArrayList<>();
    for (String name : SITES) {
      Path port = federation.site(name).resolve("state/status.port");
      browser.until("the status of " + name, () -> Files.exists(port));
      addresses.add("127.0.0.1:" + Files.readString(port).strip());
    }
    // More rounds than anyone waits for.
    Command asked =
        Command.run(
            "federation",
            "ask",
            "--member",
            federation.site("north").toString(),
            "--no-wait",
            "--formula",
            "ill ~ age",
            "--family",
            "binomial",
            "--algorithm",
            "ngd",
            "--alpha",
            "0.000001",
            "--rounds",
            "600000");
    assertThat(asked.code()).as(asked.err()).isZero();
    String question = asked.out().strip();
    browser.page("#/federation", "federation");
    browser.write("Status addresses of the peers", String.join(", ", addresses));
    browser.click("#watch");
    browser.until("the line", () -> browser.text("#in-line").contains("waiting for south"));
    browser.page("#/questions", "questions");
    as("south");
    act(question, "approve");
    stateOf(question, "running");
    browser.page("#/federation", "federation");
    browser.until(
        "peers well on their way",
        () -> SITES.stream().allMatch(name -> roundOf(name) > 100 && silent(name).equals("false")));
    assertThat(browser.text("main")).contains("3 of 3");
    browser.picture("window-federation");
    assertThat(PageChecks.shown(browser, "#/federation-running")).isEmpty();
    String victim = "south";
    assertThat(federation.killUnderWay(victim)).isTrue();
    browser.until("one grey", () -> silent(victim).equals("true"));
    browser.until("waiting ones", () -> !browser.all("tr .badge.warn").isEmpty());
    assertThat(browser.attribute("[data-peer=%s]".formatted(victim), "class")).isEqualTo("gone");
    assertThat(browser.text("[data-peer=%s]".formatted(victim))).contains("does not answer");
    browser.until(
        "a neighbour that waits for it",
        () ->
            SITES.stream()
                .filter(name -> !name.equals(victim))
                .anyMatch(
                    name ->
                        browser
                            .text("[data-peer=%s] td:nth-child(4)".formatted(name))
                            .contains(victim)));
    assertThat(browser.all("tr[data-silent=false]")).hasSize(2);
    browser.picture("window-federation-killed");
    browser.write("Status addresses of the peers", "example.org:80");
    browser.click("#watch");
    browser.until(
        "the refusal",
        () -> browser.text("[role=alert]").contains("only addresses of this machine"));
  }

  private static String silent(String peer) {
    return browser.attribute("[data-peer=%s]".formatted(peer), "data-silent");
  }

  private static int roundOf(String peer) {
    if (browser.all("[data-peer=%s]".formatted(peer)).isEmpty()) {
      return 0;
    }
    String text = browser.text("[data-peer=%s] td:nth-child(3)".formatted(peer));
    Matcher round = Pattern.compile("^([0-9,]+) of").matcher(text);
    return round.find() ? Integer.parseInt(round.group(1).replace(",", "")) : 0;
  }

  private static final List<String> PAGES =
      List.of(
          "#/network",
          "#/try",
          "#/runs",
          "#/run?name=linear%2Fcircle",
          "#/run?name=figure2",
          "#/overlay?name=linear%2Fcircle&name=two-methods",
          "#/run?name=pooled",
          "#/federation",
          "#/questions",
          "#/disclosure");

  @Test
  void everyPage_inLightAndDarkWideAndOnAPhone_hasNoBarrierAndBreaksNothing() {
    List<String> found = new ArrayList<>();
    for (String hash : PAGES) {
      found.addAll(PageChecks.of(browser, hash));
    }
    assertThat(found).isEmpty();
    assertThat(PageChecks.complaints(browser)).isEmpty();
  }

  /** Without a pointer: the skip link, the tools by arrow keys, clients and links by fields. */
  @Test
  void designer_byKeyboardAlone_drawsTwoClientsAndTheirLinks() {
    browser.page("#/network", "network");
    browser.press("Clear");
    for (int i = 0; i < 2; i++) {
      browser.find("#add-client").sendKeys(Keys.ENTER);
    }
    verdictBecomes("2 clients hear nobody");
    browser.find("#mutual").sendKeys(Keys.SPACE);
    browser.write("Listener", "0");
    browser.write("hears", "1");
    browser.all("button").stream()
        .filter(button -> button.getText().equals("Add link"))
        .findFirst()
        .orElseThrow()
        .sendKeys(Keys.ENTER);
    verdictBecomes("Everyone's data reaches everyone");
    browser.find(CANVAS).sendKeys(Keys.ARROW_RIGHT, Keys.DELETE);
    browser.until(
        "one client less", () -> browser.text("[aria-label=Diagnosis]").contains("1 client,"));
    browser.find("#mutual").sendKeys(Keys.SPACE);
  }
}
