package ngd.core.simulation;

import java.util.function.IntPredicate;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Local;
import ngd.core.network.Network;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.world.Course;
import ngd.core.world.GradientCount;
import ngd.core.world.Hook;

/**
 * A synchronous algorithm under way.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="simulation"}
 */
public final class Run<S extends Algorithm.State> implements SimulatedRun {
  private final Simulation simulation;
  private final Host host;
  private Course course;
  private Algorithm.Rounds<S> algorithm;
  private SimulatedExchange exchange;
  private final RoundClock clock;
  private final GradientCount gradients;
  private Traffic earlier = Traffic.NONE;
  private S state;

  Run(
      Simulation simulation,
      Algorithm.Rounds<S> algorithm,
      Impairments impairments,
      Host host,
      S state) {
    this.simulation = simulation;
    this.algorithm = algorithm;
    this.host = host;
    this.state = state;
    clock = new RoundClock(impairments, simulation.schedule().clients(), simulation.streams());
    exchange =
        new SimulatedExchange(
            simulation.schedule(), host, simulation.trust(), simulation.streams(), clock);
    Local local = simulation.local(host);
    gradients = simulation.count(local, m -> exchange.rests(m));
    course = new Course(exchange, local, host, simulation.streams(), 0);
  }

  /** The state after the rounds done so far; its rows are overwritten when the run goes on. */
  public S state() {
    return state;
  }

  @Override
  public Cost cost() {
    return new Cost(earlier.plus(exchange.traffic()), gradients.total(), clock.seconds());
  }

  @Override
  public int round() {
    return state.round();
  }

  @Override
  public Rows theta() {
    return state.theta();
  }

  /**
   * What each client that is heard says next of its estimate, link by link, lies among it; valid
   * until the run goes on.
   */
  public Edges said() {
    return exchange.said(state.theta());
  }

  /**
   * Goes on with the same algorithm in another form, such as with another step size: the state
   * stays.
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
            "network: this algorithm keeps something for each link, so its links must stay as they"
                + " are");
      }
    }
    earlier = traffic();
    exchange =
        new SimulatedExchange(network, host, simulation.trust(), simulation.streams(), clock);
    course = course.with(exchange);
  }

  @Override
  public void advance(int rounds, IntPredicate wants, Runnable look) {
    state =
        course.advance(
            algorithm,
            state,
            rounds,
            new Hook<>() {
              @Override
              public boolean shows(int round) {
                return wants.test(round);
              }

              @Override
              public void after(S now) {
                state = now;
                clock.endRound(gradients);
                if (wants.test(now.round())) {
                  look.run();
                }
              }
            });
  }

  @Override
  public void close() {
    host.workers().close();
  }
}
