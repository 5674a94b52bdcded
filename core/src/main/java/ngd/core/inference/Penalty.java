package ngd.core.inference;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Moments;
import ngd.core.algorithm.World;
import ngd.core.linalg.Edges;
import ngd.core.linalg.Rows;

/**
 * The ridge penalty λ/2 Σ (s_j θ_j)² on the mean loss of a row, s_j the pooled standard deviation
 * of column j, the intercept left out; here as ½ θ̃ᵀPθ̃ in whitened coordinates.
 */
final class Penalty {
  private final double[] matrix;
  private final int p;

  private Penalty(double[] matrix, int p) {
    this.matrix = matrix;
    this.p = p;
  }

  static Penalty of(double lambda, Coordinates coordinates, int p) {
    double[] diagonal = new double[p * p];
    if (lambda > 0) {
      double[] variances = coordinates.variances();
      for (int j = 0; j < p; j++) {
        diagonal[j * p + j] = lambda * variances[j];
      }
    }
    return new Penalty(coordinates.quadratic(diagonal), p);
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

  /** The world in which every client's loss carries the penalty, times the loss's factor. */
  World on(World world, double factor) {
    return none() ? world : new Penalised(world, this, factor);
  }

  /** A world for rounds: gradients and Hessians with the penalty, all else as it is. */
  private record Penalised(World world, Penalty penalty, double factor) implements World, Local {
    @Override
    public Exchange exchange() {
      return world.exchange();
    }

    @Override
    public Local local() {
      return this;
    }

    @Override
    public int rows() {
      return world.rows();
    }

    @Override
    public Rows block(double[][] rows) {
      return world.block(rows);
    }

    @Override
    public <S extends Algorithm.State> S advance(
        Algorithm.Rounds<S> algorithm, S state, int rounds) {
      return world.advance(new Through<>(algorithm, this), state, rounds);
    }

    @Override
    public Penalised in(double[] upper) {
      throw new UnsupportedOperationException("the penalty belongs to these coordinates");
    }

    @Override
    public Rows gradient(Rows at) {
      double[][] slopes = new double[at.rows()][];
      for (int m = 0; m < slopes.length; m++) {
        slopes[m] = penalty.slope(at.row(m));
      }
      return world.local().gradient(at).plus(factor, at.of(slopes));
    }

    @Override
    public Edges gradient(Edges at) {
      throw new UnsupportedOperationException("balanced NGD has no gradients on links");
    }

    @Override
    public Rows prox(Rows centre, double rho) {
      throw new UnsupportedOperationException("balanced NGD has no proximal steps");
    }

    @Override
    public Rows prox(Rows centre, double[] rho) {
      throw new UnsupportedOperationException("balanced NGD has no proximal steps");
    }

    @Override
    public Local batch(int size, int round) {
      throw new UnsupportedOperationException("balanced NGD has no batches here");
    }

    @Override
    public Moments moments(int row) {
      Moments own = world.local().moments(row);
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
        public double[] squares(double[] theta, RowTerm term) {
          return own.squares(theta, term);
        }

        @Override
        public double largest(double[] theta, RowTerm term) {
          return own.largest(theta, term);
        }
      };
    }
  }

  /** An algorithm that sees other local data than those of the world that runs it. */
  private record Through<S extends Algorithm.State>(Algorithm.Rounds<S> inner, Local local)
      implements Algorithm.Rounds<S> {
    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public S start(Rows theta) {
      return inner.start(theta);
    }

    @Override
    public S step(S state, Exchange exchange, Local plain, ngd.core.random.Draws draws) {
      return inner.step(state, exchange, local, draws);
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
