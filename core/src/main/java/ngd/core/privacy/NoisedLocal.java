package ngd.core.privacy;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import ngd.core.algorithm.Local;
import ngd.core.data.RowParts;
import ngd.core.model.Objective;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Batches;
import ngd.core.world.GradientCount;
import ngd.core.world.Parts;
import ngd.core.world.RowChoice;

/**
 * Clients' data behind noise: gradients in which every row's part is clipped, with noise that hides
 * each row, and nothing else. How many rows there are is not hidden.
 */
public final class NoisedLocal implements GradientCount.Counting {
  private final Objective objective;
  private final GradientNoise noise;
  private final double clip;
  private final List<NoiseSource> sources;
  private final List<GradientJournal> journals;
  private final Streams streams;
  private final int firstClient;
  private final GradientCount gradients;

  private NoisedLocal(
      Objective objective,
      GradientPrivacy privacy,
      List<NoiseSource> sources,
      List<GradientJournal> journals,
      Streams streams,
      int firstClient) {
    this.objective = objective;
    gradients = new GradientCount(objective.shards());
    this.noise = new GradientNoise(privacy, objective.parameters());
    clip = privacy.clip();
    this.sources = sources;
    this.journals = journals;
    this.streams = streams;
    this.firstClient = firstClient;
  }

  /**
   * The data of a peer, which is one client.
   *
   * @param streams for mini-batches
   */
  public static NoisedLocal of(
      Objective objective,
      GradientPrivacy privacy,
      NoiseSource source,
      GradientJournal journal,
      Streams streams,
      int client) {
    if (objective.clients() != 1) {
      throw new IllegalArgumentException("privacy: a peer holds one site's rows");
    }
    return new NoisedLocal(objective, privacy, List.of(source), List.of(journal), streams, client);
  }

  /** The data of all clients of a simulation, whose noise is seeded. */
  public static NoisedLocal seeded(
      Objective objective, GradientPrivacy privacy, PairGraph pairs, Streams streams) {
    return new NoisedLocal(
        objective,
        privacy,
        NoiseSource.seeded(streams, pairs),
        IntStream.range(0, objective.clients())
            .mapToObj(_ -> GradientJournal.counting(privacy.most()))
            .toList(),
        streams,
        0);
  }

  @Override
  public GradientCount gradients() {
    return gradients;
  }

  @Override
  public int rows(int row) {
    return objective.shards().rows(row);
  }

  @Override
  public Rows gradient(Rows at) {
    return each(
        at,
        m -> {
          int[] all = IntStream.range(0, rows(m)).toArray();
          return noised(m, at.row(m), at.row(m), all, 0, all.length);
        });
  }

  private static Rows each(Rows at, IntFunction<double[]> gradient) {
    double[][] gradients = new double[at.rows()][];
    Arrays.setAll(gradients, gradient);
    return at.of(gradients);
  }

  /**
   * A mini-batch's gradient has the noise of a whole one: the budget pays for it as if it had seen
   * every row.
   */
  @Override
  public Local batch(int size, int round) {
    int[] sizes = IntStream.range(0, objective.clients()).map(this::rows).toArray();
    return new Batch(this, new Batches(sizes, streams, firstClient, size), round);
  }

  @Override
  public Local part(int[] chosen, int of) {
    int[] sizes = IntStream.range(0, objective.clients()).map(this::rows).toArray();
    Parts parts = new Parts(new RowParts(sizes, of), chosen);
    return parts.over(this, new Batch(this, parts, 0));
  }

  /** Gradients over the rows of a round. */
  private record Batch(NoisedLocal whole, RowChoice batches, int round) implements Local {
    @Override
    public int rows(int row) {
      return whole.rows(row);
    }

    @Override
    public Rows gradient(Rows at) {
      return each(
          at,
          m -> {
            double[] point = at.row(m);
            // The same point in another round has other rows.
            double[] key = Arrays.copyOf(point, point.length + 2);
            System.arraycopy(batches.key(m, round), 0, key, point.length, 2);
            return whole.noised(
                m,
                point,
                key,
                batches.order(m, round),
                batches.from(m, round),
                batches.to(m, round));
          });
    }

    @Override
    public Local batch(int size, int other) {
      return whole.batch(size, other);
    }

    @Override
    public Local part(int[] chosen, int of) {
      return whole.part(chosen, of);
    }
  }

  /** What was said under this key before, or the gradient over some rows, noised and kept. */
  private double[] noised(int m, double[] point, double[] key, int[] rows, int from, int to) {
    GradientJournal journal = journals.get(m);
    double[] before = journal.said(key);
    if (before != null) {
      return before;
    }
    gradients.one(m, (long) to - from);
    double[] noised =
        noise.noised(
            clippedSum(objective, m, point, rows, from, to, clip), sources.get(m), journal.count());
    for (int j = 0; j < noised.length; j++) {
      noised[j] /= to - from;
    }
    journal.keep(key, noised);
    return noised;
  }

  /** The sum over the rows of their gradients, each shortened to the clip. */
  static double[] clippedSum(
      Objective objective, int m, double[] point, int[] rows, int from, int to, double clip) {
    double[] sum = new double[point.length];
    double[] own = new double[point.length];
    for (int i = from; i < to; i++) {
      objective.batchGradient(m, rows, i, i + 1, point, 0, own, 0);
      GradientNoise.shorten(own, clip);
      for (int j = 0; j < sum.length; j++) {
        sum[j] += own[j];
      }
    }
    return sum;
  }
}
