package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.Shard;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.RowScore;
import org.jspecify.annotations.Nullable;

/** {@link RowScores} through the kernels, for links whose losses they know. */
final class KernelScores implements RowScores {
  private final RowScore link;
  private final double factor;
  private final Leasts leasts;
  private final Kernels kernels = Kernels.best();
  private final ThreadLocal<Scratch> scratch;

  /** What a thread writes to on the way. */
  private static final class Scratch {
    final double[] kernel;
    final double[] sums = new double[3];
    double[] scores = new double[0];
    double[] losses = new double[0];

    Scratch(int p) {
      kernel = new double[Kernels.scratch(p)];
    }
  }

  /** The least loss of each row whatever its prediction, times the factor. */
  @FunctionalInterface
  interface Leasts {
    /** In the places of the rows' responses; null where all are 0. */
    double @Nullable [] of(Shard rows);
  }

  KernelScores(RowScore link, double factor, int p, Leasts leasts) {
    this.link = link;
    this.factor = factor;
    this.leasts = leasts;
    scratch = ThreadLocal.withInitial(() -> new Scratch(p));
  }

  @Override
  public void of(
      Shard rows, double[] at, int atOffset, double[] scores, double[] losses, int first) {
    kernels.rowScores(
        link,
        factor,
        rows.xArray(),
        rows.xOffset(),
        rows.yArray(),
        rows.offsetArray(),
        leasts.of(rows),
        rows.yOffset(),
        rows.rows(),
        rows.features(),
        at,
        atOffset,
        scores,
        losses,
        first,
        scratch.get().kernel);
  }

  @Override
  public void above(
      Shard rows, double[] losses, int first, double least, double from, double[] sums) {
    kernels.excessSums(
        least,
        from,
        losses,
        first,
        rows.weightArray(),
        rows.yOffset(),
        rows.rows(),
        sums,
        scratch.get().kernel);
  }

  @Override
  public double sum(Shard rows, double[] at, int atOffset) {
    Scratch own = scratch.get();
    int count = Shard.padded(rows.rows());
    if (own.losses.length < count) {
      own.losses = Arrays.copyOf(own.losses, count);
      own.scores = Arrays.copyOf(own.scores, count);
    }
    of(rows, at, atOffset, own.scores, own.losses, 0);
    above(rows, own.losses, 0, Double.NEGATIVE_INFINITY, 0, own.sums);
    return own.sums[1];
  }

  @Override
  public void gradient(
      Shard rows,
      double[] scores,
      double[] losses,
      int first,
      double least,
      double from,
      double constant,
      double slope,
      double[] out,
      int outOffset) {
    kernels.scoreGradient(
        factor / rows.rows(),
        least,
        from,
        constant,
        slope,
        rows.xArray(),
        rows.xOffset(),
        scores,
        losses,
        first,
        rows.weightArray(),
        rows.yOffset(),
        rows.rows(),
        rows.features(),
        out,
        outOffset,
        scratch.get().kernel);
  }
}
