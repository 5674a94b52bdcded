package ngd.core.data;

import java.util.List;
import java.util.stream.IntStream;
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

  /** The features of rows of this many numbers, drawn once. */
  public Drawn draw(int p, Streams streams) {
    double[][] omega = new double[count][p];
    double[] phase = new double[count];
    for (int d = 0; d < count; d++) {
      UniformRandomProvider draw = streams.stream(Streams.Purpose.FEATURES, d);
      var normal = ZigguratSampler.NormalizedGaussian.of(draw);
      for (int j = 0; j < p; j++) {
        omega[d][j] = normal.sample() / bandwidth;
      }
      phase[d] = 2 * Math.PI * draw.nextDouble();
    }
    return new Drawn(omega, phase);
  }

  /** Features that were drawn. */
  public static final class Drawn {
    private final double[][] omega;
    private final double[] phase;

    private Drawn(double[][] omega, double[] phase) {
      this.omega = omega;
      this.phase = phase;
    }

    /** Writes the features of a row. */
    public void of(double[] x, double[] features) {
      for (int d = 0; d < phase.length; d++) {
        double angle = phase[d];
        for (int j = 0; j < x.length; j++) {
          angle = Math.fma(omega[d][j], x[j], angle);
        }
        features[d] = Math.sqrt(2.0 / phase.length) * StrictMath.cos(angle);
      }
    }
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
    Drawn drawn = draw(p, streams);
    double[][] columns = new double[count][table.rows()];
    double[] x = new double[p];
    double[] features = new double[count];
    for (int i = 0; i < table.rows(); i++) {
      for (int j = 0; j < p; j++) {
        x[j] = table.x(i, first + j);
      }
      drawn.of(x, features);
      for (int d = 0; d < count; d++) {
        columns[d][i] = features[d];
      }
    }
    List<String> names = IntStream.range(0, count).mapToObj(d -> "cos" + d).toList();
    return new Table(
        table.source(),
        table.responseName(),
        table.response(),
        names,
        columns,
        table.lines(),
        table.labels(),
        table.stops());
  }
}
