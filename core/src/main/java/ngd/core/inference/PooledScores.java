package ngd.core.inference;

import java.util.List;
import ngd.core.linalg.QuasiNewton;
import ngd.core.model.Glm;
import ngd.core.model.NoEstimate;

/**
 * The estimate by sums of losses and scores alone, for models of so many coefficients that sums of
 * their Hessians would be too large to send: L-BFGS, each point a total of p + 2 numbers.
 *
 * <p>It ends where every score is at most a stated share of its standard deviation √(φ H_jj), the
 * diagonal of the pooled Hessian being one more total of p numbers.
 */
final class PooledScores implements QuasiNewton.Function {
  private static final int MOST_STEPS = 5000;

  /** How often curvatures are asked for anew, since they change on the way. */
  private static final int MOST_LOOKS = 6;

  /** A pooled loss may seem to rise by this share for rounding alone. */
  private static final double ROUNDING = 1e-13;

  /** Where rounding stops the search, so much of a standard deviation may be left. */
  private static final double ROUNDED = 1e-4;

  private final SummedLikelihood likelihood;
  private final List<String> terms;
  private final Coordinates coordinates;
  private final double enough;

  PooledScores(
      SummedLikelihood likelihood, List<String> terms, Coordinates coordinates, double enough) {
    this.likelihood = likelihood;
    this.terms = terms;
    this.coordinates = coordinates;
    this.enough = enough;
  }

  @Override
  public SummedLikelihood.Scored at(double[] theta) {
    return likelihood.scored(theta);
  }

  @Override
  public double rounding(double value) {
    return ROUNDING * (1 + Math.abs(value));
  }

  /**
   * Takes steps until every score is small.
   *
   * @throws NoEstimate where the data separate, or where nothing helps any more
   */
  FitEnd from(double[] start) {
    SummedLikelihood.Scored here = at(start);
    double[] curvatures = likelihood.curvatures(start);
    double[] last = new double[start.length];
    int steps = 0;
    for (int look = 0; look < MOST_LOOKS; look++) {
      double[] now = curvatures;
      QuasiNewton.End end =
          QuasiNewton.from(
              here,
              this,
              point -> largest((SummedLikelihood.Scored) point, now) <= enough,
              MOST_STEPS);
      here = (SummedLikelihood.Scored) end.point();
      if (end.steps() > 1) {
        last = Penalty.sum(here.theta(), end.before().theta(), -1);
      }
      steps += end.steps() - 1;
      curvatures = likelihood.curvatures(here.theta());
      double left = largest(here, curvatures);
      boolean stuck = end.outcome() == QuasiNewton.Outcome.NO_PROGRESS && left <= ROUNDED;
      if (left <= enough || stuck) {
        requireAtRest(last);
        return new FitEnd(here.with(curvatures), left, 0, steps);
      }
      if (end.outcome() != QuasiNewton.Outcome.DONE) {
        break;
      }
    }
    requireAtRest(last);
    new PooledNewton(likelihood, terms, coordinates, enough)
        .requireNotSeparated(Penalty.sum(here.theta(), start, -1));
    throw new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "L-BFGS on sums of scores: made no more progress, a score is still %.3g of its standard deviation; do the data separate, are some covariates or responses on an extreme scale, or columns nearly redundant?"
            .formatted(largest(here, curvatures)));
  }

  /**
   * Where the likelihood increases without bound, scores vanish while predictors keep moving. Near
   * an estimate the last step moves none of them by much.
   */
  private void requireAtRest(double[] last) {
    Glm glm = likelihood.glm();
    if (glm.against(-1, 1) > 0 && glm.against(-1, 0) > 0) {
      return;
    }
    PooledNewton newton = new PooledNewton(likelihood, terms, coordinates, enough);
    double moving = newton.moving(last);
    if (moving > 0) {
      newton.requireNotSeparated(last);
      throw new NoEstimate(
          NoEstimate.Reason.SEPARATION,
          "no maximum-likelihood estimate was found: the linear predictors of some rows keep moving while the scores vanish; do the data separate, such as by a category in which the response is always the same?");
    }
  }

  /** The largest score in units of its standard deviation. */
  private double largest(SummedLikelihood.Scored at, double[] curvatures) {
    double dispersion = likelihood.dispersion(at.theta(), at.pearson());
    double most = 0;
    for (int j = 0; j < curvatures.length; j++) {
      double score = Math.abs(at.gradient()[j]);
      // Where there is no curvature the score has no unit, and must be zero.
      double share = score == 0 ? 0 : score / Math.sqrt(curvatures[j] * dispersion);
      most = share <= most ? most : share;
    }
    return Double.isNaN(most) ? Double.POSITIVE_INFINITY : most;
  }
}
