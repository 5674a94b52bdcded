package ngd.core.inference;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import ngd.core.algorithm.Moments;
import ngd.core.linalg.DampedNewton;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.Glm;
import ngd.core.model.Link;
import ngd.core.model.MEstimator;
import ngd.core.model.NoEstimate;
import ngd.core.model.Regression;
import ngd.core.model.Separation;
import ngd.core.world.World;

/**
 * Damped Newton on pooled sums from a point that all clients share, until the distance that remains
 * is small: near the estimate it is Le Cam's one-step estimator, repeated (docs/theory.md, 6).
 *
 * <p>A trial point of the line search costs a total of one number, a point that is accepted one of
 * p (p + 3) / 2 + 2.
 */
final class PooledNewton implements DampedNewton.Rules<Likelihood> {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(101, 30);

  /** A pooled loss may seem to rise by this share for rounding alone. */
  private static final double ROUNDING = 1e-12;

  /** A distance that shrinks by less stands still. */
  private static final double STANDS = 0.9;

  /** How far rows' predictors move is told in this many powers of four. */
  private static final int GRID = 32;

  /** The information of a column that does not vary, beside its variance over all rows. */
  private static final double UNVARIED = 1e-10;

  /** The same beside the weight of all rows: what rounding leaves of variances that are 0. */
  private static final double ROUNDED = 1e-13;

  /** A step so small beside the point it leads from is rounding. */
  private static final double LAST_DIGITS = 1e-13;

  /** Links whose predictors have a unit, that of the response: 1 is neither large nor small. */
  private static final Set<String> IN_UNITS =
      Stream.of(Link.IDENTITY, Link.INVERSE, Link.SQRT, Link.INVERSE_SQUARE)
          .map(Link::word)
          .collect(Collectors.toUnmodifiableSet());

  private final PooledLikelihood likelihood;
  private final List<String> terms;
  private final Coordinates coordinates;
  private final double enough;

  /** The distance at the point before. */
  private double last = Double.POSITIVE_INFINITY;

  /**
   * Newton steps on a likelihood.
   *
   * @param enough the distance, in standard errors, that may remain
   */
  PooledNewton(
      PooledLikelihood likelihood, List<String> terms, Coordinates coordinates, double enough) {
    this.likelihood = likelihood;
    this.terms = terms;
    this.coordinates = coordinates;
    this.enough = enough;
  }

  /**
   * Takes steps until what remains is less than enough.
   *
   * @throws NoEstimate where the data separate, or where nothing helps any more
   */
  FitEnd from(double[] start) {
    Likelihood first = curved(start);
    if (likelihood.regression() instanceof Cox && likelihood.penalty().none()) {
      requireVaried(first);
    }
    if (!first.usable()) {
      throw noProgress("the pooled Hessian is not positive definite where they start");
    }
    DampedNewton.End<Likelihood> end = DampedNewton.from(first, this, LIMITS);
    double distance = likelihood.distance(end.point());
    boolean stuck = end.outcome() == DampedNewton.Outcome.NO_PROGRESS;
    if (end.outcome() == DampedNewton.Outcome.DONE || (stuck && distance <= enough)) {
      return new FitEnd(end.point(), distance, 0, end.steps());
    }
    throw noProgress(
        "Newton's method made no more progress, %.3g standard errors from where the score would be zero"
            .formatted(distance));
  }

  /**
   * Refuses columns of which risk sets do not tell: each column is there what the ones before it
   * leave of it over all rows, and must have information that theirs does not explain.
   */
  private void requireVaried(Likelihood first) {
    int p = likelihood.coefficients();
    double[] left = first.hessian().clone();
    double largest = 1;
    for (int j = 0; j < p; j++) {
      largest = Math.max(largest, left[j * p + j]);
    }
    double least = Math.max(UNVARIED * largest, ROUNDED * likelihood.size().weight());
    for (int j = 0; j < p; j++) {
      double pivot = left[j * p + j];
      if (!(pivot > least)) {
        throw varied(j, first.hessian(), least);
      }
      for (int i = j + 1; i < p; i++) {
        double factor = left[i * p + j] / pivot;
        for (int k = j + 1; k < p; k++) {
          left[i * p + k] -= factor * left[j * p + k];
        }
      }
    }
  }

  private NoEstimate varied(int column, double[] hessian, double least) {
    int p = likelihood.width();
    int own = likelihood.coefficients();
    double[] upper = coordinates.upper();
    double here = 0;
    double most = 0;
    for (int i = 0; i <= column; i++) {
      for (int k = 0; k <= column; k++) {
        double part = upper[i * p + column] * upper[k * p + column];
        here += part * hessian[i * own + k];
        most += i == k ? Math.abs(part) : 0;
      }
    }
    return new NoEstimate(
        NoEstimate.Reason.REDUNDANT_COLUMN,
        here <= least * most
            ? "column `%s`: must differ between rows that are at risk together, in some stratum at the time of an event; it does not; leave it out"
                .formatted(terms.get(column))
            : "column `%s`: must not depend on the columns before it among rows that are at risk together, at the times of events; it does; leave it out"
                .formatted(terms.get(column)));
  }

  private NoEstimate noProgress(String why) {
    boolean bounded = likelihood.regression() instanceof Glm glm && !glm.everywhere();
    String edge =
        bounded
            ? "under the link %s not every linear predictor has a mean of its family, and rows at the edge of those that have one hold the steps: try another link, or fewer covariates"
                .formatted(likelihood.regression().link())
            : "are some covariates or responses on an extreme scale?";
    return new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED, "Newton steps: %s; %s".formatted(why, edge));
  }

  @Override
  public double value(double[] theta) {
    return likelihood.value(theta);
  }

  @Override
  public Likelihood at(double[] theta, double value) {
    return curved(theta);
  }

  /**
   * The likelihood at a point; where a loss that is not convex bends the wrong way, with the
   * expected information in the place of the Hessian.
   */
  private Likelihood curved(double[] theta) {
    Likelihood at = likelihood.at(theta);
    boolean helped =
        switch (likelihood.regression()) {
          case Glm glm -> !glm.convex();
          // Where too few rows have a curvature, that of all rows is a bound on it.
          case MEstimator _ -> true;
          case Cox _, Categories _ -> false;
        };
    return at.usable() || !helped || !(likelihood instanceof SummedLikelihood sums)
        ? at
        : at.curved(sums.information(theta));
  }

  @Override
  public double ceiling(Likelihood here, double share) {
    return here.penalised() + ROUNDING * (1 + Math.abs(here.penalised()));
  }

  @Override
  public boolean done(Likelihood here) {
    double distance = likelihood.distance(here);
    boolean slow = distance > Separation.SLOW * last && distance > Separation.FLAT * 1e-4;
    boolean stands = distance >= STANDS * last;
    last = distance;
    if (distance >= Separation.FLAT) {
      return (distance <= enough && !slow) || rounding(here);
    }
    if (slow) {
      requireNotSeparated(likelihood.whole(here.move()));
    }
    // Neither the data nor their model keep the distance from shrinking further: it is rounding.
    return distance <= enough || stands || rounding(here);
  }

  /** Whether a step changes no more than the last digits of a point: none can be better. */
  private boolean rounding(Likelihood here) {
    double length = length(here.theta());
    double size = IN_UNITS.contains(likelihood.regression().link()) ? length : 1 + length;
    return length(here.move()) <= LAST_DIGITS * size;
  }

  private static double length(double[] vector) {
    double length = 0;
    for (double entry : vector) {
      length = Math.hypot(length, entry);
    }
    return length;
  }

  /**
   * Where steps keep their length while the likelihood hardly changes, and no row's fit gets worse
   * along them, the likelihood increases without bound. No rows are counted: a client says only
   * whether it has any.
   */
  void requireNotSeparated(double[] ahead) {
    Regression regression = likelihood.regression();
    double[] moves = new double[GRID];
    Arrays.setAll(moves, k -> Math.scalb(Separation.MOVES, 2 * k));
    double[] moving =
        regression instanceof Categories classes
            ? clients(moves, ahead, classes, false)
            : clients(moves, ahead, (eta, y, offset, w) -> Math.abs(eta - offset));
    int largest = GRID;
    while (largest > 0 && moving[largest - 1] == 0) {
      largest--;
    }
    if (largest == 0) {
      return;
    }
    double[] limits = {Separation.AGAINST * moves[largest - 1]};
    double[] against =
        switch (regression) {
          case Categories classes -> clients(limits, ahead, classes, true);
          case Glm glm ->
              clients(limits, ahead, (eta, y, offset, w) -> glm.against(eta - offset, y));
          // Convex, and it increases with every residual: it has a minimum.
          case MEstimator _ -> new double[] {1};
          // Steps that keep their length while no risk set's loss changes: none has an end.
          case Cox _ ->
              throw Separation.monotone(coordinates.back(ahead), coordinates.norms(), terms);
        };
    if (against[0] > 0) {
      return;
    }
    throw Separation.found(coordinates.back(ahead), coordinates.norms(), terms, "some");
  }

  /** The same of classes, where a step moves several predictors of a row. */
  private double[] clients(double[] limits, double[] ahead, Categories classes, boolean against) {
    World world = likelihood.world();
    return Pooled.having(
        world, m -> world.rowSums(m, shard -> classes.moved(shard, ahead, limits, against)));
  }

  /** The clients that have a row whose linear predictor a step moves by much. */
  double moving(double[] ahead) {
    return clients(
        new double[] {Separation.MOVES}, ahead, (eta, y, offset, w) -> Math.abs(eta - offset))[0];
  }

  /** How many clients have a row in which a term is above each of some limits. */
  private double[] clients(double[] limits, double[] ahead, Moments.RowTerm term) {
    World world = likelihood.world();
    Moments.RowTerm[] above = new Moments.RowTerm[limits.length];
    for (int k = 0; k < limits.length; k++) {
      double limit = limits[k];
      above[k] = (eta, y, offset, w) -> w > 0 && term.of(eta, y, offset, w) > limit ? 1 : 0;
    }
    return Pooled.having(world, m -> world.curved().moments(m).sums(ahead, above));
  }
}
