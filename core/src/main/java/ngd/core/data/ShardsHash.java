package ngd.core.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The fingerprint of a design matrix that is cut among clients. */
public final class ShardsHash {
  private ShardsHash() {}

  /** The SHA-256 of the names and of every client's rows: the same for the same data and cut. */
  public static String of(List<String> features, Shards shards) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    digest.update(String.join("\n", features).getBytes(StandardCharsets.UTF_8));
    double[] x = new double[shards.features()];
    ByteBuffer row = ByteBuffer.allocate(Double.BYTES * (x.length + 3));
    for (int m = 0; m < shards.clients(); m++) {
      Shard shard = shards.shard(m);
      digest.update(row.clear().putInt(shard.rows()).flip());
      for (int i = 0; i < shard.rows(); i++) {
        shard.row(i, x);
        row.clear();
        for (double value : x) {
          row.putDouble(value);
        }
        row.putDouble(shard.y(i)).putDouble(shard.offset(i)).putDouble(shard.weight(i));
        digest.update(row.flip());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
