package ngd.peer.privacy;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.algorithm.Local;
import ngd.core.model.Objective;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Batches;

/**
 * One site's data behind noise: gradients in which every row's part is clipped, with noise that
 * hides each row, and nothing else. How many rows there are is not hidden.
 */
public final class NoisedLocal implements Local {
  private final Objective objective;
  private final GradientNoise noise;
  private final PrivacyLog log;
  private final Streams streams;
  private final int client;

  private NoisedLocal(
      Objective objective, GradientNoise noise, PrivacyLog log, Streams streams, int client) {
    this.objective = objective;
    this.noise = noise;
    this.log = log;
    this.streams = streams;
    this.client = client;
  }

  /** The data of the one client of an objective, within a budget. */
  public static NoisedLocal of(
      Objective objective, PrivacyBudget budget, Streams streams, int client) {
    if (objective.clients() != 1) {
      throw new IllegalArgumentException("privacy: a peer holds one site's rows");
    }
    int p = objective.parameters();
    GradientNoise noise =
        new GradientNoise(budget.privacy().clip(), budget.multiplier(), p, new SecureRandom());
    return new NoisedLocal(objective, noise, budget.log(p), streams, client);
  }

  @Override
  public int rows(int row) {
    return objective.shards().rows(row);
  }

  @Override
  public Rows gradient(Rows at) {
    int[] all = IntStream.range(0, rows(0)).toArray();
    double[] point = at.row(0);
    return gradient(at, point, all, 0, all.length);
  }

  /**
   * A mini-batch's gradient has the noise of a whole one: the budget pays for it as if it had seen
   * every row.
   */
  @Override
  public Local batch(int size, int round) {
    return new Batch(this, new Batches(new int[] {rows(0)}, streams, client, size), round);
  }

  /** Gradients over the rows of a round. */
  private record Batch(NoisedLocal whole, Batches batches, int round) implements Local {
    @Override
    public int rows(int row) {
      return whole.rows(row);
    }

    @Override
    public Rows gradient(Rows at) {
      double[] point = at.row(0);
      // The same point in another round has other rows.
      double[] key = Arrays.copyOf(point, point.length + 2);
      key[point.length] = batches.size();
      key[point.length + 1] = round;
      return whole.gradient(
          at, key, batches.order(0, round), batches.from(0, round), batches.to(0, round));
    }

    @Override
    public Local batch(int size, int other) {
      return whole.batch(size, other);
    }
  }

  /** What was said under this key before, or the gradient over some rows, noised and kept. */
  private Rows gradient(Rows at, double[] key, int[] rows, int from, int to) {
    double[] noised = log.said(key);
    if (noised == null) {
      noised = noised(at.row(0), rows, from, to);
      log.keep(key, noised);
    }
    return at.of(new double[][] {noised});
  }

  /** The mean over the rows of their clipped gradients, with noise. */
  private double[] noised(double[] point, int[] rows, int from, int to) {
    double[] sum = new double[point.length];
    double[] own = new double[point.length];
    for (int i = from; i < to; i++) {
      objective.batchGradient(0, rows, i, i + 1, point, 0, own, 0);
      noise.clip(own);
      for (int j = 0; j < sum.length; j++) {
        sum[j] += own[j];
      }
    }
    double[] noised = noise.noised(sum);
    for (int j = 0; j < noised.length; j++) {
      noised[j] /= to - from;
    }
    return noised;
  }
}
