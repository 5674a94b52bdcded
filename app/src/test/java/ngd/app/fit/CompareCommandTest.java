package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Oracles: each algorithm's own fit, and messages counted by hand. */
class CompareCommandTest {
  @TempDir private Path folder;

  private static final String PROBLEM =
      " --simulate linear --rows 400 --clients 8 --network ring:2 --weights lazy-metropolis --partition sorted --alpha 0.02 --rounds 500";

  @Test
  void compare_twoAlgorithms_agreesWithTheirFits() {
    Command compared = Command.line("compare --format json --algorithms ngd,extra" + PROBLEM);
    assertThat(compared.err()).isEmpty();
    JsonNode lines = compared.json().get("algorithms");
    assertThat(lines.size()).isEqualTo(2);
    for (JsonNode line : lines) {
      String name = line.get("algorithm").asString();
      JsonNode fit = Command.line("fit --format json --algorithm " + name + PROBLEM).json();
      assertThat(line.get("distanceToGlobal")).isEqualTo(fit.get("distanceToGlobal"));
      assertThat(line.get("rounds").asInt()).isEqualTo(500);
      // Four links a client, eight coefficients of eight bytes.
      assertThat(line.get("messages").asLong()).isEqualTo(500 * 8 * 4);
      assertThat(line.get("bytes").asLong()).isEqualTo(500 * 8 * 4 * 64);
    }
  }

  @Test
  void compare_out_writesTableAndTraces() throws IOException {
    Path out = folder.resolve("c");
    Command compared =
        Command.line("compare --algorithms ngd,d2,diging --trace-every 100 --out " + out + PROBLEM);
    assertThat(compared.code()).isZero();
    assertThat(compared.out()).contains("algorithm", "distance", "d2", "diging");
    List<String> lines = Files.readAllLines(out.resolve("compare.csv"));
    assertThat(lines).hasSize(4);
    assertThat(lines.getFirst())
        .isEqualTo(
            "algorithm,alpha,distance,distance_q25,distance_q75,consensus,rounds,messages,bytes,"
                + "gradients,simulated_seconds,seconds,seeds,failed");
    assertThat(Files.readAllLines(out.resolve("trace.csv"))).hasSize(1 + 3 * 6);
    assertThat(Files.readString(out.resolve("rounds.svg"))).startsWith("<svg").contains("diging");
    assertThat(out.resolve("bytes.png")).isNotEmptyFile();
    // The manifest repeats it, but for the seconds.
    Path again = folder.resolve("again");
    Command repeated =
        Command.run("compare", out.resolve("manifest.json").toString(), "--out", again.toString());
    assertThat(repeated.code()).as(repeated.err()).isZero();
    assertThat(Files.readString(again.resolve("trace.csv")))
        .isEqualTo(Files.readString(out.resolve("trace.csv")));
    assertThat(Files.readString(again.resolve("manifest.json")))
        .isEqualTo(Files.readString(out.resolve("manifest.json")));
  }

  private static final String UNTIMED = PROBLEM.replace(" --alpha 0.02 --rounds 500", "");

  @Test
  void compare_budgetOfBytes_isAsManyRoundsAsStayWithin() {
    // A round of ngd sends 8 · 4 vectors of 64 bytes, one of diging twice that; top:2 of 8
    // entries fewer.
    JsonNode lines =
        Command.line(
                "compare --format json --budget bytes:100000"
                    + " --algorithms ngd@0.02,diging@0.02,choco@0.02+codec=top:2"
                    + UNTIMED)
            .json()
            .get("algorithms");
    assertThat(lines.get(0).get("rounds").asInt()).isEqualTo(48);
    assertThat(lines.get(0).get("bytes").asLong()).isEqualTo(48 * 2048);
    assertThat(lines.get(1).get("rounds").asInt()).isEqualTo(24);
    long rounds = lines.get(2).get("rounds").asLong();
    long bytes = lines.get(2).get("bytes").asLong();
    assertThat(bytes).isLessThanOrEqualTo(100_000);
    assertThat(bytes + bytes / rounds).isGreaterThan(100_000);
    // The fit of those rounds sends as many, and comes to the same.
    JsonNode fit =
        Command.line(
                "fit --format json --algorithm choco --alpha 0.02 --codec top:2 --rounds "
                    + rounds
                    + UNTIMED)
            .json();
    assertThat(fit.get("bytes").asLong()).isEqualTo(bytes);
    assertThat(fit.get("distanceToGlobal")).isEqualTo(lines.get(2).get("distanceToGlobal"));
  }

  @Test
  void compare_budgetOfGradients_countsRows() {
    // 400 rows a round; diging has one gradient before its first round; a batch of 10 at each of
    // 8 clients.
    JsonNode lines =
        Command.line(
                "compare --format json --budget gradients:10000"
                    + " --algorithms ngd@0.02,diging@0.02,ngd@0.02+batch=10"
                    + UNTIMED)
            .json()
            .get("algorithms");
    assertThat(lines.get(0).get("rounds").asInt()).isEqualTo(25);
    assertThat(lines.get(1).get("rounds").asInt()).isEqualTo(24);
    assertThat(lines.get(1).get("gradients").asLong()).isEqualTo(10_000);
    assertThat(lines.get(2).get("rounds").asInt()).isEqualTo(125);
  }

  private static final String SIX =
      "compare --format json --simulate linear --rows 600 --clients 6 --alpha 0.05 ";

  @Test
  void compare_budgetOfSeconds_isOfTheClientThatWorksLongest() throws IOException {
    // Two of six take a gradient of their rows side by side: a second a round, and diging has one
    // before its first round.
    JsonNode resting =
        Command.line(
                SIX
                    + "--network ring:2 --algorithms ngd,diging --activation cyclic:2 --budget"
                    + " seconds:10")
            .json()
            .get("algorithms");
    assertThat(resting.get(0).get("rounds").asInt()).isEqualTo(10);
    assertThat(resting.get(1).get("rounds").asInt()).isEqualTo(9);
    // A client of up to eight rows looks at all of them in each round.
    Path rows = folder.resolve("rows.csv");
    Files.writeString(
        rows,
        "y,x\n"
            + IntStream.range(0, 48)
                .mapToObj(i -> "%d,%d\n".formatted(i % 5, i % 7))
                .collect(Collectors.joining()));
    JsonNode batches =
        Command.line(
                "compare --format json --formula y~x --partition rows:1,2,3,10,12,20 --network"
                    + " complete --algorithms ngd --alpha 0.05 --batch 8 --rounds 10 --data "
                    + rows)
            .json()
            .get("algorithms");
    assertThat(batches.get(0).get("simulatedSeconds").asDouble()).isEqualTo(10);
  }

  @Test
  void compare_oneClientSelected_countsItsGradientsAlone() {
    Command compared =
        Command.line(
            SIX
                + "--network complete --algorithms fedavg,scaffold,fedadam --rounds 10 --selection"
                + " uniform:1");
    for (JsonNode line : compared.json().get("algorithms")) {
      assertThat(line.get("gradients").asLong()).isEqualTo(10 * 100);
      assertThat(line.get("simulatedSeconds").asDouble()).isEqualTo(10);
    }
  }

  @Test
  void compare_privacy_timesNoMoreRoundsThanTheBudgetCovers() {
    Command compared =
        Command.line(
            SIX + "--network ring:2 --algorithms ngd --rounds 10 --privacy epsilon=5,delta=1e-5");
    assertThat(compared.code()).as(compared.err()).isZero();
    assertThat(compared.json().at("/algorithms/0/seconds").asDouble()).isPositive();
  }

  @Test
  void compare_tuneAmongGiven_isTheBestOfTheirFits() {
    String[] steps = {"0.2", "0.05", "0.01"};
    JsonNode line =
        Command.line(
                "compare --format json --rounds 60 --algorithms extra --tune 0.2,0.05,0.01"
                    + UNTIMED)
            .json()
            .get("algorithms")
            .get(0);
    double best = Double.POSITIVE_INFINITY;
    String chosen = "";
    for (String step : steps) {
      Command fit =
          Command.line("fit --format json --rounds 60 --algorithm extra --alpha " + step + UNTIMED);
      double distance =
          fit.code() == 0
              ? fit.json().get("distanceToGlobal").asDouble()
              : Double.POSITIVE_INFINITY;
      if (distance < best) {
        best = distance;
        chosen = step;
      }
    }
    assertThat(line.get("alpha").asString()).isEqualTo(chosen);
    assertThat(line.get("distanceToGlobal").asDouble()).isEqualTo(best);
    // A search of its own is at least as good.
    JsonNode free =
        Command.line("compare --format json --rounds 60 --algorithms extra --tune auto" + UNTIMED)
            .json()
            .get("algorithms")
            .get(0);
    assertThat(free.get("distanceToGlobal").asDouble()).isLessThanOrEqualTo(best);
    free.get("tried")
        .forEach(
            one -> {
              if (!one.get("distance").isNull()) {
                assertThat(one.get("distance").asDouble())
                    .isGreaterThanOrEqualTo(free.get("distanceToGlobal").asDouble());
              }
            });
  }

  @Test
  void compare_severalSeeds_reportsTheirQuartiles() throws IOException {
    Path out = folder.resolve("seeds");
    Command compared =
        Command.line(
            "compare --algorithms ngd,extra --seeds 4 --seed 7 --trace-every 250 --out "
                + out
                + PROBLEM);
    assertThat(compared.code()).as(compared.err()).isZero();
    List<String> bySeed = Files.readAllLines(out.resolve("seeds.csv"));
    double[] ngd = new double[4];
    for (int i = 0; i < 4; i++) {
      String[] cells = bySeed.get(1 + i).split(",", -1);
      assertThat(cells[1]).isEqualTo(Integer.toString(7 + i));
      ngd[i] = Double.parseDouble(cells[2]);
      JsonNode fit =
          Command.line("fit --format json --algorithm ngd --seed " + (7 + i) + PROBLEM).json();
      assertThat(ngd[i]).isEqualTo(fit.get("distanceToGlobal").asDouble());
    }
    Arrays.sort(ngd);
    String[] cells = Files.readAllLines(out.resolve("compare.csv")).get(1).split(",", -1);
    // Of four values, the quartiles by type 7 lie at 0.75, 1.5 and 2.25.
    assertThat(Double.parseDouble(cells[2])).isCloseTo((ngd[1] + ngd[2]) / 2, within(1e-15));
    assertThat(Double.parseDouble(cells[3])).isCloseTo(ngd[0] / 4 + 3 * ngd[1] / 4, within(1e-15));
    assertThat(Double.parseDouble(cells[4])).isCloseTo(3 * ngd[2] / 4 + ngd[3] / 4, within(1e-15));
    assertThat(Files.readAllLines(out.resolve("seed-traces.csv"))).hasSize(1 + 2 * 4 * 3);
    assertThat(Files.readAllLines(out.resolve("bands.csv"))).hasSize(1 + 2 * 3);
    for (String axis : List.of("rounds", "messages", "bytes", "gradients", "simulated-seconds")) {
      assertThat(Files.readAllBytes(out.resolve(axis + ".pdf"))).startsWith('%', 'P', 'D', 'F');
    }
    Path again = folder.resolve("seeds-again");
    Command repeated =
        Command.run("compare", out.resolve("manifest.json").toString(), "--out", again.toString());
    assertThat(repeated.code()).as(repeated.err()).isZero();
    assertThat(again.resolve("seed-traces.csv"))
        .hasSameTextualContentAs(out.resolve("seed-traces.csv"));
  }

  @Test
  void compare_clocksAndDelays_lengthenRoundsToo() {
    JsonNode lines =
        Command.line(
                "compare --format json --algorithms ngd,async-ngd --clocks unequal --delay 0.2"
                    + PROBLEM)
            .json()
            .get("algorithms");
    // Slower than its slowest client, and than the mean delay of a message.
    assertThat(lines.get(0).get("simulatedSeconds").asDouble()).isGreaterThan(500 * 0.7);
    assertThat(lines.get(1).get("simulatedSeconds").asDouble()).isEqualTo(500);
  }

  @Test
  void compare_wordsThatCannotBe_areRefusedWithWhatCan() {
    record Wrong(String words, String message) {}
    for (Wrong wrong :
        List.of(
            new Wrong(
                "ngd --rounds 5",
                "--alpha: `ngd` needs a step size: --alpha for all, ngd@0.05 for this one, or --tune auto"),
            new Wrong(
                "ngd@fast,extra@0.1 --rounds 5",
                "ngd compare: --algorithms `ngd@fast`: alpha: must be a number"),
            new Wrong(
                "extra@0.1,ngd@0.1+batch=x --rounds 5",
                "ngd compare: --algorithms `ngd@0.1+batch=x`: batch: must be a whole number"),
            new Wrong("ngd@0.1+bath=3 --rounds 5", "did you mean `batch`?"),
            new Wrong(
                "ngd@0.1 --budget byte:10",
                "--budget: must be rounds:T, gradients:G, bytes:B or seconds:S"),
            new Wrong(
                "ngd@0.1 --budget bytes:10",
                "one round of `ngd@0.1` takes 2048 bytes; got bytes:10"),
            new Wrong("ngd@0.1 --rounds 5 --budget rounds:5", "takes the place of --rounds"),
            new Wrong("ngd --rounds 5 --alpha 0.1 --tune auto", "leave --alpha out"),
            new Wrong(
                "ngd --rounds 5 --tune 0.1,fast", "--tune: must be auto, or positive step sizes"),
            new Wrong("d-admm@0.1 --rounds 5", "`d-admm` has no step size"),
            new Wrong("ngd@0.1 --rounds 5 --clocks poison", "did you mean `poisson`?"))) {
      Command refused = Command.line("compare --algorithms " + wrong.words() + UNTIMED);
      assertThat(refused.code()).as(wrong.words()).isEqualTo(2);
      assertThat(refused.err()).contains(wrong.message());
    }
  }

  @Test
  void compare_whatItHasNoAnswerTo_isRefusedAndNotOffered() throws IOException {
    String help = Command.line("compare --help").out();
    for (Map.Entry<String, String> one :
        Map.of("identify", "0.1", "intervals", "plug-in").entrySet()) {
      String option = one.getKey();
      Command flags =
          Command.line(
              "compare --algorithms ngd@0.1 --rounds 5 --%s %s"
                  .formatted(option, one.getValue() + UNTIMED));
      assertThat(flags.code()).isEqualTo(2);
      assertThat(flags.err()).contains("unknown option `--%s`".formatted(option));
      Path file = folder.resolve(option + ".yaml");
      Files.writeString(file, option + ": " + one.getValue() + "\n");
      Command keys = Command.run("compare", file.toString());
      assertThat(keys.code()).isEqualTo(2);
      assertThat(keys.err()).contains("unknown key `%s`".formatted(option));
      assertThat(help).doesNotContain("--" + option);
    }
  }

  @Test
  void compare_outThatIsInUse_isLeftAlone() throws IOException {
    Path out = Files.createDirectory(folder.resolve("used"));
    Files.writeString(out.resolve("mine.txt"), "mine");
    Command refused = Command.line("compare --algorithms ngd,d2 --out " + out + PROBLEM);
    assertThat(refused.code()).isEqualTo(2);
    try (var files = Files.list(out)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void compare_thePooledAnswer_isRefusedAmongMethods() {
    for (String word : List.of("pooled", "pooled-rounds")) {
      Command refused = Command.line("compare --algorithms ngd," + word + PROBLEM);
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .contains("--algorithms: must be methods")
          .contains("got `%s`".formatted(word));
    }
  }

  @Test
  void compare_oneDiverges_theOthersStand() {
    Command compared =
        Command.line(
            "compare --format json --algorithms collaborative,ngd"
                + PROBLEM.replace("0.02", "0.6"));
    assertThat(compared.code()).isZero();
    JsonNode lines = compared.json().get("algorithms");
    assertThat(lines.get(0).get("distanceToGlobal").isNumber()).isTrue();
    assertThat(lines.get(1).get("failure").asString()).contains("diverg");
  }

  @Test
  void compare_wrongWords_namesAllAtOnce() {
    Command compared =
        Command.line(
            "compare --algorithms exta,extra,cfa-ge --simulate linear --rows 100 --clients 5 --network circle:2 --rounds 10 --alpha 0.1");
    assertThat(compared.code()).isEqualTo(2);
    assertThat(compared.err()).contains("did you mean `extra`");
    Command unsuited =
        Command.line(
            "compare --algorithms extra,cfa-ge --simulate linear --rows 100 --clients 5 --network circle:2 --rounds 10 --alpha 0.1");
    assertThat(unsuited.code()).isEqualTo(2);
    assertThat(unsuited.err()).contains("`extra`: needs a symmetric W", "`cfa-ge`: needs mutual");
  }
}
