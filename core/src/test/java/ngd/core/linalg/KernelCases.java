package ngd.core.linalg;

import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Every kernel on awkward sizes and values, the same inputs for every implementation. What a kernel
 * may not touch is filled with a mark and belongs to the result.
 */
final class KernelCases {
  /** What comes of one call: the whole output array, marks and padding included. */
  @FunctionalInterface
  interface Sink {
    void accept(String name, double[] out);
  }

  static final double MARK = 12345.678;

  /** Around the lanes of vectors, what is done at once, and the blocks of rows. */
  static final int[] ALL_ROWS =
      IntStream.concat(
              IntStream.rangeClosed(1, 9), IntStream.of(15, 16, 17, 20, 64, 65, 256, 257, 513))
          .toArray();

  static final int[] ALL_WIDTHS =
      IntStream.concat(IntStream.rangeClosed(1, 9), IntStream.of(12, 15, 16, 17, 18, 33)).toArray();

  /** Enough for an interpreter, in which vectors are slow. */
  static final int[] FEW_ROWS = {1, 9, 33};

  static final int[] FEW_WIDTHS = {1, 3, 8, 9, 17};

  /** Which numbers: all finite, and so small that no sum overflows. */
  enum Values {
    NORMAL,
    ZEROS,
    SUBNORMAL,
    PREDICTORS_1E3,
    PREDICTORS_1E6,
    PREDICTORS_1E300;

    double x(UniformRandomProvider draw) {
      double normal = ZigguratSampler.NormalizedGaussian.of(draw).sample();
      return switch (this) {
        case ZEROS -> draw.nextInt(3) == 0 ? normal : draw.nextBoolean() ? 0.0 : -0.0;
        case SUBNORMAL -> draw.nextInt(-1000, 1000) * Double.MIN_VALUE;
        default -> normal;
      };
    }

    double theta(UniformRandomProvider draw) {
      double normal = ZigguratSampler.NormalizedGaussian.of(draw).sample();
      return switch (this) {
        case NORMAL, SUBNORMAL -> normal;
        case ZEROS -> draw.nextInt(3) == 0 ? normal : draw.nextBoolean() ? 0.0 : -0.0;
        case PREDICTORS_1E3 -> normal * 1e3;
        case PREDICTORS_1E6 -> normal * 1e6;
        case PREDICTORS_1E300 -> normal * 1e300;
      };
    }
  }

  private KernelCases() {}

  static void all(Kernels kernels, int[] rows, int[] widths, Sink sink) {
    for (Values values : Values.values()) {
      for (int p : widths) {
        mix(kernels, values, p, sink);
        affine(kernels, values, p, sink);
        plusAndTimes(kernels, values, p, sink);
        for (int n : rows) {
          tiles(kernels, values, n, p, sink);
          for (RowScore link : RowScore.values()) {
            rowGradient(kernels, link, values, n, p, sink);
            rowGradients(kernels, link, values, n, p, sink);
            if (link.isCanonical()) {
              rowCurvature(kernels, link, values, n, p, sink);
              rowHessian(kernels, link, values, n, p, sink);
              rowScores(kernels, link, values, n, p, sink);
            }
            oneGradient(kernels, link, values, n, p, sink);
          }
          rowLossGradient(kernels, RowScore.LOGISTIC, values, n, p, sink);
          rowLossGradient(kernels, RowScore.EXPONENTIAL, values, n, p, sink);
        }
      }
    }
  }

  private static UniformRandomProvider random(long... key) {
    return Streams.of(7).stream(Streams.Purpose.DATA, key);
  }

  /** Rows 1 to 8 of ten, row m with m − 1 links. */
  private static void mix(Kernels kernels, Values values, int p, Sink sink) {
    UniformRandomProvider draw = random(1, values.name().hashCode(), p);
    int clients = 10;
    int stride = Kernels.padded(p);
    int[] offsets = new int[clients + 1];
    for (int m = 0; m < clients; m++) {
      offsets[m + 1] = offsets[m] + Math.max(0, m - 1);
    }
    int[] heard = IntStream.generate(() -> draw.nextInt(clients)).limit(offsets[clients]).toArray();
    double[] weights = new double[heard.length];
    Arrays.setAll(weights, e -> draw.nextInt(5) == 0 ? 0 : draw.nextDouble());
    double[] in = block(values, draw, clients, p);
    double[] out = marked(clients * stride);
    kernels.mix(offsets, heard, weights, in, out, stride, 1, 9);
    sink.accept("mix %s, p = %d".formatted(values, p), out);
    double[] ofHeard = marked(clients * stride);
    kernels.sumsOf(offsets, heard, in, ofHeard, stride, 1, 9);
    sink.accept("mix, as sumsOf, %s, p = %d".formatted(values, p), ofHeard);
    double[] links = block(values, draw, offsets[clients], p);
    double[] sums = marked(clients * stride);
    kernels.sums(offsets, links, sums, stride, 1, 9);
    sink.accept("mix, as sums, %s, p = %d".formatted(values, p), sums);
    double[] apart = marked(clients * stride);
    kernels.fromMeans(offsets, heard, in, links, apart, stride, 1, 9);
    sink.accept("mix, as fromMeans, %s, p = %d".formatted(values, p), apart);
    double[] ways = marked(clients * stride);
    kernels.apart(offsets, heard, in, links, ways, stride, 1, 9);
    sink.accept("mix, as apart, %s, p = %d".formatted(values, p), ways);
    if (values != Values.PREDICTORS_1E300) {
      double[] distances = marked(heard.length);
      kernels.distances(offsets, heard, in, links, distances, stride, 1, 9);
      sink.accept("distances in place, %s, p = %d".formatted(values, p), distances);
    }
    double[] taken = marked(clients * stride);
    kernels.take(heard, in, taken, stride, 1, 3);
    sink.accept("take %s, p = %d".formatted(values, p), taken);
  }

  /** Once with p columns and once with zeros beside them up to a full square of lanes. */
  private static void affine(Kernels kernels, Values values, int p, Sink sink) {
    for (int columns : IntStream.of(p, Math.max(p, Kernels.LANES)).distinct().toArray()) {
      UniformRandomProvider draw = random(2, values.name().hashCode(), p);
      int clients = 5;
      int stride = Kernels.padded(p);
      double[] at = block(values, draw, clients, p);
      double[] b = block(values, draw, clients, p);
      int first = 2;
      double[] s = new double[(first + 3) * columns * stride];
      for (int k = 0; k < s.length; k++) {
        s[k] = k % stride < p && k / stride % columns < p ? values.x(draw) : 0;
      }
      double[] out = marked(clients * stride);
      kernels.affine(s, first, b, columns, at, out, stride, 1, 4);
      sink.accept("affine %s, p = %d".formatted(values, p), out);
      double[] many = marked(clients * stride);
      int matrix = first * columns * stride;
      kernels.affine(s, matrix, 0, b, stride, 0, columns, at, many, stride, 1, 4);
      sink.accept("affine at many %s, p = %d".formatted(values, p), many);
    }
  }

  private static void plusAndTimes(Kernels kernels, Values values, int p, Sink sink) {
    UniformRandomProvider draw = random(3, values.name().hashCode(), p);
    int clients = 4;
    int stride = Kernels.padded(p);
    double[] a = block(values, draw, clients, p);
    double[] b = block(values, draw, clients, p);
    for (double scale : new double[] {0, -1, 0.3, 1e-300, Double.MIN_VALUE}) {
      double[] sum = marked(clients * stride);
      kernels.plus(a, scale, b, sum, stride, 3 * stride);
      sink.accept("plus %s, p = %d, scale %s".formatted(values, p, scale), sum);
      double[] both = marked(clients * stride);
      kernels.plusTwo(a, scale, b, -0.7, a, both, stride, 3 * stride);
      sink.accept("plusTwo %s, p = %d, scale %s".formatted(values, p, scale), both);
      double[] product = marked(clients * stride);
      kernels.times(a, scale, product, stride, 3 * stride);
      sink.accept("times %s, p = %d, scale %s".formatted(values, p, scale), product);
    }
    double[] each = marked(clients * stride);
    kernels.timesEach(a, new double[] {2, -0.5, 1e-300, 1}, 1, each, stride, 1, 3);
    sink.accept("timesEach %s, p = %d".formatted(values, p), each);
    kernels.timesEach(a, new double[] {3, 0, 0.25, 0, -1, 0}, 2, each, stride, 1, 3);
    sink.accept("timesEach of every second %s, p = %d".formatted(values, p), each);
    kernels.plusEach(a, new double[] {2, -0.5, 1e-300, 1}, b, each, stride, 1, 3);
    sink.accept("plusEach %s, p = %d".formatted(values, p), each);
    for (int width : new int[] {1, p / 2, p}) {
      int wide = 3 * width + 8;
      int[] last = {9, width == 0 ? 0 : stride / width - 1, 0, 9};
      double[] copied = marked(clients * wide);
      kernels.copy(a, stride, last, copied, wide, 3, new int[] {9, 0, 2, 9}, width, 1, 3);
      sink.accept(
          "copy in place of segments of %d, %s, p = %d".formatted(width, values, p), copied);
      kernels.copy(b, stride, null, copied, wide, 8, null, width, 1, 3);
      sink.accept("copy in place of %d, %s, p = %d".formatted(width, values, p), copied);
    }
    if (values != Values.PREDICTORS_1E300) {
      for (int left : new int[] {1, p}) {
        double[] outer = marked(clients * (left * p + 3));
        kernels.outer(a, stride, left, b, stride, p, outer, left * p + 3, 1, 3);
        sink.accept("outer in place of %d, %s, p = %d".formatted(left, values, p), outer);
      }
      double[] products = marked(clients);
      kernels.products(a, b, a, products, stride, 1, 3);
      sink.accept("products in place, %s, p = %d".formatted(values, p), products);
    }
    double[] sums = marked(3 * stride);
    kernels.extract(a, 64, Math.scalb(1.0, -46), sums, stride, 1, 3);
    sink.accept("extract's sums in place %s, p = %d".formatted(values, p), sums);
    double largest = kernels.largest(a, stride, 3 * stride);
    sink.accept("largest %s, p = %d".formatted(values, p), new double[] {largest});
    // In place, as an accumulator would.
    kernels.plus(a, 0.5, b, a, 0, a.length);
    sink.accept("plus in place %s, p = %d".formatted(values, p), a);
  }

  /** The shard lies between two others, whose numbers must not count. */
  private static void rowGradient(
      Kernels kernels, RowScore link, Values values, int n, int p, Sink sink) {
    UniformRandomProvider draw = random(4, values.name().hashCode(), n, p);
    int padded = Kernels.padded(n);
    int columns = Kernels.columns(p);
    int xOffset = 8 * columns;
    int yOffset = 8;
    double[] x = new double[xOffset + padded * columns + 8 * columns];
    double[] y = new double[yOffset + padded + 8];
    Arrays.fill(x, -7);
    Arrays.fill(y, -7);
    for (int i = 0; i < padded; i++) {
      for (int j = 0; j < columns; j++) {
        x[xOffset + (i / 8 * columns + j) * 8 + i % 8] = i < n && j < p ? values.x(draw) : 0;
      }
      y[yOffset + i] =
          i < n ? draw.nextInt(link == RowScore.LOGISTIC || link == RowScore.PROBIT ? 2 : 9) : 0;
    }
    double[] offsets = new double[y.length];
    double[] weights = new double[y.length];
    for (int i = 0; i < y.length; i++) {
      offsets[i] = 4 * draw.nextDouble() - 2;
      weights[i] = 3 * draw.nextDouble();
    }
    double[] at = new double[3 + p];
    Arrays.setAll(at, j -> values.theta(draw));
    boolean mayClamp = Kernels.mayClamp(largest(x), p, largest(at));
    for (boolean clamp : mayClamp ? new boolean[] {true} : new boolean[] {true, false}) {
      double[] out = marked(5 + p + 9);
      double[] scratch = new double[Kernels.scratch(p)];
      Arrays.fill(scratch, Double.NaN);
      kernels.rowGradient(
          link, 1.5, clamp, 2.0 / n, x, xOffset, y, null, null, yOffset, n, p, at, 3, out, 5,
          scratch);
      sink.accept(
          "rowGradient %s %s, n = %d, p = %d, clamp %s".formatted(link, values, n, p, clamp), out);
    }
    double[] out = marked(5 + p + 9);
    double[] scratch = new double[Kernels.scratch(p)];
    kernels.rowGradient(
        link, 1.5, true, 2.0 / n, x, xOffset, y, offsets, weights, yOffset, n, p, at, 3, out, 5,
        scratch);
    sink.accept("rowGradient weighted %s %s, n = %d, p = %d".formatted(link, values, n, p), out);
  }

  /** Clients 1 to 6 of eight, whose rows are few, many, or n. */
  private static void rowGradients(
      Kernels kernels, RowScore link, Values values, int n, int p, Sink sink) {
    UniformRandomProvider draw = random(11, values.name().hashCode(), n, p);
    int[] rows = {5, n, 50, 1, n, 9, 8, n};
    int columns = Kernels.columns(p);
    int stride = Kernels.padded(p);
    int[] xOffsets = new int[rows.length + 1];
    int[] yOffsets = new int[rows.length + 1];
    xOffsets[0] = 8;
    yOffsets[0] = 6;
    for (int m = 0; m < rows.length; m++) {
      xOffsets[m + 1] = xOffsets[m] + columns * Kernels.padded(rows[m]);
      yOffsets[m + 1] = yOffsets[m] + Kernels.padded(rows[m]);
    }
    double[] x = new double[xOffsets[rows.length]];
    double[] y = new double[yOffsets[rows.length]];
    double[] offsets = new double[y.length];
    double[] weights = new double[y.length];
    double[] scales = new double[rows.length];
    for (int m = 0; m < rows.length; m++) {
      scales[m] = 2.0 / rows[m];
      for (int i = 0; i < rows[m]; i++) {
        for (int j = 0; j < p; j++) {
          x[xOffsets[m] + (i / 8 * columns + j) * 8 + i % 8] = values.x(draw);
        }
        int at = yOffsets[m] + i;
        y[at] = draw.nextInt(link == RowScore.LOGISTIC || link == RowScore.PROBIT ? 2 : 9);
        offsets[at] = 4 * draw.nextDouble() - 2;
        weights[at] = 3 * draw.nextDouble();
      }
    }
    double[] at = block(values, draw, rows.length, p);
    for (boolean plain : new boolean[] {true, false}) {
      double[] out = marked(rows.length * stride);
      double[] scratch = new double[Kernels.scratch(p)];
      Arrays.fill(scratch, Double.NaN);
      kernels.rowGradients(
          link,
          1.5,
          /* clamp= */ true,
          scales,
          x,
          xOffsets,
          y,
          plain ? null : offsets,
          plain ? null : weights,
          yOffsets,
          p,
          at,
          out,
          stride,
          1,
          7,
          scratch);
      sink.accept(
          "gradients in place, plain %s, %s %s, n = %d, p = %d"
              .formatted(plain, link, values, n, p),
          out);
      if (link != RowScore.LOGISTIC && link != RowScore.EXPONENTIAL) {
        continue;
      }
      double[] both = marked(rows.length * stride);
      double[] losses = marked(rows.length);
      kernels.rowLossGradients(
          link,
          /* clamp= */ true,
          scales,
          x,
          xOffsets,
          y,
          plain ? null : offsets,
          yOffsets,
          rows,
          p,
          at,
          both,
          stride,
          1,
          7,
          losses,
          scratch);
      sink.accept(
          "gradients with losses in place, plain %s, %s %s, n = %d, p = %d"
              .formatted(plain, link, values, n, p),
          both);
      sink.accept(
          "losses in place, plain %s, %s %s, n = %d, p = %d".formatted(plain, link, values, n, p),
          Arrays.stream(losses).map(loss -> Double.isNaN(loss) ? -1 : loss).toArray());
    }
  }

  private static void rowCurvature(
      Kernels kernels, RowScore link, Values values, int n, int p, Sink sink) {
    UniformRandomProvider draw = random(5, values.name().hashCode(), n, p);
    int columns = Kernels.columns(p);
    int xOffset = 8 * columns;
    double[] x = new double[xOffset + Kernels.padded(n) * columns];
    Arrays.fill(x, 0, xOffset, -7);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < p; j++) {
        x[xOffset + (i / 8 * columns + j) * 8 + i % 8] = values.x(draw);
      }
    }
    double[] at = new double[3 + p];
    Arrays.setAll(at, j -> values.theta(draw));
    double[] squares = Arrays.stream(x).map(v -> v * v).toArray();
    double[] out = marked(5 + p + 9);
    double[] scratch = new double[Kernels.scratch(p)];
    Arrays.fill(scratch, Double.NaN);
    kernels.rowCurvature(link, 2.0 / n, x, squares, xOffset, n, p, at, 3, out, 5, scratch);
    sink.accept(
        "rowGradient's twin rowCurvature %s %s, n = %d, p = %d".formatted(link, values, n, p), out);
  }

  /** One client's rows with numbers before them that must not count. */
  private static final class Rows {
    final int yOffset = 8;
    final int xOffset;
    final double[] x;
    final double[] y;
    final double[] offsets;
    final double[] weights;
    final double[] at;

    Rows(Values values, UniformRandomProvider draw, int n, int p) {
      int columns = Kernels.columns(p);
      xOffset = 8 * columns;
      x = new double[xOffset + Kernels.padded(n) * columns];
      Arrays.fill(x, 0, xOffset, -7);
      y = new double[yOffset + Kernels.padded(n)];
      Arrays.fill(y, 0, yOffset, -7);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < p; j++) {
          x[xOffset + (i / 8 * columns + j) * 8 + i % 8] = values.x(draw);
        }
        y[yOffset + i] = draw.nextInt(2);
      }
      offsets = draw.doubles(y.length, -2, 2).toArray();
      weights = draw.doubles(y.length, 0, 3).toArray();
      at = new double[3 + p];
      Arrays.setAll(at, j -> values.theta(draw));
    }
  }

  private static void rowHessian(
      Kernels kernels, RowScore link, Values values, int n, int p, Sink sink) {
    Rows of = new Rows(values, random(6, values.name().hashCode(), n, p), n, p);
    for (boolean weighted : new boolean[] {false, true}) {
      double[] out = marked(5 + p + 9);
      double[] hessian = marked(p * p);
      double[] scratch = new double[Kernels.scratch(p)];
      Arrays.fill(scratch, Double.NaN);
      kernels.rowHessian(
          link,
          2.0 / n,
          of.x,
          of.xOffset,
          of.y,
          weighted ? of.offsets : null,
          weighted ? of.weights : null,
          of.yOffset,
          n,
          p,
          of.at,
          3,
          out,
          5,
          hessian,
          marked(Kernels.padded(n)),
          scratch);
      String name = "%s %s, n = %d, p = %d, weighted %s".formatted(link, values, n, p, weighted);
      sink.accept("rowGradient's twin rowHessian " + name, out);
      sink.accept("rowHessian in place " + name, hessian);
    }
  }

  /** A pass over rows tile by tile, the sums going on from one to the next. */
  private static void tiles(Kernels kernels, Values values, int n, int p, Sink sink) {
    TileKernels tiles = kernels instanceof ScalarKernels ? new ScalarTiles() : TileKernels.best();
    UniformRandomProvider draw = random(9, values.name().hashCode(), n, p);
    Rows of = new Rows(values, draw, n, p);
    double[] at = Arrays.copyOfRange(of.at, 3, 3 + p);
    int padded = Kernels.padded(n);
    double[] eta = marked(padded + 8);
    double[] means = marked(padded + 8);
    double[] first = new double[p * Kernels.LANES];
    double[] second = new double[p * (p + 1) / 2 * Kernels.LANES];
    double[] spare = new double[Kernels.TILE];
    Arrays.fill(spare, Double.NaN);
    for (int row = 0; row < padded; row += Kernels.TILE) {
      int count = Math.min(Kernels.TILE, padded - row);
      int start = of.xOffset + row * Kernels.columns(p);
      double[] predictors = marked(Kernels.TILE + 8);
      double[] exponentials = marked(Kernels.TILE + 8);
      double[] factors = draw.doubles(count, -2, 2).toArray();
      tiles.predict(of.x, start, count, p, at, predictors);
      tiles.exp(predictors, count, exponentials);
      tiles.project(of.x, start, count, p, factors, first);
      tiles.square(of.x, start, count, p, factors, second, spare);
      System.arraycopy(predictors, 0, eta, row, count);
      System.arraycopy(exponentials, 0, means, row, count);
      String name = "%s, n = %d, p = %d, from row %d".formatted(values, n, p, row);
      sink.accept("what follows predictors in place " + name, tail(predictors, count));
      sink.accept("what follows exponentials in place " + name, tail(exponentials, count));
    }
    String name = "in place %s, n = %d, p = %d".formatted(values, n, p);
    sink.accept("predictors of tiles " + name, eta);
    sink.accept("exponentials of tiles " + name, means);
    sink.accept("projections of tiles " + name, first);
    sink.accept("squares of tiles " + name, second);
    tiles.exp(eta, Math.min(padded, Kernels.TILE), eta);
    sink.accept("exponentials over their arguments " + name, eta);
  }

  private static double[] tail(double[] values, int from) {
    double[] tail = Arrays.copyOfRange(values, from, values.length);
    for (double value : tail) {
      if (value != MARK) {
        throw new AssertionError("written behind the tile: " + value);
      }
    }
    return tail;
  }

  private static void oneGradient(
      Kernels kernels, RowScore link, Values values, int n, int p, Sink sink) {
    Rows of = new Rows(values, random(7, values.name().hashCode(), n, p), n, p);
    int row = of.xOffset + ((n - 1) / 8 * Kernels.columns(p)) * 8 + (n - 1) % 8;
    double[] out = marked(5 + p + 9);
    kernels.oneGradient(
        link, 1.5, 2, of.x, row, of.y[of.yOffset + n - 1], 0.3, 1.7, p, of.at, 3, out, 5);
    sink.accept(
        "rowGradient's twin oneGradient %s %s, n = %d, p = %d".formatted(link, values, n, p), out);
  }

  private static void rowLossGradient(
      Kernels kernels, RowScore link, Values values, int n, int p, Sink sink) {
    Rows of = new Rows(values, random(9, values.name().hashCode(), n, p), n, p);
    for (boolean shifted : new boolean[] {false, true}) {
      double[] out = marked(5 + p + 9);
      double[] scratch = new double[Kernels.scratch(p)];
      Arrays.fill(scratch, Double.NaN);
      double[] y = Arrays.stream(of.y).map(v -> v > 0 ? 1 : 0).toArray();
      double loss =
          kernels.rowLossGradient(
              link,
              true,
              2.0 / n,
              of.x,
              of.xOffset,
              y,
              shifted ? of.offsets : null,
              of.yOffset,
              n,
              p,
              of.at,
              3,
              out,
              5,
              scratch);
      String name = "%s %s, n = %d, p = %d, shifted %s".formatted(link, values, n, p, shifted);
      sink.accept("rowGradient's twin rowLossGradient " + name, out);
      sink.accept(
          "rowLossGradient in place, " + name, new double[] {Double.isNaN(loss) ? -1 : loss});
    }
  }

  /**
   * Losses, what is summed of them, and gradients by them; squares beyond all bounds are left out.
   */
  private static void rowScores(
      Kernels kernels, RowScore link, Values values, int n, int p, Sink sink) {
    Rows of = new Rows(values, random(8, values.name().hashCode(), n, p), n, p);
    for (boolean weighted : new boolean[] {false, true}) {
      int first = 8;
      double[] scores = marked(first + Kernels.padded(n) + 8);
      double[] losses = marked(first + Kernels.padded(n) + 8);
      double[] scratch = new double[Kernels.scratch(p)];
      Arrays.fill(scratch, Double.NaN);
      kernels.rowScores(
          link,
          2,
          of.x,
          of.xOffset,
          of.y,
          weighted ? of.offsets : null,
          weighted ? of.weights : null,
          of.yOffset,
          n,
          p,
          of.at,
          3,
          scores,
          losses,
          first,
          scratch);
      String name = "%s %s, n = %d, p = %d, weighted %s".formatted(link, values, n, p, weighted);
      sink.accept("rowScores in place, scores, " + name, scores);
      sink.accept(
          "rowScores in place, losses, " + name,
          Arrays.stream(losses).filter(Double::isFinite).toArray());
      boolean large =
          link == RowScore.EXPONENTIAL
              ? values.name().startsWith("PREDICTORS")
              : values == Values.PREDICTORS_1E300;
      double[] weights = weighted ? of.weights : null;
      for (double least : new double[] {Double.NEGATIVE_INFINITY, 0.9}) {
        double[] sums = new double[3];
        kernels.excessSums(least, 0.4, losses, first, weights, of.yOffset, n, sums, scratch);
        if (!large) {
          sink.accept("excessSums in place " + name, sums);
        } else if (link != RowScore.LOGISTIC) {
          continue;
        }
        double[] out = marked(5 + p + 9);
        kernels.scoreGradient(
            2.0 / n,
            least,
            0.4,
            0.1,
            0.7,
            of.x,
            of.xOffset,
            scores,
            losses,
            first,
            weights,
            of.yOffset,
            n,
            p,
            out,
            5,
            scratch);
        sink.accept("rowGradient's twin scoreGradient " + name, out);
      }
    }
  }

  private static double largest(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElseThrow();
  }

  static double[] marked(int length) {
    double[] marked = new double[length];
    Arrays.fill(marked, MARK);
    return marked;
  }

  /** Rows whose padding is zero. */
  private static double[] block(Values values, UniformRandomProvider draw, int rows, int p) {
    int stride = Kernels.padded(p);
    double[] block = new double[rows * stride];
    for (int m = 0; m < rows; m++) {
      for (int j = 0; j < p; j++) {
        block[m * stride + j] = values.theta(draw);
      }
    }
    return block;
  }
}
