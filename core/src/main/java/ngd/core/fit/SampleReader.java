package ngd.core.fit;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.data.Assignment;
import ngd.core.data.Cases;
import ngd.core.data.CsvSource;
import ngd.core.data.Partition;
import ngd.core.data.SimulatedRows;
import ngd.core.data.SiteTable;
import ngd.core.data.Table;
import ngd.core.data.TableAddress;
import ngd.core.model.Loss;
import ngd.core.model.ResponseRule;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.WeightingKeys;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a question, and lays them out at its clients. */
record SampleReader(
    Question question,
    Loss loss,
    Streams streams,
    FitSetup.TopologySource topologies,
    Problems problems) {
  /** The rows; null where something is wrong, and then the problems say what. */
  @Nullable Sample read() {
    if (question.says(DataKeys.SITE)) {
      return sites();
    }
    return question.says(ModelKeys.FORMULA) || (question.says(DataKeys.DATA) && needsEngine())
        ? cut()
        : numbers();
  }

  /** The plain reader of numbers knows CSV files alone. */
  private boolean needsEngine() {
    return question.says(DataKeys.QUERY)
        || question.says(DataKeys.NA)
        || question.says(DataKeys.MISSING)
        || question.says(DataKeys.DICTIONARY)
        || ModelKeys.ofClasses(question)
        || !question.get(DataKeys.DATA).toLowerCase(Locale.ROOT).matches(".*\\.(csv|txt)(\\.gz)?");
  }

  private TableSampling sampling() {
    return new TableSampling(
        ModelKeys.formulaOf(question, !question.get(ModelKeys.NO_INTERCEPT)),
        WeightingKeys.treatment(question),
        ModelKeys.wholeFormula(question, !question.get(ModelKeys.NO_INTERCEPT)),
        loss,
        question.get(DataKeys.MISSING),
        question.find(ModelKeys.TIMES),
        question.find(DataKeys.MEMORY).orElseGet(Memory::ofProcess));
  }

  /** Every site has its own table and is one client. */
  private @Nullable Sample sites() {
    List<TableAddress> addresses = Places.addresses(question, problems);
    TableSampling sampling = problems.collect(this::sampling);
    question
        .find(ClientKeys.CLIENTS)
        .ifPresent(
            count ->
                problems.require(
                    count == addresses.size(),
                    "--clients: must be %d or left out, one for each --site; got %d"
                        .formatted(addresses.size(), count)));
    if (sampling == null || problems.any()) {
      return null;
    }
    // A network that cannot be is found before any table is read.
    if (problems.collect(() -> topologies.of(addresses.size())) == null) {
      return null;
    }
    List<SiteTable> tables = Places.open(addresses, problems);
    if (tables == null) {
      return null;
    }
    try {
      return problems.collect(() -> sampling.ofSites(tables, topologies.of(tables.size())));
    } finally {
      tables.forEach(SiteTable::close);
    }
  }

  /** One table, cut among the clients. */
  private @Nullable Sample cut() {
    List<TableAddress> addresses = Places.addresses(question, problems);
    TableSampling sampling = problems.collect(this::sampling);
    if (sampling == null || problems.any()) {
      return null;
    }
    List<SiteTable> tables = Places.open(addresses, problems);
    if (tables == null) {
      return null;
    }
    try (SiteTable table = tables.getFirst()) {
      return problems.collect(
          () ->
              sampling.ofCut(
                  table,
                  question.get(ClientKeys.PARTITION),
                  FitSetup.clients(question),
                  question.get(ClientKeys.PLACEMENT),
                  streams,
                  topologies::of));
    }
  }

  /** A file of numbers, or simulated rows, cut among the clients. */
  private @Nullable Sample numbers() {
    if (question.says(ModelKeys.SIMULATE) && !question.says(ModelKeys.RANDOM_FEATURES)) {
      return problems.collect(
          () -> {
            SimulatedRows drawn =
                question.get(ModelKeys.SIMULATE).rows(question.get(ModelKeys.ROWS), streams);
            if (question.says(ModelKeys.LOSS)) {
              requireResponses(drawn);
            }
            return new Sample.OfModel(drawn, assign(drawn));
          });
    }
    Table table = problems.collect(this::table);
    if (table == null) {
      return null;
    }
    Table used =
        question
            .find(ModelKeys.RANDOM_FEATURES)
            .map(features -> problems.collect(() -> features.of(table, streams)))
            .orElse(table);
    if (used == null || problems.any()) {
      return null;
    }
    Assignment assignment = problems.collect(() -> assign(used));
    return assignment == null ? null : new Sample.OfTable(used, table.features(), assignment);
  }

  private Assignment assign(Cases cases) {
    return question
        .get(ClientKeys.PARTITION)
        .assign(cases, FitSetup.clients(question), question.get(ClientKeys.PLACEMENT), streams);
  }

  private Table table() {
    if (question.says(ModelKeys.SIMULATE)) {
      Table simulated =
          question.get(ModelKeys.SIMULATE).table(question.get(ModelKeys.ROWS), streams);
      if (question.says(ModelKeys.LOSS)) {
        requireResponses(simulated);
      }
      return simulated;
    }
    Optional<String> labels =
        question.get(ClientKeys.PARTITION) instanceof Partition.ByColumn column
            ? Optional.of(column.name())
            : Optional.empty();
    Table table =
        new CsvSource(
                Path.of(question.get(DataKeys.DATA)),
                question.get(ModelKeys.RESPONSE),
                question.find(ModelKeys.FEATURES).orElse(List.of()),
                !question.get(ModelKeys.NO_INTERCEPT),
                labels,
                DataKeys.format(question, "data", List.of("data")))
            .read();
    requireResponses(table);
    return table;
  }

  private void requireResponses(Table table) {
    if (loss instanceof ResponseRule rule) {
      rule.requireResponses(table);
    }
  }

  /** The same of rows that a model draws. */
  private void requireResponses(Cases drawn) {
    if (loss instanceof ResponseRule rule) {
      for (int row = 0; row < drawn.rows(); row++) {
        double y = drawn.y(row);
        rule.objection(y, 1)
            .ifPresent(
                objection -> {
                  throw new InvalidInput(
                      "simulate: %s; `%s` draws %s"
                          .formatted(
                              objection,
                              question.get(ModelKeys.SIMULATE).spec(),
                              NumberText.text(y)));
                });
      }
    }
  }
}
