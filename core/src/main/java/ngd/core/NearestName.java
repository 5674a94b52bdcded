package ngd.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The allowed name that a mistyped one most likely stands for. */
public final class NearestName {
  private NearestName() {}

  /**
   * The name with the fewest single-letter edits, the first of equals; none when more than a third
   * of the letters, and more than two, would have to change.
   */
  public static Optional<String> of(String typed, Collection<String> allowed) {
    return allowed.stream()
        .filter(name -> edits(typed, name) <= Math.max(2, name.length() / 3))
        .filter(name -> edits(typed, name) < Math.max(typed.length(), name.length()))
        .min(Comparator.comparingInt(name -> edits(typed, name)));
  }

  /** {@code "; did you mean `name`?"}, or nothing where no name is near. */
  public static String hint(String typed, Collection<String> allowed) {
    return of(typed, allowed).map("; did you mean `%s`?"::formatted).orElse("");
  }

  /** The Levenshtein distance, upper and lower case alike. */
  private static int edits(String typed, String name) {
    String a = typed.toLowerCase(Locale.ROOT);
    String b = name.toLowerCase(Locale.ROOT);
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int swap = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(swap, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
