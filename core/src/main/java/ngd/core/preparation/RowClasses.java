package ngd.core.preparation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import ngd.core.data.SiteTable;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Frame;
import ngd.core.formula.Levels;
import ngd.core.formula.RowValues;
import ngd.core.formula.Term;
import ngd.core.formula.Variable;
import ngd.core.formula.WordTally;
import org.jspecify.annotations.Nullable;

/**
 * The classes that what a formula uses puts one site's rows into: the levels of factors, the values
 * of numbers that have few, and, of other numbers, whether they are zero.
 *
 * <p>Sums show how many rows a class has: of a 0/1 column its own sum, of three values the first
 * two moments. A sum of numbers that are mostly zero is one over the rows where they are not.
 */
final class RowClasses {
  /** A row count and two moments determine how often each of this many values occurs. */
  static final int FEW_VALUES = 3;

  /**
   * The classes of one expression.
   *
   * @param columns that it is made of
   * @param at the place of the expression among those scanned
   * @param named whether its levels are agreed on by name
   * @param support whether it is told only zero from other numbers
   * @param classes with the rows of each, in order
   */
  record OfVariable(
      String name,
      Set<String> columns,
      int at,
      boolean named,
      boolean support,
      SequencedMap<String, Long> classes) {}

  private static final String MISSING = "(missing)";
  private static final String ZERO = "0";
  private static final String NOT_ZERO = "not 0";

  private final Frame frame;
  private final List<OfVariable> variables = new ArrayList<>();

  /** By text or by number, whichever a variable has. */
  private final List<Map<Object, Integer>> codes = new ArrayList<>();

  private RowClasses(Frame frame) {
    this.frame = frame;
  }

  /** The first pass over a table. */
  static RowClasses of(Frame frame, SiteTable table) {
    List<Counter> counters = new ArrayList<>();
    Map<Integer, Variable> factors = new HashMap<>();
    frame.factors().forEach(factor -> factors.put(frame.at(factor), factor));
    // Groups of random terms are no classes: no sum is over the rows of one.
    for (int i = 0; i < frame.groupsAt(); i++) {
      // Events are counted by their codes, however many these are.
      boolean coded = i == frame.responseAt() && frame.formula().survival().isPresent();
      counters.add(new Counter(i, frame.scannedTypes().get(i), factors.containsKey(i), coded));
    }
    int count = frame.scanned().size();
    Counter[] each = counters.toArray(Counter[]::new);
    table.scan(
        frame.scanned(),
        row -> {
          if (frame.isComplete(row, count)) {
            for (Counter counter : each) {
              counter.add(row);
            }
          }
        });
    RowClasses classes = new RowClasses(frame);
    for (Counter counter : counters) {
      counter.end();
      OfVariable variable = counter.found(frame);
      if (!variable.classes().isEmpty()) {
        Map<Object, Integer> numbers = new HashMap<>();
        counter.values().forEach(value -> numbers.put(value, numbers.size()));
        classes.variables.add(variable);
        classes.codes.add(numbers);
      }
    }
    return classes;
  }

  /** What is missing, where gaps are imputed, is a class too. */
  private static String text(@Nullable String level) {
    return level == null ? MISSING : level;
  }

  List<OfVariable> variables() {
    return variables;
  }

  /** Writes the number of a row's class in each variable. */
  void codes(RowValues row, int[] into) {
    for (int v = 0; v < into.length; v++) {
      OfVariable variable = variables.get(v);
      Map<Object, Integer> known = codes.get(v);
      Integer code =
          frame.scannedTypes().get(variable.at()) == ColumnType.TEXT
              ? known.get(text(row.text(variable.at())))
              : variable.support()
                  ? Integer.valueOf(row.number(variable.at()) == 0 ? 0 : 1)
                  : known.get(row.number(variable.at()) + 0.0);
      // A table that changes between two passes is refused later.
      into[v] = code == null ? 0 : code;
    }
  }

  /** The largest sets of variables whose cross tables an answer may say. */
  List<Set<Integer>> groups(DisclosureRules.Cells cells) {
    Set<Integer> response = at(frame.responseAt());
    Set<Integer> weighing =
        frame.formula().weights().isPresent() ? at(frame.weightsAt()) : Set.of();
    // Only weights of 0 select rows; others make the sums of a class differ from its rows.
    Set<Integer> weights = new TreeSet<>(weighing);
    weights.removeIf(v -> !variables.get(v).classes().containsKey(ZERO));
    List<Set<Integer>> single = new ArrayList<>();
    List<Term> terms = new ArrayList<>(frame.terms());
    frame.formula().random().forEach(random -> terms.addAll(random.effects()));
    for (Term term : terms) {
      Set<Integer> own = new TreeSet<>();
      for (Variable variable : term.variables()) {
        own.addAll(frame.isSite(variable) ? Set.of() : at(frame.at(variable)));
      }
      single.add(own);
    }
    for (int i = frame.responseAt() - frame.formula().offsets().size();
        i < frame.responseAt();
        i++) {
      single.add(at(i));
    }
    frame.strata().forEach(stratum -> single.add(at(frame.at(stratum))));
    single.add(response);
    List<Set<Integer>> found = new ArrayList<>(List.of(weighing));
    switch (cells) {
      case SINGLE -> single.forEach(one -> found.add(union(one, weights)));
      case PAIRS, COMBINED ->
          single.forEach(one -> single.forEach(two -> found.add(union(union(one, two), weights))));
      case JOINT -> found.add(single.stream().reduce(weights, RowClasses::union));
    }
    return found.stream()
        .distinct()
        .filter(one -> !one.isEmpty())
        .filter(one -> found.stream().noneMatch(o -> !o.equals(one) && o.containsAll(one)))
        .toList();
  }

  /**
   * The same for what is followed in sums and differences. Numbers told from zero alone weigh what
   * is summed over their rows, each by itself, so that nothing cancels against counts; weights of 0
   * leave rows out of everything.
   */
  List<Set<Integer>> crossed(DisclosureRules.Cells cells) {
    Set<Integer> weighing =
        frame.formula().weights().isPresent() ? at(frame.weightsAt()) : Set.of();
    List<Set<Integer>> found = new ArrayList<>();
    for (Set<Integer> group : groups(cells)) {
      Set<Integer> counted = new TreeSet<>(group);
      counted.removeIf(v -> variables.get(v).support() && !weighing.contains(v));
      found.add(counted);
    }
    return found.stream().distinct().toList();
  }

  private static Set<Integer> union(Set<Integer> one, Set<Integer> two) {
    Set<Integer> both = new TreeSet<>(one);
    both.addAll(two);
    return both;
  }

  /** The variable of a scanned expression, where it has classes. */
  private Set<Integer> at(int expression) {
    SortedSet<Integer> found = new TreeSet<>();
    Expression wanted = frame.scanned().get(expression);
    for (int v = 0; v < variables.size(); v++) {
      if (frame.scanned().get(variables.get(v).at()).equals(wanted)) {
        found.add(v);
      }
    }
    return found;
  }

  /** Whether sums are over a cell: those of rows where a number is 0 say nothing of these rows. */
  boolean says(Set<Integer> group, List<Integer> cell) {
    return says(variables, group, cell);
  }

  static boolean says(List<OfVariable> variables, Set<Integer> group, List<Integer> cell) {
    int place = 0;
    for (int v : group) {
      int code = cell.get(place++);
      if (variables.get(v).support() && code == 0) {
        return false;
      }
    }
    return true;
  }

  /** A cell of a cross table in words. */
  String words(Set<Integer> group, List<Integer> cell) {
    List<String> parts = new ArrayList<>();
    int place = 0;
    for (int v : group) {
      List<String> names = List.copyOf(variables.get(v).classes().keySet());
      parts.add("%s = %s".formatted(variables.get(v).name(), names.get(cell.get(place++))));
    }
    return String.join(", ", parts);
  }

  /** How often a value was seen. */
  private static final class Tally {
    private long rows;
  }

  /** Counts an expression's values as long as they may be classes. */
  private static final class Counter {
    private final int at;
    private final ColumnType type;
    private final boolean factor;
    private final boolean coded;

    /** The different values that are counted. */
    private final int most;

    private final Map<String, Tally> texts = new HashMap<>();
    private final Map<Double, Tally> numbers = new HashMap<>();
    private final WordTally words = new WordTally();
    private long zero;
    private long rows;

    Counter(int at, ColumnType type, boolean factor, boolean coded) {
      this.at = at;
      this.type = type;
      this.factor = factor;
      this.coded = coded;
      most = always() ? WordAgreement.MOST_WORDS : FEW_VALUES;
    }

    /** A date whose term takes it as a number is one. */
    private boolean always() {
      return factor || coded || !type.isNumeric();
    }

    void add(RowValues row) {
      rows++;
      if (type == ColumnType.TEXT) {
        if (!words.add(row, at)) {
          add(text(row.text(at)), 1);
        }
        return;
      }
      double number = row.number(at) + 0.0;
      zero += number == 0 ? 1 : 0;
      if (numbers.size() <= most) {
        numbers.computeIfAbsent(number, _ -> new Tally()).rows++;
      }
    }

    private void add(String text, long count) {
      if (texts.size() <= most) {
        texts.computeIfAbsent(text, _ -> new Tally()).rows += count;
      }
    }

    /** No row follows. */
    void end() {
      words.drain(this::add);
    }

    /** The values of the classes, in order; of numbers told from zero alone there are none. */
    List<Object> values() {
      return type == ColumnType.TEXT
          ? List.copyOf(new TreeSet<>(texts.keySet()))
          : List.copyOf(
              always() || numbers.size() <= FEW_VALUES
                  ? new TreeSet<>(numbers.keySet())
                  : Set.of());
    }

    OfVariable found(Frame frame) {
      SequencedMap<String, Long> classes = new LinkedHashMap<>();
      new TreeMap<>(texts).forEach((text, tally) -> classes.put(text, tally.rows));
      boolean few = always() || numbers.size() <= FEW_VALUES;
      if (few) {
        new TreeMap<>(numbers)
            .forEach((n, tally) -> classes.put(text(Levels.of(type, n, null)), tally.rows));
      } else if (zero > 0) {
        classes.put(ZERO, zero);
        classes.put(NOT_ZERO, rows - zero);
      }
      return new OfVariable(
          frame.scanned().get(at).text(),
          frame.scanned().get(at).columns(),
          at,
          factor && type != ColumnType.BOOLEAN,
          !few && zero > 0,
          classes);
    }
  }
}
