package ngd.core.world;

import ngd.core.linalg.Kernels;
import ngd.core.model.Objective;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;

/**
 * Minimisers of convex losses plus ρ / 2 times the squared distance to a centre by Newton's steps
 * whose Hessian is that of another point: near enough to it each costs a gradient and shortens the
 * way by far, and where the centre has hardly moved the first is the last.
 */
final class ChordProx {
  /** Beside the point, how long a first step may be that is the last. */
  private static final double LAST_STEP = 1e-12;

  /** The same for the step that would come next, if it got shorter as the last one did. */
  private static final double NEXT_STEP = 1e-14;

  /** A step must be shorter than this share of the one before, or it is not near enough. */
  private static final double SHORTER = 0.25;

  /** More gradients than these, and a Hessian is wanted that is so many times as near. */
  private static final int FEW = 3;

  private static final double NEARER = 10;

  /** How a client's minimiser was found. */
  enum Way {
    /** By few steps, or no Hessian would have helped much. */
    NEAR,
    /** By many, from a Hessian that has become an old one. */
    FAR,
    /** It was not: steps did not get shorter. */
    NONE
  }

  private final Objective objective;
  private final GradientCount gradients;
  private final double[] rho;
  private final KeptInverses inverses;

  ChordProx(Objective objective, GradientCount gradients, double[] rho, Kernels kernels) {
    this.objective = objective;
    this.gradients = gradients;
    this.rho = rho.clone();
    inverses = new KeptInverses(objective, rho, kernels, this::hessian);
  }

  private double[] hessian(int client, double[] point) {
    int p = point.length;
    double[] hessian = new double[p * p];
    objective.quadratic(client, point, new double[p], hessian);
    gradients.one(client, objective.shards().rows(client));
    return hessian;
  }

  boolean isFor(double[] others) {
    return inverses.isFor(others);
  }

  /** Blocks that steps are made in. */
  static final class Spare {
    final HostRows slope;
    final HostRows next;

    Spare(Host host, HostRows like) {
      slope = host.block(like.rows(), like.width());
      next = host.block(like.rows(), like.width());
    }
  }

  /**
   * Moves the rows [from, to) of {@code at} to their minimisers, or as far as steps get shorter.
   *
   * @param near the points whose Hessians are taken
   * @param ways written for these rows
   */
  void solve(
      HostRows centre, HostRows near, HostRows at, Spare spare, Way[] ways, int from, int to) {
    inverses.prepare(near, from, to);
    objective.gradients(at.values(), spare.slope.values(), at.stride(), from, to);
    for (int m = from; m < to; m++) {
      ways[m] = inverses.isDefinite(m) ? solve(m, centre, at, spare) : Way.NONE;
    }
  }

  /** From the gradient where it begins. */
  private Way solve(int m, HostRows centre, HostRows at, Spare spare) {
    int first = m * at.stride();
    int end = first + at.width();
    double[] x = at.values();
    double[] slope = spare.slope.values();
    double[] next = spare.next.values();
    double start = 0;
    double before = Double.POSITIVE_INFINITY;
    for (int looks = 1; true; looks++) {
      gradients.one(m, objective.shards().rows(m));
      for (int i = first; i < end; i++) {
        slope[i] = Math.fma(rho[m], x[i] - centre.values()[i], slope[i]);
      }
      // x and what it moves by, with the sign turned.
      inverses.times(spare.slope, at, spare.next, m, m + 1);
      double move = 0;
      double size = 1;
      for (int i = first; i < end; i++) {
        size = Math.max(size, Math.abs(x[i]));
        move = Math.max(move, Math.abs(x[i] + next[i]));
      }
      if (!(move < SHORTER * before)) {
        return Way.NONE;
      }
      for (int i = first; i < end; i++) {
        x[i] = -next[i];
      }
      start = Math.max(start, move);
      double coming = looks == 1 ? Double.POSITIVE_INFINITY : move * (move / before);
      if (move <= LAST_STEP * size || coming <= NEXT_STEP * size) {
        boolean old = Math.sqrt(inverses.distance(at, m)) > NEARER * start;
        return looks > FEW && old ? Way.FAR : Way.NEAR;
      }
      before = move;
      objective.gradient(m, x, first, slope, first);
    }
  }
}
