package ngd.core.world;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/** A round in which all say where they stand and nobody moves, so that clients can judge others. */
public record Listening() implements Algorithm.Rounds<Listening.State> {
  /**
   * What was heard.
   *
   * @param heard what each neighbour said, by link; null before the round
   */
  public record State(int round, Rows theta, @Nullable Edges heard) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return heard == null ? List.of(theta) : List.of(theta, heard.values());
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    return new State(s.round() + 1, s.theta(), exchange.said(s.theta()));
  }
}
