package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The oracles are the list of wrong inputs, and least squares done by hand. */
class FitCommandTest {
  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** A fit of this file that is right unless the words make it wrong; nothing may be written. */
  private Command refused(String csv, String words) throws IOException {
    Path data = file("d.csv", csv);
    Path out = folder.resolve("run");
    Command command =
        Command.line(
            "fit --data %s --alpha 0.01 --rounds 3 --out %s %s".formatted(data, out, words));
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.out()).isEmpty();
    assertThat(out).doesNotExist();
    return command;
  }

  private static final String GOOD = "y,a,b\n1,2,3\n2,1,1\n4,4,2\n3,0,5\n";
  private static final String TWO = "--response y --clients 2 --network circle:1";

  @Test
  void fit_oneClientManyRounds_findsLeastSquares() throws IOException {
    // y = 1 + 2 a without noise.
    Path data = file("d.csv", "a,y\n-1,-1\n0,1\n1,3\n2,5\n");
    Path out = folder.resolve("run");
    Command command =
        Command.line(
            "fit --data %s --response y --clients 1 --network complete --alpha 0.5 --rounds 2000 --format json --out %s"
                .formatted(data, out));
    assertThat(command.err()).isEmpty();
    JsonNode coefficients = command.json().get("coefficients");
    assertThat(coefficients.at("/0/term").asString()).isEqualTo("(Intercept)");
    assertThat(coefficients.at("/0/estimate").asDouble()).isCloseTo(1, within(1e-12));
    assertThat(coefficients.at("/1/estimate").asDouble()).isCloseTo(2, within(1e-12));
    assertThat(coefficients.at("/1/globalEstimate").asDouble()).isCloseTo(2, within(1e-12));
    assertThat(command.json().get("distanceToGlobal").asDouble()).isLessThan(1e-12);
    assertThat(Files.readString(out.resolve("result.json"))).isEqualTo(command.out());
    assertThat(Files.readAllLines(out.resolve("theta.csv")).getFirst())
        .isEqualTo("client,(Intercept),a");
  }

  private static org.assertj.core.data.Offset<Double> within(double width) {
    return org.assertj.core.data.Offset.offset(width);
  }

  @Test
  void fit_nothingGiven_namesAllThatIsMissing() {
    Command command = Command.line("fit --algorithm ngd");
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.errors())
        .containsExactly(
            "ngd fit: --data FILE, --site NAME=PLACE or --simulate MODEL: one of them must be"
                + " given",
            "ngd fit: --network: must be given: who hears whom, such as regular:2",
            "ngd fit: --clients: must be given with --data or --simulate: the number of clients",
            "ngd fit: --rounds: must be given: how many rounds to run",
            "ngd fit: --alpha: `ngd` needs a learning rate");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--response y --clients 2 --network circel:1 | did you mean `circle",
        "--response y --clients 2 --network circle:2 | must lie in [1, 1], the other clients; got"
            + " 2",
        "--response y --clients 5 --network circle:1 | must lie in [1, 4], the number of rows",
        "--response z --clients 2 --network circle:1 | `z`",
        "--response y --features a,c --clients 2 --network circle:1 | `c`",
        "--response y --clients 2 --network circle:1 --family binomal | binomial",
        "--response y --clients 2 --network circle:1 --partition sortd | did you mean `sorted`",
        "--response y --clients 2 --network circle:1 --placement ordered | in-order",
        "--response y --clients 2 --network circle:1 --algorithm nga | did you mean `ngd`",
        "--response y --clients 2 --network circle:1 --weights unifrm | uniform",
        "--response y --clients 2 --network circle:1 --threads 0 | --threads: must be at least 1;"
            + " got 0",
        "--response y --clients 2 --network base:0 | base: K must lie in [1, 1], the other clients;"
            + " got 0",
        "--response y --clients 2 --network base:1 --weights metropolis | `base:1` has weights of"
            + " its own, so leave them out (or say `own`); got `metropolis`",
        "--response y --clients 2 --network circle:1 --link-failures 0.1 | --link-failures: the"
            + " form is `P:Q`",
        "--response y --clients 2 --network circle:1 --link-failures 0:0.5 | P must lie in (0, 1)"
            + " and Q in (0, 1], probabilities; got 0.0 and 0.5",
        "--response y --clients 2 --network circle:1 --activation cyclic:3 | K must lie in [1, 2],"
            + " the clients; got 3",
        "--response y --clients 2 --network circle:1 --activation often:1 | activation: `often:1`"
            + " is unknown",
        "--response y --clients 2 --network circle:1 --algorithm fedavg --activation bernoulli:0.5"
            + " | `fedavg` does not hear neighbours in rounds",
        "--response y --clients 2 --network random-matching --algorithm extra | algorithm `extra`:"
            + " needs a network that stays as it is",
        "--response y --clients 2 --network circle:1 --algorithm extra --intervals plug-in |"
            + " `extra` has no known intervals; ngd, d-psgd and cfa have",
        "--response y --clients 2 --network circle:1 --intervals plug-in | intervals: alpha must"
            + " fall as a/t^P with P between 0.5 and 1",
        "--response y --clients 2 --network circle:1 --intervals plug-in | `ngd` must run on"
            + " mini-batches",
        "--response y --clients 2 --network circle:1 --intervals plugin | did you mean `plug-in`",
        "--response y --clients 2 --network circle:1 --intervals plug-in --mix median |"
            + " --intervals: works only with --mix mean",
        "--response y --clients 2 --network circle:1 --intervals plug-in:9 | at least two rounds"
            + " must count",
        "--response y --clients 2 --network circle:1 --identify 1 | identify: the false-discovery"
            + " rate must lie between 0 and 1, such as 0.1; got 1",
        "--response y --clients 2 --network circle:1 --algorithm fedavg --identify 0.1 | `fedavg`"
            + " does not average what neighbours say",
        "--response y --clients 2 --network random-matching --identify 0.1 | identify: needs a network that"
            + " stays as it is",
        "--response y --clients 2 --network circle:1 --batch 0 | --batch: must be at least 1; got"
            + " 0",
        "--response y --clients 2 --network circle:1 --simulate linear | --simulate: only one of"
            + " --data, --site and --simulate may be given",
        "--response y --clients 2 --network circle:1 --rows 7 | --rows: works only with --simulate",
        "--response y --clients 2 --network circle:1 --family binomial | labels of the binomial"
            + " family must be 0 or 1",
      })
  void fit_wrongWords_saysWhatIsAllowed(String words, String message) throws IOException {
    assertThat(refused(GOOD, words).err()).contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | gaussian | is empty",
        "'y,a\n1,2\n3,x\n' | gaussian | line 3",
        "'y,a,b\n1,2,2\n2,3,3\n4,4,4\n1,0,0\n' | gaussian | column `b` is redundant: it equals a",
        "'y,a\n1,2\n2,2\n4,2\n' | gaussian | column `a` is constant and so redundant beside the intercept",
        "'y,a\n1,2\n-2,1\n4,4\n' | poisson | counts of the poisson family must not be negative",
        "'y,a\n1,2\n0,1\n2,4\n' | binomial | line 4",
      })
  void fit_wrongData_saysWhere(String csv, String family, String message) throws IOException {
    assertThat(refused(csv, TWO + " --family " + family).err()).contains("d.csv").contains(message);
  }

  @Test
  void fit_wrongEdges_saysWhich() throws IOException {
    Path beyond = file("beyond.csv", "client,hears\n0,1\n1,2\n");
    Path deaf = file("deaf.csv", "client,hears\n0,1\n");
    String words = "--response y --clients 2 --network file:";
    assertThat(refused(GOOD, words + beyond).err()).contains("beyond.csv").contains("2");
    assertThat(refused(GOOD, words + deaf).err()).contains("client 1");
    assertThat(refused(GOOD, words + "none.csv").err()).contains("none.csv");
  }

  @Test
  void fit_outInUse_isRefusedBeforeTheWork() throws IOException {
    Path data = file("d.csv", GOOD);
    Command command =
        Command.line(
            "fit --data %s --alpha 0.01 --rounds 3 --out %s %s".formatted(data, folder, TWO));
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err()).contains("must be a new or empty folder");
  }

  @Test
  void fit_alphaBeyondTheLimit_warnsAndReportsDivergence() throws IOException {
    // One client, one coefficient: Σ̂xx = (1 + 4 + 9 + 16) / 4 = 7.5, so the limit is 2 / 7.5.
    Path data = file("d.csv", "a,y\n1,1\n2,3\n3,3\n4,5\n");
    Path out = folder.resolve("run");
    Command command =
        Command.line(
            "fit --data %s --response y --no-intercept --clients 1 --network complete --alpha 1 --rounds 1000 --out %s"
                .formatted(data, out));
    assertThat(command.code()).isEqualTo(1);
    assertThat(command.errors().getFirst())
        .startsWith("ngd fit: warning: alpha: 1 is not below the safe limit 0.26667");
    assertThat(command.errors().getLast())
        .startsWith("ngd fit: diverged by round")
        .contains("client 0", "safe limit of `ngd` is 0.26667");
    assertThat(out).doesNotExist();
  }

  /** λ_min(W) = 0.1 − 0.9 and Σ̂xx = 4 at each client: (1 + λ_min) / 4 where NGD bears 2 / 4. */
  @Test
  void fit_dgdBeyondItsLimit_namesItsOwnAndNotThatOfNgd() throws IOException {
    Path data = file("d.csv", "a,y\n2,3\n2,1\n2,4\n2,1\n");
    Command command =
        Command.line(
            "fit --data %s --response y --no-intercept --clients 4 --network ring:1 --weights lazy:0.1 --algorithm dgd --alpha 0.4 --rounds 2000"
                .formatted(data));
    assertThat(command.code()).isEqualTo(1);
    assertThat(command.errors().getFirst())
        .startsWith("ngd fit: warning: alpha: 0.4 is not below the safe limit 0.05 of dgd")
        .contains("(1 + λ) / L");
    assertThat(command.errors().getLast()).contains("safe limit of `dgd` is 0.05");
  }

  /** One client, one coefficient: the error grows by 1 − 7.5 α = −2 a round, 2^20 in twenty. */
  @Test
  void fit_endsWhileGrowing_isNoResult() throws IOException {
    Path data = file("d.csv", "a,y\n1,1\n2,3\n3,3\n4,5\n");
    Path out = folder.resolve("run");
    Command command =
        Command.line(
            "fit --data %s --response y --no-intercept --clients 1 --network complete --alpha 0.4 --rounds 20 --out %s"
                .formatted(data, out));
    assertThat(command.code()).isEqualTo(1);
    assertThat(command.errors().getLast())
        .startsWith("ngd fit: diverging: after round 20 the pooled gradient is 1048600 times")
        .contains("safe limit of `ngd` is 0.26667");
    assertThat(out).doesNotExist();
  }

  @Test
  void fit_anyNumberOfThreads_givesTheSameBits() {
    String line =
        "fit --simulate logistic --rows 900 --clients 30 --network regular:2 --partition sorted"
            + " --placement random --alpha 0.1 --rounds 40 --format json --threads ";
    assertThat(Command.line(line + 2)).isEqualTo(Command.line(line + 1));
  }

  @Test
  void fit_text_showsCoefficientsBesideTheGlobalEstimate() {
    Command command =
        Command.line(
            "fit --simulate linear --rows 400 --clients 4 --network complete --alpha 0.1 --rounds"
                + " 200");
    assertThat(command.code()).isEqualTo(0);
    assertThat(command.out())
        .contains("200 rounds of ngd", "coefficient", "global", "truth", "x8", "log MSE");
  }

  private static final String SORTED =
      "fit --simulate linear --rows 400 --clients 8 --network ring:2 --weights lazy-metropolis"
          + " --partition sorted --format json --rounds 4000 ";

  /** Oracle: the methods without bias come to the global estimate, the others near it. */
  @ParameterizedTest
  @CsvSource({
    "ngd, 1",
    "balanced-ngd, 1",
    "dgd, 1",
    "d-psgd, 1",
    "d2, 1e-9",
    "diging, 1e-9",
    "push-diging, 1e-9",
    "extra, 1e-9",
    "exact-diffusion, 1e-9",
    "push-pull, 1e-9",
    "sgp, 1",
    "cfa:0.7, 1",
    "cfa-ge, 1",
    "dual-averaging, 1",
    "model-propagation, 3",
    "collaborative:1e7, 1e-5",
    "bayesian, 1e-6",
    "early-stopped:500, 1",
    "fedavg, 1e-9",
    "async-ngd, 1",
    "async-ngd:5, 1",
    "ad-psgd, 2",
    "gosgd, 2",
  })
  void fit_everyAlgorithm_comesWhereItShould(String algorithm, double distance) {
    Command command = Command.line(SORTED + "--alpha 0.02 --algorithm " + algorithm);
    assertThat(command.err()).isEmpty();
    assertThat(command.code()).isZero();
    assertThat(command.json().get("distanceToGlobal").asDouble()).isLessThan(distance);
    assertThat(command.json().get("algorithm").asString())
        .isEqualTo(algorithm.replace("1e7", "10000000"));
  }

  @Test
  void fit_extrapolate_removesTheBias() {
    double plain =
        Command.line(SORTED + "--alpha 0.02 --algorithm balanced-ngd")
            .json()
            .get("distanceToGlobal")
            .asDouble();
    Command command = Command.line(SORTED + "--alpha 0.02 --algorithm balanced-ngd --extrapolate");
    assertThat(command.json().get("distanceToGlobal").asDouble()).isLessThan(1e-2 * plain);
    assertThat(command.json().get("extrapolationRatio").asDouble()).isCloseTo(2, within(0.1));
  }

  @Test
  void fit_extrapolate_countsTheRoundsOfAllRuns() {
    JsonNode fit = Command.line(SORTED + "--alpha 0.02 --algorithm ngd --extrapolate").json();
    int rounds = fit.get("rounds").asInt();
    assertThat(rounds).isEqualTo(4000 * fit.get("extrapolationRuns").asInt());
    // Four links a client in each round, and a few sums over all clients between the runs.
    assertThat(fit.get("messages").asLong() - 8L * 4 * rounds).isBetween(16L, 20 * 16L);
  }

  @Test
  void fit_extrapolateBeforeAnythingSettled_isNoResult() {
    Command command = Command.line(SORTED.replace("4000", "20") + "--alpha 0.001 --extrapolate");
    assertThat(command.code()).isEqualTo(1);
    assertThat(command.err()).contains("each run must settle");
  }

  @Test
  void fit_alphaAuto_findsItsOwn() {
    Command command = Command.line(SORTED + "--alpha auto --algorithm balanced-ngd");
    assertThat(command.code()).isZero();
    assertThat(command.json().get("lastAlpha").asDouble())
        .isPositive()
        .isLessThan(command.json().get("safeAlpha").asDouble() / 2 + 1e-12);
    assertThat(command.json().get("distanceToGlobal").asDouble()).isLessThan(0.05);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--algorithm extra --network circle:2 --alpha 0.1 | needs a symmetric W; use --weights"
            + " metropolis on a network with mutual links such as ring:2",
        "--algorithm extrra --network circle:2 --alpha 0.1 | did you mean `extra`?",
        "--algorithm extra --network complete --alpha 0.1 --batch 3 | --batch: `extra` has no"
            + " mini-batches",
        "--algorithm dgd --network complete --alpha 0.1 --local-steps 2 | --local-steps: `dgd`"
            + " takes no local steps",
        "--algorithm ngd --network complete --alpha 0.1/t --extrapolate | needs a constant --alpha",
        "--algorithm collaborative --network complete --extrapolate | has no rounds with a step"
            + " size",
        "--algorithm ngd --network complete --alpha auto --extrapolate | needs a constant --alpha,"
            + " which it halves; it is auto",
        "--algorithm ngd --network complete --alpha 0.1 --delay 1 | `ngd` runs in rounds",
        "--algorithm gosgd --network complete --alpha auto | no common rounds",
        "--algorithm gosgd --network complete --alpha 0.1 --mix median | does not mix in rounds",
        "--algorithm gosgd --network complete --alpha 0.1 --clocks poison | did you mean"
            + " `poisson`?",
        "--algorithm gosgd --network complete --alpha 0.1 --churn 3 | UP,DOWN",
        "--algorithm ngd --network complete --alpha 0.1 --attack nan | --attack and --attackers"
            + " need each other",
        "--algorithm ngd --network complete --alpha 0.1 --mix medin | did you mean `median`?",
        "--algorithm ngd --network complete --alpha 0.1 --loss hinge:1 | labels under the hinge"
            + " loss must be 0 or 1; `linear` draws",
        "--algorithm ngd --network complete --alpha 0.1 --family multinomial | family: --simulate"
            + " linear makes it gaussian with link identity; got `multinomial`",
        "--algorithm ngd --network complete --alpha 0,1 | must be a number (0.01), a schedule",
        "--algorithm ngd --network complete --alpha auto --batch 5 | which they do not on"
            + " mini-batches of 5 rows",
      })
  void fit_whatAnAlgorithmCannotDo_isRefused(String words, String message) {
    Command command =
        Command.line("fit --simulate linear --rows 100 --clients 5 --rounds 10 " + words);
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err()).contains(message);
  }

  /**
   * What was given in a wrong way is not said to be missing, nor to be needed by something else.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--simulate linear --rows 50 --clients 5 --network ring:1 --algorithm ngd --rounds 9 --alpha"
            + " -0.1",
        "--simulate linear --rows 50 --clients 5 --network ring:1 --algorithm nqd --rounds 9"
            + " --alpha 0.1",
        "--simulate linaer --rows 50 --clients 5 --network ring:1 --algorithm ngd --rounds 9"
            + " --alpha 0.1",
        "--simulate linear --rows 50 --clients 0 --network ring:1 --algorithm ngd --rounds 9"
            + " --alpha 0.1",
        "--simulate linear --rows 50 --partition rows:a --network ring:1 --algorithm ngd --rounds 9"
            + " --alpha 0.1"
      })
  void fit_oneWrongWord_isOneSentence(String words) {
    Command command = Command.line("fit " + words);
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err().lines()).as(command.err()).hasSize(1);
  }

  /** On a circle three vectors are averaged, of which one may be trimmed at each end. */
  @ParameterizedTest
  @CsvSource({
    "ring:1, trimmed:1, false",
    "ring:1, trimmed:2, true",
    "ring:1, bridge:1, true",
    "ring:2, bridge:1, false",
    "ring:1, krum:1, true",
    "ring:2, krum:1, false",
    "ring:1, nearest:1, false",
    "ring:1, nearest:2, true",
    "ring:2, nnm:1:krum:2, true",
    "ring:2, nnm:2:median, false",
    "base:1, trimmed:1, true",
    "ring:1, geometric-median, false"
  })
  void fit_ruleThatNeedsMoreThanIsHeard_saysSo(String network, String rule, boolean warned) {
    Command command =
        Command.line(
            "fit --simulate linear --rows 100 --clients 9 --rounds 3 --algorithm ngd --alpha 0.01"
                + " --network %s --mix %s".formatted(network, rule));
    assertThat(command.code()).as(command.err()).isZero();
    if (warned) {
      assertThat(command.err())
          .contains("warning: mix " + rule + ": needs", "vectors or more, one's own among them");
    } else {
      assertThat(command.err()).doesNotContain("mix ");
    }
  }

  /** The last open question of the paper: equal clocks and no delay are no asynchrony at all. */
  @Test
  void fit_asyncNgdEqualClocks_findsWhatNgdFinds() {
    JsonNode rounds = Command.line(SORTED + "--alpha 0.02 --algorithm ngd").json();
    JsonNode events = Command.line(SORTED + "--alpha 0.02 --algorithm async-ngd").json();
    assertThat(events.get("coefficients")).isEqualTo(rounds.get("coefficients"));
    JsonNode harsh =
        Command.line(
                SORTED
                    + "--alpha 0.02 --algorithm async-ngd --clocks poisson --delay 0.5 --message-loss 0.1"
                    + " --churn 100,10")
            .json();
    assertThat(harsh.get("coefficients")).isNotEqualTo(rounds.get("coefficients"));
    assertThat(harsh.get("distanceToGlobal").asDouble()).isLessThan(1);
  }

  @Test
  void fit_attackers_theMedianHoldsWhereTheMeanFails() {
    String line =
        "fit --simulate linear --rows 2000 --clients 20 --network ring:4 --weights metropolis"
            + " --alpha 0.05 --rounds 800 --format json --attack constant:50 --attackers 0,9 --mix"
            + " ";
    double median = Command.line(line + "median").json().get("distanceToGlobal").asDouble();
    double mean = Command.line(line + "mean").json().get("distanceToGlobal").asDouble();
    assertThat(median).isLessThan(0.3);
    assertThat(mean).isGreaterThan(1);
  }

  /** Early stopping over random features: a response that no line through the column explains. */
  @Test
  void fit_randomFeatures_areTheCoefficients() {
    Command command =
        Command.line(
            "fit --simulate linear --rows 300 --clients 5 --network complete --random-features 20:2"
                + " --algorithm early-stopped:50 --alpha 0.5 --rounds 60 --format json");
    assertThat(command.code()).isZero();
    assertThat(command.json().get("coefficients").size()).isEqualTo(20);
    assertThat(command.json().at("/coefficients/0/term").asString()).isEqualTo("cos0");
  }
}
