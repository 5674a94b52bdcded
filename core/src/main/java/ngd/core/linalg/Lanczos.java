package ngd.core.linalg;

import ngd.core.linalg.Arnoldi.LinearMap;

/**
 * The outermost eigenvalues of a symmetric operator that is known only by its products, each with a
 * bound of its error, by Lanczos' three-term recurrence.
 *
 * <p>Three vectors are kept and nothing is made orthogonal again: that brings copies of values that
 * were found, never false ones, and the residuals stay true (Paige 1980). So a step costs its
 * product and little else, where ARPACK's costs the products with a whole basis.
 */
public final class Lanczos {
  /** After how many steps the values are looked at. */
  private static final int LOOK = 25;

  private Lanczos() {}

  /** Which ends of the spectrum are asked for. */
  public enum End {
    SMALLEST,
    LARGEST,
    BOTH
  }

  /**
   * An approximate eigenvalue.
   *
   * @param error an eigenvalue lies this near: the norm of the residual
   */
  public record Value(double value, double error) {}

  /** Both ends; the one that was not asked for may be far from settled. */
  public record Ends(Value smallest, Value largest) {}

  /**
   * Goes on until the errors of the wanted ends are within {@code tolerance} of their values, or
   * for {@code steps} steps.
   */
  public static Ends ends(int size, LinearMap operator, End wanted, int steps, double tolerance) {
    double[] v = start(size);
    double[] before = new double[size];
    double[] product = new double[size];
    double beta = 0;
    Tridiagonal found = new Tridiagonal(Math.min(steps, 2 * size));
    for (int k = 1; ; k++) {
      operator.apply(v, product);
      double alpha = dot(v, product);
      for (int i = 0; i < size; i++) {
        product[i] -= alpha * v[i] + beta * before[i];
      }
      beta = Math.sqrt(dot(product, product));
      found.add(alpha, beta);
      boolean last = found.full() || !(beta > found.scale() * 0x1p-52);
      if (last || k % LOOK == 0) {
        Ends ends = found.ends();
        if (last || settled(ends, wanted, tolerance)) {
          return ends;
        }
      }
      double[] spare = before;
      before = v;
      v = product;
      product = spare;
      for (int i = 0; i < size; i++) {
        v[i] /= beta;
      }
    }
  }

  private static boolean settled(Ends ends, End wanted, double tolerance) {
    return (wanted == End.SMALLEST || settled(ends.largest, tolerance))
        && (wanted == End.LARGEST || settled(ends.smallest, tolerance));
  }

  private static boolean settled(Value value, double tolerance) {
    return value.error <= tolerance * Math.abs(value.value);
  }

  /** A start that is the same in every call and favours no direction. */
  static double[] start(int size) {
    double[] start = new double[size];
    for (int i = 0; i < size; i++) {
      long bits = (i + 1) * 0x9e3779b97f4a7c15L;
      start[i] = (((bits ^ (bits >>> 29)) * 0xbf58476d1ce4e5b9L) >> 11) * 0x1p-52;
    }
    double norm = Math.sqrt(dot(start, start));
    for (int i = 0; i < size; i++) {
      start[i] /= norm;
    }
    return start;
  }

  static double dot(double[] a, double[] b) {
    // Four sums at once; in a fixed order.
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < a.length; i += 4) {
      s0 = Math.fma(a[i], b[i], s0);
      s1 = Math.fma(a[i + 1], b[i + 1], s1);
      s2 = Math.fma(a[i + 2], b[i + 2], s2);
      s3 = Math.fma(a[i + 3], b[i + 3], s3);
    }
    for (; i < a.length; i++) {
      s0 = Math.fma(a[i], b[i], s0);
    }
    return (s0 + s1) + (s2 + s3);
  }

  /** The symmetric tridiagonal matrix that the steps leave, which grows by a row at a time. */
  private static final class Tridiagonal {
    private final double[] diagonal;

    /** {@code beside[i]} stands beside {@code diagonal[i]} and below it. */
    private final double[] beside;

    private int size;
    private double scale;

    Tridiagonal(int most) {
      diagonal = new double[most];
      beside = new double[most];
    }

    void add(double alpha, double beta) {
      diagonal[size] = alpha;
      beside[size++] = beta;
      scale = Math.max(scale, Math.abs(alpha) + beta);
    }

    boolean full() {
      return size == diagonal.length;
    }

    double scale() {
      return scale;
    }

    Ends ends() {
      return new Ends(value(0), value(size - 1));
    }

    private Value value(int rank) {
      double value = eigenvalue(rank);
      return new Value(value, beside[size - 1] * lastEntry(value) + size * scale * 0x1p-52);
    }

    /** By bisection on the number of negative pivots of T − x. */
    private double eigenvalue(int rank) {
      double low = -3 * scale;
      double high = 3 * scale;
      for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        if (middle <= low || middle >= high) {
          break;
        }
        if (below(middle) > rank) {
          high = middle;
        } else {
          low = middle;
        }
      }
      return (low + high) / 2;
    }

    private int below(double x) {
      int count = 0;
      double pivot = 1;
      for (int i = 0; i < size; i++) {
        double left = i == 0 ? 0 : beside[i - 1];
        pivot = safe(diagonal[i] - x - left * left / pivot);
        count += pivot < 0 ? 1 : 0;
      }
      return count;
    }

    private double safe(double pivot) {
      double least = Math.max(scale, Double.MIN_NORMAL) * 0x1p-60;
      return Math.abs(pivot) < least ? -least : pivot;
    }

    /**
     * The modulus of the last entry of the unit eigenvector to x. Of the two factorisations of T −
     * x, from the top and from the bottom, the vector takes the part before and the part after the
     * row where they fit together best, which loses no digits (Dhillon and Parlett 2004).
     */
    private double lastEntry(double x) {
      double[] down = new double[size];
      double[] up = new double[size];
      for (int i = 0; i < size; i++) {
        double left = i == 0 ? 0 : beside[i - 1];
        down[i] = safe(diagonal[i] - x - (i == 0 ? 0 : left * left / down[i - 1]));
      }
      for (int i = size - 1; i >= 0; i--) {
        up[i] = safe(diagonal[i] - x - (i == size - 1 ? 0 : beside[i] * beside[i] / up[i + 1]));
      }
      int twist = 0;
      double least = Double.POSITIVE_INFINITY;
      for (int i = 0; i < size; i++) {
        double gap = Math.abs(down[i] + up[i] - (diagonal[i] - x));
        if (gap < least) {
          least = gap;
          twist = i;
        }
      }
      double square = 1;
      double entry = 1;
      for (int i = twist - 1; i >= 0; i--) {
        entry *= -beside[i] / down[i];
        square += entry * entry;
      }
      entry = 1;
      for (int i = twist + 1; i < size; i++) {
        entry *= -beside[i - 1] / up[i];
        square += entry * entry;
      }
      return Math.abs(entry) / Math.sqrt(square);
    }
  }
}
