package ngd.core.data;

import java.util.List;
import ngd.core.file.Sha256;
import ngd.core.formula.RiskTime;

/** The fingerprint of a design matrix that is cut among clients. */
public final class ShardsHash {
  /** Rows whose numbers are hashed in one go. */
  private static final int AT_ONCE = 256;

  private ShardsHash() {}

  /**
   * The SHA-256 of the names and of all that is used of every client's rows, offsets and weights
   * included: the same for the same data and cut.
   */
  public static String of(List<String> features, Shards shards) {
    Sha256 hash = new Sha256().add(String.join("\n", features));
    int width = shards.features() + 3;
    double[] rows = new double[AT_ONCE * width];
    double[] x = new double[shards.features()];
    for (int m = 0; m < shards.clients(); m++) {
      hash.add(shards.rows(m));
      shards.forEach(
          m,
          (block, _) -> {
            int kept = 0;
            for (int i = 0; i < block.rows(); i++) {
              int at = kept++ * width;
              block.row(i, x);
              System.arraycopy(x, 0, rows, at, x.length);
              rows[at + x.length] = block.y(i);
              rows[at + x.length + 1] = block.offset(i);
              rows[at + x.length + 2] = block.weight(i);
              if (block.isTimed() || kept == AT_ONCE || i == block.rows() - 1) {
                hash.add(rows, 0, kept * width);
                kept = 0;
              }
              if (block.isTimed()) {
                RiskTime time = block.time(i);
                hash.add(new double[] {time.start(), time.stop(), time.stratum()}, 0, 3);
              }
            }
          });
      if (!shards.isFiled() && shards.shard(m).isGrouped()) {
        shards.shard(m).random().addTo(hash);
      }
    }
    return hash.hex();
  }
}
