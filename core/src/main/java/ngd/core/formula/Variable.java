package ngd.core.formula;

import java.util.Optional;

/**
 * What a term multiplies: an expression, taken as numbers or as a factor.
 *
 * @param factor whether {@code factor()} stands around it; text and truth values are factors anyway
 * @param reference the level of the factor that gets no column, where the formula names it
 */
public record Variable(Expression expression, boolean factor, Optional<String> reference) {

  static Variable of(Expression expression) {
    return new Variable(expression, false, Optional.empty());
  }

  /** The name before the level in a coefficient's name. */
  public String text() {
    return factor ? "factor(%s)".formatted(expression.text()) : expression.text();
  }
}
