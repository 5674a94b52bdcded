package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Loss;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.world.Mixing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracles: each attack's formula by hand, and a fit of the false data themselves. */
class AttackTest {
  private static final double[][] X = {{1}, {2}, {4}, {9}};
  private static final Network COMPLETE = Network.of(new Topology.Complete(4));

  private static SimulatedExchange exchange(String attack, Integer... attackers) {
    return new SimulatedExchange(
        COMPLETE,
        HOST,
        new Trust(new Mixing.Mean(), Attack.parse(attack), List.of(attackers)),
        Streams.of(1));
  }

  private static final Host HOST = new Host(Kernels.best(), new Workers(1));

  private static Rows mixed(String attack, Integer... attackers) {
    return exchange(attack, attackers).mix(HOST.of(X));
  }

  /** Honest 1, 2, 4: mean 7/3, variance 14/9. */
  @Test
  void alie_given_isTheMeanLessDeviations() {
    double lie = 7 / 3.0 - 1.5 * Math.sqrt(14) / 3;
    assertThat(mixed("alie:1.5", 3).get(0, 0)).isCloseTo((2 + 4 + lie) / 3, within(1e-14));
  }

  /**
   * Four clients, one of them bad: s = 3 − 1 = 2, Φ⁻¹(1/3) is negative, which is no attack, so 0.
   */
  @Test
  void alie_byMajority_isTheNormalQuantile() {
    assertThat(mixed("alie", 3).get(0, 0)).isCloseTo((2 + 4 + 7 / 3.0) / 3, within(1e-14));
    Network twenty = Network.of(new Topology.Complete(20));
    double[][] x = new double[20][1];
    for (int m = 0; m < 20; m++) {
      x[m][0] = m < 12 ? m : 100;
    }
    List<Integer> bad = List.of(12, 13, 14, 15, 16, 17, 18, 19);
    Rows out =
        new SimulatedExchange(
                twenty,
                HOST,
                new Trust(new Mixing.Mean(), Attack.parse("alie"), bad),
                Streams.of(1))
            .mix(HOST.of(x));
    // s = 11 − 8 = 3, Φ⁻¹(9/12) = 0.6744897501960817; 0 to 11 have mean 5.5 and variance 143/12.
    double lie = 5.5 - 0.6744897501960817 * Math.sqrt(143 / 12.0);
    assertThat(out.get(0, 0)).isCloseTo((66 + 8 * lie) / 19, within(1e-13));
  }

  @Test
  void innerProduct_isTheMeanTurnedRound() {
    assertThat(mixed("inner-product:2", 3).get(1, 0))
        .isCloseTo((1 + 4 - 2 * 7 / 3.0) / 3, within(1e-14));
  }

  /** Client 0 at 1 would go by (2 − 1 + 4 − 1)/3 = 4/3; with F = 1 it is held where it stands. */
  @Test
  void dissensus_cancelsThePullOfHonestNeighbours() {
    Rows out = mixed("dissensus:1", 3);
    for (int m = 0; m < 3; m++) {
      // x_m less its own share in W, which is 0 here, and the honest ones' pull taken back.
      assertThat(out.get(m, 0)).isCloseTo(X[m][0], within(1e-14));
    }
    assertThat(mixed("dissensus:2", 3).get(0, 0)).isCloseTo(1 - 4 / 3.0, within(1e-14));
  }

  @Test
  void drift_growsWithEachMessage() {
    SimulatedExchange exchange = exchange("drift:0.5", 3);
    for (int call = 1; call <= 3; call++) {
      assertThat(exchange.mix(HOST.of(X)).get(0, 0))
          .isCloseTo((2 + 4 + 9 + 0.5 * call) / 3, within(1e-14));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"alie", "inner-product", "dissensus"})
  void knowingAttacks_whereNothingIsAveraged_areRefused(String attack) {
    SimulatedExchange exchange = exchange(attack, 3);
    assertThatThrownBy(() -> exchange.push(HOST.of(X)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("attack " + attack)
        .hasMessageContaining("an algorithm that averages");
  }

  private static double[][] fitted(Shards shards, Loss loss, Trust trust) {
    Simulation simulation =
        new Simulation(Network.of(new Topology.Ring(5, 1)), loss.over(shards), Streams.of(1), 1)
            .with(trust);
    try (Run<?> run = simulation.start(new Ngd(StepSize.constant(0.05)))) {
      run.advance(20);
      return new double[][] {run.theta().row(0), run.theta().row(2)};
    }
  }

  @Test
  void labelFlip_isAFitOfTheFalseResponses() {
    Trust liars = new Trust(new Mixing.Mean(), Attack.parse("label-flip"), List.of(2, 4));
    for (Loss loss : List.of(new Linear(), new Logistic())) {
      double[][][] x = new double[5][6][2];
      double[][] y = new double[5][6];
      double[][] falsely = new double[5][6];
      for (int m = 0; m < 5; m++) {
        for (int i = 0; i < 6; i++) {
          x[m][i] = new double[] {1, Math.sin(7 * m + i)};
          y[m][i] = (m + i) % 3 == 0 ? 1 : 0;
          boolean flipped = m == 2 || m == 4;
          falsely[m][i] = !flipped ? y[m][i] : loss instanceof Linear ? -y[m][i] : 1 - y[m][i];
        }
      }
      assertThat(fitted(Shards.of(x, y), loss, liars))
          .isDeepEqualTo(fitted(Shards.of(x, falsely), loss, Trust.FULL));
    }
  }

  @Test
  void labelFlip_ofCounts_isRefused() {
    Shards counts = Shards.of(new double[5][1][1], new double[][] {{3}, {3}, {3}, {3}, {3}});
    Trust liars = new Trust(new Mixing.Mean(), new Attack.LabelFlip(), List.of(1));
    assertThatThrownBy(() -> fitted(counts, new Poisson(), liars))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("label-flip: responses must be 0 and 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sign-flip:4.0",
        "noise:30.0",
        "constant:50.0",
        "drift:0.1",
        "nan",
        "alie",
        "alie:1.5",
        "inner-product:2.0",
        "dissensus:1.0",
        "label-flip"
      })
  void spec_everyAttack_isReadBack(String words) {
    assertThat(Attack.parse(words).spec()).isEqualTo(words);
    assertThatThrownBy(() -> Attack.parse("drift:x")).hasMessageContaining("number");
    assertThatThrownBy(() -> Attack.parse("drift:Infinity")).hasMessageContaining("finite");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mean",
        "trimmed:2",
        "median",
        "clipped:0.5",
        "clipped:auto:0.25",
        "bridge:1",
        "geometric-median",
        "krum:2",
        "nearest:1",
        "nnm:1:median",
        "nnm:2:clipped:auto:0.1"
      })
  void spec_everyRule_isReadBack(String words) {
    assertThat(Mixing.parse(words).spec()).isEqualTo(words);
    for (String wrong :
        List.of(
            "nnm:1:mean", "nnm:0:median", "nnm:1", "clipped:auto:1", "krum:1.5", "clipped:x:1")) {
      assertThatThrownBy(() -> Mixing.parse(wrong))
          .as(wrong)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("mix");
    }
  }
}
