package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.model.Glm;
import ngd.core.model.NegativeBinomial;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The sites' own estimates put together, coefficient by coefficient, as {@code metafor::rma} does:
 * what people do who cannot pool, beside the pooled estimate. Sums over sites are all that is
 * shared; but of few sites these sums are enough to solve for the estimates, as a published
 * meta-analysis shows them.
 *
 * @param sites how many have an estimate of their own
 * @param terms by coefficient
 */
public record MetaAnalysis(int sites, List<OfTerm> terms) {
  private static final int MOST_STEPS = 1000;

  /** A variance between sites that moves by less than this share of itself has arrived. */
  private static final double ARRIVED = 1e-12;

  /** What a site adds for each coefficient: Σw, Σw², Σw³, Σwy, Σw²y, Σwy², Σw²y². */
  private static final int SUMS = 7;

  /** How sites are weighed. */
  public enum Method {
    FIXED("fixed"),
    DERSIMONIAN_LAIRD("DL"),
    REML("REML"),
    HARTUNG_KNAPP("REML-HK");

    private final String word;

    Method(String word) {
      this.word = word;
    }

    /** {@code fixed}, {@code DL}, {@code REML} or, with Hartung and Knapp's errors, REML-HK. */
    public String word() {
      return word;
    }
  }

  /**
   * One method's answer.
   *
   * @param betweenSites τ², the variance of the sites' coefficients
   * @param iSquared the share of variation that is between sites, in percent
   * @param hSquared variation over that within sites
   */
  public record Line(
      Method method, Coefficient estimate, double betweenSites, double iSquared, double hSquared) {}

  /**
   * One coefficient.
   *
   * @param q Cochran's Q, the test of differences between sites
   * @param pValue by χ² with one degree of freedom less than sites
   */
  public record OfTerm(String term, double q, double pValue, List<Line> lines) {
    public OfTerm {
      lines = List.copyOf(lines);
    }
  }

  public MetaAnalysis {
    terms = List.copyOf(terms);
  }

  /**
   * By totals.
   *
   * @param density the most coefficients for each row that a site here tells of itself ({@code
   *     nfilter.glm})
   */
  public static MetaAnalysis of(Inference inference, double density) {
    PooledEstimate estimate = inference.estimate();
    if (!(estimate.regression() instanceof Glm glm)
        || (glm instanceof NegativeBinomial counts && counts.estimated())
        || estimate.byScores()) {
      throw new InvalidInput(
          "meta: works only with generalised linear models whose theta is given, of at most %d coefficients"
              .formatted(estimate.settings().mostCurved()));
    }
    int p = estimate.terms().size();
    List<Optional<SiteEstimate>> own = new ArrayList<>();
    for (int m = 0; m < estimate.world().rows(); m++) {
      own.add(SiteEstimate.of(estimate, glm, m, density));
    }
    double[] counted =
        Pooled.total(estimate.world(), m -> new double[] {own.get(m).isPresent() ? 1 : 0});
    int sites = (int) counted[0];
    if (sites < 2) {
      throw new InvalidInput(
          "meta: at least two sites need an estimate of every coefficient from their own rows, of at most %s coefficients for each row (nfilter.glm); got %d of %d"
              .formatted(density, sites, estimate.clients()));
    }
    double[] none = new double[p];
    double[] fixed = sums(estimate, own, none);
    double[] simple = new double[p];
    for (int j = 0; j < p; j++) {
      Sums at = new Sums(fixed, j);
      simple[j] = Math.max(0, (at.q() - (sites - 1)) / (at.w() - at.ww() / at.w()));
    }
    double[] atSimple = sums(estimate, own, simple);
    double[] restricted = restricted(estimate, own, simple, fixed);
    double[] atRestricted = sums(estimate, own, restricted);
    List<OfTerm> terms = new ArrayList<>();
    for (int j = 0; j < p; j++) {
      Sums plain = new Sums(fixed, j);
      double within = (sites - 1) * plain.w() / (plain.w() * plain.w() - plain.ww());
      double offset = estimate.theta()[j];
      List<Line> lines = new ArrayList<>();
      for (Method method : Method.values()) {
        double tau =
            switch (method) {
              case FIXED -> 0;
              case DERSIMONIAN_LAIRD -> simple[j];
              case REML, HARTUNG_KNAPP -> restricted[j];
            };
        Sums at =
            switch (method) {
              case FIXED -> plain;
              case DERSIMONIAN_LAIRD -> new Sums(atSimple, j);
              case REML, HARTUNG_KNAPP -> new Sums(atRestricted, j);
            };
        boolean few = method == Method.HARTUNG_KNAPP;
        double error = Math.sqrt((few ? at.q() / (sites - 1) : 1) / at.w());
        lines.add(
            new Line(
                method,
                line(
                    estimate.terms().get(j),
                    offset + at.mean(),
                    error,
                    few ? TDistribution.of(sites - 1) : NormalDistribution.of(0, 1),
                    inference.options().level()),
                tau,
                method == Method.FIXED
                    ? 100 * Math.max(0, (plain.q() - (sites - 1)) / plain.q())
                    : 100 * tau / (tau + within),
                method == Method.FIXED ? plain.q() / (sites - 1) : tau / within + 1));
      }
      terms.add(
          new OfTerm(
              estimate.terms().get(j),
              plain.q(),
              ChiSquaredDistribution.of(sites - 1).survivalProbability(plain.q()),
              lines));
    }
    return new MetaAnalysis(sites, terms);
  }

  private static Coefficient line(
      String term, double value, double error, ContinuousDistribution reference, double level) {
    double reach = reference.inverseSurvivalProbability((1 - level) / 2);
    double statistic = value / error;
    return new Coefficient(
        term,
        value,
        error,
        statistic,
        Math.min(1, 2 * reference.survivalProbability(Math.abs(statistic))),
        value - reach * error,
        value + reach * error);
  }

  /** The sums of one coefficient, over sites, of weights 1 / (v + τ²). */
  @SuppressWarnings("ArrayRecordComponent")
  private record Sums(double[] all, int term) {
    private double at(int which) {
      return all[term * SUMS + which];
    }

    double w() {
      return at(0);
    }

    double ww() {
      return at(1);
    }

    double mean() {
      return at(3) / w();
    }

    /** Σ w (y − mean)². */
    double q() {
      return Math.max(0, at(5) - at(3) * at(3) / w());
    }

    /** What REML's variance between sites moves by in a step of Fisher's scoring. */
    double step() {
      double mean = mean();
      double squares = at(6) - 2 * mean * at(4) + mean * mean * ww();
      double trace = w() - ww() / w();
      double information = ww() - 2 * at(2) / w() + ww() * ww() / (w() * w());
      return (squares - trace) / information;
    }
  }

  private static double[] sums(
      PooledEstimate estimate, List<Optional<SiteEstimate>> own, double[] tau) {
    double[] pooled = estimate.theta();
    return Pooled.total(
        estimate.world(),
        m -> {
          double[] said = new double[SUMS * tau.length];
          own.get(m)
              .ifPresent(
                  site -> {
                    for (int j = 0; j < tau.length; j++) {
                      double w = 1 / (site.variance(j) + tau[j]);
                      double y = site.value(j) - pooled[j];
                      double[] terms = {
                        w, w * w, w * w * w, w * y, w * w * y, w * y * y, w * w * y * y
                      };
                      System.arraycopy(terms, 0, said, j * SUMS, SUMS);
                    }
                  });
          return said;
        });
  }

  /** REML's variances between sites, of all coefficients side by side. */
  private static double[] restricted(
      PooledEstimate estimate, List<Optional<SiteEstimate>> own, double[] start, double[] fixed) {
    double[] tau = start.clone();
    boolean[] done = new boolean[tau.length];
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] sums = sums(estimate, own, tau);
      boolean all = true;
      for (int j = 0; j < tau.length; j++) {
        double next = Math.max(0, tau[j] + new Sums(sums, j).step());
        double within = 1 / new Sums(fixed, j).w();
        done[j] |= Math.abs(next - tau[j]) <= ARRIVED * (next + within);
        tau[j] = next;
        all &= done[j];
      }
      if (all) {
        return tau;
      }
    }
    throw new InvalidInput(
        "meta: the restricted likelihood must have a maximum that %d steps find; those of %s went on"
            .formatted(
                MOST_STEPS,
                String.join(
                    ", ",
                    IntStream.range(0, tau.length)
                        .filter(j -> !done[j])
                        .mapToObj(estimate.terms()::get)
                        .toList())));
  }
}
