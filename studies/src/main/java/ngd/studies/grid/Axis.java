package ngd.studies.grid;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import ngd.core.question.Key;

/**
 * One axis of a grid: a key and the words it takes, or keys that vary together.
 *
 * @param keys by name, since a grid travels to other processes
 * @param points for each key its words, point by point
 * @param where where they were said, such as {@code own.yaml, line 3}; empty where nobody wrote
 *     them down
 */
public record Axis(List<String> keys, List<List<List<String>>> points, String where)
    implements Serializable {
  public Axis {
    keys = List.copyOf(keys);
    points = points.stream().map(point -> point.stream().map(List::copyOf).toList()).toList();
    for (List<List<String>> point : points) {
      if (point.size() != keys.size()) {
        throw new IllegalArgumentException(
            "axis of %s: every point needs as many words; got %s".formatted(keys, point));
      }
    }
  }

  /** A key that takes these words, one after the other. */
  public static Axis of(Key<?> key, String... words) {
    return of(key, Arrays.asList(words), "");
  }

  /** The same, where it is known who said them. */
  static Axis of(Key<?> key, List<String> words, String where) {
    return new Axis(
        List.of(key.name()), words.stream().map(text -> List.of(key.split(text))).toList(), where);
  }

  /** A key that does not vary and takes all of these words. */
  static Axis constant(Key<?> key, List<String> words, String where) {
    return new Axis(List.of(key.name()), List.of(List.of(words)), where);
  }

  /** Keys that vary together, with a text for each of them at every point. */
  public static Axis together(List<Key<?>> keys, List<List<String>> points) {
    return new Axis(
        keys.stream().map(Key::name).toList(),
        points.stream()
            .map(
                point ->
                    IntStream.range(0, point.size())
                        .mapToObj(i -> keys.get(i).split(point.get(i)))
                        .toList())
            .toList(),
        "");
  }

  /** What a key takes at a point that is there twice; empty where none is. */
  Optional<String> twice(Key<?> key) {
    int place = keys.indexOf(key.name());
    Set<List<List<String>>> seen = new HashSet<>();
    return points.stream()
        .filter(point -> place >= 0 && !seen.add(point))
        .findFirst()
        .map(point -> String.join(",", point.get(place)));
  }
}
