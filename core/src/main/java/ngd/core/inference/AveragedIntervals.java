package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Averaged;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.IntervalChoice;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shard;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Loss;
import ngd.core.world.World;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Intervals from the mean over rounds of decentralized SGD, one for all clients (docs/theory.md,
 * 11; Gu and Chen 2024). Client m counts with π_m in what all come to, and scales its gradients by
 * c_m: with w_m = π_m c_m, √n times the error of the average of n rounds is normal in the limit,
 * with covariance H⁻¹ S H⁻¹, H = Σ w_m H_m and S = Σ w_m² S_m / b, S_m the covariance of a row's
 * gradient and b the rows of a batch.
 *
 * @param rounds n, the rounds that count
 * @param critical how many standard errors an interval reaches
 */
public record AveragedIntervals(
    IntervalChoice.Kind kind,
    int rounds,
    int skipped,
    double level,
    double critical,
    List<Coefficient> coefficients,
    Covariances covariance) {
  public AveragedIntervals {
    coefficients = List.copyOf(coefficients);
  }

  /** The matrix V / n, p × p: the covariance of the estimates, or their random scale. */
  public record Covariances(int terms, List<Double> entries) {
    public Covariances {
      entries = List.copyOf(entries);
    }

    /** Row by row. */
    public List<List<Double>> rows() {
      List<List<Double>> rows = new ArrayList<>();
      for (int i = 0; i < terms; i++) {
        rows.add(entries.subList(i * terms, (i + 1) * terms));
      }
      return List.copyOf(rows);
    }
  }

  /**
   * How the clients here count, a number for each row.
   *
   * @param pi π_m, how much a client counts in what all come to
   * @param scales c_m, by which it scales its gradients
   */
  public record Shares(List<Double> pi, GradientScales scales) {
    public Shares {
      pi = List.copyOf(pi);
    }

    private double weight(int row) {
      return pi.get(row) * scales.of(row);
    }
  }

  /** What was asked for: these intervals of a method on mini-batches. */
  public record Settings(
      IntervalChoice choice, int rounds, int batch, double level, List<String> terms) {
    public Settings {
      terms = List.copyOf(terms);
      if (!(level > 0 && level < 1)) {
        throw new InvalidInput(
            "level: the intervals' coverage must lie between 0 and 1, such as 0.95; got " + level);
      }
    }

    /**
     * Refuses a run that would use rows again: the theory is of rows that are new in every round.
     * Of the clients with too few rows only their number is told.
     *
     * @param perRow the rows of data of each client here
     */
    public void requireNewRows(Totals totals, int[] perRow) {
      long needed = Math.multiplyExact((long) rounds, batch);
      double[][] few = new double[perRow.length][1];
      for (int m = 0; m < few.length; m++) {
        few[m][0] = perRow[m] < needed ? 1 : 0;
      }
      double count = totals.total(few)[0];
      if (count > 0) {
        throw new InvalidInput(
            "intervals: every round needs new rows, so a client must have at least rounds x batch = %d; %.0f have fewer; use fewer rounds or a smaller --batch, or a pooled fit"
                .formatted(needed, count));
      }
    }
  }

  /** The intervals of a run that is done; a client's part is its rows' alone. */
  public static AveragedIntervals of(
      World world, Averaged.State<?> state, Loss loss, Shares shares, Settings asked) {
    int p = state.theta().width();
    double[] centre;
    double[] covariance;
    if (asked.choice().kind() == IntervalChoice.Kind.RANDOM_SCALING) {
      double[] sums =
          Pooled.total(
              world,
              m ->
                  times(
                      shares.pi().get(m),
                      Pooled.joined(state.theta().row(m), Pooled.triangle(state.scale(m), p))));
      centre = Arrays.copyOf(sums, p);
      covariance = Pooled.symmetric(sums, p, p);
    } else {
      centre = Pooled.total(world, m -> times(shares.pi().get(m), state.theta().row(m)));
      covariance = sandwich(world, loss, shares, asked.batch(), centre);
    }
    for (int i = 0; i < covariance.length; i++) {
      covariance[i] /= state.counted();
    }
    return lines(asked, state.counted(), centre, covariance);
  }

  /** H⁻¹ S H⁻¹ at a point. */
  private static double[] sandwich(
      World world, Loss loss, Shares shares, int batch, double[] theta) {
    int p = theta.length;
    double[] sums =
        Pooled.total(
            world,
            m -> {
              double weight = shares.weight(m);
              double[] hessian = world.curved().moments(m).hessian(theta);
              double[] score = scoreCovariance(world, m, loss, theta);
              return Pooled.joined(
                  times(weight, Pooled.triangle(hessian, p)),
                  times(weight * weight / batch, Pooled.triangle(score, p)));
            });
    return sandwich(Pooled.symmetric(sums, 0, p), Pooled.symmetric(sums, p * (p + 1) / 2, p), p);
  }

  /** H⁻¹ S H⁻¹. */
  static double[] sandwich(double[] hessian, double[] meat, int p) {
    double[] bread =
        SymmetricMatrix.inverse(hessian, p)
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "intervals: the pooled Hessian at the average must be positive definite; it"
                            + " is not, so the data do not determine all coefficients there"));
    return CoefficientCovariance.product(CoefficientCovariance.product(bread, meat, p), bread, p);
  }

  /** The covariance of the gradient of one row of a client. */
  private static double[] scoreCovariance(World world, int client, Loss loss, double[] theta) {
    int p = theta.length;
    double[] sums = world.rowSums(client, rows -> scores(rows, loss, theta));
    double n = world.local().rows(client);
    double[] covariance = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j <= i; j++) {
        covariance[i * p + j] = sums[i * p + j] / n - sums[p * p + i] / n * (sums[p * p + j] / n);
        covariance[j * p + i] = covariance[i * p + j];
      }
    }
    return covariance;
  }

  /** Σ g gᵀ, its lower triangle, and Σ g over rows. */
  private static double[] scores(Shard rows, Loss loss, double[] theta) {
    int p = theta.length;
    double[] sums = new double[p * p + p];
    double[] gradient = new double[p];
    for (int i = 0; i < rows.rows(); i++) {
      loss.gradient(rows.take(new int[] {i}, 0, 1), theta, gradient);
      SymmetricMatrix.addSquare(sums, p, 1, gradient);
      for (int j = 0; j < p; j++) {
        sums[p * p + j] += gradient[j];
      }
    }
    return sums;
  }

  static AveragedIntervals lines(
      Settings asked, int counted, double[] centre, double[] covariance) {
    boolean scaled = asked.choice().kind() == IntervalChoice.Kind.RANDOM_SCALING;
    NormalDistribution normal = NormalDistribution.of(0, 1);
    double critical =
        scaled
            ? RandomScalingLaw.critical(1 - asked.level())
            : normal.inverseSurvivalProbability((1 - asked.level()) / 2);
    int p = centre.length;
    List<Coefficient> lines = new ArrayList<>();
    for (int j = 0; j < p; j++) {
      double error = Math.sqrt(covariance[j * p + j]);
      double statistic = centre[j] / error;
      double chance =
          scaled
              ? RandomScalingLaw.beyond(Math.abs(statistic))
              : Math.min(1, 2 * normal.survivalProbability(Math.abs(statistic)));
      lines.add(
          new Coefficient(
              asked.terms().get(j),
              centre[j],
              error,
              statistic,
              chance,
              centre[j] - critical * error,
              centre[j] + critical * error));
    }
    return new AveragedIntervals(
        asked.choice().kind(),
        counted,
        asked.choice().skipped(asked.rounds()),
        asked.level(),
        critical,
        lines,
        new Covariances(p, Arrays.stream(covariance).boxed().toList()));
  }

  private static double[] times(double factor, double[] vector) {
    double[] product = vector.clone();
    for (int i = 0; i < product.length; i++) {
      product[i] *= factor;
    }
    return product;
  }
}
