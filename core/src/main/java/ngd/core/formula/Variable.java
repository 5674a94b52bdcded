package ngd.core.formula;

import java.util.List;
import java.util.Optional;

/**
 * What a term multiplies: an expression, taken as a number, as a factor, or as several functions of
 * a number.
 *
 * @param factor whether {@code factor()} stands around it; text and truth values are factors anyway
 * @param reference the level of the factor that comes first, where the formula names it
 * @param contrasts by which the factor is coded beside its margin
 * @param levels in their order, where the formula gives it; empty where the values do
 * @param basis the functions of the number; none where it stands for itself
 * @param label as R would print it, where that is not the expression
 */
public record Variable(
    Expression expression,
    boolean factor,
    Optional<String> reference,
    Contrasts contrasts,
    List<String> levels,
    Optional<BasisCall> basis,
    Optional<String> label) {

  public Variable {
    levels = List.copyOf(levels);
  }

  static Variable of(Expression expression) {
    return factor(expression, false, Optional.empty(), Optional.empty());
  }

  static Variable factor(
      Expression expression, boolean factor, Optional<String> reference, Optional<String> label) {
    return new Variable(
        expression, factor, reference, Contrasts.LEVELS, List.of(), Optional.empty(), label);
  }

  static Variable basis(Expression expression, BasisCall basis, String label) {
    return new Variable(
        expression,
        false,
        Optional.empty(),
        Contrasts.LEVELS,
        List.of(),
        Optional.of(basis),
        Optional.of(label));
  }

  Variable by(Contrasts other, String named) {
    return new Variable(expression, true, reference, other, levels, basis, Optional.of(named));
  }

  /** The same factor with its levels in an order that is stated; none where it is not. */
  Variable ofLevels(List<String> stated) {
    return new Variable(expression, factor, reference, contrasts, stated, basis, label);
  }

  /** The name before the level in a coefficient's name. */
  public String text() {
    return label.orElseGet(
        () -> factor ? "factor(%s)".formatted(expression.text()) : expression.text());
  }
}
