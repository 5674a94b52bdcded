package ngd.peer.wire;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What neighbours must hold alike before they talk: the plan, by its hash and, where hashes differ,
 * line by line.
 *
 * @param hash in hexadecimal
 * @param text its lines
 * @param places where each line stands in the file that a person sees, counted from 1; 0 where it
 *     is a default that stands nowhere
 */
public record Agreement(String hash, String text, List<Integer> places) {
  /** Enough to distinguish lines, and few on the wire. */
  private static final int HASH_BYTES = 8;

  private static final int LONGEST_SHOWN = 200;

  public Agreement {
    places = List.copyOf(places);
  }

  /** Lines that stand in the file as they are. */
  public Agreement(String hash, String text) {
    this(hash, text, IntStream.rangeClosed(1, (int) text.lines().count()).boxed().toList());
  }

  /** A hash for each line, one after another: what a greeting carries. */
  ByteString lineHashes() {
    List<ByteString> hashes = text.lines().map(Agreement::hashOf).toList();
    return ByteString.copyFrom(hashes);
  }

  private static ByteString hashOf(String line) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(line.getBytes(StandardCharsets.UTF_8));
      return ByteString.copyFrom(whole, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every Java has SHA-256", absent);
    }
  }

  /** The first line that a plan with these hashes of its lines does not have, in words. */
  String difference(ByteString theirs) {
    List<String> here = text.lines().toList();
    for (int i = 0; i < here.size(); i++) {
      int from = i * HASH_BYTES;
      if (from + HASH_BYTES > theirs.size()
          || !theirs.substring(from, from + HASH_BYTES).equals(hashOf(here.get(i)))) {
        return "plans differ in %s: here `%s`".formatted(place(i), shortened(here.get(i)));
      }
    }
    return "plans differ after the last line of this one";
  }

  /** The first line in which another's plan differs from this one, in words. */
  public String difference(String other) {
    List<String> here = text.lines().toList();
    List<String> there = other.lines().toList();
    for (int i = 0; i < Math.max(here.size(), there.size()); i++) {
      String mine = i < here.size() ? here.get(i) : "";
      String theirs = i < there.size() ? there.get(i) : "";
      if (!mine.equals(theirs)) {
        return "plans differ in %s: here `%s`, there `%s`"
            .formatted(place(i), shortened(mine), shortened(theirs));
      }
    }
    return "plans differ in their signatures or line ends, not in their lines";
  }

  private String place(int i) {
    return i >= places.size() || places.get(i) == 0
        ? "what is not written out"
        : "line " + places.get(i);
  }

  /** Another's words go into a log: printable and not without end. */
  private static String shortened(String line) {
    return LogText.plain(line.strip(), LONGEST_SHOWN);
  }
}
