package ngd.core.model;

import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.Table;

/** Which responses can be. */
@FunctionalInterface
public interface ResponseRule {
  /** Why a row of some weight cannot have this response, if it cannot. */
  Optional<String> objection(double y, double weight);

  /** Refuses a table with a response that cannot be, naming its line. */
  default void requireResponses(Table table) {
    for (int row = 0; row < table.rows(); row++) {
      Optional<String> objection = objection(table.y(row), 1);
      if (objection.isPresent()) {
        throw new InvalidInput(
            "%s, column `%s`: %s; got %s"
                .formatted(
                    table.place(row), table.responseName(), objection.get(), shown(table.y(row))));
      }
    }
  }

  private static String shown(double y) {
    return y == Math.rint(y) && Math.abs(y) < 1e15 ? Long.toString((long) y) : Double.toString(y);
  }
}
