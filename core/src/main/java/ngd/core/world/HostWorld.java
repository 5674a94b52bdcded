package ngd.core.world;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;

/**
 * A world whose rows lie in this process: all of them in a simulation, one in a real peer.
 *
 * @param rows how many clients' rows this process holds
 * @param firstClient the number of the first of them
 */
public record HostWorld(
    Exchange exchange, Local local, Host host, Streams streams, int rows, int firstClient)
    implements World {

  @Override
  public Rows block(double[][] values) {
    return host.of(values);
  }

  @Override
  public <S extends Algorithm.State> S advance(Algorithm.Rounds<S> algorithm, S state, int rounds) {
    S now = state;
    int end = Math.addExact(state.round(), rounds);
    while (now.round() < end) {
      now = algorithm.step(now, exchange, local, new Draws(streams, now.round(), firstClient));
      host.recycle(now.rows());
    }
    return now;
  }

  @Override
  public World in(double[] upper) {
    return new HostWorld(exchange, local.in(upper), host, streams, rows, firstClient);
  }
}
