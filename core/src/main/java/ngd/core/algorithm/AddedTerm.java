package ngd.core.algorithm;

import ngd.core.rows.Rows;

/** A quadratic function of theta alone that is added to every client's loss, such as a penalty. */
public interface AddedTerm {
  double value(double[] theta);

  double[] slope(double[] theta);

  /** Its second derivative, p × p, row by row. */
  double[] hessian(int p);

  /** The slope at each row. */
  default Rows slope(Rows at) {
    double[][] slopes = new double[at.rows()][];
    for (int m = 0; m < slopes.length; m++) {
      slopes[m] = slope(at.row(m));
    }
    return at.of(slopes);
  }
}
