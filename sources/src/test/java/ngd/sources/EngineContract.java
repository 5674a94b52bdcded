package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
  static List<String> statements(String real, String truth) {
    return List.of(
        "create table t (id integer, x %s, n integer, s varchar(20), b %s)".formatted(real, truth),
        "insert into t values (1, 2.5, 7, 'a', true), (2, null, 3, 'A', false), (3, 0.25, -2, 'it''s', true), (4, 1000, 0, null, null), (5, 10, 2, ' z ', false)");
  }

  static final String CSV =
      """
      id,x,n,s,b
      1,2.5,7,a,true
      2,,3,A,false
      3,0.25,-2,it's,true
      4,1000,0,,
      5,10,2," z ",false
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
              new Column("b", hasBooleans() ? ColumnType.BOOLEAN : ColumnType.NUMBER));
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
}
