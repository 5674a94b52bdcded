package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import ngd.core.NumberText;
import ngd.core.algorithm.Totals;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Levels;

/**
 * The table that opens every paper: what the variables look like over all sites together, and site
 * by site where the sites agree to that.
 *
 * <p>Everything comes from totals: counts and sums, then sums of squares around the pooled mean,
 * then histograms on a {@link QuantileGrid} that pooled mean and standard deviation fix. Single
 * values, the smallest and the largest, are reported only on request.
 */
public final class Description {
  /** The shares at which quantiles are given. */
  public static final List<Double> SHARES = List.of(0.05, 0.25, 0.5, 0.75, 0.95);

  /** Columns of more levels are not listed: they are names or identifiers. */
  static final int MOST_LEVELS = 100;

  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+([.][0-9]+)?");

  /** Stands for a quantile that is not told. */
  private static final double WITHHELD = -Double.MAX_VALUE;

  /** n, missing, mean, standard deviation and the quantiles. */
  private static final int NUMBERS = 4 + SHARES.size();

  /**
   * What is asked for.
   *
   * @param columns those to describe; all where empty
   * @param bySite whether each site's own numbers are reported too
   * @param extremes whether the smallest and the largest value are reported
   * @param tables what else is asked for; its columns are described too
   */
  public record Settings(
      List<String> columns, boolean bySite, boolean extremes, TablesAsked tables) {
    /** No column. */
    static final Settings NOTHING = new Settings(List.of(""), false, false);

    public Settings {
      SequencedSet<String> all = new LinkedHashSet<>(columns);
      if (!all.isEmpty()) {
        all.addAll(tables.columns());
      }
      columns = List.copyOf(all);
    }

    /** Columns by themselves. */
    public Settings(List<String> columns, boolean bySite, boolean extremes) {
      this(columns, bySite, extremes, TablesAsked.NONE);
    }

    boolean describes(String column) {
      return columns.isEmpty() || columns.contains(column);
    }

    /** The rows of a table that count. */
    public SiteTable counted(SiteTable table) {
      return tables.complete() ? new CompleteRows(table, columns) : table;
    }
  }

  private final Sites sites;
  private final Totals totals;
  private final Settings settings;
  private final Optional<DisclosureRules> rules;

  /** The strictest of all sites' rules: by it they come to the same words. */
  private final Optional<DisclosureRules> common;

  private final List<Column> columns;
  private final List<TableSums> sums;
  private final List<SiteTables> tables = new ArrayList<>();
  private final List<QuantileGrid> grids = new ArrayList<>();

  /** The counts of each column of numbers in the bins of its grid. */
  private final Map<String, double[]> counted = new LinkedHashMap<>();

  private final Map<String, List<String>> levelsOf = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private final ColumnAgreement agreement;

  private Description(
      Sites sites,
      Totals totals,
      Settings settings,
      Optional<DisclosureRules> rules,
      Withholding told) {
    this.rules = rules;
    this.sites = taken(sites, settings);
    this.totals = totals;
    this.settings = settings;
    common = rules.map(own -> strictest(own, totals, sites.tables().size()));
    agreement = new ColumnAgreement(this.sites, totals);
    columns = agreement.named(settings.columns());
    PooledTables.requireTypes(settings.tables(), columns, agreement.differing());
    List<TableSums> ofTables = new ArrayList<>();
    for (int t = 0; t < sites.tables().size(); t++) {
      SiteTables own =
          SiteTables.of(
              settings.counted(sites.tables().get(t)),
              settings,
              rules,
              told.columns(),
              Optional.empty());
      own.withhold(told.tables());
      tables.add(own);
      ofTables.add(new TableSums(this.sites.tables().get(t), columns, rules, told, own));
    }
    sums = ofTables;
  }

  /** The sites with the rows that count, and with levels where numbers are taken as such. */
  private static Sites taken(Sites sites, Settings settings) {
    Set<String> asLevels = settings.tables().asLevels();
    return new Sites(
        sites.names(),
        sites.first(),
        sites.tables().stream()
            .<SiteTable>map(table -> new LevelColumns(settings.counted(table), asLevels))
            .toList());
  }

  /** What holds at all sites together; each applies its own rules to its own rows. */
  private static DisclosureRules strictest(DisclosureRules own, Totals totals, int tables) {
    return new DisclosureRules(
        (int) most(totals, own.tab(), tables),
        (int) most(totals, own.subset(), tables),
        own.glm(),
        (int) -most(totals, -own.levelsMax(), tables),
        -most(totals, -own.levelsDensity(), tables),
        own.cells(),
        own.differencing());
  }

  private static double most(Totals totals, double own, int tables) {
    double[] here = new double[tables];
    Arrays.fill(here, own);
    return totals.max(here);
  }

  /** The summaries in the order of the columns, of all sites first, then site by site. */
  public static List<Summary> of(Sites sites, Totals totals, Settings settings) {
    return of(sites, totals, settings, _ -> {}, Optional.empty());
  }

  /**
   * The same under rules of the sites here: each lets out counts of none or enough rows alone, and
   * no single value. Nobody can subtract what is no part of a sum.
   *
   * @param notes takes what else a person should know: columns that some sites lack, and text at
   *     the sites here that is mostly numbers
   */
  public static List<Summary> of(
      Sites sites,
      Totals totals,
      Settings settings,
      Consumer<String> notes,
      Optional<DisclosureRules> rules) {
    Outcome found = of(sites, totals, settings, rules, Withholding.NONE);
    found.notes().forEach(notes);
    found.ownNotes().forEach(notes);
    return found.summaries();
  }

  /**
   * What comes of it.
   *
   * @param summaries in the order of the columns, of all sites first, then site by site
   * @param tables what else was asked for
   * @param notes what else a person should know, the same at every site
   * @param ownNotes what the sites here should know of their own tables
   * @param fewest the rows that a class must have where sites have rules; 0 where they have none
   */
  public record Outcome(
      List<Summary> summaries,
      TablesFound tables,
      List<String> notes,
      List<String> ownNotes,
      int fewest) {
    public Outcome {
      summaries = List.copyOf(summaries);
      notes = List.copyOf(notes);
      ownNotes = List.copyOf(ownNotes);
    }
  }

  /**
   * The same with all that comes of it.
   *
   * @param told what the sites here leave out, besides what their rules withhold
   */
  public static Outcome of(
      Sites sites,
      Totals totals,
      Settings settings,
      Optional<DisclosureRules> rules,
      Withholding told) {
    Description description = new Description(sites, totals, settings, rules, told);
    List<Summary> summaries = new ArrayList<>(description.ofNumbers());
    summaries.addAll(description.ofLevels());
    List<String> order = description.columns.stream().map(Column::name).toList();
    summaries.sort(Comparator.comparingInt(one -> order.indexOf(one.column())));
    TablesFound tables = description.tables();
    return new Outcome(
        summaries,
        tables,
        Stream.concat(description.agreement.notes().stream(), description.notes.stream()).toList(),
        description.sums.stream().flatMap(one -> one.notes().stream()).toList(),
        description.common.map(DisclosureRules::tab).orElse(0));
  }

  private TablesFound tables() {
    PooledTables pooled =
        new PooledTables(
            sites,
            totals,
            settings.tables(),
            columns,
            levelsOf,
            common.map(DisclosureRules::tab).orElse(0));
    TablesFound found = pooled.found(tables, sums, grids, counted, this::enough);
    notes.addAll(pooled.notes());
    return found;
  }

  private double[] total(Function<TableSums, double[]> ofTable) {
    return totals.total(sites.each(t -> ofTable.apply(sums.get(t))));
  }

  private static double[] doubles(long[] values) {
    return Arrays.stream(values).asDoubleStream().toArray();
  }

  private boolean isNumber(int column) {
    return columns.get(column).type().isNumeric();
  }

  private List<Summary> ofNumbers() {
    int count = columns.size();
    double[] n = total(one -> doubles(one.n));
    double[] missing = total(one -> doubles(one.missing));
    double[] mean = total(one -> one.sum);
    // Whether any is, not how many: that may be a single row.
    double[] fractional =
        total(one -> Arrays.stream(doubles(one.fractional)).map(Math::signum).toArray());
    for (int c = 0; c < count; c++) {
      mean[c] = n[c] == 0 ? 0 : mean[c] / n[c];
    }
    List<double[]> squares = sums.stream().map(one -> one.squares(mean)).toList();
    double[] pooled = totals.total(sites.each(squares::get));
    int[] from = new int[count];
    int length = 0;
    for (int c = 0; c < count; c++) {
      grids.add(new QuantileGrid(mean[c], deviation(pooled[c], n[c]), fractional[c] == 0));
      from[c] = length;
      length += isNumber(c) ? grids.get(c).bins() : 0;
    }
    int bins = length;
    sums.forEach(one -> one.countIn(grids));
    List<double[]> own = sums.stream().map(one -> one.histograms(grids, from, bins)).toList();
    double[] histograms = bins == 0 ? new double[0] : totals.total(sites.each(own::get));
    for (int c = 0; c < count; c++) {
      if (isNumber(c)) {
        counted.put(
            columns.get(c).name(),
            Arrays.copyOfRange(histograms, from[c], from[c] + grids.get(c).bins()));
      }
    }
    List<Summary> summaries = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      if (isNumber(c)) {
        summaries.add(
            new Summary.OfNumbers(
                columns.get(c).name(),
                columns.get(c).type(),
                Optional.empty(),
                (long) n[c],
                (long) missing[c],
                n[c] == 0 ? Double.NaN : mean[c],
                n[c] < 2 ? Double.NaN : deviation(pooled[c], n[c]),
                enough(quantiles(grids.get(c), histograms, from[c]), n[c]),
                grids.get(c).error(),
                extreme(c, n[c], false),
                extreme(c, n[c], true)));
      }
    }
    if (settings.bySite()) {
      summaries.addAll(numbersBySite(mean, squares, grids, own, from));
    }
    summaries.addAll(silent(n, missing));
    return summaries;
  }

  /** The columns of which some sites say nothing, by their rules. */
  private List<Summary> silent(double[] n, double[] missing) {
    List<Summary> summaries = new ArrayList<>();
    if (rules.isEmpty()) {
      return summaries;
    }
    double[] silent = total(one -> flags(one.withheld));
    double[] uncounted = total(one -> flags(one.uncounted));
    for (int c = 0; c < silent.length; c++) {
      if (uncounted[c] > 0) {
        notes.add(
            "column `%s`: its quantiles are without %s, which described other rows of it before, or in other bins"
                .formatted(columns.get(c).name(), NumberText.count((long) uncounted[c], "site")));
      }
      if (silent[c] > 0) {
        summaries.add(
            new Summary.Withheld(
                columns.get(c).name(),
                Optional.empty(),
                (long) n[c],
                (long) missing[c],
                "withheld by %d of %d sites: <%d rows there, or in a class of it"
                    .formatted((int) silent[c], sites.count(), common.orElseThrow().tab())));
      }
    }
    return summaries;
  }

  private static double[] flags(boolean[] values) {
    double[] flags = new double[values.length];
    Arrays.setAll(flags, i -> values[i] ? 1 : 0);
    return flags;
  }

  /** The quantiles that have enough rows on both sides. */
  private List<Double> enough(List<Double> quantiles, double n) {
    if (rules.isEmpty()) {
      return quantiles;
    }
    List<Double> shown = new ArrayList<>();
    for (int q = 0; q < quantiles.size(); q++) {
      double share = SHARES.get(q);
      double fewest = Math.min(share * n, (1 - share) * n);
      shown.add(fewest < common.orElseThrow().tab() ? Double.NaN : quantiles.get(q));
    }
    return shown;
  }

  private static double deviation(double squares, double n) {
    return n < 2 ? 0 : Math.sqrt(squares / (n - 1));
  }

  private static List<Double> quantiles(QuantileGrid grid, double[] histogram, int from) {
    return grid.quantiles(histogram, from, SHARES.stream().mapToDouble(s -> s).toArray());
  }

  private OptionalDouble extreme(int column, double n, boolean largest) {
    if (!settings.extremes() || rules.isPresent()) {
      return OptionalDouble.empty();
    }
    double[] own =
        sums.stream().mapToDouble(one -> largest ? one.most[column] : -one.least[column]).toArray();
    double found = totals.max(own);
    return n == 0 ? OptionalDouble.empty() : OptionalDouble.of(largest ? found : -found);
  }

  private List<Summary> numbersBySite(
      double[] mean,
      List<double[]> squares,
      List<QuantileGrid> grids,
      List<double[]> own,
      int[] from) {
    int count = columns.size();
    double[] pooled =
        totals.total(
            sites.sideBySide(
                count * NUMBERS,
                t -> {
                  double[] block = new double[count * NUMBERS];
                  for (int c = 0; c < count; c++) {
                    TableSums one = sums.get(t);
                    double n = one.n[c];
                    double ownMean = n == 0 ? 0 : one.sum[c] / n;
                    double ownSquares =
                        squares.get(t)[c] - n * (ownMean - mean[c]) * (ownMean - mean[c]);
                    block[c * NUMBERS] = n;
                    block[c * NUMBERS + 1] = one.missing[c];
                    block[c * NUMBERS + 2] = ownMean;
                    block[c * NUMBERS + 3] = deviation(Math.max(0, ownSquares), n);
                    for (int q = 0; n > 0 && isNumber(c) && q < SHARES.size(); q++) {
                      double quantile =
                          enough(quantiles(grids.get(c), own.get(t), from[c]), n).get(q);
                      // A total takes finite numbers; there is no such quantile.
                      block[c * NUMBERS + 4 + q] = Double.isNaN(quantile) ? WITHHELD : quantile;
                    }
                  }
                  return block;
                }));
    List<Summary> summaries = new ArrayList<>();
    for (int m = 0; m < sites.count(); m++) {
      for (int c = 0; c < count; c++) {
        if (!isNumber(c)) {
          continue;
        }
        int at = (m * count + c) * NUMBERS;
        double n = pooled[at];
        List<Double> quantiles = new ArrayList<>();
        for (int q = 0; q < SHARES.size(); q++) {
          double quantile = pooled[at + 4 + q];
          quantiles.add(n == 0 || quantile == WITHHELD ? Double.NaN : quantile);
        }
        summaries.add(
            new Summary.OfNumbers(
                columns.get(c).name(),
                columns.get(c).type(),
                Optional.of(sites.names().get(m)),
                (long) n,
                (long) pooled[at + 1],
                n == 0 ? Double.NaN : pooled[at + 2],
                n < 2 ? Double.NaN : pooled[at + 3],
                quantiles,
                grids.get(c).error(),
                OptionalDouble.empty(),
                OptionalDouble.empty()));
      }
    }
    return summaries;
  }

  private List<Summary> ofLevels() {
    double[] n = total(one -> doubles(one.n));
    double[] missing = total(one -> doubles(one.missing));
    double[] tooMany = total(one -> flags(one.tooMany));
    List<Integer> listed = new ArrayList<>();
    List<Summary> summaries = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      ColumnType type = columns.get(c).type();
      if ((type == ColumnType.TEXT || type == ColumnType.BOOLEAN) && tooMany[c] == 0) {
        listed.add(c);
      } else if (!isNumber(c)) {
        summaries.add(
            new Summary.Withheld(
                columns.get(c).name(),
                Optional.empty(),
                (long) n[c],
                (long) missing[c],
                type == ColumnType.TEXT
                    ? "more than %d levels%s"
                        .formatted(
                            common.map(DisclosureRules::levelsMax).orElse(MOST_LEVELS),
                            common
                                .map(own -> ", or than %s a row".formatted(own.levelsDensity()))
                                .orElse(""))
                    : "holds "
                        + agreement.differing().getOrDefault(columns.get(c).name(), type.words())));
      }
    }
    List<Integer> unstated = listed.stream().filter(c -> stated(c).isEmpty()).toList();
    List<List<String>> levels =
        WordAgreement.unions(
            unstated.stream().map(c -> columns.get(c).name()).toList(),
            sums.stream()
                .map(
                    one ->
                        unstated.stream().map(c -> Set.copyOf(one.levels.get(c).keySet())).toList())
                .toList(),
            totals);
    for (int c : listed) {
      List<String> of =
          stated(c).isEmpty() ? sorted(c, levels.get(unstated.indexOf(c))) : stated(c);
      levelsOf.put(columns.get(c).name(), of);
      summaries.addAll(counted(c, of, n, missing));
    }
    return summaries;
  }

  /** Levels in order; those that are numbers, where these are taken as levels, by size. */
  private List<String> sorted(int column, List<String> levels) {
    boolean numbers =
        settings.tables().asLevels().contains(columns.get(column).name())
            && levels.stream().allMatch(level -> NUMBER.matcher(level).matches());
    return Levels.sorted(numbers ? ColumnType.NUMBER : ColumnType.TEXT, levels);
  }

  /** The levels that were agreed on for a column. */
  private List<String> stated(int column) {
    return sites.tables().getFirst().levels(columns.get(column).name());
  }

  private List<Summary> counted(int column, List<String> levels, double[] n, double[] missing) {
    int width = levels.size() + 2;
    Function<Integer, double[]> own =
        t -> {
          double[] counts = new double[width];
          for (int l = 0; l < levels.size(); l++) {
            counts[l] = sums.get(t).levels.get(column).getOrDefault(levels.get(l), 0L);
          }
          counts[levels.size()] = sums.get(t).missing[column];
          counts[levels.size() + 1] = sums.get(t).merged[column];
          return counts;
        };
    double[] all = totals.total(sites.each(own));
    List<Summary> summaries = new ArrayList<>();
    summaries.add(
        new Summary.OfLevels(
            columns.get(column).name(),
            Optional.empty(),
            (long) n[column],
            (long) missing[column],
            counts(levels, all, 0),
            (long) all[levels.size() + 1]));
    if (settings.bySite()) {
      double[] pooled = totals.total(sites.sideBySide(width, own));
      for (int m = 0; m < sites.count(); m++) {
        SequencedMap<String, Long> counts = counts(levels, pooled, m * width);
        long withheld = (long) pooled[m * width + levels.size() + 1];
        summaries.add(
            new Summary.OfLevels(
                columns.get(column).name(),
                Optional.of(sites.names().get(m)),
                counts.values().stream().mapToLong(Long::longValue).sum() + withheld,
                (long) pooled[m * width + levels.size()],
                counts,
                withheld));
      }
    }
    return summaries;
  }

  private static SequencedMap<String, Long> counts(List<String> levels, double[] pooled, int from) {
    SequencedMap<String, Long> counts = new LinkedHashMap<>();
    for (int l = 0; l < levels.size(); l++) {
      counts.put(levels.get(l), (long) pooled[from + l]);
    }
    return counts;
  }
}
