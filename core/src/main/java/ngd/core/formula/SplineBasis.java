package ngd.core.formula;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;

/**
 * B-splines, and natural cubic splines made of them, column by column as {@code splines::bs} and
 * {@code ns} in R.
 *
 * <p>Beyond the boundary knots B-splines continue as the polynomials they are beside them, natural
 * ones as lines. Natural splines are cubic B-splines turned by the Householder reflections of their
 * second derivatives at the boundary knots, after which the first two columns are left out.
 */
final class SplineBasis implements Basis {
  private final BasisCall.Spline call;
  private final List<Double> inner;
  private final double within;
  private final double low;
  private final double high;
  private final int degree;

  /** The knots, those of the boundary as often as the order. */
  private final double[] knots;

  /** B-splines before any column is left out. */
  private final int all;

  /** The reflections' vectors, of natural splines; each with its first entry as R keeps it. */
  private final double[][] reflections;

  /** Of natural splines: values and slopes of all B-splines at both boundary knots. */
  private final double[][] ends;

  private SplineBasis(
      BasisCall.Spline call, List<Double> inner, double low, double high, double within) {
    this.within = within;
    this.call = call;
    this.inner = List.copyOf(inner);
    this.low = low;
    this.high = high;
    degree = call.degree();
    knots = new double[inner.size() + 2 * (degree + 1)];
    for (int i = 0; i <= degree; i++) {
      knots[i] = low;
      knots[knots.length - 1 - i] = high;
    }
    for (int i = 0; i < inner.size(); i++) {
      knots[degree + 1 + i] = inner.get(i);
    }
    all = inner.size() + degree + 1;
    ends =
        call.natural()
            ? new double[][] {
              derivatives(low, 0), derivatives(low, 1), derivatives(high, 0), derivatives(high, 1)
            }
            : new double[0][];
    reflections = call.natural() ? reflections() : new double[0][];
  }

  /**
   * @param within how far the knots may be from the quantiles that they stand for; 0 if given
   */
  static SplineBasis of(
      BasisCall.Spline call, List<Double> inner, List<Double> boundary, double within) {
    double low = boundary.getFirst();
    double high = boundary.getLast();
    double last = low;
    for (double knot : inner) {
      if (!(knot > last && knot < high)) {
        throw new InvalidInput(
            "formula: the knots of a spline must rise strictly between its boundary knots, %s and %s; got %s"
                .formatted(Levels.text(low), Levels.text(high), Levels.text(knot)));
      }
      last = knot;
    }
    if (!(low < high)) {
      throw new InvalidInput(
          "formula: the first boundary knot of a spline must be less than the second; got %s and %s"
              .formatted(Levels.text(low), Levels.text(high)));
    }
    return new SplineBasis(call, inner, low, high, within);
  }

  @Override
  public int columns() {
    return call.columns();
  }

  @Override
  public Map<String, List<Double>> numbers() {
    Map<String, List<Double>> numbers = new LinkedHashMap<>();
    numbers.put("knots", inner);
    numbers.put("boundaryKnots", List.of(low, high));
    if (within > 0) {
      numbers.put("within", List.of(within));
    }
    return numbers;
  }

  @Override
  public void at(double x, double[] out) {
    double[] values = new double[all];
    if (call.natural() && (x < low || x > high)) {
      int end = x < low ? 0 : 2;
      double way = x - (x < low ? low : high);
      for (int j = 0; j < all; j++) {
        values[j] = ends[end][j] + way * ends[end + 1][j];
      }
    } else {
      splines(x, values);
    }
    int first = call.intercept() ? 0 : 1;
    double[] kept = Arrays.copyOfRange(values, first, all);
    if (call.natural()) {
      for (double[] reflection : reflections) {
        reflect(reflection, kept);
      }
      System.arraycopy(kept, 2, out, 0, kept.length - 2);
    } else {
      System.arraycopy(kept, 0, out, 0, kept.length);
    }
  }

  /** The number of the knot before a value, between the boundary knots. */
  private int interval(double x) {
    int i = degree;
    while (i < all - 1 && x >= knots[i + 1]) {
      i++;
    }
    return i;
  }

  /** All B-splines at a value (de Boor's recurrence). */
  private void splines(double x, double[] values) {
    int i = interval(x);
    double[] left = new double[degree + 1];
    double[] right = new double[degree + 1];
    double[] n = new double[degree + 1];
    n[0] = 1;
    for (int j = 1; j <= degree; j++) {
      left[j] = x - knots[i + 1 - j];
      right[j] = knots[i + j] - x;
      double saved = 0;
      for (int r = 0; r < j; r++) {
        double part = n[r] / (right[r + 1] + left[j - r]);
        n[r] = saved + right[r + 1] * part;
        saved = left[j - r] * part;
      }
      n[j] = saved;
    }
    System.arraycopy(n, 0, values, i - degree, degree + 1);
  }

  /** A derivative of all B-splines at a value. */
  private double[] derivatives(double x, int order) {
    int i = interval(x);
    double[] values = new double[all];
    for (int j = 0; j < all; j++) {
      values[j] = derivative(j, degree, x, i, order);
    }
    return values;
  }

  private double derivative(int j, int power, double x, int interval, int order) {
    if (power == 0) {
      return order == 0 && j == interval ? 1 : 0;
    }
    double before = knots[j + power] - knots[j];
    double after = knots[j + power + 1] - knots[j + 1];
    double sum = 0;
    if (before > 0) {
      sum +=
          order == 0
              ? (x - knots[j]) / before * derivative(j, power - 1, x, interval, 0)
              : power / before * derivative(j, power - 1, x, interval, order - 1);
    }
    if (after > 0) {
      sum +=
          order == 0
              ? (knots[j + power + 1] - x) / after * derivative(j + 1, power - 1, x, interval, 0)
              : -power / after * derivative(j + 1, power - 1, x, interval, order - 1);
    }
    return sum;
  }

  /** The reflections of LINPACK's QR, which R's {@code qr} is, of both second derivatives. */
  private double[][] reflections() {
    int first = call.intercept() ? 0 : 1;
    double[][] columns = {
      Arrays.copyOfRange(derivatives(low, 2), first, all),
      Arrays.copyOfRange(derivatives(high, 2), first, all)
    };
    for (int c = 0; c < 2; c++) {
      double length = 0;
      for (int i = c; i < columns[c].length; i++) {
        length = Math.hypot(length, columns[c][i]);
      }
      double signed = columns[c][c] < 0 ? -length : length;
      for (int i = c; i < columns[c].length; i++) {
        columns[c][i] /= signed;
      }
      columns[c][c] += 1;
      Arrays.fill(columns[c], 0, c, 0);
      if (c == 0) {
        reflect(columns[0], columns[1]);
      }
    }
    return columns;
  }

  /** y − v (vᵀy) / v_c, with c the first entry of v that is not zero. */
  private static void reflect(double[] v, double[] y) {
    int c = v[0] != 0 ? 0 : 1;
    double sum = 0;
    for (int i = c; i < v.length; i++) {
      sum += v[i] * y[i];
    }
    double factor = -sum / v[c];
    for (int i = c; i < v.length; i++) {
      y[i] += factor * v[i];
    }
  }
}
