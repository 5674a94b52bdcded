package ngd.app.fit;

import static ngd.app.fit.CoxTest.ROWS;
import static ngd.app.fit.OracleFits.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Survival curves by sums, on real data in unequal sites. Oracle: R's survfit, print(rmean =) and
 * survdiff on the pooled rows, with times put on the grid by R (oracles/curves_oracle.R).
 */
class CurvesTest {
  private static final Path ORACLES = Path.of("../oracles/survival");
  private static final OracleFits FITS = new OracleFits(ORACLES);
  private static final Map<String, Map<String, Double>> R = new LinkedHashMap<>();
  private static final String LUNG_TIMES = "60,120,180,240,300,365,450,600,900";
  private static final String VETERAN_TIMES = "10,20,30,50,80,100,150,200,300,1000";
  private static final String HEART_TIMES = "10,20,30,40,60,80,100,150,200,300,500,1000,2000";
  private static final String TRANSPLANT_TIMES =
      "400,800,1200,1600,2000,2400,2800,3200,3600,4000,4400,4800";
  private static final String MGUS_TIMES = "12,24,36,60,84,120,180,240,300";
  private static final Map<String, String> TIMES =
      Map.of(
          "competing",
          MGUS_TIMES,
          "transplant",
          TRANSPLANT_TIMES,
          "late",
          "50,60,65,70,75,80,85,90,105",
          "late_transplant",
          "35,40,45,50,55,60,65,70,85");

  @TempDir Path folder;

  @BeforeAll
  static void read() throws IOException {
    R.putAll(FITS.numbers("curves.csv"));
  }

  /** Numbers of a group at its times, by {@code stratum@time}, or of a group itself. */
  private static Map<String, Double> found(JsonNode groups, String key, boolean points) {
    Map<String, Double> found = new LinkedHashMap<>();
    for (JsonNode group : groups) {
      String stratum = group.get("stratum").asString();
      if (points) {
        for (JsonNode point : group.get("points")) {
          String time = point.get("time").asString().replaceFirst("\\.0$", "");
          found.put(stratum + "@" + time, point.get(key).asDouble(Double.NaN));
        }
      } else {
        found.put(stratum, group.get(key).asDouble(Double.NaN));
      }
    }
    return found;
  }

  private static void same(Map<String, Double> found, String name) {
    Map<String, Double> expected = R.get(name);
    assertThat(expected).as(name).isNotNull().isNotEmpty();
    expected.forEach(
        (at, value) -> {
          assertThat(found).as(name).containsKey(at);
          if (Double.isNaN(value)) {
            assertThat(found.get(at)).as(name + " " + at).isNaN();
          } else {
            assertThat(found.get(at))
                .as(name + " " + at)
                .isCloseTo(value, within(1e-10 * (1e-3 + Math.abs(value))));
          }
        });
  }

  /** All that R says of the curves of a case. */
  private static void holds(JsonNode result, String name, String type, String tau) {
    JsonNode curves = result.get("curves");
    JsonNode groups = curves.get("groups");
    for (String key : List.of("atRisk", "events", "survival", "stdError")) {
      same(found(groups, key, true), name + " " + key);
    }
    same(found(groups, "low", true), name + " low-" + type);
    same(found(groups, "high", true), name + " high-" + type);
    same(found(groups, "restrictedMean", false), name + " mean-" + tau);
    same(found(groups, "restrictedMeanStdError", false), name + " meanError-" + tau);
    same(found(groups, "median", false), name + " median");
    same(found(groups, "medianLow", false), name + " medianLow-" + type);
    same(found(groups, "medianHigh", false), name + " medianHigh-" + type);
    assertThat(curves.get("tau").asDouble()).isEqualTo(Double.parseDouble(tau));
    assertThat(groups.size()).isEqualTo(R.get(name + " mean-" + tau).size());
  }

  private static void tested(JsonNode test, String name) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (String key : List.of("statistic", "df", "pValue")) {
      numbers.put(key, test.get(key).asDouble());
    }
    same(numbers, name);
    same(found(test.get("groups"), "observed", false), name + "-observed");
    same(found(test.get("groups"), "expected", false), name + "-expected");
  }

  @ParameterizedTest
  @CsvSource({"log, circle:1", "log-log, central", "plain, regular:3"})
  void curves_lung_areRs(String type, String network) {
    String level = type.equals("plain") ? "0.9" : "0.95";
    String[] more = {"--times", LUNG_TIMES, "--conf-type", type, "--level", level};
    JsonNode all = FITS.json("lung", "Surv(time, status = 2) ~ 1", network, more);
    holds(all, "lung", type, "900");
    assertThat(all.at("/curves/logRank").isNull()).isTrue();
    JsonNode bySex = FITS.json("lung", "Surv(time, status = 2) ~ strata(sex)", network, more);
    holds(bySex, "lung-sex", type, "900");
    tested(bySex.at("/curves/logRank"), "lung-sex logRank");
    assertThat(bySex.at("/model/family").asString()).isEqualTo("survival");
    assertThat(bySex.get("sites").asInt()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"circle:1", "central", "complete"})
  void curves_ofEachSite_areRs(String network) {
    String[] more = {"--times", "180,365,900"};
    JsonNode sites = FITS.json("lung", "Surv(time, status = 2) ~ strata(site)", network, more);
    holds(sites, "lung-site", "log", "900");
    tested(sites.at("/curves/logRank"), "lung-site logRank");
    JsonNode both = FITS.json("lung", "Surv(time, status = 2) ~ strata(site, sex)", network, more);
    holds(both, "lung-site-sex", "log", "900");
  }

  @Test
  void restrictedMeans_upToAGivenTime_areRs() {
    String[] lung = {"--times", LUNG_TIMES, "--tau"};
    holds(
        FITS.json(
            "lung", "Surv(time, status = 2) ~ 1", "circle:1", lung[0], lung[1], lung[2], "500"),
        "lung",
        "log",
        "500");
    // Before the first time nothing has happened.
    JsonNode early =
        FITS.json(
            "lung",
            "Surv(time, status = 2) ~ strata(sex)",
            "central",
            lung[0],
            lung[1],
            lung[2],
            "30");
    holds(early, "lung-sex", "log", "30");
    assertThat(early.get("notes").toString()).contains("tau, 30, is before the first time, 60");
  }

  @ParameterizedTest
  @CsvSource({"circle:1, 1000", "central, 150"})
  void curves_severalGroups_areRs(String network, String tau) {
    JsonNode celltype =
        FITS.json(
            "veteran",
            "Surv(time, status) ~ strata(celltype)",
            network,
            "--times",
            VETERAN_TIMES,
            "--tau",
            tau);
    holds(celltype, "veteran-celltype", "log", tau);
    tested(celltype.at("/curves/logRank"), "veteran-celltype logRank");
    JsonNode both =
        FITS.json(
            "veteran",
            "Surv(time, status) ~ strata(trt, celltype)",
            network,
            "--times",
            VETERAN_TIMES);
    holds(both, "veteran-both", "log", "1000");
    tested(both.at("/curves/logRank"), "veteran-both logRank");
  }

  @Test
  void curves_lateEntries_areRs() {
    JsonNode heart =
        FITS.json(
            "heart",
            "Surv(start, stop, event) ~ strata(transplant)",
            "regular:2",
            "--times",
            HEART_TIMES,
            "--tau",
            "365");
    holds(heart, "heart", "log", "365");
    assertThat(heart.at("/curves/logRank/statistic").asDouble())
        .isCloseTo(R.get("heart logRank").get("statistic"), within(1e-9));
  }

  /** Whole weights are counts of equal rows; others have the errors of the jackknife. */
  @ParameterizedTest
  @CsvSource({"log, circle:1", "log-log, central", "plain, regular:2"})
  void weights_areRs(String type, String network) {
    String level = type.equals("plain") ? "0.9" : "0.95";
    String[] lung = {"--times", LUNG_TIMES, "--conf-type", type, "--level", level};
    String bySex = "Surv(time, status = 2) ~ strata(sex) + weights(%s)";
    JsonNode whole = FITS.json("lung", bySex.formatted("age"), network, lung);
    holds(whole, "lung-whole", type, "900");
    tested(whole.at("/curves/logRank"), "lung-whole logRank");
    JsonNode fractions = FITS.json("lung", bySex.formatted("age / 50"), network, lung);
    holds(fractions, "lung-fractions", type, "900");
    assertThat(fractions.at("/curves/logRank").isNull()).isTrue();
    assertThat(fractions.get("notes").toString()).contains("standard errors are robust");
    String[] veteran = {
      "--times", VETERAN_TIMES, "--conf-type", type, "--level", level, "--tau", "150"
    };
    holds(
        FITS.json(
            "veteran",
            "Surv(time, status) ~ strata(celltype) + weights(karno / 50)",
            network,
            veteran),
        "veteran-fractions",
        type,
        "150");
  }

  /** With late entries the errors are Greenwood's, as etm has them. */
  @ParameterizedTest
  @CsvSource({
    "competing-whole, competing, 'etime, event', strata(sex) + weights(etime + 1), circle:1",
    "competing-fractions, competing, 'etime, event', strata(sex) + weights((etime + 1) / 2.5),"
        + " central",
    "transplant, transplant, 'etime, event', strata(trt), circle:1",
    "transplant, transplant, 'etime, event', strata(trt), central",
    "transplant, transplant, 'etime, event', strata(trt), regular:3",
    "late, late, 'start, stop, event', strata(group), circle:1",
    "late-whole, late, 'start, stop, event', strata(group) + weights(event + 1), central",
    "late_transplant, late_transplant, 'start, stop, event', strata(group), central",
    "late_transplant, late_transplant, 'start, stop, event', strata(group), regular:3"
  })
  void incidencesOfCompetingCauses_areRs(
      String name, String data, String response, String terms, String network) {
    String times = TIMES.get(data);
    JsonNode result =
        FITS.json(data, "Surv(%s) ~ %s".formatted(response, terms), network, "--times", times);
    assertThat(result.get("notes").toString().contains("Greenwood"))
        .isEqualTo(response.contains("start"));
    holds(result, name, "log", times.substring(times.lastIndexOf(',') + 1));
    for (int cause = 1; cause <= 2; cause++) {
      Map<String, Map<String, Double>> values = new LinkedHashMap<>();
      for (JsonNode group : result.at("/curves/groups")) {
        for (JsonNode point : group.get("incidences").get(cause - 1).get("points")) {
          String at = group.get("stratum").asString() + "@" + point.get("time").asInt();
          for (String key : List.of("incidence", "stdError", "low")) {
            values
                .computeIfAbsent(key, _ -> new LinkedHashMap<>())
                .put(at, point.get(key).asDouble(Double.NaN));
          }
        }
      }
      same(values.get("incidence"), "%s incidence-%d".formatted(name, cause));
      same(values.get("stdError"), "%s incidenceError-%d".formatted(name, cause));
      same(values.get("low"), "%s incidenceLow-%d".formatted(name, cause));
    }
  }

  @ParameterizedTest
  @CsvSource({"log, circle:1", "log-log, central", "plain, regular:3"})
  void competingCauses_mgus_areRs(String type, String network) throws IOException {
    String level = type.equals("plain") ? "0.9" : "0.95";
    Path out = folder.resolve("run");
    JsonNode result =
        FITS.json(
            "competing",
            "Surv(etime, event) ~ strata(sex)",
            network,
            "--times",
            MGUS_TIMES,
            "--conf-type",
            type,
            "--level",
            level,
            "--out",
            out.toString());
    holds(result, "competing", type, "300");
    tested(result.at("/curves/logRank"), "competing logRank");
    for (int c = 0; c < 2; c++) {
      int place = c;
      String cause = Integer.toString(c + 1);
      JsonNode tests = result.at("/curves/causes").get(c);
      assertThat(tests.get("cause").asString()).isEqualTo(cause);
      tested(tests.get("logRank"), "competing logRank-" + cause);
      for (Map.Entry<String, String> key :
          Map.of(
                  "incidence", "incidence-" + cause,
                  "stdError", "incidenceError-" + cause,
                  "low", "incidenceLow-" + cause + "-" + type,
                  "high", "incidenceHigh-" + cause + "-" + type)
              .entrySet()) {
        Map<String, Double> values = new LinkedHashMap<>();
        Map<String, Double> lost = new LinkedHashMap<>();
        for (JsonNode group : result.at("/curves/groups")) {
          String stratum = group.get("stratum").asString();
          JsonNode own = group.get("incidences").get(place);
          for (JsonNode point : own.get("points")) {
            values.put(
                stratum + "@" + point.get("time").asInt(),
                point.get(key.getKey()).asDouble(Double.NaN));
          }
          lost.put(stratum, own.get("timeLost").asDouble());
        }
        same(values, "competing " + key.getValue());
        same(lost, "competing timeLost-" + cause);
      }
    }
    List<String> lines = Files.readAllLines(out.resolve("incidence.csv"));
    assertThat(lines.getFirst())
        .isEqualTo("stratum,cause,time,at_risk,events,incidence,std_error,lower,upper");
    assertThat(lines).hasSize(1 + 2 * 2 * 9);
  }

  @Test
  void curvesFile_andTable_sayWhatTheDocumentSays() throws IOException {
    Path out = folder.resolve("lung");
    Command run =
        FITS.ngd(
            "lung",
            "Surv(time, status = 2) ~ strata(sex)",
            "circle:1",
            "--times",
            LUNG_TIMES,
            "--out",
            out.toString());
    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines = Files.readAllLines(out.resolve("curves.csv"));
    assertThat(lines.getFirst())
        .isEqualTo("stratum,time,at_risk,events,survival,std_error,lower,upper");
    Map<String, Double> upper = new LinkedHashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      upper.put(
          fields[0] + "@" + fields[1].replaceFirst("\\.0$", ""),
          fields[7].isEmpty() ? Double.NaN : Double.parseDouble(fields[7]));
    }
    same(upper, "lung-sex high-log");
    // What R prints: print(survfit(…), rmean = 900) and survdiff.
    assertThat(run.out())
        .contains(
            "Survival curves (Kaplan–Meier): 227 rows",
            "mean to 900",
            "sex=1",
            "sex=2",
            "Log-rank test: chi-squared = ",
            "on 1 degree of freedom",
            "rounded up to the grid that was given (9 times, 60 to 900)",
            "written to");
    assertThat(out.resolve("coefficients.csv")).doesNotExist();
    Command predicted =
        Command.run(
            "predict", "--model", out.toString(), "--data", ORACLES.resolve("lung.csv").toString());
    assertThat(predicted.code()).isEqualTo(2);
    assertThat(predicted.err()).contains("survival curves", "curves.csv");
  }

  @ParameterizedTest
  @CsvSource({"event > 0, strata(sex), 3", "event, 1, 2"})
  void grid_notGiven_leavesEverySiteAndGroupNoneOrEnoughAndSaysIt(
      String event, String groups, int fewest) throws IOException {
    boolean causes = event.equals("event");
    boolean sexes = !groups.equals("1");
    JsonNode result =
        FITS.json("competing", "Surv(etime, %s) ~ %s".formatted(event, groups), "circle:1");
    List<Double> times = new ArrayList<>(List.of(0.0));
    result.at("/curves/times").forEach(time -> times.add(time.asDouble()));
    assertThat(times.size() - 1).isGreaterThanOrEqualTo(fewest);
    List<String> lines = Files.readAllLines(ORACLES.resolve("competing.csv"));
    Map<String, Integer> cells = new LinkedHashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      double time = Double.parseDouble(fields[0]);
      for (int k = 1; k < times.size(); k++) {
        if ((time > times.get(k - 1) && time <= times.get(k)) || (time == 0 && k == 1)) {
          String cell = "%d %s %s ".formatted(k, sexes ? fields[2] : "", fields[3]);
          cells.merge(cell + "leaving", 1, Integer::sum);
          String kind = causes || fields[1].equals("0") ? fields[1] : "any";
          cells.merge(cell + "event " + kind, 1, Integer::sum);
        }
      }
    }
    assertThat(cells.values()).allMatch(count -> count >= 3);
    assertThat(result.get("notes").get(0).asString())
        .contains("%d times".formatted(times.size() - 1), "leaves every site none or enough rows");
  }

  /** Also where the times end before most events, so that few of them count at all. */
  @ParameterizedTest
  @CsvSource({"'10,20,2000'", "10"})
  void times_finerThanASiteAllows_areNamed(String times) {
    Command run = FITS.sites("lung", "Surv(time, status = 2) ~ strata(sex)", "--times", times);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err())
        .contains(
            "a real site would refuse this question: site h1: 1 row with an event between the times"
                + " 0 and 10",
            "nfilter.tab",
            "take fewer times");
  }

  private Command of(String rows, String formula, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("rows.csv"), "s,start,time,event,x,g\n" + rows);
    return OracleFits.fit(file, "s", formula, "complete", more);
  }

  /** Oracle: by hand. Of v one of three is left at 3, the last time at which anybody of v is. */
  @Test
  void restrictedMean_ofACurveThatEndsEarly_isSaidToGoOnLevel() throws IOException {
    String shorter = ROWS.replace("b,0,5,0,0,v\n", "");
    Command run = of(shorter, "Surv(time, event) ~ strata(g)", "--times", "1,2,3,4");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "Note: g=v: nobody is at risk after 3; the restricted mean takes the curve as level"
                + " from there to 4")
        .doesNotContain("g=u: nobody");
    JsonNode v =
        of(shorter, "Surv(time, event) ~ strata(g)", "--times", "1,2,3,4", "--format", "json")
            .json()
            .at("/curves/groups/1");
    assertThat(v.get("restrictedMean").asDouble()).isCloseTo(1 + 2 / 3.0 + 2 / 3.0, within(1e-12));
    assertThat(v.get("points").size()).isEqualTo(3);
  }

  @Test
  void refusals_nameWhatIsWrong() throws IOException {
    String curves = "Surv(time, event) ~ strata(g)";
    String[] at = {"--times", "1,2,3"};
    refused(
        of(ROWS, "Surv(time, event = 9) ~ strata(g)", at), "must be 1 in at least one row", "3");
    refused(of(ROWS, curves, at[0], at[1], "--tau", "4"), "tau: must be at most 3", "got 4");
    refused(of(ROWS, curves, at[0], at[1], "--tau", "0"), "tau: must be a time above 0", "got 0");
    refused(of(ROWS, curves, "--conf-type", "arcsin"), "conf-type", "log, log-log or plain");
    refused(of(ROWS, curves, "--level", "1"), "between 0 and 1");
    refused(of(ROWS, curves, "--robust"), "--robust", "no coefficients");
    refused(of(ROWS, curves, "--zph"), "--zph", "no coefficients");
    refused(of(ROWS, curves, "--ridge", "1"), "--ridge", "no coefficients");
    refused(of(ROWS, curves, "--ties", "breslow"), "--ties", "covariates");
    refused(of(ROWS, curves, "--family", "cox"), "must be survival", "`cox`");
    refused(of(ROWS, curves, "--link", "log"), "link", "covariates");
    refused(of(ROWS, "Surv(time, event) ~ x", "--family", "survival"), "strata(…)", "must be cox");
    refused(of(ROWS, "event ~ x", "--family", "survival"), "Surv(time, event) ~ strata(group)");
    refused(of(ROWS, "Surv(time, event) ~ x", "--tau", "2"), "--tau", "survival curves");
    refused(
        of(ROWS, "Surv(start, time, event) ~ strata(g) + weights(x + 0.5)", at),
        "weights(…) must be whole numbers where",
        "has a start");
    refused(of(ROWS, curves, "--algorithm", "pooled-rounds"), "must have covariates");
    refused(
        of(ROWS, curves, "--algorithm", "ngd", "--alpha", "0.1", "--rounds", "5"),
        "must have covariates",
        "sums alone");
    refused(of(ROWS.replace(",1,1,u", ",0.5,1,u"), curves), "site a, complete row 1", "whole");
    refused(of(ROWS.replace(",1,1,u", ",21,1,u"), curves), "whole number up to 20", "21");
    refused(
        Command.run(
            "check",
            "--formula",
            curves,
            "--data",
            folder.resolve("rows.csv").toString(),
            "--partition",
            "column:s",
            "--network",
            "complete"),
        "must have covariates");
  }
}
