package ngd.core.model;

import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.linalg.RowScore;

/**
 * Gamma regression with the log link, for positive responses: minus twice the log-likelihood over n
 * at dispersion 1, without the terms in y alone.
 *
 * <p>The link is not the canonical one: the expected curvature is 1 everywhere, the observed one y
 * exp(−η). Linear predictors below −{@link Poisson#CAP} count as that, so that nothing overflows,
 * and the loss continues along its tangent.
 */
public record Gamma() implements LogLink {
  @Override
  public String name() {
    return "gamma";
  }

  @Override
  public double variance(double mean) {
    return mean * mean;
  }

  /** The squares of legal responses may be no numbers; those of relative residuals are. */
  @Override
  public double pearson(double mean, double y) {
    double relative = (y - mean) / mean;
    return relative * relative;
  }

  @Override
  public double rowLoss(double eta, double y) {
    return y * inverse(eta) * (1 + Math.max(-eta - Poisson.CAP, 0)) + eta;
  }

  @Override
  public double score(double eta, double y) {
    return 1 - y * inverse(eta);
  }

  @Override
  public double curvature(double eta, double y) {
    return y * inverse(eta);
  }

  @Override
  public double information(double eta) {
    return 1;
  }

  @Override
  public double informationSlope(double eta) {
    return 0;
  }

  @Override
  public double largestCurvature(double eta, double y, double reach) {
    return curvature(eta - reach, y);
  }

  /** 1 / mean. */
  private static double inverse(double eta) {
    return Math.exp(Math.min(-eta, Poisson.CAP));
  }

  @Override
  public double least(double y) {
    return 1 + Math.log(y);
  }

  @Override
  public double startingPredictor(double y) {
    return Math.log(y);
  }

  @Override
  public double against(double move, double y) {
    return Math.abs(move);
  }

  @Override
  public boolean dispersed() {
    return true;
  }

  @Override
  public Optional<String> objection(double y, double weight) {
    return y > 0 ? Optional.empty() : Optional.of("responses of the gamma family must be positive");
  }

  @Override
  public Objective over(Shards shards) {
    return new RowObjective(this, RowScore.GAMMA, shards);
  }
}
