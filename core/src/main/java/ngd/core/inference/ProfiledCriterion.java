package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.linalg.Triangular;
import ngd.core.model.RandomEffectSums;
import ngd.core.world.World;

/**
 * Minus twice the log-likelihood of a linear mixed model, coefficients and residual variance at
 * their best, as a function of the relative covariance factors alone: the profiled deviance, or the
 * REML criterion.
 */
final class ProfiledCriterion extends MixedCriterion {
  private final World world;
  private final List<RandomEffectSums> sums;
  private final int features;
  private final int leading;
  private final double[] beta;
  private final double rows;
  private final boolean reml;

  /**
   * The criterion.
   *
   * @param sums of the clients that this process holds
   * @param features how many there are
   * @param leading how many of them have coefficients, the first ones
   * @param beta what was taken from the responses for each feature, also for those without
   * @param enough the distance, in standard errors of the factors, that may remain
   */
  ProfiledCriterion(
      World world,
      List<RandomEffectSums> sums,
      List<RandomPart> parts,
      int features,
      int leading,
      double[] beta,
      double rows,
      boolean reml,
      double enough) {
    super(parts, enough);
    this.world = world;
    this.sums = sums;
    this.features = features;
    this.leading = leading;
    this.beta = beta;
    this.rows = rows;
    this.reml = reml;
  }

  /**
   * The coefficients and the residual variance that are best at some factors.
   *
   * @param value the criterion, but for what features and weights add to it
   * @param delta the coefficients
   * @param residual Σ r², of which the residual variance is a share
   * @param information XᵀV⁻¹X
   * @param valid whether there are such
   */
  @SuppressWarnings("ArrayRecordComponent")
  private record Profile(
      double value, double[] delta, double residual, double[] information, boolean valid) {}

  @Override
  List<Double> multiples() {
    return List.of(1.0, 0.1, 0.3, 3.0, 10.0, 30.0, 100.0);
  }

  @Override
  double[] start(double[] factors) {
    return factors;
  }

  /** What all clients say at some factors, one after the other. */
  private double[] said(List<double[]> points, boolean slopes) {
    List<double[][]> factors = points.stream().map(this::factors).toList();
    return Pooled.bounded(
        world,
        m -> {
          List<double[]> all = new ArrayList<>();
          factors.forEach(one -> all.add(sums.get(m).at(one, slopes)));
          return Pooled.joined(all.toArray(double[][]::new));
        });
  }

  @Override
  double[] values(List<double[]> points) {
    double[] said = said(points, false);
    double[] values = new double[points.size()];
    Arrays.setAll(
        values,
        k -> {
          Profile found = profile(said, k * RandomEffectSums.block(features + 1));
          return found.valid() ? found.value() : Double.NaN;
        });
    return values;
  }

  @Override
  Optimum optimum(double[] theta) {
    Profile best = profile(said(List.of(theta), false), 0);
    double variance = best.residual() / freedom();
    double[] covariance =
        SymmetricMatrix.inverse(best.information(), leading)
            .orElseThrow(
                () -> new ArithmeticException("the pooled information is not positive definite"));
    for (int i = 0; i < covariance.length; i++) {
      covariance[i] *= variance;
    }
    return new Optimum(best.value(), best.delta(), covariance, variance);
  }

  private Profile profile(double[] said, int from) {
    int width = features + 1;
    double[] all = products(said, from + 1);
    double[] information = new double[leading * leading];
    double[] right = new double[leading];
    for (int i = 0; i < leading; i++) {
      System.arraycopy(all, i * width, information, i * leading, leading);
      right[i] = all[i * width + features];
    }
    Optional<double[]> lower =
        Pooled.within(said[from]) && Arrays.stream(all).allMatch(Pooled::within)
            ? SymmetricMatrix.cholesky(information, leading)
            : Optional.empty();
    if (lower.isEmpty()) {
      return new Profile(Double.NaN, right, Double.NaN, information, false);
    }
    double[] upper = transposed(lower.get());
    double[] half = Triangular.solveTransposed(upper, leading, right);
    double residual = all[width * width - 1];
    double determinant = 0;
    for (int i = 0; i < leading; i++) {
      residual = Math.fma(-half[i], half[i], residual);
      determinant += 2 * StrictMath.log(upper[i * (leading + 1)]);
    }
    double freedom = freedom();
    double value =
        said[from]
            + (reml ? determinant : 0)
            + freedom * (1 + StrictMath.log(2 * Math.PI * residual / freedom));
    return new Profile(
        value,
        Triangular.solve(upper, leading, half),
        residual,
        information,
        residual > 0 && Double.isFinite(value));
  }

  /**
   * A matrix of features and responses, to which is given back what was taken for the features that
   * have no coefficients.
   */
  private double[] products(double[] said, int from) {
    int width = features + 1;
    double[] all = Pooled.symmetric(said, from, width);
    for (int j = leading; j < features; j++) {
      for (int i = 0; i < width; i++) {
        all[i * width + features] =
            Math.fma(beta[j], all[i * width + j], all[i * width + features]);
      }
      for (int i = 0; i < width; i++) {
        all[features * width + i] =
            Math.fma(beta[j], all[j * width + i], all[features * width + i]);
      }
    }
    return all;
  }

  private double[] transposed(double[] lower) {
    double[] upper = new double[lower.length];
    for (int i = 0; i < leading; i++) {
      for (int j = 0; j < leading; j++) {
        upper[j * leading + i] = lower[i * leading + j];
      }
    }
    return upper;
  }

  /** n, or n − p where the coefficients are integrated out. */
  private double freedom() {
    return reml ? rows - leading : rows;
  }

  @Override
  double[][] slopes(List<double[]> points) {
    int n = points.getFirst().length;
    int length = (1 + n) * RandomEffectSums.block(features + 1);
    double[] said = said(points, true);
    double[][] slopes = new double[points.size()][];
    Arrays.setAll(slopes, k -> gradient(said, k * length, n));
    return slopes;
  }

  /** The criterion and its gradient. */
  private double[] gradient(double[] said, int from, int n) {
    Profile at = profile(said, from);
    double[] gradient = new double[1 + n];
    gradient[0] = at.value();
    if (!at.valid()) {
      Arrays.fill(gradient, Double.NaN);
      return gradient;
    }
    int width = features + 1;
    int block = RandomEffectSums.block(width);
    double[] inverse = SymmetricMatrix.inverse(at.information(), leading).orElseThrow();
    for (int j = 0; j < n; j++) {
      int start = from + (1 + j) * block;
      double[] slope = products(said, start + 1);
      double residual = slope[width * width - 1];
      double trace = 0;
      for (int a = 0; a < leading; a++) {
        residual -= 2 * at.delta()[a] * slope[a * width + features];
        for (int b = 0; b < leading; b++) {
          residual += at.delta()[a] * slope[a * width + b] * at.delta()[b];
          trace += inverse[a * leading + b] * slope[a * width + b];
        }
      }
      gradient[1 + j] = said[start] + (reml ? trace : 0) + freedom() * residual / at.residual();
    }
    return gradient;
  }
}
