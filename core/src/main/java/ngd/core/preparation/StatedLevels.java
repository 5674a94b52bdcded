package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.algorithm.Totals;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Frame;
import ngd.core.formula.ResponseClasses;
import ngd.core.formula.Variable;

/**
 * The levels that are known before any table is read, from the dictionary or from a question that
 * states the order of the response's classes: sites say by one sum which of them their rows have,
 * and no other level's name leaves them.
 */
final class StatedLevels {
  private final Frame frame;
  private final Sites sites;
  private final List<FrameScan> scans;
  private final Map<Variable, List<String>> stated = new LinkedHashMap<>();

  private StatedLevels(Frame frame, Sites sites, List<FrameScan> scans) {
    this.frame = frame;
    this.sites = sites;
    this.scans = scans;
    for (Variable factor : frame.factors()) {
      List<String> known = isAsked(factor) ? factor.levels() : ofDictionary(factor);
      if (!known.isEmpty()) {
        stated.put(factor, known);
      }
    }
  }

  /** Of the factors whose levels are stated, those that any site has, in their order. */
  static Map<Variable, List<String>> of(
      Frame frame, Sites sites, Totals totals, List<FrameScan> scans) {
    StatedLevels levels = new StatedLevels(frame, sites, scans);
    levels.requireOrder();
    return levels.held(totals);
  }

  private List<String> ofDictionary(Variable factor) {
    return factor.expression() instanceof Expression.Name(String column)
        ? sites.tables().getFirst().levels(column)
        : List.of();
  }

  /** Whether the levels are the classes of the response, and the question states their order. */
  private boolean isAsked(Variable factor) {
    return frame
        .formula()
        .classes()
        .map(ResponseClasses::variable)
        .filter(factor::equals)
        .filter(response -> !response.levels().isEmpty())
        .isPresent();
  }

  private void requireOrder() {
    frame
        .formula()
        .classes()
        .filter(ResponseClasses::ordered)
        .map(ResponseClasses::variable)
        .filter(response -> frame.type(response) == ColumnType.TEXT)
        .filter(response -> !stated.containsKey(response))
        .ifPresent(
            response -> {
              throw new InvalidInput(
                  "family ordered: the order of the levels of `%s`, which are text, must be stated: by --order 'low<middle<high', or by its levels in the dictionary; it is not"
                      .formatted(response.text()));
            });
  }

  private Map<Variable, List<String>> held(Totals totals) {
    Map<Variable, List<String>> levels = new HashMap<>();
    if (stated.isEmpty()) {
      return levels;
    }
    double[] there = totals.total(sites.each(this::there));
    int at = 0;
    for (Map.Entry<Variable, List<String>> entry : stated.entrySet()) {
      List<String> held = new ArrayList<>();
      for (String level : entry.getValue()) {
        if (there[at++] > 0) {
          held.add(level);
        }
      }
      if (isAsked(entry.getKey())) {
        requireNoOthers(entry.getKey(), there[at++]);
      }
      levels.put(entry.getKey(), held);
    }
    return levels;
  }

  /** For each stated level whether a table has it; of an order that is asked, whether others. */
  private double[] there(int table) {
    return stated.entrySet().stream()
        .flatMapToDouble(
            entry -> {
              Collection<String> own = own(table, entry.getKey());
              return DoubleStream.concat(
                  entry.getValue().stream().mapToDouble(level -> own.contains(level) ? 1 : 0),
                  isAsked(entry.getKey())
                      ? DoubleStream.of(entry.getValue().containsAll(own) ? 0 : 1)
                      : DoubleStream.empty());
            })
        .toArray();
  }

  private Collection<String> own(int table, Variable factor) {
    return scans.get(table).levels().get(frame.factors().indexOf(factor));
  }

  private void requireNoOthers(Variable response, double others) {
    if (others > 0) {
      List<String> here =
          IntStream.range(0, scans.size())
              .boxed()
              .flatMap(t -> own(t, response).stream())
              .filter(level -> !response.levels().contains(level))
              .distinct()
              .sorted()
              .toList();
      throw new InvalidInput(
          "order: must name every level of `%s`; got %s, and %s others%s"
              .formatted(
                  response.text(),
                  String.join(" < ", response.levels()),
                  NumberText.count((long) others, "site") + (others == 1 ? " has" : " have"),
                  here.isEmpty() ? "" : ": " + String.join(", ", here)));
    }
  }
}
