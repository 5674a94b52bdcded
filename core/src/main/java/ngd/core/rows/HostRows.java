package ngd.core.rows;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import ngd.core.linalg.ExactTotals;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.SymmetricMatrix;
import org.jspecify.annotations.Nullable;

/** Rows in an array of this process, each padded by zeros to a multiple of the kernels' lanes. */
public final class HostRows implements Rows {
  private final Host host;
  private final int rows;
  private final int width;
  private final int stride;
  private final double[] values;

  /** How often the host has handed this block out. */
  private int uses;

  private @Nullable Origin origin;

  /** What a block was made from: it is the other, as that was in this use, but for segments. */
  private static final class Origin {
    final HostRows block;
    final int uses;
    final int[] which;
    final int wide;

    Origin(HostRows block, int uses, int[] which, int wide) {
      this.block = block;
      this.uses = uses;
      this.which = which;
      this.wide = wide;
    }
  }

  HostRows(Host host, int rows, int width) {
    this.host = host;
    this.rows = rows;
    this.width = width;
    stride = Kernels.padded(width);
    values = new double[Math.multiplyExact(rows, stride)];
  }

  /** These rows as a block of this process; refuses blocks that live elsewhere. */
  public static HostRows in(Rows rows) {
    if (rows instanceof HostRows here) {
      return here;
    }
    throw new IllegalArgumentException("rows must live in this process; got " + rows.getClass());
  }

  /** Called whenever the host hands this block out: what it holds is of no meaning any more. */
  void use() {
    uses++;
    origin = null;
  }

  int uses() {
    return uses;
  }

  /** Called when numbers of it change where they stand. */
  void written() {
    origin = null;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public int width() {
    return width;
  }

  /** The distance between the starts of two rows. */
  public int stride() {
    return stride;
  }

  /** The numbers themselves, shared. */
  public double[] values() {
    return values;
  }

  @Override
  public double get(int row, int column) {
    return values[Objects.checkIndex(row, rows) * stride + Objects.checkIndex(column, width)];
  }

  @Override
  public double[] row(int row) {
    int start = Objects.checkIndex(row, rows) * stride;
    return Arrays.copyOfRange(values, start, start + width);
  }

  @Override
  public HostRows plus(double scale, Rows other) {
    HostRows b = sameShape(other);
    HostRows out = host.block(rows, width);
    return filled(
        out,
        (from, to) ->
            host.kernels().plus(values, scale, b.values, out.values, from * stride, to * stride));
  }

  @Override
  public HostRows plus(double scale, Rows other, double nextScale, Rows next) {
    HostRows b = sameShape(other);
    HostRows c = sameShape(next);
    HostRows out = host.block(rows, width);
    return filled(
        out,
        (from, to) ->
            host.kernels()
                .plusTwo(
                    values,
                    scale,
                    b.values,
                    nextScale,
                    c.values,
                    out.values,
                    from * stride,
                    to * stride));
  }

  @Override
  public HostRows times(double scale) {
    HostRows out = host.block(rows, width);
    return filled(
        out,
        (from, to) -> host.kernels().times(values, scale, out.values, from * stride, to * stride));
  }

  @Override
  public HostRows timesEach(double[] scale) {
    if (scale.length != rows) {
      throw new IllegalArgumentException(
          "scale: must have %d entries, one per row; got %d".formatted(rows, scale.length));
    }
    HostRows out = host.block(rows, width);
    return filled(
        out,
        (from, to) -> host.kernels().timesEach(values, scale, 1, out.values, stride, from, to));
  }

  @Override
  public HostRows timesEach(Rows scale) {
    HostRows each = in(scale);
    if (each.rows != rows || each.width != 1) {
      throw new IllegalArgumentException(
          "scale: must be %d x 1, one number per row; got %d x %d"
              .formatted(rows, each.rows, each.width));
    }
    HostRows out = host.block(rows, width);
    return filled(
        out,
        (from, to) ->
            host.kernels()
                .timesEach(values, each.values, each.stride, out.values, stride, from, to));
  }

  @Override
  public HostRows plusEach(double[] scale, Rows other) {
    if (scale.length != rows) {
      throw new IllegalArgumentException(
          "scale: must have %d entries, one per row; got %d".formatted(rows, scale.length));
    }
    HostRows b = sameShape(other);
    HostRows out = host.block(rows, width);
    return filled(
        out,
        (from, to) ->
            host.kernels().plusEach(values, scale, b.values, out.values, stride, from, to));
  }

  @Override
  public HostRows times(double[] matrix) {
    if (matrix.length != width * width) {
      throw new IllegalArgumentException(
          "matrix: must be %d x %d; got %d numbers".formatted(width, width, matrix.length));
    }
    double[] padded = new double[width * stride];
    for (int i = 0; i < width; i++) {
      System.arraycopy(matrix, i * width, padded, i * stride, width);
    }
    double[] nothing = new double[stride];
    HostRows out = host.block(rows, width);
    return filled(
        out,
        (from, to) ->
            host.kernels()
                .affine(padded, 0, 0, nothing, 0, 0, width, values, out.values, stride, from, to));
  }

  @Override
  public HostRows outer(Rows other) {
    HostRows b = in(other);
    HostRows out = host.block(rows, width * b.width);
    return filled(
        out,
        (from, to) ->
            host.kernels()
                .outer(
                    values,
                    stride,
                    width,
                    b.values,
                    b.stride,
                    b.width,
                    out.values,
                    out.stride,
                    from,
                    to));
  }

  @Override
  public HostRows beside(List<Rows> others) {
    HostRows out = host.block(rows, width + others.stream().mapToInt(Rows::width).sum());
    copyInto(out, null, 0, null, width);
    int at = width;
    for (Rows part : others) {
      in(part).copyInto(out, null, at, null, part.width());
      at += part.width();
    }
    return out;
  }

  @Override
  public HostRows segment(int[] which, int wide) {
    HostRows out = host.block(rows, wide);
    copyInto(out, which, 0, null, wide);
    return out;
  }

  /**
   * Most of a row stays as it is. So the block that this one was made from is taken again where
   * nobody needs or has written it since: it lacks two segments of each row and no more.
   */
  @Override
  public HostRows withSegment(int[] which, Rows parts) {
    HostRows b = in(parts);
    Origin known = origin;
    origin = null;
    HostRows out;
    if (known != null && known.wide == b.width && host.retake(known.block, known.uses)) {
      out = known.block;
      copyInto(out, known.which, 0, known.which, b.width);
    } else {
      out = host.block(rows, width);
      System.arraycopy(values, 0, out.values, 0, values.length);
    }
    b.copyInto(out, null, 0, which, b.width);
    out.origin = new Origin(this, uses, which.clone(), b.width);
    return out;
  }

  /** Copies this many numbers of each row: see {@link Kernels#copy}. */
  private void copyInto(
      HostRows out,
      int @Nullable [] segments,
      int outColumn,
      int @Nullable [] outSegments,
      int wide) {
    filled(
        out,
        (from, to) ->
            host.kernels()
                .copy(
                    values,
                    stride,
                    segments,
                    out.values,
                    out.stride,
                    outColumn,
                    outSegments,
                    wide,
                    from,
                    to));
  }

  @Override
  public HostRows of(double[][] others) {
    return host.of(others);
  }

  @Override
  public HostRows of(double[] column) {
    HostRows out = host.block(column.length, 1);
    for (int m = 0; m < column.length; m++) {
      out.values[m * out.stride] = column[m];
    }
    return out;
  }

  @Override
  public HostRows everywhere(double[] row) {
    if (row.length != width) {
      throw new IllegalArgumentException(
          "row: must have %d numbers; got %d".formatted(width, row.length));
    }
    HostRows out = host.block(rows, width);
    if (rows > 0) {
      System.arraycopy(row, 0, out.values, 0, width);
    }
    // What is written doubles with every copy: few long ones in place of many short ones.
    for (int done = stride; done < out.values.length; done *= 2) {
      System.arraycopy(out.values, 0, out.values, done, Math.min(done, out.values.length - done));
    }
    return out;
  }

  @Override
  public HostRows solvedBy(Rows matrices) {
    HostRows a = in(matrices);
    HostRows out = host.block(rows, width);
    SymmetricMatrix.solveEach(a.values, a.stride, values, out.values, stride, width, rows);
    return out;
  }

  /** Row e of the result is row {@code source[e]} of this block. */
  HostRows taken(int[] source) {
    HostRows out = host.block(source.length, width);
    host.workers()
        .run(
            source.length,
            out.values.length,
            (from, to) -> host.kernels().take(source, values, out.values, stride, from, to));
    return out;
  }

  /** The exact sum of each column, rounded once; NaN where a number is not finite. */
  public double[] totals() {
    return ExactTotals.of(values, rows, width, stride, host.kernels());
  }

  /** A block of this shape, when every range of rows has been written to it. */
  private HostRows filled(HostRows out, Workers.Range range) {
    host.workers().run(rows, values.length, range);
    return out;
  }

  private HostRows sameShape(Rows other) {
    HostRows here = in(other);
    if (here.rows != rows || here.width != width) {
      throw new IllegalArgumentException(
          "rows must have the same shape; got %d x %d and %d x %d"
              .formatted(rows, width, here.rows, here.width));
    }
    return here;
  }
}
