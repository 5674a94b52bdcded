package ngd.peer;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.World;
import ngd.core.linalg.Edges;
import ngd.core.linalg.Rows;
import ngd.core.random.Draws;

/**
 * The world of a peer's program as the pooled fit knows worlds: any number of rounds from any
 * state, each call a stage that a restarted peer finds done or goes on with.
 */
record ProgramWorld(Program.World peer, Local local, SiteWatch watch) implements World {
  @Override
  public Exchange exchange() {
    return peer.exchange();
  }

  @Override
  public int rows() {
    return 1;
  }

  @Override
  public Rows block(double[][] rows) {
    return peer.host().of(rows);
  }

  @Override
  public <S extends Algorithm.State> S advance(Algorithm.Rounds<S> algorithm, S state, int rounds) {
    return peer.advance(
        new From<>(algorithm, state, watch),
        local,
        state.theta().row(0),
        Math.addExact(state.round(), rounds));
  }

  @Override
  public World in(double[] upper) {
    return new ProgramWorld(peer, local.in(upper), watch);
  }

  /** An algorithm that begins where it was left, watched. */
  private record From<S extends Algorithm.State>(
      Algorithm.Rounds<S> algorithm, S state, SiteWatch watch) implements Algorithm.Rounds<S> {
    @Override
    public String name() {
      return algorithm.name();
    }

    @Override
    public S start(Rows theta) {
      return state;
    }

    @Override
    public S step(S s, Exchange exchange, Local local, Draws draws) {
      S next = algorithm.step(s, new Watched(exchange, watch), local, draws);
      watch.round(next.round());
      return next;
    }
  }

  /** Sees how far apart neighbours are. */
  private record Watched(Exchange exchange, SiteWatch watch) implements Exchange {
    @Override
    public Rows mix(Rows x) {
      Rows mixed = exchange.mix(x);
      watch.mixed(x, mixed);
      return mixed;
    }

    @Override
    public Rows push(Rows x) {
      return exchange.push(x);
    }

    @Override
    public Edges hear(Rows x) {
      return exchange.hear(x);
    }

    @Override
    public Edges reply(Edges x) {
      return exchange.reply(x);
    }

    @Override
    public double[] total(double[]... perRow) {
      return exchange.total(perRow);
    }

    @Override
    public double max(double... perRow) {
      return exchange.max(perRow);
    }
  }
}
