package ngd.core.world;

import java.util.Arrays;
import ngd.core.algorithm.ProximalStep;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.rows.HostRows;

/**
 * The linear model's proximal step in closed form, θ = (Σ̂xx + ρ I)⁻¹ (Σ̂xy + ρ centre), prepared
 * once for each client's ρ: then it costs what a gradient does.
 */
final class LinearProx {
  private final double[] rho;
  private final Kernels kernels;
  private final int columns;

  /** ρ (Σ̂xx + ρ I)⁻¹ of each client, {@link #columns} columns of a row's stride. */
  private final double[] factors;

  /** −(Σ̂xx + ρ I)⁻¹ Σ̂xy of each client, a row each. */
  private final double[] offsets;

  LinearProx(Objective objective, double[] rho, Kernels kernels) {
    this.rho = rho.clone();
    this.kernels = kernels;
    int p = objective.parameters();
    int stride = Kernels.padded(p);
    columns = Math.max(p, Kernels.LANES);
    factors = new double[objective.clients() * columns * stride];
    offsets = new double[objective.clients() * stride];
    for (int m = 0; m < rho.length; m++) {
      ProximalStep.requirePositive(rho[m]);
      double[] inverse = inverse(objective.shards(), m, p, rho[m]);
      double[] gradientAtZero = new Linear().gradient(objective.shards(), m, new double[p]);
      for (int j = 0; j < p; j++) {
        for (int i = 0; i < p; i++) {
          factors[(m * columns + j) * stride + i] = rho[m] * inverse[j * p + i];
          offsets[m * stride + i] =
              Math.fma(inverse[j * p + i], gradientAtZero[j], offsets[m * stride + i]);
        }
      }
    }
  }

  private static double[] inverse(Shards shards, int client, int p, double rho) {
    double[] matrix = new Linear().hessian(shards, client, new double[p]);
    for (int j = 0; j < p; j++) {
      matrix[j * p + j] += rho;
    }
    return SymmetricMatrix.inverse(matrix, p).orElseThrow(ProximalStep::notConvex);
  }

  boolean isFor(double[] others) {
    return Arrays.equals(rho, others);
  }

  /** Each client's step from its row of {@code centre}, for the rows [from, to). */
  void solve(HostRows centre, HostRows out, int from, int to) {
    kernels.affine(
        factors, from, offsets, columns, centre.values(), out.values(), centre.stride(), from, to);
  }
}
