package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Moments;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.MEstimator;
import ngd.core.world.World;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Standard errors, tests and intervals of a {@link PooledEstimate}, all from totals over the
 * clients.
 *
 * <p>Wald's. With cluster-robust errors t with one degree of freedom less than there are sites;
 * else t with the residual degrees of freedom where the family has a dispersion to estimate, z
 * otherwise. A penalised estimate gets none of them.
 */
public final class Inference {
  /** With fewer sites cluster-robust errors come with a caution. */
  private static final int ENOUGH_SITES = 40;

  /** Residuals below this share of what is fitted are rounding. */
  private static final double PERFECT = 1e-13;

  private final PooledEstimate estimate;
  private final Options options;
  private final Optional<double[]> covariance;
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
      if (heterogeneity && covariance == Covariance.SITE) {
        throw new InvalidInput(
            "heterogeneity: cannot be tested where rows of a site may depend on each other"
                + " (cluster-robust), as that looks the same as sites that differ; test it with"
                + " model-based or robust errors");
      }
    }
  }

  private Inference(
      PooledEstimate estimate,
      Options options,
      Optional<double[]> covariance,
      GoodnessOfFit fit,
      Optional<Heterogeneity> heterogeneity) {
    this.estimate = estimate;
    this.options = options;
    this.covariance = covariance;
    this.fit = fit;
    this.heterogeneity = heterogeneity;
    coefficients = table();
  }

  /** Refuses what these data cannot give, such as clusters that are too few. */
  public static Inference of(PooledEstimate estimate, Options options) {
    int p = estimate.terms().size();
    Covariance kind = options.covariance();
    boolean withheld = !estimate.penalty().none() || estimate.byScores();
    if (estimate.byScores() && options.heterogeneity()) {
      throw new InvalidInput(
          "heterogeneity: needs sums of Hessians, of at most %d coefficients; got %d"
              .formatted(estimate.settings().mostCurved(), p));
    }
    if (kind == Covariance.SITE && estimate.clients() <= p && !withheld) {
      throw new InvalidInput(
          "cluster-robust covariance: needs more sites than coefficients, or it is singular and its intervals mean nothing; got %d sites and %d coefficients"
              .formatted(estimate.clients(), p));
    }
    Sums sums =
        switch (estimate.regression()) {
          case Glm glm -> rows(estimate, glm, kind, withheld);
          case MEstimator robust -> new Sums(0, 0, curvatures(estimate, robust, kind));
          case Cox cox -> new Sums(0, 0, CoefficientCovariance.terms(estimate, cox, kind));
          case Categories _ -> new Sums(0, 0, Pooled.triangle(estimate.end().at().hessian(), p));
        };
    GoodnessOfFit fit = GoodnessOfFit.of(estimate, sums.least(), sums.rest());
    Optional<double[]> covariance =
        withheld
            ? Optional.empty()
            : Optional.of(
                CoefficientCovariance.of(estimate, kind, fit.dispersion(), sums.covariance(), 0));
    return new Inference(
        estimate,
        options,
        covariance,
        fit,
        options.heterogeneity() ? Optional.of(Heterogeneity.at(estimate, kind)) : Optional.empty());
  }

  /** What the totals came to; the last are those of the covariance, in their coordinates. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Sums(double least, double rest, double[] covariance) {}

  /** Where rows are independent terms of the likelihood. */
  private static Sums rows(PooledEstimate estimate, Glm glm, Covariance kind, boolean withheld) {
    World world = estimate.world();
    double[] theta = estimate.end().theta();
    Moments.RowTerm least = (eta, y, offset, w) -> w == 0 ? 0 : w * glm.least(y);
    Moments.RowTerm rest = (eta, y, offset, w) -> w == 0 ? 0 : glm.rest(y, w);
    double[] sums =
        Pooled.total(
            world,
            m -> {
              Moments own = world.curved().moments(m);
              double[] losses = own.sums(theta, least, rest);
              return withheld
                  ? losses
                  : Pooled.joined(
                      losses,
                      CoefficientCovariance.terms(
                          own,
                          glm,
                          theta,
                          estimate.weights().isPresent() ? Covariance.MODEL : kind));
            });
    double[] covariance = Arrays.copyOfRange(sums, 2, sums.length);
    return new Sums(
        sums[0],
        sums[1],
        estimate
            .weights()
            .map(weights -> Pooled.joined(covariance, weights.squares(estimate, glm, kind)))
            .orElse(covariance));
  }

  /** Where the loss is no likelihood: rows' curvatures and squared scores, of which all is made. */
  private static double[] curvatures(PooledEstimate estimate, MEstimator robust, Covariance kind) {
    if (kind == Covariance.MODEL) {
      throw new InvalidInput(
          "covariance: must be robust (hc0, hc1) or by site under the loss %s, which is no likelihood"
              .formatted(robust.name()));
    }
    World world = estimate.world();
    double[] theta = estimate.end().theta();
    return Pooled.total(
        world, m -> CoefficientCovariance.terms(world.curved().moments(m), robust, theta, kind));
  }

  private List<Coefficient> table() {
    int p = estimate.terms().size();
    double[] theta = estimate.theta();
    List<Coefficient> lines = new ArrayList<>();
    for (int j = 0; j < p; j++) {
      double error = covariance.isEmpty() ? Double.NaN : Math.sqrt(covariance.get()[j * p + j]);
      lines.add(line(estimate.terms().get(j), theta[j], error));
    }
    return List.copyOf(lines);
  }

  /** The line of a coefficient, or of a combination of some, with its standard error. */
  Coefficient line(String name, double value, double itsError) {
    OptionalDouble freedom = statisticFreedom();
    boolean bare = covariance.isEmpty() || (freedom.isPresent() && freedom.getAsDouble() < 1);
    ContinuousDistribution reference =
        bare || freedom.isEmpty()
            ? NormalDistribution.of(0, 1)
            : TDistribution.of(freedom.getAsDouble());
    double reach = reference.inverseSurvivalProbability((1 - options.level()) / 2);
    double error = bare ? Double.NaN : itsError;
    double statistic = value / error;
    return new Coefficient(
        name,
        value,
        error,
        statistic,
        Math.min(1, 2 * reference.survivalProbability(Math.abs(statistic))),
        value - reach * error,
        value + reach * error);
  }

  public PooledEstimate estimate() {
    return estimate;
  }

  public Options options() {
    return options;
  }

  /** The covariance of the coefficients, p × p, row by row; empty where it is withheld. */
  public Optional<double[]> covariance() {
    return covariance.map(double[]::clone);
  }

  /** Why standard errors, tests and intervals are not given, where they are not. */
  public Optional<String> withheld() {
    return covariance.isPresent()
        ? Optional.empty()
        : Optional.of(
            !estimate.penalty().none()
                ? "ridge estimates are biased towards 0 by an unknown amount, which no standard"
                    + " error accounts for: intervals around them may miss the truth almost"
                    + " always"
                : tooMany("they need the sum of all sites' Hessians"));
  }

  /** A sentence about what sums of Hessians are too large for. */
  private String tooMany(String what) {
    int p = estimate.terms().size();
    return "%s, %.0f MB from each site at %d coefficients; they are summed for at most %d"
        .formatted(what, 272e-6 * p * (p + 1) / 2, p, estimate.settings().mostCurved());
  }

  /** The degrees of freedom of the t statistics; empty where they are z. */
  public OptionalDouble statisticFreedom() {
    if (options.covariance() == Covariance.SITE) {
      return OptionalDouble.of(estimate.clients() - 1);
    }
    return estimate.regression().dispersed()
        ? OptionalDouble.of((double) fit.residualFreedom())
        : OptionalDouble.empty();
  }

  /** What the covariance rests on, for people. */
  public String covarianceWords() {
    return options.covariance().words()
        + (estimate.weights().isPresent() ? ", weights estimated" : "");
  }

  /** {@code t} or {@code z}. */
  public String statistic() {
    return statisticFreedom().isPresent() ? "t" : "z";
  }

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    boolean clustered = options.covariance() == Covariance.SITE && covariance.isPresent();
    if (clustered && estimate.clients() < ENOUGH_SITES) {
      notes.add(
          "cluster-robust standard errors need many sites: with %d, fewer than %d, they may be too small, above all where sites differ much in size or a covariate varies mostly between sites"
              .formatted(estimate.clients(), ENOUGH_SITES));
    }
    if (estimate.byScores()) {
      notes.add(
          tooMany(
                  "fitted by L-BFGS on sums of scores alone, not by Newton's method, which needs"
                      + " the sum of all sites' Hessians")
              + "; redundant columns are not looked for");
    }
    if (estimate.weights().isPresent()) {
      notes.add(
          "rows are weighted by the inverse probability of their treatment: deviance,"
              + " log-likelihood and AIC are of weighted rows, and no basis for comparing models");
    }
    if (perfect()) {
      notes.add(
          "the fit is perfect up to rounding: standard errors and tests are made of rounding"
              + " errors");
    }
    heterogeneity.flatMap(Heterogeneity::note).ifPresent(notes::add);
    return List.copyOf(notes);
  }

  /** Whether residuals are rounding: R warns of an essentially perfect fit. */
  private boolean perfect() {
    double fitted = 0;
    for (double t : estimate.end().theta()) {
      fitted = Math.hypot(fitted, t);
    }
    double mean = estimate.end().at().pearson() / estimate.size().rows();
    return estimate.regression() instanceof Linear
        && covariance.isPresent()
        && fit.residualFreedom() > 0
        && Math.sqrt(mean) <= PERFECT * fitted;
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
