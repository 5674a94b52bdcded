package ngd.core.algorithm.bayesian;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Decentralized Bayesian learning by mean-field beliefs, for models whose posterior has no closed
 * form (after Lalitha, Kilinc, Javidi and Koushanfar 2019): independent normal coefficients, pooled
 * by log-linear averaging, then moved by a natural-gradient step on the client's own evidence, with
 * gradient and curvature taken at the mean.
 *
 * <pre>
 * λ̄ = W λ, μ̄ = W (λ μ) / λ̄
 * λ = (1 − α) λ̄ + α (prior + evidence · c N · diag ∇²L(μ̄))
 * μ = μ̄ − α (prior μ̄ + evidence · c N · ∇L(μ̄)) / λ
 * </pre>
 *
 * For small α the means come to the mode of the posterior given all data and the precisions to the
 * diagonal of its curvature there.
 *
 * @param evidence what turns N times the loss into minus the log-likelihood: ½ where the loss is
 *     minus twice the log-likelihood over n, 1 / σ² for the linear model
 * @param prior the precision of the prior of each coefficient
 * @param scales c_m = (n_m / N) / π_m
 */
public record MeanField(StepSize alpha, double evidence, double prior, GradientScales scales)
    implements Algorithm.Rounds<MeanField.State> {
  public MeanField {
    if (!(evidence > 0) || !(prior > 0)) {
      throw new InvalidInput(
          "bayesian: the weight of the evidence and the prior precision must be positive; got %s and %s"
              .formatted(evidence, prior));
    }
    if (alpha.largest() > 1) {
      throw new InvalidInput(
          "bayesian: alpha must be at most 1, it is a share of the way to a Newton step; got "
              + alpha);
    }
  }

  /**
   * Each client's belief: theta holds the means.
   *
   * @param precision λ of each coefficient; null before the first round
   * @param total N; 0 before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows precision, double total)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return precision == null ? List.of(theta) : List.of(theta, precision);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, 0);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double total = s.precision() == null ? local.totalRows(s.theta(), exchange) : s.total();
    int rows = s.theta().rows();
    int p = s.theta().width();
    double[][] lambda = new double[rows][p];
    double[][] mu = new double[rows][p];
    pooled(s, exchange, lambda, mu);
    double step = alpha.at(s.round());
    Rows means = s.theta().of(mu);
    Rows gradient = local.gradient(means);
    Rows curvature = CurvedLocal.in(local).curvature(means);
    // The first round knows no precision yet and takes the client's own.
    double share = s.precision() == null ? 1 : step;
    for (int m = 0; m < rows; m++) {
      double weight = evidence * scales.of(m) * total;
      for (int j = 0; j < p; j++) {
        double seen = prior + weight * curvature.get(m, j);
        lambda[m][j] = (1 - share) * lambda[m][j] + share * seen;
        mu[m][j] -= step * (prior * mu[m][j] + weight * gradient.get(m, j)) / lambda[m][j];
      }
    }
    return new State(s.round() + 1, s.theta().of(mu), s.theta().of(lambda), total);
  }

  /** The log-linear average of the beliefs heard. */
  private static void pooled(State s, Exchange exchange, double[][] lambda, double[][] mu) {
    if (s.precision() == null) {
      for (int m = 0; m < mu.length; m++) {
        mu[m] = s.theta().row(m);
      }
      return;
    }
    double[][] shift = new double[mu.length][];
    for (int m = 0; m < mu.length; m++) {
      shift[m] = s.theta().row(m);
      for (int j = 0; j < shift[m].length; j++) {
        shift[m][j] *= s.precision().get(m, j);
      }
    }
    Rows precision = exchange.mix(s.precision());
    Rows mixed = exchange.mix(s.theta().of(shift));
    for (int m = 0; m < mu.length; m++) {
      for (int j = 0; j < mu[m].length; j++) {
        lambda[m][j] = precision.get(m, j);
        mu[m][j] = mixed.get(m, j) / lambda[m][j];
      }
    }
  }
}
