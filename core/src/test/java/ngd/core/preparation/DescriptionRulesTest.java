package ngd.core.preparation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Totals;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What sites say under their rules for a description. Oracle: an attacker who hears every term. */
class DescriptionRulesTest {
  private static final List<String> NAMES = List.of("job", "smoker", "visits", "age");
  private static final int SITES = 3;

  /** Hears what every site says, which masks hide from real ones. */
  private static final class Attacker implements Totals {
    private final Exchange exchange =
        Simulation.exchange(Network.of(new Topology.Circle(SITES, 1)));
    private final List<double[][]> heard = new ArrayList<>();

    @Override
    public double[] total(double[]... perRow) {
      heard.add(perRow);
      return exchange.total(perRow);
    }

    @Override
    public double max(double... perRow) {
      DisclosureRules rules = DisclosureRules.STANDARD;
      List<Double> said =
          List.of(
              (double) rules.tab(),
              (double) rules.subset(),
              (double) -rules.levelsMax(),
              -rules.levelsDensity());
      // Of rules the largest may be known; of rows it would be a single one's value.
      assertThat(Arrays.stream(perRow).boxed()).allMatch(said::contains);
      return Totals.largest(perRow);
    }
  }

  private static SiteTable table(int seed, int site, String only) {
    UniformRandomProvider random = Streams.of(seed).stream(Streams.Purpose.DATA, site);
    int rows = 1 + random.nextInt(60);
    int levels = 1 + random.nextInt(8);
    double rare = random.nextDouble() / 4;
    @Nullable Object[][] values = new Object[rows][];
    for (int i = 0; i < rows; i++) {
      values[i] =
          new @Nullable Object[] {
            i == 0 ? only : "job" + (int) (levels * Math.pow(random.nextDouble(), 3)),
            random.nextDouble() < rare ? 1 : 0,
            random.nextInt(12),
            random.nextDouble() < 0.05 ? null : 20 + 60 * random.nextDouble()
          };
    }
    return Tables.of("s" + site, NAMES, values);
  }

  private static List<SiteTable> tables(int seed, String only) {
    List<SiteTable> tables = new ArrayList<>();
    for (int site = 0; site < SITES; site++) {
      tables.add(table(seed, site, only));
    }
    return tables;
  }

  private static List<Summary> described(
      Attacker attacker, int seed, String only, List<String> columns, boolean bySite) {
    return Description.of(
        Sites.all(tables(seed, only)),
        attacker,
        new Description.Settings(columns, bySite, true),
        _ -> {},
        Optional.of(DisclosureRules.STANDARD));
  }

  /**
   * Every question about some of the columns, each site's counts apart: none is one or two, so no
   * sum of them over sites, nor one from which somebody's own are taken off, is either.
   */
  @Test
  void counts_ofEverySiteInEveryQuestion_areNoneOrEnough() {
    int merged = 0;
    for (int seed = 0; seed < 40; seed++) {
      for (int chosen = 1; chosen < 16; chosen++) {
        List<String> columns = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
          if ((chosen >> c & 1) == 1) {
            columns.add(NAMES.get(c));
          }
        }
        Attacker attacker = new Attacker();
        for (Summary one : described(attacker, seed, "Smith" + seed, columns, true)) {
          String where = "seed %d, %s".formatted(seed, one);
          if (one instanceof Summary.OfLevels levels) {
            assertThat(levels.counts()).as(where).doesNotContainKey("Smith" + seed);
            assertThat(levels.counts().values()).as(where).allMatch(n -> n == 0 || n >= 3);
            assertThat(levels.withheld()).as(where).matches(n -> n == 0 || n >= 3);
            merged += levels.withheld() > 0 ? 1 : 0;
          } else if (one instanceof Summary.OfNumbers numbers) {
            assertThat(numbers.n()).as(where).matches(n -> n == 0 || n >= 3);
            assertThat(numbers.minimum()).isEmpty();
            if (one.column().equals("smoker") && numbers.n() > 0 && one.site().isPresent()) {
              long smokers = Math.round(numbers.mean() * numbers.n());
              assertThat(smokers).as(where).matches(n -> n == 0 || n >= 3);
              assertThat(numbers.n() - smokers).as(where).matches(n -> n == 0 || n >= 3);
            }
            for (int q = 0; q < numbers.quantiles().size(); q++) {
              double share = Description.SHARES.get(q);
              boolean enough = Math.min(share, 1 - share) * numbers.n() >= 3;
              assertThat(Double.isNaN(numbers.quantiles().get(q))).as(where).isEqualTo(!enough);
            }
          }
        }
        for (double[][] terms : attacker.heard) {
          // Histograms: hundreds of bins, and all of them counts. Words are told by ones.
          if (terms[0].length >= 20
              && terms[0].length % 256 != 0
              && Arrays.stream(terms)
                  .flatMapToDouble(Arrays::stream)
                  .allMatch(v -> v == Math.rint(v) && v >= 0)
              && !settled(terms)) {
            assertThat(Arrays.stream(terms).flatMapToDouble(Arrays::stream))
                .as("seed %d", seed)
                .allMatch(count -> count == 0 || count >= 3);
          }
        }
      }
    }
    assertThat(merged).isGreaterThan(100);
  }

  /** Blocks of site by site: the others' are zero, and they hold means beside counts. */
  private static boolean settled(double[][] terms) {
    return Arrays.stream(terms).anyMatch(term -> Arrays.stream(term).allMatch(v -> v == 0));
  }

  /** A level's name that one row has at each site: with another name the same bits travel. */
  @Test
  void terms_ofALevelThatOneRowHas_doNotDependOnItsName() {
    for (int seed = 0; seed < 40; seed++) {
      Attacker one = new Attacker();
      Attacker other = new Attacker();
      List<Summary> found = described(one, seed, "Smith", List.of(), false);
      assertThat(described(other, seed, "Jones & Sons", List.of(), false)).isEqualTo(found);
      assertThat(other.heard).hasSameSizeAs(one.heard);
      for (int call = 0; call < one.heard.size(); call++) {
        assertThat(other.heard.get(call)).isDeepEqualTo(one.heard.get(call));
      }
    }
  }

  @Test
  void levels_ofTwoAndOneRow_areAddedToTheNextLarger() {
    @Nullable Object[][] rows = new Object[16][];
    Arrays.setAll(
        rows, i -> new @Nullable Object[] {i < 9 ? "a" : i < 14 ? "b" : "c", 0, i, 1.5 * i});
    SiteTable table = Tables.of("here", NAMES, rows);
    Summary.OfLevels found =
        (Summary.OfLevels)
            Description.of(
                    Sites.all(List.of(table)),
                    Simulation.exchange(Network.of(new Topology.Complete(1))),
                    new Description.Settings(List.of("job"), false, false),
                    _ -> {},
                    Optional.of(DisclosureRules.STANDARD))
                .getFirst();
    assertThat(found.counts()).isEqualTo(Map.of("a", 9L));
    assertThat(found.withheld()).isEqualTo(7);
    assertThat(found.n()).isEqualTo(16);
  }

  /** Whether numbers are whole decides the bins; how many are not may be a single row. */
  @Test
  void fractions_inTwoRows_areNotCounted() {
    @Nullable Object[][] rows = new Object[31][];
    Arrays.setAll(rows, i -> new @Nullable Object[] {"a", 0, i, i == 4 || i == 9 ? i + 0.5 : i});
    Attacker attacker = new Attacker();
    List<SiteTable> tables = new ArrayList<>(tables(1, "only"));
    tables.set(0, Tables.of("s0", NAMES, rows));
    var _ =
        Description.of(
            Sites.all(tables),
            attacker,
            new Description.Settings(List.of(NAMES.get(3)), false, false),
            _ -> {},
            Optional.of(DisclosureRules.STANDARD));
    assertThat(attacker.heard.stream().flatMapToDouble(terms -> Arrays.stream(terms[0])))
        .isNotEmpty()
        .doesNotContain(2.0);
  }

  /** A site that described other rows of a column before adds nothing to its quantiles. */
  @Test
  void quantiles_thatCouldBeSubtracted_areLeftOutAndSaidSo() {
    @Nullable Object[][] rows = new Object[40][];
    Arrays.setAll(rows, i -> new @Nullable Object[] {"a", 0, i, 1.5 * i});
    String column = NAMES.get(3);
    Description.Outcome found =
        Description.of(
            Sites.all(List.of(Tables.of("here", NAMES, rows))),
            Simulation.exchange(Network.of(new Topology.Complete(1))),
            new Description.Settings(List.of(column), false, false),
            Optional.of(DisclosureRules.STANDARD),
            new Withholding(Set.of(), Set.of(column)));
    Summary.OfNumbers numbers = (Summary.OfNumbers) found.summaries().getFirst();
    assertThat(numbers.n()).isEqualTo(40);
    assertThat(numbers.mean()).isEqualTo(1.5 * 19.5);
    assertThat(numbers.quantiles()).containsOnly(Double.NaN);
    assertThat(found.notes())
        .anyMatch(
            note -> note.contains("quantiles are without 1 site, which described other rows"));
  }

  /** Dates and times are counted in bins as numbers are: a bin of one row would be its date. */
  @ParameterizedTest
  @EnumSource(
      value = ColumnType.class,
      names = {"DATE", "TIME"})
  void quantiles_ofDates_areCountedInBinsOfNoneOrEnough(ColumnType type) {
    List<SiteTable> tables = new ArrayList<>();
    for (int site = 0; site < SITES; site++) {
      @Nullable Object[][] rows = new Object[40][];
      int shift = site;
      Arrays.setAll(rows, i -> new @Nullable Object[] {"a", 0, 1, 18_000 + 7 * i + shift});
      tables.add(
          new TableOver(Tables.of("s" + site, NAMES, rows)) {
            @Override
            public List<Column> columns() {
              return super.columns().stream()
                  .map(one -> one.name().equals("age") ? new Column("age", type) : one)
                  .toList();
            }
          });
    }
    Attacker attacker = new Attacker();
    Summary.OfNumbers dates =
        (Summary.OfNumbers)
            Description.of(
                    Sites.all(tables),
                    attacker,
                    new Description.Settings(List.of("age"), false, false),
                    _ -> {},
                    Optional.of(DisclosureRules.STANDARD))
                .getFirst();
    assertThat(dates.quantiles()).noneMatch(q -> q.isNaN());
    List<double[][]> histograms =
        attacker.heard.stream().filter(terms -> Arrays.stream(terms[0]).sum() == 40).toList();
    assertThat(histograms).anyMatch(terms -> terms[0].length > 1000);
    for (double[][] terms : histograms) {
      assertThat(Arrays.stream(terms).flatMapToDouble(Arrays::stream))
          .allMatch(count -> count == 0 || count >= 3);
    }
  }

  /**
   * A neighbour changes its own data to have the same rows counted in bins beside the first ones. A
   * little change leaves the bins as they are.
   */
  @Test
  void quantiles_inBinsThatOthersMove_areToldOnce() {
    Map<String, String> known = new HashMap<>();
    Withholding.Bins once =
        layouts ->
            layouts.keySet().stream()
                .filter(
                    column ->
                        !layouts.get(column).equals(known.computeIfAbsent(column, layouts::get)))
                .collect(Collectors.toSet());
    double[] first = counted(1, once);
    assertThat(Arrays.stream(first).sum()).isEqualTo(40);
    assertThat(counted(1.001, once)).isEqualTo(first);
    assertThat(counted(2.5, once)).containsOnly(0);
    assertThat(Arrays.stream(counted(2.5, _ -> Set.of())).sum()).as("who forgets").isEqualTo(40);
  }

  /** What the first of two sites counts of its ages; the other's lie {@code times} as far apart. */
  private static double[] counted(double times, Withholding.Bins bins) {
    @Nullable Object[][] own = new Object[40][];
    Arrays.setAll(own, i -> new @Nullable Object[] {"a", 0, 1, 40 + Math.sqrt(7.0 * i)});
    @Nullable Object[][] others = new Object[40][];
    Arrays.setAll(
        others, i -> new @Nullable Object[] {"a", 0, 1, 40 + times * Math.sqrt(11.0 * i)});
    Exchange exchange = Simulation.exchange(Network.of(new Topology.Circle(2, 1)));
    List<double[]> said = new ArrayList<>();
    Totals totals =
        new Totals() {
          @Override
          public double[] total(double[]... perRow) {
            said.add(perRow[0]);
            return exchange.total(perRow);
          }

          @Override
          public double max(double... perRow) {
            return Totals.largest(perRow);
          }
        };
    var _ =
        Description.of(
            Sites.all(List.of(Tables.of("own", NAMES, own), Tables.of("other", NAMES, others))),
            totals,
            new Description.Settings(List.of("age"), false, false),
            Optional.of(DisclosureRules.STANDARD),
            new Withholding(Set.of(), Set.of(), bins));
    return said.stream().filter(term -> term.length > 500).findFirst().orElseThrow();
  }

  /** At no place do twice as many rows change sides as a class must have. */
  @Test
  void gather_randomCounts_movesFewRowsAndKeepsAll() {
    UniformRandomProvider random = Streams.of(5).stream(Streams.Purpose.DATA, 0);
    for (int trial = 0; trial < 500; trial++) {
      double[] counts = new double[30];
      for (int i = 3 + random.nextInt(40); i > 0; i--) {
        counts[random.nextInt(30)]++;
      }
      double[] gathered = counts.clone();
      int fewest = 1 + random.nextInt(3);
      TableSums.gather(gathered, 0, 30, fewest);
      double before = 0;
      double after = 0;
      for (int bin = 0; bin < 30; bin++) {
        assertThat(gathered[bin]).matches(n -> n == 0 || n >= fewest);
        before += counts[bin];
        after += gathered[bin];
        assertThat(Math.abs(before - after)).isLessThan(2 * fewest);
      }
      assertThat(after).isEqualTo(before);
    }
  }
}
