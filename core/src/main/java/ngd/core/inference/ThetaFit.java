package ngd.core.inference;

import ngd.core.algorithm.Moments;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.NoEstimate;
import ngd.core.model.Poisson;
import ngd.core.world.World;
import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.numbers.gamma.Trigamma;

/**
 * Theta of negative binomial counts by maximum likelihood together with the coefficients, as {@code
 * MASS::glm.nb}: coefficients at a theta and theta at coefficients by turns, each by totals, until
 * neither moves by more than the share of its standard error that may remain.
 *
 * <p>Turns are few: the expected information has no entry for a coefficient and theta.
 */
final class ThetaFit {
  private static final int MOST_TURNS = 100;
  private static final int MOST_STEPS = 200;

  /** Counts that vary no more than Poisson's send theta beyond this many times their mean. */
  private static final double NO_MORE_THAN_POISSON = 1e6;

  /**
   * Theta at some coefficients.
   *
   * @param error its standard error, the coefficients taken as they are, as {@code theta.ml} has it
   */
  record Theta(double value, double error) {}

  /** Finds the coefficients of a model from a point. */
  interface Coefficients {
    PooledEstimate at(NegativeBinomial counts, double[] start);
  }

  private ThetaFit() {}

  /**
   * The estimate with its theta.
   *
   * @param first the estimate under Poisson's variance, where the turns begin
   * @param share the share of a standard error that may remain
   */
  static PooledEstimate from(PooledEstimate first, Coefficients coefficients, double share) {
    double[] point = first.end().theta();
    double theta = find(first.world(), point, 0, share, first.size()).value();
    int steps = first.steps();
    for (int turn = 0; turn < MOST_TURNS; turn++) {
      PooledEstimate estimate = coefficients.at(NegativeBinomial.estimated(theta), point);
      steps += estimate.steps();
      point = estimate.end().theta();
      Theta next = find(estimate.world(), point, theta, share, estimate.size());
      if (Math.abs(next.value() - theta) <= share * next.error()) {
        return estimate.withTheta(next.error(), steps);
      }
      theta = next.value();
    }
    throw new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "theta of the negative binomial family: it and the coefficients made no more progress in %d turns"
            .formatted(MOST_TURNS));
  }

  /**
   * The root of theta's score at given coefficients: Newton steps in its logarithm, halved into the
   * bracket that the score's signs make.
   *
   * @param start a guess; 0 for that of moments
   */
  private static Theta find(World world, double[] point, double start, double share, Size size) {
    double theta = start;
    double mean = 0;
    if (start == 0) {
      double[] sums =
          Pooled.bounded(
              world,
              m ->
                  world
                      .curved()
                      .moments(m)
                      .sums(
                          point,
                          (eta, y, offset, w) -> {
                            double off = y / mean(eta) - 1;
                            return w == 0 ? 0 : w * off * off;
                          },
                          (eta, y, offset, w) -> w * y));
      mean = sums[1] / size.weight();
      theta = size.weight() / sums[0];
    }
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] slopes = slopes(world, point, theta);
      double score = slopes[0];
      double information = slopes[1];
      if (information > 0 && Math.abs(score) <= 0.01 * share * Math.sqrt(information)) {
        return new Theta(theta, 1 / Math.sqrt(information));
      }
      if (score > 0) {
        low = theta;
      } else {
        high = theta;
      }
      // By τ = log theta: −d²ℓ/dτ² = theta² information − theta score.
      double bend = theta * theta * information - theta * score;
      double move = bend > 0 ? theta * score / bend : Math.signum(score) * Math.log(4);
      double next = theta * Math.exp(Math.clamp(move, -Math.log(16), Math.log(16)));
      if (!(next > low && next < high)) {
        next = Double.isInfinite(high) ? 4 * theta : low == 0 ? theta / 4 : Math.sqrt(low * high);
      }
      if (next == theta) {
        return new Theta(theta, 1 / Math.sqrt(information));
      }
      theta = next;
      if (theta > NO_MORE_THAN_POISSON * Math.max(1, mean)) {
        throw new NoEstimate(
            NoEstimate.Reason.SEPARATION,
            "no estimate of theta exists: the counts vary no more than Poisson's, and the likelihood"
                + " grows with theta; use --family poisson");
      }
    }
    throw new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "theta of the negative binomial family: Newton's method made no more progress at " + theta);
  }

  private static double mean(double eta) {
    return new Poisson().mean(eta);
  }

  /** The derivative of the log-likelihood by theta, and minus its second one: a total of two. */
  private static double[] slopes(World world, double[] point, double theta) {
    double digamma = Digamma.value(theta);
    double trigamma = Trigamma.value(theta);
    Moments.RowTerm score =
        (eta, y, offset, w) -> {
          double all = mean(eta) + theta;
          return w == 0
              ? 0
              : w
                  * (Digamma.value(theta + y)
                      - digamma
                      + Math.log(theta / all)
                      + 1
                      - (y + theta) / all);
        };
    Moments.RowTerm information =
        (eta, y, offset, w) -> {
          double all = mean(eta) + theta;
          return w == 0
              ? 0
              : w
                  * (trigamma
                      - Trigamma.value(theta + y)
                      - 1 / theta
                      + 2 / all
                      - (y + theta) / (all * all));
        };
    return Pooled.bounded(world, m -> world.curved().moments(m).sums(point, score, information));
  }
}
