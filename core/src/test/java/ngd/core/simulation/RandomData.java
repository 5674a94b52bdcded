package ngd.core.simulation;

import java.util.Arrays;
import ngd.core.data.Shards;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Small shards whose responses follow a rule. */
public final class RandomData {
  /** A response from a row's features. */
  @FunctionalInterface
  public interface Rule {
    double response(int client, double[] x, UniformRandomProvider draw);
  }

  private RandomData() {}

  public static Shards shards(long seed, int p, int[] sizes, Rule rule) {
    double[][][] x = new double[sizes.length][][];
    double[][] y = new double[sizes.length][];
    for (int m = 0; m < sizes.length; m++) {
      UniformRandomProvider draw = Streams.of(seed).stream(Streams.Purpose.DATA, m);
      var normal = ZigguratSampler.NormalizedGaussian.of(draw);
      x[m] = new double[sizes[m]][p];
      y[m] = new double[sizes[m]];
      for (int i = 0; i < sizes[m]; i++) {
        Arrays.setAll(x[m][i], j -> normal.sample());
        y[m][i] = rule.response(m, x[m][i], draw);
      }
    }
    return Shards.of(x, y);
  }

  public static int[] equal(int clients, int rows) {
    int[] sizes = new int[clients];
    Arrays.fill(sizes, rows);
    return sizes;
  }

  /** Responses without noise: every client's loss is least at the same theta. */
  public static Rule exactly(double... theta) {
    return (client, x, draw) -> dot(x, theta);
  }

  public static Rule noisy(double... theta) {
    return (client, x, draw) ->
        dot(x, theta) + ZigguratSampler.NormalizedGaussian.of(draw).sample() + 0.3 * client;
  }

  public static Rule labels(double... theta) {
    return (client, x, draw) -> draw.nextDouble() < 1 / (1 + Math.exp(-dot(x, theta))) ? 1 : 0;
  }

  /** Counts around exp(η), rounded: what matters is only that they are counts. */
  public static Rule counts(double... theta) {
    return (client, x, draw) -> Math.floor(2 * draw.nextDouble() * Math.exp(dot(x, theta)));
  }

  private static double dot(double[] x, double[] theta) {
    double sum = 0;
    for (int j = 0; j < x.length; j++) {
      sum += x[j] * theta[j];
    }
    return sum;
  }
}
