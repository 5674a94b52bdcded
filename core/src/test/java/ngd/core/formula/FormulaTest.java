package ngd.core.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: R's terms.formula, whose rules (docs/sources.md) were worked out by hand per case. */
class FormulaTest {
  private static final List<String> COLUMNS = List.of("y", "a", "b", "c", "fixed acidity");

  private static String terms(String formula) {
    return String.join(
        " | ", Formula.parse(formula).terms(COLUMNS).stream().map(Term::toString).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "y ~ a; (Intercept) | a",
        "y ~ a + b - 1; a | b",
        "y ~ 0 + a; a",
        "y ~ a - 1 + 1; a | (Intercept)",
        "y ~ a*b; (Intercept) | a | b | a:b",
        "y ~ a:b + a; (Intercept) | a | a:b",
        "y ~ a + b:a + a:b; (Intercept) | a | b:a",
        "y ~ a*b*c - a:b:c; (Intercept) | a | b | c | a:b | a:c | b:c",
        "y ~ (a + b + c)^2; (Intercept) | a | b | c | a:b | a:c | b:c",
        "y ~ (a + b):c; (Intercept) | a:c | b:c",
        "y ~ a*b:c; (Intercept) | a | b:c | a:b:c",
        "y ~ .; (Intercept) | a | b | c | `fixed acidity`",
        "y ~ . - c; (Intercept) | a | b | `fixed acidity`",
        "log(y + a) ~ .; (Intercept) | b | c | `fixed acidity`",
        "y ~ . + offset(log(c)) + weights(b); (Intercept) | a | `fixed acidity`",
        "y ~ `fixed acidity`; (Intercept) | `fixed acidity`",
        "y ~ factor(a, ref = 'x'):b; (Intercept) | factor(a):b",
        "y ~ 1; (Intercept)"
      })
  void terms_everyOperator_areThoseOfR(String formula, String expected) {
    String found = terms(formula);
    assertThat(List.of(found.split(" \\| ", -1)))
        .containsExactlyInAnyOrder(expected.split(" \\| ", -1));
    if (!formula.contains("- 1 + 1")) {
      assertThat(found).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "log(1+x); log(1 + x)",
        "I(x*x); I(x * x)",
        "I(x^2); I(x^2)",
        "I( -x^2 ); I(-x^2)",
        "I((a+b)*c); I((a + b) * c)",
        "I(a-(b-c)); I(a - (b - c))",
        "I((a-b)-c); I(a - b - c)",
        "I((a^b)^c); I((a^b)^c)",
        "I(a^b^c); I(a^b^c)",
        "I((-a)^2); I((-a)^2)",
        "I(a/b); I(a/b)",
        "I(a>3 & !(b=='q')); I(a > 3 and not b = \"q\")",
        "ifelse(is.na(a), 0, a); ifelse(is.na(a), 0, a)",
        "I(`fixed acidity`*0.50); I(`fixed acidity` * 0.5)"
      })
  void text_ofAVariable_isWhatRPrints(String variable, String expected) {
    assertThat(terms("y ~ " + variable)).isEqualTo("(Intercept) | " + expected);
    assertThat(terms("y ~ " + expected)).isEqualTo("(Intercept) | " + expected);
  }

  @Test
  void parse_responseExpression_mayCompare() {
    Formula formula = Formula.parse("income = '>50K' ~ age + log(1 + gain)");
    assertThat(formula.response().text()).isEqualTo("income = \">50K\"");
    assertThat(formula.columns()).containsExactly("income", "age", "gain");
  }

  /** The caret stands two blanks and the place's columns to the right. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "y ~ a + ); 8; expected a term",
        "y ~ a +; 7; expected a term",
        "~ a; 0; expected the response before",
        "y a; 2; expected `~`",
        "y ~ lgo(a); 4; did you mean `log`",
        "y ~ log(a; 9; to close `log(`",
        "y ~ log(a, b); 4; takes 1 argument; found 2",
        "y ~ a / b; 6; I(a/b)",
        "y ~ a^2; 5; I(x^2)",
        "y ~ 'a; 4; is never closed",
        "y ~ a > 3; 6; inside I(…)",
        "y ~ 2*a; 4; must be 1 (with intercept) or 0",
        "y ~ a $ b; 6; is not allowed",
        "y ~ I(. + 1); 6; means all other columns",
        "y ~ factor(a, levels = 3); 14; ref = 'level'",
        "y ~ weights(a) + weights(b); 17; may be given once",
        "y ~ a - offset(b); 8; a term of its own",
        "y ~ 1e999; 4; too large"
      })
  void parse_whatIsNoFormula_showsACaretUnderThePlace(String formula, int place, String why) {
    assertThatThrownBy(() -> Formula.parse(formula))
        .isInstanceOf(InvalidInput.class)
        .satisfies(
            e -> {
              List<String> lines = e.getMessage().lines().toList();
              assertThat(lines).hasSize(3);
              assertThat(lines.get(0)).startsWith("formula: ").contains(why);
              assertThat(lines.get(1)).isEqualTo("  " + formula);
              assertThat(lines.get(2)).isEqualTo(" ".repeat(place + 2) + "^");
            });
  }

  /** A formula comes from elsewhere: whatever is not in the grammar never reaches an engine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "y ~ read_csv('/etc/passwd')",
        "y ~ I((select 1))",
        "y ~ a; drop table t",
        "y ~ I(a) -- b",
        "y ~ pg_read_file(a)",
        "y ~ I(a::text)",
        "y ~ I(t.a[1])",
        "y ~ I(a || b)",
        "y ~ I(load_extension('x'))",
        "y ~ getenv('HOME')"
      })
  void parse_sqlBeyondExpressions_isRefusedOrOnlyNames(String formula) {
    try {
      Formula parsed = Formula.parse(formula);
      // What parses is names, operators and listed functions; the types then refuse the rest.
      assertThat(parsed.terms(COLUMNS)).isNotEmpty();
      assertThatThrownBy(() -> Frame.of(parsed, List.of(new Column("y", ColumnType.NUMBER))))
          .isInstanceOf(InvalidInput.class);
    } catch (InvalidInput refused) {
      assertThat(refused).hasMessageContaining("^");
    }
  }

  @Test
  void of_columnsWithBlanks_areBackquoted() {
    Formula formula = Formula.of("fixed acidity", List.of("a", "x`y"), false);
    assertThat(formula.text()).isEqualTo("`fixed acidity` ~ a + `x``y` + 0");
    assertThat(formula.columns()).containsExactly("fixed acidity", "a", "x`y");
  }

  @Test
  void type_wrongOperands_areNamed() {
    List<Column> columns =
        List.of(
            new Column("y", ColumnType.NUMBER),
            new Column("s", ColumnType.TEXT),
            new Column("o", ColumnType.OTHER),
            new Column("t", ColumnType.TIME),
            new Column("d", ColumnType.DATE));
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ log(s)"), columns))
        .hasMessage("formula: in `log(s)`, s must be a number; it holds text");
    assertThatThrownBy(() -> Frame.of(Formula.parse("s ~ y"), columns))
        .hasMessageContaining("the response must be a number")
        .hasMessageContaining("write `s = 'a level'`");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ o"), columns))
        .hasMessageContaining("the column o cannot be used: it holds values that formulas cannot");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ log(d)"), columns))
        .hasMessage(
            "formula: in `log(d)`, d holds dates; write as.numeric(d) for the number of days since"
                + " 1970");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ I(2*t)"), columns))
        .hasMessageContaining("write as.numeric(t) for the number of seconds since 1970");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ I(d + d)"), columns))
        .hasMessageContaining("d holds dates");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ I(d - t)"), columns))
        .hasMessageContaining("d holds dates");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ I(d < t)"), columns))
        .hasMessageContaining("one holds dates, the other dates with times");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ I(d < s)"), columns))
        .hasMessageContaining("both sides must hold the same");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ I(d < '2020-02-30')"), columns))
        .hasMessageContaining("\"2020-02-30\" must be a date such as '2020-03-01'");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ I(as.Date('May') - d)"), columns))
        .hasMessageContaining("must be a date such as '2020-03-01'");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ hour(d)"), columns))
        .hasMessage("formula: in `hour(d)`, d must be a time; it holds dates");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ year(y)"), columns))
        .hasMessageContaining("y must be a date or a time; it holds numbers");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y = s ~ 1"), columns))
        .hasMessageContaining("both sides must hold the same");
    assertThatThrownBy(() -> Frame.of(Formula.parse("y ~ 0"), columns))
        .hasMessageContaining("at least one term");
  }

  /** Oracle: lme4's findbars() of the same formulas. */
  @ParameterizedTest
  @CsvSource({
    "y ~ x + (1 | g), (1 | g)",
    "y ~ x + (x | g), (1 + x | g)",
    "y ~ (0 + x | g) + x, (0 + x | g)",
    "y ~ (x - 1 | g), (0 + x | g)",
    "y ~ x + (x || g), (1 | g) (0 + x | g)",
    "y ~ (1 | a/b), (1 | a) (1 | b:a)",
    "y ~ (1 | a/b/c), (1 | a) (1 | b:a) (1 | c:b:a)",
    "y ~ (x | a:b) + (1 | site), (1 + x | a:b) (1 | site)",
    "y ~ (x * z | g), (1 + x + z + x:z | g)"
  })
  void random_termsOfLme4_areItsBars(String formula, String bars) {
    assertThat(
            Formula.parse(formula).random().stream()
                .map(RandomTerm::text)
                .collect(Collectors.joining(" ")))
        .isEqualTo(bars);
    assertThat(Formula.parse(formula).withoutRandom().random()).isEmpty();
  }
}
