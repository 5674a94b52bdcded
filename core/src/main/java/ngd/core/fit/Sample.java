package ngd.core.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.Memory;
import ngd.core.answer.ModelDescription;
import ngd.core.answer.RowsUsed;
import ngd.core.data.Assignment;
import ngd.core.data.RandomFeatures;
import ngd.core.data.Shards;
import ngd.core.data.SimulatedRows;
import ngd.core.data.Table;
import ngd.core.inference.TreatmentRows;
import ngd.core.model.TimeGrid;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.SiteRows;
import ngd.core.question.ClientKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;

/** The rows to learn from, cut among the clients. */
public sealed interface Sample {
  /** Where the rows came from, without secrets. */
  String source();

  /** The names of the coefficients. */
  List<String> features();

  /**
   * The names of the columns of the rows: as many as coefficients, unless classes have some each.
   */
  default List<String> columnNames() {
    return features();
  }

  long rows();

  /** The rows of each client. */
  int[] sizes();

  Shards shards();

  /** The fingerprint of the data. */
  String hash();

  /** The same rows under the model of a treatment, where they are weighted by one. */
  default Optional<TreatmentRows> treatment() {
    return Optional.empty();
  }

  /** The times at which risk sets are pooled, where they are. */
  default Optional<TimeGrid> grid() {
    return Optional.empty();
  }

  /** What a person should know of the rows, such as how many were left out. */
  List<String> notes();

  /** How many rows were used, and how many not for which reason. */
  RowsUsed rowsUsed();

  /** The model in words, as other tools and predictions read it. */
  ModelDescription describe(Question question);

  /**
   * A table of numbers that a partition cut.
   *
   * @param columns the features as they were read; others stand in the table where random ones
   *     replace them
   */
  record OfTable(Table table, List<String> columns, Assignment assignment) implements Sample {
    public OfTable {
      columns = List.copyOf(columns);
    }

    @Override
    public String source() {
      return table.source();
    }

    @Override
    public List<String> features() {
      return table.features();
    }

    @Override
    public long rows() {
      return table.rows();
    }

    @Override
    public int[] sizes() {
      return assignment.sizes();
    }

    @Override
    public Shards shards() {
      return assignment.shards(table);
    }

    @Override
    public String hash() {
      return table.hash();
    }

    @Override
    public List<String> notes() {
      return List.of();
    }

    @Override
    public RowsUsed rowsUsed() {
      return RowsUsed.all(table.rows());
    }

    @Override
    public ModelDescription describe(Question question) {
      return describe(table.isTimed(), table.responseName(), columns, table.features(), question);
    }

    private static ModelDescription describe(
        boolean timed,
        String response,
        List<String> columns,
        List<String> features,
        Question question) {
      Optional<RandomFeatures> random = question.find(ModelKeys.RANDOM_FEATURES);
      long seed = question.get(ClientKeys.SEED);
      return timed
          ? ModelDescription.ofTimes(columns, features, random, seed)
          : ModelDescription.of(response, columns, features, random, seed);
    }
  }

  /** Simulated rows that a partition cut. */
  record OfModel(SimulatedRows drawn, Assignment assignment) implements Sample {
    @Override
    public String source() {
      return drawn.source();
    }

    @Override
    public List<String> features() {
      return drawn.features();
    }

    @Override
    public long rows() {
      return drawn.rows();
    }

    @Override
    public int[] sizes() {
      return assignment.sizes();
    }

    @Override
    public Shards shards() {
      drawn.beginHash();
      return drawn.shards(assignment);
    }

    @Override
    public String hash() {
      return drawn.hash();
    }

    @Override
    public List<String> notes() {
      return List.of();
    }

    @Override
    public RowsUsed rowsUsed() {
      return RowsUsed.all(drawn.rows());
    }

    @Override
    public ModelDescription describe(Question question) {
      return OfTable.describe(
          drawn.isTimed(), drawn.responseName(), features(), features(), question);
    }
  }

  /**
   * A formula's rows at their sites.
   *
   * @param treatment the same rows under the treatment's model, where they are weighted by one
   * @param grid the times at which risk sets are pooled, where they are
   * @param counted where rows were left out: each site, or the one table that was cut into sites
   */
  record OfSites(
      String source,
      Preparation prepared,
      Shards shards,
      Optional<TreatmentRows> treatment,
      Optional<TimeGrid> grid,
      List<SiteRows> counted)
      implements Sample {
    @Override
    public List<String> features() {
      return prepared.design().coefficients();
    }

    @Override
    public List<String> columnNames() {
      return prepared.design().columns();
    }

    @Override
    public long rows() {
      return shards.totalRows();
    }

    @Override
    public int[] sizes() {
      return shards.rowsArray().clone();
    }

    @Override
    public String hash() {
      return TreatmentRows.hash(features(), shards, treatment);
    }

    @Override
    public List<String> notes() {
      List<String> notes = new ArrayList<>(rowsUsed().notes());
      shards.passes(Memory.folder()).ifPresent(notes::add);
      prepared
          .objections()
          .forEach(why -> notes.add("warning: a real site would refuse this question: " + why));
      return notes;
    }

    @Override
    public RowsUsed rowsUsed() {
      long dropped = counted.stream().mapToLong(SiteRows::dropped).sum();
      return new RowsUsed(rows(), dropped, counted, prepared.notes());
    }

    @Override
    public ModelDescription describe(Question question) {
      return ModelDescription.of(prepared.design());
    }
  }
}
