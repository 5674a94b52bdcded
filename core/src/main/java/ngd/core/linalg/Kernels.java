package ngd.core.linalg;

import org.jspecify.annotations.Nullable;

/**
 * The inner loops of everything: mixing, multiply-adds over blocks, gradients.
 *
 * <p>Blocks of rows are arrays in which row m starts at {@code m * stride}; the stride is a
 * multiple of {@link #LANES} and the padding of every row is zero before and after. Data come in
 * groups of {@link #LANES} rows, each group column after column, the last filled up with zeros; a
 * group has {@link #columns} columns, those beyond p zero. Ranges are rows, from inclusive, to
 * exclusive. Callers check shapes.
 *
 * <p>Each method has one definition, {@link ScalarKernels}, which the vector version reproduces to
 * the last bit.
 */
public sealed interface Kernels permits ScalarKernels, VectorKernels {
  /** The virtual lanes over which sums run, whatever the hardware has. */
  int LANES = 8;

  /** The kernels for this process: SIMD if the Vector API is there, else the scalar twins. */
  static Kernels best() {
    return KernelChoice.BEST;
  }

  /** What runs the loops, in words: for the manifest. */
  String description();

  /** The smallest multiple of the lanes that holds this many numbers. */
  static int padded(int length) {
    return (length + LANES - 1) / LANES * LANES;
  }

  /** The columns kept for p: below {@link #LANES} an even number, which the row kernels unroll. */
  static int columns(int p) {
    return p < LANES ? p + p % 2 : p;
  }

  /**
   * Row m of out: Σ weights[e] · in[heard[e]] over e in [offsets[m], offsets[m + 1]), in that
   * order.
   */
  void mix(
      int[] offsets,
      int[] heard,
      double[] weights,
      double[] in,
      double[] out,
      int stride,
      int from,
      int to);

  /** Row e of out: the row source[e] of in. */
  void take(int[] source, double[] in, double[] out, int stride, int from, int to);

  /** Row m of out: the sum of the rows [offsets[m], offsets[m + 1]) of in, in that order. */
  void sums(int[] offsets, double[] in, double[] out, int stride, int from, int to);

  /** The same over the rows in[heard[e]]: {@link #mix} with all weights 1. */
  void sumsOf(int[] offsets, int[] heard, double[] in, double[] out, int stride, int from, int to);

  /** out = a + scale · b over the numbers [from, to), both multiples of the lanes. */
  void plus(double[] a, double scale, double[] b, double[] out, int from, int to);

  /** out = a + scale · b + nextScale · c, in that order, over the same numbers. */
  void plusTwo(
      double[] a,
      double scale,
      double[] b,
      double nextScale,
      double[] c,
      double[] out,
      int from,
      int to);

  /** out = scale · a over the numbers [from, to), both multiples of the lanes. */
  void times(double[] a, double scale, double[] out, int from, int to);

  /** Row m of out: own's row m less the mean of the rows in[heard[e]], e as in {@link #mix}. */
  void fromMeans(
      int[] offsets,
      int[] heard,
      double[] in,
      double[] own,
      double[] out,
      int stride,
      int from,
      int to);

  /** Row m of out: Σ (own's row m − in[heard[e]]), e as in {@link #mix}. */
  void apart(
      int[] offsets,
      int[] heard,
      double[] in,
      double[] own,
      double[] out,
      int stride,
      int from,
      int to);

  /** out[e]: the squared distance of own's row m and in[heard[e]], e as in {@link #mix}. */
  void distances(
      int[] offsets,
      int[] heard,
      double[] in,
      double[] own,
      double[] out,
      int stride,
      int from,
      int to);

  /**
   * Row m of out: a bᵀ, row by row, with a the {@code left} numbers of row m of a and b the {@code
   * right} of row m of b.
   */
  void outer(
      double[] a,
      int aStride,
      int left,
      double[] b,
      int bStride,
      int right,
      double[] out,
      int stride,
      int from,
      int to);

  /** out[m]: Σ a (b − less) over row m of each. */
  void products(double[] a, double[] b, double[] less, double[] out, int stride, int from, int to);

  /**
   * Row m of out from its number {@code outColumn} on: the first {@code width} numbers of row m of
   * in. With segments its place in out or in is that many times {@code width} further on.
   */
  void copy(
      double[] in,
      int inStride,
      int @Nullable [] inSegments,
      double[] out,
      int outStride,
      int outColumn,
      int @Nullable [] outSegments,
      int width,
      int from,
      int to);

  /** Row m of out: row m of a + scales[m] · row m of b. */
  void plusEach(
      double[] a, double[] scales, double[] b, double[] out, int stride, int from, int to);

  /** Row m of out: scales[m · every] · row m of a. */
  void timesEach(
      double[] a, double[] scales, int every, double[] out, int stride, int from, int to);

  /**
   * Row m of out: S_m at_m − b_m. S_from stands at {@code sOffset}, {@code columns} columns of
   * {@code stride} numbers, and each further S {@code sStep} numbers on; the b likewise. A step of
   * 0 is one S or b for all rows.
   */
  void affine(
      double[] s,
      int sOffset,
      int sStep,
      double[] b,
      int bOffset,
      int bStep,
      int columns,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to);

  /** The same where b_m is row m of b and the first row's S the {@code first} of those in s. */
  default void affine(
      double[] s,
      int first,
      double[] b,
      int columns,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to) {
    int size = columns * stride;
    affine(s, first * size, size, b, from * stride, stride, columns, at, out, stride, from, to);
  }

  /**
   * Cuts every number x of the rows twice: with q = (high + x) − high and r = x − q, and then r by
   * {@code low} alike; the sums of the two cuts of each column, and the largest rest, in absolute
   * value. See {@link ExactTotals} for when nothing of this rounds.
   *
   * @param sums 3 · {@code stride} numbers, written: for each column the sum of the higher cuts,
   *     that of the lower, and the largest rest, NaN passed over
   */
  void extract(double[] x, double high, double low, double[] sums, int stride, int from, int to);

  /**
   * out = scale · Xᵀ r with r the residuals of the link at X at + offsets, times the weights: the
   * gradient of one client's generalised linear model.
   *
   * @param shape the link's own parameter, where it has one
   * @param clamp whether a predictor may leave the range of the exponential; see {@link #mayClamp}
   * @param offsets what is added to the predictors, from yOffset on as y; null for nothing
   * @param weights what the residuals are multiplied by, from yOffset on; null for 1
   * @param rows n, without the zeros that fill up the last group
   * @param scratch at least {@link #scratch(int)} numbers, of no meaning before or after
   */
  void rowGradient(
      RowScore link,
      double shape,
      boolean clamp,
      double scale,
      double[] x,
      int xOffset,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] weights,
      int yOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] scratch);

  /**
   * {@link #rowGradient} of the clients [from, to), whose rows lie one client's behind the other's:
   * those of client m, filled up with zeros, between {@code yOffsets[m]} and {@code yOffsets[m +
   * 1]}, and {@code columns(p)} times as many numbers of x from {@code xOffsets[m]} on. Its
   * coefficients and its gradient are row m of at and out.
   */
  default void rowGradients(
      RowScore link,
      double shape,
      boolean clamp,
      double[] scales,
      double[] x,
      int[] xOffsets,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] weights,
      int[] yOffsets,
      int p,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to,
      double[] scratch) {
    for (int m = from; m < to; m++) {
      rowGradient(
          link,
          shape,
          clamp,
          scales[m],
          x,
          xOffsets[m],
          y,
          offsets,
          weights,
          yOffsets[m],
          yOffsets[m + 1] - yOffsets[m],
          p,
          at,
          m * stride,
          out,
          m * stride,
          scratch);
    }
  }

  /**
   * {@link #rowGradient} of a model without weights, and returned what its losses take a look at
   * the rows for, with r the residuals: for {@link RowScore#EXPONENTIAL} Σ r, and for {@link
   * RowScore#LOGISTIC}, whose responses must be 0 and 1, all of it, −Σ log(1 − |r|), for one
   * logarithm for many rows. There NaN where digits are lost on the way: where a row is foretold so
   * wrongly that its 1 − |r| is below {@link #LEAST_TOLD}, or the mean over the rows is.
   */
  double rowLossGradient(
      RowScore link,
      boolean clamp,
      double scale,
      double[] x,
      int xOffset,
      double[] y,
      double @Nullable [] offsets,
      int yOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] scratch);

  /**
   * {@link #rowLossGradient} of the clients [from, to), which lie as in {@link #rowGradients}; what
   * it returns for client m is losses[m].
   */
  default void rowLossGradients(
      RowScore link,
      boolean clamp,
      double[] scales,
      double[] x,
      int[] xOffsets,
      double[] y,
      double @Nullable [] offsets,
      int[] yOffsets,
      int[] rows,
      int p,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to,
      double[] losses,
      double[] scratch) {
    for (int m = from; m < to; m++) {
      losses[m] =
          rowLossGradient(
              link,
              clamp,
              scales[m],
              x,
              xOffsets[m],
              y,
              offsets,
              yOffsets[m],
              rows[m],
              p,
              at,
              m * stride,
              out,
              m * stride,
              scratch);
    }
  }

  /** See {@link #rowLossGradient}: a thousandth, so that a loss there is right to 12 digits. */
  double LEAST_TOLD = 1e-3;

  /**
   * out = scale · Σ v x² over one client's rows, coefficient by coefficient, with v the derivative
   * of a canonical link's mean at the row's predictor: the diagonal of the Hessian.
   *
   * @param squares the squares of all numbers of x, in the same places
   */
  void rowCurvature(
      RowScore link,
      double scale,
      double[] x,
      double[] squares,
      int xOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] scratch);

  /**
   * {@link #rowGradient} of a canonical link, clamped, and beside it hessian = scale · Xᵀ V X, V
   * the derivatives of the means at the predictors times the weights.
   *
   * @param hessian p rows of p numbers, written from its begin
   * @param slopes as many numbers as there are padded rows, of no meaning before
   */
  void rowHessian(
      RowScore link,
      double scale,
      double[] x,
      int xOffset,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] weights,
      int yOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] hessian,
      double[] slopes,
      double[] scratch);

  /**
   * {@link #rowGradient} of one row alone, which lies at {@code x[row]} and every lanes-th number
   * on: the same bits as a client of that row would have, without the zeros that fill up a group.
   *
   * @param offset what is added to the predictor
   * @param weight what the residual is multiplied by
   */
  default void oneGradient(
      RowScore link,
      double shape,
      double scale,
      double[] x,
      int row,
      double y,
      double offset,
      double weight,
      int p,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset) {
    double eta = 0;
    for (int j = 0; j < p; j++) {
      eta = Math.fma(x[row + j * LANES], at[atOffset + j], eta);
    }
    double residual = ScalarKernels.residual(link, shape, eta + offset, y) * weight;
    for (int j = 0; j < p; j++) {
      // A sum with zeros, in which no −0 is left.
      out[outOffset + j] = scale * Math.fma(x[row + j * LANES], residual, 0);
    }
  }

  /**
   * What each row of one client's model adds to its loss, and the derivative of that by the row's
   * predictor, for {@linkplain RowScore#isCanonical canonical} links.
   *
   * @param factor what losses are multiplied by, and scores are not
   * @param leasts what is taken off each row's loss then, from yOffset on as y; null for nothing
   * @param scores written from {@code first} on: the residuals of {@link #rowGradient}, those of
   *     the zeros at the end of no meaning
   * @param losses written likewise; −∞ for the zeros at the end
   */
  void rowScores(
      RowScore link,
      double factor,
      double[] x,
      int xOffset,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] leasts,
      int yOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] scores,
      double[] losses,
      int first,
      double[] scratch);

  /**
   * Over the rows whose loss is above {@code least}: the sum of their weights w, of w (loss −
   * from), and of w (loss − from)².
   *
   * @param losses as {@link #rowScores} writes them
   * @param weights from wOffset on; null for 1
   * @param sums three numbers, written
   */
  void excessSums(
      double least,
      double from,
      double[] losses,
      int first,
      double @Nullable [] weights,
      int wOffset,
      int rows,
      double[] sums,
      double[] scratch);

  /**
   * out = scale · Xᵀ r, r the scores times the weights and, where a row's loss is above {@code
   * least}, constant + slope (loss − from), elsewhere 0.
   */
  void scoreGradient(
      double scale,
      double least,
      double from,
      double constant,
      double slope,
      double[] x,
      int xOffset,
      double[] scores,
      double[] losses,
      int first,
      double @Nullable [] weights,
      int wOffset,
      int rows,
      int p,
      double[] out,
      int outOffset,
      double[] scratch);

  /**
   * The largest absolute value of the numbers [from, to), multiples of the lanes; NaN is passed
   * over.
   */
  double largest(double[] a, int from, int to);

  /**
   * Whether a predictor of p numbers up to x, times coefficients up to theta, may need clamping;
   * the 1 is for the rounding of its sum, which may end above the bound.
   */
  static boolean mayClamp(double x, int p, double theta) {
    return !(x * p * theta < Exp.CEILING - 1);
  }

  /** The rows whose residuals are held at a time. */
  int TILE = 256;

  /**
   * Numbers of no meaning in front of those that kernels stream. An array's numbers begin 16 bytes
   * behind its object; where objects begin at multiples of 64, with these no load of a vector
   * touches two cache lines.
   */
  int FRONT = LANES - 2;

  /** The scratch that {@link #rowGradient} needs for p parameters: two tiles around the sums. */
  static int scratch(int p) {
    return FRONT + 2 * TILE + padded(p) * LANES;
  }
}
