package ngd.core.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import ngd.core.rows.HostRows;
import ngd.core.world.RobustMix;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * What clients say in one call, of whom some lie.
 *
 * @param call its number, from 1, by which lies are drawn
 */
record Lies(Network network, Trust trust, Streams streams, long call) {
  /** What each client says to each when all average: the truth, or an attacker's lie. */
  RobustMix.Said averaging(HostRows truth) {
    RobustMix.Said honest = RobustMix.Said.of(truth);
    if (trust.attackers().isEmpty()) {
      return honest;
    }
    return switch (trust.attack()) {
      case Attack.Alone lie ->
          (from, to, into) -> {
            honest.read(from, to, into);
            if (lies(from)) {
              corrupt(lie, into, 0, into.length, draw(from));
            }
          };
      case Attack.LittleIsEnough(double given) -> {
        double[] lie = new Honest(truth).shifted(Double.isNaN(given) ? deviations() : given);
        yield instead(honest, lie);
      }
      case Attack.InnerProduct(double factor) -> {
        double[] lie = new Honest(truth).mean();
        Arrays.setAll(lie, j -> -factor * lie[j]);
        yield instead(honest, lie);
      }
      case Attack.Dissensus(double factor) ->
          (from, to, into) -> {
            honest.read(from, to, into);
            if (lies(from)) {
              repel(truth, to, factor, into);
            }
          };
      case Attack.LabelFlip _ -> honest;
    };
  }

  UniformRandomProvider draw(int liar) {
    return streams.stream(Streams.Purpose.ATTACK, liar, call);
  }

  private boolean lies(int client) {
    return trust.attackers().contains(client);
  }

  private RobustMix.Said instead(RobustMix.Said honest, double[] lie) {
    return (from, to, into) -> {
      if (lies(from)) {
        System.arraycopy(lie, 0, into, 0, lie.length);
      } else {
        honest.read(from, to, into);
      }
    };
  }

  /** Writes a lie over the honest numbers, those at [from, to). */
  void corrupt(Attack.Alone attack, double[] values, int from, int to, UniformRandomProvider draw) {
    switch (attack) {
      case Attack.SignFlip(double factor) -> {
        for (int i = from; i < to; i++) {
          values[i] *= -factor;
        }
      }
      case Attack.Noise(double sd) -> {
        var normal = ZigguratSampler.NormalizedGaussian.of(draw);
        for (int i = from; i < to; i++) {
          values[i] += sd * normal.sample();
        }
      }
      case Attack.Constant(double value) -> Arrays.fill(values, from, to, value);
      case Attack.Drift(double rate) -> {
        for (int i = from; i < to; i++) {
          values[i] += rate * call;
        }
      }
      case Attack.NotANumber _ -> Arrays.fill(values, from, to, Double.NaN);
    }
  }

  /**
   * The most deviations with which so many honest clients are still farther from the mean that they
   * and the attackers are a majority: Φ⁻¹((M − B − s)/(M − B)) with s = ⌊M/2 + 1⌋ − B.
   */
  private double deviations() {
    int clients = network.clients();
    int honest = clients - trust.attackers().size();
    int supporters = clients / 2 + 1 - trust.attackers().size();
    double share = Math.clamp((double) (honest - supporters) / honest, 0.5, 1 - 1e-9);
    return NormalDistribution.of(0, 1).inverseCumulativeProbability(share);
  }

  /** x − factor Σ w_k (x_k − x) over honest neighbours k, divided by the liars' weight. */
  private void repel(HostRows truth, int listener, double factor, double[] into) {
    int stride = truth.stride();
    double[] pull = new double[into.length];
    double bad = 0;
    for (int e = network.offsets()[listener]; e < network.offsets()[listener + 1]; e++) {
      int k = network.heard()[e];
      if (lies(k)) {
        bad += network.weights()[e];
        continue;
      }
      for (int j = 0; j < pull.length; j++) {
        pull[j] +=
            network.weights()[e]
                * (truth.values()[k * stride + j] - truth.values()[listener * stride + j]);
      }
    }
    for (int j = 0; j < into.length; j++) {
      into[j] = truth.values()[listener * stride + j] - factor * pull[j] / bad;
    }
  }

  /** The clients that do not lie. */
  private final class Honest {
    private final HostRows truth;
    private final List<Integer> clients;

    Honest(HostRows truth) {
      this.truth = truth;
      clients = IntStream.range(0, network.clients()).filter(m -> !lies(m)).boxed().toList();
    }

    double[] mean() {
      double[] mean = new double[truth.width()];
      for (int m : clients) {
        for (int j = 0; j < mean.length; j++) {
          mean[j] += truth.values()[m * truth.stride() + j] / clients.size();
        }
      }
      return mean;
    }

    /** Their mean less so many standard deviations. */
    double[] shifted(double deviations) {
      double[] mean = mean();
      double[] lie = new double[mean.length];
      for (int j = 0; j < lie.length; j++) {
        double square = 0;
        for (int m : clients) {
          double apart = truth.values()[m * truth.stride() + j] - mean[j];
          square += apart * apart / clients.size();
        }
        lie[j] = mean[j] - deviations * Math.sqrt(square);
      }
      return lie;
    }
  }
}
