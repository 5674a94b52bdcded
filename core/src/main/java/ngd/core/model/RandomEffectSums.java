package ngd.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.RandomEffects;
import ngd.core.data.Shard;
import ngd.core.linalg.BlockCholesky;

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
 * where B = L⁻ᵀR and U = ZᵀX̃ − ZᵀZΛB. Rows count with their weights. Groups that no row has in
 * common are independent, and L is as sparse as groups within groups make it; crossed groups fill
 * it in, within the client.
 */
public final class RandomEffectSums {
  /** A factor of more numbers than this takes too long, and too much memory. */
  private static final long MOST_NUMBERS = 20_000_000;

  private final RandomEffects random;
  private final double[][] scales;
  private final int width;
  private final int[] order;
  private final int[] starts;
  private final int[] termOf;
  private final int[] sizes;
  private final List<TreeSet<Integer>> neighbours = new ArrayList<>();
  private final BlockCholesky.Pattern pattern;
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
    random = shard.random();
    this.scales = scales;
    width = shard.features() + 1;
    int terms = random.terms();
    // Those of most groups first: groups within others come before these, and fill nothing in.
    order =
        IntStream.range(0, terms)
            .boxed()
            .sorted(Comparator.comparingInt((Integer k) -> -random.groups(k)))
            .mapToInt(k -> k)
            .toArray();
    starts = new int[terms];
    int nodes = 0;
    for (int k : order) {
      starts[k] = nodes;
      nodes += random.groups(k);
    }
    termOf = new int[nodes];
    sizes = new int[nodes];
    for (int k = 0; k < terms; k++) {
      Arrays.fill(termOf, starts[k], starts[k] + random.groups(k), k);
      Arrays.fill(sizes, starts[k], starts[k] + random.groups(k), random.columns(k));
    }
    for (int j = 0; j < nodes; j++) {
      neighbours.add(new TreeSet<>());
    }
    int[] own = new int[terms];
    for (int i = 0; i < random.rows(); i++) {
      nodes(i, own);
      for (int a = 1; a < terms; a++) {
        for (int b = 0; b < a; b++) {
          neighbours.get(own[b]).add(own[a]);
        }
      }
    }
    pattern = BlockCholesky.Pattern.of(sizes, neighbours);
    if (pattern.numbers() > MOST_NUMBERS) {
      throw new InvalidInput(
          "random terms: groups that cross each other must be few enough that their covariance at one site takes at most %d numbers; it takes %d"
              .formatted(MOST_NUMBERS, pattern.numbers()));
    }
    zz = pattern.zeros();
    zx = new double[nodes][];
    Arrays.setAll(zx, j -> new double[sizes[j] * width]);
    xx = new double[width * width];
    add(shard, beta);
  }

  /** The blocks that a row is in, in the order of elimination. */
  private void nodes(int row, int[] into) {
    for (int a = 0; a < into.length; a++) {
      into[a] = starts[order[a]] + random.group(order[a], row);
    }
  }

  private void add(Shard shard, double[] beta) {
    int[] own = new int[order.length];
    double[] x = new double[width];
    double[][] z = new double[order.length][];
    for (int i = 0; i < shard.rows(); i++) {
      double weight = shard.weight(i);
      shard.row(i, x);
      double fitted = 0;
      for (int j = 0; j < beta.length; j++) {
        fitted = Math.fma(x[j], beta[j], fitted);
      }
      x[width - 1] = shard.y(i) - shard.offset(i) - fitted;
      nodes(i, own);
      for (int a = 0; a < own.length; a++) {
        int term = order[a];
        z[a] = new double[random.columns(term)];
        for (int c = 0; c < z[a].length; c++) {
          z[a][c] = random.number(term, i, c) / scales[term][c];
        }
        outer(weight, z[a], z[a], zz.diagonal(own[a]));
        outer(weight, z[a], x, zx[own[a]]);
        for (int b = 0; b < a; b++) {
          outer(weight, z[a], z[b], zz.lower(own[b], pattern.place(own[a], own[b])));
        }
      }
      outer(weight, x, x, xx);
    }
  }

  /** target += weight a bᵀ. */
  private static void outer(double weight, double[] a, double[] b, double[] target) {
    for (int r = 0; r < a.length; r++) {
      double scaled = weight * a[r];
      for (int c = 0; c < b.length; c++) {
        target[r * b.length + c] = Math.fma(scaled, b[c], target[r * b.length + c]);
      }
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
    BlockCholesky factor = factor(factors);
    double[][] solved = transposedProducts(factors, zx);
    factor.forward(solved, width);
    double[] left = xx.clone();
    for (int j = 0; j < solved.length; j++) {
      for (int r = 0; r < sizes[j]; r++) {
        for (int a = 0; a < width; a++) {
          for (int b = 0; b <= a; b++) {
            left[a * width + b] =
                Math.fma(-solved[j][r * width + a], solved[j][r * width + b], left[a * width + b]);
          }
        }
      }
    }
    double[] said = new double[block(width) * (slopes ? 1 + parameters(random) : 1)];
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

  /** The factor of M. */
  private BlockCholesky factor(double[][] factors) {
    BlockCholesky.Blocks blocks = pattern.zeros();
    for (int j = 0; j < sizes.length; j++) {
      sandwich(factors[termOf[j]], zz.diagonal(j), factors[termOf[j]], blocks.diagonal(j));
      for (int c = 0; c < sizes[j]; c++) {
        blocks.diagonal(j)[c * (sizes[j] + 1)] += 1;
      }
      for (int i : neighbours.get(j)) {
        int place = pattern.place(i, j);
        sandwich(
            factors[termOf[i]], zz.lower(j, place), factors[termOf[j]], blocks.lower(j, place));
      }
    }
    return BlockCholesky.of(pattern, blocks);
  }

  /** Writes aᵀ m b. */
  private static void sandwich(double[] a, double[] m, double[] b, double[] into) {
    int rows = (int) Math.round(Math.sqrt(a.length));
    int columns = (int) Math.round(Math.sqrt(b.length));
    double[] half = product(m, rows, columns, b, columns);
    double[] whole = product(transposed(a, rows, rows), rows, rows, half, columns);
    System.arraycopy(whole, 0, into, 0, whole.length);
  }

  private static double[] product(double[] a, int rows, int inner, double[] b, int columns) {
    double[] product = new double[rows * columns];
    for (int r = 0; r < rows; r++) {
      for (int k = 0; k < inner; k++) {
        for (int c = 0; c < columns; c++) {
          product[r * columns + c] =
              Math.fma(a[r * inner + k], b[k * columns + c], product[r * columns + c]);
        }
      }
    }
    return product;
  }

  private static double[] transposed(double[] block, int rows, int columns) {
    double[] transposed = new double[block.length];
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        transposed[c * rows + r] = block[r * columns + c];
      }
    }
    return transposed;
  }

  /** Λᵀ times some blocks. */
  private double[][] transposedProducts(double[][] factors, double[][] of) {
    double[][] products = new double[of.length][];
    for (int j = 0; j < of.length; j++) {
      double[] upper = transposed(factors[termOf[j]], sizes[j], sizes[j]);
      products[j] = product(upper, sizes[j], sizes[j], of[j], of[j].length / sizes[j]);
    }
    return products;
  }

  private void slopes(double[][] factors, BlockCholesky factor, double[][] solved, double[] said) {
    double[][] left = residuals(factors, solved);
    double[][] traces = traces(factors, factor.inverse());
    int at = block(width);
    for (int k = 0; k < random.terms(); k++) {
      int n = random.columns(k);
      for (int column = 0; column < n; column++) {
        for (int row = column; row < n; row++) {
          said[at++] = 2 * traces[k][column * n + row];
          double[] slope = new double[width * width];
          for (int j = starts[k]; j < starts[k] + random.groups(k); j++) {
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

  /** U = ZᵀX̃ − ZᵀZΛB. */
  private double[][] residuals(double[][] factors, double[][] solved) {
    double[][] left = new double[solved.length][];
    double[][] effects = new double[solved.length][];
    for (int j = 0; j < solved.length; j++) {
      left[j] = zx[j].clone();
      effects[j] = product(factors[termOf[j]], sizes[j], sizes[j], solved[j], width);
    }
    for (int j = 0; j < solved.length; j++) {
      subtract(left[j], product(zz.diagonal(j), sizes[j], sizes[j], effects[j], width));
      for (int i : neighbours.get(j)) {
        double[] block = zz.lower(j, pattern.place(i, j));
        subtract(left[i], product(block, sizes[i], sizes[j], effects[j], width));
        subtract(
            left[j],
            product(transposed(block, sizes[i], sizes[j]), sizes[j], sizes[i], effects[i], width));
      }
    }
    return left;
  }

  private static void subtract(double[] from, double[] what) {
    for (int i = 0; i < from.length; i++) {
      from[i] -= what[i];
    }
  }

  /** For each term the sum over its groups of their blocks of M⁻¹ΛᵀZᵀZ. */
  private double[][] traces(double[][] factors, BlockCholesky.Blocks inverse) {
    double[][] traces = new double[random.terms()][];
    Arrays.setAll(traces, k -> new double[random.columns(k) * random.columns(k)]);
    for (int j = 0; j < sizes.length; j++) {
      double[] own = transposed(factors[termOf[j]], sizes[j], sizes[j]);
      addTrace(inverse.diagonal(j), own, zz.diagonal(j), sizes[j], sizes[j], traces[termOf[j]]);
      for (int i : neighbours.get(j)) {
        int place = pattern.place(i, j);
        double[] block = zz.lower(j, place);
        double[] other = transposed(factors[termOf[i]], sizes[i], sizes[i]);
        addTrace(
            transposed(inverse.lower(j, place), sizes[i], sizes[j]),
            other,
            block,
            sizes[j],
            sizes[i],
            traces[termOf[j]]);
        addTrace(
            inverse.lower(j, place),
            own,
            transposed(block, sizes[i], sizes[j]),
            sizes[i],
            sizes[j],
            traces[termOf[i]]);
      }
    }
    return traces;
  }

  /** sum += a upper b, a of n × inner. */
  private static void addTrace(
      double[] a, double[] upper, double[] b, int n, int inner, double[] sum) {
    double[] product = product(product(a, n, inner, upper, inner), n, inner, b, n);
    for (int i = 0; i < product.length; i++) {
      sum[i] += product[i];
    }
  }

  /**
   * The predicted effects of this client's groups, E(b | y), which stay with it: by term, group and
   * effect, on the scale of the data.
   *
   * @param delta the coefficients beyond β₀
   */
  public List<List<List<Double>>> predicted(double[][] factors, double[] delta) {
    double[][] left = new double[zx.length][];
    for (int j = 0; j < left.length; j++) {
      left[j] = new double[sizes[j]];
      for (int r = 0; r < sizes[j]; r++) {
        double sum = zx[j][r * width + width - 1];
        for (int c = 0; c < delta.length; c++) {
          sum = Math.fma(-zx[j][r * width + c], delta[c], sum);
        }
        left[j][r] = sum;
      }
    }
    double[][] solved = transposedProducts(factors, left);
    BlockCholesky factor = factor(factors);
    factor.forward(solved, 1);
    factor.backward(solved, 1);
    List<List<List<Double>>> terms = new ArrayList<>();
    for (int k = 0; k < random.terms(); k++) {
      List<List<Double>> groups = new ArrayList<>();
      for (int g = 0; g < random.groups(k); g++) {
        double[] effects =
            product(factors[k], random.columns(k), random.columns(k), solved[starts[k] + g], 1);
        List<Double> one = new ArrayList<>();
        for (int c = 0; c < effects.length; c++) {
          one.add(effects[c] / scales[k][c]);
        }
        groups.add(one);
      }
      terms.add(groups);
    }
    return terms;
  }

  /** What a group is called at its site. */
  public String name(int term, int group) {
    return random.name(term, group);
  }
}
