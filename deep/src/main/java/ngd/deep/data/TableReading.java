package ngd.deep.data;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.data.Labels;
import ngd.core.data.MemoryTable;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.Design;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import ngd.core.formula.Frame;
import ngd.core.formula.Levels;
import ngd.core.formula.Variable;
import ngd.core.preparation.Missing;
import ngd.core.preparation.SiteRows;
import ngd.core.training.TrainingData;

/**
 * A table's complete rows as samples: numbers and factors as {@code fit} codes them, without the
 * intercept, and the levels of the response as classes.
 */
record TableReading(String source, Frame frame, MemoryTable rows, Optional<Labels> clients) {
  private static final int MOST_CLASSES = 1000;

  /** More is no classification but an identifier; as in a fit. */
  private static final int MOST_LEVELS = 2000;

  /**
   * Every fifth row validates, the others are learned from.
   *
   * @param clientColumn the column that names each row's client, where a partition asks for one
   * @param warning receives how many rows were left out
   */
  static DataSet read(
      TrainingData.TableRows asked, Optional<String> clientColumn, Consumer<String> warning) {
    Formula formula = asked.formula();
    if (!formula.offsets().isEmpty() || formula.weights().isPresent()) {
      throw new InvalidInput(
          "formula: offset() and weights() do not work with neural networks; got `%s`"
              .formatted(formula));
    }
    Frame frame;
    MemoryTable all;
    String source;
    try (SiteTable table = asked.address().open()) {
      source = table.source();
      frame = frame(formula, table);
      List<Expression> held = new ArrayList<>(frame.scanned());
      clientColumn.ifPresent(name -> held.add(clientColumn(name, table)));
      all = MemoryTable.of(table, held);
    }
    MemoryTable complete = all.complete(frame);
    tellDropped(counted(all, complete, frame), asked.missing(), warning);
    Optional<Labels> clients =
        clientColumn.isEmpty()
            ? Optional.empty()
            : complete.cases(formula.response(), clientColumn).labels();
    return new TableReading(source, frame, complete, clients).samples();
  }

  private static Frame frame(Formula formula, SiteTable table) {
    List<String> known = names(table);
    for (String name : formula.columns()) {
      if (!known.contains(name)) {
        throw formula.refusal(
            name,
            "%s has no column %s%s; there are: %s"
                .formatted(
                    table.source(),
                    Expression.quoted(name),
                    NearestName.hint(name, known),
                    String.join(", ", known.stream().map(Expression::quoted).toList())));
      }
    }
    List<Column> columns =
        table.columns().stream()
            .filter(c -> formula.takesAllOthers() || formula.columns().contains(c.name()))
            .toList();
    return Frame.ofClasses(formula, columns);
  }

  private static List<String> names(SiteTable table) {
    return table.columns().stream().map(Column::name).toList();
  }

  private static Expression clientColumn(String name, SiteTable table) {
    if (!names(table).contains(name)) {
      throw new InvalidInput(
          "partition column:%s: %s has no such column%s; there are: %s"
              .formatted(
                  name,
                  table.source(),
                  NearestName.hint(name, names(table)),
                  String.join(", ", names(table))));
    }
    return new Expression.Name(name);
  }

  private static SiteRows counted(MemoryTable all, MemoryTable complete, Frame frame) {
    Map<String, Long> missing = new LinkedHashMap<>();
    all.scan(
        frame.scanned(),
        row -> {
          for (int i = 0; i < frame.scanned().size(); i++) {
            if (frame.isMissing(row, i)) {
              missing.merge(frame.scanned().get(i).text(), 1L, Long::sum);
            }
          }
        });
    return new SiteRows(
        all.source(), complete.rows(), all.rows() - (long) complete.rows(), missing);
  }

  private static void tellDropped(SiteRows rows, Missing missing, Consumer<String> warning) {
    if (rows.dropped() == 0) {
      return;
    }
    if (missing == Missing.FAIL) {
      throw new InvalidInput(
          "%s: rows must be complete (--missing fail); missing: %s"
              .formatted(rows.site(), rows.counted()));
    }
    warning.accept(
        "%s: %d of %d rows dropped; missing: %s"
            .formatted(
                rows.site(), rows.dropped(), rows.complete() + rows.dropped(), rows.counted()));
  }

  private DataSet samples() {
    Map<Variable, Set<String>> seen = new LinkedHashMap<>();
    frame.factors().forEach(factor -> seen.put(factor, new TreeSet<>()));
    Set<String> responses = new TreeSet<>();
    rows.scan(
        frame.scanned(),
        row -> {
          responses.add(frame.responseLevel(row));
          seen.forEach((factor, levels) -> levels.add(frame.level(factor, row)));
        });
    requireCounts(responses, seen);
    List<String> classes = Levels.sorted(frame.responseType(), responses);
    Map<Variable, List<String>> levels = new HashMap<>();
    seen.forEach((factor, own) -> levels.put(factor, frame.sorted(factor, own)));
    Design design = Design.of(frame, levels, Map.of(), List.of(rows.site()));
    int[] columns =
        IntStream.range(0, design.coefficients().size())
            .filter(j -> !design.coefficients().get(j).equals(Design.INTERCEPT))
            .toArray();
    if (columns.length == 0) {
      throw new InvalidInput(
          "formula: a network needs at least one column to learn from; `%s` gives none"
              .formatted(frame.formula()));
    }
    Map<String, Integer> codes = new HashMap<>();
    classes.forEach(name -> codes.put(name, codes.size()));
    double[][] x = new double[rows.rows()][columns.length];
    int[] y = new int[rows.rows()];
    double[] row = new double[design.coefficients().size()];
    int[] next = new int[1];
    rows.scan(
        frame.scanned(),
        values -> {
          design.expand(values, 0, row);
          int i = next[0]++;
          for (int j = 0; j < columns.length; j++) {
            x[i][j] = row[columns[j]];
          }
          y[i] = codes.get(frame.responseLevel(values));
        });
    List<String> names = IntStream.of(columns).mapToObj(design.coefficients()::get).toList();
    return TableSamples.of(new TableSamples.Names(source, names, classes), x, y, clients);
  }

  private void requireCounts(Set<String> classes, Map<Variable, Set<String>> levels) {
    if (classes.size() < 2 || classes.size() > MOST_CLASSES) {
      throw new InvalidInput(
          "%s: the response %s must have 2 to %d distinct values, one per class; got %d"
              .formatted(source, frame.formula().response().text(), MOST_CLASSES, classes.size()));
    }
    levels.forEach(
        (factor, own) -> {
          if (own.size() > MOST_LEVELS) {
            throw new InvalidInput(
                "%s: %s must have at most %d distinct values to be a factor; it has %d (exclude identifiers with --features)"
                    .formatted(source, factor.text(), MOST_LEVELS, own.size()));
          }
        });
  }
}
