package ngd.core.model;

import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.linalg.RowScore;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;
import org.apache.commons.numbers.gamma.InverseErfc;

/**
 * Probit regression: minus twice the Bernoulli log-likelihood over n, the chance of a 1 being Φ(η).
 *
 * <p>All is written in the scaled complementary error function, which neither overflows nor loses
 * digits in a tail. With z = η for a 1 and −η for a 0, the row loss is −log Φ(z), its derivative by
 * z minus the inverse Mills ratio λ(z) = φ(z) / Φ(z), and its second derivative λ(z) (z + λ(z)).
 */
public record Probit() implements Glm {
  private static final double ROOT_HALF = Math.sqrt(0.5);
  private static final double TAIL = Math.sqrt(2 / Math.PI);

  @Override
  public String name() {
    return "probit";
  }

  @Override
  public String family() {
    return "binomial";
  }

  @Override
  public String link() {
    return "probit";
  }

  @Override
  public double mean(double eta) {
    return 0.5 * Erfc.value(-eta * ROOT_HALF);
  }

  @Override
  public double predictor(double mean) {
    return -InverseErfc.value(2 * mean) / ROOT_HALF;
  }

  @Override
  public double variance(double mean) {
    return mean * (1 - mean);
  }

  @Override
  public double rowLoss(double eta, double y) {
    return mixed(y, loss(eta), loss(-eta));
  }

  /** −log Φ(z). */
  private static double loss(double z) {
    double u = Math.abs(z) * ROOT_HALF;
    return z < 0
        ? u * u - Math.log(0.5 * Erfcx.value(u))
        : -Math.log1p(-0.5 * Math.exp(-u * u) * Erfcx.value(u));
  }

  /** What a share y of ones and the rest of zeros have together. */
  private static double mixed(double y, double ofOne, double ofZero) {
    return y == 1 ? ofOne : y == 0 ? ofZero : y * ofOne + (1 - y) * ofZero;
  }

  @Override
  public double score(double eta, double y) {
    return mixed(y, -ratio(eta), ratio(-eta));
  }

  @Override
  public double curvature(double eta, double y) {
    return mixed(y, bend(eta), bend(-eta));
  }

  private static double bend(double z) {
    double ratio = ratio(z);
    // Far in the tail z + λ(z) is about 1/|z|, and the difference of two large numbers is rounding.
    return z < -1e5 ? 1 : ratio * (z + ratio);
  }

  @Override
  public double information(double eta) {
    double close = ratio(Math.abs(eta));
    // Where the density underflows so does the product, whatever the other factor.
    return close == 0 ? 0 : close * ratio(-Math.abs(eta));
  }

  @Override
  public double informationSlope(double eta) {
    double information = information(eta);
    return information == 0 ? 0 : information * (ratio(-eta) - ratio(eta) - 2 * eta);
  }

  /** It falls as the predictor moves to the side of the response. */
  @Override
  public double largestCurvature(double eta, double y, double reach) {
    return mixed(y, bend(eta - reach), bend(-eta - reach));
  }

  /** λ(z). */
  private static double ratio(double z) {
    double u = Math.abs(z) * ROOT_HALF;
    double erfcx = Erfcx.value(u);
    if (z < 0) {
      return u > 1e100 ? -z : TAIL / erfcx;
    }
    double bell = Math.exp(-u * u);
    return 0.5 * TAIL * bell / (1 - 0.5 * bell * erfcx);
  }

  @Override
  public double least(double y) {
    return new Logistic().least(y);
  }

  @Override
  public double rest(double y, double weight) {
    return new Logistic().rest(y, weight);
  }

  @Override
  public double startingPredictor(double y) {
    return 1.4 * y - 0.7;
  }

  @Override
  public double against(double move, double y) {
    return new Logistic().against(move, y);
  }

  @Override
  public Optional<String> objection(double y, double weight) {
    return new Logistic().objection(y, weight);
  }

  @Override
  public Objective over(Shards shards) {
    // The kernel knows labels alone.
    return shards.allResponses(y -> y == 0 || y == 1)
        ? new RowObjective(this, RowScore.PROBIT, shards)
        : new ShardwiseObjective(this, shards);
  }
}
