package ngd.core.model;

import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.linalg.RowScore;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * Logistic regression: minus twice the Bernoulli log-likelihood over n, for responses 0 and 1.
 *
 * <p>All is written in e = exp(−|η|) ≤ 1, which cannot overflow.
 */
public record Logistic() implements Glm {
  @Override
  public String name() {
    return "logistic";
  }

  @Override
  public String family() {
    return "binomial";
  }

  @Override
  public String link() {
    return "logit";
  }

  @Override
  public double mean(double eta) {
    double e = Math.exp(-Math.abs(eta));
    return eta >= 0 ? 1 / (1 + e) : e / (1 + e);
  }

  @Override
  public double predictor(double mean) {
    return Math.log(mean / (1 - mean));
  }

  @Override
  public double variance(double mean) {
    return mean * (1 - mean);
  }

  @Override
  public double information(double eta) {
    double e = Math.exp(-Math.abs(eta));
    return e / ((1 + e) * (1 + e));
  }

  @Override
  public double informationSlope(double eta) {
    double e = Math.exp(-Math.abs(eta));
    // 1 − 2 mean, of which the sign is that of −η.
    return -Math.signum(eta) * e * (1 - e) / ((1 + e) * (1 + e) * (1 + e));
  }

  /** It falls on both sides of 0. */
  @Override
  public double largestCurvature(double eta, double y, double reach) {
    return information(Math.max(0, Math.abs(eta) - reach));
  }

  @Override
  public double rowLoss(double eta, double y) {
    return Math.log1p(Math.exp(-Math.abs(eta))) + Math.max(eta, 0) - y * eta;
  }

  @Override
  public void all(double eta, double y, double[] into) {
    double e = Math.exp(-Math.abs(eta));
    double mean = eta >= 0 ? 1 / (1 + e) : e / (1 + e);
    into[0] = Math.log1p(e) + Math.max(eta, 0) - y * eta;
    into[1] = mean - y;
    into[2] = e / ((1 + e) * (1 + e));
    into[3] = mean;
    into[4] = into[2];
  }

  @Override
  public double least(double y) {
    return y == 0 || y == 1 ? 0 : -y * Math.log(y) - (1 - y) * Math.log1p(-y);
  }

  /** The binomial coefficient: trials, which the weight counts, over successes. */
  @Override
  public double rest(double y, double weight) {
    if (y == 0 || y == 1) {
      return 0;
    }
    double trials = Math.rint(weight);
    double successes = Math.rint(weight * y);
    return LogGamma.value(successes + 1)
        + LogGamma.value(trials - successes + 1)
        - LogGamma.value(trials + 1);
  }

  @Override
  public double startingPredictor(double y) {
    return predictor(0.25 + 0.5 * y);
  }

  @Override
  public double against(double move, double y) {
    return y > 0 && y < 1 ? Math.abs(move) : y == 1 ? -move : move;
  }

  /** Shares are allowed where they are a whole number of successes among the weight's trials. */
  @Override
  public Optional<String> objection(double y, double weight) {
    if (y == 0 || y == 1) {
      return Optional.empty();
    }
    double successes = y * weight;
    boolean whole =
        Math.abs(successes - Math.rint(successes)) <= 1e-9 * Math.max(1, successes)
            && weight == Math.rint(weight);
    return y > 0 && y < 1 && whole
        ? Optional.empty()
        : Optional.of(
            "labels of the binomial family must be 0 or 1"
                + (y > 0 && y < 1
                    ? ", or cbind(successes, failures) of whole numbers, whose weights are whole too"
                    : ""));
  }

  @Override
  public Objective over(Shards shards) {
    return new RowObjective(this, RowScore.LOGISTIC, shards);
  }
}
