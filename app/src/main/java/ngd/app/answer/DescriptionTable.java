package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Moments;
import ngd.core.preparation.Summary;

/** A description as people read it. */
public record DescriptionTable(DescriptionAnswer answer) {
  /** Levels of fewer rows at a site, and those that would give their number away. */
  private String less() {
    return "<%d".formatted(answer.fewest());
  }

  private List<Summary.OfNumbers> numbers() {
    return answer.numbers();
  }

  private List<Summary.OfLevels> levels() {
    return answer.levels();
  }

  private boolean hasExtremes() {
    return numbers().stream().anyMatch(one -> one.minimum().isPresent());
  }

  private static String named(Summary one) {
    return one.site().map(site -> "  at " + site).orElse(one.column());
  }

  public void print(PrintWriter out) {
    out.printf(
        "%s, %s%n",
        NumberText.count(answer.rows(), "row"), NumberText.count(answer.sites(), "site"));
    if (!numbers().isEmpty()) {
      out.println();
      numberTable().print(out);
      out.println();
      out.println(
          "Quantiles come from counts in bins and are within 1/64 of the standard deviation of all"
              + " sites; those of whole numbers are exact"
              + (hasExtremes()
                  ? "."
                  : ". Smallest and largest values are withheld: they would reveal single rows"
                      + (answer.fewest() > 0
                          ? ". Under the sites' rules fewer than %d rows of a site may be counted on the other side of one."
                              .formatted(2 * answer.fewest())
                          : " (--extremes shows them).")));
    }
    if (!levels().isEmpty()) {
      out.println();
      levelTable().print(out);
      if (levels().stream().anyMatch(one -> one.withheld() > 0)) {
        out.println();
        out.println(
            "%s: levels of fewer rows at a site, put together there with the next larger level until they are at least as many; ≥: without these."
                .formatted(less()));
      }
    }
    new TablesText(answer).print(out);
    for (Summary one : answer.summaries()) {
      if (one instanceof Summary.Withheld withheld) {
        out.printf(
            "%n%s: %s, %d missing; %s%n",
            withheld.column(),
            NumberText.count(withheld.n(), "value"),
            withheld.missing(),
            withheld.reason());
      }
    }
    if (!answer.notes().isEmpty()) {
      out.println();
      answer.notes().forEach(note -> out.println("Note: " + note));
    }
  }

  private TextTable numberTable() {
    List<String> head = new ArrayList<>(List.of("variable", "n", "missing", "mean", "SD"));
    if (hasExtremes()) {
      head.add("min");
    }
    head.addAll(List.of("5 %", "25 %", "median", "75 %", "95 %"));
    if (hasExtremes()) {
      head.add("max");
    }
    TextTable table = new TextTable(head);
    for (Summary.OfNumbers one : numbers()) {
      List<String> line = new ArrayList<>();
      line.add(named(one));
      line.add(Long.toString(one.n()));
      line.add(Long.toString(one.missing()));
      line.add(shown(one, one.mean()));
      line.add(shown(one.standardDeviation()));
      if (hasExtremes()) {
        line.add(shown(one, one.minimum().orElse(Double.NaN)));
      }
      one.quantiles().forEach(quantile -> line.add(shown(one, quantile)));
      if (hasExtremes()) {
        line.add(shown(one, one.maximum().orElse(Double.NaN)));
      }
      table.add(line);
    }
    return table;
  }

  /** A value; of dates and times as people write them, where a standard deviation is a number. */
  private static String shown(Summary.OfNumbers one, double value) {
    return shown(one.type(), value);
  }

  static String shown(ColumnType type, double value) {
    return type.isMoment() && !Double.isNaN(value) ? Moments.text(type, value) : shown(value);
  }

  static String shown(double value) {
    return Double.isNaN(value) ? "–" : NumberText.text(value, 4);
  }

  private TextTable levelTable() {
    TextTable table = new TextTable(List.of("variable", "n", "missing", "share"));
    for (Summary.OfLevels one : levels()) {
      table.add(List.of(named(one), Long.toString(one.n()), Long.toString(one.missing()), ""));
      String margin = one.site().isEmpty() ? "  = " : "    = ";
      one.counts()
          .forEach(
              (level, count) ->
                  table.add(List.of(margin + level, counted(one, count), "", share(one, count))));
      if (one.withheld() > 0) {
        table.add(
            List.of(
                margin.replace("= ", "") + less(),
                Long.toString(one.withheld()),
                "",
                share(one, one.withheld())));
      }
    }
    return table;
  }

  /** A count, or what is known of it where levels of few rows are put together. */
  private String counted(Summary.OfLevels one, long count) {
    return one.withheld() == 0 ? Long.toString(count) : count == 0 ? less() : "≥" + count;
  }

  private static String share(Summary.OfLevels one, long count) {
    return one.n() == 0 || (count == 0 && one.withheld() > 0)
        ? "–"
        : "%.1f %%".formatted(100.0 * count / one.n());
  }
}
