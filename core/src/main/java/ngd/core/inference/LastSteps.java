package ngd.core.inference;

import java.util.List;
import ngd.core.model.Glm;
import ngd.core.model.NoEstimate;
import ngd.core.model.Separation;
import ngd.core.world.World;

/**
 * Newton's method on pooled sums from a point that all clients share: Le Cam's one-step estimator,
 * repeated until the distance that remains is small (docs/theory.md, 6).
 */
final class LastSteps {
  private static final int MOST_STEPS = 100;
  private static final double LEAST_SHARE = 1e-9;

  /** A pooled loss may seem to rise by this share for rounding alone. */
  private static final double ROUNDING = 1e-12;

  /** Residuals below this share of the linear predictors are rounding. */
  private static final double PRECISION = 1e-9;

  private final World world;
  private final Glm glm;
  private final List<String> terms;
  private final Coordinates coordinates;
  private final Size size;
  private final Penalty penalty;
  private final double enough;
  private final boolean taken;

  LastSteps(
      World world,
      Glm glm,
      List<String> terms,
      Coordinates coordinates,
      Size size,
      Penalty penalty,
      PooledFit.Settings settings) {
    this.world = world;
    this.glm = glm;
    this.terms = terms;
    this.coordinates = coordinates;
    this.size = size;
    this.penalty = penalty;
    enough = settings.biasShare();
    taken = settings.lastStep();
  }

  /** Where a fit ended. */
  static final class End {
    private final double[] theta;
    private final Likelihood likelihood;
    private final double distance;
    private final int steps;
    private final int rounds;

    End(double[] theta, Likelihood likelihood, double distance, int steps, int rounds) {
      this.theta = theta;
      this.likelihood = likelihood;
      this.distance = distance;
      this.steps = steps;
      this.rounds = rounds;
    }

    double[] theta() {
      return theta;
    }

    Likelihood likelihood() {
      return likelihood;
    }

    /** What remains, in standard errors. */
    double distance() {
      return distance;
    }

    int steps() {
      return steps;
    }

    int rounds() {
      return rounds;
    }
  }

  /** Takes steps until what remains is less than enough. */
  End from(double[] start) {
    double[] theta = start;
    Likelihood here = at(theta);
    double last = Double.POSITIVE_INFINITY;
    for (int step = 0; step <= MOST_STEPS; step++) {
      double[] move = here.step();
      double distance = here.distance(move, dispersion(here, theta));
      boolean slow = distance > Separation.SLOW * last && distance > Separation.FLAT * 1e-4;
      if (distance <= enough && !slow) {
        return new End(theta, here, distance, step, 0);
      }
      if (slow && distance < Separation.FLAT) {
        requireNotSeparated(move);
      }
      double share = 1;
      double[] candidate = moved(theta, move, share);
      Likelihood next = at(candidate);
      while (!improves(next, here) && share > LEAST_SHARE) {
        share /= 2;
        candidate = moved(theta, move, share);
        next = at(candidate);
      }
      if (!improves(next, here)) {
        if (distance <= enough) {
          return new End(theta, here, distance, step, 0);
        }
        break;
      }
      theta = candidate;
      here = next;
      last = distance;
    }
    throw new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "the last steps: Newton's method made no more progress, %.3g standard errors from where the score would be zero; are some covariates or responses on an extreme scale?"
            .formatted(here.distance(here.step(), dispersion(here, theta))));
  }

  private Likelihood at(double[] theta) {
    return Likelihood.at(world, glm, theta, penalty, size.rows(), taken);
  }

  /** What remains at a point where no step will be taken. */
  End judged(double[] theta, int rounds) {
    Likelihood here = at(theta);
    return new End(theta, here, here.distance(here.step(), dispersion(here, theta)), 0, rounds);
  }

  /**
   * Pearson's estimate where the family has a dispersion, else 1. A perfect fit has none to speak
   * of, and rounding must not be measured in units of rounding.
   */
  double dispersion(Likelihood likelihood, double[] theta) {
    long freedom = size.counted() - terms.size();
    if (!glm.dispersed() || freedom == 0) {
      return 1;
    }
    double length = 0;
    for (double t : theta) {
      length = Math.hypot(length, t);
    }
    double floor = PRECISION * (glm.factor() == 1 ? length : 1);
    return Math.max(likelihood.pearson() / freedom, floor * floor);
  }

  World world() {
    return world;
  }

  Glm glm() {
    return glm;
  }

  Size size() {
    return size;
  }

  private static boolean improves(Likelihood next, Likelihood before) {
    return next.usable()
        && next.penalised() <= before.penalised() + ROUNDING * (1 + Math.abs(before.penalised()));
  }

  private static double[] moved(double[] theta, double[] step, double share) {
    double[] moved = theta.clone();
    for (int j = 0; j < moved.length; j++) {
      moved[j] -= share * step[j];
    }
    return moved;
  }

  /**
   * Where steps keep their length while the likelihood hardly changes, and no row's fit gets worse
   * along them, the likelihood grows for ever.
   */
  private void requireNotSeparated(double[] step) {
    double[] ahead = new double[step.length];
    for (int j = 0; j < ahead.length; j++) {
      ahead[j] = -step[j];
    }
    double largest =
        Pooled.max(
            world,
            m ->
                world
                    .curved()
                    .moments(m)
                    .largest(ahead, (eta, y, offset, w) -> w > 0 ? Math.abs(eta - offset) : 0));
    double against =
        Pooled.max(
            world,
            m ->
                world
                    .curved()
                    .moments(m)
                    .largest(
                        ahead,
                        (eta, y, offset, w) ->
                            w > 0 ? Separation.against(glm, eta - offset, y) : 0));
    if (!(largest > Separation.MOVES && against <= Separation.AGAINST * largest)) {
      return;
    }
    double[] escaping =
        Pooled.total(
            world,
            m ->
                world
                    .curved()
                    .moments(m)
                    .sums(
                        ahead,
                        (eta, y, offset, w) ->
                            w > 0 && Math.abs(eta - offset) > Separation.MOVES ? 1 : 0));
    throw Separation.found(
        coordinates.back(ahead), coordinates.norms(), terms, (long) escaping[0], size.counted());
  }
}
