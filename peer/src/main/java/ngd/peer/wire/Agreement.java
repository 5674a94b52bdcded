package ngd.peer.wire;

import java.util.List;

/**
 * What neighbours must hold alike before they talk: the plan, by its hash and, where hashes differ,
 * by its text.
 *
 * @param hash in hexadecimal
 */
public record Agreement(String hash, String text) {
  /** The first line in which another's plan differs from this one, in words. */
  public String difference(String other) {
    List<String> here = text.lines().toList();
    List<String> there = other.lines().toList();
    for (int i = 0; i < Math.max(here.size(), there.size()); i++) {
      String mine = i < here.size() ? here.get(i) : "";
      String theirs = i < there.size() ? there.get(i) : "";
      if (!mine.equals(theirs)) {
        return "plans differ in line %d: here `%s`, there `%s`"
            .formatted(i + 1, shortened(mine), shortened(theirs));
      }
    }
    return "plans differ in their signatures or line ends, not in their lines";
  }

  /** Another's words go into a log: printable and not without end. */
  private static String shortened(String line) {
    String plain = line.strip().replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= 200 ? plain : plain.substring(0, 200) + " …";
  }
}
