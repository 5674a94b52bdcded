package ngd.app;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known word that a mistyped one most resembles. */
final class Nearest {
  private Nearest() {}

  /** The word with the fewest edits, if fewer than about half of the letters are wrong. */
  static Optional<String> to(String word, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt((String other) -> distance(word, other)))
        .filter(other -> distance(word, other) <= Math.max(1, (word.length() + 1) / 2 - 1));
  }

  /** "; did you mean 'X'?" or nothing. */
  static String hint(String word, Collection<String> known) {
    return to(word, known).map("; did you mean `%s`?"::formatted).orElse("");
  }

  /**
   * The edits between two words: a letter added, removed, changed, or swapped with the next one
   * (optimal string alignment).
   */
  static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
