package ngd.core.inference;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import ngd.core.world.World;

/**
 * Weights by the inverse probability of the treatment, from a logistic model that was itself
 * estimated, and what that adds to the covariance of the weighted outcome model.
 *
 * <p>The estimates of outcome β, treatment γ and, where weights are stabilised, the share π of the
 * treated solve Σ u = 0, Σ v = 0 and Σ (a − π) = 0 together, with u = ω s x the weighted score of a
 * row of the outcome and v that of the treatment. So a row's influence on β is, up to the outcome's
 * information on the left, u − D H⁻¹ v + d (a − π)/N, with D and d the derivatives of Σ u by γ and
 * π, and H the treatment's information (stacked estimating equations).
 */
public final class PropensityWeights {
  private final PooledEstimate treatment;
  private final Estimand estimand;
  private final boolean stabilised;
  private final double share;
  private final double[][] own;
  private final CovariateBalance balance;

  private PropensityWeights(
      PooledEstimate treatment,
      Estimand estimand,
      boolean stabilised,
      double share,
      double[][] own,
      CovariateBalance balance) {
    this.treatment = treatment;
    this.estimand = estimand;
    this.stabilised = stabilised;
    this.share = share;
    this.own = own;
    this.balance = balance;
  }

  static PropensityWeights of(
      PooledEstimate treatment,
      Shards treatments,
      Estimand estimand,
      boolean stabilised,
      World world) {
    double share =
        Pooled.total(world, m -> new double[] {sum(treatments.shard(m), (shard, i) -> shard.y(i))})[
                0]
            / treatment.rows();
    double[] theta = treatment.end().theta();
    double[][] own = new double[world.rows()][];
    Arrays.setAll(
        own,
        m ->
            treatment
                .world()
                .sums(
                    m,
                    shard -> {
                      double[] weights = predictors(shard, theta);
                      for (int i = 0; i < weights.length; i++) {
                        boolean treated = shard.y(i) > 0;
                        double part = stabilised ? (treated ? share : 1 - share) : 1;
                        weights[i] = part * estimand.weight(treated, weights[i]);
                      }
                      return weights;
                    }));
    return new PropensityWeights(
        treatment,
        estimand,
        stabilised,
        share,
        own,
        CovariateBalance.of(world, treatments, treatment.terms(), m -> own[m], estimand));
  }

  /** A number of one row. */
  @FunctionalInterface
  private interface OfRow {
    double at(Shard shard, int row);
  }

  private static double sum(Shard shard, OfRow term) {
    double sum = 0;
    for (int i = 0; i < shard.rows(); i++) {
      sum += term.at(shard, i);
    }
    return sum;
  }

  private static double[] predictors(Shard shard, double[] theta) {
    double[] x = new double[theta.length];
    double[] eta = new double[shard.rows()];
    for (int i = 0; i < eta.length; i++) {
      shard.row(i, x);
      eta[i] = Glm.dot(x, theta) + shard.offset(i);
    }
    return eta;
  }

  /** The weights of a client's rows, in their order; of the clients here. */
  double[] of(int client) {
    return own[client];
  }

  /** The treatment's model. */
  public PooledEstimate treatment() {
    return treatment;
  }

  public Estimand estimand() {
    return estimand;
  }

  public boolean stabilised() {
    return stabilised;
  }

  /** How far apart the treated and the others are, before and after weighting. */
  public CovariateBalance balance() {
    return balance;
  }

  /** The treatment's coefficients with model-based errors. */
  public List<Coefficient> coefficients() {
    return Inference.of(treatment, Inference.Options.STANDARD).coefficients();
  }

  /**
   * The lower triangle of the summed squares of the rows' influences, or of the sites' for {@link
   * Covariance#SITE}, in the coordinates of the outcome.
   */
  double[] squares(PooledEstimate outcome, Glm glm, Covariance kind) {
    double[] beta = outcome.end().theta();
    double[] gamma = treatment.end().theta();
    int p = beta.length;
    int q = gamma.length;
    double[] slopes =
        Pooled.total(outcome.world(), together(outcome, (y, a) -> slopes(y, a, glm, beta, gamma)));
    double[] information =
        Pooled.symmetric(
            Pooled.total(
                treatment.world(),
                m ->
                    CoefficientCovariance.terms(
                        treatment.world().curved().moments(m),
                        treatment.glm(),
                        gamma,
                        Covariance.MODEL)),
            0,
            q);
    double[] correction = new double[p * q];
    for (int j = 0; j < p; j++) {
      double[] solved =
          SymmetricMatrix.solve(information, q, Arrays.copyOfRange(slopes, j * q, (j + 1) * q))
              .orElseThrow(
                  () -> new ArithmeticException("the treatment's information is not definite"));
      System.arraycopy(solved, 0, correction, j * q, q);
    }
    double[] ofShare = new double[p];
    if (stabilised) {
      System.arraycopy(slopes, p * q, ofShare, 0, p);
    }
    return Pooled.total(
        outcome.world(),
        together(outcome, (y, a) -> influences(y, a, glm, beta, gamma, correction, ofShare, kind)));
  }

  /** What two shards of the same rows give. */
  @FunctionalInterface
  private interface OfBoth {
    double[] of(Shard outcome, Shard treatment);
  }

  private IntFunction<double[]> together(PooledEstimate outcome, OfBoth sums) {
    return m -> outcome.world().sums(m, y -> treatment.world().sums(m, a -> sums.of(y, a)));
  }

  /** D, row by row, and d where weights are stabilised. */
  private double[] slopes(Shard outcome, Shard a, Glm glm, double[] beta, double[] gamma) {
    int p = beta.length;
    int q = gamma.length;
    double[] sums = new double[p * q + (stabilised ? p : 0)];
    double[] eta = predictors(outcome, beta);
    double[] odds = predictors(a, gamma);
    double[] x = new double[p];
    double[] z = new double[q];
    for (int i = 0; i < eta.length; i++) {
      outcome.row(i, x);
      a.row(i, z);
      boolean treated = a.y(i) > 0;
      double score = glm.score(eta[i], outcome.y(i));
      double part = stabilised ? (treated ? share : 1 - share) : 1;
      double slope = part * estimand.slope(treated, odds[i]) * score;
      for (int j = 0; j < p; j++) {
        for (int k = 0; k < q; k++) {
          sums[j * q + k] = Math.fma(slope * x[j], z[k], sums[j * q + k]);
        }
      }
      if (stabilised) {
        double own = (treated ? 1 : -1) * estimand.weight(treated, odds[i]) * score;
        for (int j = 0; j < p; j++) {
          sums[p * q + j] = Math.fma(own, x[j], sums[p * q + j]);
        }
      }
    }
    return sums;
  }

  private double[] influences(
      Shard outcome,
      Shard a,
      Glm glm,
      double[] beta,
      double[] gamma,
      double[] correction,
      double[] ofShare,
      Covariance kind) {
    int p = beta.length;
    int q = gamma.length;
    double[] eta = predictors(outcome, beta);
    double[] odds = predictors(a, gamma);
    double[] x = new double[p];
    double[] z = new double[q];
    double[] influence = new double[p];
    double[] squares = new double[p * (p + 1) / 2];
    boolean bySite = kind == Covariance.SITE;
    for (int i = 0; i < eta.length; i++) {
      outcome.row(i, x);
      a.row(i, z);
      double score = outcome.weight(i) * glm.score(eta[i], outcome.y(i));
      double ofTreatment = treatment.glm().score(odds[i], a.y(i));
      double apart = (a.y(i) - share) / treatment.rows();
      for (int j = 0; j < p; j++) {
        double one = score * x[j] + ofShare[j] * apart;
        for (int k = 0; k < q; k++) {
          one = Math.fma(-correction[j * q + k] * ofTreatment, z[k], one);
        }
        influence[j] = bySite ? influence[j] + one : one;
      }
      if (!bySite) {
        addSquares(influence, squares);
      }
    }
    if (bySite) {
      addSquares(influence, squares);
    }
    return squares;
  }

  /** Adds the lower triangle of v vᵀ. */
  private static void addSquares(double[] vector, double[] triangle) {
    int at = 0;
    for (int i = 0; i < vector.length; i++) {
      for (int j = 0; j <= i; j++) {
        triangle[at] = Math.fma(vector[i], vector[j], triangle[at]);
        at++;
      }
    }
  }
}
