package ngd.core.model;

/**
 * A loss that stands in the place of a likelihood, whose minimiser is asymptotically normal with a
 * sandwich covariance (Huber 1967): Huber's, and the smoothed check loss of a quantile. A linear
 * predictor is what it estimates: the centre of the response, or its quantile.
 */
public sealed interface MEstimator extends Regression, ClampedLoss permits Huber, SmoothedQuantile {
  @Override
  default double factor() {
    return 1;
  }

  @Override
  default String family() {
    return name();
  }

  @Override
  default String link() {
    return "identity";
  }

  @Override
  default double mean(double eta) {
    return eta;
  }

  @Override
  default double centre(double y) {
    return y;
  }

  /** The same with the quadratic part this many times as wide: nearer to least squares. */
  MEstimator widened(double factor);

  /** How far from its centre a row may be and still have a curvature. */
  double reach();
}
