package ngd.core.linalg;

import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Restarted GMRES (Saad and Schultz 1986): solves A x = b from products with A alone.
 *
 * <p>Minimises the residual over a Krylov space of at most {@code space} vectors, then starts again
 * from there. The answer's residual is computed afresh from x, never taken from the recursion.
 *
 * @param products how often it multiplies at most
 * @param tolerance it is content with a residual of this times ‖b‖
 */
public record Gmres(int space, int products, double tolerance) {
  /** x with ‖b − A x‖ ≤ tolerance · ‖b‖, or empty when that was not reached. */
  public Optional<double[]> solve(BiConsumer<double[], double[]> a, double[] b) {
    int n = b.length;
    double[] x = new double[n];
    double target = tolerance * norm(b);
    double[] residual = b.clone();
    double size = norm(residual);
    int used = 0;
    while (size > target && used < products) {
      int steps = Math.min(space, Math.min(n, products - used));
      used += cycle(a, x, residual, size, target, steps);
      a.accept(x, residual);
      used++;
      for (int i = 0; i < n; i++) {
        residual[i] = b[i] - residual[i];
      }
      double next = norm(residual);
      if (!(next < 0.999 * size)) {
        size = next;
        break;
      }
      size = next;
    }
    return size <= target ? Optional.of(x) : Optional.empty();
  }

  /** Improves x over one Krylov space of the residual; gives the number of products it took. */
  private static int cycle(
      BiConsumer<double[], double[]> a,
      double[] x,
      double[] residual,
      double size,
      double target,
      int steps) {
    int n = x.length;
    double[][] basis = new double[steps + 1][];
    double[][] h = new double[steps][];
    double[] cosine = new double[steps];
    double[] sine = new double[steps];
    double[] right = new double[steps + 1];
    basis[0] = scaled(residual, 1 / size);
    right[0] = size;
    int k = 0;
    while (k < steps && Math.abs(right[k]) > 0.5 * target) {
      double[] next = new double[n];
      a.accept(basis[k], next);
      double[] column = new double[k + 2];
      // Twice: one sweep of Gram-Schmidt loses orthogonality where A is nearly singular.
      for (int sweep = 0; sweep < 2; sweep++) {
        for (int j = 0; j <= k; j++) {
          double along = dot(basis[j], next);
          column[j] += along;
          add(-along, basis[j], next);
        }
      }
      double rest = norm(next);
      column[k + 1] = rest;
      for (int j = 0; j < k; j++) {
        double upper = cosine[j] * column[j] + sine[j] * column[j + 1];
        column[j + 1] = cosine[j] * column[j + 1] - sine[j] * column[j];
        column[j] = upper;
      }
      double length = Math.hypot(column[k], rest);
      if (length == 0) {
        break;
      }
      cosine[k] = column[k] / length;
      sine[k] = rest / length;
      column[k] = length;
      right[k + 1] = -sine[k] * right[k];
      right[k] *= cosine[k];
      h[k] = column;
      k++;
      if (rest == 0) {
        break;
      }
      basis[k] = scaled(next, 1 / rest);
    }
    double[] y = new double[k];
    for (int i = k - 1; i >= 0; i--) {
      double sum = right[i];
      for (int j = i + 1; j < k; j++) {
        sum -= h[j][i] * y[j];
      }
      y[i] = sum / h[i][i];
      add(y[i], basis[i], x);
    }
    return k;
  }

  private static double[] scaled(double[] x, double factor) {
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = factor * x[i];
    }
    return y;
  }

  private static void add(double factor, double[] x, double[] onto) {
    for (int i = 0; i < x.length; i++) {
      onto[i] = Math.fma(factor, x[i], onto[i]);
    }
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum = Math.fma(x[i], y[i], sum);
    }
    return sum;
  }

  private static double norm(double[] x) {
    return Math.sqrt(dot(x, x));
  }
}
