package ngd.core.inference;

import java.util.List;
import java.util.function.IntFunction;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Moments;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Cox;
import ngd.core.model.Glm;
import ngd.core.model.MEstimator;
import ngd.core.model.OwnRiskSets;
import ngd.core.model.PredictorLoss;
import ngd.core.model.RiskSet;
import ngd.core.world.World;

/**
 * The covariance of the coefficients: what a site adds to the total that it is made of, and how.
 *
 * <p>The inverse of the pooled expected information, times the dispersion; or, robust, that inverse
 * on both sides of the summed squares of scores, of rows or of sites.
 */
final class CoefficientCovariance {
  private CoefficientCovariance() {}

  /** A site's part: its expected information, and its squared scores where they are needed. */
  static double[] terms(Moments own, Glm glm, double[] theta, Covariance kind) {
    int p = theta.length;
    double[] information =
        Pooled.triangle(own.squares(theta, (eta, y, offset, w) -> w * glm.information(eta)), p);
    return switch (kind) {
      case MODEL -> information;
      case HC0, HC1 -> Pooled.joined(information, Pooled.triangle(rowScores(own, glm, theta), p));
      case SITE -> Pooled.joined(information, Pooled.triangle(siteScore(own, glm, theta), p));
    };
  }

  /**
   * The same of a loss that is no likelihood: the sum of the rows' curvatures as they are, since no
   * distribution says what to expect of them.
   */
  static double[] terms(Moments own, MEstimator robust, double[] theta, Covariance kind) {
    int p = theta.length;
    double[] curvature = own.squares(theta, (eta, y, offset, w) -> w * robust.curvature(eta, y));
    double[] squares =
        kind == Covariance.SITE ? siteScore(own, robust, theta) : rowScores(own, robust, theta);
    return Pooled.joined(Pooled.triangle(curvature, p), Pooled.triangle(squares, p));
  }

  /**
   * The same of a Cox model, over all sites: the information is known from the last step; squared
   * scores are those of residuals, since no row's term of the likelihood is its own.
   */
  static double[] terms(PooledEstimate estimate, Cox cox, Covariance kind) {
    int p = estimate.terms().size();
    World world = estimate.world();
    double[] theta = estimate.end().theta();
    double[] information = Pooled.triangle(estimate.end().at().hessian(), p);
    if (kind == Covariance.MODEL) {
      return information;
    }
    IntFunction<double[]> squares =
        estimate.likelihood() instanceof GridLikelihood grid
            ? ofGrid(grid, theta, kind)
            : m -> {
              OwnRiskSets own = OwnRiskSets.of(world.shards(), m);
              return kind == Covariance.SITE
                  ? outer(own.likelihood(cox.ties(), theta, 1), 1, p)
                  : own.squares(cox.ties(), theta);
            };
    return Pooled.joined(information, Pooled.total(world, squares));
  }

  private static IntFunction<double[]> ofGrid(
      GridLikelihood grid, double[] theta, Covariance kind) {
    World world = grid.world();
    List<RiskSet> sets = grid.riskSets(theta, 1);
    return kind == Covariance.SITE
        ? m ->
            outer(world.rowSums(m, rows -> grid.sets().score(rows, theta, sets)), 0, theta.length)
        : m -> world.rowSums(m, rows -> grid.sets().squares(rows, theta, sets));
  }

  /** The lower triangle of v vᵀ. */
  private static double[] outer(double[] vector, int from, int p) {
    double[] triangle = new double[p * (p + 1) / 2];
    int at = 0;
    for (int i = 0; i < p; i++) {
      for (int j = 0; j <= i; j++) {
        triangle[at++] = vector[from + i] * vector[from + j];
      }
    }
    return triangle;
  }

  /** Σ s sᵀ over a site's rows. */
  static double[] rowScores(Moments own, PredictorLoss loss, double[] theta) {
    return own.squares(
        theta,
        (eta, y, offset, w) -> {
          double score = w * loss.score(eta, y);
          return score * score;
        });
  }

  /** S Sᵀ of a site's score. */
  private static double[] siteScore(Moments own, PredictorLoss loss, double[] theta) {
    int p = theta.length;
    double scale = own.rows() / loss.factor();
    double[] score = own.gradient(theta);
    double[] square = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j < p; j++) {
        square[i * p + j] = scale * score[i] * scale * score[j];
      }
    }
    return square;
  }

  /** The covariance on the scale of the data, from the totals that begin at {@code from}. */
  static double[] of(
      PooledEstimate estimate, Covariance kind, double dispersion, double[] sums, int from) {
    int p = estimate.terms().size();
    double[] bread =
        SymmetricMatrix.inverse(Pooled.symmetric(sums, from, p), p)
            .orElseThrow(
                () -> new ArithmeticException("the pooled information is not positive definite"));
    double[] there = bread.clone();
    if (kind != Covariance.MODEL) {
      double[] meat = Pooled.symmetric(sums, from + p * (p + 1) / 2, p);
      there = product(product(bread, meat, p), bread, p);
    }
    double factor = factor(estimate, kind, dispersion);
    for (int i = 0; i < there.length; i++) {
      there[i] *= factor;
    }
    double[] covariance = estimate.coordinates().covariance(there);
    for (int j = 0; j < p; j++) {
      requireRange(covariance[j * p + j], there, estimate.terms().get(j));
    }
    return covariance;
  }

  private static double factor(PooledEstimate estimate, Covariance kind, double dispersion) {
    double n = estimate.size().counted();
    double clients = estimate.clients();
    return switch (kind) {
      case MODEL -> dispersion;
      case HC0 -> 1;
      case HC1 -> n / (n - estimate.terms().size());
      case SITE -> clients / (clients - 1);
    };
  }

  /** Refuses a variance that is zero or infinite only because numbers end before it. */
  private static void requireRange(double variance, double[] there, String term) {
    boolean positive = false;
    for (double entry : there) {
      positive |= entry > 0;
    }
    if (Double.isInfinite(variance) || (variance == 0 && positive)) {
      throw new InvalidInput(
          "coefficient `%s`: its variance must lie between 1e-308 and 1e308; got %s; divide its column or the response by a constant"
              .formatted(term, variance == 0 ? "less" : "more"));
    }
  }

  static double[] product(double[] a, double[] b, int p) {
    double[] product = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int k = 0; k < p; k++) {
        for (int j = 0; j < p; j++) {
          product[i * p + j] = Math.fma(a[i * p + k], b[k * p + j], product[i * p + j]);
        }
      }
    }
    return product;
  }
}
