package ngd.app.answer;

import java.util.List;
import java.util.Locale;
import ngd.app.terminal.TextTable;
import ngd.core.inference.Coefficient;

/**
 * A model's coefficients in the layout that users of R know.
 *
 * @param letter of the statistic, z or t
 * @param level of the intervals
 * @param robust whether errors are others than the model's own
 */
record CoefficientTable(List<Coefficient> lines, String letter, double level, boolean robust) {
  CoefficientTable {
    lines = List.copyOf(lines);
  }

  TextTable coefficients() {
    TextTable table =
        new TextTable(
            List.of(
                "",
                "Estimate",
                robust ? "Robust SE" : "Std. Error",
                letter + " value",
                "Pr(>|" + letter + "|)",
                "",
                IntervalNames.low(level),
                IntervalNames.high(level)));
    for (Coefficient line : lines) {
      table.add(
          List.of(
              line.term(),
              PooledTable.number(line.estimate()),
              PooledTable.number(line.standardError()),
              PooledTable.statistic(line.statistic()),
              PooledTable.chance(line.pValue()),
              PooledTable.stars(line.pValue()),
              PooledTable.number(line.low()),
              PooledTable.number(line.high())));
    }
    return table;
  }

  /** exp(coefficient) with its interval; tests are those of the coefficients. */
  TextTable ratios(String words) {
    TextTable table =
        new TextTable(
            List.of(
                "",
                heading(words),
                IntervalNames.low(level),
                IntervalNames.high(level),
                letter + " value",
                "Pr(>|" + letter + "|)",
                ""));
    for (Coefficient line : lines) {
      table.add(
          List.of(
              line.term(),
              PooledTable.number(Math.exp(line.estimate())),
              PooledTable.number(Math.exp(line.low())),
              PooledTable.number(Math.exp(line.high())),
              PooledTable.statistic(line.statistic()),
              PooledTable.chance(line.pValue()),
              PooledTable.stars(line.pValue())));
    }
    return table;
  }

  /** The coefficients alone, where nothing can be said of their errors. */
  TextTable estimates(boolean exponentiated, String words) {
    TextTable table =
        new TextTable(List.of("", exponentiated ? heading(words) : "Estimate", "Std. Error"));
    for (Coefficient line : lines) {
      double shown = exponentiated ? Math.exp(line.estimate()) : line.estimate();
      table.add(List.of(line.term(), PooledTable.number(shown), "withheld"));
    }
    return table;
  }

  private static String heading(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
