package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The terms of a model added one after the other, each tested against the model before it, as
 * {@code anova(fit, test = …)} in R.
 *
 * <p>In the {@link Coordinates} of the whole model a model of the first columns alone is one whose
 * last coefficients are zero. So every model on the way is fitted by Newton steps on totals of the
 * likelihood that is there already, wherever the rows are.
 *
 * @param lines a line for each term, in the order of the formula
 * @param dispersionFreedom the degrees of freedom of the estimated dispersion; infinite for χ²
 */
public record AnalysisOfDeviance(List<Line> lines, double dispersionFreedom) {
  /** What these tests take for granted, where standard errors do not. */
  public static final String NOT_ROBUST =
      "the tests of deviances take the model's variance for granted, also where standard errors are"
          + " robust";

  /**
   * A term and the model up to it.
   *
   * @param deviance what the term explains of it
   * @param residualDeviance what is left
   */
  public record Line(
      String term,
      double deviance,
      long residualFreedom,
      double residualDeviance,
      DevianceTest test) {}

  public AnalysisOfDeviance {
    lines = List.copyOf(lines);
  }

  /** {@code F} or {@code chi-squared}. */
  public String distribution() {
    return Double.isInfinite(dispersionFreedom) ? "chi-squared" : "F";
  }

  /**
   * The tests of an estimate.
   *
   * @param terms the term of each coefficient; those of one term are side by side in the
   *     coordinates of the estimate
   */
  public static AnalysisOfDeviance of(Inference inference, List<String> terms) {
    PooledEstimate estimate = inference.estimate();
    List<String> termOfEach = estimate.coordinates().ordered(terms);
    GoodnessOfFit fit = inference.fit();
    int p = termOfEach.size();
    double freedom =
        estimate.regression().dispersed() ? fit.residualFreedom() : Double.POSITIVE_INFINITY;
    // The saturated model's loss: what deviances are measured from.
    double least = estimate.end().at().loss() - fit.deviance() / 2;
    List<Line> lines = new ArrayList<>();
    double before = fit.nullDeviance();
    double[] start = estimate.nullModel().point(p);
    int from = estimate.nullModel().coefficients();
    while (from < p) {
      String term = termOfEach.get(from);
      int to = from;
      while (to < p && termOfEach.get(to).equals(term)) {
        to++;
      }
      double deviance = fit.deviance();
      if (to < p) {
        Likelihood at = leading(estimate, to, Arrays.copyOf(start, to));
        deviance = 2 * (at.loss() - least);
        start = at.theta();
      }
      lines.add(
          new Line(
              term,
              before - deviance,
              estimate.size().counted() - to,
              deviance,
              DevianceTest.of(before - deviance, to - from, fit.dispersion(), freedom)));
      before = deviance;
      from = to;
    }
    return new AnalysisOfDeviance(lines, freedom);
  }

  /** The fit of the first coefficients alone. */
  private static Likelihood leading(PooledEstimate estimate, int first, double[] start) {
    return new PooledNewton(
            estimate.likelihood().leading(first),
            estimate.terms(),
            estimate.coordinates(),
            estimate.settings().biasShare())
        .from(start)
        .at();
  }
}
