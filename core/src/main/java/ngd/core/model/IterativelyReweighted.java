package ngd.core.model;

import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.QrAccumulator;
import ngd.core.linalg.Triangular;

/**
 * Maximum likelihood by Newton's method (Fisher's scoring where the link is not canonical), each
 * step a weighted least-squares problem (iteratively reweighted least squares) solved by a QR
 * factorisation of the rows, never by normal equations.
 *
 * <p>With R the factor of the rows times √(expected curvature) and g the score, the step is R⁻¹R⁻ᵀg
 * and the decrement ‖R⁻ᵀg‖ is the distance that remains in units of the standard error.
 */
final class IterativelyReweighted implements DampedNewton.Rules<IterativelyReweighted.Newton> {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(200, 39);

  /** Below this many standard errors one more step leaves nothing but rounding. */
  private static final double NEAR = 1e-7;

  private final PooledRows rows;
  private final Glm glm;
  private final int p;

  /** The decrement at the point before. */
  private double last = Double.POSITIVE_INFINITY;

  /** At the floor of rounding the decrement no longer shrinks, and a step helps no more. */
  private boolean floor;

  IterativelyReweighted(PooledRows rows) {
    this.rows = rows;
    this.glm = rows.glm();
    this.p = rows.parameters();
  }

  GlobalEstimate estimate() {
    rows.requireIndependent();
    DampedNewton.End<Newton> end = DampedNewton.from(first(), this, LIMITS);
    if (end.outcome() != DampedNewton.Outcome.DONE) {
      boolean stuck = end.outcome() == DampedNewton.Outcome.NO_PROGRESS;
      throw notConverged(end.steps() + (stuck ? 1 : 0));
    }
    Newton found = end.point();
    return new GlobalEstimate(
        floor ? found.theta : DampedNewton.moved(found.theta, 1, found.move()),
        "maximum likelihood by Newton's method with QR",
        end.steps() + 1);
  }

  /**
   * Where the steps start: the first weighted least squares, unless the origin is better, since one
   * wild row can leave those with weights that differ beyond all precision.
   */
  private Newton first() {
    double[] start = start();
    double[] origin = new double[p];
    double here = value(start);
    double there = value(origin);
    return here <= there ? new Newton(start, here) : new Newton(origin, there);
  }

  @Override
  public double value(double[] theta) {
    return rows.gathered(() -> new Value(glm, theta)).sum;
  }

  @Override
  public Newton at(double[] theta, double value) {
    return new Newton(theta, value);
  }

  /** No worse than before, up to the rounding of two long sums. */
  @Override
  public double ceiling(Newton here, double share) {
    return here.loss + 1e-12 * (1 + Math.abs(here.loss));
  }

  @Override
  public boolean done(Newton here) {
    double decrement = here.decrement();
    floor = decrement < 1e-3 && decrement >= 0.9 * last;
    if (decrement < Separation.FLAT) {
      Separation.along(here.move(), rows).check(decrement / last);
    }
    last = decrement;
    return decrement <= NEAR || floor;
  }

  private static NoEstimate notConverged(int iterations) {
    return new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "the maximum-likelihood estimate: Newton's method made no more progress after %d steps; are some covariates on an extreme scale?"
            .formatted(iterations));
  }

  /**
   * The first weighted least squares, from responses pulled towards the inside of their range, so
   * that large counts need no long way from theta = 0.
   */
  private double[] start() {
    PooledRows.RowMaker beside =
        (x, y, offset, weight, row) -> {
          double eta = glm.startingPredictor(y);
          double information = glm.information(eta);
          double root = Math.sqrt(weight * information);
          for (int j = 0; j < p; j++) {
            row[j] = root * x[j];
          }
          row[p] = root * (eta - offset - glm.score(eta, y) / information);
        };
    return rows.gathered(() -> new PooledRows.Factor(p + 1, beside)).qr().leastSquares();
  }

  /** The loss. */
  private static final class Value implements PooledRows.Gathering<Value> {
    private final Glm glm;
    private final double[] theta;
    private double sum;

    Value(Glm glm, double[] theta) {
      this.glm = glm;
      this.theta = theta;
    }

    @Override
    public void row(double[] x, double y, double offset, double weight) {
      sum += weight * glm.rowLoss(Glm.dot(x, theta) + offset, y);
    }

    @Override
    public void add(Value next) {
      sum += next.sum;
    }
  }

  /** The score, and the factor of the rows times √(expected curvature). */
  private static final class Slopes implements PooledRows.Gathering<Slopes> {
    private final Glm glm;
    private final double[] theta;
    private final QrAccumulator qr;
    private final double[] score;
    private final double[] row;

    Slopes(Glm glm, double[] theta) {
      this.glm = glm;
      this.theta = theta;
      qr = new QrAccumulator(theta.length);
      score = new double[theta.length];
      row = new double[theta.length];
    }

    @Override
    public void row(double[] x, double y, double offset, double weight) {
      double eta = Glm.dot(x, theta) + offset;
      double root = Math.sqrt(weight * glm.information(eta));
      double residual = -weight * glm.score(eta, y);
      for (int j = 0; j < row.length; j++) {
        score[j] = Math.fma(residual, x[j], score[j]);
        row[j] = root * x[j];
      }
      qr.add(row);
    }

    @Override
    public void add(Slopes next) {
      qr.add(next.qr);
      for (int j = 0; j < score.length; j++) {
        score[j] += next.score[j];
      }
    }
  }

  /** The likelihood and its quadratic model at one point. */
  final class Newton implements DampedNewton.Point {
    private final double[] theta;
    private final double loss;
    private final double[] r;
    private final double[] whitened;

    Newton(double[] theta, double loss) {
      this.theta = theta;
      this.loss = loss;
      Slopes slopes = rows.gathered(() -> new Slopes(glm, theta));
      r = slopes.qr.r();
      whitened = Triangular.solveTransposed(r, p, slopes.score);
    }

    double decrement() {
      double sum = 0;
      for (double entry : whitened) {
        sum += entry * entry;
      }
      return Math.sqrt(sum);
    }

    @Override
    public double[] theta() {
      return theta;
    }

    @Override
    public double[] move() {
      return Triangular.solve(r, p, whitened);
    }

    @Override
    public boolean usable() {
      return Double.isFinite(decrement());
    }
  }
}
