package ngd.core.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Totals;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Formula;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a site's rules object to. Oracle: the rules' own words, counted row by row. */
class SiteDisclosureTest {
  private static final DisclosureRules PAIRS =
      new DisclosureRules(
          3, 3, 0.33, 40, 0.33, DisclosureRules.Cells.PAIRS, DisclosureRules.Differencing.OFF);

  private static final String COMBINED = "the classes of its terms, added and subtracted,";

  private static final List<String> NAMES = List.of("y", "x", "b", "g", "w");

  /** Rows of a continuous response and predictor, 0/1, a factor of three levels and weights. */
  private static @Nullable Object[][] rows(int count) {
    @Nullable Object[][] rows = new Object[count][];
    Arrays.setAll(
        rows,
        i ->
            new @Nullable Object[] {
              Math.sin(i) + 2, Math.cos(i) + 2, i % 2, "pqr".substring(i / 2 % 3, i / 2 % 3 + 1), 1
            });
    return rows;
  }

  private static List<String> objections(
      String formula, DisclosureRules rules, @Nullable Object[]... rows) {
    return SiteDisclosure.of(
            Formula.parse(formula), Tables.of("here", NAMES, rows), rules, Optional.empty())
        .objections();
  }

  private static List<String> objections(String formula, @Nullable Object[]... rows) {
    return objections(formula, DisclosureRules.STANDARD, rows);
  }

  @Test
  void objections_enoughOfEverything_areNone() {
    assertThat(objections("y ~ x + b + g + weights(w)", rows(36))).isEmpty();
  }

  /** A response of levels shows how many rows have each, however many these are. */
  @Test
  void objections_levelsOfAResponse_areClasses() {
    @Nullable Object[][] rows = rows(36);
    assertThat(ofClasses("g ~ x", DisclosureRules.STANDARD, rows)).isEmpty();
    rows[0][3] = "rare";
    rows[1][3] = "rare";
    assertThat(ofClasses("g ~ x", DisclosureRules.STANDARD, rows))
        .containsExactly(
            "site here: g = rare in 2 rows; a class must have none or at least 3 (nfilter.tab)");
    // As numbers, too, which as a response of their own show no class.
    for (int i = 0; i < rows.length; i++) {
      rows[i][4] = i % 5 + (i == 7 ? 10 : 0);
    }
    assertThat(objections("w ~ x", rows)).isEmpty();
    assertThat(ofClasses("w ~ x", DisclosureRules.STANDARD, rows))
        .anyMatch(why -> why.contains("w = 12 in 1 row;"));
    // Whatever a site allows, the name of a level that one row has stays there.
    DisclosureRules lax =
        new DisclosureRules(
            1, 1, 1, 40, 1, DisclosureRules.Cells.SINGLE, DisclosureRules.Differencing.OFF);
    rows[1][3] = "p";
    assertThat(ofClasses("g ~ x", lax, rows))
        .containsExactly(
            "site here: g = rare in 1 row; the name of a level that one row alone has never leaves"
                + " its site");
  }

  private static List<String> ofClasses(
      String formula, DisclosureRules rules, @Nullable Object[]... rows) {
    return SiteDisclosure.of(
            Formula.parse(formula).ofClasses(List.of(), false),
            Tables.of("here", NAMES, rows),
            rules,
            Optional.empty())
        .objections();
  }

  /** A term takes dates as days: a sum of many different ones shows none. As levels they show. */
  @ParameterizedTest
  @EnumSource(
      value = ColumnType.class,
      names = {"DATE", "TIME"})
  void objections_dates_areClassesAsLevelsAndWhereTheyAreFew(ColumnType type) {
    @Nullable Object[][] rows = rows(36);
    for (int i = 0; i < rows.length; i++) {
      rows[i][1] = 18_000 + i;
    }
    assertThat(ofMoments(type, "y ~ x + g", rows)).isEmpty();
    assertThat(ofMoments(type, "y ~ .", rows)).isEmpty();
    assertThat(ofMoments(type, "y ~ factor(x)", rows)).isNotEmpty();
    for (int i = 0; i < rows.length; i++) {
      rows[i][1] = i < 2 ? 18_000 : 18_001;
    }
    assertThat(ofMoments(type, "y ~ x + g", rows))
        .anyMatch(why -> why.contains("in 2 rows; a class must have none or at least 3"));
  }

  private static List<String> ofMoments(
      ColumnType type, String formula, @Nullable Object[]... rows) {
    return SiteDisclosure.of(
            Formula.parse(formula), typed(type, rows), DisclosureRules.STANDARD, Optional.empty())
        .objections();
  }

  /** The rows, with x of another type. */
  private static SiteTable typed(ColumnType type, @Nullable Object[]... rows) {
    return new TableOver(Tables.of("here", NAMES, rows)) {
      @Override
      public List<Column> columns() {
        return super.columns().stream()
            .map(one -> one.name().equals("x") ? new Column("x", type) : one)
            .toList();
      }
    };
  }

  /** What a dot leaves out at every site does not keep a site from looking at the rest. */
  @ParameterizedTest
  @EnumSource(
      value = ColumnType.class,
      names = {"OTHER", "EMPTY"})
  void of_aColumnThatNoFormulaCanUse_isGonePastByADotAndRefusedByName(ColumnType type) {
    SiteTable table = typed(type, rows(36));
    SiteDisclosure dot =
        SiteDisclosure.of(
            Formula.parse("y ~ ."), table, DisclosureRules.STANDARD, Optional.empty());
    dot.requireChecked();
    assertThat(dot.objections()).isEmpty();
    SiteDisclosure named =
        SiteDisclosure.of(
            Formula.parse("y ~ x"), table, DisclosureRules.STANDARD, Optional.empty());
    assertThatThrownBy(named::requireChecked).hasMessageContaining("x cannot be used");
  }

  @Test
  void objections_tooFewRows_areSaidAndNoneAtAllAreNot() {
    assertThat(objections("y ~ 1", rows(2)))
        .contains("site here: must have at least 3 complete rows (nfilter.subset); it has 2");
    assertThat(objections("y ~ x", rows(4))).isEmpty();
    @Nullable Object[][] missing = rows(4);
    Arrays.stream(missing).forEach(row -> row[1] = null);
    assertThat(objections("y ~ x", missing)).isEmpty();
  }

  /** One row is put into a class of its own, in each way that a formula knows classes. */
  @ParameterizedTest
  @CsvSource({
    "y ~ x + g, 3, z, 'g = z in 1 row; a class must have none or at least 3 (nfilter.tab)'",
    "y ~ x + b, 2, 7, 'b = 7 in 1 row; a class must have none or at least 3 (nfilter.tab)'",
    "b ~ x, 2, 7, 'b = 7 in 1 row; a class must have none or at least 3 (nfilter.tab)'",
    "y ~ x + weights(w), 4, 0, 'w = 0 in 1 row; a class must have none or at least 3"
        + " (nfilter.tab)'",
  })
  void objections_aClassOfOneRow_isNamedHere(String formula, int column, String value, String why) {
    @Nullable Object[][] rows = rows(36);
    rows[5][column] = value.equals("z") ? value : Double.valueOf(value);
    assertThat(objections(formula, rows)).anyMatch(line -> line.endsWith(why));
    for (int same = 5; same <= 29; same += 12) {
      rows[same][column] = rows[5][column];
    }
    assertThat(objections(formula, rows)).noneMatch(line -> line.endsWith(why));
  }

  @Test
  void objections_aNumberThatIsZeroButForTwoRows_isAClassOfTwo() {
    @Nullable Object[][] rows = rows(36);
    Arrays.stream(rows).forEach(row -> row[1] = 0);
    rows[3][1] = 4.5;
    rows[4][1] = 8.25;
    assertThat(objections("y ~ x", rows)).hasSize(2);
    DisclosureRules five =
        new DisclosureRules(
            5, 3, 0.33, 40, 0.33, DisclosureRules.Cells.PAIRS, DisclosureRules.Differencing.OFF);
    rows[5][1] = 1.5;
    rows[6][1] = 2.5;
    assertThat(objections("y ~ x", five, rows))
        .containsExactly(
            "site here: x = not 0 in 4 rows; a class must have none or at least 5 (nfilter.tab)");
  }

  @Test
  void objections_factors_haveFewLevelsAndFewForTheirRows() {
    @Nullable Object[][] rows = rows(41 * 3);
    for (int i = 0; i < rows.length; i++) {
      rows[i][3] = "level" + i % 41;
    }
    assertThat(objections("y ~ g", rows))
        .anyMatch(
            line -> line.endsWith("g must have at most 40 levels (nfilter.levels.max); it has 41"));
    @Nullable Object[][] dense = rows(36);
    for (int i = 0; i < dense.length; i++) {
      dense[i][3] = "level" + i % 12;
    }
    assertThat(objections("y ~ g", dense))
        .anyMatch(line -> line.contains("(nfilter.levels.density); it has 12 in 36 rows"));
  }

  /** Even a site that allows classes of one row does not tell their names. */
  @Test
  void objections_aLevelOfOneRow_isNamedUnderNoRule() {
    DisclosureRules lax =
        new DisclosureRules(
            1, 1, 1, 2000, 1, DisclosureRules.Cells.SINGLE, DisclosureRules.Differencing.OFF);
    @Nullable Object[][] rows = rows(36);
    rows[5][3] = "Smith";
    assertThat(objections("y ~ x + g", lax, rows))
        .containsExactly(
            "site here: g = Smith in 1 row; the name of a level that one row alone has never leaves"
                + " its site");
    assertThat(objections("y ~ x + b", lax, rows)).isEmpty();
  }

  /** Random tables of 0/1 columns and a factor, by a count of every pair of columns. */
  @Test
  void objections_pairs_areThoseOfEveryCrossTable() {
    List<String> names = List.of("y", "x", "b", "g", "w");
    int refused = 0;
    int combined = 0;
    for (int seed = 0; seed < 200; seed++) {
      UniformRandomProvider random = Streams.of(seed).stream(Streams.Purpose.DATA, 1);
      @Nullable Object[][] rows = new Object[20 + random.nextInt(60)][];
      Arrays.setAll(
          rows,
          _ ->
              new @Nullable Object[] {
                random.nextInt(2),
                random.nextInt(2),
                random.nextInt(2),
                "pq".substring(random.nextInt(2)).substring(0, 1),
                1
              });
      for (DisclosureRules.Cells cells : DisclosureRules.Cells.values()) {
        DisclosureRules rules =
            new DisclosureRules(3, 3, 0.33, 40, 0.33, cells, DisclosureRules.Differencing.OFF);
        int together =
            switch (cells) {
              case SINGLE -> 1;
              case PAIRS, COMBINED -> 2;
              case JOINT -> 4;
            };
        boolean expected = smallCell(rows, together);
        List<String> objections = objections("y ~ x + b + g", rules, rows);
        combined += objections.toString().contains(COMBINED) ? 1 : 0;
        assertThat(objections.stream().filter(why -> !why.contains(COMBINED)).toList().isEmpty())
            .as("seed %d, %s, %s", seed, cells, names)
            .isEqualTo(!expected);
        refused += expected ? 1 : 0;
      }
    }
    assertThat(refused).isBetween(100, 700);
    assertThat(combined).as("of 800").isBetween(1, 200);
  }

  /**
   * A weighted answer says how many of the treated are in each cell of its predictors: where that
   * must not be, a site asks for joint cells.
   */
  @Test
  void objections_treatedInASmallCellOfTwoPredictors_areSeenByJointCells() {
    List<Object[]> rows = new ArrayList<>();
    for (int cell = 0; cell < 8; cell++) {
      for (int n = 0; n < (cell == 7 ? 5 : 9); n++) {
        rows.add(new Object[] {n + 1, cell & 1, cell >> 1 & 1, "p", cell >> 2});
      }
    }
    Object[][] enough = rows.toArray(Object[][]::new);
    Object[][] few = rows.subList(0, rows.size() - 3).toArray(Object[][]::new);
    Formula both = Formula.parse("y ~ w").with(Formula.parse("w ~ x + b"));
    for (DisclosureRules.Cells cells : DisclosureRules.Cells.values()) {
      DisclosureRules rules =
          new DisclosureRules(3, 3, 0.33, 40, 0.33, cells, DisclosureRules.Differencing.OFF);
      List<List<String>> found = new ArrayList<>();
      for (Object[][] table : List.of(enough, few)) {
        found.add(
            SiteDisclosure.of(both, Tables.of("here", NAMES, table), rules, Optional.empty())
                .objections());
      }
      assertThat(found.getFirst()).isEmpty();
      if (cells == DisclosureRules.Cells.JOINT) {
        assertThat(found.getLast()).anyMatch(why -> why.contains("in 2 rows"));
      } else {
        assertThat(found.getLast()).as(cells.toString()).isEmpty();
      }
    }
  }

  /**
   * Of three 0/1 columns the counts of every two say how many rows have all three or none: n000 +
   * n111 = n − Σ nᵢ + Σ nᵢⱼ.
   */
  @Test
  void objections_twoRowsThatPairsSayTogether_areRefusedByDefault() {
    List<Object[]> rows = new ArrayList<>();
    for (int cell = 1; cell < 7; cell++) {
      for (int n = 0; n < 4; n++) {
        rows.add(new Object[] {cell & 1, cell >> 1 & 1, cell >> 2 & 1, "p", 1});
      }
    }
    Object[][] none = rows.toArray(Object[][]::new);
    assertThat(objections("y ~ x + b", none)).isEmpty();
    rows.add(new Object[] {0, 0, 0, "p", 1});
    rows.add(new Object[] {1, 1, 1, "p", 1});
    Object[][] two = rows.toArray(Object[][]::new);
    assertThat(objections("y ~ x + b", PAIRS, two)).isEmpty();
    assertThat(objections("y ~ x + b", two))
        .singleElement()
        .asString()
        .contains(COMBINED + " would show 2 rows");
  }

  /**
   * A column that is one wherever either of two others is, and in one row more: x is summed over
   * all three, and so x of that row is known. Every two columns have enough rows in all cells.
   */
  @Test
  void objections_oneRowThatSumsOfValuesSayTogether_areRefusedAlsoByPairs() {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int first = i < 4 ? 1 : 0;
      int second = i >= 4 && i < 8 ? 1 : 0;
      rows.add(new Object[] {Math.sin(i), first, second, i < 9 ? "p" : "q", 1 + i});
    }
    Object[][] nine = rows.toArray(Object[][]::new);
    assertThat(objections("y ~ x + b + w", PAIRS, nine)).isEmpty();
    assertThat(objections("y ~ x + b + g + w", PAIRS, nine))
        .singleElement()
        .asString()
        .contains(COMBINED + " would show 1 row");
    rows.removeIf(row -> row[4].equals(9));
    assertThat(objections("y ~ x + b + g + w", PAIRS, rows.toArray(Object[][]::new))).isEmpty();
  }

  /** Of ordinary models of random tables, 100 of each size, hardly any is refused for it. */
  @Test
  void objections_ordinaryModels_theDefaultRefusesHardlyMoreThanPairs() {
    for (int count : new int[] {50, 100, 200, 500}) {
      int pairs = 0;
      int values = 0;
      int combined = 0;
      for (int seed = 0; seed < 100; seed++) {
        UniformRandomProvider random = Streams.of(seed).stream(Streams.Purpose.DATA, count);
        @Nullable Object[][] rows = new Object[count][];
        Arrays.setAll(
            rows,
            _ ->
                new @Nullable Object[] {
                  random.nextDouble() < 0.3 ? 1 : 0,
                  random.nextDouble() < 0.5 ? 1 : 0,
                  random.nextDouble() < 0.2 ? 1 : 0,
                  "pqr".substring(random.nextInt(3)).substring(0, 1),
                  random.nextDouble()
                });
        List<String> found = objections("y ~ x + b + g + w", PAIRS, rows);
        boolean added = found.stream().anyMatch(why -> why.contains(COMBINED));
        values += added ? 1 : 0;
        pairs += !added && !found.isEmpty() ? 1 : 0;
        combined += objections("y ~ x + b + g + w", rows).isEmpty() ? 0 : 1;
      }
      assertThat(values).as("%d rows", count).isLessThan(3);
      assertThat(combined)
          .as("%d rows", count)
          .isBetween(pairs + values, pairs + values + (count < 100 ? 20 : 5));
    }
  }

  /**
   * A number that is zero in some rows weighs what is summed over the others, so that its cells do
   * not cancel against counts: they must be large enough, and that is all.
   */
  @Test
  void objections_aNumberThatIsZeroInSomeRows_isNotCountedWithOthers() {
    @Nullable Object[][] rows = rows(36);
    for (int i = 0; i < 4; i++) {
      rows[i][1] = 0;
    }
    assertThat(objections("y ~ x + b + g", rows)).isEmpty();
    for (int i = 4; i < 36; i++) {
      rows[i][1] = i < 6 ? rows[i][1] : 0;
    }
    assertThat(objections("y ~ x + b + g", rows)).isNotEmpty();
  }

  /** Where it would take minutes to find what counts show together, the question is refused. */
  @Test
  void objections_moreCellsThanCanBeLookedAt_areRefusedByDefault() {
    List<String> names = IntStream.range(0, 46).mapToObj(v -> "b" + v).toList();
    UniformRandomProvider random = Streams.of(1).stream(Streams.Purpose.DATA, 46);
    @Nullable Object[][] rows = new Object[300][46];
    for (@Nullable Object[] row : rows) {
      Arrays.setAll(row, _ -> random.nextInt(2));
    }
    SiteTable table = Tables.of("here", names, rows);
    Formula all = Formula.parse("b0 ~ " + String.join(" + ", names.subList(1, 46)));
    assertThat(
            SiteDisclosure.of(all, table, DisclosureRules.STANDARD, Optional.empty()).objections())
        .containsExactly(
            "site here: its terms must have at most 1000 classes and cells of two terms, or what"
                + " these show together takes too long to find (cells); they have 1128");
    assertThat(SiteDisclosure.of(all, table, PAIRS, Optional.empty()).objections()).isEmpty();
    Formula some = Formula.parse("b0 ~ " + String.join(" + ", names.subList(1, 12)));
    assertThat(
            SiteDisclosure.of(some, table, DisclosureRules.STANDARD, Optional.empty()).objections())
        .isEmpty();
  }

  /** Whether some cell of this many of the first four columns has one or two rows. */
  private static boolean smallCell(@Nullable Object[][] rows, int together) {
    for (int chosen = 1; chosen < 16; chosen++) {
      if (Integer.bitCount(chosen) != together) {
        continue;
      }
      Map<List<Object>, Integer> cells = new HashMap<>();
      for (@Nullable Object[] row : rows) {
        List<Object> cell = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
          cell.add((chosen >> c & 1) == 1 ? String.valueOf(row[c]) : "");
        }
        cells.merge(cell, 1, Integer::sum);
      }
      if (cells.values().stream().anyMatch(count -> count < 3)) {
        return true;
      }
    }
    return false;
  }

  /** Remembers what is said to it. */
  private static final class Recorded implements Totals {
    private final Exchange exchange;
    private final List<double[][]> said = new ArrayList<>();

    Recorded(int sites) {
      exchange =
          Simulation.exchange(
              Network.of(sites == 1 ? new Topology.Complete(1) : new Topology.Circle(sites, 1)));
    }

    @Override
    public double[] total(double[]... perRow) {
      said.add(perRow);
      return exchange.total(perRow);
    }

    @Override
    public double max(double... perRow) {
      said.add(new double[][] {perRow});
      return exchange.max(perRow);
    }
  }

  private static Preparation prepared(Totals totals, String formula, SiteTable table) {
    Formula parsed = Formula.parse(formula);
    return Preparation.of(
        parsed,
        Sites.all(List.of(table)),
        totals,
        Missing.DROP,
        Disclosure.refusing(
            SiteDisclosure.of(parsed, table, DisclosureRules.STANDARD, Optional.empty()),
            () -> {},
            EarlierAnswers.NONE));
  }

  @Test
  void of_aSiteThatObjects_saysThatAndNothingElse() {
    @Nullable Object[][] rows = rows(36);
    rows[5][3] = "Smith";
    Recorded totals = new Recorded(1);
    assertThatThrownBy(() -> prepared(totals, "y ~ x + g", Tables.of("here", NAMES, rows)))
        .isInstanceOf(DisclosureRefusal.class)
        .hasMessageContaining("1 of 1 sites objects")
        .hasMessageContaining("site here: g = Smith in 1 row");
    assertThat(totals.said).hasSize(1);
    assertThat(totals.said.getFirst()).isDeepEqualTo(new double[][] {{1}});
  }

  @Test
  void of_tooManyCoefficientsForTheRows_isRefusedBeforeAnyOfTheirSums() {
    Recorded totals = new Recorded(1);
    assertThatThrownBy(() -> prepared(totals, "y ~ x + b", Tables.of("here", NAMES, rows(8))))
        .isInstanceOf(DisclosureRefusal.class)
        .hasMessageContaining(
            "there must be at most 0.33 coefficients for each row (nfilter.glm); there are 3 for"
                + " the 8 rows");
    // Types of columns, counts of rows and whether sites object: no value of a row.
    BiPredicate<double[], Double> says =
        (term, value) -> Arrays.stream(term).anyMatch(v -> v == value);
    assertThat(totals.said)
        .noneMatch(terms -> says.test(terms[0], Math.sin(1) + 2) || terms[0].length > 8);
    assertThat(
            prepared(new Recorded(1), "y ~ x + b", Tables.of("here", NAMES, rows(12))).totalRows())
        .isEqualTo(12);
  }

  /** Two sites: what is left when one takes its own rows off must be enough too. */
  @Test
  void of_fewRowsBesideOnesOwn_areTooFewForTheCoefficients() throws InterruptedException {
    List<SiteTable> tables =
        List.of(Tables.of("large", NAMES, rows(100)), Tables.of("small", NAMES, rows(8)));
    Formula formula = Formula.parse("y ~ x + b");
    List<Object> found =
        PeerTotals.run(
            2,
            m ->
                exchange ->
                    Preparation.of(
                        formula,
                        new Sites(List.of("large", "small"), m, List.of(tables.get(m))),
                        exchange,
                        Missing.DROP,
                        Disclosure.refusing(
                            SiteDisclosure.of(
                                formula, tables.get(m), DisclosureRules.STANDARD, Optional.empty()),
                            () -> {},
                            EarlierAnswers.NONE)));
    assertThat(String.valueOf(found.get(0)))
        .contains("1 of 2 sites objects")
        .contains("site large: there must be at most 0.33")
        .contains("there are 3 for the 8 rows of the other sites");
    assertThat(String.valueOf(found.get(1)))
        .contains("1 of 2 sites objects")
        .doesNotContain("nfilter");
  }

  @Test
  void of_aRehearsal_reportsAndGoesOn() {
    @Nullable Object[][] rows = rows(36);
    rows[5][3] = "Smith";
    SiteTable table = Tables.of("here", NAMES, rows);
    Formula formula = Formula.parse("y ~ x + g");
    Preparation found =
        Preparation.of(
            formula,
            Sites.all(List.of(table)),
            new Recorded(1),
            Missing.DROP,
            Disclosure.warning(formula, List.of(table), DisclosureRules.STANDARD));
    assertThat(found.totalRows()).isEqualTo(36);
    assertThat(found.objections()).anyMatch(line -> line.contains("g = Smith in 1 row"));
  }

  @Test
  void rules_outOfRange_areRefused() {
    for (String wrong : List.of("tab", "glm")) {
      assertThatThrownBy(
              () ->
                  new DisclosureRules(
                      wrong.equals("tab") ? 0 : 3,
                      3,
                      wrong.equals("glm") ? 1.5 : 0.33,
                      40,
                      0.33,
                      DisclosureRules.Cells.PAIRS,
                      DisclosureRules.Differencing.REFUSE))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("nfilter." + wrong);
    }
  }

  /** Rows y, x and a group, which is no class, however few rows it has. */
  @ParameterizedTest
  @CsvSource({
    "pppqqqrrr, ''",
    "ppqqrrss, ''",
    "ppqqqrrrr, groups of g with 2 rows have 2 rows together",
    "pqqqqrrrr, groups of g with 1 row have 1 row together",
    "pqrssssss, ''",
    "pppppqqqqq, its rows are in 2 groups of g; it must have at least 3 (nfilter.tab)"
  })
  void groupsOfRandomTerms_bySize_mustBeNoneOrEnough(String groups, String expected) {
    @Nullable Object[][] rows = rows(groups.length());
    for (int i = 0; i < rows.length; i++) {
      rows[i][3] = groups.substring(i, i + 1);
    }
    List<String> found = objections("y ~ x + (1 | g)", PAIRS, rows);
    if (expected.isEmpty()) {
      assertThat(found).isEmpty();
    } else {
      assertThat(found).singleElement().asString().contains(expected);
    }
    // The sites are groups whose rows are counted anyway; as a factor, levels are classes.
    assertThat(objections("y ~ x + (1 | site)", PAIRS, rows)).isEmpty();
  }
}
