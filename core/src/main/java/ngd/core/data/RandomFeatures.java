package ngd.core.data;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Random Fourier features (Rahimi and Recht 2007): √(2/D) cos(ωᵀx + b) with normal ω and uniform b,
 * whose linear models are, for large D, the functions of a Gaussian kernel of this bandwidth. With
 * them a linear fit is non-parametric regression.
 *
 * @param count D, how many features
 * @param bandwidth the distance over which the function may change
 */
public record RandomFeatures(int count, double bandwidth) {
  public RandomFeatures {
    if (count < 1) {
      throw new InvalidInput("random features: must be at least 1; got " + count);
    }
    if (!(bandwidth > 0) || Double.isInfinite(bandwidth)) {
      throw new InvalidInput("random features: the bandwidth must be positive; got " + bandwidth);
    }
  }

  /** Reads {@code D} or {@code D:BANDWIDTH}; the bandwidth is 1 where it is left out. */
  public static RandomFeatures parse(String spec) {
    String[] parts = spec.strip().split(":", -1);
    double count = NumberParser.parseOrNaN(parts[0]);
    double bandwidth = parts.length > 1 ? NumberParser.parseOrNaN(parts[1]) : 1;
    if (parts.length > 2 || count != Math.rint(count) || Double.isNaN(bandwidth)) {
      throw new InvalidInput(
          "random features: must be D or D:BANDWIDTH, such as 100:0.5; got `%s`".formatted(spec));
    }
    return new RandomFeatures((int) count, bandwidth);
  }

  /** The words on the command line. */
  public String spec() {
    return count + ":" + bandwidth;
  }

  /** The same rows and responses with these features instead; an intercept is left out. */
  public Table of(Table table, Streams streams) {
    int first = table.hasIntercept() ? 1 : 0;
    int p = table.features().size() - first;
    if (p == 0) {
      throw new InvalidInput(
          "%s: has no features to make random ones of".formatted(table.source()));
    }
    double[][] columns = new double[count][table.rows()];
    List<String> names = new ArrayList<>();
    for (int d = 0; d < count; d++) {
      UniformRandomProvider draw = streams.stream(Streams.Purpose.FEATURES, d);
      var normal = ZigguratSampler.NormalizedGaussian.of(draw);
      double[] omega = new double[p];
      for (int j = 0; j < p; j++) {
        omega[j] = normal.sample() / bandwidth;
      }
      double phase = 2 * Math.PI * draw.nextDouble();
      for (int i = 0; i < table.rows(); i++) {
        double angle = phase;
        for (int j = 0; j < p; j++) {
          angle = Math.fma(omega[j], table.x(i, first + j), angle);
        }
        columns[d][i] = Math.sqrt(2.0 / count) * StrictMath.cos(angle);
      }
      names.add("cos" + d);
    }
    return new Table(
        table.source(),
        table.responseName(),
        table.response(),
        names,
        columns,
        table.lines(),
        table.labels());
  }
}
