package ngd.core.linalg;

/** Products of small dense blocks, each of which stands row by row in an array of its own. */
public final class SmallBlocks {
  private SmallBlocks() {}

  /** a b, a of rows × inner and b of inner × columns. */
  public static double[] product(double[] a, int rows, int inner, double[] b, int columns) {
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

  /** The transposed block. */
  public static double[] transposed(double[] block, int rows, int columns) {
    double[] transposed = new double[block.length];
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        transposed[c * rows + r] = block[r * columns + c];
      }
    }
    return transposed;
  }

  /** Writes aᵀ m b. */
  public static void sandwich(double[] a, double[] m, double[] b, double[] into) {
    if (m.length == 1) {
      into[0] = a[0] * (m[0] * b[0]);
      return;
    }
    int rows = (int) Math.round(Math.sqrt(a.length));
    int columns = (int) Math.round(Math.sqrt(b.length));
    double[] half = product(m, rows, columns, b, columns);
    double[] whole = product(transposed(a, rows, rows), rows, rows, half, columns);
    System.arraycopy(whole, 0, into, 0, whole.length);
  }

  /** aᵀ block b. */
  public static double bilinear(double[] block, double[] a, double[] b) {
    double sum = 0;
    for (int r = 0; r < a.length; r++) {
      for (int c = 0; c < b.length; c++) {
        sum = Math.fma(a[r] * block[r * b.length + c], b[c], sum);
      }
    }
    return sum;
  }

  /** target += weight a bᵀ. */
  public static void outer(double weight, double[] a, double[] b, double[] target) {
    for (int r = 0; r < a.length; r++) {
      double scaled = weight * a[r];
      for (int c = 0; c < b.length; c++) {
        target[r * b.length + c] = Math.fma(scaled, b[c], target[r * b.length + c]);
      }
    }
  }

  /** from −= what. */
  public static void subtract(double[] from, double[] what) {
    for (int i = 0; i < from.length; i++) {
      from[i] -= what[i];
    }
  }
}
