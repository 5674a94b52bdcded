package ngd.core.inference;

import ngd.core.algorithm.Moments;
import ngd.core.world.World;

/**
 * How much there is of everything, over all clients.
 *
 * @param clients M
 * @param rows N
 * @param counted the rows of positive weight, which degrees of freedom count
 * @param weight the sum of the weights
 * @param logWeight the sum of the logarithms of the positive weights
 */
record Size(double clients, double rows, long counted, double weight, double logWeight) {

  static Size of(World world, int p) {
    double[] sums =
        Pooled.bounded(
            world,
            m -> {
              Moments own = world.curved().moments(m);
              return Pooled.joined(
                  new double[] {1, own.rows()},
                  own.sums(
                      new double[p],
                      (eta, y, offset, weight) -> weight > 0 ? 1 : 0,
                      (eta, y, offset, weight) -> weight,
                      (eta, y, offset, weight) -> weight > 0 ? Math.log(weight) : 0));
            });
    Size size = new Size(sums[0], sums[1], (long) sums[2], sums[3], sums[4]);
    Magnitudes.requireWeights(world, p, size);
    return size;
  }
}
