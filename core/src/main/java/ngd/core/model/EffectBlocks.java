package ngd.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.RandomEffects;
import ngd.core.linalg.BlockCholesky;
import ngd.core.linalg.SmallBlocks;

/**
 * Vectors and matrices of all random effects of one client, in small blocks: one block for each
 * group of each term. Groups that no row has in common are independent; M = 1 + ΛᵀZᵀWZΛ is as
 * sparse as groups within groups make it, and crossed groups fill its factor in, within the client.
 */
final class EffectBlocks {
  /** A factor of more numbers than this takes too long, and too much memory. */
  private static final long MOST_NUMBERS = 20_000_000;

  private final RandomEffects random;
  private final double[][] scales;
  private final int[] order;
  private final int[] starts;
  private final int[] termOf;
  private final int[] sizes;
  private final List<TreeSet<Integer>> neighbours = new ArrayList<>();
  private final BlockCholesky.Pattern pattern;

  /**
   * The blocks of a client's groups.
   *
   * @param scales what the numbers of each random term's effects are divided by
   */
  EffectBlocks(RandomEffects random, double[][] scales) {
    this.random = random;
    this.scales = scales;
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
  }

  RandomEffects random() {
    return random;
  }

  /** How many random terms there are. */
  int terms() {
    return order.length;
  }

  /** How many blocks there are. */
  int count() {
    return sizes.length;
  }

  /** The effects of a block's group. */
  int size(int block) {
    return sizes[block];
  }

  /** The block of a term's first group; the others follow. */
  int start(int term) {
    return starts[term];
  }

  /** The blocks that a row is in, in the order of elimination. */
  void nodes(int row, int[] into) {
    for (int a = 0; a < into.length; a++) {
      into[a] = starts[order[a]] + random.group(order[a], row);
    }
  }

  /** What the effects of these blocks multiply in a row. */
  void numbers(int row, double[][] into) {
    for (int a = 0; a < into.length; a++) {
      int term = order[a];
      for (int c = 0; c < into[a].length; c++) {
        into[a][c] = random.number(term, row, c) / scales[term][c];
      }
    }
  }

  /** Room for {@link #numbers}. */
  double[][] row() {
    double[][] row = new double[order.length][];
    Arrays.setAll(row, a -> new double[random.columns(order[a])]);
    return row;
  }

  /** A vector of zeros, or several side by side. */
  double[][] vector(int width) {
    double[][] vector = new double[sizes.length][];
    Arrays.setAll(vector, j -> new double[sizes[j] * width]);
    return vector;
  }

  /** A matrix of zeros. */
  BlockCholesky.Blocks matrix() {
    return pattern.zeros();
  }

  /** ZᵀWZ, W being diagonal. */
  BlockCholesky.Blocks squares(double[] weights) {
    BlockCholesky.Blocks zz = matrix();
    int[] own = new int[terms()];
    double[][] z = row();
    for (int i = 0; i < weights.length; i++) {
      nodes(i, own);
      numbers(i, z);
      addSquare(weights[i], own, z, zz);
    }
    return zz;
  }

  /** Zᵀv, v having a number for each row. */
  double[][] gathered(double[] v) {
    double[][] sums = vector(1);
    int[] own = new int[terms()];
    double[][] z = row();
    for (int i = 0; i < v.length; i++) {
      nodes(i, own);
      numbers(i, z);
      for (int a = 0; a < own.length; a++) {
        double[] sum = sums[own[a]];
        for (int c = 0; c < sum.length; c++) {
          sum[c] = Math.fma(z[a][c], v[i], sum[c]);
        }
      }
    }
    return sums;
  }

  /** The sums of v over the rows of each group of the first term. */
  double[] summed(double[] v) {
    double[] sums = new double[random.groups(0)];
    for (int i = 0; i < v.length; i++) {
      sums[random.group(0, i)] += v[i];
    }
    return sums;
  }

  /** from + Zb. */
  double[] spread(double[] from, double[][] b) {
    double[] spread = new double[from.length];
    int[] own = new int[terms()];
    double[][] z = row();
    for (int i = 0; i < spread.length; i++) {
      nodes(i, own);
      numbers(i, z);
      double sum = from[i];
      for (int a = 0; a < own.length; a++) {
        double[] effects = b[own[a]];
        for (int c = 0; c < effects.length; c++) {
          sum = Math.fma(z[a][c], effects[c], sum);
        }
      }
      spread[i] = sum;
    }
    return spread;
  }

  /** zᵀΛAΛᵀz of each row, A as sparse as M. */
  double[] leverages(double[][] factors, BlockCholesky.Blocks matrix) {
    double[] leverages = new double[random.rows()];
    int[] own = new int[terms()];
    double[][] z = row();
    for (int i = 0; i < leverages.length; i++) {
      nodes(i, own);
      numbers(i, z);
      relative(factors, z);
      leverages[i] = quadratic(matrix, own, z);
    }
    return leverages;
  }

  /** Adds a row's share of ZᵀWZ. */
  void addSquare(double weight, int[] own, double[][] z, BlockCholesky.Blocks zz) {
    for (int a = 0; a < own.length; a++) {
      SmallBlocks.outer(weight, z[a], z[a], zz.diagonal(own[a]));
      for (int b = 0; b < a; b++) {
        SmallBlocks.outer(weight, z[a], z[b], zz.lower(own[b], pattern.place(own[a], own[b])));
      }
    }
  }

  /** Λᵀz for each block of a row, written over z. */
  private void relative(double[][] factors, double[][] z) {
    for (int a = 0; a < z.length; a++) {
      double[] factor = factors[order[a]];
      int n = z[a].length;
      for (int c = 0; c < n; c++) {
        double sum = 0;
        // The factor is lower triangular: entry c takes those from c on.
        for (int r = c; r < n; r++) {
          sum = Math.fma(factor[r * n + c], z[a][r], sum);
        }
        z[a][c] = sum;
      }
    }
  }

  /** zᵀAz of a row, A having blocks where M has. */
  private double quadratic(BlockCholesky.Blocks matrix, int[] own, double[][] z) {
    double sum = 0;
    for (int a = 0; a < own.length; a++) {
      sum += SmallBlocks.bilinear(matrix.diagonal(own[a]), z[a], z[a]);
      for (int b = 0; b < a; b++) {
        sum +=
            2
                * SmallBlocks.bilinear(
                    matrix.lower(own[b], pattern.place(own[a], own[b])), z[a], z[b]);
      }
    }
    return sum;
  }

  /** The factor of M = 1 + Λᵀ ZᵀWZ Λ. */
  BlockCholesky factor(double[][] factors, BlockCholesky.Blocks zz) {
    BlockCholesky.Blocks blocks = pattern.zeros();
    for (int j = 0; j < sizes.length; j++) {
      SmallBlocks.sandwich(
          factors[termOf[j]], zz.diagonal(j), factors[termOf[j]], blocks.diagonal(j));
      for (int c = 0; c < sizes[j]; c++) {
        blocks.diagonal(j)[c * (sizes[j] + 1)] += 1;
      }
      for (int i : neighbours.get(j)) {
        int place = pattern.place(i, j);
        SmallBlocks.sandwich(
            factors[termOf[i]], zz.lower(j, place), factors[termOf[j]], blocks.lower(j, place));
      }
    }
    return BlockCholesky.of(pattern, blocks);
  }

  /** Λ times some blocks. */
  double[][] products(double[][] factors, double[][] of) {
    double[][] products = new double[of.length][];
    for (int j = 0; j < of.length; j++) {
      products[j] =
          SmallBlocks.product(
              factors[termOf[j]], sizes[j], sizes[j], of[j], of[j].length / sizes[j]);
    }
    return products;
  }

  /** Λᵀ times some blocks. */
  double[][] transposedProducts(double[][] factors, double[][] of) {
    double[][] products = new double[of.length][];
    for (int j = 0; j < of.length; j++) {
      double[] upper = SmallBlocks.transposed(factors[termOf[j]], sizes[j], sizes[j]);
      products[j] = SmallBlocks.product(upper, sizes[j], sizes[j], of[j], of[j].length / sizes[j]);
    }
    return products;
  }

  /** Takes ZᵀWZ times some blocks from others. */
  void subtractProducts(BlockCholesky.Blocks zz, double[][] of, double[][] from) {
    for (int j = 0; j < of.length; j++) {
      int width = of[j].length / sizes[j];
      SmallBlocks.subtract(
          from[j], SmallBlocks.product(zz.diagonal(j), sizes[j], sizes[j], of[j], width));
      for (int i : neighbours.get(j)) {
        double[] block = zz.lower(j, pattern.place(i, j));
        SmallBlocks.subtract(from[i], SmallBlocks.product(block, sizes[i], sizes[j], of[j], width));
        SmallBlocks.subtract(
            from[j],
            SmallBlocks.product(
                SmallBlocks.transposed(block, sizes[i], sizes[j]),
                sizes[j],
                sizes[i],
                of[i],
                width));
      }
    }
  }

  /** For each term the sum over its groups of their blocks of A ΛᵀZᵀWZ, A as sparse as M. */
  double[][] traces(double[][] factors, BlockCholesky.Blocks a, BlockCholesky.Blocks zz) {
    double[][] traces = new double[random.terms()][];
    Arrays.setAll(traces, k -> new double[random.columns(k) * random.columns(k)]);
    for (int j = 0; j < sizes.length; j++) {
      double[] own = SmallBlocks.transposed(factors[termOf[j]], sizes[j], sizes[j]);
      addTrace(a.diagonal(j), own, zz.diagonal(j), sizes[j], sizes[j], traces[termOf[j]]);
      for (int i : neighbours.get(j)) {
        int place = pattern.place(i, j);
        double[] block = zz.lower(j, place);
        double[] other = SmallBlocks.transposed(factors[termOf[i]], sizes[i], sizes[i]);
        addTrace(
            SmallBlocks.transposed(a.lower(j, place), sizes[i], sizes[j]),
            other,
            block,
            sizes[j],
            sizes[i],
            traces[termOf[j]]);
        addTrace(
            a.lower(j, place),
            own,
            SmallBlocks.transposed(block, sizes[i], sizes[j]),
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
    double[] product =
        SmallBlocks.product(SmallBlocks.product(a, n, inner, upper, inner), n, inner, b, n);
    for (int i = 0; i < product.length; i++) {
      sum[i] += product[i];
    }
  }

  /** For each term the sum over its groups of their blocks of a bᵀ. */
  double[][] byTerm(double[][] a, double[][] b) {
    double[][] sums = new double[random.terms()][];
    Arrays.setAll(sums, k -> new double[random.columns(k) * random.columns(k)]);
    for (int j = 0; j < sizes.length; j++) {
      SmallBlocks.outer(1, a[j], b[j], sums[termOf[j]]);
    }
    return sums;
  }

  /** Λu on the scale of the data: by term, group and effect. */
  List<List<List<Double>>> effects(double[][] factors, double[][] u) {
    double[][] relative = products(factors, u);
    List<List<List<Double>>> terms = new ArrayList<>();
    for (int k = 0; k < random.terms(); k++) {
      List<List<Double>> groups = new ArrayList<>();
      for (int g = 0; g < random.groups(k); g++) {
        double[] effects = relative[starts[k] + g];
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
}
