package ngd.core.linalg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The Cholesky factor of a sparse, symmetric, positive definite matrix of small dense blocks, and
 * the entries of its inverse where the factor has entries (Takahashi, Fagan and Chin, 1973).
 *
 * <p>A block column is eliminated after the other; those with the fewest neighbours should come
 * first. Blocks stand row by row in arrays of their own.
 */
public final class BlockCholesky {
  /** Where the factor has blocks. */
  public static final class Pattern {
    private final int[] sizes;
    private final int[][] below;

    private Pattern(int[] sizes, int[][] below) {
      this.sizes = sizes;
      this.below = below;
    }

    /**
     * That of a matrix, and what elimination fills in.
     *
     * @param sizes of the diagonal blocks
     * @param below for each block column its blocks below the diagonal
     */
    public static Pattern of(int[] sizes, Iterable<? extends Iterable<Integer>> below) {
      int[][] filled = new int[sizes.length][];
      List<TreeSet<Integer>> inherited = new ArrayList<>();
      for (int j = 0; j < sizes.length; j++) {
        inherited.add(new TreeSet<>());
      }
      int j = 0;
      for (Iterable<Integer> own : below) {
        TreeSet<Integer> all = inherited.get(j);
        own.forEach(all::add);
        filled[j] = all.stream().mapToInt(i -> i).toArray();
        if (filled[j].length > 1) {
          // What is left of a column joins that of the first block below it.
          inherited.get(filled[j][0]).addAll(all.tailSet(filled[j][0], false));
        }
        inherited.set(j++, new TreeSet<>());
      }
      return new Pattern(sizes.clone(), filled);
    }

    public int columns() {
      return sizes.length;
    }

    /** How many numbers the factor holds. */
    public long numbers() {
      long numbers = 0;
      for (int j = 0; j < sizes.length; j++) {
        numbers += (long) sizes[j] * sizes[j];
        for (int i : below[j]) {
          numbers += (long) sizes[i] * sizes[j];
        }
      }
      return numbers;
    }

    /** Where a block below the diagonal stands among those of its column. */
    public int place(int row, int column) {
      return Arrays.binarySearch(below[column], row);
    }

    /** A matrix of zeros. */
    public Blocks zeros() {
      double[][] diagonal = new double[sizes.length][];
      double[][][] lower = new double[sizes.length][][];
      for (int j = 0; j < sizes.length; j++) {
        diagonal[j] = new double[sizes[j] * sizes[j]];
        lower[j] = new double[below[j].length][];
        for (int k = 0; k < below[j].length; k++) {
          lower[j][k] = new double[sizes[below[j][k]] * sizes[j]];
        }
      }
      return new Blocks(diagonal, lower);
    }
  }

  /** The blocks of a symmetric matrix on its diagonal and below. */
  public static final class Blocks {
    private final double[][] diagonal;
    private final double[][][] lower;

    private Blocks(double[][] diagonal, double[][][] lower) {
      this.diagonal = diagonal;
      this.lower = lower;
    }

    public double[] diagonal(int column) {
      return diagonal[column];
    }

    /** The block at a {@linkplain Pattern#place place} of a column. */
    public double[] lower(int column, int place) {
      return lower[column][place];
    }
  }

  private final Pattern pattern;
  private final double[][] diagonal;
  private final double[][][] lower;

  private BlockCholesky(Pattern pattern, Blocks blocks) {
    this.pattern = pattern;
    diagonal = blocks.diagonal;
    lower = blocks.lower;
  }

  /** The factor, written over the matrix; not a number where that is not positive definite. */
  public static BlockCholesky of(Pattern pattern, Blocks matrix) {
    BlockCholesky factor = new BlockCholesky(pattern, matrix);
    for (int j = 0; j < pattern.sizes.length; j++) {
      factor.eliminate(j);
    }
    return factor;
  }

  private void eliminate(int j) {
    int n = pattern.sizes[j];
    int[] below = pattern.below[j];
    factor(diagonal[j], n);
    for (int k = 0; k < below.length; k++) {
      int rows = pattern.sizes[below[k]];
      for (int r = 0; r < rows; r++) {
        forward(diagonal[j], n, lower[j][k], r * n, 1, 1);
      }
    }
    for (int a = 0; a < below.length; a++) {
      for (int b = 0; b <= a; b++) {
        double[] target =
            a == b ? diagonal[below[a]] : lower[below[b]][pattern.place(below[a], below[b])];
        subtractProduct(
            lower[j][a], pattern.sizes[below[a]], lower[j][b], pattern.sizes[below[b]], n, target);
      }
    }
  }

  /** The factor of a dense block, in place, zeros above its diagonal. */
  private static void factor(double[] block, int n) {
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        if (i < j) {
          block[i * n + j] = 0;
          continue;
        }
        double sum = block[i * n + j];
        for (int k = 0; k < j; k++) {
          sum = Math.fma(-block[i * n + k], block[j * n + k], sum);
        }
        block[i * n + j] = i == j ? Math.sqrt(sum) : sum / block[j * n + j];
      }
    }
  }

  /** target −= a bᵀ, of a and b with n columns. */
  private static void subtractProduct(
      double[] a, int rows, double[] b, int columns, int n, double[] target) {
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        double sum = target[r * columns + c];
        for (int k = 0; k < n; k++) {
          sum = Math.fma(-a[r * n + k], b[c * n + k], sum);
        }
        target[r * columns + c] = sum;
      }
    }
  }

  /** Solves L x = b in place, for {@code width} vectors whose entries lie {@code stride} apart. */
  private static void forward(double[] factor, int n, double[] b, int from, int width, int stride) {
    for (int i = 0; i < n; i++) {
      for (int w = 0; w < width; w++) {
        double sum = b[from + i * stride + w];
        for (int k = 0; k < i; k++) {
          sum = Math.fma(-factor[i * n + k], b[from + k * stride + w], sum);
        }
        b[from + i * stride + w] = sum / factor[i * n + i];
      }
    }
  }

  /** Solves Lᵀ x = b in place. */
  private static void backward(double[] factor, int n, double[] b, int width) {
    for (int i = n - 1; i >= 0; i--) {
      for (int w = 0; w < width; w++) {
        double sum = b[i * width + w];
        for (int k = i + 1; k < n; k++) {
          sum = Math.fma(-factor[k * n + i], b[k * width + w], sum);
        }
        b[i * width + w] = sum / factor[i * n + i];
      }
    }
  }

  /** log |matrix|. */
  public double logDeterminant() {
    double sum = 0;
    for (int j = 0; j < diagonal.length; j++) {
      for (int i = 0; i < pattern.sizes[j]; i++) {
        sum += StrictMath.log(diagonal[j][i * (pattern.sizes[j] + 1)]);
      }
    }
    return 2 * sum;
  }

  /** Solves L x = b in place, b being blocks of {@code width} columns. */
  public void forward(double[][] b, int width) {
    for (int j = 0; j < diagonal.length; j++) {
      int n = pattern.sizes[j];
      forward(diagonal[j], n, b[j], 0, width, width);
      for (int k = 0; k < pattern.below[j].length; k++) {
        int i = pattern.below[j][k];
        double[] block = lower[j][k];
        for (int r = 0; r < pattern.sizes[i]; r++) {
          for (int c = 0; c < n; c++) {
            for (int w = 0; w < width; w++) {
              b[i][r * width + w] =
                  Math.fma(-block[r * n + c], b[j][c * width + w], b[i][r * width + w]);
            }
          }
        }
      }
    }
  }

  /** Solves Lᵀ x = b in place. */
  public void backward(double[][] b, int width) {
    for (int j = diagonal.length - 1; j >= 0; j--) {
      int n = pattern.sizes[j];
      for (int k = 0; k < pattern.below[j].length; k++) {
        int i = pattern.below[j][k];
        double[] block = lower[j][k];
        for (int r = 0; r < pattern.sizes[i]; r++) {
          for (int c = 0; c < n; c++) {
            for (int w = 0; w < width; w++) {
              b[j][c * width + w] =
                  Math.fma(-block[r * n + c], b[i][r * width + w], b[j][c * width + w]);
            }
          }
        }
      }
      backward(diagonal[j], n, b[j], width);
    }
  }

  /** The blocks of the inverse that lie where the factor has blocks. */
  public Blocks inverse() {
    Blocks inverse = pattern.zeros();
    for (int j = diagonal.length - 1; j >= 0; j--) {
      invert(inverse, j);
    }
    return inverse;
  }

  private void invert(Blocks inverse, int j) {
    int n = pattern.sizes[j];
    int[] below = pattern.below[j];
    // Y = L_kj L_jj⁻¹, block by block.
    double[][] scaled = new double[below.length][];
    for (int k = 0; k < below.length; k++) {
      scaled[k] = SmallBlocks.transposed(lower[j][k], pattern.sizes[below[k]], n);
      backward(diagonal[j], n, scaled[k], pattern.sizes[below[k]]);
      scaled[k] = SmallBlocks.transposed(scaled[k], n, pattern.sizes[below[k]]);
    }
    for (int k = 0; k < below.length; k++) {
      int rows = pattern.sizes[below[k]];
      for (int l = 0; l < below.length; l++) {
        int inner = pattern.sizes[below[l]];
        double[] known =
            k == l
                ? inverse.diagonal[below[k]]
                : k > l
                    ? inverse.lower[below[l]][pattern.place(below[k], below[l])]
                    : SmallBlocks.transposed(
                        inverse.lower[below[k]][pattern.place(below[l], below[k])], inner, rows);
        subtract(known, scaled[l], rows, inner, n, inverse.lower[j][k]);
      }
    }
    double[] own = inverse.diagonal[j];
    for (int i = 0; i < n; i++) {
      own[i * (n + 1)] = 1;
    }
    forward(diagonal[j], n, own, 0, n, n);
    backward(diagonal[j], n, own, n);
    for (int k = 0; k < below.length; k++) {
      int rows = pattern.sizes[below[k]];
      subtract(SmallBlocks.transposed(scaled[k], rows, n), inverse.lower[j][k], n, rows, n, own);
    }
  }

  /** target −= a b, a of rows × inner and b of inner × columns. */
  private static void subtract(
      double[] a, double[] b, int rows, int inner, int columns, double[] target) {
    for (int r = 0; r < rows; r++) {
      for (int k = 0; k < inner; k++) {
        for (int c = 0; c < columns; c++) {
          target[r * columns + c] =
              Math.fma(-a[r * inner + k], b[k * columns + c], target[r * columns + c]);
        }
      }
    }
  }
}
