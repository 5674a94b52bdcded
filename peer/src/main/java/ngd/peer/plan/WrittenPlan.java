package ngd.peer.plan;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A plan as it stands in a file.
 *
 * @param text the file, comments and all
 * @param lines where each key of the canonical form stands in the file, counted from 1; a key that
 *     was left to its default is not there
 */
public record WrittenPlan(Plan plan, String text, Map<String, Integer> lines) {
  /** The bytes of a line's hash: enough to tell lines apart, and few on the wire. */
  public static final int LINE_HASH_BYTES = 8;

  public WrittenPlan {
    lines = Map.copyOf(lines);
  }

  /** What the authority signs. */
  public byte[] canonicalBytes() {
    return (String.join("\n", plan.canonical()) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The SHA-256 of the canonical form. */
  public byte[] hash() {
    return sha256(canonicalBytes());
  }

  /** The first eight digits of the hash, as people compare them. */
  public String shortHash() {
    return HexFormat.of().formatHex(hash()).substring(0, 8);
  }

  /**
   * The hashes of the lines of the canonical form, one after the other: what peers send each other
   * to find where they differ.
   */
  public byte[] lineHashes() {
    List<String> lines = plan.canonical();
    byte[] hashes = new byte[lines.size() * LINE_HASH_BYTES];
    for (int i = 0; i < lines.size(); i++) {
      byte[] hash = sha256(lines.get(i).getBytes(StandardCharsets.UTF_8));
      System.arraycopy(hash, 0, hashes, i * LINE_HASH_BYTES, LINE_HASH_BYTES);
    }
    return hashes;
  }

  /** Where a line of the canonical form stands in the file; 0 where a default stands for it. */
  int place(String canonicalLine) {
    Integer line = lines.get(key(canonicalLine));
    return line == null ? 0 : line;
  }

  /** {@code site: a host:1} and {@code hears: a b} are keyed with the site, all else by the key. */
  static String key(String canonicalLine) {
    String[] words = canonicalLine.split("[: ]+", 3);
    return words[0].equals("site") || words[0].equals("hears")
        ? words[0] + " " + words[1]
        : words[0];
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every Java has SHA-256", absent);
    }
  }
}
