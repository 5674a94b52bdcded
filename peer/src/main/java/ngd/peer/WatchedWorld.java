package ngd.peer;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.World;
import ngd.core.linalg.Edges;
import ngd.core.linalg.Rows;
import ngd.core.random.Draws;

/** A peer's world, in which somebody sees how the rounds go. */
record WatchedWorld(World world, SiteWatch watch) implements World {
  @Override
  public Exchange exchange() {
    return world.exchange();
  }

  @Override
  public Local local() {
    return world.local();
  }

  @Override
  public int rows() {
    return world.rows();
  }

  @Override
  public Rows block(double[][] rows) {
    return world.block(rows);
  }

  @Override
  public <S extends Algorithm.State> S advance(Algorithm.Rounds<S> algorithm, S state, int rounds) {
    return world.advance(new Seen<>(algorithm, watch), state, rounds);
  }

  @Override
  public World in(double[] upper) {
    return new WatchedWorld(world.in(upper), watch);
  }

  /** The same algorithm, watched. */
  private record Seen<S extends Algorithm.State>(Algorithm.Rounds<S> algorithm, SiteWatch watch)
      implements Algorithm.Rounds<S> {
    @Override
    public String name() {
      return algorithm.name();
    }

    @Override
    public S start(Rows theta) {
      return algorithm.start(theta);
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
