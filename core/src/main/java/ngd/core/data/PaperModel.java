package ngd.core.data;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.formula.RiskTime;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.NormalizedGaussianSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * The simulation models of the paper's section 3, and one of survival: where X and Y come from, and
 * the true θ0.
 */
public enum PaperModel {
  /** Section 3.2: p = 8, normal X with cov(j, k) = 0.5^|j − k|, standard normal residuals. */
  LINEAR {
    @Override
    public double[] truth() {
      return new double[] {3, 1.5, 0, 0, 2, 0, 0, 0};
    }

    @Override
    void covariates(UniformRandomProvider draws, NormalizedGaussianSampler normal, double[] x) {
      autoregressive(0.5, normal, x, x.length);
    }

    @Override
    double response(double eta, UniformRandomProvider draws, NormalizedGaussianSampler normal) {
      return eta + normal.sample();
    }
  },

  /** Section 3.3, example 1: p = 6, normal X of variance 1 and covariance 0.5. */
  LOGISTIC {
    @Override
    public double[] truth() {
      return new double[] {0.5, 0.5, 0.5, 0.5, 0.5, -1.25};
    }

    @Override
    void covariates(UniformRandomProvider draws, NormalizedGaussianSampler normal, double[] x) {
      double common = normal.sample();
      for (int j = 0; j < x.length; j++) {
        x[j] = Math.sqrt(0.5) * (common + normal.sample());
      }
    }

    @Override
    double response(double eta, UniformRandomProvider draws, NormalizedGaussianSampler normal) {
      return draws.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : 0;
    }
  },

  /**
   * Section 3.3, example 2: p = 8, six normal covariates with cov(j, k) = 0.2^|j − k| and two
   * Bernoulli ones, standardised as (x − 0.5)/0.5.
   */
  POISSON {
    @Override
    public double[] truth() {
      return new double[] {1.2, 0.6, 0, 0, 0.8, 0, 0, 0};
    }

    @Override
    void covariates(UniformRandomProvider draws, NormalizedGaussianSampler normal, double[] x) {
      autoregressive(0.2, normal, x, 6);
      x[6] = draws.nextBoolean() ? 1 : -1;
      x[7] = draws.nextBoolean() ? 1 : -1;
    }

    @Override
    double response(double eta, UniformRandomProvider draws, NormalizedGaussianSampler normal) {
      return PoissonSampler.of(draws, Math.exp(eta)).sample();
    }
  },

  /**
   * Proportional hazards, not of the paper: p = 5, four normal covariates with cov(j, k) = 0.5^|j −
   * k| and a Bernoulli one, standardised as (x − 0.5)/0.5. Times follow Weibull's distribution of
   * shape 3/2, with hazard 1.5 √t exp(xᵀθ0), and are watched for uniform times of at most 3; a
   * third of them is censored.
   */
  SURVIVAL {
    @Override
    public double[] truth() {
      return new double[] {0.8, -0.5, 0, 0.3, 0.4};
    }

    @Override
    void covariates(UniformRandomProvider draws, NormalizedGaussianSampler normal, double[] x) {
      autoregressive(0.5, normal, x, 4);
      x[4] = draws.nextBoolean() ? 1 : -1;
    }

    // The time with the sign of what ended it: below 0 where that was the watching.
    @Override
    double response(double eta, UniformRandomProvider draws, NormalizedGaussianSampler normal) {
      double time = Math.pow(-Math.log1p(-draws.nextDouble()) * Math.exp(-eta), 1 / WEIBULL_SHAPE);
      double watched = LONGEST_WATCH * (1 - draws.nextDouble());
      return time <= watched ? Math.max(time, Double.MIN_NORMAL) : -watched;
    }

    @Override
    public boolean timed() {
      return true;
    }
  };

  private static final double WEIBULL_SHAPE = 1.5;
  private static final double LONGEST_WATCH = 3;

  /** θ0. */
  public abstract double[] truth();

  /** Whether responses are events in time, 1 for an event and 0 where the watching ended. */
  public boolean timed() {
    return false;
  }

  abstract void covariates(
      UniformRandomProvider draws, NormalizedGaussianSampler normal, double[] x);

  abstract double response(
      double eta, UniformRandomProvider draws, NormalizedGaussianSampler normal);

  /** The word on the command line: linear, logistic, poisson or survival. */
  public String spec() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static PaperModel parse(String spec) {
    List<String> all = Arrays.stream(values()).map(PaperModel::spec).toList();
    return Arrays.stream(values())
        .filter(model -> model.spec().equals(spec))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "simulated model: must be one of %s; got `%s`%s"
                        .formatted(String.join(", ", all), spec, NearestName.hint(spec, all))));
  }

  /** The same rows, drawn when they are needed. */
  public SimulatedRows rows(int rows, Streams streams) {
    return new SimulatedRows(this, rows, streams);
  }

  /** N rows of response y and features x1 … xp, without an intercept as in the paper. */
  public Table table(int rows, Streams streams) {
    SimulatedRows simulated = rows(rows, streams);
    int p = truth().length;
    double[][] columns = new double[p][rows];
    double[] response = new double[rows];
    double[] stops = new double[timed() ? rows : 0];
    forEach(
        rows,
        streams,
        (row, x, y) -> {
          response[row] = timed() ? event(y) : y;
          if (timed()) {
            stops[row] = Math.abs(y);
          }
          for (int j = 0; j < p; j++) {
            columns[j][row] = x[j];
          }
        });
    return new Table(
        simulated.source(),
        simulated.responseName(),
        response,
        simulated.features(),
        columns,
        new int[0],
        Optional.empty(),
        timed() ? Optional.of(stops) : Optional.empty());
  }

  /** Receives a row: its number, its covariates, which change with the next, and its response. */
  @FunctionalInterface
  interface RowVisitor {
    void row(int row, double[] x, double y);
  }

  /** Draws all rows, one after the other. */
  void forEach(int rows, Streams streams, RowVisitor visitor) {
    UniformRandomProvider draws = streams.stream(Streams.Purpose.DATA);
    NormalizedGaussianSampler normal = ZigguratSampler.NormalizedGaussian.of(draws);
    double[] truth = truth();
    double[] x = new double[truth.length];
    for (int row = 0; row < rows; row++) {
      double y = draw(draws, normal, truth, x);
      visitor.row(row, x, y);
    }
  }

  /** Whether a signed time is that of an event. */
  static double event(double signed) {
    return signed > 0 ? 1 : 0;
  }

  /**
   * Shards of independent rows without a table in between, for many clients: the paper's
   * homogeneous distribution, each client's rows from a stream of its own.
   */
  public Shards shards(int clients, int rowsPerClient, Streams streams) {
    if (clients < 1 || rowsPerClient < 1) {
      throw new InvalidInput(
          "clients and rows of each: must be at least 1; got %d and %d"
              .formatted(clients, rowsPerClient));
    }
    double[] truth = truth();
    int[] sizes = new int[clients];
    Arrays.fill(sizes, rowsPerClient);
    Shards.Filler filler = Shards.sized(truth.length, sizes);
    double[] x = new double[truth.length];
    for (int m = 0; m < clients; m++) {
      UniformRandomProvider draws = streams.stream(Streams.Purpose.DATA, m);
      NormalizedGaussianSampler normal = ZigguratSampler.NormalizedGaussian.of(draws);
      for (int i = 0; i < rowsPerClient; i++) {
        double y = draw(draws, normal, truth, x);
        filler.put(m, i, x, timed() ? event(y) : y);
        if (timed()) {
          filler.put(m, i, new RiskTime(Double.NEGATIVE_INFINITY, Math.abs(y), 0));
        }
      }
    }
    return filler.done();
  }

  /** Fills x with one row's covariates and gives its response. */
  private double draw(
      UniformRandomProvider draws, NormalizedGaussianSampler normal, double[] truth, double[] x) {
    covariates(draws, normal, x);
    double eta = 0;
    for (int j = 0; j < x.length; j++) {
      eta = Math.fma(x[j], truth[j], eta);
    }
    return response(eta, draws, normal);
  }

  /** The first {@code count} covariates: unit variance, correlation ρ^|j − k|, in closed form. */
  private static void autoregressive(
      double rho, NormalizedGaussianSampler normal, double[] x, int count) {
    x[0] = normal.sample();
    for (int j = 1; j < count; j++) {
      x[j] = rho * x[j - 1] + Math.sqrt(1 - rho * rho) * normal.sample();
    }
  }
}
