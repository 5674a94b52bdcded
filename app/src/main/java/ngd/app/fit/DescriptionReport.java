package ngd.app.fit;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.formula.Moments;
import ngd.core.preparation.Description;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.Summary;
import ngd.core.run.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A description as people and programs read it.
 *
 * @param ruled whether sites withheld what their rules do not let out
 */
record DescriptionReport(int sites, List<Summary> summaries, List<String> notes, boolean ruled) {
  /** Levels of fewer rows at a site, and those that would give their number away. */
  private static final String LESS = "<%d".formatted(DisclosureRules.STANDARD.tab());

  DescriptionReport {
    notes = List.copyOf(notes);
  }

  /** The rows of all sites. */
  long rows() {
    return summaries.stream()
        .filter(one -> one.site().isEmpty())
        .mapToLong(one -> one.n() + one.missing())
        .max()
        .orElse(0);
  }

  private List<Summary.OfNumbers> numbers() {
    return summaries.stream()
        .filter(Summary.OfNumbers.class::isInstance)
        .map(Summary.OfNumbers.class::cast)
        .toList();
  }

  private List<Summary.OfLevels> levels() {
    return summaries.stream()
        .filter(Summary.OfLevels.class::isInstance)
        .map(Summary.OfLevels.class::cast)
        .toList();
  }

  private boolean hasExtremes() {
    return numbers().stream().anyMatch(one -> one.minimum().isPresent());
  }

  private static String named(Summary one) {
    return one.site().map(site -> "  at " + site).orElse(one.column());
  }

  void print(PrintWriter out) {
    out.printf("%s, %s%n", NumberText.count(rows(), "row"), NumberText.count(sites, "site"));
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
                      + (ruled
                          ? ". Under the sites' rules fewer than 6 rows of a site may be counted on"
                              + " the other side of one."
                          : " (--extremes shows them).")));
    }
    if (!levels().isEmpty()) {
      out.println();
      levelTable().print(out);
      if (levels().stream().anyMatch(one -> one.withheld() > 0)) {
        out.println();
        out.println(
            "%s: levels of fewer rows at a site, put together there with the next larger level until they are at least as many; ≥: without these."
                .formatted(LESS));
      }
    }
    for (Summary one : summaries) {
      if (one instanceof Summary.Withheld withheld) {
        out.printf(
            "%n%s: %s, %d missing; %s%n",
            withheld.column(),
            NumberText.count(withheld.n(), "value"),
            withheld.missing(),
            withheld.reason());
      }
    }
    if (!notes.isEmpty()) {
      out.println();
      notes.forEach(note -> out.println("Note: " + note));
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
    return one.type().isMoment() && !Double.isNaN(value)
        ? Moments.text(one.type(), value)
        : shown(value);
  }

  private static String shown(double value) {
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
                margin.replace("= ", "") + LESS,
                Long.toString(one.withheld()),
                "",
                share(one, one.withheld())));
      }
    }
    return table;
  }

  /** A count, or what is known of it where levels of few rows are put together. */
  private static String counted(Summary.OfLevels one, long count) {
    return one.withheld() == 0 ? Long.toString(count) : count == 0 ? LESS : "≥" + count;
  }

  private static String share(Summary.OfLevels one, long count) {
    return one.n() == 0 || (count == 0 && one.withheld() > 0)
        ? "–"
        : "%.1f %%".formatted(100.0 * count / one.n());
  }

  JsonObject json() {
    List<JsonObject> all = new ArrayList<>();
    for (Summary one : summaries) {
      JsonObject object =
          new JsonObject()
              .put("variable", one.column())
              .put("site", one.site().orElse(null))
              .put("n", one.n())
              .put("missing", one.missing());
      switch (one) {
        case Summary.OfNumbers of -> {
          JsonObject quantiles = new JsonObject();
          for (int q = 0; q < of.quantiles().size(); q++) {
            quantiles.put(Double.toString(Description.SHARES.get(q)), of.quantiles().get(q));
          }
          object
              .put("type", of.type().name().toLowerCase(Locale.ROOT))
              .put("mean", of.mean())
              .put("standardDeviation", of.standardDeviation())
              .put("quantiles", quantiles)
              .put("quantileError", of.quantileError())
              .put("minimum", orNull(of.minimum()))
              .put("maximum", orNull(of.maximum()));
        }
        case Summary.OfLevels of -> {
          JsonObject counts = new JsonObject();
          of.counts().forEach(counts::put);
          object.put("levels", counts).put("levelsWithheld", of.withheld());
        }
        case Summary.Withheld of -> object.put("withheld", of.reason());
      }
      all.add(object);
    }
    return new JsonObject()
        .put("rows", rows())
        .put("sites", sites)
        .put("variables", all)
        .put("notes", notes);
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  List<List<String>> numberLines() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of(
            "variable",
            "site",
            "n",
            "missing",
            "mean",
            "sd",
            "q05",
            "q25",
            "q50",
            "q75",
            "q95",
            "quantile_error",
            "min",
            "max",
            "type"));
    for (Summary.OfNumbers one : numbers()) {
      List<String> line = new ArrayList<>();
      line.add(one.column());
      line.add(one.site().orElse(""));
      line.add(Long.toString(one.n()));
      line.add(Long.toString(one.missing()));
      line.add(number(one.mean()));
      line.add(number(one.standardDeviation()));
      one.quantiles().forEach(quantile -> line.add(number(quantile)));
      line.add(number(one.quantileError()));
      line.add(number(one.minimum().orElse(Double.NaN)));
      line.add(number(one.maximum().orElse(Double.NaN)));
      line.add(one.type().name().toLowerCase(Locale.ROOT));
      lines.add(line);
    }
    return lines;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }

  List<List<String>> levelLines() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("variable", "site", "level", "count", "n", "missing", "withheld"));
    for (Summary.OfLevels one : levels()) {
      one.counts()
          .forEach(
              (level, count) ->
                  lines.add(
                      List.of(
                          one.column(),
                          one.site().orElse(""),
                          level,
                          Long.toString(count),
                          Long.toString(one.n()),
                          Long.toString(one.missing()),
                          Long.toString(one.withheld()))));
    }
    return lines;
  }
}
