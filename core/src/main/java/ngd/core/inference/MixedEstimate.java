package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.NumberText;
import ngd.core.model.Glm;
import ngd.core.model.GroupEffects;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** A mixed model as {@code lme4::lmer} or {@code glmer} reports it, and how it was found. */
public final class MixedEstimate {
  /** With fewer groups a variance is hardly known. */
  private static final int FEW_GROUPS = 5;

  /** The criterion of the first coefficients alone, by restricted likelihood or not. */
  interface Criteria {
    MixedCriterion of(int leading, boolean reml);
  }

  /**
   * What it was found in.
   *
   * @param effects of the groups of the clients that this process holds
   * @param beta the coefficients that were taken from the responses first
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Setting(
      Coordinates coordinates,
      Size size,
      List<? extends GroupEffects> effects,
      double[] beta,
      MixedFit.Groups groups,
      Criteria criteria) {}

  /**
   * The variances of a random term's effects.
   *
   * @param groups how many groups the term has, over all sites
   * @param covariance of the effects, row by row
   */
  public record Component(RandomPart part, long groups, List<List<Double>> covariance) {
    public Component {
      covariance = covariance.stream().map(List::copyOf).toList();
    }

    /** The standard deviation of an effect. */
    public double deviation(int effect) {
      return Math.sqrt(covariance.get(effect).get(effect));
    }

    /** The correlation of two effects; not a number where one of them does not vary. */
    public double correlation(int one, int other) {
      return covariance.get(one).get(other) / (deviation(one) * deviation(other));
    }
  }

  /**
   * The predicted effect of one group: what stays at its site.
   *
   * @param group what the groups are of
   * @param level which group
   */
  public record Predicted(String group, String level, String effect, double value) {}

  private final MixedFit fit;
  private final Setting setting;
  private final double[][] factors;
  private final double[] theta;
  private final double[] covariance;
  private final double[] delta;
  private final double variance;
  private final double criterion;
  private final double distance;
  private final int steps;

  MixedEstimate(
      MixedFit fit,
      MixedCriterion.Optimum optimum,
      double[][] factors,
      Setting setting,
      double distance,
      int steps) {
    this.fit = fit;
    this.setting = setting;
    this.factors = factors;
    this.distance = distance;
    this.steps = steps;
    delta = optimum.delta();
    variance = optimum.variance();
    int p = fit.terms().size();
    double[] there = new double[p];
    for (int j = 0; j < p; j++) {
      there[j] = setting.beta()[j] + delta[j];
    }
    theta = setting.coordinates().back(there);
    covariance = setting.coordinates().covariance(optimum.covariance());
    criterion = optimum.value() + (fit.linear() ? constant() : 0);
  }

  /** What weights, and features where coefficients are integrated out, add to the criterion. */
  private double constant() {
    double determinant = 0;
    int p = fit.terms().size();
    for (int j = 0; j < p && reml(); j++) {
      determinant += 2 * StrictMath.log(Math.abs(setting.coordinates().upper()[j * (p + 1)]));
    }
    return determinant - setting.size().logWeight();
  }

  /** The family with its link. */
  public Glm glm() {
    return fit.glm();
  }

  /** Whether responses are normal, with a residual variance of their own. */
  public boolean linear() {
    return fit.linear();
  }

  /** The points of the quadrature over random effects; 1 is Laplace's approximation. */
  public int points() {
    return fit.settings().points();
  }

  /** Whether variances are those of restricted maximum likelihood. */
  public boolean reml() {
    return fit.settings().reml();
  }

  public List<String> terms() {
    return fit.terms();
  }

  /** The fixed effects. */
  public double[] theta() {
    return theta.clone();
  }

  /** Their covariance, p × p, row by row. */
  public double[] covariance() {
    return covariance.clone();
  }

  /**
   * Wald's z: estimate over standard error, which lmer prints as t and without a p value, and glmer
   * as z.
   */
  public List<Coefficient> coefficients(double level) {
    NormalDistribution normal = NormalDistribution.of(0, 1);
    double reach = normal.inverseSurvivalProbability((1 - level) / 2);
    int p = terms().size();
    List<Coefficient> lines = new ArrayList<>();
    for (int j = 0; j < p; j++) {
      double error = Math.sqrt(covariance[j * (p + 1)]);
      double statistic = theta[j] / error;
      lines.add(
          new Coefficient(
              terms().get(j),
              theta[j],
              error,
              statistic,
              Math.min(1, 2 * normal.survivalProbability(Math.abs(statistic))),
              theta[j] - reach * error,
              theta[j] + reach * error));
    }
    return lines;
  }

  /** The variances of the random effects, term by term. */
  public List<Component> components() {
    List<Component> components = new ArrayList<>();
    for (int k = 0; k < fit.random().size(); k++) {
      RandomPart part = fit.random().get(k);
      int n = part.columns();
      List<List<Double>> rows = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        List<Double> row = new ArrayList<>();
        for (int j = 0; j < n; j++) {
          double sum = 0;
          for (int c = 0; c <= Math.min(i, j); c++) {
            sum += factor(k, i, c) * factor(k, j, c);
          }
          row.add(variance * sum);
        }
        rows.add(row);
      }
      components.add(new Component(part, setting.groups().counts().get(k), rows));
    }
    return components;
  }

  private double factor(int term, int row, int column) {
    int n = fit.random().get(term).columns();
    return factors[term][row * n + column] / setting.groups().scales()[term][row];
  }

  /** The relative covariance factors on the scale of the data, term by term, column by column. */
  public List<Double> factors() {
    List<Double> all = new ArrayList<>();
    for (int k = 0; k < factors.length; k++) {
      int n = fit.random().get(k).columns();
      for (int column = 0; column < n; column++) {
        for (int row = column; row < n; row++) {
          all.add(factor(k, row, column));
        }
      }
    }
    return all;
  }

  /** The residual variance; 1 where responses are not normal and have none. */
  public double residualVariance() {
    return variance;
  }

  /**
   * Whether a variance is 0, or a correlation 1 or −1: the data show less variation than the model
   * could have.
   */
  public boolean singular() {
    for (int k = 0; k < factors.length; k++) {
      int n = fit.random().get(k).columns();
      for (int c = 0; c < n; c++) {
        if (factors[k][c * (n + 1)] < MixedFit.SINGULAR) {
          return true;
        }
      }
    }
    return false;
  }

  /** The REML criterion, or minus twice the log-likelihood. */
  public double criterion() {
    return criterion;
  }

  /** Of the restricted likelihood where that was maximised. */
  public double logLikelihood() {
    return -criterion / 2;
  }

  /** Fixed effects, entries of covariance factors, and the residual variance where there is one. */
  public int parameters() {
    return terms().size()
        + fit.random().stream().mapToInt(RandomPart::parameters).sum()
        + (linear() ? 1 : 0);
  }

  public double aic() {
    return criterion + 2 * parameters();
  }

  public double bic() {
    return criterion + StrictMath.log(rows()) * parameters();
  }

  /** N, the rows of all clients. */
  public double rows() {
    return setting.size().rows();
  }

  /** M, over all processes. */
  public int clients() {
    return (int) setting.size().clients();
  }

  /** What remains to the minimum, in standard errors of the variances' parameters. */
  public double distance() {
    return distance;
  }

  /** The Newton steps. */
  public int steps() {
    return steps;
  }

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    notes.add(
        linear()
            ? "z is the estimate over its standard error, which lmer prints as t value; p values"
                + " and intervals take it for normal, and are too small and too short where"
                + " groups are few"
            : "coefficients are effects within a group, given its random effects, and not on the"
                + " average over groups; p values and intervals take z for normal, and are too"
                + " small and too short where groups are few");
    if (singular()) {
      notes.add(
          "the fit is singular: a variance of random effects is 0, or a correlation 1 or -1; the"
              + " data do not show the variation that the random terms allow, and a simpler random"
              + " term fits as well");
    }
    for (Component component : components()) {
      if (component.groups() < FEW_GROUPS) {
        notes.add(
            "%s: a variance between %s is hardly known, and often estimated as 0; fixed effects of the groups (+ %s) need no variance"
                .formatted(
                    component.part().group(),
                    NumberText.count(component.groups(), "group"),
                    component.part().sites()
                        ? "site"
                        : "factor(" + component.part().group() + ")"));
      }
    }
    return notes;
  }

  /**
   * The terms one after the other by likelihood ratios, each model fitted by maximum likelihood, as
   * {@code anova()} of lme4's fits compares them.
   */
  public AnalysisOfDeviance anova(List<String> termOfEach) {
    List<AnalysisOfDeviance.Line> lines = new ArrayList<>();
    int p = termOfEach.size();
    int[] ends =
        IntStream.rangeClosed(1, p)
            .filter(to -> to == p || !termOfEach.get(to).equals(termOfEach.get(to - 1)))
            .toArray();
    double before = Double.NaN;
    int from = 0;
    for (int to : ends) {
      double deviance = fit.deviance(setting, to);
      if (from > 0) {
        lines.add(
            new AnalysisOfDeviance.Line(
                termOfEach.get(from),
                before - deviance,
                (long) rows() - parameters() + p - to,
                deviance,
                DevianceTest.of(before - deviance, to - from, 1, Double.POSITIVE_INFINITY)));
      }
      before = deviance;
      from = to;
    }
    return new AnalysisOfDeviance(lines, Double.POSITIVE_INFINITY);
  }

  /** The predicted effects of a client's groups, of those that this process holds. */
  public List<Predicted> predicted(int client) {
    GroupEffects own = setting.effects().get(client);
    List<List<List<Double>>> found = own.predicted(factors, delta);
    List<Predicted> lines = new ArrayList<>();
    for (int k = 0; k < found.size(); k++) {
      RandomPart part = fit.random().get(k);
      for (int g = 0; g < found.get(k).size(); g++) {
        for (int c = 0; c < part.columns(); c++) {
          lines.add(
              new Predicted(
                  part.group(), own.name(k, g), part.effects().get(c), found.get(k).get(g).get(c)));
        }
      }
    }
    return lines;
  }
}
