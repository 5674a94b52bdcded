package ngd.core.algorithm;

import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;

/**
 * The minimiser of a client's loss plus rho / 2 times the squared distance to a centre, by Newton
 * with steps halved until the sum falls.
 */
public final class ProximalStep implements DampedNewton.Rules<ProximalStep.Place> {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(100, 34);

  /** After a step so small beside theta, only rounding error is left. */
  private static final double LAST_STEP = 1e-9;

  /** What a sum over rows may be off by, beside the sum. */
  private static final double ROUNDING = 1e-14;

  private final Moments loss;
  private final double[] centre;
  private final double rho;

  private ProximalStep(Moments loss, double[] centre, double rho) {
    this.loss = loss;
    this.centre = centre;
    this.rho = rho;
  }

  /** The minimiser, found the sooner the nearer {@code start} is to it. */
  public static double[] solve(Moments loss, double[] centre, double rho, double[] start) {
    requirePositive(rho);
    return new ProximalStep(loss, centre, rho).descend(start);
  }

  public static void requirePositive(double rho) {
    if (!(rho > 0)) {
      throw new IllegalArgumentException("rho: must be positive; got " + rho);
    }
  }

  public static ArithmeticException notConvex() {
    return new ArithmeticException(
        "proximal step: the loss plus rho / 2 of the squared distance must be convex");
  }

  /** Whether only rounding error is left after a Newton step as small as this. */
  public static boolean isLast(double[] theta, double[] move) {
    return largest(move) <= LAST_STEP * (1 + largest(theta));
  }

  private double[] descend(double[] start) {
    DampedNewton.End<Place> end = DampedNewton.from(at(start, value(start)), this, LIMITS);
    Place last = end.point();
    // The last step is below the rounding of the value.
    return end.outcome() == DampedNewton.Outcome.DONE
        ? DampedNewton.moved(last.theta, 1, last.move)
        : last.theta;
  }

  @Override
  public double value(double[] at) {
    double distance = 0;
    for (int j = 0; j < at.length; j++) {
      distance += (at[j] - centre[j]) * (at[j] - centre[j]);
    }
    return loss.value(at) + rho / 2 * distance;
  }

  @Override
  public Place at(double[] theta, double value) {
    int p = theta.length;
    double[] move = loss.gradient(theta);
    double[] hessian = loss.hessian(theta);
    for (int j = 0; j < p; j++) {
      move[j] = -(move[j] + rho * (theta[j] - centre[j]));
      hessian[j * p + j] += rho;
    }
    if (!SymmetricMatrix.solveInPlace(hessian, p, move)) {
      throw notConvex();
    }
    return new Place(theta, value, move);
  }

  @Override
  public double ceiling(Place here, double share) {
    return here.value + ROUNDING * Math.abs(here.value);
  }

  @Override
  public boolean done(Place here) {
    return isLast(here.theta, here.move);
  }

  private static double largest(double[] vector) {
    double largest = 0;
    for (double v : vector) {
      largest = Math.max(largest, Math.abs(v));
    }
    return largest;
  }

  /** A point with the quadratic model there. */
  static final class Place implements DampedNewton.Point {
    private final double[] theta;
    private final double value;
    private final double[] move;

    Place(double[] theta, double value, double[] move) {
      this.theta = theta;
      this.value = value;
      this.move = move;
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
