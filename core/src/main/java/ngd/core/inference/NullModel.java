package ngd.core.inference;

import ngd.core.algorithm.Moments;
import ngd.core.model.Glm;
import ngd.core.model.NoEstimate;
import ngd.core.world.World;

/**
 * The model with an intercept and offsets alone, or with offsets alone where there is no intercept:
 * where the rounds start, and what deviances are compared with.
 *
 * @param intercept its one coefficient, 0 where it has none
 * @param loss the pooled loss there, in units of one row's
 */
record NullModel(double intercept, double loss) {
  private static final int MOST_STEPS = 100;

  /** Newton's method in one number, by totals of three. */
  static NullModel fit(World world, Glm glm, int p, boolean hasIntercept) {
    double[] nowhere = new double[p];
    if (!hasIntercept) {
      return new NullModel(0, at(world, glm, nowhere, 0)[0]);
    }
    double[] first =
        Pooled.total(
            world,
            m ->
                world
                    .curved()
                    .moments(m)
                    .sums(
                        nowhere,
                        (eta, y, offset, weight) -> weight,
                        (eta, y, offset, weight) -> weight * y,
                        (eta, y, offset, weight) -> weight * offset));
    double mean = first[1] / first[0];
    double level = glm.predictor(mean) - first[2] / first[0];
    if (!Double.isFinite(level)) {
      throw new NoEstimate(
          NoEstimate.Reason.SEPARATION,
          "no maximum-likelihood estimate exists: the response is %s in every row; check it"
              .formatted(mean == Math.rint(mean) ? Long.toString((long) mean) : "" + mean));
    }
    double[] now = at(world, glm, nowhere, level);
    for (int step = 0; step < MOST_STEPS; step++) {
      double move = now[1] / now[2];
      if (!(now[1] * move > 1e-16 * (1 + Math.abs(now[0])))) {
        return new NullModel(level, now[0]);
      }
      double share = 1;
      double[] next = at(world, glm, nowhere, level - move);
      while (!(next[0] <= now[0]) && share > 1e-10) {
        share /= 2;
        next = at(world, glm, nowhere, level - share * move);
      }
      if (!(next[0] <= now[0])) {
        return new NullModel(level, now[0]);
      }
      level -= share * move;
      now = next;
    }
    return new NullModel(level, now[0]);
  }

  /** Loss, score and curvature of all rows where every predictor is this level plus its offset. */
  private static double[] at(World world, Glm glm, double[] nowhere, double level) {
    Moments.RowTerm loss = (eta, y, offset, w) -> w * glm.rowLoss(level + offset, y);
    Moments.RowTerm score = (eta, y, offset, w) -> w * glm.score(level + offset, y);
    Moments.RowTerm curvature = (eta, y, offset, w) -> w * glm.curvature(level + offset, y);
    return Pooled.total(
        world, m -> world.curved().moments(m).sums(nowhere, loss, score, curvature));
  }
}
