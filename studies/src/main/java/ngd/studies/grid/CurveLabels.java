package ngd.studies.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;

/** The labels of the curves of a grid: in what they differ. */
final class CurveLabels {
  /** What differs between the columns of a figure. */
  static final List<Key<?>> STEPS =
      List.of(MethodKeys.ALPHA, MethodKeys.ROUNDS, MethodKeys.TRACE_EVERY);

  private final Set<Key<?>> varied;
  private final List<Key<?>> further;

  CurveLabels(List<Cell> cells) {
    varied =
        GridKeys.ALL.stream()
            .filter(key -> cells.stream().map(cell -> cell.word(key)).distinct().count() > 1)
            .collect(Collectors.toSet());
    further =
        GridKeys.FURTHER.stream()
            .filter(key -> cells.stream().anyMatch(cell -> cell.question().says(key)))
            .toList();
  }

  /** The further keys that any cell says something for. */
  List<Key<?>> further() {
    return further;
  }

  /** The model of own data, as far as the grid varies it. */
  List<String> model(Cell cell) {
    return GridKeys.OWN_DATA.stream()
        .filter(key -> key != DataKeys.DATA && varied.contains(key))
        .map(
            key ->
                key.form() != Key.Form.FLAG
                    ? cell.word(key)
                    : cell.question().says(key) ? key.name() : "")
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /** The network, with the weights, the algorithm and what else the grid varies. */
  String varied(Cell cell) {
    List<String> words = new ArrayList<>(List.of(Titles.title(cell.network())));
    if (varied.contains(ClientKeys.WEIGHTS)) {
      words.add(cell.weights());
    }
    if (varied.contains(MethodKeys.ALGORITHM)) {
      words.add(cell.algorithm());
    }
    addFurther(cell, words);
    return String.join(", ", words);
  }

  /** The network, with the weights and the algorithm where they are not the paper's. */
  String unusual(Cell cell) {
    return labelled(cell, !cell.algorithm().equals("ngd"));
  }

  /** The same, with the algorithm's name whatever it is. */
  String named(Cell cell) {
    return labelled(cell, true);
  }

  private String labelled(Cell cell, boolean algorithm) {
    List<String> words = new ArrayList<>(List.of(Titles.title(cell.network())));
    if (!cell.weights().equals("uniform")) {
      words.add(cell.weights());
    }
    if (algorithm) {
      words.add(cell.algorithm());
    }
    addFurther(cell, words);
    return String.join(", ", words);
  }

  private void addFurther(Cell cell, List<String> words) {
    for (Key<?> key : further) {
      if (varied.contains(key) && !cell.word(key).isEmpty()) {
        words.add("%s %s".formatted(key.name(), cell.word(key)));
      }
    }
  }
}
