package ngd.core.linalg;

import java.util.ArrayList;
import java.util.List;

/**
 * A column that is a linear combination of earlier ones, up to rounding; no terms at all means that
 * it is zero.
 */
public record Dependency(int column, List<Term> terms) {

  /** An earlier column and its coefficient in the combination. */
  public record Term(int column, double coefficient) {}

  /**
   * The share of rounding in a combination. A column counts as dependent when what the earlier ones
   * leave of it is below this share of ‖a_k‖ + Σ |c_j| ‖a_j‖: the backward error of a QR
   * factorisation is some tens of units in the last place of each column, more for many rows, so a
   * smaller remainder is no evidence of independence, whatever the columns' scales.
   */
  private static final double ROUNDING = 1e-13;

  /** Terms that contribute less than this share of the whole are rounding, too. */
  private static final double NEGLIGIBLE = 1e-9;

  public Dependency {
    terms = List.copyOf(terms);
  }

  /**
   * The columns that depend on earlier ones, in order, from a triangular factor of the data.
   *
   * <p>Columns are taken in order, each reflected onto those that were kept, dependent ones left
   * out: pivoting would name other columns than the first.
   */
  static List<Dependency> among(double[] r, int p) {
    List<Dependency> found = new ArrayList<>();
    List<Integer> kept = new ArrayList<>();
    List<double[]> reflectors = new ArrayList<>();
    double[] factor = new double[p * p];
    double[] norms = new double[p];
    for (int k = 0; k < p; k++) {
      double[] column = new double[p];
      for (int i = 0; i < p; i++) {
        column[i] = r[i * p + k];
      }
      norms[k] = norm(column, 0);
      for (double[] v : reflectors) {
        reflect(v, column);
      }
      int rank = kept.size();
      double[] coefficients = backSubstitute(factor, p, rank, column);
      double scale = norms[k];
      for (int j = 0; j < rank; j++) {
        scale += Math.abs(coefficients[j]) * norms[kept.get(j)];
      }
      double remainder = norm(column, rank);
      if (remainder <= ROUNDING * scale) {
        List<Term> terms = new ArrayList<>();
        for (int j = 0; j < rank; j++) {
          if (Math.abs(coefficients[j]) * norms[kept.get(j)] > NEGLIGIBLE * scale) {
            terms.add(new Term(kept.get(j), coefficients[j]));
          }
        }
        found.add(new Dependency(k, terms));
        continue;
      }
      reflectors.add(reflector(column, rank, remainder));
      reflect(reflectors.getLast(), column);
      for (int i = 0; i <= rank; i++) {
        factor[i * p + rank] = column[i];
      }
      kept.add(k);
    }
    return found;
  }

  private static double[] backSubstitute(double[] factor, int p, int rank, double[] b) {
    double[] x = new double[rank];
    for (int i = rank - 1; i >= 0; i--) {
      double sum = b[i];
      for (int j = i + 1; j < rank; j++) {
        sum -= factor[i * p + j] * x[j];
      }
      x[i] = sum / factor[i * p + i];
    }
    return x;
  }

  /** The unit vector v whose reflection I − 2vvᵀ clears the column below row {@code rank}. */
  private static double[] reflector(double[] column, int rank, double remainder) {
    double[] v = new double[column.length];
    for (int i = rank; i < v.length; i++) {
      v[i] = column[i] / remainder;
    }
    v[rank] += v[rank] >= 0 ? 1 : -1;
    double length = norm(v, rank);
    for (int i = rank; i < v.length; i++) {
      v[i] /= length;
    }
    return v;
  }

  private static void reflect(double[] v, double[] column) {
    double along = 0;
    for (int i = 0; i < v.length; i++) {
      along += v[i] * column[i];
    }
    for (int i = 0; i < v.length; i++) {
      column[i] -= 2 * along * v[i];
    }
  }

  private static double norm(double[] v, int from) {
    double norm = 0;
    for (int i = from; i < v.length; i++) {
      norm = Math.hypot(norm, v[i]);
    }
    return norm;
  }
}
