package ngd.core.inference;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Moments;
import ngd.core.data.Table;
import ngd.core.linalg.DampedNewton;
import ngd.core.model.Categories;
import ngd.core.model.Glm;
import ngd.core.model.NoEstimate;
import ngd.core.world.World;

/**
 * The model with an intercept and offsets alone, or with offsets alone where there is no intercept:
 * where the rounds start, and what deviances are compared with.
 *
 * @param there its coefficients, the first ones in the coordinates of the whole model; none where
 *     it has none
 * @param intercept its one coefficient, 0 where it has none or several
 * @param loss the pooled loss there, in units of one row's
 */
record NullModel(List<Double> there, double intercept, double loss) {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(100, 34);

  /** By how much of itself a sum of many rows may rise by rounding alone. */
  private static final double ROUNDING = 1e-12;

  NullModel {
    there = List.copyOf(there);
  }

  /** Its point among these many coefficients. */
  double[] point(int coefficients) {
    double[] point = new double[coefficients];
    for (int j = 0; j < there.size(); j++) {
      point[j] = there.get(j);
    }
    return point;
  }

  /** The coefficients that it has. */
  int coefficients() {
    return there.size();
  }

  /** Newton's method in one number, by totals of four. */
  static NullModel fit(
      World world, Glm glm, Coordinates coordinates, int p, boolean hasIntercept, Size size) {
    NullModel found =
        fit(new NullLikelihood(world, glm, p, new Ahead()), coordinates, hasIntercept);
    Magnitudes.requireResponse(world, glm, p, found.loss(), size);
    return found;
  }

  /** Where no coefficient is an intercept: the model without any. */
  static NullModel atZero(PooledLikelihood likelihood) {
    return new NullModel(List.of(), 0, likelihood.value(new double[likelihood.coefficients()]));
  }

  /**
   * Of classes: intercepts of all but the first, or thresholds, from the classes' shares.
   *
   * @throws InvalidInput where no row of some class counts
   */
  static NullModel ofClasses(
      PooledLikelihood likelihood,
      Categories classes,
      Coordinates coordinates,
      PooledNewton newton) {
    World world = likelihood.world();
    double[] sums = Pooled.bounded(world, m -> world.rowSums(m, classes::counted));
    int k = classes.classes().size();
    double[] shares = new double[k];
    for (int c = 0; c < k; c++) {
      if (!(sums[c] > 0)) {
        throw new InvalidInput(
            "the response: every level must be in some row of positive weight; none has `%s`"
                .formatted(classes.classes().get(c)));
      }
      shares[c] = sums[c] / likelihood.size().weight();
    }
    if (!classes.columns().getFirst().equals(Table.INTERCEPT)) {
      return atZero(likelihood);
    }
    double[] start = classes.start(shares, sums[k] / likelihood.size().weight());
    // In the coordinates the intercept is one column by itself.
    double scale = coordinates.upper()[0];
    Likelihood end = newton.from(DoubleStream.of(start).map(one -> scale * one).toArray()).at();
    return new NullModel(DoubleStream.of(end.theta()).boxed().toList(), 0, end.loss());
  }

  /**
   * One level for all rows, under a loss that is no likelihood.
   *
   * @param newton on the first coefficient alone, where that is the intercept's
   */
  static NullModel ofLevel(
      PooledLikelihood likelihood,
      Coordinates coordinates,
      boolean hasIntercept,
      PooledNewton newton) {
    if (!hasIntercept) {
      return atZero(likelihood);
    }
    World world = likelihood.world();
    double[] sums =
        Pooled.bounded(
            world,
            m ->
                world
                    .curved()
                    .moments(m)
                    .sums(
                        new double[likelihood.width()],
                        (eta, y, offset, weight) -> weight,
                        (eta, y, offset, weight) -> weight * (y - offset)));
    double scale = coordinates.upper()[0];
    Likelihood end = newton.from(new double[] {scale * sums[1] / sums[0]}).at();
    return new NullModel(List.of(end.theta()[0]), end.theta()[0] / scale, end.loss());
  }

  private static NullModel fit(
      NullLikelihood likelihood, Coordinates coordinates, boolean hasIntercept) {
    if (!hasIntercept) {
      if (!likelihood.glm().everywhere()) {
        throw new InvalidInput(
            "link %s of the %s family: needs an intercept, as a linear predictor of 0 has no mean; the formula has none"
                .formatted(likelihood.glm().link(), likelihood.glm().family()));
      }
      return new NullModel(List.of(), 0, likelihood.value(new double[] {0}));
    }
    World world = likelihood.world();
    Glm glm = likelihood.glm();
    double[] first =
        Pooled.bounded(
            world,
            m ->
                world
                    .curved()
                    .moments(m)
                    .sums(
                        new double[likelihood.p()],
                        (eta, y, offset, weight) -> weight,
                        (eta, y, offset, weight) -> weight * y,
                        (eta, y, offset, weight) -> weight * offset));
    Magnitudes.requireOffset(glm, first[2] / first[0]);
    double mean = first[1] / first[0];
    Magnitudes.requireMean(glm, mean);
    double level = glm.predictor(mean) - first[2] / first[0];
    if (!Double.isFinite(level)) {
      throw new NoEstimate(
          NoEstimate.Reason.SEPARATION,
          "no maximum-likelihood estimate exists: the response is %s in every row; check it"
              .formatted(mean == Math.rint(mean) ? Long.toString((long) mean) : "" + mean));
    }
    // Where nothing lowers the loss any more, what is left is rounding.
    Place end =
        DampedNewton.from(likelihood.at(new double[] {level}, Double.NaN), likelihood, LIMITS)
            .point();
    double[] point = new double[likelihood.p()];
    point[0] = end.level();
    return new NullModel(List.of(coordinates.there(point)[0]), end.level(), end.loss());
  }

  /** The likelihood of all rows where every predictor is one level plus its offset. */
  private record NullLikelihood(World world, Glm glm, int p, Ahead ahead)
      implements DampedNewton.Rules<Place> {
    @Override
    public double value(double[] level) {
      return ahead
          .first(
              world,
              level,
              m -> said(m, level[0]),
              m -> world.curved().moments(m).sums(new double[p], loss(level[0])))[0];
    }

    @Override
    public Place at(double[] level, double value) {
      double[] sums = ahead.all(world, level, m -> said(m, level[0]));
      // A loss that is not convex may bend the wrong way; it is expected to bend the right one.
      return new Place(level[0], sums[0], sums[1], sums[2] > 0 ? sums[2] : sums[3]);
    }

    @Override
    public double ceiling(Place here, double share) {
      return here.loss() + ROUNDING * (1 + Math.abs(here.loss()));
    }

    @Override
    public boolean done(Place here) {
      return !(here.score() * -here.move()[0] > 1e-16 * (1 + Math.abs(here.loss())));
    }

    private Moments.RowTerm loss(double level) {
      return (eta, y, offset, w) -> w == 0 ? 0 : w * glm.rowLoss(level + offset, y);
    }

    /** Loss, score, curvature and information of a client's rows. */
    private double[] said(int client, double level) {
      return world
          .curved()
          .moments(client)
          .sums(
              new double[p],
              4,
              (eta, y, offset, w, into) -> {
                if (w == 0) {
                  Arrays.fill(into, 0);
                  return;
                }
                glm.all(level + offset, y, into);
                into[3] = into[4];
                for (int k = 0; k < 4; k++) {
                  into[k] *= w;
                }
              });
    }
  }

  /** A level with the quadratic model of the loss there. */
  private record Place(double level, double loss, double score, double curvature)
      implements DampedNewton.Point {
    @Override
    public double[] theta() {
      return new double[] {level};
    }

    @Override
    public double[] move() {
      return new double[] {-(score / curvature)};
    }
  }
}
