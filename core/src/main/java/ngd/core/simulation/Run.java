package ngd.core.simulation;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Local;
import ngd.core.network.Network;
import ngd.core.random.Draws;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import ngd.core.world.Diverged;
import ngd.core.world.ShardsLocal;

/** An algorithm under way: advance it, look at it, advance it again. For one thread at a time. */
public final class Run<S extends Algorithm.State> implements AutoCloseable {
  /** Rounds between two looks for divergence: often enough to stop soon, too rarely to cost. */
  private static final int LOOK_EVERY = 16;

  /** Beyond this an estimate is lost; far below overflow, so that no NaN has arisen yet. */
  private static final double BOUND = 1e100;

  private final Host host;
  private final Local local;
  private Simulation simulation;
  private Algorithm.Rounds<S> algorithm;
  private SimulatedExchange exchange;
  private Traffic earlier = Traffic.NONE;
  private S state;

  Run(Simulation simulation, Algorithm.Rounds<S> algorithm, Host host, S state) {
    this.simulation = simulation;
    this.algorithm = algorithm;
    this.host = host;
    exchange =
        new SimulatedExchange(simulation.network(), host, simulation.trust(), simulation.streams());
    local = new ShardsLocal(simulation.objective(), host, simulation.streams(), 0);
    this.state = state;
  }

  /** The state after the rounds done so far; its rows are overwritten when the run goes on. */
  public S state() {
    return state;
  }

  /** What the clients sent each other so far. */
  public Traffic traffic() {
    return earlier.plus(exchange.traffic());
  }

  public int round() {
    return state.round();
  }

  public Rows theta() {
    return state.theta();
  }

  /**
   * Goes on with the same method in another form, such as with another step size: the state stays.
   */
  public void change(Algorithm.Rounds<S> other) {
    algorithm = other;
  }

  /**
   * Goes on over other links: the state stays, so it must hold a row for each client and nothing
   * for each link.
   */
  public void change(Network network) {
    for (Rows rows : state.rows()) {
      if (rows.rows() != network.clients()) {
        throw new InvalidInput(
            "network: `%s` keeps something for each link, so its links must stay as they are"
                .formatted(algorithm.name()));
      }
    }
    Simulation other =
        new Simulation(
            network,
            simulation.objective(),
            simulation.streams(),
            simulation.threads(),
            simulation.trust());
    earlier = traffic();
    exchange = new SimulatedExchange(network, host, other.trust(), other.streams());
    simulation = other;
  }

  /** Does so many more rounds; throws {@link Diverged} once an estimate leaves every bound. */
  public void advance(int rounds) {
    int end = Math.addExact(state.round(), rounds);
    while (state.round() < end) {
      Draws draws = new Draws(simulation.streams(), state.round(), 0);
      state = algorithm.step(state, exchange, local, draws);
      host.recycle(state.rows());
      if (state.round() % LOOK_EVERY == 0) {
        requireFinite();
      }
    }
    requireFinite();
  }

  private void requireFinite() {
    HostRows theta = HostRows.in(state.theta());
    double[] values = theta.values();
    for (int i = 0; i < values.length; i++) {
      if (!(Math.abs(values[i]) < BOUND)) {
        throw new Diverged(state.round(), i / theta.stride());
      }
    }
  }

  @Override
  public void close() {
    host.workers().close();
  }
}
