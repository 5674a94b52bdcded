package ngd.core.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Oracle: R's model.matrix with treatment contrasts, written out by hand for small cases. */
class DesignTest {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("y", ColumnType.NUMBER),
          new Column("x", ColumnType.NUMBER),
          new Column("f", ColumnType.TEXT),
          new Column("g", ColumnType.NUMBER),
          new Column("b", ColumnType.BOOLEAN));

  private static final Map<String, List<String>> LEVELS =
      Map.of("f", List.of("p", "q", "r"), "g", List.of("1", "2"), "b", List.of("FALSE", "TRUE"));

  private static Design design(String formula) {
    Frame frame = Frame.of(Formula.parse(formula), COLUMNS);
    Map<Variable, List<String>> levels = new HashMap<>();
    frame.factors().forEach(v -> levels.put(v, LEVELS.get(v.expression().columns().getFirst())));
    return Design.of(frame, levels, Map.of(), List.of("north", "south"));
  }

  private static double[] row(Design design, int site, Map<String, Object> values) {
    RowValues row =
        new RowValues() {
          private Object value(int expression) {
            String column = design.frame().scanned().get(expression).columns().getFirst();
            return values.get(column);
          }

          @Override
          public double number(int expression) {
            return (Double) value(expression);
          }

          @Override
          public String text(int expression) {
            return (String) value(expression);
          }
        };
    double[] x = new double[design.coefficients().size()];
    design.expand(row, site, x);
    return x;
  }

  @Test
  void coefficients_factorsWithIntercept_leaveOutTheFirstLevel() {
    Design design = design("y ~ x + f + factor(g) + b");
    assertThat(design.coefficients())
        .containsExactly("(Intercept)", "x", "fq", "fr", "factor(g)2", "bTRUE");
    assertThat(row(design, 0, Map.of("x", 5.0, "f", "r", "g", 2.0, "b", 1.0)))
        .containsExactly(1, 5, 0, 1, 1, 1);
    assertThat(row(design, 0, Map.of("x", 5.0, "f", "p", "g", 1.0, "b", 0.0)))
        .containsExactly(1, 5, 0, 0, 0, 0);
  }

  @Test
  void coefficients_withoutIntercept_codeTheFirstFactorInFull() {
    assertThat(design("y ~ f + factor(g) - 1").coefficients())
        .containsExactly("fp", "fq", "fr", "factor(g)2");
    assertThat(design("y ~ 0 + x + f").coefficients()).containsExactly("x", "fp", "fq", "fr");
  }

  @Test
  void coefficients_interactionOfFactors_varyTheFirstFastest() {
    Design design = design("y ~ f*factor(g)");
    assertThat(design.coefficients())
        .containsExactly("(Intercept)", "fq", "fr", "factor(g)2", "fq:factor(g)2", "fr:factor(g)2");
    assertThat(row(design, 0, Map.of("f", "r", "g", 2.0))).containsExactly(1, 0, 1, 1, 0, 1);
  }

  /** Without f's main effect its margin in f:g is missing, so R codes g in full there. */
  @Test
  void coefficients_interactionWithoutAMargin_codeInFull() {
    assertThat(design("y ~ f + f:factor(g)").coefficients())
        .containsExactly(
            "(Intercept)", "fq", "fr", "fp:factor(g)2", "fq:factor(g)2", "fr:factor(g)2");
    Design slopes = design("y ~ x:f");
    assertThat(slopes.coefficients()).containsExactly("(Intercept)", "x:fp", "x:fq", "x:fr");
    assertThat(row(slopes, 0, Map.of("x", 5.0, "f", "q"))).containsExactly(1, 0, 5, 0);
    assertThat(design("y ~ x*f").coefficients())
        .containsExactly("(Intercept)", "x", "fq", "fr", "x:fq", "x:fr");
  }

  @Test
  void coefficients_chosenReference_standsFirst() {
    Design design = design("y ~ factor(f, ref = 'q')");
    assertThat(design.coefficients()).containsExactly("(Intercept)", "factor(f)p", "factor(f)r");
    assertThat(row(design, 0, Map.of("f", "q"))).containsExactly(1, 0, 0);
    assertThatThrownBy(() -> design("y ~ factor(f, ref = 'z')"))
        .hasMessage(
            "formula: the reference of factor(f) must be one of its levels, p, q, r; got `z`");
  }

  @Test
  void coefficients_site_isAFactorOfTheSites() {
    Design design = design("y ~ x + site");
    assertThat(design.coefficients()).containsExactly("(Intercept)", "x", "sitesouth");
    assertThat(row(design, 1, Map.of("x", 5.0))).containsExactly(1, 5, 1);
    assertThat(design.frame().scanned()).hasSize(2);
  }

  @Test
  void expand_unknownLevel_isRefused() {
    assertThatThrownBy(() -> row(design("y ~ f"), 0, Map.of("f", "z")))
        .hasMessageContaining("a row has `z`");
  }
}
