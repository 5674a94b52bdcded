package ngd.core.inference;

import java.util.Arrays;
import java.util.function.Function;
import ngd.core.algorithm.AddedLocal;
import ngd.core.algorithm.AddedTerm;
import ngd.core.data.RowFactors;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Triangular;
import ngd.core.model.CurvedLoss;
import ngd.core.world.ModelledLocal;
import ngd.core.world.World;

/**
 * The ridge penalty λ/2 Σ (s_j θ_j)² on minus the mean log-likelihood of a row, s_j the pooled
 * standard deviation of column j, the intercept left out; here as ½ θ̃ᵀPθ̃ in whitened coordinates.
 */
final class Penalty implements AddedTerm {
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

  @Override
  public double value(double[] theta) {
    double[] slope = slope(theta);
    double sum = 0;
    for (int j = 0; j < p; j++) {
      sum = Math.fma(0.5 * theta[j], slope[j], sum);
    }
    return sum;
  }

  @Override
  public double[] slope(double[] theta) {
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

  @Override
  public double[] hessian(int width) {
    return matrix;
  }

  private Penalty times(double factor) {
    return new Penalty(Arrays.stream(matrix).map(entry -> factor * entry).toArray(), p);
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
    return none() ? world : world.with(on((ModelledLocal) world.curved(), factor));
  }

  /** Such data. */
  ModelledLocal on(ModelledLocal plain, double factor) {
    return new PenalisedLocal(plain, times(factor));
  }

  /** Each client's loss with the penalty: value, gradients and Hessian; all else as it is. */
  private static final class PenalisedLocal extends AddedLocal.Curved implements ModelledLocal {
    private final ModelledLocal plain;
    private final Penalty penalty;

    PenalisedLocal(ModelledLocal plain, Penalty penalty) {
      super(plain, penalty);
      this.plain = plain;
      this.penalty = penalty;
    }

    @Override
    public Shards rows() {
      return plain.rows();
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
      return new PenalisedLocal(plain.under(loss), penalty);
    }

    @Override
    public ModelledLocal over(CurvedLoss loss, Shards rows) {
      return new PenalisedLocal(plain.over(loss, rows), penalty);
    }

    @Override
    public ModelledLocal weighted(RowFactors factors) {
      return new PenalisedLocal(plain.weighted(factors), penalty);
    }

    @Override
    public ModelledLocal in(double[] upper, double[] centre) {
      return new PenalisedLocal(plain.in(upper, centre), penalty.in(upper));
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
