package ngd.core.inference;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import ngd.core.algorithm.Moments;
import ngd.core.world.World;

/** Sums over all clients of what each computes from its own rows. */
final class Pooled {
  private Pooled() {}

  /** The sum over all clients of one vector each, which those held here compute side by side. */
  static double[] total(World world, IntFunction<double[]> perRow) {
    double[][] own = new double[world.rows()][];
    Arrays.parallelSetAll(own, perRow);
    return world.totals().total(own);
  }

  /**
   * How many clients have any of the rows that each counts. The counts themselves may be of single
   * rows, and do not leave their clients.
   */
  static double[] having(World world, IntFunction<double[]> counts) {
    return total(world, m -> Arrays.stream(counts.apply(m)).map(Math::signum).toArray());
  }

  /**
   * What stands for a term that is not a number, or too large: exact sums take finite terms only.
   */
  private static final double HUGE = 1e300;

  /** The same where terms may leave all bounds, as they may far from an estimate. */
  static double[] bounded(World world, IntFunction<double[]> perRow) {
    return total(
        world,
        m -> {
          double[] terms = perRow.apply(m);
          for (int i = 0; i < terms.length; i++) {
            if (!within(terms[i])) {
              terms[i] = HUGE;
            }
          }
          return terms;
        });
  }

  /** Whether a number is one, within the bounds. */
  static boolean within(double number) {
    return Math.abs(number) < HUGE;
  }

  /** The largest over all clients of one number each. */
  static double max(World world, IntToDoubleFunction perRow) {
    double[] own = new double[world.rows()];
    Arrays.setAll(own, perRow);
    return world.totals().max(own);
  }

  /** Σ w x xᵀ over all rows. */
  static double[] secondMoments(World world, int p) {
    return symmetric(bounded(world, m -> triangle(world.curved().moments(m).xx(), p)), 0, p);
  }

  /** The variance of each column around its mean, rows counting with their weights. */
  static double[] variances(World world, int p, double weight) {
    double[] variances = new double[p];
    for (int j = 0; j < p; j++) {
      double[] unit = new double[p];
      unit[j] = 1;
      double mean = columnSum(world, unit, (eta, y, offset, w) -> w * (eta - offset)) / weight;
      variances[j] =
          columnSum(
                  world,
                  unit,
                  (eta, y, offset, w) -> {
                    double way = eta - offset - mean;
                    return w * way * way;
                  })
              / weight;
    }
    return variances;
  }

  private static double columnSum(World world, double[] unit, Moments.RowTerm term) {
    return total(world, m -> world.curved().moments(m).sums(unit, term))[0];
  }

  /** The lower triangle of a symmetric matrix, which is all that needs to travel. */
  static double[] triangle(double[] matrix, int p) {
    double[] triangle = new double[p * (p + 1) / 2];
    int at = 0;
    for (int i = 0; i < p; i++) {
      for (int j = 0; j <= i; j++) {
        triangle[at++] = matrix[i * p + j];
      }
    }
    return triangle;
  }

  /** What a client shares of a matrix: its lower triangle, or no more than its trace. */
  static double[] shared(double[] matrix, int p, boolean whole) {
    if (whole) {
      return triangle(matrix, p);
    }
    double trace = 0;
    for (int i = 0; i < p; i++) {
      trace += matrix[i * (p + 1)];
    }
    return new double[] {trace};
  }

  /** The matrix that was shared from {@code from} on; of a trace, the multiple of 1 that has it. */
  static double[] heard(double[] sums, int from, int p, boolean whole) {
    if (whole) {
      return symmetric(sums, from, p);
    }
    double[] matrix = new double[p * p];
    for (int i = 0; i < p; i++) {
      matrix[i * (p + 1)] = sums[from] / p;
    }
    return matrix;
  }

  /** The matrix whose lower triangle begins at {@code from}. */
  static double[] symmetric(double[] triangles, int from, int p) {
    double[] matrix = new double[p * p];
    int at = from;
    for (int i = 0; i < p; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i * p + j] = triangles[at];
        matrix[j * p + i] = triangles[at++];
      }
    }
    return matrix;
  }

  /** One vector after another. */
  static double[] joined(double[]... parts) {
    double[] joined = new double[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int at = 0;
    for (double[] part : parts) {
      System.arraycopy(part, 0, joined, at, part.length);
      at += part.length;
    }
    return joined;
  }
}
