package ngd.core.inference;

import java.util.Arrays;
import java.util.Optional;
import ngd.core.algorithm.Moments;
import ngd.core.linalg.QuasiNewton;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.MEstimator;
import ngd.core.model.PredictorLoss;
import ngd.core.model.Regression;
import ngd.core.world.World;

/** A likelihood that is the sum of what every client computes from its own rows. */
record SummedLikelihood(
    World world,
    Regression regression,
    int coefficients,
    int width,
    Size size,
    Penalty penalty,
    Ahead ahead)
    implements PooledLikelihood {
  SummedLikelihood(
      World world, Regression regression, int coefficients, int width, Size size, Penalty penalty) {
    this(world, regression, coefficients, width, size, penalty, new Ahead());
  }

  /** The model, where rows are independent terms of the likelihood. */
  Glm glm() {
    return (Glm) regression;
  }

  @Override
  public PooledLikelihood leading(int first) {
    Penalty none = Penalty.of(new double[first * first], first);
    return new SummedLikelihood(world, regression, first, width, size, none);
  }

  @Override
  public double value(double[] theta) {
    double loss =
        heardLoss(ahead.first(world, theta, m -> said(m, theta), m -> saidLoss(m, theta)));
    return Pooled.within(loss)
        ? loss + size.rows() * penalty.value(theta)
        : Double.POSITIVE_INFINITY;
  }

  @Override
  public Likelihood at(double[] theta) {
    return heard(theta, ahead.all(world, theta, m -> said(m, theta)));
  }

  @Override
  public double[] saidLoss(int client, double[] theta) {
    Moments moments = world.curved().moments(client);
    double[] at = whole(theta);
    // That of the sums which may be asked for next, to the bit.
    return new double[] {
      together(moments, at, false).map(all -> all[0]).orElseGet(() -> loss(moments, at))
    };
  }

  @Override
  public double heardLoss(double[] total) {
    return total[0];
  }

  /** 2 + p + p (p + 1) / 2 numbers. */
  @Override
  public double[] said(int client, double[] theta) {
    Moments moments = world.curved().moments(client);
    double[] at = whole(theta);
    return together(moments, at, true).orElseGet(() -> own(moments, at, true));
  }

  /** The same with the expected information in the place of the Hessian. */
  double[] saidExpected(int client, double[] theta) {
    Moments moments = world.curved().moments(client);
    double[] at = whole(theta);
    return Pooled.joined(
        sums(moments, at),
        score(moments, at),
        Pooled.triangle(leading(moments.squares(at, expected())), coefficients));
  }

  @Override
  public boolean scores() {
    return true;
  }

  @Override
  public double[] saidScore(int client, double[] theta) {
    Moments moments = world.curved().moments(client);
    double[] at = whole(theta);
    Optional<double[]> found = together(moments, at, false);
    if (found.isPresent() && regression.dispersed()) {
      found.get()[1] = moments.sums(at, pearson(glm()))[0];
    }
    return found.orElseGet(() -> Pooled.joined(sums(moments, at), score(moments, at)));
  }

  /**
   * Loss, Pearson's statistic with the lower triangle of the Hessian on request, and score, from
   * one look at each row, where models of rows or classes give them so. Least squares need the sums
   * that carry what rounding takes from them.
   */
  private Optional<double[]> together(Moments moments, double[] theta, boolean curved) {
    if (regression instanceof MEstimator || regression instanceof Linear) {
      return Optional.empty();
    }
    return moments
        .together(theta, curved)
        .map(
            all -> {
              int p = coefficients;
              int triangle = curved ? p * (p + 1) / 2 : 0;
              double[] first = Arrays.copyOf(all, 2 + p + triangle);
              // Of a lower triangle the first rows are that of the first coefficients.
              System.arraycopy(all, 2 + theta.length, first, 2 + p, triangle);
              return first;
            });
  }

  @Override
  public Likelihood heardScore(double[] theta, double[] total, Likelihood nearby) {
    double[] score = Arrays.copyOfRange(total, 2, 2 + coefficients);
    return new Likelihood(
        theta,
        total[0],
        total[0] + size.rows() * penalty.value(theta),
        total[1],
        Penalty.sum(score, penalty.slope(theta), size.rows()),
        nearby.hessian());
  }

  @Override
  public Likelihood heard(double[] theta, double[] total) {
    return heard(theta, total, true);
  }

  /**
   * The same by a total of 3 + p: of the Hessian only its trace, and the multiple of 1 that has it
   * stands for the Hessian, which in whitened coordinates is right for the linear model and near
   * for others.
   */
  Likelihood traced(double[] theta) {
    return heard(
        theta,
        Pooled.bounded(world, m -> own(world.curved().moments(m), whole(theta), false)),
        false);
  }

  /**
   * What a row's x xᵀ counts in the expected information; in the place of that, the most it may
   * count where the loss is no likelihood.
   */
  private Moments.RowTerm expected() {
    return regression instanceof MEstimator robust
        ? (eta, y, offset, w) -> w * robust.slope()
        : (eta, y, offset, w) -> w == 0 ? 0 : w * glm().information(eta);
  }

  /** The expected information with the penalty's curvature, by a total of p (p + 1) / 2. */
  double[] information(double[] theta) {
    int p = coefficients;
    double[] at = whole(theta);
    double[] sums =
        Pooled.bounded(
            world,
            m -> Pooled.triangle(leading(world.curved().moments(m).squares(at, expected())), p));
    return Penalty.sum(Pooled.symmetric(sums, 0, p), penalty.matrix(), size.rows());
  }

  /** What is known of a point without its curvature. */
  static final class Scored implements QuasiNewton.Point {
    private final double[] theta;
    private final double loss;
    private final double penalised;
    private final double pearson;
    private final double[] score;

    private Scored(double[] theta, double loss, double penalised, double pearson, double[] score) {
      this.theta = theta;
      this.loss = loss;
      this.penalised = penalised;
      this.pearson = pearson;
      this.score = score;
    }

    @Override
    public double[] theta() {
      return theta;
    }

    @Override
    public double value() {
      return penalised;
    }

    @Override
    public double[] gradient() {
      return score;
    }

    double pearson() {
      return pearson;
    }

    /** The same with the diagonal of the Hessian, which stands for all of it. */
    Likelihood with(double[] curvatures) {
      int p = theta.length;
      double[] hessian = new double[p * p];
      for (int j = 0; j < p; j++) {
        hessian[j * (p + 1)] = curvatures[j];
      }
      return new Likelihood(theta, loss, penalised, pearson, score, hessian);
    }
  }

  /** Loss and score, by a total of 2 + p; infinite where some client's are no numbers. */
  Scored scored(double[] theta) {
    int p = coefficients;
    double[] at = whole(theta);
    double[] sums =
        Pooled.bounded(
            world,
            m -> {
              Moments moments = world.curved().moments(m);
              return Pooled.joined(sums(moments, at), score(moments, at));
            });
    double[] score = Arrays.copyOfRange(sums, 2, 2 + p);
    boolean whole = Pooled.within(sums[0]) && Arrays.stream(score).allMatch(Pooled::within);
    return new Scored(
        theta,
        sums[0],
        whole ? sums[0] + size.rows() * penalty.value(theta) : Double.POSITIVE_INFINITY,
        sums[1],
        Penalty.sum(score, penalty.slope(theta), size.rows()));
  }

  /** The diagonal of the Hessian, by a total of p. */
  double[] curvatures(double[] theta) {
    int p = coefficients;
    double[] curvatures =
        Pooled.bounded(
            world,
            m -> {
              Moments moments = world.curved().moments(m);
              double[] hessian = leading(moments.hessian(whole(theta)));
              double[] diagonal = new double[p];
              Arrays.setAll(
                  diagonal, j -> moments.rows() / regression.factor() * hessian[j * (p + 1)]);
              return diagonal;
            });
    Arrays.setAll(curvatures, j -> curvatures[j] + size.rows() * penalty.matrix()[j * (p + 1)]);
    return curvatures;
  }

  private double[] score(Moments moments, double[] theta) {
    double scale = moments.rows() / regression.factor();
    return Arrays.stream(moments.gradient(theta)).limit(coefficients).map(g -> scale * g).toArray();
  }

  private Likelihood heard(double[] theta, double[] sums, boolean whole) {
    int p = coefficients;
    double[] score = Arrays.copyOfRange(sums, 2, 2 + p);
    double[] hessian = Pooled.heard(sums, 2 + p, p, whole);
    return new Likelihood(
        theta,
        sums[0],
        sums[0] + size.rows() * penalty.value(theta),
        sums[1],
        Penalty.sum(score, penalty.slope(theta), size.rows()),
        Penalty.sum(hessian, penalty.matrix(), size.rows()));
  }

  private double[] own(Moments moments, double[] theta, boolean whole) {
    double scale = moments.rows() / regression.factor();
    double[] sums = sums(moments, theta);
    double[] hessian = Arrays.stream(leading(moments.hessian(theta))).map(h -> scale * h).toArray();
    return Pooled.joined(sums, score(moments, theta), Pooled.shared(hessian, coefficients, whole));
  }

  /** A client's loss. */
  private double loss(Moments moments, double[] theta) {
    return regression instanceof PredictorLoss rows
        ? moments.sums(theta, loss(rows))[0]
        : moments.rows() / regression.factor() * moments.value(theta);
  }

  /**
   * A client's loss, and Pearson's statistic where the model has one; the squared scores of rows
   * where the loss is no likelihood.
   */
  private double[] sums(Moments moments, double[] theta) {
    return switch (regression) {
      case Glm glm -> moments.sums(theta, loss(glm), pearson(glm));
      case MEstimator robust -> moments.sums(theta, loss(robust), squaredScore(robust));
      case Cox _, Categories _ -> new double[] {loss(moments, theta), 0};
    };
  }

  private static Moments.RowTerm loss(PredictorLoss rows) {
    return (eta, y, offset, weight) -> weight == 0 ? 0 : weight * rows.rowLoss(eta, y);
  }

  private static Moments.RowTerm squaredScore(MEstimator robust) {
    return (eta, y, offset, weight) -> {
      double score = weight * robust.score(eta, y);
      return score * score;
    };
  }

  private static Moments.RowTerm pearson(Glm glm) {
    return (eta, y, offset, weight) -> weight == 0 ? 0 : weight * glm.pearson(glm.mean(eta), y);
  }
}
