package ngd.core.answer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.core.inference.ChiSquaredTest;
import ngd.core.inference.GroupTest;
import ngd.core.inference.IndependenceTest;
import ngd.core.preparation.Description;
import ngd.core.preparation.TablesAsked;
import ngd.core.preparation.TablesFound;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/** The tables of a description as files and as JSON, with the tests that follow from them. */
record DescriptionTables(TablesFound found) {
  /**
   * A line of {@code tests.csv}.
   *
   * @param one the column of groups, or of the rows of a cross table
   */
  private record Line(
      String one,
      String two,
      String test,
      double statistic,
      List<Double> freedom,
      double pValue,
      List<Double> estimate) {}

  private static final List<String> QUANTILES = List.of("q05", "q25", "q50", "q75", "q95");

  /** Adds the files of the tables that were asked for. */
  void files(SequencedMap<String, RunFolder.Content> files) {
    TablesAsked asked = found.asked();
    if (asked.by().isPresent()) {
      files.put("groups.csv", RunFolder.csv(groupLines()));
    }
    if (!found.crosses().isEmpty()) {
      files.put("cross.csv", RunFolder.csv(crossLines()));
    }
    if (asked.by().isPresent() || !found.crosses().isEmpty()) {
      files.put("tests.csv", RunFolder.csv(testLines()));
    }
    if (!asked.histograms().isEmpty()) {
      files.put("histograms.csv", RunFolder.csv(histogramLines()));
    }
    found
        .correlations()
        .ifPresent(of -> files.put("correlations.csv", RunFolder.csv(correlationLines(of))));
  }

  /** Adds the tables that were asked for. */
  void put(JsonObject json) {
    if (found.asked().by().isPresent()) {
      json.put("by", found.asked().by().get())
          .put("groups", found.numbers().stream().map(this::json).toList());
    }
    if (!found.crosses().isEmpty()) {
      json.put("crossTables", found.crosses().stream().map(DescriptionTables::json).toList());
    }
    if (!found.histograms().isEmpty()) {
      json.put(
          "histograms",
          found.histograms().stream()
              .map(
                  one ->
                      new JsonObject()
                          .put("variable", one.column())
                          .put("group", one.group().orElse(null))
                          .put("edges", one.edges())
                          .put("counts", one.counts()))
              .toList());
    }
    found
        .correlations()
        .ifPresent(
            of ->
                json.put(
                    "correlations",
                    new JsonObject()
                        .put("variables", of.columns())
                        .put("n", of.n())
                        .put("values", of.values())
                        .put("sitesWithheld", of.silent())));
  }

  private JsonObject json(TablesFound.ByGroup one) {
    List<JsonObject> groups = new ArrayList<>();
    for (TablesFound.OfGroup group : one.groups()) {
      JsonObject quantiles = new JsonObject();
      for (int q = 0; q < group.quantiles().size(); q++) {
        quantiles.put(Double.toString(Description.SHARES.get(q)), group.quantiles().get(q));
      }
      groups.add(
          new JsonObject()
              .put("group", group.group())
              .put("n", group.n())
              .put("missing", group.missing())
              .put("mean", group.mean())
              .put("standardDeviation", group.standardDeviation())
              .put("quantiles", quantiles));
    }
    return new JsonObject()
        .put("variable", one.column())
        .put("groups", groups)
        .put("rowsWithheld", one.leftOut())
        .put("sitesWithheld", one.silent())
        .put("tests", tests(one).stream().map(DescriptionTables::json).toList());
  }

  private static JsonObject json(TablesFound.CrossTable one) {
    return new JsonObject()
        .put("rows", one.rows())
        .put("columns", one.columns())
        .put("rowLevels", one.rowLevels())
        .put("columnLevels", one.columnLevels())
        .put("counts", known(one))
        .put("rowsWithheld", one.leftOut())
        .put("sitesWithheld", one.silent())
        .put("tests", tests(one).stream().map(DescriptionTables::json).toList());
  }

  /** The counts; null where a cell may be left out. */
  private static List<List<@Nullable Long>> known(TablesFound.CrossTable table) {
    List<List<@Nullable Long>> known = new ArrayList<>();
    for (List<Long> row : table.counts()) {
      List<@Nullable Long> line = new ArrayList<>();
      row.forEach(count -> line.add(isKnown(table, count) ? count : null));
      known.add(line);
    }
    return known;
  }

  private static boolean isKnown(TablesFound.CrossTable table, long count) {
    return table.leftOut() == 0 || count > 0;
  }

  private static JsonObject json(Line one) {
    JsonObject json =
        new JsonObject()
            .put("test", one.test())
            .put("statistic", one.statistic())
            .put("df", one.freedom())
            .put("pValue", one.pValue());
    return one.estimate().isEmpty()
        ? json
        : json.put("estimate", one.estimate().getFirst())
            .put("interval", one.estimate().subList(1, one.estimate().size()));
  }

  private List<Line> tests(TablesFound.ByGroup one) {
    String by = found.asked().by().orElseThrow();
    List<Line> lines = new ArrayList<>();
    GroupTest.of(one.groups())
        .ifPresent(
            test ->
                lines.add(
                    new Line(
                        by,
                        one.column(),
                        test.name(),
                        test.statistic(),
                        test.freedom(),
                        test.pValue(),
                        List.of())));
    difference(lines, by, one.column(), GroupTest.standardizedDifference(one.groups()));
    return lines;
  }

  private static void difference(List<Line> lines, String one, String two, OptionalDouble value) {
    value.ifPresent(
        of ->
            lines.add(
                new Line(
                    one,
                    two,
                    "standardized difference",
                    Double.NaN,
                    List.of(),
                    Double.NaN,
                    List.of(of))));
  }

  private static List<Line> tests(TablesFound.CrossTable one) {
    List<Line> lines = new ArrayList<>();
    Optional<IndependenceTest> found = IndependenceTest.of(one);
    found.ifPresent(
        test -> {
          lines.add(line(one, "chi-squared", test.pearson()));
          test.corrected()
              .ifPresent(of -> lines.add(line(one, "chi-squared, continuity-corrected", of)));
          test.exact()
              .ifPresent(
                  of ->
                      lines.add(
                          new Line(
                              one.rows(),
                              one.columns(),
                              "Fisher exact",
                              Double.NaN,
                              List.of(),
                              of.pValue(),
                              of.odds()
                                  .map(odds -> List.of(odds.ratio(), odds.low(), odds.high()))
                                  .orElse(List.of()))));
        });
    difference(lines, one.rows(), one.columns(), GroupTest.standardizedDifference(one));
    return lines;
  }

  private static Line line(TablesFound.CrossTable of, String name, ChiSquaredTest test) {
    return new Line(
        of.rows(),
        of.columns(),
        name,
        test.statistic(),
        List.of((double) test.freedom()),
        test.pValue(),
        List.of());
  }

  private List<List<String>> groupLines() {
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("variable", "group", "n", "missing", "mean", "sd"));
    head.addAll(QUANTILES);
    lines.add(head);
    for (TablesFound.ByGroup one : found.numbers()) {
      for (TablesFound.OfGroup group : one.groups()) {
        List<String> line = new ArrayList<>();
        line.addAll(List.of(one.column(), group.group()));
        line.addAll(List.of(Long.toString(group.n()), Long.toString(group.missing())));
        line.add(DescriptionAnswer.number(group.mean()));
        line.add(DescriptionAnswer.number(group.standardDeviation()));
        group.quantiles().forEach(quantile -> line.add(DescriptionAnswer.number(quantile)));
        lines.add(line);
      }
    }
    return lines;
  }

  private List<List<String>> crossLines() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of(
            "row_variable",
            "row",
            "column_variable",
            "column",
            "count",
            "row_percent",
            "column_percent",
            "withheld"));
    for (TablesFound.CrossTable one : found.crosses()) {
      for (int r = 0; r < one.rowLevels().size(); r++) {
        for (int c = 0; c < one.columnLevels().size(); c++) {
          long count = one.counts().get(r).get(c);
          lines.add(
              List.of(
                  one.rows(),
                  one.rowLevels().get(r),
                  one.columns(),
                  one.columnLevels().get(c),
                  isKnown(one, count) ? Long.toString(count) : "",
                  percent(one, count, one.inRow(r)),
                  percent(one, count, one.inColumn(c)),
                  Long.toString(one.leftOut())));
        }
      }
    }
    return lines;
  }

  /** A share of a row or column; none where rows are left out of it. */
  private static String percent(TablesFound.CrossTable table, long count, long of) {
    return table.leftOut() > 0 || of == 0 ? "" : Double.toString(100.0 * count / of);
  }

  private List<List<String>> testLines() {
    List<Line> tests = new ArrayList<>();
    found.numbers().forEach(one -> tests.addAll(tests(one)));
    found.crosses().forEach(one -> tests.addAll(tests(one)));
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of(
            "row_variable",
            "variable",
            "test",
            "statistic",
            "df",
            "df2",
            "p_value",
            "estimate",
            "low",
            "high"));
    for (Line one : tests) {
      List<String> line = new ArrayList<>(List.of(one.one(), one.two(), one.test()));
      line.add(DescriptionAnswer.number(one.statistic()));
      line.addAll(padded(one.freedom(), 2));
      line.add(DescriptionAnswer.number(one.pValue()));
      line.addAll(padded(one.estimate(), 3));
      lines.add(line);
    }
    return lines;
  }

  private static List<String> padded(List<Double> numbers, int length) {
    String[] words = new String[length];
    Arrays.setAll(words, i -> i < numbers.size() ? DescriptionAnswer.number(numbers.get(i)) : "");
    return List.of(words);
  }

  private List<List<String>> histogramLines() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("variable", "group", "from", "to", "count"));
    for (TablesFound.Histogram one : found.histograms()) {
      for (int bin = 0; bin < one.counts().size(); bin++) {
        lines.add(
            List.of(
                one.column(),
                one.group().orElse(""),
                DescriptionAnswer.number(one.edges().get(bin)),
                DescriptionAnswer.number(one.edges().get(bin + 1)),
                Long.toString(one.counts().get(bin))));
      }
    }
    return lines;
  }

  private static List<List<String>> correlationLines(TablesFound.Correlations of) {
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("variable", "n"));
    head.addAll(of.columns());
    lines.add(head);
    for (int i = 0; i < of.columns().size(); i++) {
      List<String> line = new ArrayList<>(List.of(of.columns().get(i), Long.toString(of.n())));
      of.values().get(i).forEach(value -> line.add(DescriptionAnswer.number(value)));
      lines.add(line);
    }
    return lines;
  }
}
