package ngd.deep.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What another library calls the arrays of a model, so that {@code --start} reads its files.
 *
 * @param names from its names to those here
 * @param without how names begin of arrays that have no place here, such as another classifier's
 */
public record OtherNames(Map<String, String> names, List<String> without) {
  public OtherNames {
    names = Map.copyOf(names);
    without = List.copyOf(without);
  }

  /** Whether a file with these arrays is one of that library. */
  boolean fit(Map<String, ?> arrays) {
    return arrays.keySet().stream().anyMatch(names::containsKey);
  }

  /** The arrays by their names here; a name that nobody knows stays. */
  <T> Map<String, T> here(Map<String, T> arrays) {
    Map<String, T> own = new LinkedHashMap<>();
    arrays.forEach(
        (name, array) -> {
          if (without.stream().noneMatch(name::startsWith)) {
            own.put(names.getOrDefault(name, name), array);
          }
        });
    return own;
  }
}
