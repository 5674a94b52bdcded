package ngd.core.formula;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.NearestName;
import ngd.core.formula.FormulaTokens.Kind;
import ngd.core.formula.FormulaTokens.Token;
import org.jspecify.annotations.Nullable;

/**
 * Reads expressions by recursive descent, one method for each strength of binding, the weakest
 * first.
 */
final class ExpressionParser {
  /** More would overflow the stack before it meant anything. */
  private static final int DEEPEST = 100;

  private final FormulaTokens tokens;
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private int depth;

  ExpressionParser(FormulaTokens tokens) {
    this.tokens = tokens;
  }

  /** Where each column was first named. */
  Map<String, Integer> places() {
    return places;
  }

  Expression expression() {
    if (++depth > DEEPEST) {
      throw tokens.unexpected("parentheses may be nested at most %d deep".formatted(DEEPEST));
    }
    Expression left = conjunction();
    while (tokens.peek().is("|") || tokens.peek().is("||") || tokens.peek().isWord("or")) {
      tokens.take();
      left = new Expression.Binary(Operator.OR, left, conjunction());
    }
    depth--;
    return left;
  }

  private Expression conjunction() {
    Expression left = negation();
    while (tokens.peek().is("&") || tokens.peek().is("&&") || tokens.peek().isWord("and")) {
      tokens.take();
      left = new Expression.Binary(Operator.AND, left, negation());
    }
    return left;
  }

  private Expression negation() {
    if (tokens.peek().is("!") || tokens.peek().isWord("not")) {
      tokens.take();
      return new Expression.Unary(Operator.NOT, negation());
    }
    return comparison();
  }

  private Expression comparison() {
    Expression left = sum();
    Operator operator = comparisonSign(tokens.peek());
    if (operator == null) {
      return left;
    }
    tokens.take();
    return new Expression.Binary(operator, left, sum());
  }

  private static @Nullable Operator comparisonSign(Token token) {
    if (token.kind() != Kind.SYMBOL) {
      return null;
    }
    return switch (token.text()) {
      case "=", "==" -> Operator.EQUAL;
      case "!=", "<>" -> Operator.UNEQUAL;
      case "<" -> Operator.LESS;
      case "<=" -> Operator.AT_MOST;
      case ">" -> Operator.GREATER;
      case ">=" -> Operator.AT_LEAST;
      default -> null;
    };
  }

  private Expression sum() {
    Expression left = product();
    while (tokens.peek().is("+") || tokens.peek().is("-")) {
      Operator operator = tokens.take().is("+") ? Operator.PLUS : Operator.MINUS;
      left = new Expression.Binary(operator, left, product());
    }
    return left;
  }

  private Expression product() {
    Expression left = signed();
    while (tokens.peek().is("*") || tokens.peek().is("/")) {
      Operator operator = tokens.take().is("*") ? Operator.TIMES : Operator.DIVIDE;
      left = new Expression.Binary(operator, left, signed());
    }
    return left;
  }

  private Expression signed() {
    if (tokens.took("-")) {
      return new Expression.Unary(Operator.NEGATE, signed());
    }
    return tokens.took("+") ? signed() : power();
  }

  private Expression power() {
    Expression base = primary();
    return tokens.took("^") ? new Expression.Binary(Operator.POWER, base, signed()) : base;
  }

  /** A name, a call, a literal, or an expression in parentheses. */
  Expression primary() {
    if (tokens.isCall()) {
      return call();
    }
    Token token = tokens.peek();
    return switch (token.kind()) {
      case NAME, QUOTED_NAME -> name();
      case NUMBER -> new Expression.Literal(Double.parseDouble(tokens.take().text()));
      case TEXT -> new Expression.Text(tokens.take().text());
      case SYMBOL, END -> parenthesised();
    };
  }

  private Expression parenthesised() {
    if (!tokens.took("(")) {
      throw tokens.unexpected("expected a column, a number, a text or a function");
    }
    Expression inside = expression();
    tokens.require(")", "to close the parenthesis");
    return inside;
  }

  private Expression name() {
    Token token = tokens.take();
    if (token.isWord(".")) {
      throw tokens.refusal(
          token.at(), "`.` means all other columns and cannot be part of an expression");
    }
    places.putIfAbsent(token.text(), token.at());
    return new Expression.Name(token.text());
  }

  private Expression call() {
    Token name = tokens.take();
    tokens.take();
    TermCalls.misplaced(tokens, name)
        .ifPresent(
            refusal -> {
              throw refusal;
            });
    Function function =
        Function.named(name.text())
            .orElseThrow(
                () ->
                    tokens.refusal(
                        name.at(),
                        "`%s` is not available in formulas%s one of: %s"
                            .formatted(
                                name.text(),
                                NearestName.of(name.text(), Function.names())
                                    .map("; did you mean `%s`?"::formatted)
                                    .orElse(";"),
                                String.join(", ", Function.names()))));
    List<Expression> arguments = new ArrayList<>();
    do {
      arguments.add(expression());
    } while (tokens.took(","));
    tokens.require(")", "to close `%s(`".formatted(name.text()));
    if (arguments.size() != function.arguments()) {
      throw tokens.refusal(
          name.at(),
          "`%s` takes %d argument%s; found %d"
              .formatted(
                  name.text(),
                  function.arguments(),
                  function.arguments() == 1 ? "" : "s",
                  arguments.size()));
    }
    return new Expression.Call(function, arguments);
  }
}
