package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.data.Shard;
import ngd.core.data.Table;
import ngd.core.linalg.Dependency;
import ngd.core.linalg.Triangular;
import ngd.core.model.Categories;
import ngd.core.model.NoEstimate;
import ngd.core.model.Redundancy;
import ngd.core.world.World;

/**
 * The coordinates in which the pooled second moments Σ w x xᵀ / N are the identity, agreed by all
 * clients with the same bits (docs/theory.md, 7): features there are R⁻ᵀx, a model θ̃ there is
 * R⁻¹θ̃ here.
 *
 * <p>The factor comes from the sum of the clients' second moments alone, by Cholesky's method in
 * the order of the columns, so that a redundant column is the first that depends on earlier ones.
 * Means are taken out before, and a second pass in the coordinates of the first removes what
 * rounding left (CholeskyQR2), so that ill-conditioned columns lose no digits.
 */
public final class Coordinates {
  /** A pivot below this share of its column's second moment, for each column, is rounding. */
  private static final double ROUNDING = 16 * Math.ulp(1.0);

  /** Second moments of the second pass lie so near to the identity, unless the first was lost. */
  private static final double NEAR = 0.5;

  /** A column whose deviations from its mean are a smaller share of it is constant. */
  private static final double CONSTANT = 1e-13;

  /** Terms that contribute less than this share of a redundant column are rounding. */
  private static final double NEGLIGIBLE = 1e-9;

  private final double[] upper;
  private final double[] norms;
  private final double[] variances;
  private final double[] centre;
  private final int[] places;
  private final int p;

  private Coordinates(double[] upper, double[] norms, double[] variances, int p) {
    this(upper, norms, variances, new double[0], p);
  }

  private Coordinates(double[] upper, double[] norms, double[] variances, double[] centre, int p) {
    this(upper, norms, variances, centre, IntStream.range(0, p).toArray(), p);
  }

  /**
   * Coordinates there whose order may be another than here.
   *
   * @param places where each stands here
   */
  private Coordinates(
      double[] upper, double[] norms, double[] variances, double[] centre, int[] places, int p) {
    this.centre = centre;
    this.places = places;
    this.upper = upper;
    this.norms = norms;
    this.variances = variances;
    this.p = p;
  }

  /**
   * Agrees on the coordinates.
   *
   * @throws NoEstimate naming the first redundant column and those it depends on
   */
  static Coordinates agree(World world, List<String> terms, Size size) {
    double rows = size.rows();
    int p = terms.size();
    double[] raw = Pooled.secondMoments(world, p);
    double[] norms = new double[p];
    for (int j = 0; j < p; j++) {
      Magnitudes.requireColumn(world, terms.get(j), j, p, raw[j * p + j], size);
      norms[j] = Math.sqrt(raw[j * p + j]);
    }
    double[] centring = centring(raw, p, terms.getFirst().equals(Table.INTERCEPT));
    double[] centred = Pooled.secondMoments(world.in(centring), p);
    double[] least = new double[p];
    for (int j = 0; j < p; j++) {
      double negligible = CONSTANT * norms[j];
      least[j] = Math.max(ROUNDING * p * centred[j * p + j], negligible * negligible);
    }
    double[] first = new double[p * p];
    int lost = factor(centred, p, rows, least, first);
    double[] both = product(first, centring, p);
    double[] second = new double[p * p];
    if (lost < 0) {
      double[] again = Pooled.secondMoments(world.in(both), p);
      Arrays.fill(least, NEAR * rows);
      lost = factor(again, p, rows, least, second);
    }
    if (lost >= 0) {
      throw redundant(first, lost, centring, norms, terms);
    }
    double[] variances = new double[p];
    for (int j = 1; j < p; j++) {
      variances[j] = centred[j * p + j] / size.weight();
    }
    return new Coordinates(product(second, both, p), norms, variances, p);
  }

  /**
   * The same around the columns' means, for a model that has no intercept and does not see one: by
   * a total of p numbers more.
   */
  static Coordinates centred(World world, List<String> terms, Size size) {
    int p = terms.size();
    double[] means = means(world, p, size);
    World there = around(world, means);
    requireVaried(Pooled.secondMoments(there, p), means, terms, size);
    Coordinates found = agree(there, terms, size);
    return new Coordinates(found.upper, found.norms, found.variances, means, p);
  }

  /** Refuses a column that is its mean in every row. */
  private static void requireVaried(
      double[] squares, double[] means, List<String> terms, Size size) {
    for (int j = 0; j < means.length; j++) {
      double left = Math.sqrt(squares[j * (means.length + 1)] / size.weight());
      if (left <= CONSTANT * Math.abs(means[j]) || left == 0) {
        throw new NoEstimate(
            NoEstimate.Reason.REDUNDANT_COLUMN,
            "column `%s`: must differ between rows; it is the same in all of them; leave it out"
                .formatted(terms.get(j)));
      }
    }
  }

  private static double[] means(World world, int p, Size size) {
    double[] means = Pooled.bounded(world, m -> world.rowSums(m, shard -> sums(shard, p)));
    for (int j = 0; j < p; j++) {
      means[j] /= size.weight();
    }
    return means;
  }

  /** The columns' deviations from a point. */
  private static World around(World world, double[] point) {
    int p = point.length;
    double[] unit = new double[p * p];
    for (int j = 0; j < p; j++) {
      unit[j * (p + 1)] = 1;
    }
    return world.with(world.curved().in(unit, point));
  }

  /** {@link #standardised} around the columns' means, for a model that has no intercept. */
  static Coordinates standardisedAround(World world, List<String> terms, Size size) {
    double[] means = means(world, terms.size(), size);
    World there = around(world, means);
    requireVaried(edges(there, terms.size()), means, terms, size);
    Coordinates found = standardised(there, terms, size);
    return new Coordinates(found.upper, found.norms, found.variances, means, terms.size());
  }

  /** Σ w x of one client. */
  private static double[] sums(Shard shard, int p) {
    double[] sums = new double[p];
    for (int i = 0; i < shard.rows(); i++) {
      for (int j = 0; j < p; j++) {
        sums[j] = Math.fma(shard.weight(i), shard.x(i, j), sums[j]);
      }
    }
    return sums;
  }

  /**
   * Agrees on coordinates in which columns have mean 0, beside an intercept, and mean square 1, by
   * two totals of 2p numbers: what can be had where second moments are too many to send. Of
   * redundant columns only constant ones are found.
   */
  static Coordinates standardised(World world, List<String> terms, Size size) {
    int p = terms.size();
    boolean intercept = terms.getFirst().equals(Table.INTERCEPT);
    double[] raw = edges(world, p);
    double[] norms = new double[p];
    for (int j = 0; j < p; j++) {
      Magnitudes.requireColumn(world, terms.get(j), j, p, raw[j * p + j], size);
      norms[j] = Math.sqrt(raw[j * p + j]);
    }
    double[] centring = centring(raw, p, intercept);
    double[] centred = intercept ? edges(world.in(centring), p) : raw;
    double[] scales = new double[p * p];
    double[] variances = new double[p];
    for (int j = 0; j < p; j++) {
      double left = centred[j * p + j];
      double negligible = CONSTANT * norms[j];
      if (!(left > Math.max(ROUNDING * p * left, negligible * negligible))) {
        throw new NoEstimate(
            NoEstimate.Reason.REDUNDANT_COLUMN,
            new Redundancy(new Dependency(j, List.of(new Dependency.Term(0, centring[j]))), terms)
                .message());
      }
      scales[j * (p + 1)] = Math.sqrt(left / size.rows());
      variances[j] = j == 0 ? 0 : left / size.weight();
    }
    return new Coordinates(product(scales, centring, p), norms, variances, p);
  }

  /** Σ w x xᵀ over all rows as far as it is shared: first row and diagonal. */
  private static double[] edges(World world, int p) {
    double[] sums =
        Pooled.bounded(
            world,
            m -> {
              double[] own = world.curved().moments(m).xx();
              double[] edges = Arrays.copyOf(own, 2 * p);
              for (int j = 0; j < p; j++) {
                edges[p + j] = own[j * (p + 1)];
              }
              return edges;
            });
    double[] matrix = new double[p * p];
    System.arraycopy(sums, 0, matrix, 0, p);
    for (int j = 0; j < p; j++) {
      matrix[j * (p + 1)] = sums[p + j];
    }
    return matrix;
  }

  /** The unit triangular matrix whose coordinates are deviations from the columns' means. */
  private static double[] centring(double[] raw, int p, boolean intercept) {
    double[] centring = new double[p * p];
    for (int j = 0; j < p; j++) {
      centring[j * p + j] = 1;
      if (intercept && j > 0) {
        centring[j] = raw[j] / raw[0];
      }
    }
    return centring;
  }

  /**
   * Writes R with RᵀR = pooled / rows into {@code r}.
   *
   * @param least the least that may be left of each column's second moment
   * @return the first column of which less is left, or −1
   */
  private static int factor(double[] pooled, int p, double rows, double[] least, double[] r) {
    for (int j = 0; j < p; j++) {
      // Column j of R above its diagonal: the coordinates of column j along the earlier ones.
      double left = pooled[j * p + j] / rows;
      for (int i = 0; i < j; i++) {
        double sum = pooled[i * p + j] / rows;
        for (int k = 0; k < i; k++) {
          sum = Math.fma(-r[k * p + i], r[k * p + j], sum);
        }
        r[i * p + j] = sum / r[i * p + i];
        left = Math.fma(-r[i * p + j], r[i * p + j], left);
      }
      if (!(left > least[j] / rows)) {
        return j;
      }
      r[j * p + j] = Math.sqrt(left);
    }
    return -1;
  }

  private static NoEstimate redundant(
      double[] r, int column, double[] centring, double[] norms, List<String> terms) {
    int p = terms.size();
    double[] leading = new double[column * column];
    double[] along = new double[column];
    for (int i = 0; i < column; i++) {
      System.arraycopy(r, i * p, leading, i * column, column);
      along[i] = r[i * p + column];
    }
    double[] coefficients = Triangular.solve(leading, column, along);
    if (column > 0) {
      // Deviations from means depend on each other as the columns do, but for the intercept.
      coefficients[0] += centring[column];
      for (int i = 1; i < column; i++) {
        coefficients[0] -= coefficients[i] * centring[i];
      }
    }
    List<Dependency.Term> parts = new ArrayList<>();
    for (int i = 0; i < column; i++) {
      if (Math.abs(coefficients[i]) * norms[i] > NEGLIGIBLE * norms[column]) {
        parts.add(new Dependency.Term(i, coefficients[i]));
      }
    }
    return new NoEstimate(
        NoEstimate.Reason.REDUNDANT_COLUMN,
        new Redundancy(new Dependency(column, parts), terms).message());
  }

  private static double[] product(double[] a, double[] b, int p) {
    double[] product = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int j = i; j < p; j++) {
        double sum = 0;
        for (int k = i; k <= j; k++) {
          sum = Math.fma(a[i * p + k], b[k * p + j], sum);
        }
        product[i * p + j] = sum;
      }
    }
    return product;
  }

  /**
   * These for the coefficients of classes, which are several for each column, or thresholds in the
   * place of the intercept; data stay in these.
   */
  Coordinates of(Categories classes) {
    int levels = classes.levels();
    int q = classes.parameters(p);
    int[] to = classes.places();
    double[] wide = new double[q * q];
    double[] theirs = new double[q];
    for (int t = 0; t < q; t++) {
      int i = classes.ordered() ? Math.max(0, t - levels + 1) : t / levels;
      theirs[to[t]] = norms[i];
      for (int s = t; s < q; s++) {
        int j = classes.ordered() ? Math.max(0, s - levels + 1) : s / levels;
        boolean same = classes.ordered() ? i > 0 || j > 0 || s == t : s % levels == t % levels;
        // A threshold is minus an intercept.
        double sign = classes.ordered() && i == 0 && j > 0 ? -1 : 1;
        wide[t * q + s] = same ? sign * upper[i * p + j] : 0;
      }
    }
    return new Coordinates(wide, theirs, new double[q], new double[0], to, q);
  }

  /** What belongs to each coefficient here, in the order there. */
  <T> List<T> ordered(List<T> here) {
    return IntStream.of(places).mapToObj(here::get).toList();
  }

  private double[] ordered(double[] here) {
    return IntStream.of(places).mapToDouble(place -> here[place]).toArray();
  }

  private double[] placed(double[] there) {
    double[] here = new double[p];
    for (int t = 0; t < p; t++) {
      here[places[t]] = there[t];
    }
    return here;
  }

  /** The data in these coordinates. */
  World in(World here) {
    return here.with(here.curved().in(upper, centre));
  }

  /** The point that is 0 there; none where it is 0 here. */
  double[] centre() {
    return centre;
  }

  /** R, row by row. */
  double[] upper() {
    return upper;
  }

  /** The norm of each feature's column over all rows. */
  double[] norms() {
    return norms;
  }

  /** The pooled variance of each column beside an intercept, the intercept's being 0. */
  double[] variances() {
    return variances;
  }

  /** R⁻ᵀ A R⁻¹: the quadratic form there of one here. */
  double[] quadratic(double[] here) {
    double[] half = new double[p * p];
    for (int i = 0; i < p; i++) {
      double[] row = Arrays.copyOfRange(here, i * p, (i + 1) * p);
      System.arraycopy(weights(row), 0, half, i * p, p);
    }
    double[] whole = new double[p * p];
    for (int j = 0; j < p; j++) {
      double[] column = new double[p];
      for (int i = 0; i < p; i++) {
        column[i] = half[i * p + j];
      }
      double[] solved = weights(column);
      for (int i = 0; i < p; i++) {
        whole[i * p + j] = solved[i];
      }
    }
    return whole;
  }

  /** Rᵀg: the score here of one there. */
  double[] slope(double[] there) {
    double[] here = new double[p];
    for (int j = 0; j < p; j++) {
      for (int i = 0; i <= j; i++) {
        here[j] = Math.fma(upper[i * p + j], there[i], here[j]);
      }
    }
    return placed(here);
  }

  /** RᵀHR: the curvature here of one there. */
  double[] curvature(double[] there) {
    double[] half = new double[p * p];
    for (int i = 0; i < p; i++) {
      double[] row = slope(Arrays.copyOfRange(there, i * p, (i + 1) * p));
      for (int j = 0; j < p; j++) {
        half[j * p + i] = row[j];
      }
    }
    double[] here = new double[p * p];
    for (int j = 0; j < p; j++) {
      System.arraycopy(slope(Arrays.copyOfRange(half, j * p, (j + 1) * p)), 0, here, j * p, p);
    }
    return here;
  }

  /** R⁻ᵀw: what a linear combination of coefficients here is one of there. */
  double[] weights(double[] here) {
    return Triangular.solveTransposed(upper, p, ordered(here));
  }

  /** The model here of one there. */
  double[] back(double[] there) {
    return placed(Triangular.solve(upper, p, there));
  }

  /** The model there of one here. */
  double[] there(double[] model) {
    double[] here = ordered(model);
    double[] there = new double[p];
    for (int i = 0; i < p; i++) {
      for (int j = i; j < p; j++) {
        there[i] = Math.fma(upper[i * p + j], here[j], there[i]);
      }
    }
    return there;
  }

  /** R⁻¹ A R⁻ᵀ: the covariance here of one there. */
  double[] covariance(double[] there) {
    double[] half = new double[p * p];
    for (int j = 0; j < p; j++) {
      double[] column = new double[p];
      for (int i = 0; i < p; i++) {
        column[i] = there[i * p + j];
      }
      double[] solved = back(column);
      for (int i = 0; i < p; i++) {
        half[i * p + j] = solved[i];
      }
    }
    double[] whole = new double[p * p];
    for (int i = 0; i < p; i++) {
      double[] row = new double[p];
      System.arraycopy(half, i * p, row, 0, p);
      System.arraycopy(back(row), 0, whole, i * p, p);
    }
    for (int i = 0; i < p; i++) {
      for (int j = 0; j < i; j++) {
        double mean = 0.5 * (whole[i * p + j] + whole[j * p + i]);
        whole[i * p + j] = mean;
        whole[j * p + i] = mean;
      }
    }
    return whole;
  }
}
