package ngd.core.inference;

import java.util.Arrays;
import java.util.function.IntFunction;
import ngd.core.world.World;

/**
 * What clients here have found of a trial point beyond its loss, before they are asked for it: the
 * pass over their rows is the same, and most trial points are accepted. Nothing of it is said
 * before.
 */
final class Ahead {
  private double[] point = {};
  private double[][] found = {};

  /** Whether a trial point was not asked for again: then the next is no more likely to be. */
  private boolean inVain;

  /**
   * The total of the first number alone.
   *
   * @param all what a client will say of the point where it is accepted
   * @param first the first number of that by itself, which is the same
   */
  double[] first(
      World world, double[] theta, IntFunction<double[]> all, IntFunction<double[]> first) {
    if (inVain) {
      return Pooled.bounded(world, first);
    }
    double[][] own = new double[world.rows()][];
    double[] total =
        Pooled.bounded(
            world,
            m -> {
              own[m] = all.apply(m);
              return new double[] {own[m][0]};
            });
    point = theta.clone();
    found = own;
    inVain = true;
    return total;
  }

  /** The total of all. */
  double[] all(World world, double[] theta, IntFunction<double[]> all) {
    boolean known = Arrays.equals(point, theta);
    double[][] own = found;
    double[] total = Pooled.bounded(world, m -> known ? own[m] : all.apply(m));
    point = new double[0];
    found = new double[0][];
    inVain = false;
    return total;
  }
}
