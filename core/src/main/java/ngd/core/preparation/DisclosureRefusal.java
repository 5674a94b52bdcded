package ngd.core.preparation;

import java.util.List;
import ngd.core.InvalidInput;

/**
 * A question that sites refuse by their own rules. All sites come to it alike; why is known where
 * the rules are, and how many sites object everywhere.
 */
public final class DisclosureRefusal extends InvalidInput {
  private static final long serialVersionUID = 1;

  private final String known;

  DisclosureRefusal(int objecting, int sites, List<String> reasons) {
    super(
        reasons.isEmpty()
            ? known(objecting, sites)
            : "%s%n%s".formatted(known(objecting, sites), String.join("\n", reasons)));
    known = known(objecting, sites);
  }

  private static String known(int objecting, int sites) {
    return "disclosure: every site's own rules must allow the question; %d of %d sites %s. What often helps: merge small categories, drop a term, take fewer times or those of an earlier answer, or, where an earlier question left out other rows, ask on common rows by offset(0 * COVARIATE)"
        .formatted(objecting, sites, objecting == 1 ? "objects" : "object");
  }

  /** What everybody may know of it. */
  public String known() {
    return known;
  }
}
