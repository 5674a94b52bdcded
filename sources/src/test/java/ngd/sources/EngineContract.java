package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every engine must come to. Oracle: Java's Math on the same five rows; NaN stands for
 * missing.
 */
abstract class EngineContract {
  static final double NA = Double.NaN;
  static final double[] X = {2.5, NA, 0.25, 1000, 10};
  static final double[] N = {7, 3, -2, 0, 2};
  static final @Nullable String[] S = {"a", "A", "it's", null, " z "};
  static final double[] B = {1, 0, 1, NA, 0};

  /** The statements that make the table {@code t} of the five rows. */
  static List<String> statements(String real, String truth, String time) {
    return List.of(
        "create table t (id integer, x %s, n integer, s varchar(20), b %s, d date, ts %s)"
            .formatted(real, truth, time),
        "insert into t values (1, 2.5, 7, 'a', true, '2020-02-29', '2020-02-29 23:59:58.5'), (2,"
            + " null, 3, 'A', false, '1969-12-31', '1969-12-31 12:00:00'), (3, 0.25, -2, 'it''s',"
            + " true, null, null), (4, 1000, 0, null, null, '2023-07-01', '2023-07-01 00:00:00'),"
            + " (5, 10, 2, ' z ', false, '1900-03-01', '1900-03-01 06:30:15')");
  }

  static final String CSV =
      """
      id,x,n,s,b,d,ts
      1,2.5,7,a,true,2020-02-29,2020-02-29 23:59:58.5
      2,,3,A,false,1969-12-31,1969-12-31 12:00:00
      3,0.25,-2,it's,true,,
      4,1000,0,,,2023-07-01,2023-07-01 00:00:00
      5,10,2," z ",false,1900-03-01,1900-03-01 06:30:15
      """;

  abstract SiteTable open();

  /** Whether the engine knows true and false as a type of their own. */
  boolean hasBooleans() {
    return true;
  }

  private static Expression parse(String text) {
    return Formula.parse(text + " ~ 1").response();
  }

  private double[] numbers(String expression) {
    List<Double> found = new ArrayList<>();
    try (SiteTable table = open()) {
      table.scan(List.of(parse(expression)), row -> found.add(row.number(0)));
    }
    return found.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private List<@Nullable String> texts(String expression) {
    List<@Nullable String> found = new ArrayList<>();
    try (SiteTable table = open()) {
      table.scan(List.of(parse(expression)), row -> found.add(row.text(0)));
    }
    return found;
  }

  private void expect(String expression, double... expected) {
    double[] found = numbers(expression);
    assertThat(found).as(expression).hasSize(expected.length);
    for (int i = 0; i < expected.length; i++) {
      if (Double.isNaN(expected[i])) {
        assertThat(found[i]).as("%s, row %d", expression, i).isNaN();
      } else {
        assertThat(found[i])
            .as("%s, row %d", expression, i)
            .isCloseTo(expected[i], within(1e-13 * Math.max(1, Math.abs(expected[i]))));
      }
    }
  }

  private static double[] each(double[] values, java.util.function.DoubleUnaryOperator f) {
    return Arrays.stream(values).map(f).toArray();
  }

  @Test
  void columns_ofTheFiveRows_haveTheirTypes() {
    try (SiteTable table = open()) {
      assertThat(table.columns())
          .containsExactly(
              new Column("id", ColumnType.NUMBER),
              new Column("x", ColumnType.NUMBER),
              new Column("n", ColumnType.NUMBER),
              new Column("s", ColumnType.TEXT),
              new Column("b", hasBooleans() ? ColumnType.BOOLEAN : ColumnType.NUMBER),
              new Column("d", ColumnType.DATE),
              new Column("ts", ColumnType.TIME));
    }
  }

  @Test
  void scan_arithmetic_isRealAndKeepsMissing() {
    expect("x", X);
    expect("n", N);
    expect("n/2", 3.5, 1.5, -1, 0, 1);
    expect("1/2 + 0*n", 0.5, 0.5, 0.5, 0.5, 0.5);
    expect("-n^2", -49, -9, -4, 0, -4);
    expect("power(n, 3)", 343, 27, -8, 0, 8);
    expect("(x + n)*2 - 1", 18, NA, -4.5, 1999, 23);
    expect("2000000000 + n*1000000000000", each(N, n -> 2e9 + n * 1e12));
  }

  @Test
  void scan_functions_areThoseOfMath() {
    expect("log(1 + x*x)", each(X, x -> Math.log(1 + x * x)));
    expect("ln(x)", each(X, Math::log));
    expect("log10(x)", each(X, Math::log10));
    expect("log2(x)", each(X, x -> Math.log(x) / Math.log(2)));
    expect("log1p(x)", each(X, x -> Math.log(1 + x)));
    expect("exp(n/10)", each(N, n -> Math.exp(n / 10)));
    expect("expm1(n)", each(N, n -> Math.exp(n) - 1));
    expect("sqrt(x)", each(X, Math::sqrt));
    expect("abs(n)", each(N, Math::abs));
    expect("sign(n)", each(N, Math::signum));
    expect("floor(x)", each(X, Math::floor));
    expect("ceiling(x)", each(X, Math::ceil));
    expect("sin(n)", each(N, Math::sin));
    expect("cos(n)", each(N, Math::cos));
    expect("tan(n)", each(N, Math::tan));
    expect("pmin(x, n)", 2.5, NA, -2, 0, 2);
    expect("pmax(x, n)", 7, NA, 0.25, 1000, 10);
  }

  @Test
  void scan_comparisonAndLogic_areThreeValued() {
    expect("n > 2", 1, 1, 0, 0, 0);
    expect("s = 'a'", 1, 0, 0, NA, 0);
    expect("s == \"it's\"", 0, 0, 1, NA, 0);
    expect("s != 'a'", 0, 1, 1, NA, 1);
    expect("x > 1 and n > 2", 1, NA, 0, 0, 0);
    expect("x > 1 or n > 2", 1, 1, 0, 1, 1);
    expect("not (n > 2)", 0, 0, 1, 1, 1);
    expect("is.na(x)", 0, 1, 0, 0, 0);
    expect("coalesce(x, 0)", 2.5, 0, 0.25, 1000, 10);
    expect("ifelse(is.na(s), 9, n)", 7, 3, -2, 9, 2);
    expect("(n > 2)*n + (s = 'a')", 8, 3, 0, NA, 0);
    if (hasBooleans()) {
      expect("b", B);
      expect("not b", 0, 1, 0, NA, 1);
    }
  }

  @Test
  void scan_texts_areKeptToTheLetter() {
    assertThat(texts("s")).containsExactly(S);
    assertThat(texts("lower(s)")).containsExactly("a", "a", "it's", null, " z ");
    assertThat(texts("upper(trim(s))")).containsExactly("A", "A", "IT'S", null, "Z");
    assertThat(texts("ifelse(n > 2, 'it''s', s)"))
        .containsExactly("it's", "it's", "it's", null, " z ");
  }

  /** Texts are bound at every place they stand in, whatever the order of evaluation. */
  @Test
  void scan_severalTexts_areBoundInOrder() {
    expect("ifelse(s = 'a', 1, ifelse(s = 'A', 2, ifelse(s = ' z ', 3, 4)))", 1, 2, 4, NA, 3);
  }

  @Test
  void scan_whatIsNotFinite_isRefusedByName() {
    for (String expression : List.of("log(n)", "1/n", "sqrt(n)", "log10(n)", "log1p(n)")) {
      assertThatThrownBy(() -> numbers(expression))
          .as(expression)
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("site here: " + parse(expression).text())
          .hasMessageContaining("is not finite in row");
    }
  }

  /** Oracle: R (oracles/dates_oracle.R). */
  @Test
  void scan_datesAndTimes_areWhatRMakesOfThem() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../oracles/dates/values.csv"));
    assertThat(lines).hasSizeGreaterThan(30);
    for (String line : lines) {
      List<String> fields = List.of(line.split(";"));
      String expression = fields.getFirst();
      List<String> values = fields.subList(1, fields.size());
      if (expression.startsWith("weekdays") || expression.startsWith("months")) {
        assertThat(texts(expression).stream().map(String::valueOf).toList())
            .as(expression)
            .isEqualTo(values.stream().map(v -> v.equals("NA") ? "null" : v).toList());
      } else {
        expect(
            expression,
            values.stream()
                .mapToDouble(v -> v.equals("NA") ? NA : Double.parseDouble(v))
                .toArray());
      }
    }
  }

  @Test
  void scan_textsThatSayDates_areDates() {
    expect("as.numeric(as.Date(ifelse(n > 2, '2020-03-01', '1970-01-02')))", 18322, 18322, 1, 1, 1);
    assertThatThrownBy(() -> numbers("as.numeric(as.Date(ifelse(n > 2, 'May', '1970-01-02')))"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("is not finite in row 1")
        .hasMessageContaining("a text that is not a date?");
  }
}
