package ngd.core.formula;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import ngd.core.formula.FormulaTokens.Kind;
import ngd.core.formula.FormulaTokens.Token;
import org.jspecify.annotations.Nullable;

/**
 * Reads a formula. Outside of function calls {@code + - * : ^} are operators on terms, as in R;
 * inside they are arithmetic.
 */
final class FormulaParser {
  /** {@code (a + b + …)^n} makes no more terms than this many factors of each can. */
  private static final int HIGHEST_POWER = 5;

  /** Calls that are no terms. */
  private static final Set<String> SPECIAL = Set.of("offset", "weights", "strata");

  private final String text;
  private final FormulaTokens tokens;
  private final ExpressionParser expressions;
  private final TermCalls calls;
  private final List<Expression> offsets = new ArrayList<>();
  private final List<Variable> strata = new ArrayList<>();
  private final List<RandomTerm> random = new ArrayList<>();
  private boolean inRandom;
  private @Nullable Expression weights;
  private boolean dot;
  private int depth;

  FormulaParser(String text) {
    this.text = text;
    tokens = new FormulaTokens(text);
    expressions = new ExpressionParser(tokens);
    calls = new TermCalls(tokens, expressions);
  }

  Formula formula() {
    if (tokens.peek().is("~")) {
      throw tokens.unexpected("expected the response before `~`");
    }
    Token first = tokens.peek();
    Survival survival = tokens.isCall() && first.text().equals("Surv") ? survival() : null;
    boolean counted = tokens.isCall() && first.text().equals("cbind");
    Response response =
        survival != null
            ? Response.of(survival.event())
            : counted ? counted() : calls.next() ? factor() : Response.of(expressions.expression());
    tokens.require("~", "between the response and the predictors");
    TermSum sum = sum(true);
    if (tokens.peek().kind() != Kind.END) {
      throw leftOver();
    }
    if (survival == null && !strata.isEmpty()) {
      throw tokens.refusal(first.at(), "`strata` needs a response such as Surv(time, event)");
    }
    if (survival != null && !random.isEmpty()) {
      throw tokens.refusal(
          first.at(), "random terms such as (1 | ward) are not available with Surv(…)");
    }
    return new Formula(
        text,
        response,
        sum,
        dot,
        offsets,
        weight(response),
        Optional.ofNullable(survival),
        strata,
        random,
        expressions.places());
  }

  /** {@code Surv(time, event)} or {@code Surv(start, stop, event)}. */
  private Survival survival() {
    Token name = tokens.take();
    tokens.take();
    List<Expression> arguments = new ArrayList<>();
    do {
      arguments.add(expressions.expression());
    } while (tokens.took(","));
    tokens.require(")", "to close `Surv(`");
    return switch (arguments.size()) {
      case 2 -> new Survival(Optional.empty(), arguments.get(0), arguments.get(1));
      case 3 -> new Survival(Optional.of(arguments.get(0)), arguments.get(1), arguments.get(2));
      default ->
          throw tokens.refusal(
              name.at(),
              "`Surv` takes 2 arguments, time and event, or 3, start, stop and event; found %d"
                  .formatted(arguments.size()));
    };
  }

  /**
   * What is explained.
   *
   * @param trials of which the response is the share of successes; none for other responses
   * @param factor as which the formula writes it, {@code factor(…)} or {@code relevel(…)}
   */
  record Response(Expression expression, Optional<Trials> trials, Optional<Variable> factor) {
    static Response of(Expression expression) {
      return new Response(expression, Optional.empty(), Optional.empty());
    }
  }

  /** {@code factor(y)} or {@code relevel(y, ref = 'a')}: which class a row is of. */
  private Response factor() {
    Token name = tokens.peek();
    Variable variable = calls.variable();
    if (!List.of("factor", "relevel").contains(name.text())) {
      throw tokens.refusal(
          name.at(),
          "`%s` is not available on the left of `~`, where only factor and relevel make classes"
              .formatted(name.text()));
    }
    return new Response(variable.expression(), Optional.empty(), Optional.of(variable));
  }

  /** {@code cbind(successes, failures)}. */
  record Trials(Expression successes, Expression failures) {
    Expression number() {
      return new Expression.Binary(Operator.PLUS, successes, failures);
    }
  }

  /** As R has it: the share of successes, and 0 where there are no trials, which weigh nothing. */
  private Response counted() {
    tokens.take();
    tokens.take();
    Expression successes = expressions.expression();
    if (!tokens.took(",")) {
      throw tokens.unexpected("expected cbind(successes, failures)");
    }
    Trials trials = new Trials(successes, expressions.expression());
    tokens.require(")", "to close `cbind(`");
    Expression none =
        new Expression.Binary(Operator.EQUAL, trials.number(), new Expression.Literal(0));
    Expression share = new Expression.Binary(Operator.DIVIDE, successes, trials.number());
    return new Response(
        new Expression.Call(Function.IFELSE, List.of(none, new Expression.Literal(0), share)),
        Optional.of(trials),
        Optional.empty());
  }

  /** Trials count as often as weights say. */
  private Optional<Expression> weight(Response response) {
    Expression given = weights;
    Optional<Expression> number = response.trials().map(Trials::number);
    if (given == null || number.isEmpty()) {
      return number.or(() -> Optional.ofNullable(given));
    }
    return Optional.of(new Expression.Binary(Operator.TIMES, number.get(), given));
  }

  private RuntimeException leftOver() {
    Token token = tokens.peek();
    if (token.is("/")) {
      return tokens.unexpected("a quotient is written I(a/b), nested terms a + a:b");
    }
    return tokens.unexpected(
        List.of("=", "==", "<", ">", "<=", ">=", "!=", "<>").contains(token.text())
            ? "terms are joined by + - * :, and comparisons go inside I(…)"
            : "terms are joined by + - * :");
  }

  /** {@code top} is the whole right side, whose intercept is there unless taken away. */
  private TermSum sum(boolean top) {
    TermSum sum = top ? new TermSum.One(Term.INTERCEPT) : null;
    boolean minus = false;
    if (tokens.peek().is("+") || tokens.peek().is("-")) {
      minus = tokens.take().is("-");
    }
    do {
      sum = added(sum, minus, top);
      if (!tokens.peek().is("+") && !tokens.peek().is("-")) {
        return sum;
      }
      minus = tokens.take().is("-");
    } while (true);
  }

  private TermSum added(@Nullable TermSum sum, boolean minus, boolean top) {
    Token token = tokens.peek();
    if (token.kind() == Kind.NUMBER) {
      boolean one = token.text().equals("1");
      if (!one && !token.text().equals("0")) {
        throw tokens.unexpected("a number alone must be 1 (with intercept) or 0 (without)");
      }
      if (!top || sum == null) {
        throw tokens.unexpected("the intercept must be outside parentheses");
      }
      tokens.take();
      TermSum intercept = new TermSum.One(Term.INTERCEPT);
      return one == minus ? new TermSum.Minus(sum, intercept) : new TermSum.Plus(sum, intercept);
    }
    if (token.is("(") && tokens.isRandom()) {
      if (!top || minus || sum == null || inRandom) {
        throw tokens.unexpected(
            "a random term such as (1 | ward) must be a term of its own, after +");
      }
      random();
      return sum;
    }
    if (tokens.isCall() && SPECIAL.contains(token.text())) {
      if (!top || minus || sum == null || inRandom) {
        throw tokens.unexpected("`%s` must be a term of its own, after +".formatted(token.text()));
      }
      special();
      return sum;
    }
    TermSum next = cross();
    if (sum == null) {
      if (minus) {
        throw tokens.refusal(token.at(), "there is nothing to remove a term from");
      }
      return next;
    }
    return minus ? new TermSum.Minus(sum, next) : new TermSum.Plus(sum, next);
  }

  /**
   * {@code (1 + x | ward)}: an intercept and slopes that vary between the groups of a factor; with
   * {@code ||} each of them alone, and of {@code a/b} also within the groups of a.
   */
  private void random() {
    Token open = tokens.take();
    boolean dotBefore = dot;
    inRandom = true;
    List<Term> effects = Formula.sorted(sum(true).terms(new LinkedHashSet<>()));
    inRandom = false;
    if (dot && !dotBefore) {
      throw tokens.refusal(open.at(), "`.` may not stand in a random term; name the columns");
    }
    if (effects.isEmpty()) {
      throw tokens.refusal(open.at(), "a random term needs an effect before the bar, such as 1");
    }
    boolean apart = tokens.peek().is("||");
    if (!apart && !tokens.peek().is("|")) {
      throw tokens.unexpected("expected `|` between the effects and the factor of a random term");
    }
    tokens.take();
    List<Variable> factor = new ArrayList<>();
    List<List<Variable>> factors = new ArrayList<>();
    do {
      // As lme4 writes it: the groups of b within those of a are b:a.
      factor.addAll(0, grouping());
      factors.add(List.copyOf(factor));
    } while (tokens.took("/"));
    tokens.require(")", "to close the random term");
    for (List<Variable> one : factors) {
      if (apart) {
        effects.forEach(effect -> random.add(new RandomTerm(List.of(effect), one)));
      } else {
        random.add(new RandomTerm(effects, one));
      }
    }
    if (random.stream().distinct().count() < random.size()) {
      throw tokens.refusal(open.at(), "a random term may be given once");
    }
  }

  /** {@code ward}, or {@code ward:shift} for their combinations. */
  private List<Variable> grouping() {
    List<Variable> factors = new ArrayList<>();
    do {
      Token at = tokens.peek();
      if (at.kind() != Kind.NAME && at.kind() != Kind.QUOTED_NAME) {
        throw tokens.unexpected("expected the factor whose groups vary, such as ward");
      }
      Variable variable = variable();
      if (variable.basis().isPresent()) {
        throw tokens.refusal(at.at(), "`%s` is no factor of groups".formatted(variable.text()));
      }
      factors.add(variable);
    } while (tokens.took(":"));
    return factors;
  }

  private void special() {
    Token name = tokens.take();
    tokens.take();
    if (name.text().equals("strata")) {
      do {
        strata.add(
            Variable.factor(expressions.expression(), true, Optional.empty(), Optional.empty()));
      } while (tokens.took(","));
      tokens.require(")", "to close `strata(`");
      return;
    }
    Expression inside = expressions.expression();
    tokens.require(")", "to close `%s(`".formatted(name.text()));
    if (name.text().equals("offset")) {
      offsets.add(inside);
      return;
    }
    if (weights != null) {
      throw tokens.refusal(name.at(), "`weights` may be given once");
    }
    weights = inside;
  }

  private TermSum cross() {
    TermSum left = interaction();
    while (tokens.took("*")) {
      left = new TermSum.Cross(left, interaction());
    }
    return left;
  }

  private TermSum interaction() {
    TermSum left = power();
    while (tokens.took(":")) {
      left = new TermSum.Interaction(left, power());
    }
    return left;
  }

  private TermSum power() {
    boolean group = tokens.peek().is("(");
    TermSum base = primary();
    if (!tokens.peek().is("^")) {
      return base;
    }
    if (!group) {
      throw tokens.unexpected("`^` of a term crosses it with itself; a power is written I(x^2)");
    }
    tokens.take();
    Token exponent = tokens.peek();
    if (!exponent.text().matches("[1-" + HIGHEST_POWER + "]")) {
      throw tokens.unexpected(
          "the power of a sum of terms must lie in [1, %d]".formatted(HIGHEST_POWER));
    }
    tokens.take();
    TermSum crossed = base;
    for (int n = 1; n < Integer.parseInt(exponent.text()); n++) {
      crossed = new TermSum.Cross(crossed, base);
    }
    return crossed;
  }

  private TermSum primary() {
    Token token = tokens.peek();
    if (token.is("(")) {
      if (++depth > HIGHEST_POWER * 10) {
        throw tokens.unexpected("parentheses are nested too deeply");
      }
      tokens.take();
      TermSum inside = sum(false);
      tokens.require(")", "to close the parenthesis");
      depth--;
      return inside;
    }
    if (token.isWord(".") && !tokens.isCall()) {
      tokens.take();
      dot = true;
      return new TermSum.Others();
    }
    if (token.kind() != Kind.NAME && token.kind() != Kind.QUOTED_NAME) {
      throw tokens.unexpected("expected a term: a column, a function of columns, or `.`");
    }
    return new TermSum.One(Term.of(variable()));
  }

  private Variable variable() {
    return calls.next() ? calls.variable() : Variable.of(expressions.primary());
  }
}
