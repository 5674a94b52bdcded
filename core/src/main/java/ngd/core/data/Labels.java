package ngd.core.data;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import ngd.core.formula.Levels;

/**
 * A column read as text, of which only the equality of values matters: {@code code[row]} is the
 * index of the row's value among the distinct values.
 *
 * <p>Values are sorted, as numbers where all of them are numbers ({@code 1.0} is 1) and as text
 * otherwise, so that the numbering does not depend on the order of the rows.
 */
public final class Labels {
  private final String name;
  private final List<String> values;
  private final int[] code;

  private Labels(String name, List<String> values, int[] code) {
    this.name = name;
    this.values = values;
    this.code = code;
  }

  public static Labels of(String name, List<String> texts) {
    List<String> values = List.copyOf(new TreeSet<>(texts));
    Map<String, Integer> index = new HashMap<>();
    if (values.stream().noneMatch(text -> Double.isNaN(number(text)))) {
      TreeMap<Double, Integer> rank = new TreeMap<>();
      values.forEach(text -> rank.put(number(text), 0));
      List<Double> numbers = List.copyOf(rank.keySet());
      for (int v = 0; v < numbers.size(); v++) {
        rank.put(numbers.get(v), v);
      }
      values.forEach(text -> index.put(text, rank.get(number(text))));
      values = numbers.stream().map(Levels::text).toList();
    } else {
      for (int v = 0; v < values.size(); v++) {
        index.put(values.get(v), v);
      }
    }
    int[] code = IntStream.range(0, texts.size()).map(i -> index.get(texts.get(i))).toArray();
    return new Labels(name, values, code);
  }

  /** Adding zero makes −0 and 0 one value. */
  private static double number(String text) {
    return NumberParser.parseOrNaN(text) + 0.0;
  }

  public String name() {
    return name;
  }

  /** The distinct values in order. */
  public List<String> values() {
    return values;
  }

  public int code(int row) {
    return code[row];
  }
}
