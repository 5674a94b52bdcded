package ngd.core.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.algorithm.Totals;
import ngd.core.data.Assignment;
import ngd.core.data.Cases;
import ngd.core.data.HeldTable;
import ngd.core.data.Labels;
import ngd.core.data.MemoryTable;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import ngd.core.formula.Column;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import ngd.core.formula.Frame;
import ngd.core.inference.TreatmentRows;
import ngd.core.model.Cox;
import ngd.core.model.Logistic;
import ngd.core.model.Loss;
import ngd.core.model.ResponseRule;
import ngd.core.model.TimeGrid;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.preparation.Disclosure;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.SiteRows;
import ngd.core.preparation.Sites;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;

/**
 * A formula's rows from tables: those of the sites, or one table that a partition cuts.
 *
 * @param outcome the formula of the model that is asked for
 * @param treatment that of the treatment by whose probability rows are weighted, where they are
 * @param formula all that is read: both of them
 * @param times at which risk sets are pooled, where they were asked for
 * @param memory how much of the rows may be in memory
 */
record TableSampling(
    Formula outcome,
    Optional<Formula> treatment,
    Formula formula,
    Loss loss,
    Missing missing,
    Optional<List<Double>> times,
    Memory memory) {

  /** Every table is a site, and is read once, or in passes where it is larger than memory. */
  Sample ofSites(List<SiteTable> places, Topology topology) {
    Memory each = memory.shared(places.size());
    List<SiteTable> tables = places.stream().map(table -> HeldTable.over(table, each)).toList();
    Places.requireFit(tables, columns());
    Preparation prepared =
        Preparation.of(
            formula,
            Sites.all(tables),
            totals(topology),
            missing,
            Disclosure.warning(formula, tables, DisclosureRules.STANDARD));
    String source =
        tables.stream()
            .map(table -> "%s (%s)".formatted(table.site(), table.source()))
            .collect(Collectors.joining(", "));
    return sample(source, prepared, totals(topology), prepared.rows());
  }

  /**
   * One table, whose complete rows are cut among the clients.
   *
   * @param topology who hears whom, once the number of clients is known
   */
  Sample ofCut(
      SiteTable table,
      Partition partition,
      OptionalInt clients,
      Placement placement,
      Streams streams,
      Function<Integer, Topology> topology) {
    Places.requireFit(List.of(table), columns());
    Totals alone = totals(new Topology.Complete(1));
    Optional<String> label =
        partition instanceof Partition.ByColumn column
            ? Optional.of(column.name())
            : Optional.empty();
    boolean hidden = label.filter(Frame.SITE::equals).isPresent() && formula.stratifiedBySite();
    UnaryOperator<SiteTable> seen = one -> hidden ? withoutSite(one) : one;
    Frame frame = Preparation.frame(formula, Sites.all(List.of(seen.apply(table))), alone);
    List<Expression> held = new ArrayList<>(frame.scanned());
    label.ifPresent(name -> held.add(labelColumn(table, name)));
    MemoryTable memory = MemoryTable.of(table, held);
    Preparation whole =
        Preparation.of(formula, Sites.all(List.of(seen.apply(memory))), alone, missing);
    MemoryTable complete = memory.complete(frame);
    Cases cases = complete.cases(formula.response(), label);
    Assignment assignment = partition.assign(cases, clients, placement, streams);
    Sites sites =
        Sites.all(parts(complete, assignment, cases.labels()).stream().map(seen).toList());
    Totals among = totals(topology.apply(assignment.clients()));
    Preparation prepared = Preparation.of(formula, sites, among, Missing.DROP);
    SiteRows rows = whole.rows().getFirst();
    return sample(
        table.source(),
        prepared,
        among,
        List.of(
            new SiteRows(
                table.source(), rows.complete(), rows.dropped(), rows.missing(), rows.notes())));
  }

  /** The rows, with times on a grid where risk sets are pooled. */
  private Sample sample(String source, Preparation whole, Totals totals, List<SiteRows> counted) {
    boolean imputed = formula.isImputed();
    Preparation prepared = treatment.isPresent() || imputed ? whole.under(outcome) : whole;
    Shards shards =
        treatment.isPresent()
            ? prepared.treatedShards(memory)
            : prepared.shards(memory, Memory.folder());
    if (!imputed && loss instanceof ResponseRule rule) {
      prepared.requireResponses(rule, shards);
    }
    if (!(loss instanceof Cox) || prepared.design().frame().stratifiedBySite()) {
      return new Sample.OfSites(
          source,
          prepared,
          shards,
          treatment.map(of -> treated(whole, of)),
          Optional.empty(),
          counted);
    }
    TimeGrid grid = prepared.timeGrid(shards, totals, times);
    return new Sample.OfSites(
        source, prepared, grid.of(shards), Optional.empty(), Optional.of(grid), counted);
  }

  private static TreatmentRows treated(Preparation whole, Formula treatment) {
    Preparation prepared = whole.under(treatment);
    Shards shards = prepared.shards();
    prepared.requireResponses(new Logistic(), shards);
    return new TreatmentRows(prepared.design().columns(), shards);
  }

  /** A table whose column {@code site} made its rows a site, and is that site in a formula. */
  private static SiteTable withoutSite(SiteTable table) {
    return new TableOver(table) {
      @Override
      public List<Column> columns() {
        return table.columns().stream()
            .filter(column -> !column.name().equals(Frame.SITE))
            .toList();
      }
    };
  }

  /** The columns that matter; none where all do. */
  private Collection<String> columns() {
    return formula.takesAllOthers() ? List.of() : formula.columns();
  }

  private static Expression labelColumn(SiteTable table, String name) {
    if (table.columns().stream().noneMatch(column -> column.name().equals(name))) {
      throw new InvalidInput(
          "partition column:%s: %s has no such column; there are: %s"
              .formatted(
                  name,
                  table.source(),
                  table.columns().stream().map(c -> c.name()).collect(Collectors.joining(", "))));
    }
    return new Expression.Name(name);
  }

  /** Each client's rows, named by the value that made it a client, else by its number. */
  private static List<MemoryTable> parts(
      MemoryTable table, Assignment assignment, Optional<Labels> labels) {
    int[] sizes = assignment.sizes();
    int[][] rows = new int[sizes.length][];
    Arrays.setAll(rows, m -> new int[sizes[m]]);
    int[] next = new int[sizes.length];
    for (int row = 0; row < assignment.rows(); row++) {
      int client = assignment.client(row);
      rows[client][next[client]++] = row;
    }
    List<MemoryTable> parts = new ArrayList<>();
    for (int m = 0; m < rows.length; m++) {
      int first = rows[m][0];
      String name =
          labels.map(found -> found.values().get(found.code(first))).orElse(Integer.toString(m));
      parts.add(table.part(name, rows[m]));
    }
    return parts;
  }

  private static Totals totals(Topology topology) {
    return Simulation.exchange(NetworkSchedule.of(topology, Weights.standard(topology)));
  }
}
