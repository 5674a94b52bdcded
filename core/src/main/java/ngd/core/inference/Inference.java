package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Moments;
import ngd.core.data.Table;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Gamma;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.world.World;
import org.apache.commons.numbers.gamma.LogGamma;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Standard errors, tests and intervals of a {@link PooledEstimate}, all from totals over the
 * clients.
 *
 * <p>Wald's: t with the residual degrees of freedom where the family has a dispersion to estimate,
 * z otherwise.
 */
public final class Inference {
  private final PooledEstimate estimate;
  private final Options options;
  private final double[] covariance;
  private final List<Coefficient> coefficients;
  private final GoodnessOfFit fit;
  private final Optional<Heterogeneity> heterogeneity;

  /**
   * What is asked for.
   *
   * @param level the intervals' coverage, such as 0.95
   * @param heterogeneity whether to test for differences between the sites
   */
  public record Options(Covariance covariance, double level, boolean heterogeneity) {
    /** Model-based, 95 %. */
    public static final Options STANDARD = new Options(Covariance.MODEL, 0.95, false);

    public Options {
      if (!(level > 0 && level < 1)) {
        throw new InvalidInput(
            "level: the intervals' coverage must lie between 0 and 1, such as 0.95; got " + level);
      }
    }
  }

  private Inference(
      PooledEstimate estimate,
      Options options,
      double[] covariance,
      List<Coefficient> coefficients,
      GoodnessOfFit fit,
      Optional<Heterogeneity> heterogeneity) {
    this.estimate = estimate;
    this.options = options;
    this.covariance = covariance;
    this.coefficients = coefficients;
    this.fit = fit;
    this.heterogeneity = heterogeneity;
  }

  /** Refuses what these data cannot give, such as clusters that are too few. */
  public static Inference of(PooledEstimate estimate, Options options) {
    int p = estimate.terms().size();
    if (options.covariance() == Covariance.SITE && estimate.clients() <= p) {
      throw new InvalidInput(
          "cluster-robust covariance: needs more sites than coefficients, or it is singular and its intervals mean nothing; got %d sites and %d coefficients"
              .formatted(estimate.clients(), p));
    }
    boolean whole = estimate.settings().lastStep();
    if (!whole && options.covariance() != Covariance.MODEL) {
      throw new InvalidInput(
          "%s covariance: needs the pooled Hessian, which is not shared without last steps; allow them, or take the model-based one"
              .formatted(options.covariance().words()));
    }
    Glm glm = estimate.glm();
    World world = estimate.world();
    double[] theta = estimate.end().theta();
    Moments.RowTerm least = (eta, y, offset, w) -> w == 0 ? 0 : w * glm.least(y);
    Moments.RowTerm rest = (eta, y, offset, w) -> w == 0 ? 0 : w * glm.rest(y);
    double[] sums =
        Pooled.total(
            world,
            m -> {
              Moments own = world.curved().moments(m);
              double[] information =
                  own.squares(theta, (eta, y, offset, w) -> w * glm.information(eta));
              return Pooled.joined(
                  own.sums(theta, least, rest),
                  Pooled.told(information, p, whole),
                  Pooled.triangle(scoreSquares(own, glm, theta, options.covariance()), p));
            });
    double[] information = Pooled.heard(sums, 2, p, whole);
    double[] meat = Pooled.symmetric(sums, sums.length - p * (p + 1) / 2, p);
    GoodnessOfFit fit = fit(estimate, sums[0], sums[1]);
    double[] penalised =
        Penalty.sum(information, estimate.penalty().matrix(), estimate.size().rows());
    double[] bread =
        SymmetricMatrix.inverse(penalised, p)
            .orElseThrow(
                () -> new ArithmeticException("the pooled information is not positive definite"));
    boolean model = options.covariance() == Covariance.MODEL;
    double[] there =
        covariance(estimate, options.covariance(), fit, bread, model ? information : meat);
    double[] covariance = estimate.coordinates().covariance(there);
    return new Inference(
        estimate,
        options,
        covariance,
        table(estimate, covariance, fit, options.level()),
        fit,
        options.heterogeneity() ? Optional.of(Heterogeneity.at(estimate)) : Optional.empty());
  }

  /** Σ s sᵀ over a site's rows, or over the site as one; zeros where the model is trusted. */
  private static double[] scoreSquares(Moments own, Glm glm, double[] theta, Covariance kind) {
    int p = theta.length;
    return switch (kind) {
      case MODEL -> new double[p * p];
      case HC0, HC1 ->
          own.squares(
              theta,
              (eta, y, offset, w) -> {
                double score = w * glm.score(eta, y);
                return score * score;
              });
      case SITE -> {
        double scale = own.rows() / glm.factor();
        double[] score = own.gradient(theta);
        double[] square = new double[p * p];
        for (int i = 0; i < p; i++) {
          for (int j = 0; j < p; j++) {
            square[i * p + j] = scale * score[i] * scale * score[j];
          }
        }
        yield square;
      }
    };
  }

  private static double[] covariance(
      PooledEstimate estimate, Covariance kind, GoodnessOfFit fit, double[] bread, double[] meat) {
    int p = estimate.terms().size();
    double n = estimate.size().counted();
    double clients = estimate.clients();
    double factor =
        switch (kind) {
          case MODEL -> fit.dispersion();
          case HC0 -> 1;
          case HC1 -> n / (n - p);
          case SITE -> clients / (clients - 1);
        };
    boolean plainInverse = kind == Covariance.MODEL && estimate.penalty().none();
    double[] plain = plainInverse ? bread : product(product(bread, meat, p), bread, p);
    double[] scaled = plain.clone();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= factor;
    }
    return scaled;
  }

  private static double[] product(double[] a, double[] b, int p) {
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

  private static GoodnessOfFit fit(PooledEstimate estimate, double least, double rest) {
    Glm glm = estimate.glm();
    Size size = estimate.size();
    int p = estimate.terms().size();
    long freedom = size.counted() - p;
    boolean intercept = estimate.terms().contains(Table.INTERCEPT);
    Likelihood likelihood = estimate.end().at();
    double deviance = 2 * (likelihood.loss() - least);
    double nullDeviance = 2 * (estimate.nullModel().loss() - least);
    double dispersion =
        glm.dispersed() ? freedom > 0 ? likelihood.pearson() / freedom : Double.NaN : 1;
    double logLikelihood = logLikelihood(glm, size, deviance, least, rest);
    int parameters = p + (glm.dispersed() ? 1 : 0);
    return new GoodnessOfFit(
        dispersion,
        freedom,
        size.counted() - (intercept ? 1 : 0),
        deviance,
        nullDeviance,
        logLikelihood,
        logLikelihood(glm, size, nullDeviance, least, rest),
        -2 * logLikelihood + 2 * parameters);
  }

  /** With the dispersion that R's families use in their AIC: deviance over n, or over Σ w. */
  private static double logLikelihood(
      Glm glm, Size size, double deviance, double least, double rest) {
    if (glm instanceof Linear) {
      double n = size.counted();
      return -0.5 * (n * (Math.log(2 * Math.PI * deviance / n) + 1) - size.logWeight());
    }
    double loss = deviance / 2 + least;
    if (glm instanceof Gamma) {
      // Σ w [(a − 1) log y − a (y / μ + η) + a log a − log Γ(a)], a = 1 / dispersion.
      double shape = size.weight() / deviance;
      double logs = least - size.weight();
      return (shape - 1) * logs
          - shape * loss
          + size.weight() * (shape * Math.log(shape) - LogGamma.value(shape));
    }
    return -loss - rest;
  }

  private static List<Coefficient> table(
      PooledEstimate estimate, double[] covariance, GoodnessOfFit fit, double level) {
    int p = estimate.terms().size();
    double[] theta = estimate.theta();
    boolean known = !estimate.glm().dispersed();
    if (!known && fit.residualFreedom() < 1) {
      List<Coefficient> bare = new ArrayList<>();
      for (int j = 0; j < p; j++) {
        double none = Double.NaN;
        bare.add(new Coefficient(estimate.terms().get(j), theta[j], none, none, none, none, none));
      }
      return List.copyOf(bare);
    }
    ContinuousDistribution reference =
        known ? NormalDistribution.of(0, 1) : TDistribution.of((double) fit.residualFreedom());
    double reach = reference.inverseSurvivalProbability((1 - level) / 2);
    List<Coefficient> lines = new ArrayList<>();
    for (int j = 0; j < p; j++) {
      double error = Math.sqrt(covariance[j * p + j]);
      double statistic = theta[j] / error;
      lines.add(
          new Coefficient(
              estimate.terms().get(j),
              theta[j],
              error,
              statistic,
              Math.min(1, 2 * reference.survivalProbability(Math.abs(statistic))),
              theta[j] - reach * error,
              theta[j] + reach * error));
    }
    return List.copyOf(lines);
  }

  public PooledEstimate estimate() {
    return estimate;
  }

  public Options options() {
    return options;
  }

  /** The covariance of the coefficients, p × p, row by row. */
  public double[] covariance() {
    return covariance.clone();
  }

  public List<Coefficient> coefficients() {
    return coefficients;
  }

  public GoodnessOfFit fit() {
    return fit;
  }

  /** The test of differences between the sites, where it was asked for. */
  public Optional<Heterogeneity> heterogeneity() {
    return heterogeneity;
  }
}
