package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;

/**
 * The proximal step of a loss with kinks over one client's rows: the minimiser of Σ g_i f_i(x_iᵀθ)
 * + ρ/2 ‖θ − c‖², g_i the share of a row.
 *
 * <p>A row's loss is the largest a (η − kink) of all a between its two slopes. Less ε a² / 2 it is
 * smooth, its derivative (η − kink) / ε between the slopes, and Newton's method minimises the sum.
 * As ε falls to 0 the rows between their slopes become those that lie on their kinks at the
 * minimum. Once these are known so is the minimum, by one linear system; it is taken where it
 * satisfies all conditions of a minimum, so that the result is exact up to rounding whatever ε was.
 */
final class KinkedProx {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(200, 40);

  /** How much smaller each ε is than the one before, and the last beside the first. */
  private static final double FALL = 8;

  private static final double LAST = 1e-13;

  /** What rounding may do to a distance from a kink, beside its terms. */
  private static final double ROUNDING = 1e-12;

  private final int n;
  private final int p;
  private final double[] x;
  private final double[] kink;
  private final double[] share;
  private final double[] lower;
  private final double[] upper;

  KinkedProx(KinkedLoss loss, Shards shards, int client) {
    shards.requireHeld("the proximal step of the loss " + loss.name());
    Shard shard = shards.shard(client);
    n = shard.rows();
    p = shard.features();
    x = new double[n * p];
    kink = new double[n];
    share = new double[n];
    lower = new double[n];
    upper = new double[n];
    double[] row = new double[p];
    for (int i = 0; i < n; i++) {
      shard.row(i, row);
      System.arraycopy(row, 0, x, i * p, p);
      kink[i] = loss.kink(shard.y(i)) - shard.offset(i);
      share[i] = loss.factor() * shard.weight(i) / n;
      lower[i] = loss.lower(shard.y(i));
      upper[i] = loss.upper(shard.y(i));
    }
  }

  /** The pooled minimiser: steps of ever smaller ρ, each from the last, until one stands still. */
  static GlobalEstimate minimise(KinkedLoss loss, Shards shards) {
    KinkedProx all = new KinkedProx(loss, shards.asOne(), 0);
    double[] theta = new double[all.p];
    double rho = 1;
    for (int step = 1; step <= 60; step++) {
      double[] next = all.solve(theta, rho);
      if (step > 2 && all.distance(next, theta) == 0) {
        return new GlobalEstimate(next, "proximal steps", step);
      }
      theta = next;
      rho /= 4;
    }
    throw new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "the global estimate of the loss `%s`: proximal steps made no more progress"
            .formatted(loss.name()));
  }

  /** How far two points are from each other, 0 where that is rounding. */
  private double distance(double[] a, double[] b) {
    double most = 0;
    for (int j = 0; j < p; j++) {
      double off = Math.abs(a[j] - b[j]);
      most = Math.max(most, off <= ROUNDING * (1 + Math.abs(b[j])) ? 0 : off);
    }
    return most;
  }

  double[] solve(double[] centre, double rho) {
    double[] theta = centre.clone();
    double first = Double.MIN_NORMAL;
    for (int i = 0; i < n; i++) {
      first = Math.max(first, Math.abs(past(i, centre)));
    }
    for (double epsilon = first; epsilon >= LAST * first; epsilon /= FALL) {
      theta = smoothed(theta, centre, rho, epsilon);
      double[] exact = exact(theta, centre, rho, epsilon);
      if (exact.length > 0) {
        return exact;
      }
    }
    return theta;
  }

  /** η less the kink. */
  private double past(int i, double[] theta) {
    double eta = -kink[i];
    for (int j = 0; j < p; j++) {
      eta = Math.fma(x[i * p + j], theta[j], eta);
    }
    return eta;
  }

  private double slope(int i, double past, double epsilon) {
    double u = past / epsilon;
    return u < lower[i] ? lower[i] : u > upper[i] ? upper[i] : u;
  }

  private double[] smoothed(double[] start, double[] centre, double rho, double epsilon) {
    Smoothed rules = new Smoothed(centre, rho, epsilon);
    Place last = DampedNewton.from(rules.at(start, rules.value(start)), rules, LIMITS).point();
    double[] further = DampedNewton.moved(last.theta, 1, last.move);
    return rules.value(further) <= last.value ? further : last.theta;
  }

  /**
   * The minimum, if the rows that are between their slopes at theta lie on their kinks there and
   * all others on the same sides as at theta; else nothing.
   */
  private double[] exact(double[] theta, double[] centre, double rho, double epsilon) {
    int[] on = new int[n];
    int count = 0;
    double[] pull = new double[p];
    for (int i = 0; i < n; i++) {
      double u = past(i, theta) / epsilon;
      if (share[i] > 0 && u > lower[i] && u < upper[i]) {
        on[count++] = i;
        if (count > p) {
          return new double[0];
        }
      } else {
        add(pull, i, share[i] * slope(i, past(i, theta), epsilon) / rho);
      }
    }
    double[] free = DampedNewton.moved(centre, -1, pull);
    double[] forces = new double[count];
    double[] gram = new double[count * count];
    for (int a = 0; a < count; a++) {
      forces[a] = past(on[a], free);
      for (int b = 0; b < count; b++) {
        for (int j = 0; j < p; j++) {
          gram[a * count + b] = Math.fma(x[on[a] * p + j], x[on[b] * p + j], gram[a * count + b]);
        }
      }
    }
    if (count > 0 && !SymmetricMatrix.solveInPlace(gram, count, forces)) {
      return new double[0];
    }
    double[] found = free;
    for (int a = 0; a < count; a++) {
      double slope = rho * forces[a] / share[on[a]];
      double slack = ROUNDING * (1 + Math.abs(slope));
      if (!(slope >= lower[on[a]] - slack && slope <= upper[on[a]] + slack)) {
        return new double[0];
      }
      double[] moved = found.clone();
      add(moved, on[a], -forces[a]);
      found = moved;
    }
    return sidesHold(found, theta, epsilon, Arrays.copyOf(on, count)) ? found : new double[0];
  }

  private boolean sidesHold(double[] found, double[] theta, double epsilon, int[] on) {
    boolean[] kinked = new boolean[n];
    for (int i : on) {
      kinked[i] = true;
    }
    for (int i = 0; i < n; i++) {
      if (!kinked[i] && share[i] > 0) {
        double past = past(i, found);
        double slack = ROUNDING * (1 + Math.abs(kink[i]));
        boolean after = past(i, theta) / epsilon >= upper[i];
        if (after ? past < -slack : past > slack) {
          return false;
        }
      }
    }
    return true;
  }

  private void add(double[] sum, int i, double factor) {
    for (int j = 0; j < p; j++) {
      sum[j] = Math.fma(factor, x[i * p + j], sum[j]);
    }
  }

  /** The smooth problem of one ε. */
  private final class Smoothed implements DampedNewton.Rules<Place> {
    private final double[] centre;
    private final double rho;
    private final double epsilon;

    Smoothed(double[] centre, double rho, double epsilon) {
      this.centre = centre;
      this.rho = rho;
      this.epsilon = epsilon;
    }

    @Override
    public double value(double[] theta) {
      double sum = 0;
      for (int j = 0; j < p; j++) {
        sum += rho / 2 * (theta[j] - centre[j]) * (theta[j] - centre[j]);
      }
      for (int i = 0; i < n; i++) {
        double past = past(i, theta);
        double a = slope(i, past, epsilon);
        sum += share[i] * a * (past - epsilon * a / 2);
      }
      return sum;
    }

    @Override
    public Place at(double[] theta, double value) {
      double[] gradient = new double[p];
      double[] hessian = new double[p * p];
      double[] row = new double[p];
      for (int i = 0; i < n; i++) {
        double past = past(i, theta);
        double u = past / epsilon;
        add(gradient, i, share[i] * slope(i, past, epsilon));
        if (u > lower[i] && u < upper[i]) {
          System.arraycopy(x, i * p, row, 0, p);
          SymmetricMatrix.addSquare(hessian, p, share[i] / epsilon, row);
        }
      }
      double[] move = new double[p];
      for (int j = 0; j < p; j++) {
        gradient[j] += rho * (theta[j] - centre[j]);
        move[j] = -gradient[j];
        hessian[j * (p + 1)] += rho;
        for (int k = 0; k < j; k++) {
          hessian[k * p + j] = hessian[j * p + k];
        }
      }
      if (!SymmetricMatrix.solveInPlace(hessian, p, move)) {
        throw new ArithmeticException("proximal step: rho is too small beside the rows");
      }
      return new Place(theta, value, move, PooledLoss.dot(gradient, move));
    }

    @Override
    public double ceiling(Place here, double share) {
      return here.value + 1e-4 * share * here.slope;
    }

    @Override
    public boolean done(Place here) {
      return here.slope >= -1e-16 * (Double.MIN_NORMAL + Math.abs(here.value));
    }
  }

  /** A point with the quadratic model there. */
  private static final class Place implements DampedNewton.Point {
    private final double[] theta;
    private final double value;
    private final double[] move;
    private final double slope;

    Place(double[] theta, double value, double[] move, double slope) {
      this.theta = theta;
      this.value = value;
      this.move = move;
      this.slope = slope;
    }

    @Override
    public double[] theta() {
      return theta;
    }

    @Override
    public double[] move() {
      return move;
    }
  }
}
