package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import ngd.core.formula.Design;
import ngd.core.formula.RandomTerm;

/**
 * A random term of a mixed model.
 *
 * @param group the factor whose groups have effects of their own
 * @param effects the names of these effects
 * @param sites whether the groups are the sites
 */
public record RandomPart(String group, List<String> effects, boolean sites) {
  public RandomPart {
    effects = List.copyOf(effects);
  }

  /** Those of a design, in the order of its formula. */
  public static List<RandomPart> of(Design design) {
    List<RandomPart> parts = new ArrayList<>();
    List<RandomTerm> terms = design.frame().formula().random();
    for (int k = 0; k < terms.size(); k++) {
      parts.add(
          new RandomPart(
              terms.get(k).group(), design.effects(k), design.frame().groupedBySite(terms.get(k))));
    }
    return parts;
  }

  int columns() {
    return effects.size();
  }

  /** The entries of the relative covariance factor. */
  int parameters() {
    return columns() * (columns() + 1) / 2;
  }
}
