package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalInt;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Averaged;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.IntervalChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.DPsgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Logistic;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.Stationary;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** Oracle: the defining sums, row by row, of a logistic model over clients of unequal size. */
class AveragedIntervalsTest {
  private static final int P = 2;
  private static final int[] SIZES = {40, 60, 90};

  /** Irreducible, aperiodic, not doubly stochastic. */
  private static final Network NETWORK =
      Network.of(new double[][] {{0.5, 0.5, 0}, {0.25, 0.5, 0.25}, {0.7, 0, 0.3}});

  private static double[][] x(int client) {
    var draw = Streams.of(3).stream(Streams.Purpose.DATA, client);
    double[][] x = new double[SIZES[client]][];
    for (int i = 0; i < x.length; i++) {
      x[i] = new double[] {1, 2 * draw.nextDouble() - 1};
    }
    return x;
  }

  private static double y(int client, int row) {
    return (row * 7 + client) % 3 == 0 ? 1 : 0;
  }

  private static Shards shards() {
    Shards.Filler filler = Shards.sized(P, SIZES);
    for (int m = 0; m < SIZES.length; m++) {
      double[][] x = x(m);
      for (int i = 0; i < x.length; i++) {
        filler.put(m, i, x[i], y(m, i));
      }
    }
    return filler.done();
  }

  private static AveragedIntervals.Settings settings(String kind, int rounds) {
    return new AveragedIntervals.Settings(
        IntervalChoice.parse(kind).of(rounds), rounds, 2, 0.9, List.of("one", "x"));
  }

  @Test
  void of_plugIn_isTheSandwichByItsDefinition() {
    int rounds = 20;
    Shards shards = shards();
    Simulation simulation = new Simulation(NETWORK, new Logistic().over(shards), Streams.of(1), 1);
    double[] pi =
        Stationary.of(NETWORK, CommunicatingClasses.of(NETWORK)).distribution().orElseThrow();
    GradientScales scales = GradientScales.bySizeAndWeight(SIZES, pi);
    Averaged<Ngd.State> method =
        new Averaged<>(new DPsgd(StepSize.parse("0.4/t^0.6"), 2, scales), false, 5);
    try (Run<Averaged.State<Ngd.State>> run = simulation.start(method)) {
      run.advance(rounds);
      AveragedIntervals found =
          simulation.within(
              world ->
                  AveragedIntervals.of(
                      world,
                      run.state(),
                      new Logistic(),
                      new AveragedIntervals.Shares(List.of(pi[0], pi[1], pi[2]), scales),
                      settings("plug-in", rounds)));
      assertThat(found.rounds()).isEqualTo(15);
      double[] centre = new double[P];
      for (int m = 0; m < SIZES.length; m++) {
        for (int j = 0; j < P; j++) {
          centre[j] += pi[m] * run.theta().get(m, j);
        }
      }
      double[] h = new double[P * P];
      double[] s = new double[P * P];
      for (int m = 0; m < SIZES.length; m++) {
        // What a client counts for: its share of all rows.
        double w = SIZES[m] / 190.0;
        double[][] x = x(m);
        double[][] g = new double[x.length][P];
        double[] mean = new double[P];
        for (int i = 0; i < x.length; i++) {
          double mu = 1 / (1 + Math.exp(-(centre[0] + centre[1] * x[i][1])));
          for (int j = 0; j < P; j++) {
            g[i][j] = 2 * (mu - y(m, i)) * x[i][j];
            mean[j] += g[i][j] / x.length;
            for (int k = 0; k < P; k++) {
              h[j * P + k] += w * 2 * mu * (1 - mu) * x[i][j] * x[i][k] / x.length;
            }
          }
        }
        for (double[] one : g) {
          for (int j = 0; j < P; j++) {
            for (int k = 0; k < P; k++) {
              s[j * P + k] += w * w / 2 * (one[j] - mean[j]) * (one[k] - mean[k]) / g.length;
            }
          }
        }
      }
      double[] inverse = SymmetricMatrix.inverse(h, P).orElseThrow();
      for (int j = 0; j < P; j++) {
        double variance = 0;
        for (int a = 0; a < P; a++) {
          for (int b = 0; b < P; b++) {
            variance += inverse[j * P + a] * s[a * P + b] * inverse[b * P + j];
          }
        }
        Coefficient line = found.coefficients().get(j);
        assertThat(line.estimate()).isCloseTo(centre[j], within(1e-14));
        assertThat(line.standardError()).isCloseTo(Math.sqrt(variance / 15), within(1e-13));
        assertThat(line.high() - line.low())
            .isCloseTo(2 * 1.6448536269514722 * line.standardError(), within(1e-12));
      }
    }
  }

  @Test
  void requireNewRows_clientsWithFewerRows_areCountedAndNotNamed() {
    assertThatThrownBy(
            () -> settings("plug-in", 31).requireNewRows(Simulation.exchange(NETWORK), SIZES))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("rounds x batch = 62; 2 have fewer");
    settings("plug-in", 20).requireNewRows(Simulation.exchange(NETWORK), SIZES);
  }

  @Test
  void skipped_byDefault_isAQuarterForPlugInAlone() {
    assertThat(IntervalChoice.parse("plug-in").skipped(1001)).isEqualTo(250);
    assertThat(IntervalChoice.parse("random-scaling").skipped(1001)).isZero();
    assertThat(IntervalChoice.parse("plug-in:7"))
        .isEqualTo(new IntervalChoice(IntervalChoice.Kind.PLUG_IN, OptionalInt.of(7)));
    assertThatThrownBy(() -> IntervalChoice.parse("plug-in:-1"))
        .hasMessageContaining("0 or more; got `-1`");
  }
}
