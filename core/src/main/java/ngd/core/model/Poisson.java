package ngd.core.model;

import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.linalg.RowScore;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * Poisson regression with the log link: minus twice the log-likelihood over n, without log y!.
 *
 * <p>Linear predictors above {@link #CAP} count as that, so that nothing overflows: there the mean
 * and the variance stay at exp(CAP), and the loss continues along its tangent, convex still.
 */
public record Poisson() implements LogLink {
  /** The largest linear predictor whose exponential is taken; exp(500) is about 1.4e217. */
  public static final double CAP = 500;

  @Override
  public String name() {
    return "poisson";
  }

  @Override
  public double variance(double mean) {
    return mean;
  }

  @Override
  public double information(double eta) {
    return mean(eta);
  }

  @Override
  public double informationSlope(double eta) {
    return mean(eta);
  }

  @Override
  public double largestCurvature(double eta, double y, double reach) {
    return mean(eta + reach);
  }

  @Override
  public double rowLoss(double eta, double y) {
    return mean(eta) * (1 + Math.max(eta - CAP, 0)) - y * eta;
  }

  @Override
  public void all(double eta, double y, double[] into) {
    double mean = mean(eta);
    into[0] = mean * (1 + Math.max(eta - CAP, 0)) - y * eta;
    into[1] = mean - y;
    into[2] = mean;
    into[3] = mean;
    into[4] = mean;
  }

  @Override
  public double least(double y) {
    return y == 0 ? 0 : y - y * Math.log(y);
  }

  @Override
  public double rest(double y, double weight) {
    return weight * LogGamma.value(y + 1);
  }

  @Override
  public double startingPredictor(double y) {
    return Math.log(y + 0.1);
  }

  @Override
  public double against(double move, double y) {
    return y > 0 ? Math.abs(move) : move;
  }

  @Override
  public Optional<String> objection(double y, double weight) {
    if (y < 0) {
      return Optional.of("counts of the poisson family must not be negative");
    }
    return y == Math.rint(y)
        ? Optional.empty()
        : Optional.of("counts of the poisson family must be whole numbers");
  }

  @Override
  public Objective over(Shards shards) {
    return new RowObjective(this, RowScore.EXPONENTIAL, shards);
  }
}
