package ngd.core.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Calls that make several columns, or factors. Oracles: R's names; that B-splines add up to 1, and
 * that natural splines are lines beyond their boundary knots.
 */
class TermCallsTest {
  private static Variable variable(String term) {
    return Formula.parse("y ~ " + term).terms(List.of()).get(1).variables().getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "ns(age,3)                          | ns(age, 3)",
        "bs(log(x), knots=c(1,2.5))         | bs(log(x), knots = c(1, 2.5))",
        "poly(x, 2, raw=T)                  | poly(x, 2, raw = TRUE)",
        "scale(x, center=FALSE)             | scale(x, center = FALSE)",
        "cut(x, c(-Inf,0,1e4))              | cut(x, c(-Inf, 0, 10000))",
        "relevel(g, 'b')                    | relevel(g, ref = \"b\")",
        "relevel(factor(g), ref='b')        | relevel(factor(g), ref = \"b\")",
        "C(g, contr.sum)                    | C(g, contr.sum)"
      })
  void text_anyCall_isAsRPrintsIt(String term, String text) {
    assertThat(variable(term).text()).isEqualTo(text);
  }

  @Test
  void levels_cut_areNamedAsRNamesThem() {
    assertThat(variable("cut(x, c(0, 0.5, 1000, Inf))").levels())
        .containsExactly("(0,0.5]", "(0.5,1e+03]", "(1e+03,Inf]");
    assertThat(variable("cut(x, c(1.2341, 1.2342, 2), right = FALSE)").levels())
        .containsExactly("[1.2341,1.2342)", "[1.2342,2)");
    // Ties go to the even digit, and 0.1235 is held as a little less.
    assertThat(variable("cut(x, c(100.5, 200.5, 300.5, 1000.5))").levels())
        .containsExactly("(100,200]", "(200,300]", "(300,1e+03]");
    assertThat(variable("cut(x, c(2.5e-5, 0.0125, 0.1235, 12345.5, 1000000.5))").levels())
        .containsExactly(
            "(2.5e-05,0.0125]", "(0.0125,0.123]", "(0.123,1.23e+04]", "(1.23e+04,1e+06]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "log(ns(age, df = 2))         | must be a term",
        "ns(age, dg = 2)              | takes df, knots, intercept, Boundary.knots; found `dg`",
        "ns(age, 2, df = 3)           | `df` may be given once",
        "ns(age, df = 0)              | df must be a whole number in [1, 100]",
        "bs(age, df = 2)              | df must be a whole number in [3, 100]",
        "ns(age, knots = c(3, 2))     | must be numbers that rise",
        "ns(age, knots = 9, Boundary.knots = c(1, 5)) | lie between the boundary knots",
        "ns(age, intercept = 1)       | intercept must be TRUE or FALSE",
        "poly(age)                    | needs its degree",
        "poly(age, 1.5)               | degree must be a whole number",
        "scale(age, scale = 0)        | other than 0",
        "cut(age, 4)                  | needs its breaks",
        "cut(age)                     | needs its breaks",
        "C(g, contr.poly)             | must be one of contr.treatment, contr.sum, contr.helmert",
        "C(ns(x, 2), contr.sum)       | makes no factor",
        "relevel(g)                   | before the reference level"
      })
  void parse_wrongCall_saysWhatIsAllowed(String term, String reason) {
    assertThatThrownBy(() -> Formula.parse("y ~ " + term))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(reason);
  }

  @Test
  void splines_anyPoint_addUpToOneAndEndInLines() {
    Basis cubic =
        Basis.given(
            variable("bs(x, knots = c(2, 5), Boundary.knots = c(0, 9), intercept = TRUE)")
                .basis()
                .orElseThrow(),
            "bs");
    double[] values = new double[6];
    for (double x : new double[] {-1, 0, 1.3, 2, 4.9, 5, 9, 11}) {
      cubic.at(x, values);
      double sum = 0;
      for (double value : values) {
        sum += value;
      }
      assertThat(sum).isCloseTo(1, within(1e-12));
    }
    Basis natural =
        Basis.given(
            variable("ns(x, knots = c(2, 5), Boundary.knots = c(0, 9))").basis().orElseThrow(),
            "ns");
    for (double at : new double[] {-2, 0, 9, 12}) {
      double[] before = new double[3];
      double[] here = new double[3];
      double[] after = new double[3];
      double step = 1e-3;
      natural.at(at - step, before);
      natural.at(at, here);
      natural.at(at + step, after);
      for (int j = 0; j < 3; j++) {
        // At the boundary knots themselves the second derivative is 0 too.
        assertThat((before[j] - 2 * here[j] + after[j]) / (step * step)).isCloseTo(0, within(2e-3));
      }
    }
  }

  @Test
  void of_numbersOfABasis_isTheSameAgain() {
    for (String term :
        List.of("ns(x, knots = 3, Boundary.knots = c(0, 9))", "scale(x, center = 2, scale = 3)")) {
      BasisCall call = variable(term).basis().orElseThrow();
      Basis basis = Basis.given(call, term);
      Map<String, List<Double>> numbers = basis.numbers();
      double[] one = new double[basis.columns()];
      double[] other = new double[basis.columns()];
      basis.at(4.4, one);
      Basis.of(call, numbers).at(4.4, other);
      assertThat(other).isEqualTo(one);
    }
  }
}
