package ngd.core.world;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import ngd.core.algorithm.Local;
import ngd.core.data.RowParts;
import ngd.core.data.Shards;
import ngd.core.rows.Rows;

/**
 * How many gradients clients have evaluated, by the row: a gradient of a client's n rows counts n,
 * one of a mini-batch its size. A Hessian, its diagonal, and a proximal step in closed form count
 * as a gradient of the same rows; other proximal steps count what they look at.
 *
 * <p>Threads may count at the same time what is of different clients.
 */
public final class GradientCount {
  private final Shards shards;

  /** Gradients of the rounds before. */
  private long earlier;

  /** How often in this round every client took one of all its rows. */
  private long whole;

  /** What else each client took in this round. */
  private final long[] own;

  /** Whether none took anything else. */
  private boolean even = true;

  private IntPredicate rests = _ -> false;
  private boolean nobodyRests = true;

  public GradientCount(Shards shards) {
    this.shards = shards;
    own = new long[shards.clients()];
  }

  /** Data that count what is asked of them. */
  public interface Counting extends Local {
    GradientCount gradients();

    @Override
    default Local among(IntPredicate takesPart) {
      return new SelectedLocal(this, gradients(), takesPart);
    }
  }

  /** The rows' gradients so far. */
  public long total() {
    return earlier + whole * shards.totalRows() + (even ? 0 : Arrays.stream(own).sum());
  }

  /** Whether all clients did the same in this round, by the share of their rows. */
  public boolean even() {
    return even;
  }

  /** What a client did in this round, in gradients of all its rows. */
  public double work(int client) {
    return whole + (double) own[client] / shards.rows(client);
  }

  /** What the client did that did most. */
  public double most() {
    double most = whole;
    for (int m = 0; !even && m < own.length; m++) {
      most = Math.max(most, work(m));
    }
    return most;
  }

  /** A round is done; what is counted from now on is of the next. */
  public void endRound() {
    earlier = total();
    whole = 0;
    if (!even) {
      Arrays.fill(own, 0);
      even = true;
    }
  }

  /** From now on these clients sit out: what is found for them is thrown away, and not counted. */
  public void resting(IntPredicate clients) {
    rests = clients;
    nobodyRests = false;
  }

  /** Does something in which of these clients alone it counts what they do. */
  Rows among(IntPredicate takesPart, Supplier<Rows> work) {
    IntPredicate before = rests;
    boolean nobody = nobodyRests;
    resting(m -> before.test(m) || !takesPart.test(m));
    try {
      return work.get();
    } finally {
      rests = before;
      nobodyRests = nobody;
    }
  }

  /** Whether a client sits out. */
  public boolean rests(int client) {
    return !nobodyRests && rests.test(client);
  }

  /** Every client at one point. */
  void whole() {
    if (nobodyRests) {
      whole++;
      return;
    }
    for (int m = 0; m < own.length; m++) {
      one(m, shards.rows(m));
    }
  }

  /** Every client on its batch. */
  void batch(RowChoice chosen, int round) {
    for (int m = 0; m < own.length; m++) {
      one(m, chosen.to(m, round) - (long) chosen.from(m, round));
    }
  }

  /** Every client on its part of the rows: of an empty one as if it were a row. */
  void parts(RowParts parts, int[] chosen) {
    for (int m = 0; m < chosen.length; m++) {
      one(m, Math.max(1, parts.count(m, chosen[m])));
    }
  }

  /** One client, for so many of its rows. */
  public void one(int client, long its) {
    if (!rests(client)) {
      own[client] += its;
      even = false;
    }
  }
}
