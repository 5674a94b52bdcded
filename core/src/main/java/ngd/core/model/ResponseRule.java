package ngd.core.model;

import java.util.Optional;

/** Which responses can be. */
@FunctionalInterface
public interface ResponseRule {
  /** Why a row of some weight cannot have this response, if it cannot. */
  Optional<String> objection(double y, double weight);
}
