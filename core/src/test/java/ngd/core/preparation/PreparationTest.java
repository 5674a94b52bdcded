package ngd.core.preparation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Exchange;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.formula.Formula;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.simulation.Simulation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Oracle: the design matrix of the rows put together, written out by hand. */
class PreparationTest {
  private static final List<String> NAMES = List.of("y", "x", "f");

  private static @Nullable Object[] row(@Nullable Object... values) {
    return values;
  }

  private static final SiteTable NORTH =
      Tables.of("north", NAMES, row(1, 2, "b"), row(2, null, "z"), row(3, 4, "c"));
  private static final SiteTable SOUTH =
      Tables.of("south", NAMES, row(5, 6, "a"), row(7, 8, "b"), row(null, 8, null));

  private static Exchange exchange(int clients) {
    return Simulation.exchange(
        Network.of(clients == 1 ? new Topology.Complete(1) : new Topology.Circle(clients, 1)));
  }

  private static Preparation prepare(String formula, Missing missing, SiteTable... tables) {
    return Preparation.of(
        Formula.parse(formula), Sites.all(List.of(tables)), exchange(tables.length), missing);
  }

  @Test
  void of_levelsThatSitesLack_areZeroColumnsThere() {
    Preparation prepared = prepare("y ~ x + f", Missing.DROP, NORTH, SOUTH);
    assertThat(prepared.design().coefficients()).containsExactly("(Intercept)", "x", "fb", "fc");
    Shards shards = prepared.shards();
    assertThat(shards.totalRows()).isEqualTo(4);
    double[] x = new double[4];
    shards.shard(0).row(0, x);
    assertThat(x).containsExactly(1, 2, 1, 0);
    shards.shard(0).row(1, x);
    assertThat(x).containsExactly(1, 4, 0, 1);
    shards.shard(1).row(0, x);
    assertThat(x).containsExactly(1, 6, 0, 0);
    assertThat(shards.shard(1).y(1)).isEqualTo(7);
  }

  /** The level z stands in an incomplete row alone, so R would not see it either. */
  @Test
  void of_missingValues_areDroppedAndCounted() {
    Preparation prepared = prepare("y ~ x + f", Missing.DROP, NORTH, SOUTH);
    assertThat(prepared.rows().get(0))
        .isEqualTo(new SiteRows("north", 2, 1, java.util.Map.of("x", 1L)));
    assertThat(prepared.rows().get(1).missing()).containsEntry("y", 1L).containsEntry("f", 1L);
    assertThat(prepared.totalRows()).isEqualTo(4);
    assertThat(prepared.totalDropped()).isEqualTo(2);
  }

  @Test
  void of_missingFail_namesSiteColumnAndCount() {
    assertThatThrownBy(() -> prepare("y ~ x + f", Missing.FAIL, NORTH, SOUTH))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "site north: rows must be complete (--missing fail); missing: x in 1 row\n"
                + "site south: rows must be complete (--missing fail); missing: f in 1 row, y in 1"
                + " row");
  }

  @Test
  void of_differentColumns_namesTheSitesAndColumns() {
    SiteTable east = Tables.of("east", List.of("y", "X", "f"), row(1, 2, 3));
    assertThatThrownBy(() -> prepare("y ~ x + f", Missing.DROP, NORTH, SOUTH, east))
        .hasMessageContaining(
            "site east: must have a column x as site north has; it has none; did you mean `X`?")
        .hasMessageContaining(
            "column f: holds text at site north and numbers at site east; the types must agree");
  }

  @Test
  void of_columnThatNobodyHas_showsACaret() {
    assertThatThrownBy(() -> prepare("y ~ x + g", Missing.DROP, NORTH, SOUTH))
        .hasMessage(
            "formula: no site has a column g; there are: y, x, f%n  y ~ x + g%n          ^"
                .formatted());
  }

  @Test
  void of_siteWithoutACompleteRow_isNamed() {
    SiteTable empty = Tables.of("east", NAMES, row(1, null, "a"), row(2, null, "b"));
    assertThatThrownBy(() -> prepare("y ~ x + f", Missing.DROP, NORTH, empty))
        .hasMessage(
            "site east: must have at least one complete row; of 2 none is; missing: x in 2 rows");
  }

  @Test
  void of_dot_takesAllColumnsInTheirOrder() {
    assertThat(prepare("y ~ .", Missing.DROP, NORTH, SOUTH).design().coefficients())
        .containsExactly("(Intercept)", "x", "fb", "fc");
    SiteTable other = Tables.of("east", List.of("y", "x", "f", "g"), row(1, 2, "a", 3));
    Preparation without = prepare("y ~ .", Missing.DROP, NORTH, other);
    assertThat(without.design().coefficients()).containsExactly("(Intercept)", "x", "fb", "fc");
    assertThat(without.notes())
        .containsExactly("column g is left out of `.`: none at north; numbers at east");
    SiteTable text = Tables.of("west", List.of("y", "x", "f"), row(1, "2", "a"), row(3, "?", "a"));
    assertThat(prepare("y ~ .", Missing.DROP, NORTH, text).notes())
        .containsExactly("column x is left out of `.`: numbers at north; text at west");
    // What the formula names must be alike everywhere.
    assertThatThrownBy(() -> prepare("y ~ . + g", Missing.DROP, NORTH, other))
        .hasMessageContaining("site north: must have a column g as site east has; it has none");
  }

  private static SiteTable mostlyNumbers(String site) {
    @Nullable Object[][] rows = new Object[3000][];
    Arrays.setAll(
        rows, i -> row(i, i % 2, i % 1000 == 7 ? "?" : i == 9 ? "n/a" : Integer.toString(i)));
    return Tables.of(site, NAMES, rows);
  }

  /** Oracle: counted by hand. */
  @Test
  void of_textThatIsMostlyNumbers_isSaidWhateverHappens() {
    String note =
        "site west: column `f` is text, but 2996 of 3000 values are numbers; the others: `?` (3),"
            + " `n/a` (1) (--na names missing values)";
    SiteTable west = mostlyNumbers("west");
    assertThatThrownBy(() -> prepare("y ~ f", Missing.DROP, west))
        .hasMessageContaining("f: at most 2000 levels")
        .hasMessageEndingWith(note);
    assertThatThrownBy(() -> prepare("f ~ x", Missing.DROP, west))
        .hasMessageContaining("the response must be a number")
        .hasMessageEndingWith(note);
    SiteTable numbers = Tables.of("east", NAMES, row(1, 2, 3));
    assertThatThrownBy(() -> prepare("y ~ f", Missing.DROP, numbers, west))
        .hasMessageContaining("column f: holds numbers at site east and text at site west")
        .hasMessageEndingWith(note);
    SiteTable few =
        Tables.of("few", NAMES, row(1, 1, "1,5"), row(2, 2, "2"), row(3, 4, "u"), row(4, 4, null));
    assertThat(prepare("y ~ f", Missing.DROP, few).rows().getFirst().notes())
        .containsExactly(
            "site few: column `f` is text, but 2 of 3 values are numbers, 1 of them with a decimal"
                + " comma (--decimal ,); the others: `u` (1) (--na names missing values)");
    assertThat(prepare("y ~ f", Missing.DROP, NORTH).rows().getFirst().notes()).isEmpty();
  }

  @Test
  void of_identifierAsFactor_isRefused() {
    @Nullable Object[][] rows = new Object[2001][];
    Arrays.setAll(rows, i -> row(i, i, "id" + i));
    assertThatThrownBy(() -> prepare("y ~ f", Missing.DROP, Tables.of("north", NAMES, rows), SOUTH))
        .hasMessageContaining("f: at most 2000 levels")
        .hasMessageContaining("Is it an identifier?");
  }

  /** Peers that hold one table each come to the same design, or to the same refusal. */
  @Test
  void of_onePeerATable_isTheSameAsAllInOneProcess() throws InterruptedException {
    List<SiteTable> tables = List.of(NORTH, SOUTH);
    List<String> names = List.of("north", "south");
    List<Object> found =
        PeerTotals.run(
            2,
            m ->
                exchange ->
                    Preparation.of(
                        Formula.parse("y ~ . + site"),
                        new Sites(names, m, List.of(tables.get(m))),
                        exchange,
                        Missing.DROP));
    List<String> expected =
        prepare("y ~ . + site", Missing.DROP, NORTH, SOUTH).design().coefficients();
    double[] x = new double[expected.size()];
    for (int m = 0; m < 2; m++) {
      Preparation one = (Preparation) found.get(m);
      assertThat(one.design().coefficients()).isEqualTo(expected).endsWith("sitesouth");
      assertThat(one.totalRows()).isEqualTo(4);
      one.shards().shard(0).row(0, x);
      assertThat(x[x.length - 1]).isEqualTo(m);
    }
    List<Object> refused =
        PeerTotals.run(
            2,
            m ->
                exchange ->
                    Preparation.of(
                        Formula.parse("y ~ x"),
                        new Sites(names, m, List.of(tables.get(m))),
                        exchange,
                        Missing.FAIL));
    assertThat(refused)
        .allSatisfy(
            e ->
                assertThat(((InvalidInput) e).getMessage())
                    .contains("site north: rows must be complete")
                    .contains("site south: rows must be complete"));
  }

  /** A response of levels: their numbers, in the order that is stated or by their names. */
  @Test
  void of_classes_areNumberedInTheirOrder() {
    for (List<String> order : List.of(List.<String>of(), List.of("c", "a", "b"))) {
      Preparation prepared =
          Preparation.of(
              Formula.parse("f ~ x").ofClasses(order, false),
              Sites.all(List.of(NORTH, SOUTH)),
              exchange(2),
              Missing.DROP);
      List<String> levels = order.isEmpty() ? List.of("a", "b", "c") : order;
      assertThat(prepared.design().classes()).isEqualTo(levels);
      assertThat(prepared.design().columns()).containsExactly("(Intercept)", "x");
      assertThat(prepared.design().coefficients())
          .containsExactly(
              levels.get(1) + ":(Intercept)",
              levels.get(1) + ":x",
              levels.get(2) + ":(Intercept)",
              levels.get(2) + ":x");
      Shards shards = prepared.shards();
      assertThat(shards.shard(0).y(0)).isEqualTo(levels.indexOf("b"));
      assertThat(shards.shard(0).y(1)).isEqualTo(levels.indexOf("c"));
      assertThat(shards.shard(1).y(0)).isEqualTo(levels.indexOf("a"));
    }
  }

  /** All sites refuse; the name of a level that the order lacks is known where it is alone. */
  @Test
  void of_levelBesideTheOrder_isNamedAtItsOwnSiteAlone() throws InterruptedException {
    List<SiteTable> tables = List.of(NORTH, SOUTH);
    List<Object> refused =
        PeerTotals.run(
            2,
            m ->
                exchange ->
                    Preparation.of(
                        Formula.parse("f ~ x").ofClasses(List.of("a", "b"), true),
                        new Sites(List.of("north", "south"), m, List.of(tables.get(m))),
                        exchange,
                        Missing.DROP));
    String message = "order: must name every level of `f`; got a < b, and 1 site has others";
    assertThat(((InvalidInput) refused.get(0)).getMessage()).isEqualTo(message + ": c");
    assertThat(((InvalidInput) refused.get(1)).getMessage()).isEqualTo(message);
  }

  /** Oracle: the union of sets. Words with common beginnings, of no letters, and beyond ASCII. */
  @Test
  void unions_awkwardWords_areTheUnionsOfTheSets() {
    List<List<List<String>>> tables =
        List.of(
            List.of(List.of("a", "ab", "", "éa"), List.of("1", "12")),
            List.of(List.of("abc", "ab", "é", "日本"), List.of()),
            List.of(List.of(), List.of("2", "\0", "\uD83D\uDE00")));
    List<List<String>> found =
        WordAgreement.unions(List.of("first", "second"), tables, exchange(3));
    for (int set = 0; set < 2; set++) {
      TreeSet<String> union = new TreeSet<>();
      for (List<List<String>> table : tables) {
        union.addAll(table.get(set));
      }
      assertThat(new ArrayList<>(found.get(set))).containsExactlyInAnyOrderElementsOf(union);
    }
  }
}
