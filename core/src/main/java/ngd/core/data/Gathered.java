package ngd.core.data;

import org.jspecify.annotations.Nullable;

/** A place for the rows of one mini-batch after another. For one thread. */
public final class Gathered {
  private @Nullable Shard held;

  /**
   * The shard made of a client's rows {@code chosen[from] .. chosen[to - 1]}, in that order; valid
   * until the next is asked for.
   */
  public Shard of(Shards shards, int client, int[] chosen, int from, int to) {
    if (shards.isFiled()) {
      return shards.taken(client, chosen, from, to);
    }
    Shard source = shards.shard(client);
    Shard known = held;
    if (known == null || known.rows() != to - from || !source.sameShape(known)) {
      known = source.blank(to - from);
      held = known;
    }
    source.take(chosen, from, to, known);
    return known;
  }
}
