package ngd.core.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.data.SiteTable;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Oracle: the definitions, on the rows of all sites put together. */
class DescriptionTest {
  private static final List<String> NAMES = List.of("skewed", "count", "level");

  private static List<Summary> describe(List<SiteTable> tables, boolean bySite, boolean extremes) {
    return Description.of(
        Sites.all(tables),
        Simulation.exchange(Network.of(new Topology.Circle(tables.size(), 1))),
        new Description.Settings(List.of(), bySite, extremes));
  }

  /** Three sites of different sizes and centres; every seventh value is missing. */
  private static List<@Nullable Object[]> rows(int site) {
    UniformRandomProvider random = Streams.of(3).stream(Streams.Purpose.PARTITION, site);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 500 * (site + 1); i++) {
      Double skewed = i % 7 == 0 ? null : Math.exp(site + 3 * random.nextDouble());
      rows.add(
          new @Nullable Object[] {
            skewed,
            random.nextInt(20 + 10 * site),
            List.of("a", "b", "c").get(random.nextInt(site + 1))
          });
    }
    return rows;
  }

  private static SiteTable table(int site) {
    return Tables.of("s" + site, NAMES, rows(site).toArray(Object[][]::new));
  }

  private static double[] values(int column) {
    List<Double> values = new ArrayList<>();
    for (int site = 0; site < 3; site++) {
      for (@Nullable Object[] row : rows(site)) {
        if (row[column] instanceof Number number) {
          values.add(number.doubleValue());
        }
      }
    }
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  @Test
  void of_threeSites_isTheDescriptionOfAllRows() {
    List<Summary> found = describe(List.of(table(0), table(1), table(2)), false, true);
    for (int column = 0; column < 2; column++) {
      double[] sorted = values(column);
      double mean = Arrays.stream(sorted).average().orElseThrow();
      double sd =
          Math.sqrt(
              Arrays.stream(sorted).map(v -> (v - mean) * (v - mean)).sum() / (sorted.length - 1));
      Summary.OfNumbers one = (Summary.OfNumbers) found.get(column);
      assertThat(one.n()).isEqualTo(sorted.length);
      assertThat(one.missing()).isEqualTo(3000 - sorted.length);
      assertThat(one.mean()).isCloseTo(mean, within(1e-12 * mean));
      assertThat(one.standardDeviation()).isCloseTo(sd, within(1e-12 * sd));
      assertThat(one.quantileError())
          .isBetween(column == 0 ? sd / 128 : 0, column == 0 ? sd / 64 : 0);
      for (int q = 0; q < 5; q++) {
        double exact = sorted[(int) Math.ceil(Description.SHARES.get(q) * sorted.length) - 1];
        assertThat(one.quantiles().get(q)).isCloseTo(exact, within(one.quantileError() + 1e-12));
      }
      assertThat(one.minimum()).hasValue(sorted[0]);
      assertThat(one.maximum()).hasValue(sorted[sorted.length - 1]);
    }
  }

  @Test
  void of_bySite_isEachSitesOwnDescription() {
    List<SiteTable> tables = List.of(table(0), table(1), table(2));
    List<Summary> all = describe(tables, true, false);
    for (int site = 0; site < 3; site++) {
      int m = site;
      List<Summary> alone =
          Description.of(
              Sites.all(List.of(tables.get(site))),
              Simulation.exchange(Network.of(new Topology.Complete(1))),
              new Description.Settings(List.of(), false, false));
      List<Summary> summaries =
          all.stream().filter(one -> one.site().equals(Optional.of("s" + m))).toList();
      assertThat(summaries).hasSize(3);
      for (int c = 0; c < 2; c++) {
        Summary.OfNumbers own = (Summary.OfNumbers) alone.get(c);
        Summary.OfNumbers said = (Summary.OfNumbers) summaries.get(c);
        assertThat(said.n()).isEqualTo(own.n());
        assertThat(said.missing()).isEqualTo(own.missing());
        assertThat(said.mean()).isCloseTo(own.mean(), within(1e-12 * own.mean()));
        assertThat(said.standardDeviation())
            .isCloseTo(own.standardDeviation(), within(1e-10 * own.standardDeviation()));
        for (int q = 0; q < 5; q++) {
          assertThat(said.quantiles().get(q))
              .isCloseTo(
                  own.quantiles().get(q), within(said.quantileError() + own.quantileError()));
        }
        assertThat(said.minimum()).isEmpty();
      }
    }
    Summary.OfLevels levels =
        (Summary.OfLevels)
            all.stream()
                .filter(one -> one.column().equals("level") && one.site().isEmpty())
                .findFirst()
                .orElseThrow();
    assertThat(levels.counts().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(3000);
    Summary.OfLevels first =
        (Summary.OfLevels)
            all.stream()
                .filter(one -> one.column().equals("level") && one.site().equals(Optional.of("s0")))
                .findFirst()
                .orElseThrow();
    assertThat(first.counts()).isEqualTo(Map.of("a", 500L, "b", 0L, "c", 0L));
  }

  @Test
  void of_identifiersAndEmptyColumns_areCountedAndNotListed() {
    @Nullable Object[][] rows = new Object[150][];
    Arrays.setAll(rows, i -> new @Nullable Object[] {"id" + i, 1.5, null});
    List<String> names = List.of("id", "same", "nothing");
    List<Summary> found =
        describe(List.of(Tables.of("a", names, rows), Tables.of("b", names, rows)), false, false);
    assertThat(found.get(0))
        .isEqualTo(new Summary.Withheld("id", Optional.empty(), 300, 0, "more than 100 levels"));
    Summary.OfNumbers same = (Summary.OfNumbers) found.get(1);
    assertThat(same.standardDeviation()).isEqualTo(0);
    assertThat(same.quantiles()).containsOnly(1.5);
    Summary.OfNumbers nothing = (Summary.OfNumbers) found.get(2);
    assertThat(nothing.n()).isZero();
    assertThat(nothing.missing()).isEqualTo(300);
    assertThat(nothing.mean()).isNaN();
  }

  /** Peers that hold one table each come to the same description. */
  @Test
  void of_onePeerATable_isTheSameAsAllInOneProcess() throws InterruptedException {
    List<SiteTable> tables = List.of(table(0), table(1), table(2));
    Description.Settings settings = new Description.Settings(List.of(), true, true);
    List<Object> found =
        PeerTotals.run(
            3,
            m ->
                exchange ->
                    Description.of(
                        new Sites(List.of("s0", "s1", "s2"), m, List.of(tables.get(m))),
                        exchange,
                        settings));
    List<Summary> together = describe(tables, true, true);
    assertThat(found).allSatisfy(one -> assertThat(one).isEqualTo(together));
  }

  /** Columns that differ between sites are named, and the others described. */
  @Test
  void of_columnsThatDiffer_goesOnAndSaysWhich() {
    SiteTable north =
        Tables.of("north", List.of("a", "b", "c"), new Object[] {1, 2, 3}, new Object[] {3, 4, 5});
    SiteTable south = Tables.of("south", List.of("a", "b"), new Object[] {5, "x"});
    List<String> notes = new ArrayList<>();
    List<Summary> found =
        Description.of(
            Sites.all(List.of(north, south)),
            Simulation.exchange(Network.of(new Topology.Circle(2, 1))),
            new Description.Settings(List.of(), false, false),
            notes::add,
            Optional.empty());
    assertThat(((Summary.OfNumbers) found.get(0)).mean()).isEqualTo(3);
    assertThat(found.get(1))
        .isEqualTo(
            new Summary.Withheld(
                "b", Optional.empty(), 3, 0, "holds numbers at north; text at south"));
    Summary.OfNumbers c = (Summary.OfNumbers) found.get(2);
    assertThat(c.n()).isEqualTo(2);
    assertThat(c.missing()).isEqualTo(1);
    assertThat(c.mean()).isEqualTo(4);
    assertThat(notes).containsExactly("column c: numbers at north; none at south");
  }
}
