package ngd.core.formula;

import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code (1 + x | ward)}: effects that every group of rows has of its own, drawn from a common
 * normal distribution.
 *
 * @param effects the terms that vary, by rising order
 * @param factors the groups are the combinations of their levels, within a site
 */
public record RandomTerm(List<Term> effects, List<Variable> factors) {
  public RandomTerm {
    effects = List.copyOf(effects);
    factors = List.copyOf(factors);
  }

  /** What the groups are called: {@code ward}, or {@code ward:shift}. */
  public String group() {
    return factors.stream()
        .map(factor -> factor.expression().text())
        .collect(Collectors.joining(":"));
  }

  /** Whether the level of the response is among what varies. */
  public boolean varyingLevel() {
    return effects.contains(Term.INTERCEPT);
  }

  /** As lme4 writes it. */
  public String text() {
    return "(%s | %s)"
        .formatted(
            (varyingLevel() ? "1" : "0")
                + effects.stream()
                    .filter(effect -> !effect.equals(Term.INTERCEPT))
                    .map(effect -> " + " + effect)
                    .collect(Collectors.joining()),
            group());
  }
}
