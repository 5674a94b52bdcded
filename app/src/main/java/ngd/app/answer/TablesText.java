package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.inference.ExactTest;
import ngd.core.inference.GroupTest;
import ngd.core.inference.IndependenceTest;
import ngd.core.preparation.Summary;
import ngd.core.preparation.TablesFound;

/** The tables of a description as people read them: by group, crossed, histograms, correlations. */
record TablesText(DescriptionAnswer answer) {
  private static final int MEDIAN = 2;

  /** As wide as the text of a histogram's bar. */
  private static final int WIDEST_BAR = 40;

  void print(PrintWriter out) {
    TablesFound found = answer.found();
    found.asked().by().ifPresent(by -> byGroup(by, out));
    List<TablesFound.CrossTable> crosses = new ArrayList<>(found.crosses());
    crosses.removeAll(found.byGroup());
    crosses.forEach(one -> print(one, out));
    found.histograms().forEach(one -> print(one, out));
    found.correlations().ifPresent(one -> print(one, out));
  }

  /** The first table of a paper. */
  private void byGroup(String by, PrintWriter out) {
    List<String> groups =
        answer.levels().stream()
            .filter(one -> one.column().equals(by) && one.site().isEmpty())
            .flatMap(one -> one.counts().keySet().stream())
            .toList();
    boolean two = groups.size() == 2;
    List<String> head = new ArrayList<>(List.of("by " + by));
    head.addAll(groups);
    head.addAll(List.of("all", "p"));
    if (two) {
      head.add("SMD");
    }
    TextTable table = new TextTable(head);
    answer.found().numbers().forEach(one -> addNumbers(table, one, two));
    answer.found().byGroup().forEach(one -> addLevels(table, one, groups, two));
    out.println();
    table.print(out);
    out.println();
    out.printf(
        "Numbers: n (missing); mean (SD); median [quartiles]; p by %s. Levels: counts (%% of the"
            + " group); p by χ². %s%n",
        two ? "Welch's t" : "analysis of variance",
        two ? "SMD: absolute standardized difference." : "");
  }

  private void addNumbers(TextTable table, TablesFound.ByGroup one, boolean two) {
    Optional<Summary.OfNumbers> all =
        answer.numbers().stream()
            .filter(of -> of.column().equals(one.column()) && of.site().isEmpty())
            .findFirst();
    List<String> counts = new ArrayList<>(List.of(one.column()));
    List<String> means = new ArrayList<>(List.of("  mean (SD)"));
    List<String> medians = new ArrayList<>(List.of("  median"));
    for (TablesFound.OfGroup group : one.groups()) {
      counts.add("%d (%d)".formatted(group.n(), group.missing()));
      means.add(mean(DescriptionTable.shown(one.type(), group.mean()), group.standardDeviation()));
      medians.add(median(one, group.quantiles()));
    }
    counts.add(all.map(of -> "%d (%d)".formatted(of.n(), of.missing())).orElse("–"));
    means.add(
        all.map(of -> mean(DescriptionTable.shown(of.type(), of.mean()), of.standardDeviation()))
            .orElse("–"));
    medians.add(all.map(of -> median(one, of.quantiles())).orElse("–"));
    counts.add(GroupTest.of(one.groups()).map(test -> p(test.pValue())).orElse("–"));
    means.add("");
    medians.add("");
    if (two) {
      counts.add(difference(GroupTest.standardizedDifference(one.groups())));
      means.add("");
      medians.add("");
    }
    table.add(counts);
    table.add(means);
    table.add(medians);
  }

  private static String mean(String mean, double deviation) {
    return "%s (%s)".formatted(mean, DescriptionTable.shown(deviation));
  }

  private static String median(TablesFound.ByGroup of, List<Double> quantiles) {
    return "%s [%s, %s]"
        .formatted(
            DescriptionTable.shown(of.type(), quantiles.get(MEDIAN)),
            DescriptionTable.shown(of.type(), quantiles.get(MEDIAN - 1)),
            DescriptionTable.shown(of.type(), quantiles.get(MEDIAN + 1)));
  }

  private static String difference(OptionalDouble value) {
    return value.isPresent() ? NumberText.text(value.getAsDouble(), 3) : "–";
  }

  private static String p(double value) {
    return value < 0.001 ? "<0.001" : "%.3f".formatted(value);
  }

  private static void addLevels(
      TextTable table, TablesFound.CrossTable one, List<String> groups, boolean two) {
    List<String> first = new ArrayList<>(List.of(one.columns()));
    groups.forEach(_ -> first.add(""));
    first.add("");
    first.add(
        IndependenceTest.of(one)
            .map(test -> p(test.corrected().orElse(test.pearson()).pValue()))
            .orElse("–"));
    if (two) {
      first.add(difference(GroupTest.standardizedDifference(one)));
    }
    table.add(first);
    for (int c = 0; c < one.columnLevels().size(); c++) {
      List<String> line = new ArrayList<>(List.of("  = " + one.columnLevels().get(c)));
      for (int r = 0; r < one.rowLevels().size(); r++) {
        line.add(counted(one, one.counts().get(r).get(c), one.inRow(r)));
      }
      line.add(counted(one, one.inColumn(c), one.n()));
      line.add("");
      if (two) {
        line.add("");
      }
      table.add(line);
    }
  }

  /** A count with its share, or what is known of it where cells are left out. */
  private static String counted(TablesFound.CrossTable table, long count, long of) {
    if (table.leftOut() > 0) {
      return count == 0 ? "–" : "≥" + count;
    }
    return of == 0 ? "0" : "%d (%.1f %%)".formatted(count, 100.0 * count / of);
  }

  private static void print(TablesFound.CrossTable one, PrintWriter out) {
    List<String> head = new ArrayList<>(List.of("%s / %s".formatted(one.rows(), one.columns())));
    head.addAll(one.columnLevels());
    head.add("all");
    TextTable table = new TextTable(head);
    for (int r = 0; r < one.rowLevels().size(); r++) {
      List<String> line = new ArrayList<>(List.of(one.rowLevels().get(r)));
      for (long count : one.counts().get(r)) {
        line.add(counted(one, count, one.inRow(r)));
      }
      line.add(counted(one, one.inRow(r), one.n()));
      table.add(line);
    }
    List<String> last = new ArrayList<>(List.of("all"));
    for (int c = 0; c < one.columnLevels().size(); c++) {
      last.add(counted(one, one.inColumn(c), one.n()));
    }
    last.add(one.leftOut() > 0 ? "≥" + one.n() : Long.toString(one.n()));
    table.add(last);
    out.println();
    table.print(out);
    IndependenceTest.of(one).ifPresent(test -> print(test, out));
  }

  private static void print(IndependenceTest test, PrintWriter out) {
    out.println();
    out.printf(
        "χ² = %s on %d df, p = %s%s%n",
        NumberText.text(test.pearson().statistic(), 5),
        test.pearson().freedom(),
        NumberText.text(test.pearson().pValue(), 4),
        test.corrected()
            .map(
                of ->
                    "; with continuity correction %s, p = %s"
                        .formatted(
                            NumberText.text(of.statistic(), 5), NumberText.text(of.pValue(), 4)))
            .orElse(""));
    out.println(
        test.exact()
            .map(TablesText::words)
            .orElse("Fisher's exact test: not computed; too many tables have the same margins"));
  }

  private static String words(ExactTest test) {
    return "Fisher's exact test: p = %s%s"
        .formatted(
            NumberText.text(test.pValue(), 4),
            test.odds()
                .map(
                    odds ->
                        "; odds ratio %s (95 %% interval %s to %s)"
                            .formatted(
                                NumberText.text(odds.ratio(), 5),
                                NumberText.text(odds.low(), 5),
                                NumberText.text(odds.high(), 5)))
                .orElse(""));
  }

  private static void print(TablesFound.Histogram one, PrintWriter out) {
    long most = one.counts().stream().mapToLong(n -> n).max().orElse(0);
    TextTable table =
        new TextTable(
            List.of(
                one.column() + one.group().map(group -> " of " + group).orElse(""), "rows", ""));
    for (int bin = 0; bin < one.counts().size(); bin++) {
      long count = one.counts().get(bin);
      table.add(
          List.of(
              "%s to %s"
                  .formatted(
                      NumberText.text(one.edges().get(bin), 5),
                      NumberText.text(one.edges().get(bin + 1), 5)),
              Long.toString(count),
              "%-40s".formatted("#".repeat(most == 0 ? 0 : (int) (WIDEST_BAR * count / most)))));
    }
    out.println();
    table.print(out);
  }

  private static void print(TablesFound.Correlations of, PrintWriter out) {
    List<String> head = new ArrayList<>(List.of("correlation"));
    head.addAll(of.columns());
    TextTable table = new TextTable(head);
    for (int i = 0; i < of.columns().size(); i++) {
      List<String> line = new ArrayList<>(List.of(of.columns().get(i)));
      of.values().get(i).forEach(value -> line.add(DescriptionTable.shown(value)));
      table.add(line);
    }
    out.println();
    table.print(out);
    out.printf("%nover %s%n", NumberText.count(of.n(), "row"));
  }
}
