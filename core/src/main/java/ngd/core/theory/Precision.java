package ngd.core.theory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.linalg.Arithmetic;
import ngd.core.linalg.QrAccumulator;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * How precisely moments that are determined can be solved for: the rounding of what is heard, times
 * the norm of the rows of the Jacobian's pseudo-inverse, on made-up data of unit scale.
 */
final class Precision {
  /**
   * A relative error above this is not called a solution, but assumed: real data may be worse
   * conditioned than those made up, by some powers of ten, or better.
   */
  static final double ENOUGH = 1e-8;

  /** The rows of each made-up site. */
  private static final int ROWS = 50;

  /** Multiplications of one factorisation, above which nothing is computed. */
  private static final double MOST_WORK = 1.5e9;

  /** Of small problems several are tried, and the worst counts. */
  private static final double SMALL_WORK = 1e8;

  /** Rounds more than the fewest: without these the equations are just as many as unknowns. */
  private static final int MORE_ROUNDS = 10;

  private final List<ModelPath> paths = new ArrayList<>();
  private final Conversation said;
  private final Streams streams;

  Precision(Conversation said, Streams streams) {
    this.said = said;
    this.streams = streams;
  }

  /** The relative error of each determined site's moments; infinite where it was not computed. */
  double[] of(List<Integer> coalition, ExactListener.Heard heard) {
    double[] worst = new double[said.sites()];
    int rounds = rounds(heard);
    int[] columns = heard.columns().stream().mapToInt(k -> k).toArray();
    List<Integer> speakers = ExactListener.speakers(said, coalition);
    double work =
        2.0 * rounds * speakers.size() * said.coefficients() * columns.length * columns.length;
    if (work > MOST_WORK) {
      Arrays.fill(worst, Double.POSITIVE_INFINITY);
      return worst;
    }
    int problems = work > SMALL_WORK ? 1 : 3;
    for (int problem = 0; problem < problems; problem++) {
      ModelPath path = path(problem);
      QrAccumulator equations = new QrAccumulator(columns.length);
      ExactListener.totals(said).forEach(row -> equations.add(ExactListener.part(row, columns)));
      double size = 0;
      for (int round = 1; round <= rounds; round++) {
        for (int k : speakers) {
          for (int i = 0; i < said.coefficients(); i++) {
            equations.add(ExactListener.part(path.tangent(round, k, i), columns));
          }
        }
        size = Math.max(size, path.largest(round));
      }
      double[] rows = inverseRows(equations.r(), columns.length);
      for (int m = 0; m < worst.length; m++) {
        worst[m] = Math.max(worst[m], said.precision() * size * error(m, rows, columns, path));
      }
    }
    return worst;
  }

  /** The rounds that are looked at. */
  int rounds(ExactListener.Heard heard) {
    int last = heard.sites().stream().mapToInt(ExactListener.Site::since).max().orElse(0);
    return Math.min(said.rounds(), last + MORE_ROUNDS);
  }

  private synchronized ModelPath path(int problem) {
    while (paths.size() <= problem) {
      paths.add(new ModelPath(said, Arithmetic.REALS, moments(paths.size())));
    }
    return paths.get(problem);
  }

  /** The largest error of a site's numbers relative to the largest of them. */
  private double error(int site, double[] rows, int[] columns, ModelPath path) {
    double error = 0;
    double largest = 0;
    for (int j = 0; j < columns.length; j++) {
      if (columns[j] / said.each() == site) {
        // Not a number, where the factor is singular, is no accuracy at all.
        error = Double.isFinite(rows[j]) ? Math.max(error, rows[j]) : Double.POSITIVE_INFINITY;
        largest = Math.max(largest, Math.abs(path.moment(columns[j])));
      }
    }
    return largest == 0 ? 0 : error / largest;
  }

  /** The norms of the rows of R⁻¹. */
  private static double[] inverseRows(double[] r, int n) {
    double[] squares = new double[n];
    double[] column = new double[n];
    for (int k = 0; k < n; k++) {
      for (int i = k; i >= 0; i--) {
        double sum = i == k ? 1 : 0;
        for (int j = i + 1; j <= k; j++) {
          sum -= r[i * n + j] * column[j];
        }
        column[i] = sum / r[i * n + i];
        squares[i] += column[i] * column[i];
      }
    }
    return Arrays.stream(squares).map(Math::sqrt).toArray();
  }

  /** α c A and α c b of sites with some rows of standard normal numbers and a common model. */
  private double[] moments(int problem) {
    int p = said.coefficients();
    double[] moments = new double[said.sites() * said.each()];
    double curvature = 0;
    UniformRandomProvider model = streams.stream(Streams.Purpose.EXAMPLES, problem, 0);
    double[] beta = normals(model, p);
    for (int m = 0; m < said.sites(); m++) {
      UniformRandomProvider draws = streams.stream(Streams.Purpose.EXAMPLES, problem, m + 1);
      double[] a = new double[p * p];
      for (int row = 0; row < ROWS; row++) {
        double[] x = normals(draws, p);
        if (said.intercept()) {
          x[0] = 1;
        }
        double y = normals(draws, 1)[0];
        for (int i = 0; i < p; i++) {
          y += x[i] * beta[i];
        }
        for (int i = 0; i < p; i++) {
          for (int j = 0; j <= i; j++) {
            moments[said.at(m, i, j)] += x[i] * x[j] / ROWS;
          }
          for (int j = 0; j < p; j++) {
            a[i * p + j] += x[i] * x[j] / ROWS;
          }
          moments[said.at(m, i)] += x[i] * y / ROWS;
        }
      }
      curvature =
          Math.max(curvature, said.scales().get(m) * SymmetricMatrix.largestEigenvalue(a, p));
    }
    // A step size that is too large for unit scale is meant for data of a smaller one.
    double alpha = Math.min(said.steps().at(0), 1 / curvature);
    for (int k = 0; k < moments.length; k++) {
      moments[k] *= alpha * said.scales().get(k / said.each());
    }
    return moments;
  }

  private static double[] normals(UniformRandomProvider draws, int count) {
    ZigguratSampler.NormalizedGaussian sampler = ZigguratSampler.NormalizedGaussian.of(draws);
    double[] normals = new double[count];
    Arrays.setAll(normals, k -> sampler.sample());
    return normals;
  }
}
