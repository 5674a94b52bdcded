package ngd.core.model;

import java.util.List;
import ngd.core.data.RandomEffects;
import ngd.core.data.Shard;
import ngd.core.linalg.BlockCholesky;
import ngd.core.linalg.SmallBlocks;

/**
 * What one client adds to the likelihood of a linear mixed model at given relative covariance
 * factors (Bates, Mächler, Bolker and Walker, Journal of Statistical Software 67, 2015).
 *
 * <p>With y − Xβ₀ = Xδ + Zb + e, b = Λu and u and e normal of variance σ², rows have the covariance
 * σ²V, V = 1 + ZΛΛᵀZᵀ. With X̃ = (X, y − Xβ₀), M = 1 + ΛᵀZᵀZΛ = LLᵀ and R = L⁻¹ΛᵀZᵀX̃,
 *
 * <pre>
 *   X̃ᵀV⁻¹X̃ = X̃ᵀX̃ − RᵀR,   log|V| = log|M|,
 *   ∂ X̃ᵀV⁻¹X̃ = −Uᵀ∂Λ B − Bᵀ∂Λᵀ U,   ∂ log|V| = 2 tr(M⁻¹ΛᵀZᵀZ ∂Λ),
 * </pre>
 *
 * where B = L⁻ᵀR and U = ZᵀX̃ − ZᵀZΛB. Rows count with their weights.
 */
public final class RandomEffectSums implements GroupEffects {
  private final EffectBlocks blocks;
  private final int width;
  private final BlockCholesky.Blocks zz;
  private final double[][] zx;
  private final double[] xx;

  /**
   * The products that everything else is made of.
   *
   * @param beta β₀, which is taken from the responses
   * @param scales what the numbers of each random term's effects are divided by
   */
  public RandomEffectSums(Shard shard, double[] beta, double[][] scales) {
    blocks = new EffectBlocks(shard.random(), scales);
    width = shard.features() + 1;
    zz = blocks.matrix();
    zx = blocks.vector(width);
    xx = new double[width * width];
    add(shard, beta);
  }

  private void add(Shard shard, double[] beta) {
    int[] own = new int[blocks.terms()];
    double[] x = new double[width];
    double[][] z = blocks.row();
    for (int i = 0; i < shard.rows(); i++) {
      double weight = shard.weight(i);
      shard.row(i, x);
      double fitted = 0;
      for (int j = 0; j < beta.length; j++) {
        fitted = Math.fma(x[j], beta[j], fitted);
      }
      x[width - 1] = shard.y(i) - shard.offset(i) - fitted;
      blocks.nodes(i, own);
      blocks.numbers(i, z);
      blocks.addSquare(weight, own, z, zz);
      for (int a = 0; a < own.length; a++) {
        SmallBlocks.outer(weight, z[a], x, zx[own[a]]);
      }
      SmallBlocks.outer(weight, x, x, xx);
    }
  }

  /** How many numbers a matrix of {@code width} rows takes that is said with a determinant. */
  public static int block(int width) {
    return 1 + width * (width + 1) / 2;
  }

  /**
   * log|V| and the lower triangle of X̃ᵀV⁻¹X̃.
   *
   * @param factors the lower triangular block of Λ of each term, row by row
   * @param slopes whether the same follows of their derivatives by each entry of the factors on and
   *     below the diagonal, term by term and column by column
   */
  public double[] at(double[][] factors, boolean slopes) {
    BlockCholesky factor = blocks.factor(factors, zz);
    double[][] solved = blocks.transposedProducts(factors, zx);
    factor.forward(solved, width);
    double[] left = xx.clone();
    for (int j = 0; j < solved.length; j++) {
      for (int r = 0; r < blocks.size(j); r++) {
        for (int a = 0; a < width; a++) {
          for (int b = 0; b <= a; b++) {
            left[a * width + b] =
                Math.fma(-solved[j][r * width + a], solved[j][r * width + b], left[a * width + b]);
          }
        }
      }
    }
    double[] said = new double[block(width) * (slopes ? 1 + parameters(blocks.random()) : 1)];
    said[0] = factor.logDeterminant();
    triangle(left, said, 1);
    if (slopes) {
      factor.backward(solved, width);
      slopes(factors, factor, solved, said);
    }
    return said;
  }

  /** The entries of the relative covariance factors. */
  public static int parameters(RandomEffects random) {
    int count = 0;
    for (int k = 0; k < random.terms(); k++) {
      count += random.columns(k) * (random.columns(k) + 1) / 2;
    }
    return count;
  }

  private void triangle(double[] matrix, double[] into, int from) {
    int at = from;
    for (int a = 0; a < width; a++) {
      for (int b = 0; b <= a; b++) {
        into[at++] = matrix[a * width + b];
      }
    }
  }

  private void slopes(double[][] factors, BlockCholesky factor, double[][] solved, double[] said) {
    // U = ZᵀX̃ − ZᵀZΛB.
    double[][] left = new double[zx.length][];
    for (int j = 0; j < left.length; j++) {
      left[j] = zx[j].clone();
    }
    blocks.subtractProducts(zz, blocks.products(factors, solved), left);
    double[][] traces = blocks.traces(factors, factor.inverse(), zz);
    RandomEffects random = blocks.random();
    int at = block(width);
    for (int k = 0; k < random.terms(); k++) {
      int n = random.columns(k);
      for (int column = 0; column < n; column++) {
        for (int row = column; row < n; row++) {
          said[at++] = 2 * traces[k][column * n + row];
          double[] slope = new double[width * width];
          for (int j = blocks.start(k); j < blocks.start(k) + random.groups(k); j++) {
            for (int a = 0; a < width; a++) {
              for (int b = 0; b <= a; b++) {
                slope[a * width + b] -=
                    left[j][row * width + a] * solved[j][column * width + b]
                        + left[j][row * width + b] * solved[j][column * width + a];
              }
            }
          }
          triangle(slope, said, at);
          at += block(width) - 1;
        }
      }
    }
  }

  /** {@inheritDoc} They are E(b | y). */
  @Override
  public List<List<List<Double>>> predicted(double[][] factors, double[] delta) {
    double[][] left = blocks.vector(1);
    for (int j = 0; j < left.length; j++) {
      for (int r = 0; r < left[j].length; r++) {
        double sum = zx[j][r * width + width - 1];
        for (int c = 0; c < delta.length; c++) {
          sum = Math.fma(-zx[j][r * width + c], delta[c], sum);
        }
        left[j][r] = sum;
      }
    }
    double[][] solved = blocks.transposedProducts(factors, left);
    BlockCholesky factor = blocks.factor(factors, zz);
    factor.forward(solved, 1);
    factor.backward(solved, 1);
    return blocks.effects(factors, solved);
  }

  @Override
  public String name(int term, int group) {
    return blocks.random().name(term, group);
  }
}
