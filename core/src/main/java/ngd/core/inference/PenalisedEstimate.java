package ngd.core.inference;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import ngd.core.model.Regression;

/**
 * Penalised estimates along a path of λ. They are biased towards 0 by an unknown amount, so that no
 * standard errors come with them.
 *
 * @param terms the coefficients' names
 * @param factors what each coefficient's penalty is multiplied by, on the scale of its column's
 *     standard deviation; 0 for an intercept
 * @param deviations the pooled standard deviation of each column, in whose units its coefficient is
 *     penalised
 * @param path from the largest λ on
 * @param validation where it was asked for
 * @param chosen the place of the λ whose coefficients are reported; none where there are several
 *     and nothing to choose by
 * @param totals how many sums over all clients the path and its folds took
 */
public record PenalisedEstimate(
    Regression regression,
    ElasticNet penalty,
    List<String> terms,
    List<Double> factors,
    List<Double> deviations,
    double nullDeviance,
    List<Step> path,
    Optional<CrossValidation> validation,
    OptionalInt chosen,
    int clients,
    long rows,
    int totals) {
  /**
   * The estimate at one λ.
   *
   * @param coefficients on the scale of the data
   * @param nonzero how many of them, intercepts left out, are not 0
   * @param deviance of the rows it was fitted to
   */
  public record Step(double lambda, List<Double> coefficients, int nonzero, double deviance) {
    public Step {
      coefficients = List.copyOf(coefficients);
    }
  }

  public PenalisedEstimate {
    terms = List.copyOf(terms);
    factors = List.copyOf(factors);
    deviations = List.copyOf(deviations);
    path = List.copyOf(path);
  }

  /** The share of the null deviance that a step explains. */
  public double explained(Step step) {
    return nullDeviance > 0 ? 1 - step.deviance() / nullDeviance : 0;
  }
}
