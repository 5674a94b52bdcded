package ngd.core.world;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import ngd.core.data.RowParts;
import ngd.core.data.Shards;

/**
 * How many gradients clients have evaluated, by the row: a gradient of a client's n rows counts n,
 * one of a mini-batch its size. A Hessian, its diagonal, and a proximal step in closed form count
 * as a gradient of the same rows; other proximal steps count what they look at.
 */
public final class GradientCount {
  private final LongAdder rows = new LongAdder();
  private IntPredicate rests = _ -> false;
  private boolean nobodyRests = true;

  /** Data that count what is asked of them. */
  public interface Counting {
    GradientCount gradients();
  }

  /** The rows' gradients so far. */
  public long total() {
    return rows.sum();
  }

  /** From now on these clients sit out: what is found for them is thrown away, and not counted. */
  public void resting(IntPredicate clients) {
    rests = clients;
    nobodyRests = false;
  }

  /** Every client at one point. */
  void whole(Shards shards) {
    if (nobodyRests) {
      rows.add(shards.totalRows());
      return;
    }
    for (int m = 0; m < shards.clients(); m++) {
      one(m, shards.rows(m));
    }
  }

  /** Every client on its batch. */
  void batch(int clients, RowChoice chosen, int round) {
    long its = 0;
    for (int m = 0; m < clients; m++) {
      if (nobodyRests || !rests.test(m)) {
        its += chosen.to(m, round) - (long) chosen.from(m, round);
      }
    }
    rows.add(its);
  }

  /** Every client on its part of the rows: of an empty one as if it were a row. */
  void parts(RowParts parts, int[] chosen) {
    long its = 0;
    for (int m = 0; m < chosen.length; m++) {
      if (nobodyRests || !rests.test(m)) {
        its += Math.max(1, parts.count(m, chosen[m]));
      }
    }
    rows.add(its);
  }

  /** One client, for so many of its rows. */
  public void one(int client, long its) {
    if (nobodyRests || !rests.test(client)) {
      rows.add(its);
    }
  }
}
