package ngd.core.model;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.data.Gathered;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.RowScore;
import org.jspecify.annotations.Nullable;

/** A generalised linear model on all shards, row by row through the kernels. */
final class RowObjective implements Objective {
  private final Glm loss;
  private final RowScore link;
  private final double shape;
  private final Shards shards;
  private final Kernels kernels = Kernels.best();

  /** The largest |x| of all clients, found when first asked for; negative before. */
  private double largest = -1;

  /** The loss's factor over n_m. */
  private final double[] scales;

  /** Whether the rows of each client are in one block. */
  private final boolean oneBlocks;

  /** The squares of all numbers of x, made when first asked for. */
  private double @Nullable [] squares;

  /** See {@link #rowScores}; null where the kernels know no losses. */
  private final @Nullable RowScores scores;

  /** Null before they were first asked for. */
  private volatile @Nullable KnownLeasts leasts;

  /** See {@link #leasts()}. */
  private static final class KnownLeasts {
    final double @Nullable [] values;

    KnownLeasts(double @Nullable [] values) {
      this.values = values;
    }
  }

  /** What is left of Poisson losses, made when first asked for. */
  private @Nullable PoissonRest rest;

  /** What the kernels write to on the way: one for each thread, as rounds are many. */
  private final ThreadLocal<double[]> scratch =
      ThreadLocal.withInitial(() -> new double[Kernels.scratch(parameters())]);

  /** Where a thread keeps the curvatures of a client's rows. */
  private final ThreadLocal<double[]> slopes = ThreadLocal.withInitial(() -> new double[0]);

  /** Where a thread gathers the rows of a mini-batch. */
  private final ThreadLocal<Gathered> batch = ThreadLocal.withInitial(Gathered::new);

  RowObjective(Glm loss, RowScore link, Shards shards) {
    this(loss, link, 1, shards);
  }

  RowObjective(Glm loss, RowScore link, double shape, Shards shards) {
    this.loss = loss;
    this.link = link;
    this.shape = shape;
    this.shards = shards;
    scales = new double[shards.clients()];
    Arrays.setAll(scales, m -> loss.factor() / shards.rows(m));
    oneBlocks = IntStream.range(0, scales.length).allMatch(shards::isOneBlock);
    scores =
        link.isCanonical()
            ? new KernelScores(link, loss.factor(), shards.features(), this::leasts)
            : null;
  }

  @Override
  public Glm loss() {
    return loss;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public long work() {
    // Two multiply-adds a number, and about thirty for an exponential a row.
    return shards.totalRows() * (2L * shards.features() + 30);
  }

  private synchronized double largest() {
    if (largest < 0) {
      // Rows in a file are not looked at.
      largest =
          shards.isFiled()
              ? Double.POSITIVE_INFINITY
              : kernels.largest(shards.xArray(), 0, shards.xArray().length);
    }
    return largest;
  }

  @Override
  public void gradients(double[] at, double[] gradient, int stride, int from, int to) {
    double[] own = scratch.get();
    boolean clamp = mayClamp(at, stride, from, to);
    if (oneBlocks) {
      kernels.rowGradients(
          link,
          shape,
          clamp,
          scales,
          shards.xArray(),
          shards.xOffsets(),
          shards.yArray(),
          shards.offsetArray(),
          shards.weightArray(),
          shards.yOffsets(),
          shards.features(),
          at,
          gradient,
          stride,
          from,
          to,
          own);
      return;
    }
    for (int m = from; m < to; m++) {
      gradient(m, clamp, at, m * stride, gradient, m * stride, own);
    }
  }

  private boolean mayClamp(double[] at, int stride, int from, int to) {
    return shards.offsetArray() != null
        || Kernels.mayClamp(
            largest(), parameters(), kernels.largest(at, from * stride, to * stride));
  }

  /**
   * Each loss from what the kernel sums; of the Poisson model the rest, Σ (y − least) − Σ y η, is
   * known from moments.
   */
  @Override
  public void evaluate(
      double[] at, double[] gradient, int stride, int from, int to, double[] losses) {
    boolean poisson = link == RowScore.EXPONENTIAL;
    if (shards.weightArray() != null
        || !(poisson || (link == RowScore.LOGISTIC && leasts() == null))) {
      Objective.super.evaluate(at, gradient, stride, from, to, losses);
      return;
    }
    boolean clamp = mayClamp(at, stride, from, to);
    if (oneBlocks) {
      lossGradients(clamp, at, gradient, stride, from, to, losses);
    } else {
      for (int m = from; m < to; m++) {
        if (shards.isOneBlock(m)) {
          lossGradients(clamp, at, gradient, stride, m, m + 1, losses);
        } else {
          gradient(m, clamp, at, m * stride, gradient, m * stride, scratch.get());
          losses[m] = Double.NaN;
        }
      }
    }
    for (int m = from; m < to; m++) {
      losses[m] = scales[m] * (poisson ? rest().loss(m, losses[m], at, m * stride) : losses[m]);
    }
  }

  /** Gradients of clients whose rows are in one block each, and what the kernel sums of losses. */
  private void lossGradients(
      boolean clamp,
      double[] at,
      double[] gradient,
      int stride,
      int from,
      int to,
      double[] losses) {
    kernels.rowLossGradients(
        link,
        clamp,
        scales,
        shards.xArray(),
        shards.xOffsets(),
        shards.yArray(),
        shards.offsetArray(),
        shards.yOffsets(),
        shards.rowsArray(),
        shards.features(),
        at,
        gradient,
        stride,
        from,
        to,
        losses,
        scratch.get());
  }

  private synchronized PoissonRest rest() {
    PoissonRest known = rest;
    if (known == null) {
      known = new PoissonRest(shards, loss.factor(), leasts());
      rest = known;
    }
    return known;
  }

  @Override
  public void gradient(int client, double[] at, int atOffset, double[] out, int outOffset) {
    gradient(client, true, at, atOffset, out, outOffset, scratch.get());
  }

  private void gradient(
      int client,
      boolean clamp,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] own) {
    if (shards.isOneBlock(client)) {
      gradient(shards.shard(client), clamp, scales[client], at, atOffset, out, outOffset, own);
      return;
    }
    double[] sum =
        shards.sum(
            client,
            block -> {
              double[] part = new double[parameters()];
              gradient(block, clamp, 1, at, atOffset, part, 0, scratch.get());
              return part;
            });
    for (int j = 0; j < sum.length; j++) {
      out[outOffset + j] = scales[client] * sum[j];
    }
  }

  private void gradient(
      Shard shard,
      boolean clamp,
      double scale,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] own) {
    kernels.rowGradient(
        link,
        shape,
        clamp,
        scale,
        shard.xArray(),
        shard.xOffset(),
        shard.yArray(),
        shard.offsetArray(),
        shard.weightArray(),
        shard.yOffset(),
        shard.rows(),
        shard.features(),
        at,
        atOffset,
        out,
        outOffset,
        own);
  }

  @Override
  public void gradient(
      Shard rows, double[] factors, double[] at, int atOffset, double[] out, int outOffset) {
    gradient(rows.weighted(factors), at, atOffset, out, outOffset);
  }

  private void gradient(Shard rows, double[] at, int atOffset, double[] out, int outOffset) {
    gradient(rows, true, loss.factor() / rows.rows(), at, atOffset, out, outOffset, scratch.get());
  }

  @Override
  public Optional<RowScores> rowScores() {
    return Optional.ofNullable(scores);
  }

  /** The least losses of rows, in the places of their responses; null where all are 0. */
  private double @Nullable [] leasts() {
    KnownLeasts known = leasts;
    if (known == null) {
      known = new KnownLeasts(leasts(shards.yArray()));
      leasts = known;
    }
    return known.values;
  }

  private double @Nullable [] leasts(double[] responses) {
    double[] found = Arrays.stream(responses).map(y -> loss.factor() * loss.least(y)).toArray();
    return Arrays.stream(found).allMatch(least -> least == 0) ? null : found;
  }

  @SuppressWarnings("ReferenceEquality") // The same array, not an equal one.
  private double @Nullable [] leasts(Shard rows) {
    return rows.yArray() == shards.yArray() ? leasts() : leasts(rows.yArray());
  }

  @Override
  public void curvatures(double[] at, double[] curvature, int stride, int from, int to) {
    if (!link.isCanonical()
        || shards.offsetArray() != null
        || shards.weightArray() != null
        || !IntStream.range(from, to).allMatch(shards::isOneBlock)) {
      Objective.super.curvatures(at, curvature, stride, from, to);
      return;
    }
    double[] x = shards.xArray();
    double[] squared = squares();
    for (int m = from; m < to; m++) {
      kernels.rowCurvature(
          link,
          scales[m],
          x,
          squared,
          shards.xOffsets()[m],
          shards.rows(m),
          shards.features(),
          at,
          m * stride,
          curvature,
          m * stride,
          scratch.get());
    }
  }

  @Override
  public void quadratic(int client, double[] theta, double[] gradient, double[] hessian) {
    if (!link.isCanonical() || !shards.isOneBlock(client)) {
      Objective.super.quadratic(client, theta, gradient, hessian);
      return;
    }
    double[] own = slopes.get();
    int rows = shards.rows(client);
    if (own.length < Shard.padded(rows)) {
      own = new double[Shard.padded(rows)];
      slopes.set(own);
    }
    kernels.rowHessian(
        link,
        scales[client],
        shards.xArray(),
        shards.xOffsets()[client],
        shards.yArray(),
        shards.offsetArray(),
        shards.weightArray(),
        shards.yOffsets()[client],
        rows,
        shards.features(),
        theta,
        0,
        gradient,
        0,
        hessian,
        own,
        scratch.get());
  }

  private synchronized double[] squares() {
    double[] known = squares;
    if (known == null) {
      known = Arrays.stream(shards.xArray()).map(x -> x * x).toArray();
      squares = known;
    }
    return known;
  }

  @Override
  public void batchGradient(
      int client,
      int[] rows,
      int from,
      int to,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset) {
    if (to - from == 1 && !shards.isFiled()) {
      int row = Objects.checkIndex(rows[from], shards.rows(client));
      int place = shards.yOffsets()[client] + row;
      double[] offsets = shards.offsetArray();
      double[] weights = shards.weightArray();
      kernels.oneGradient(
          link,
          shape,
          loss.factor(),
          shards.xArray(),
          shards.xOffsets()[client] + Shard.place(row, 0, shards.features()),
          shards.yArray()[place],
          offsets == null ? 0 : offsets[place],
          weights == null ? 1 : weights[place],
          shards.features(),
          at,
          atOffset,
          out,
          outOffset);
      return;
    }
    gradient(batch.get().of(shards, client, rows, from, to), at, atOffset, out, outOffset);
  }
}
