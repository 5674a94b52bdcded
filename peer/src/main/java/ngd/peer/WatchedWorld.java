package ngd.peer;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.world.World;

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

  /** The same asynchronous algorithm, watched. */
  static <S extends Algorithm.State> Algorithm.Events<S> seen(
      Algorithm.Events<S> algorithm, SiteWatch watch) {
    return new SeenEvents<>(algorithm, watch);
  }

  private record SeenEvents<S extends Algorithm.State>(
      Algorithm.Events<S> algorithm, SiteWatch watch) implements Algorithm.Events<S> {
    @Override
    public String name() {
      return algorithm.name();
    }

    @Override
    public S start(Rows theta, Algorithm.Mail mail) {
      return algorithm.start(theta, mail);
    }

    @Override
    public S wake(S s, Algorithm.Mail mail, Local local, Draws draws) {
      S next = algorithm.wake(s, mail, local, draws);
      watch.round(next.round());
      return next;
    }

    @Override
    public S receive(S s, Algorithm.Letter letter, Algorithm.Mail mail) {
      return algorithm.receive(s, letter, mail);
    }

    @Override
    public List<Integer> letterWidths(int parameters) {
      return algorithm.letterWidths(parameters);
    }
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
