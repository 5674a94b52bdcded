package ngd.core.inference;

import java.util.function.Function;
import ngd.core.algorithm.LinkLocal;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Moments;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Triangular;
import ngd.core.model.CurvedLoss;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.world.ModelledLocal;
import ngd.core.world.World;

/**
 * The ridge penalty λ/2 Σ (s_j θ_j)² on minus the mean log-likelihood of a row, s_j the pooled
 * standard deviation of column j, the intercept left out; here as ½ θ̃ᵀPθ̃ in whitened coordinates.
 */
final class Penalty {
  private final double[] matrix;
  private final int p;

  private Penalty(double[] matrix, int p) {
    this.matrix = matrix;
    this.p = p;
  }

  /** λ/2 Σ v_j θ_j² with these variances, for coefficients on the scale of the data. */
  static Penalty of(double lambda, double[] variances, Coordinates coordinates) {
    int p = variances.length;
    double[] diagonal = new double[p * p];
    for (int j = 0; j < p; j++) {
      diagonal[j * p + j] = lambda * variances[j];
    }
    return of(coordinates.quadratic(diagonal), p);
  }

  /** ½ θᵀPθ with a symmetric P, row by row. */
  static Penalty of(double[] matrix, int p) {
    return new Penalty(matrix.clone(), p);
  }

  /** Whether there is none. */
  boolean none() {
    for (double entry : matrix) {
      if (entry != 0) {
        return false;
      }
    }
    return true;
  }

  double value(double[] theta) {
    double[] slope = slope(theta);
    double sum = 0;
    for (int j = 0; j < p; j++) {
      sum = Math.fma(0.5 * theta[j], slope[j], sum);
    }
    return sum;
  }

  double[] slope(double[] theta) {
    double[] slope = new double[p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j < p; j++) {
        slope[i] = Math.fma(matrix[i * p + j], theta[j], slope[i]);
      }
    }
    return slope;
  }

  double[] matrix() {
    return matrix;
  }

  /** The same penalty where a model θ is R⁻¹θ here: R⁻ᵀPR⁻¹. */
  private Penalty in(double[] upper) {
    return new Penalty(leftSolved(upper, leftSolved(upper, matrix)), p);
  }

  /** The transpose of R⁻ᵀA. */
  private double[] leftSolved(double[] upper, double[] a) {
    double[] transposed = new double[p * p];
    for (int j = 0; j < p; j++) {
      double[] column = new double[p];
      for (int i = 0; i < p; i++) {
        column[i] = a[i * p + j];
      }
      System.arraycopy(Triangular.solveTransposed(upper, p, column), 0, transposed, j * p, p);
    }
    return transposed;
  }

  /** The world in which every client's loss carries the penalty, times the loss's factor. */
  World on(World world, double factor) {
    return none()
        ? world
        : world.with(new PenalisedLocal((ModelledLocal) world.curved(), this, factor));
  }

  /** Each client's loss with the penalty: value, gradients and Hessian; all else as it is. */
  record PenalisedLocal(ModelledLocal plain, Penalty penalty, double factor)
      implements ModelledLocal {
    @Override
    public int rows(int row) {
      return plain.rows(row);
    }

    @Override
    public Rows gradient(Rows at) {
      return plain.gradient(at).plus(factor, slopes(at));
    }

    @Override
    public Edges gradient(Edges at) {
      return at.with(plain.gradient(at).values().plus(factor, slopes(at.values())));
    }

    private Rows slopes(Rows at) {
      double[][] slopes = new double[at.rows()][];
      for (int m = 0; m < slopes.length; m++) {
        slopes[m] = penalty.slope(at.row(m));
      }
      return at.of(slopes);
    }

    @Override
    public LinkLocal batch(int size, int round) {
      return new PenalisedBatch(plain.batch(size, round), this);
    }

    @Override
    public Local part(int[] chosen, int of) {
      return new PenalisedPart(plain.part(chosen, of), this);
    }

    @Override
    public double[] sums(int client, Function<Shard, double[]> sums) {
      return plain.sums(client, sums);
    }

    @Override
    public double[] rowSums(int client, Function<Shard, double[]> sums) {
      return plain.rowSums(client, sums);
    }

    @Override
    public ModelledLocal under(CurvedLoss loss) {
      return new PenalisedLocal(plain.under(loss), penalty, factor);
    }

    @Override
    public ModelledLocal over(CurvedLoss loss, Shards rows) {
      return new PenalisedLocal(plain.over(loss, rows), penalty, factor);
    }

    @Override
    public ModelledLocal weighted(double[][] factors) {
      return new PenalisedLocal(plain.weighted(factors), penalty, factor);
    }

    @Override
    public ModelledLocal in(double[] upper, double[] centre) {
      return new PenalisedLocal(plain.in(upper, centre), penalty.in(upper), factor);
    }

    @Override
    public Moments moments(int row) {
      Moments own = plain.moments(row);
      return new Moments() {
        @Override
        public int rows() {
          return own.rows();
        }

        @Override
        public double[] xx() {
          return own.xx();
        }

        @Override
        public double[] xy() {
          return own.xy();
        }

        @Override
        public double value(double[] theta) {
          return own.value(theta) + factor * penalty.value(theta);
        }

        @Override
        public double[] gradient(double[] theta) {
          return sum(own.gradient(theta), penalty.slope(theta), factor);
        }

        @Override
        public double[] hessian(double[] theta) {
          return sum(own.hessian(theta), penalty.matrix, factor);
        }

        @Override
        public double[] sums(double[] theta, RowTerm... terms) {
          return own.sums(theta, terms);
        }

        @Override
        public double[] table(double[] theta, int cells, RowCell cell, RowTerm... terms) {
          return own.table(theta, cells, cell, terms);
        }

        @Override
        public double[] squares(double[] theta, RowTerm term) {
          return own.squares(theta, term);
        }
      };
    }
  }

  /** Mini-batches of such losses. */
  private record PenalisedBatch(LinkLocal plain, PenalisedLocal whole) implements LinkLocal {
    @Override
    public int rows(int row) {
      return plain.rows(row);
    }

    @Override
    public Rows gradient(Rows at) {
      return plain.gradient(at).plus(whole.factor, whole.slopes(at));
    }

    @Override
    public Edges gradient(Edges at) {
      return at.with(plain.gradient(at).values().plus(whole.factor, whole.slopes(at.values())));
    }

    @Override
    public LinkLocal batch(int size, int round) {
      return whole.batch(size, round);
    }

    @Override
    public Local part(int[] chosen, int of) {
      return whole.part(chosen, of);
    }
  }

  /** The same on parts of the rows, over whose mean the penalty counts once. */
  private record PenalisedPart(Local plain, PenalisedLocal whole) implements Local {
    @Override
    public int rows(int row) {
      return plain.rows(row);
    }

    @Override
    public Rows gradient(Rows at) {
      return plain.gradient(at).plus(whole.factor, whole.slopes(at));
    }

    @Override
    public Local batch(int size, int round) {
      return whole.batch(size, round);
    }

    @Override
    public Local part(int[] chosen, int of) {
      return whole.part(chosen, of);
    }
  }

  /** a + scale · b. */
  static double[] sum(double[] a, double[] b, double scale) {
    double[] sum = a.clone();
    for (int j = 0; j < sum.length; j++) {
      sum[j] = Math.fma(scale, b[j], sum[j]);
    }
    return sum;
  }
}
