package ngd.peer.plan;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import ngd.core.file.Sha256;

/**
 * A plan as it stands in a file.
 *
 * @param text the file, comments and all
 * @param lines where each key of the canonical form stands in the file, counted from 1; a key that
 *     was left to its default is not there
 */
public record WrittenPlan(Plan plan, String text, Map<String, Integer> lines) {
  public WrittenPlan {
    lines = Map.copyOf(lines);
  }

  /** What the authority signs. */
  public byte[] canonicalBytes() {
    return (String.join("\n", plan.canonical()) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The SHA-256 of the canonical form. */
  public byte[] hash() {
    return Sha256.of(canonicalBytes());
  }

  /** The first eight digits of the hash, as people compare them. */
  public String shortHash() {
    return HexFormat.of().formatHex(hash()).substring(0, 8);
  }

  /** Where each line of the canonical form stands in the file; 0 where a default stands for it. */
  public List<Integer> places() {
    return plan.canonical().stream().map(this::place).toList();
  }

  /** Where a line of the canonical form stands in the file; 0 where a default stands for it. */
  int place(String canonicalLine) {
    Integer line = lines.get(key(canonicalLine));
    return line == null ? 0 : line;
  }

  /**
   * {@code site: a host:1}, {@code hears: a b} and {@code column: "a" text} are keyed with the
   * first word, all else by the key.
   */
  static String key(String canonicalLine) {
    String[] words = canonicalLine.split("[: ]+", 3);
    return words[0].equals("site") || words[0].equals("hears") || words[0].equals("column")
        ? words[0] + " " + words[1]
        : words[0];
  }
}
