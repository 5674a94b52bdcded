package ngd.core.formula;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.formula.FormulaTokens.Kind;
import ngd.core.formula.FormulaTokens.Token;

/**
 * Reads the calls that make a variable of a term: {@code factor}, {@code relevel}, {@code C},
 * {@code cut}, {@code ns}, {@code bs}, {@code poly} and {@code scale}, with the arguments that R
 * has.
 */
final class TermCalls {
  static final Set<String> NAMES =
      Set.of("factor", "relevel", "C", "cut", "ns", "bs", "poly", "scale");

  /** No engine needs more, and no reader. */
  private static final int MOST = 100;

  private final FormulaTokens tokens;
  private final ExpressionParser expressions;

  TermCalls(FormulaTokens tokens, ExpressionParser expressions) {
    this.tokens = tokens;
    this.expressions = expressions;
  }

  /** What an argument says, and how it is written. */
  private record Argument(String text, List<Double> numbers, int at) {
    boolean is(boolean value) {
      return text.equals(value ? "TRUE" : "FALSE");
    }
  }

  /** Whether one of these calls comes next. */
  boolean next() {
    return tokens.isCall() && NAMES.contains(tokens.peek().text());
  }

  Variable variable() {
    Token name = tokens.take();
    tokens.take();
    return switch (name.text()) {
      case "factor" -> factor();
      case "relevel" -> relevel(name);
      case "C" -> contrasts(name);
      default -> ofNumber(name);
    };
  }

  private Variable factor() {
    Expression inside = expressions.expression();
    Optional<String> reference = Optional.empty();
    if (tokens.took(",")) {
      Token word = tokens.take();
      if (!word.isWord("ref") || !tokens.took("=")) {
        throw tokens.refusal(word.at(), "only `ref = 'level'` is allowed here");
      }
      reference = Optional.of(level());
    }
    tokens.require(")", "to close `factor(`");
    return Variable.factor(inside, true, reference, Optional.empty());
  }

  private String level() {
    Token level = tokens.peek();
    if (level.kind() != Kind.TEXT && level.kind() != Kind.NUMBER) {
      throw tokens.unexpected("expected the reference level, such as 'none'");
    }
    tokens.take();
    return level.kind() == Kind.TEXT ? level.text() : Levels.text(Double.parseDouble(level.text()));
  }

  /** The factor inside {@code relevel} or {@code C}, which may be a call itself. */
  private Variable inner() {
    if (!next()) {
      return Variable.factor(expressions.expression(), true, Optional.empty(), Optional.empty());
    }
    Token name = tokens.peek();
    Variable inside = variable();
    if (inside.basis().isPresent()) {
      throw tokens.refusal(name.at(), "`%s` makes no factor".formatted(name.text()));
    }
    return inside;
  }

  private static String inside(Variable variable) {
    return variable.label().isEmpty() && variable.factor() && variable.reference().isEmpty()
        ? variable.expression().text()
        : variable.text();
  }

  private Variable relevel(Token name) {
    boolean call = next();
    Variable inside = inner();
    String text = call ? inside.text() : inside(inside);
    tokens.require(",", "before the reference level of `relevel(`");
    if (tokens.isNamed()) {
      Token word = tokens.take();
      if (!word.isWord("ref")) {
        throw tokens.refusal(word.at(), "only `ref = 'level'` is allowed here");
      }
      tokens.take();
    }
    String reference = level();
    tokens.require(")", "to close `%s(`".formatted(name.text()));
    return new Variable(
        inside.expression(),
        true,
        Optional.of(reference),
        inside.contrasts(),
        inside.levels(),
        Optional.empty(),
        Optional.of("relevel(%s, ref = \"%s\")".formatted(text, reference)));
  }

  private Variable contrasts(Token name) {
    boolean call = next();
    Variable inside = inner();
    String text = call ? inside.text() : inside(inside);
    tokens.require(",", "before the contrasts of `C(`");
    Token word = tokens.take();
    Contrasts found =
        Contrasts.named(word.text())
            .orElseThrow(
                () ->
                    tokens.refusal(
                        word.at(),
                        "contrasts must be one of %s; found `%s`%s"
                            .formatted(
                                String.join(", ", Contrasts.words()),
                                word.text(),
                                NearestName.hint(word.text(), Contrasts.words()))));
    tokens.require(")", "to close `%s(`".formatted(name.text()));
    return inside.by(found, "C(%s, %s)".formatted(text, found.word()));
  }

  private Variable ofNumber(Token name) {
    Expression x = expressions.expression();
    List<String> order =
        switch (name.text()) {
          case "ns" -> List.of("df", "knots", "intercept", "Boundary.knots");
          case "bs" -> List.of("df", "knots", "degree", "intercept", "Boundary.knots");
          case "poly" -> List.of("degree", "raw");
          case "scale" -> List.of("center", "scale");
          default -> List.of("breaks", "right");
        };
    Map<String, Argument> given = new LinkedHashMap<>();
    List<String> written = new ArrayList<>(List.of(x.text()));
    int place = 0;
    while (tokens.took(",")) {
      Token at = tokens.peek();
      String key;
      if (tokens.isNamed()) {
        key = tokens.take().text();
        tokens.take();
        if (!order.contains(key)) {
          throw tokens.refusal(
              at.at(),
              "`%s` takes %s; found `%s`%s"
                  .formatted(
                      name.text(), String.join(", ", order), key, NearestName.hint(key, order)));
        }
      } else if (place < order.size()) {
        key = order.get(place++);
      } else {
        throw tokens.unexpected("`%s` takes no more arguments".formatted(name.text()));
      }
      boolean positional = at.at() == tokens.peek().at();
      Argument argument = argument();
      if (given.put(key, argument) != null) {
        throw tokens.refusal(at.at(), "`%s` may be given once".formatted(key));
      }
      written.add(positional ? argument.text() : key + " = " + argument.text());
    }
    tokens.require(")", "to close `%s(`".formatted(name.text()));
    String label = "%s(%s)".formatted(name.text(), String.join(", ", written));
    return switch (name.text()) {
      case "ns", "bs" -> Variable.basis(x, spline(name, given), label);
      case "poly" -> Variable.basis(x, polynomial(name, given), label);
      case "scale" -> Variable.basis(x, scaled(given), label);
      default -> cut(name, x, given, label);
    };
  }

  /** A number, {@code c(…)} of numbers, TRUE or FALSE. */
  private Argument argument() {
    Token at = tokens.peek();
    if (tokens.isCall() && at.text().equals("c")) {
      tokens.take();
      tokens.take();
      List<Double> numbers = new ArrayList<>();
      do {
        numbers.add(number());
      } while (tokens.took(","));
      tokens.require(")", "to close `c(`");
      return new Argument(
          numbers.stream().map(TermCalls::text).collect(Collectors.joining(", ", "c(", ")")),
          numbers,
          at.at());
    }
    if (at.kind() == Kind.NAME && !at.text().equals("Inf")) {
      tokens.take();
      String word =
          switch (at.text()) {
            case "TRUE", "T" -> "TRUE";
            case "FALSE", "F" -> "FALSE";
            default ->
                throw tokens.refusal(
                    at.at(),
                    "expected a number, c(…), TRUE or FALSE; found `%s`".formatted(at.text()));
          };
      return new Argument(word, List.of(), at.at());
    }
    double number = number();
    return new Argument(text(number), List.of(number), at.at());
  }

  private double number() {
    boolean minus = tokens.took("-");
    Token token = tokens.peek();
    double size;
    if (token.isWord("Inf")) {
      size = Double.POSITIVE_INFINITY;
    } else if (token.kind() == Kind.NUMBER) {
      size = Double.parseDouble(token.text());
    } else {
      throw tokens.unexpected("expected a number");
    }
    tokens.take();
    return minus ? -size : size;
  }

  private static String text(double number) {
    return Double.isInfinite(number) ? (number < 0 ? "-Inf" : "Inf") : Levels.text(number);
  }

  private int whole(Argument argument, String what, int least) {
    double value = argument.numbers().size() == 1 ? argument.numbers().getFirst() : Double.NaN;
    if (value != Math.rint(value) || !(value >= least && value <= MOST)) {
      throw tokens.refusal(
          argument.at(),
          "%s must be a whole number in [%d, %d]; found `%s`"
              .formatted(what, least, MOST, argument.text()));
    }
    return (int) value;
  }

  private boolean truth(Map<String, Argument> given, String key, boolean otherwise) {
    Argument argument = given.get(key);
    if (argument == null) {
      return otherwise;
    }
    if (!argument.is(true) && !argument.is(false)) {
      throw tokens.refusal(
          argument.at(), "%s must be TRUE or FALSE; found `%s`".formatted(key, argument.text()));
    }
    return argument.is(true);
  }

  private List<Double> rising(Map<String, Argument> given, String key, int least, int most) {
    Argument argument = given.get(key);
    if (argument == null) {
      return List.of();
    }
    List<Double> numbers = argument.numbers();
    for (int i = 1; i < numbers.size(); i++) {
      if (!(numbers.get(i) > numbers.get(i - 1))) {
        throw tokens.refusal(
            argument.at(),
            "%s must be numbers that rise; found `%s`".formatted(key, argument.text()));
      }
    }
    if (numbers.size() < least || numbers.size() > most) {
      throw tokens.refusal(
          argument.at(),
          "%s must be %d to %d numbers; found `%s`".formatted(key, least, most, argument.text()));
    }
    return numbers;
  }

  private BasisCall spline(Token name, Map<String, Argument> given) {
    boolean natural = name.text().equals("ns");
    boolean intercept = truth(given, "intercept", false);
    int degree =
        natural || !given.containsKey("degree") ? 3 : whole(given.get("degree"), "degree", 1);
    List<Double> knots = rising(given, "knots", 1, MOST);
    List<Double> boundary = rising(given, "Boundary.knots", 2, 2);
    for (double knot : knots) {
      if (Double.isInfinite(knot)
          || (!boundary.isEmpty() && !(knot > boundary.getFirst() && knot < boundary.getLast()))) {
        throw tokens.refusal(
            given.get("knots").at(),
            "knots must be finite and lie between the boundary knots; found `%s`"
                .formatted(text(knot)));
      }
    }
    if (boundary.stream().anyMatch(d -> Double.isInfinite(d))) {
      throw tokens.refusal(given.get("Boundary.knots").at(), "Boundary.knots must be finite");
    }
    int toFind = 0;
    if (knots.isEmpty() && given.containsKey("df")) {
      int least = natural ? (intercept ? 2 : 1) : degree + (intercept ? 1 : 0);
      toFind = whole(given.get("df"), "df", least) - least;
    }
    return new BasisCall.Spline(natural, degree, toFind, knots, boundary, intercept);
  }

  private BasisCall polynomial(Token name, Map<String, Argument> given) {
    Argument degree = given.get("degree");
    if (degree == null) {
      throw tokens.refusal(name.at(), "`poly` needs its degree, such as poly(x, 2)");
    }
    return new BasisCall.Polynomial(whole(degree, "degree", 1), truth(given, "raw", false));
  }

  private BasisCall scaled(Map<String, Argument> given) {
    Argument centre = given.get("center");
    Argument scale = given.get("scale");
    return new BasisCall.Scaled(
        centre == null || centre.is(true),
        single(centre, "center"),
        scale == null || scale.is(true),
        single(scale, "scale"));
  }

  private OptionalDouble single(Argument argument, String what) {
    if (argument == null || argument.is(true) || argument.is(false)) {
      return OptionalDouble.empty();
    }
    if (argument.numbers().size() != 1
        || Double.isInfinite(argument.numbers().getFirst())
        || (what.equals("scale") && argument.numbers().getFirst() == 0)) {
      throw tokens.refusal(
          argument.at(),
          "%s must be TRUE, FALSE or a number%s; found `%s`"
              .formatted(what, what.equals("scale") ? " other than 0" : "", argument.text()));
    }
    return OptionalDouble.of(argument.numbers().getFirst());
  }

  /** Intervals as texts: nested choices that every engine knows, missing outside of all. */
  private Variable cut(Token name, Expression x, Map<String, Argument> given, String label) {
    Argument argument = given.get("breaks");
    if (argument == null || argument.numbers().size() < 2) {
      throw tokens.refusal(
          argument == null ? name.at() : argument.at(),
          "`cut` needs its breaks, at least two, such as cut(age, c(0, 30, 60, Inf)); a number of"
              + " intervals would need the smallest and the largest value");
    }
    List<Double> breaks = rising(given, "breaks", 2, MOST);
    boolean right = truth(given, "right", true);
    List<String> labels = labels(breaks, right);
    Operator beyond = right ? Operator.AT_MOST : Operator.LESS;
    Expression nothing =
        new Expression.Binary(
            Operator.EQUAL,
            new Expression.Binary(
                Operator.DIVIDE, new Expression.Literal(0), new Expression.Literal(0)),
            new Expression.Literal(0));
    Expression text = new Expression.Text("");
    Expression missing = new Expression.Call(Function.IFELSE, List.of(nothing, text, text));
    Expression chosen = missing;
    for (int i = breaks.size() - 1; i >= 0; i--) {
      double limit = breaks.get(i);
      Expression below = i == 0 ? missing : new Expression.Text(labels.get(i - 1));
      if (limit == Double.POSITIVE_INFINITY) {
        chosen = below;
      } else if (limit != Double.NEGATIVE_INFINITY) {
        Expression test = new Expression.Binary(beyond, x, new Expression.Literal(limit));
        chosen = new Expression.Call(Function.IFELSE, List.of(test, below, chosen));
      }
    }
    return new Variable(
        chosen,
        false,
        Optional.empty(),
        Contrasts.LEVELS,
        labels,
        Optional.empty(),
        Optional.of(label));
  }

  /** As R's {@code cut} names intervals: three digits, or as many as tell the breaks apart. */
  private static List<String> labels(List<Double> breaks, boolean right) {
    List<String> names = List.of();
    for (int digits = 3; digits <= 17; digits++) {
      int d = digits;
      names = breaks.stream().map(b -> shown(b, d)).toList();
      if (names.stream().distinct().count() == names.size()) {
        break;
      }
    }
    List<String> labels = new ArrayList<>();
    for (int i = 1; i < names.size(); i++) {
      labels.add((right ? "(%s,%s]" : "[%s,%s)").formatted(names.get(i - 1), names.get(i)));
    }
    return labels;
  }

  /** C's %.{digits}g, which rounds the number as it is held, and a tie to the even digit. */
  private static String shown(double exact, int digits) {
    if (Double.isInfinite(exact) || exact == 0) {
      return text(exact);
    }
    BigDecimal value = new BigDecimal(exact).round(new MathContext(digits, RoundingMode.HALF_EVEN));
    String scientific = String.format(Locale.ROOT, "%." + (digits - 1) + "e", value);
    int e = scientific.indexOf('e');
    int exponent = Integer.parseInt(scientific.substring(e + 1));
    if (exponent < -4 || exponent >= digits) {
      String mantissa = scientific.substring(0, e);
      if (mantissa.contains(".")) {
        mantissa = mantissa.replaceFirst("0+$", "").replaceFirst("\\.$", "");
      }
      return mantissa + scientific.substring(e);
    }
    String plain =
        String.format(Locale.ROOT, "%." + Math.max(0, digits - 1 - exponent) + "f", value);
    return plain.contains(".") ? plain.replaceFirst("0+$", "").replaceFirst("\\.$", "") : plain;
  }

  /** Refuses such a call where an expression is wanted. */
  static Optional<InvalidInput> misplaced(FormulaTokens tokens, Token name) {
    return NAMES.contains(name.text())
        ? Optional.of(
            tokens.refusal(
                name.at(),
                "`%s` must be a term, or part of one after * or :, not inside an expression"
                    .formatted(name.text())))
        : Optional.empty();
  }
}
