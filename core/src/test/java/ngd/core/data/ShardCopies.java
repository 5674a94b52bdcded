package ngd.core.data;

import java.nio.file.Path;

/** The same rows kept otherwise. */
public final class ShardCopies {
  private ShardCopies() {}

  /** In memory, in blocks of these many rows. */
  public static Shards inBlocks(Shards shards, int blockRows) {
    return copied(shards, Shards.sized(shards.features(), shards.sizes(), blockRows));
  }

  /** In a file, in blocks of these many rows. */
  public static Shards inFile(Shards shards, int blockRows, Path folder) {
    return copied(shards, Shards.filed(shards.features(), shards.sizes(), folder, blockRows));
  }

  private static Shards copied(Shards shards, Shards.Filler filler) {
    double[] x = new double[shards.features()];
    for (int m = 0; m < shards.clients(); m++) {
      Shard own = shards.shard(m);
      for (int i = 0; i < own.rows(); i++) {
        own.row(i, x);
        if (own.isTimed()) {
          filler.put(m, i, own.time(i));
        }
        filler.put(m, i, x, own.y(i), own.offset(i), own.weight(i));
      }
    }
    return filler.done();
  }
}
