package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.NoEstimate;
import ngd.core.model.RandomEffectLikelihood;
import ngd.core.world.World;

/**
 * Minus twice the log-likelihood of a generalised linear mixed model, the random effects integrated
 * out by each client, as a function of the relative covariance factors and, after them, the
 * coefficients.
 */
final class IntegratedCriterion extends MixedCriterion {
  /** Gradients on both sides at this distance give Hessians of about nine digits. */
  private static final double DIFFERENCE = 1e-4;

  /** Curvature below this share of the largest is none. */
  private static final double FLAT = 1e-7;

  /** The largest standard deviation of effects, by which they would decide every response. */
  private static final double LARGEST = 30;

  private final World world;
  private final List<RandomEffectLikelihood> clients;
  private final List<RandomPart> parts;
  private final double[] beta;

  /**
   * The criterion.
   *
   * @param clients those that this process holds
   * @param beta the coefficients to start from; as many are estimated, those of the first features
   * @param enough the distance, in standard errors of the parameters, that may remain
   */
  IntegratedCriterion(
      World world,
      List<RandomEffectLikelihood> clients,
      List<RandomPart> parts,
      double[] beta,
      double enough) {
    super(parts, enough);
    this.world = world;
    this.clients = clients;
    this.parts = parts;
    this.beta = beta;
  }

  @Override
  List<Double> multiples() {
    return List.of(1.0, 0.1, 0.3, 3.0);
  }

  @Override
  double[] start(double[] factors) {
    return Pooled.joined(factors, beta);
  }

  private double[] said(List<double[]> points, boolean slopes) {
    List<RandomEffectLikelihood.Point> at = new ArrayList<>();
    for (double[] point : points) {
      at.add(new RandomEffectLikelihood.Point(factors(point), coefficients(point)));
    }
    return Pooled.bounded(world, m -> clients.get(m).at(at, slopes));
  }

  private double[] coefficients(double[] point) {
    return Arrays.copyOfRange(point, point.length - beta.length, point.length);
  }

  @Override
  double[] values(List<double[]> points) {
    double[] values = said(points, false);
    for (int k = 0; k < values.length; k++) {
      values[k] = Pooled.within(values[k]) ? values[k] : Double.NaN;
    }
    return values;
  }

  @Override
  double[][] slopes(List<double[]> points) {
    requireBounded(points.getFirst());
    double[] said = said(points, true);
    int length = said.length / points.size();
    double[][] slopes = new double[points.size()][];
    Arrays.setAll(slopes, k -> Arrays.copyOfRange(said, k * length, (k + 1) * length));
    return slopes;
  }

  /** Refuses variances that grow on, as where each group's responses are all alike. */
  private void requireBounded(double[] point) {
    double[][] factors = factors(point);
    for (int k = 0; k < factors.length; k++) {
      for (double entry : factors[k]) {
        if (Math.abs(entry) > LARGEST) {
          throw new NoEstimate(
              NoEstimate.Reason.SEPARATION,
              "random term of %s: the standard deviation of its effects must be at most %.0f on the scale of the linear predictor, beyond which they decide every response; the likelihood still increases there; are the responses of nearly every group all alike?"
                  .formatted(parts.get(k).group(), LARGEST));
        }
      }
    }
  }

  /**
   * The Hessian by all parameters, inverted, has the covariance of the coefficients, as for {@code
   * vcov(use.hessian = TRUE)}. Along what a variance of 0 leaves undetermined nothing changes.
   */
  @Override
  Optimum optimum(double[] parameters) {
    int n = parameters.length;
    List<double[]> points = new ArrayList<>(around(parameters, DIFFERENCE));
    points.addAll(around(parameters, -DIFFERENCE).subList(1, n + 1));
    double[][] found = slopes(points);
    double[] hessian = new double[n * n];
    for (int j = 0; j < n; j++) {
      addSlope(hessian, j, gradient(found[1 + j]), gradient(found[1 + n + j]), 2 * DIFFERENCE);
    }
    if (!Arrays.stream(hessian).allMatch(Pooled::within)) {
      throw new NoEstimate(
          NoEstimate.Reason.NOT_CONVERGED,
          "the likelihood: must be a number around the estimate; it is not, so that there are no"
              + " standard errors");
    }
    SymmetricMatrix.Spectrum spectrum = SymmetricMatrix.spectrum(hessian, n);
    int from = n - beta.length;
    double[] covariance = new double[beta.length * beta.length];
    for (int k = 0; k < n; k++) {
      if (spectrum.value(k) <= FLAT * spectrum.value(n - 1)) {
        continue;
      }
      for (int i = 0; i < beta.length; i++) {
        for (int j = 0; j < beta.length; j++) {
          covariance[i * beta.length + j] +=
              2 * spectrum.vector(k, from + i) * spectrum.vector(k, from + j) / spectrum.value(k);
        }
      }
    }
    return new Optimum(found[0][0], coefficients(parameters), covariance, 1);
  }
}
