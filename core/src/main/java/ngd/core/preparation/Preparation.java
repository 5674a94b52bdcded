package ngd.core.preparation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.NumberText;
import ngd.core.SideBySide;
import ngd.core.algorithm.Totals;
import ngd.core.data.MemoryTable;
import ngd.core.data.NumericText;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.formula.Basis;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Design;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import ngd.core.formula.Frame;
import ngd.core.formula.RiskTime;
import ngd.core.formula.RowSink;
import ngd.core.formula.RowValues;
import ngd.core.formula.Variable;
import ngd.core.model.Cox;
import ngd.core.model.EventCounts;
import ngd.core.model.OwnRiskSets;
import ngd.core.model.ResponseRule;
import ngd.core.model.TimeGrid;
import org.jspecify.annotations.Nullable;

/**
 * A formula prepared for the tables of a federation: all sites have the columns, agree on the
 * levels of every factor, and have rows.
 *
 * <p>Every site makes the same calls of the totals in the same order, and every refusal is drawn
 * from totals, so that all sites come to the same end.
 */
public final class Preparation {
  private final Sites sites;
  private final Design design;
  private final Frame complete;
  private final Map<Variable, List<String>> levels;
  private final Map<Variable, Basis> bases;
  private final List<SiteRows> rows;
  private final long totalRows;
  private final long totalDropped;
  private final List<String> notes;
  private final Disclosure disclosure;

  private Preparation(
      Sites sites,
      Design design,
      Frame complete,
      Map<Variable, List<String>> levels,
      Map<Variable, Basis> bases,
      List<SiteRows> rows,
      long totalRows,
      long totalDropped,
      List<String> notes,
      Disclosure disclosure) {
    this.sites = sites;
    this.design = design;
    this.complete = complete;
    this.levels = levels;
    this.bases = bases;
    this.rows = rows;
    this.totalRows = totalRows;
    this.totalDropped = totalDropped;
    this.notes = List.copyOf(notes);
    this.disclosure = disclosure;
  }

  /** Of sites without rules of their own. */
  public static Preparation of(Formula formula, Sites sites, Totals totals, Missing missing) {
    return of(formula, sites, totals, missing, Disclosure.NONE);
  }

  /**
   * Reads every table here once, and agrees with the other sites.
   *
   * @param disclosure the rules of the sites here; asked before anything else is said
   * @throws DisclosureRefusal if some site refuses
   */
  public static Preparation of(
      Formula formula, Sites sites, Totals totals, Missing missing, Disclosure disclosure) {
    disclosure.askFirst(sites, totals);
    List<String> notes = new ArrayList<>();
    Frame frame = frame(formula, sites, totals, notes);
    disclosure.requireChecked();
    List<FrameScan> scans = SideBySide.each(sites.tables(), t -> FrameScan.of(frame, t));
    List<SiteRows> rows = scans.stream().map(FrameScan::rows).toList();
    long[] counts = agreeOnRows(sites, totals, rows, missing);
    Map<Variable, List<String>> levels = StatedLevels.of(frame, sites, totals, scans);
    List<Variable> factors = frame.factors().stream().filter(f -> !levels.containsKey(f)).toList();
    List<Integer> places = factors.stream().map(frame.factors()::indexOf).toList();
    List<List<String>> unions;
    try {
      unions =
          WordAgreement.unions(
              factors.stream().map(Variable::text).toList(),
              scans.stream().map(scan -> places.stream().map(scan.levels()::get).toList()).toList(),
              totals);
    } catch (InvalidInput e) {
      throw withNotes(e, rows.stream().flatMap(site -> site.notes().stream()).toList());
    }
    for (int f = 0; f < factors.size(); f++) {
      levels.put(factors.get(f), frame.sorted(factors.get(f), unions.get(f)));
    }
    Map<Variable, Basis> bases = bases(frame, sites, totals, scans, disclosure);
    Design design = Design.of(frame, levels, bases, sites.names());
    disclosure.askAgain(sites, totals, counts[0], design);
    return new Preparation(
        sites, design, frame, levels, bases, rows, counts[0], counts[1], notes, disclosure);
  }

  /**
   * The same rows under a formula that is a part of the one that was prepared ({@link
   * Formula#with}): a row counts where the whole is complete.
   */
  public Preparation under(Formula part) {
    Frame frame = Frame.of(part, complete.columns());
    return new Preparation(
        sites,
        Design.of(frame, levels, bases, sites.names()),
        complete,
        levels,
        bases,
        rows,
        totalRows,
        totalDropped,
        notes,
        disclosure);
  }

  private static Map<Variable, Basis> bases(
      Frame frame, Sites sites, Totals totals, List<FrameScan> scans, Disclosure disclosure) {
    List<Variable> variables = frame.bases();
    if (variables.isEmpty()) {
      return Map.of();
    }
    int fewest =
        (int) totals.max(sites.tables().stream().mapToDouble(_ -> disclosure.fewest()).toArray());
    List<List<double[]>> values = new ArrayList<>();
    for (int v = 0; v < variables.size(); v++) {
      int variable = v;
      values.add(scans.stream().map(scan -> scan.values().get(variable)).toList());
    }
    return new BasisAgreement(sites, totals, fewest).of(variables, values);
  }

  /** The formula over the columns that all sites have: what each table will be asked for. */
  public static Frame frame(Formula formula, Sites sites, Totals totals) {
    return frame(formula, sites, totals, new ArrayList<>());
  }

  private static Frame frame(Formula formula, Sites sites, Totals totals, List<String> notes) {
    try {
      ColumnAgreement agreement = new ColumnAgreement(sites, totals);
      List<Column> columns = agreement.of(formula);
      notes.addAll(agreement.notes());
      return Frame.of(formula, columns);
    } catch (InvalidInput e) {
      throw withNotes(e, sites.tables().stream().flatMap(t -> texts(formula, t)).toList());
    }
  }

  /** A refusal may come from a column of numbers that is text at a site here: then that is said. */
  private static InvalidInput withNotes(InvalidInput e, List<String> notes) {
    return notes.isEmpty()
        ? e
        : new InvalidInput(e.getMessage() + "\n" + String.join("\n", notes), e);
  }

  private static Stream<String> texts(Formula formula, SiteTable table) {
    List<String> names =
        table.columns().stream()
            .filter(column -> column.type() == ColumnType.TEXT)
            .map(Column::name)
            .filter(name -> formula.takesAllOthers() || formula.columns().contains(name))
            .toList();
    // Of a table in memory only what the formula asks for is there.
    return table instanceof MemoryTable ? Stream.of() : NumericText.warnings(table, names).stream();
  }

  /** The complete and dropped rows of all sites together, where no site refuses. */
  private static long[] agreeOnRows(
      Sites sites, Totals totals, List<SiteRows> rows, Missing missing) {
    double[] counts =
        totals.total(sites.each(t -> new double[] {rows.get(t).complete(), rows.get(t).dropped()}));
    double[] verdicts =
        totals.total(
            sites.sideBySide(
                2,
                t ->
                    new double[] {
                      missing == Missing.FAIL && rows.get(t).dropped() > 0 ? 1 : 0,
                      rows.get(t).complete() == 0 ? 1 : 0
                    }));
    List<String> problems = new ArrayList<>();
    for (int m = 0; m < sites.count(); m++) {
      int table = m - sites.first();
      boolean here = table >= 0 && table < rows.size();
      if (verdicts[2 * m] > 0) {
        problems.add(
            "site %s: rows must be complete (--missing fail)%s"
                .formatted(
                    sites.names().get(m), here ? "; missing: " + rows.get(table).counted() : ""));
      } else if (verdicts[2 * m + 1] > 0) {
        problems.add(
            "site %s: must have at least one complete row%s"
                .formatted(
                    sites.names().get(m),
                    here
                        ? "; of %d none is%s"
                            .formatted(rows.get(table).dropped(), why(rows.get(table)))
                        : ""));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidInput(String.join("\n", problems));
    }
    return Arrays.stream(counts).mapToLong(total -> (long) total).toArray();
  }

  private static String why(SiteRows rows) {
    return rows.missing().isEmpty() ? "" : "; missing: " + rows.counted();
  }

  public Design design() {
    return design;
  }

  public Sites sites() {
    return sites;
  }

  /** The rows of the sites whose tables are here. */
  public List<SiteRows> rows() {
    return rows;
  }

  /** Which columns a dot leaves out because they differ between sites; the same at every site. */
  public List<String> notes() {
    return notes;
  }

  /** N, the complete rows of all sites. */
  public long totalRows() {
    return totalRows;
  }

  /** The rows of all sites in which something was missing. */
  public long totalDropped() {
    return totalDropped;
  }

  /** What the sites here object to by their own rules, where that is reported and not refused. */
  public List<String> objections() {
    return disclosure.objections();
  }

  /**
   * The times at which the sites of a survival formula pool their rows.
   *
   * @param shards of the tables here
   * @param given those that are asked for; else the sites find some that none objects to
   * @throws DisclosureRefusal if some site refuses those that are asked for
   */
  public TimeGrid timeGrid(Shards shards, Totals totals, Optional<List<Double>> given) {
    return TimeGridAgreement.of(sites, totals, shards, design.strata(), given, disclosure);
  }

  /** Refuses a response that a model does not allow, naming its row; curves allow causes. */
  public void requireResponses(ResponseRule model, Shards shards) {
    ResponseRule rule =
        design.frame().formula().asksForCurves() ? (y, _) -> EventCounts.objection(y) : model;
    for (int m = 0; m < shards.clients(); m++) {
      String site = sites.tables().get(m).site();
      shards.forEach(m, (block, first) -> requireResponses(rule, block, site, first));
    }
  }

  private void requireResponses(ResponseRule rule, Shard block, String site, int first) {
    for (int i = 0; i < block.rows(); i++) {
      Optional<String> objection = rule.objection(block.y(i), block.weight(i));
      if (objection.isPresent()) {
        throw new InvalidInput(
            "site %s, complete row %d, `%s`: %s; got %s"
                .formatted(
                    site,
                    first + i + 1,
                    design.frame().formula().responseText(),
                    objection.get(),
                    NumberText.plain(block.y(i))));
      }
    }
  }

  /** The rows of the tables here with their gaps, which are to be imputed. */
  public List<IncompleteRows> incomplete() {
    Design whole = Design.of(complete, levels, bases, sites.names());
    return IntStream.range(0, rows.size())
        .mapToObj(t -> IncompleteRows.of(whole, sites.tables().get(t), sites.number(t), size(t)))
        .toList();
  }

  /**
   * Reads the complete rows of the tables here into a shard each: the second pass. Where gaps are
   * to be imputed all rows are read, with something in their place.
   */
  public Shards shards() {
    if (complete.formula().isImputed()) {
      List<IncompleteRows> own = incomplete();
      return IncompleteRows.shards(
          design, own, own.stream().map(IncompleteRows::standIns).toList());
    }
    return filled(Shards.sized(design.columns().size(), sizes()));
  }

  /**
   * The same, in a file where they do not fit memory.
   *
   * @param folder where the file is
   * @throws InvalidInput where they do not fit, and the formula needs all rows of a site at once
   */
  public Shards shards(Memory memory, Path folder) {
    if (fit(memory)) {
      return shards();
    }
    Formula formula = design.frame().formula();
    if (!formula.random().isEmpty()) {
      throw tooMany(memory, "(…|group)", "a model with random terms");
    }
    if (complete.formula().isImputed()) {
      throw tooMany(memory, "impute", "a model whose gaps are imputed");
    }
    Shards filed = filled(Shards.filed(design.columns().size(), sizes(), folder));
    if (formula.survival().isPresent() && design.frame().stratifiedBySite()) {
      requireFewTimes(memory, filed);
    }
    return filed;
  }

  private void requireFewTimes(Memory memory, Shards filed) {
    if (!IntStream.range(0, filed.clients()).allMatch(m -> OwnRiskSets.areInBlocks(filed, m))) {
      filed.close();
      throw tooMany(
          memory, "strata(site)", "a survival model within sites, with events at so many times,");
    }
  }

  /** The same where rows are weighted by the probability of a treatment: they must fit memory. */
  public Shards treatedShards(Memory memory) {
    if (!fit(memory)) {
      throw tooMany(memory, "treatment", "a model with weights of a treatment");
    }
    return shards();
  }

  private boolean fit(Memory memory) {
    return memory.holds(
        Shards.numbers(Arrays.stream(sizes()).asLongStream().sum(), design.columns().size()));
  }

  private InvalidInput tooMany(Memory memory, String what, String model) {
    return new InvalidInput(
        "`%s`: the rows of %s need all to be in memory, and %d do not fit %s; allow more (--memory; at a peer, memory in its site.yaml)"
            .formatted(what, model, Arrays.stream(sizes()).asLongStream().sum(), memory.word()));
  }

  private int[] sizes() {
    return IntStream.range(0, rows.size()).map(this::size).toArray();
  }

  private Shards filled(Shards.Filler filler) {
    int[] sizes = sizes();
    List<Integer> tables = IntStream.range(0, sizes.length).boxed().toList();
    if (filler.inOrder()) {
      tables.forEach(t -> fill(t, sizes[t], filler));
    } else {
      SideBySide.each(tables, t -> fill(t, sizes[t], filler));
    }
    return filler.done();
  }

  /** Reads the rows of one table, of which there must be as many as before. */
  private int fill(int client, int size, Shards.Filler filler) {
    int[] next = new int[1];
    read(
        client,
        (x, y, offset, weight, times, random) -> {
          if (next[0] == size) {
            throw changed(client);
          }
          if (times != null) {
            requireTimes(client, next[0], times);
            filler.put(client, next[0], times);
          }
          if (random != null) {
            filler.put(client, next[0], random);
          }
          filler.put(client, next[0]++, x, y, offset, weight);
        });
    if (next[0] < size) {
      throw changed(client);
    }
    return next[0];
  }

  private void requireTimes(int table, int row, RiskTime time) {
    Cox.timeObjection(time.start(), time.stop())
        .ifPresent(
            objection -> {
              throw new InvalidInput(
                  "site %s, complete row %d, `%s`: %s"
                      .formatted(
                          rows.get(table).site(),
                          row + 1,
                          design.frame().formula().responseText(),
                          objection));
            });
  }

  private int size(int table) {
    long complete = rows.get(table).complete();
    if (complete > Integer.MAX_VALUE) {
      throw new InvalidInput(
          "site %s: at most 2^31 rows fit one process; got %d"
              .formatted(rows.get(table).site(), complete));
    }
    return (int) complete;
  }

  private InvalidInput changed(int table) {
    return new InvalidInput(
        "site %s: must not change while it is read; %s had %d complete rows at first and then others"
            .formatted(
                rows.get(table).site(),
                sites.tables().get(table).source(),
                rows.get(table).complete()));
  }

  /** Hands over the complete rows of one table here as rows of the design matrix. */
  public void read(int table, RowSink sink) {
    SiteTable from = sites.tables().get(table);
    Frame frame = design.frame();
    List<Expression> asked = new ArrayList<>(frame.scanned());
    int own = asked.size();
    if (!frame.equals(complete)) {
      asked.addAll(complete.scanned());
    }
    int count = complete.scanned().size();
    double[] x = new double[design.columns().size()];
    boolean timed = frame.formula().survival().isPresent();
    boolean grouped = !frame.formula().random().isEmpty();
    try {
      from.scan(
          asked,
          row -> {
            if (complete.isComplete(frame.equals(complete) ? row : new After(row, own), count)) {
              design.expand(row, sites.number(table), x);
              sink.row(
                  x,
                  design.response(row),
                  frame.offset(row),
                  frame.weight(row),
                  timed
                      ? new RiskTime(
                          frame.start(row),
                          frame.stop(row),
                          design.stratum(row, sites.number(table)))
                      : null,
                  grouped ? design.random(row, sites.number(table)) : null);
            }
          });
    } catch (InvalidInput e) {
      throw e.getMessage().startsWith("site ")
          ? e
          : new InvalidInput("site %s: %s".formatted(from.site(), e.getMessage()), e);
    }
  }

  /** What a row has after its first values. */
  private record After(RowValues row, int first) implements RowValues {
    @Override
    public double number(int expression) {
      return row.number(first + expression);
    }

    @Override
    public @Nullable String text(int expression) {
      return row.text(first + expression);
    }
  }
}
