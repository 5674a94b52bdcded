package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.simulation.Simulation;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An audit by attack: thousands of runs with a canary row and as many with another in its place,
 * the most powerful statistic of what a coalition sees, a threshold chosen on one half of the runs
 * and judged on the other, Clopper and Pearson's bounds. What is found must not exceed the ε of the
 * account; with half the noise it must.
 */
class PrivacyAuditTest {
  private static final int RUNS = Integer.getInteger("ngd.audit.runs", 2000);
  private static final double EPSILON = 2;
  private static final double DELTA = 0.1;
  private static final double CLIP = 0.5;
  private static final int SITES = 4;

  /** Each bound fails to hold once in a thousand audits. */
  private static final double LEVEL = 1e-3;

  private static final Network NETWORK = Network.of(new Topology.Complete(SITES));
  private final Host host = new Host(Kernels.best(), new Workers(1));

  /** What is audited. */
  enum Kind {
    LOCAL("epsilon=2,delta=0.1,clip=0.5"),
    CORRELATED("epsilon=2,delta=0.1,clip=0.5,noise=correlated"),
    CENTRAL("epsilon=2,delta=0.1,clip=0.5,noise=central,bound=1,steps=9");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    private Privacy privacy() {
      return Privacy.parse(words);
    }

    private long messages() {
      return privacy().noise() instanceof Privacy.Noise.Central central ? central.steps() + 1 : 3;
    }
  }

  /**
   * One predictor; site 0's last row is the canary, whose gradient has the clip's length; all
   * others are known, and say nothing.
   */
  private static Shards shards(double canary) {
    int[] sizes = {3, 3, 3, 3};
    Shards.Filler filler = Shards.sized(1, sizes);
    for (int m = 0; m < SITES; m++) {
      for (int i = 0; i < 3; i++) {
        boolean odd = m == 0 && i == 2;
        filler.put(m, i, new double[] {odd ? 1 : 0}, odd ? canary : m);
      }
    }
    return filler.done();
  }

  /** What the attacker computes from one run: the larger, the more it looks like the canary. */
  private double seen(Kind kind, GradientPrivacy noise, double canary, int run) {
    Streams streams = Streams.of(17).replicate(run);
    return switch (kind) {
      case LOCAL, CORRELATED -> messages(noise, shards(canary), streams);
      case CENTRAL -> sums(kind.privacy(), noise, shards(canary), streams);
    };
  }

  /**
   * Site 3 is curious and sees every message. It subtracts the noise that it has in common with
   * others, and weighs what is left by the inverse of its covariance.
   */
  private double messages(GradientPrivacy noise, Shards shards, Streams streams) {
    PairGraph pairs = PairGraph.of(NETWORK);
    NoisedLocal local = NoisedLocal.seeded(new Linear().over(shards), noise, pairs, streams);
    List<Integer> honest = List.of(0, 1, 2);
    double[] covariance = pairs.laplacian(honest);
    for (int i = 0; i < covariance.length; i++) {
      covariance[i] =
          covariance[i] * noise.pair() * noise.pair()
              + (i % 4 == 0 ? noise.own() * noise.own() : 0);
    }
    double[] weights = SymmetricMatrix.solve(covariance, 3, new double[] {1, 0, 0}).orElseThrow();
    NoiseSource own = NoiseSource.seeded(streams, 3, honest);
    double moves = 0x1p20 + 2;
    double statistic = 0;
    for (long number = 0; number < noise.most(); number++) {
      Rows said = local.gradient(host.zeros(SITES, 1));
      List<NoiseSource.Shared> shared = own.shared(number);
      for (int m : honest) {
        double message = 3 * said.get(m, 0);
        if (noise.pair() > 0) {
          long sigma = (long) Math.ceil(noise.pair() * moves);
          double known =
              new DiscreteGaussian(sigma, shared.get(m).random()).sample().doubleValue()
                  * 2
                  * CLIP
                  * 0x1p-20;
          // Site m adds where site 3 subtracts.
          message += shared.get(m).adds() ? known : -known;
        }
        statistic += weights[m] * message;
      }
    }
    return -statistic;
  }

  /** Site 3 sees sums, and knows its own share of their noise. */
  private static double sums(
      Privacy privacy, GradientPrivacy noise, Shards shards, Streams streams) {
    List<double[]> others = new ArrayList<>();
    Totals exchange = Simulation.exchange(NETWORK);
    Totals watched =
        new Totals() {
          @Override
          public double[] total(double[]... perRow) {
            double[] sum = exchange.total(perRow);
            others.add(new double[] {sum[0] - perRow[3][0]});
            return sum;
          }

          @Override
          public double max(double... perRow) {
            throw new AssertionError("a maximum has no noise");
          }
        };
    var _ =
        CentralFit.seeded(
                new Linear().over(shards),
                new Linear(),
                privacy,
                noise,
                NoiseSource.seeded(streams, PairGraph.of(NETWORK)))
            .theta(watched);
    return -others.subList(1, others.size()).stream().mapToDouble(sum -> sum[0]).sum();
  }

  private static double[] runs(IntToDoubleFunction run, int from) {
    double[] values = new double[RUNS];
    Arrays.setAll(values, i -> run.applyAsDouble(from + i));
    return values;
  }

  /** The ε that the attack proves, with confidence. */
  private static double proven(double[] with, double[] without) {
    int half = RUNS / 2;
    double best = 0;
    double threshold = Double.NaN;
    for (int i = 0; i < half; i++) {
      double at = without[i];
      double guess = bound(count(with, 0, half, at), count(without, 0, half, at), half);
      if (guess > best) {
        best = guess;
        threshold = at;
      }
    }
    return Double.isNaN(threshold)
        ? 0
        : bound(
            count(with, half, RUNS, threshold), count(without, half, RUNS, threshold), RUNS - half);
  }

  private static int count(double[] values, int from, int to, double above) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += values[i] > above ? 1 : 0;
    }
    return count;
  }

  /** log((P(hit) − δ) / P(false alarm)), at the ends of the intervals that speak against it. */
  private static double bound(int hits, int alarms, int of) {
    double hit =
        hits == 0
            ? 0
            : BetaDistribution.of(hits, of - hits + 1.0).inverseCumulativeProbability(LEVEL);
    double alarm =
        alarms == of
            ? 1
            : BetaDistribution.of(alarms + 1.0, of - alarms)
                .inverseCumulativeProbability(1 - LEVEL);
    return hit > DELTA ? Math.log((hit - DELTA) / alarm) : 0;
  }

  @ParameterizedTest
  @EnumSource
  void canary_underTheAccountsNoise_isNotToldApartBetterThanEpsilonAndUnderAThirdOfItIs(Kind kind) {
    GradientPrivacy noise = GradientPrivacy.of(kind.privacy(), kind.messages(), NETWORK);
    GradientPrivacy third =
        new GradientPrivacy(noise.clip(), noise.own() / 3, noise.pair() / 3, noise.most());
    double whole =
        proven(
            runs(i -> seen(kind, noise, 1e6, i), 0), runs(i -> seen(kind, noise, -1e6, i), RUNS));
    double broken =
        proven(
            runs(i -> seen(kind, third, 1e6, i), 2 * RUNS),
            runs(i -> seen(kind, third, -1e6, i), 3 * RUNS));
    assertThat(whole).isLessThanOrEqualTo(EPSILON);
    // The attack is worth its name: it proves a good part of what there is to prove.
    assertThat(whole).isGreaterThan(0.2 * EPSILON);
    assertThat(broken).isGreaterThan(EPSILON);
  }
}
