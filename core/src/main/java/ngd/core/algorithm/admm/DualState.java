package ngd.core.algorithm.admm;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Where each client stands, and what its links have pulled it by so far.
 *
 * @param dual the sum of a client's duals; null before the first round
 */
public record DualState(int round, Rows theta, @Nullable Rows dual) implements Algorithm.State {
  @Override
  public List<Rows> rows() {
    return dual == null ? List.of(theta) : List.of(theta, dual);
  }
}
