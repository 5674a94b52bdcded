package ngd.core.theory;

import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import ngd.core.network.Measured;
import ngd.core.network.Spectrum;

/**
 * The paper's conditions, checked one by one: theorems 1 and 2 for the linear model, (C1), (C1′)
 * and (C2) of theorem 3 and its corollary for every loss with a Hessian.
 *
 * <p>They are sufficient and far from necessary (docs/theory.md, 9), and each says so where it
 * fails: the {@link Certificate} is what decides convergence.
 */
final class Conditions {
  /** A λmax^½(Σ_w) above this is 1 up to rounding. */
  private static final double ALMOST_ONE = 1 - 1e-9;

  private static final OptionalDouble NONE = OptionalDouble.empty();
  private static final OptionalDouble ZERO = OptionalDouble.of(0);

  private final Linearised linearised;
  private final Problem problem;
  private final Spectrum weights;
  private final double seW;

  private Conditions(Linearised linearised, Spectrum weights) {
    this.linearised = linearised;
    problem = linearised.problem();
    this.weights = weights;
    seW = problem.network().se();
  }

  static List<Condition> of(Linearised linearised, Spectrum weights) {
    Conditions conditions = new Conditions(linearised, weights);
    List<Condition> all = new ArrayList<>();
    all.add(conditions.equalRows());
    if (linearised.problem().linear()) {
      all.add(conditions.moreRowsThanParameters());
      all.add(conditions.safeAlpha());
      all.add(conditions.irreducible());
      Curvature.Range bounds = conditions.pooledBounds();
      all.add(conditions.boundedSecondMoments(bounds));
      all.add(conditions.smallSteps(bounds));
    }
    Curvature.Range local = conditions.localBounds();
    all.add(conditions.convexEverywhere(local));
    all.add(conditions.convexAtEstimate(local));
    all.add(conditions.mixing());
    all.add(conditions.generalSmallSteps(local));
    return List.copyOf(all);
  }

  /** What the paper assumes throughout: the mean of the clients' losses is that of all rows. */
  private Condition equalRows() {
    IntSummaryStatistics rows =
        IntStream.range(0, problem.data().clients()).map(problem.data()::rows).summaryStatistics();
    return new Condition(
        "theorems 1 to 3: the same n at every client",
        problem.equalRows(),
        OptionalDouble.of(rows.getMax()),
        OptionalDouble.of(rows.getMin()),
        NONE,
        problem.equalRows()
            ? "every client has as many rows"
            : "the paper has one n; with several the limit may differ from the global estimate however small α is, whatever the conditions below say: NGD counts clients by the stationary distribution of W, not by their rows; balanced-ngd and metropolis:rows weights count rows");
  }

  private Condition moreRowsThanParameters() {
    int fewest =
        IntStream.range(0, problem.data().clients())
            .map(problem.data()::countedRows)
            .min()
            .orElse(0);
    int p = problem.parameters();
    boolean holds = fewest > p;
    return new Condition(
        "theorem 1: n > p",
        holds,
        OptionalDouble.of(fewest),
        OptionalDouble.of(p),
        NONE,
        holds
            ? "every client has more rows than parameters"
            : "some client has only %d rows for %d parameters; not needed: it is enough that the pooled data of every closed class determine all parameters"
                .formatted(fewest, p));
  }

  private Condition safeAlpha() {
    double safe = linearised.safeAlpha();
    boolean holds = problem.alpha() < safe;
    return new Condition(
        "theorem 1: α < 2 / max λmax(Σxx)",
        holds,
        OptionalDouble.of(problem.alpha()),
        OptionalDouble.of(safe),
        OptionalDouble.of(safe),
        holds
            ? "no client's own step overshoots"
            : "some client's own step overshoots; the spectral radius may still be below 1");
  }

  private Condition irreducible() {
    int count = problem.classes().count();
    return new Condition(
        "theorem 2 (1): W irreducible",
        count == 1,
        OptionalDouble.of(count),
        OptionalDouble.of(1),
        NONE,
        count == 1
            ? "every client hears of every other"
            : "the clients fall into %d communicating classes; what lies in no closed class never reaches the others"
                .formatted(count));
  }

  /** κ1 = λmin of the pooled Σ̂xx, 0 if it is singular, and κ2 = max λmax(Σ̂xx^(m)). */
  private Curvature.Range pooledBounds() {
    int[] everyone = IntStream.range(0, problem.data().clients()).toArray();
    boolean regular = linearised.rank(everyone) == problem.parameters();
    double smallest =
        regular
            ? Math.max(
                0,
                SymmetricMatrix.smallestEigenvalue(
                    linearised.curvature().pooled(problem.data()), problem.parameters()))
            : 0;
    return new Curvature.Range(smallest, linearised.range().largest());
  }

  private Condition boundedSecondMoments(Curvature.Range kappa) {
    boolean holds = kappa.smallest() > 0;
    return new Condition(
        "theorem 2 (2): κ1 = λmin(Σxx) > 0",
        holds,
        OptionalDouble.of(kappa.smallest()),
        ZERO,
        NONE,
        holds
            ? "κ1 = %s and κ2 = max λmax = %s"
                .formatted(number(kappa.smallest()), number(kappa.largest()))
            : "the pooled data do not determine all parameters");
  }

  private Condition smallSteps(Curvature.Range kappa) {
    String name = "theorem 2 (3): α κ2 σmax + SE(W) < κ1 σmin / (4 κ2 σmax)";
    if (weights.sigmaMax().value().isEmpty()) {
      return unknown(name, weights.sigmaMax());
    }
    if (weights.sigmaMinPlus().value().isEmpty()) {
      return unknown(name, weights.sigmaMinPlus());
    }
    double sigma = weights.sigmaMax().atMost();
    double sigmaMin = weights.sigmaMinPlus().atLeast();
    double limit =
        kappa.largest() > 0 ? kappa.smallest() / kappa.largest() * sigmaMin / (4 * sigma) : 0;
    return steps(name, problem.alpha(), kappa.largest() * sigma, limit);
  }

  /**
   * κ3 and κ4: the extreme eigenvalues over clients, the smallest 0 if some client's is singular.
   */
  private Curvature.Range localBounds() {
    Curvature.Range range = linearised.range();
    double smallest = range.smallest();
    if (linearised.convex()) {
      boolean regular =
          IntStream.range(0, problem.data().clients())
              .allMatch(m -> linearised.rank(new int[] {m}) == problem.parameters());
      smallest = regular ? Math.max(0, smallest) : 0;
    }
    return new Curvature.Range(smallest, range.largest());
  }

  private Condition convexEverywhere(Curvature.Range local) {
    String name = "theorem 3 (C1): strongly convex and smooth everywhere";
    if (problem.linear()) {
      return new Condition(
          name,
          local.smallest() > 0,
          OptionalDouble.of(local.smallest()),
          ZERO,
          NONE,
          localWords(local));
    }
    if (problem.loss() instanceof Glm) {
      return new Condition(
          name,
          false,
          ZERO,
          ZERO,
          NONE,
          "never holds for the %s model, whose curvature has no positive bound over all parameters; (C1') asks the same at the global estimate only"
              .formatted(problem.loss().name()));
    }
    return new Condition(
        name,
        null,
        NONE,
        ZERO,
        NONE,
        "cannot be decided from the Hessians of this loss at single points; (C1') asks the same at the global estimate only");
  }

  private Condition convexAtEstimate(Curvature.Range local) {
    return new Condition(
        "theorem 3 (C1'): strongly convex at the global estimate",
        local.smallest() > 0,
        OptionalDouble.of(local.smallest()),
        ZERO,
        NONE,
        localWords(local)
            + (problem.linear()
                ? "; the same as (C1), as the Hessian is constant"
                : "; the Lipschitz bound on the Hessian nearby is taken for granted"));
  }

  private String localWords(Curvature.Range local) {
    return local.smallest() > 0
        ? "κ3 = %s and κ4 = %s over all clients"
            .formatted(number(local.smallest()), number(local.largest()))
        : "some client's own Hessian is not positive definite; not needed: the pooled data of every closed class decide";
  }

  private Condition mixing() {
    String name = "theorem 3 (C2): λmax^½(Σw) < 1";
    if (weights.rhoSigmaW().value().isEmpty()) {
      return unknown(name, weights.rhoSigmaW());
    }
    double rho = weights.rhoSigmaW().value().getAsDouble();
    boolean holds = weights.rhoSigmaW().atMost() < ALMOST_ONE;
    if (!holds && weights.rhoSigmaW().atLeast() < ALMOST_ONE && weights.rhoSigmaW().error() > 0) {
      return unknown(
          name, Measured.not("it is 1 within the error of " + weights.rhoSigmaW().how()));
    }
    return new Condition(
        name,
        holds,
        OptionalDouble.of(rho),
        OptionalDouble.of(1),
        NONE,
        holds
            ? "one round of averaging brings all clients closer together"
            : "one round of averaging need not bring clients closer together, so (C2) holds for no step size (circle:1 is such a network); not needed for convergence");
  }

  private Condition generalSmallSteps(Curvature.Range local) {
    String name = "theorem 3 (C2): α σmax κ4 + SE(W) < κ3 (1 − ρ) / (2 κ4)";
    if (weights.sigmaMax().value().isEmpty()) {
      return unknown(name, weights.sigmaMax());
    }
    if (weights.rhoSigmaW().value().isEmpty()) {
      return unknown(name, weights.rhoSigmaW());
    }
    double sigma = weights.sigmaMax().atMost();
    double rho = weights.rhoSigmaW().atMost();
    double kept = rho < ALMOST_ONE ? 1 - rho : 0;
    double limit =
        local.largest() > 0 ? 0.5 * Math.max(0, local.smallest()) * kept / local.largest() : 0;
    return steps(name, problem.alpha(), sigma * local.largest(), limit);
  }

  /** α · slope + ŜE(W) &lt; limit, and the α up to which that would hold. */
  private Condition steps(String name, double alpha, double slope, double limit) {
    double value = alpha * slope + seW;
    boolean holds = value < limit;
    OptionalDouble largest =
        limit > seW && slope > 0
            ? OptionalDouble.of((limit - seW) / slope)
            : OptionalDouble.empty();
    String words =
        holds
            ? "the step size is small enough"
                + (problem.equalRows()
                    ? " for the bound to be proved"
                    : ", but the bound is proved only for the same n at every client")
            : largest.isPresent()
                ? "would hold for α below %s; sufficient and far from necessary"
                    .formatted(number(largest.getAsDouble()))
                : "holds for no step size here; sufficient and far from necessary";
    return new Condition(
        name, holds, OptionalDouble.of(value), OptionalDouble.of(limit), largest, words);
  }

  private static Condition unknown(String name, Measured missing) {
    return new Condition(name, null, NONE, NONE, NONE, "not decided: " + missing.how());
  }

  private static String number(double value) {
    return Certificate.number(value);
  }
}
