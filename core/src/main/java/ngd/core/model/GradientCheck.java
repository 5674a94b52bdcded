package ngd.core.model;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Whether the gradient of a loss is that of its value: central differences at a few points of the
 * real data, coefficient by coefficient. A wrong gradient runs as well as a right one, to somewhere
 * else; so a loss of somebody's own making is checked before the first round.
 */
public final class GradientCheck {
  private static final int POINTS = 3;
  private static final int MOST_CLIENTS = 5;

  /** The nearest of several differences counts: a kink between two points upsets the others. */
  private static final double[] STEPS = {1e-5, 1e-6, 1e-7};

  /** What differences may be off by, beside the largest entry of the gradient. */
  private static final double TOLERANCE = 1e-5;

  /** The same beside the value, whose last digits the shortest step makes 1e7 times as large. */
  private static final double ROUNDING = 1e-8;

  private GradientCheck() {}

  /**
   * Refuses a loss whose gradient does not follow from its value, naming the coefficient and both
   * numbers.
   *
   * @param names of the coefficients
   */
  public static void require(Loss loss, Shards shards, List<String> names) {
    UniformRandomProvider draw = Streams.of(1).stream(Streams.Purpose.START);
    int p = loss.parameters(shards.features());
    double[] units = units(shards, p);
    for (int k = 0; k < POINTS; k++) {
      double[] theta = new double[p];
      Arrays.setAll(theta, j -> units[j] * (2 * draw.nextDouble() - 1) / p);
      for (int m = 0; m < Math.min(MOST_CLIENTS, shards.clients()); m++) {
        require(loss, shards, m, theta, units, names);
      }
    }
  }

  /** For each coefficient one over the size of its column, where it has a column. */
  private static double[] units(Shards shards, int p) {
    double[] units = new double[p];
    Arrays.fill(units, 1);
    if (p == shards.features()) {
      double[] squares =
          shards.mean(
              0,
              rows -> {
                double[] means = new double[p];
                for (int i = 0; i < rows.rows(); i++) {
                  for (int j = 0; j < p; j++) {
                    means[j] += rows.x(i, j) * rows.x(i, j) / rows.rows();
                  }
                }
                return means;
              });
      Arrays.setAll(units, j -> squares[j] > 0 ? 1 / Math.sqrt(squares[j]) : 1);
    }
    return units;
  }

  private static void require(
      Loss loss, Shards shards, int client, double[] theta, double[] units, List<String> names) {
    double value = loss.value(shards, client, theta);
    double[] gradient = loss.gradient(shards, client, theta);
    double size = 0;
    for (int j = 0; j < theta.length; j++) {
      size = Math.max(size, units[j] * Math.abs(gradient[j]));
    }
    for (int j = 0; j < theta.length; j++) {
      double nearest = nearest(loss, shards, client, theta, j, units[j], gradient[j]);
      double allowed = TOLERANCE * size + ROUNDING * Math.abs(value);
      if (!(units[j] * Math.abs(nearest - gradient[j]) <= allowed)) {
        throw new InvalidInput(
            "loss `%s`: its gradient must be the derivative of its value; for coefficient %d, `%s`, at client %d the gradient is %.8g, and differences of the value give %.8g (at theta = %s)"
                .formatted(
                    loss.name(),
                    j,
                    names.get(j),
                    client,
                    gradient[j],
                    nearest,
                    Arrays.toString(theta)));
      }
    }
  }

  private static double nearest(
      Loss loss, Shards shards, int client, double[] theta, int j, double unit, double derivative) {
    double nearest = Double.NaN;
    for (double step : STEPS) {
      double[] ahead = theta.clone();
      double[] behind = theta.clone();
      ahead[j] += step * unit;
      behind[j] -= step * unit;
      double found =
          (loss.value(shards, client, ahead) - loss.value(shards, client, behind))
              / (ahead[j] - behind[j]);
      if (!(Math.abs(nearest - derivative) <= Math.abs(found - derivative))) {
        nearest = found;
      }
    }
    return nearest;
  }
}
