package ngd.core.model;

import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.linalg.RowScore;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * Negative binomial regression with the log link, for counts that vary more than Poisson's: the
 * variance at a mean μ is μ + μ² / theta.
 *
 * <p>{@code theta} is what R's {@code MASS::glm.nb} calls theta and others the size; as it grows
 * the family becomes Poisson's. The link is not the canonical one. Linear predictors above {@link
 * Poisson#CAP} count as that, and the loss continues along its tangent.
 *
 * @param estimated whether theta is to be found by maximum likelihood, as {@code glm.nb} does; it
 *     is then the present guess
 */
public record NegativeBinomial(double theta, boolean estimated) implements LogLink {
  public NegativeBinomial(double theta) {
    this(theta, false);
  }

  /** A family whose theta is not given but found with the coefficients. */
  public static NegativeBinomial estimated(double theta) {
    return new NegativeBinomial(theta, true);
  }

  public NegativeBinomial {
    if (!(theta > 0) || Double.isInfinite(theta)) {
      throw new InvalidInput(
          "dispersion: theta of the negative binomial family, whose variance is mean + mean² /"
              + " theta, must be a positive number; got "
              + theta);
    }
  }

  @Override
  public String name() {
    return "negative-binomial";
  }

  @Override
  public String family() {
    return estimated ? name() : name() + ":" + theta;
  }

  @Override
  public double variance(double mean) {
    return mean + mean * mean / theta;
  }

  @Override
  public double rowLoss(double eta, double y) {
    double over = Math.max(eta - Poisson.CAP, 0);
    double capped = eta - over;
    double loss = (y + theta) * Math.log1p(mean(capped) / theta) - y * capped;
    return over == 0 ? loss : loss + score(capped, y) * over;
  }

  @Override
  public double score(double eta, double y) {
    double mean = mean(eta);
    return (mean - y) / (1 + mean / theta);
  }

  @Override
  public double curvature(double eta, double y) {
    double ratio = mean(eta) / theta;
    return ratio / (1 + ratio) * ((y + theta) / (1 + ratio));
  }

  @Override
  public double information(double eta) {
    double mean = mean(eta);
    return mean / (1 + mean / theta);
  }

  @Override
  public double informationSlope(double eta) {
    double ratio = mean(eta) / theta;
    return information(eta) / (1 + ratio);
  }

  /** It falls on both sides of log theta. */
  @Override
  public double largestCurvature(double eta, double y, double reach) {
    return curvature(Math.clamp(Math.log(theta), eta - reach, eta + reach), y);
  }

  @Override
  public double least(double y) {
    return (y + theta) * Math.log1p(y / theta) - (y == 0 ? 0 : y * Math.log(y));
  }

  @Override
  public double rest(double y, double weight) {
    return weight
        * (y * Math.log(theta)
            + LogGamma.value(theta)
            + LogGamma.value(y + 1)
            - LogGamma.value(y + theta));
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
    return new Poisson()
        .objection(y, weight)
        .map(why -> why.replace("poisson", "negative-binomial"));
  }

  @Override
  public Objective over(Shards shards) {
    return new RowObjective(this, RowScore.NEGATIVE_BINOMIAL, theta, shards);
  }
}
