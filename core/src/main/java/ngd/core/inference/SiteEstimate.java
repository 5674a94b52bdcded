package ngd.core.inference;

import java.util.Optional;
import ngd.core.algorithm.Moments;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;

/** What one client's rows alone say of the coefficients, with model-based variances. */
final class SiteEstimate {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(100, 40);

  /** The decrement of minus a row's log-likelihood below which nothing is left but rounding. */
  private static final double ENOUGH = 1e-22;

  /** Information below this share of the largest is none: the rows do not determine it. */
  private static final double UNDETERMINED = 1e-9;

  private final double[] values;
  private final double[] covariance;

  private SiteEstimate(double[] values, double[] covariance) {
    this.values = values;
    this.covariance = covariance;
  }

  double value(int coefficient) {
    return values[coefficient];
  }

  double variance(int coefficient) {
    return covariance[coefficient * (values.length + 1)];
  }

  /**
   * How far a point is from the estimate: the squared distance in the metric of the inverse
   * covariance; infinite where the point is not finite.
   */
  double squaredDistance(double[] point) {
    double[] apart = new double[values.length];
    for (int j = 0; j < apart.length; j++) {
      apart[j] = point[j] - values[j];
      if (!Double.isFinite(apart[j])) {
        return Double.POSITIVE_INFINITY;
      }
    }
    double[] solved =
        SymmetricMatrix.solve(covariance, apart.length, apart)
            .orElseThrow(() -> new ArithmeticException("a covariance is not positive definite"));
    double square = 0;
    for (int j = 0; j < apart.length; j++) {
      square = Math.fma(apart[j], solved[j], square);
    }
    return Double.isNaN(square) ? Double.POSITIVE_INFINITY : square;
  }

  /**
   * That of a client, by Newton steps from the pooled estimate; none where its rows determine none,
   * or are too few to be told of.
   *
   * @param density the most coefficients for each row
   */
  static Optional<SiteEstimate> of(PooledEstimate pooled, Glm glm, int client, double density) {
    return alone(pooled.world().curved().moments(client), glm, pooled.end().theta(), density)
        .map(
            own ->
                new SiteEstimate(
                    pooled.coordinates().back(own.values),
                    pooled.coordinates().covariance(own.covariance)));
  }

  /** The same from rows alone, by Newton steps from any point, in the coordinates of the rows. */
  static Optional<SiteEstimate> alone(Moments own, Glm glm, double[] start, double density) {
    int p = start.length;
    double counted = own.sums(new double[p], (eta, y, offset, w) -> w > 0 ? 1 : 0)[0];
    if (counted <= p || p > density * counted) {
      return Optional.empty();
    }
    Place first = new Place(own, start);
    if (!first.usable()) {
      return Optional.empty();
    }
    DampedNewton.End<Place> end = DampedNewton.from(first, new Steps(own), LIMITS);
    double[] theta = end.point().theta();
    if (end.outcome() == DampedNewton.Outcome.OUT_OF_STEPS || end.point().decrement() > 1e-12) {
      return Optional.empty();
    }
    double[] information =
        own.squares(theta, (eta, y, offset, w) -> w == 0 ? 0 : w * glm.information(eta));
    double least = SymmetricMatrix.smallestEigenvalue(information, p);
    if (!(least > UNDETERMINED * SymmetricMatrix.largestEigenvalue(information, p))) {
      return Optional.empty();
    }
    double pearson =
        own.sums(
                theta,
                (eta, y, offset, w) -> {
                  double left = y - glm.mean(eta);
                  return w == 0 ? 0 : w * left * left / glm.variance(glm.mean(eta));
                })[0];
    double dispersion = glm.dispersed() ? pearson / (counted - p) : 1;
    double[] covariance = SymmetricMatrix.inverse(information, p).orElseThrow();
    for (int i = 0; i < covariance.length; i++) {
      covariance[i] *= dispersion;
    }
    return dispersion > 0 ? Optional.of(new SiteEstimate(theta, covariance)) : Optional.empty();
  }

  /** A point with the quadratic model of a client's loss. */
  private static final class Place implements DampedNewton.Point {
    private final double[] theta;
    private final double[] move;
    private final double decrement;
    private final double value;

    Place(Moments own, double[] theta) {
      this.theta = theta;
      value = own.value(theta);
      double[] slope = own.gradient(theta);
      double[] against = new double[theta.length];
      for (int j = 0; j < against.length; j++) {
        against[j] = -slope[j];
      }
      Optional<double[]> solved = SymmetricMatrix.solve(own.hessian(theta), theta.length, against);
      move = solved.orElse(new double[theta.length]);
      double sum = solved.isPresent() ? 0 : Double.POSITIVE_INFINITY;
      for (int j = 0; j < against.length && solved.isPresent(); j++) {
        sum = Math.fma(against[j], move[j], sum);
      }
      decrement = sum;
    }

    @Override
    public double[] theta() {
      return theta;
    }

    @Override
    public double[] move() {
      return move;
    }

    @Override
    public boolean usable() {
      return Double.isFinite(value) && Double.isFinite(decrement);
    }

    double decrement() {
      return decrement;
    }
  }

  private record Steps(Moments own) implements DampedNewton.Rules<Place> {
    @Override
    public double value(double[] theta) {
      return own.value(theta);
    }

    @Override
    public Place at(double[] theta, double value) {
      return new Place(own, theta);
    }

    @Override
    public double ceiling(Place here, double share) {
      return here.value + 1e-14 * (1 + Math.abs(here.value));
    }

    @Override
    public boolean done(Place here) {
      return here.decrement() <= ENOUGH;
    }
  }
}
