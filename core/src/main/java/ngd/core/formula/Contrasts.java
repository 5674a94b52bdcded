package ngd.core.formula;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** How a factor of k levels becomes k − 1 columns, in R's words. */
public enum Contrasts {
  /** Each level against the first, named by the levels: what holds where nothing is said. */
  LEVELS("levels"),
  /** The same, named by the levels' numbers. */
  TREATMENT("contr.treatment"),
  /** Each level but the last against the mean of all. */
  SUM("contr.sum"),
  /** Each level but the first against the mean of those before it. */
  HELMERT("contr.helmert");

  private final String word;

  Contrasts(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  static Optional<Contrasts> named(String word) {
    return Arrays.stream(values())
        .filter(one -> one != LEVELS && one.word.equals(word))
        .findFirst();
  }

  static List<String> words() {
    return Arrays.stream(values()).filter(one -> one != LEVELS).map(Contrasts::word).toList();
  }

  /** The entry of a level's row in a column. */
  double entry(int level, int column, int levels) {
    return switch (this) {
      case LEVELS, TREATMENT -> level == column + 1 ? 1 : 0;
      case SUM -> level == levels - 1 ? -1 : level == column ? 1 : 0;
      case HELMERT -> level <= column ? -1 : level == column + 1 ? column + 1 : 0;
    };
  }

  /** What stands after the factor's name in the columns' names. */
  List<String> names(List<String> levels) {
    if (this == LEVELS) {
      return levels.subList(1, levels.size());
    }
    int from = this == TREATMENT ? 2 : 1;
    return IntStream.range(from, levels.size() - 1 + from).mapToObj(Integer::toString).toList();
  }
}
