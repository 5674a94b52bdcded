package ngd.core.algorithm.bayesian;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Moments;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Decentralized Bayesian learning of a linear model, exact: beliefs are normal distributions,
 * pooled by log-linear averaging (Lalitha, Shekhar, Javidi and Koushanfar 2018).
 *
 * <p>In the first round each client updates the prior N(0, I / precision) by its likelihood to the
 * power c_m N / n_m = 1 / π_m; from then on the logarithms of the densities are averaged with W,
 * which is averaging precision matrices and shifts. All clients come to the π-mean, which is the
 * posterior given all data. It wants a W without a period.
 *
 * @param noise the variance of the residuals, taken as known
 * @param prior the precision of the prior of each coefficient
 * @param scales c_m = (n_m / N) / π_m
 */
public record Bayesian(double noise, double prior, GradientScales scales)
    implements Algorithm.Rounds<Bayesian.State> {
  public Bayesian {
    if (!(noise > 0) || !(prior > 0)) {
      throw new InvalidInput(
          "bayesian: the noise variance and the prior precision must be positive; got %s and %s"
              .formatted(noise, prior));
    }
  }

  /**
   * Each client's belief: theta is its mean.
   *
   * @param precision the inverse covariance, p × p in a row; null before the first round
   * @param shift precision times mean; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows precision, @Nullable Rows shift)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return precision == null || shift == null ? List.of(theta) : List.of(theta, precision, shift);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows precision;
    Rows shift;
    if (s.precision() == null || s.shift() == null) {
      double total = local.totalRows(s.theta(), exchange);
      precision = s.theta().of(precisions(s.theta(), total, CurvedLocal.in(local)));
      shift = s.theta().of(shifts(s.theta(), total, CurvedLocal.in(local)));
    } else {
      precision = exchange.mix(s.precision());
      shift = exchange.mix(s.shift());
    }
    return new State(s.round() + 1, shift.solvedBy(precision), precision, shift);
  }

  /** The power to which a client's likelihood enters, over the noise variance. */
  private double power(int row, double total, Moments own) {
    return scales.of(row) * total / own.rows() / noise;
  }

  private double[][] precisions(Rows like, double total, CurvedLocal local) {
    int p = like.width();
    double[][] precisions = new double[like.rows()][];
    for (int m = 0; m < precisions.length; m++) {
      Moments own = local.moments(m);
      double power = power(m, total, own);
      double[] matrix = own.xx();
      for (int i = 0; i < matrix.length; i++) {
        matrix[i] = power * matrix[i] + (i % (p + 1) == 0 ? prior : 0);
      }
      precisions[m] = matrix;
    }
    return precisions;
  }

  private double[][] shifts(Rows like, double total, CurvedLocal local) {
    double[][] shifts = new double[like.rows()][];
    for (int m = 0; m < shifts.length; m++) {
      Moments own = local.moments(m);
      double power = power(m, total, own);
      double[] shift = own.xy();
      for (int j = 0; j < shift.length; j++) {
        shift[j] *= power;
      }
      shifts[m] = shift;
    }
    return shifts;
  }

  /** {@code --algorithm bayesian}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "bayesian",
          "beliefs pooled by log-linear averaging (Lalitha et al. 2018, 2019)",
          request ->
              request.linear()
                  ? new Bayesian(
                      request.parameter(0, 1), request.parameter(1, 1e-6), request.scales())
                  : new MeanField(
                      request.choice().step() instanceof StepChoice.Given(StepSize alpha)
                          ? alpha
                          : StepSize.constant(0.1),
                      0.5 / request.parameter(0, 1),
                      request.parameter(1, 1e-6),
                      request.scales()));
      parameters("NOISE", "PRIOR");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.HESSIAN);
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
      traits(Trait.STEPLESS);
    }
  }
}
