package ngd.core.world;

import java.util.Arrays;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * Which rows a client uses in which round: in each epoch it goes once through its rows in a new
 * random order, {@code size} at a time, the last batch shorter. A function of seed, client and
 * round alone, so nothing of it needs a checkpoint.
 */
public final class Batches implements RowChoice {
  private final int[] rows;
  private final Streams streams;
  private final int firstClient;
  private final int size;

  /** How many batches each client's epoch has. */
  private final int[] perEpoch;

  private final int[][] order;
  private final int[] epochOf;

  /**
   * The batches of clients with these numbers of rows.
   *
   * @param firstClient the number of the first of them among all clients
   */
  public Batches(int[] rows, Streams streams, int firstClient, int size) {
    this.rows = rows.clone();
    this.streams = streams;
    this.firstClient = firstClient;
    this.size = size;
    perEpoch = Arrays.stream(rows).map(n -> Math.ceilDiv(n, size)).toArray();
    order = new int[rows.length][];
    epochOf = new int[rows.length];
    Arrays.fill(epochOf, -1);
  }

  public int size() {
    return size;
  }

  /** The place of this round's first row in the client's order. */
  @Override
  public int from(int row, int round) {
    return round % perEpoch[row] * size;
  }

  @Override
  public int to(int row, int round) {
    return Math.min(from(row, round) + size, rows[row]);
  }

  /** The client's order in this round's epoch. */
  @Override
  public int[] order(int row, int round) {
    int epoch = round / perEpoch[row];
    if (epochOf[row] != epoch) {
      UniformRandomProvider draw =
          streams.stream(Streams.Purpose.BATCH, firstClient + (long) row, epoch);
      int[] fresh = PermutationSampler.natural(rows[row]);
      PermutationSampler.shuffle(draw, fresh);
      order[row] = fresh;
      epochOf[row] = epoch;
    }
    return order[row];
  }

  @Override
  public double[] key(int row, int round) {
    return new double[] {size, round};
  }
}
