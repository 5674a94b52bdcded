package ngd.peer;

import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.formula.Formula;
import ngd.core.formula.Frame;
import ngd.core.formula.Variable;

/**
 * Refuses, under a privacy budget, what would show values of the data before the first gradient.
 */
final class PrivacyRules {
  private PrivacyRules() {}

  /** Factors have levels, which sites agree on by telling them. */
  static void requireNoFactors(Formula formula, SiteTable table) {
    Frame frame = Frame.of(formula, table.columns());
    for (Variable factor : frame.factors()) {
      throw new InvalidInput(
          "privacy: works only with numeric columns; the levels of `%s` would be shared without noise"
              .formatted(factor.text()));
    }
    for (Variable basis : frame.bases()) {
      if (!basis.basis().orElseThrow().given()) {
        throw new InvalidInput(
            "privacy: works only where all knots, centres and scales are given; those of `%s` would be found from the data and shared without noise"
                .formatted(basis.text()));
      }
    }
  }
}
