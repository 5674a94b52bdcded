package ngd.app.bench;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;

/**
 * Counts the numbers that clients make in order to send them: what goes to all listeners alike
 * counts once, what goes along one link alone counts for that link.
 */
final class MadeVectors implements Exchange {
  private final Exchange exchange;
  private long numbers;

  private MadeVectors(Exchange exchange) {
    this.exchange = exchange;
  }

  /**
   * The vectors of the method's width that a client makes in a round, on average; not in the first,
   * in which methods also find out what they need to know.
   */
  static <S extends Algorithm.State> double in(Simulation simulation, Algorithm.Rounds<S> method) {
    long[] numbers = new long[1];
    Algorithm.Rounds<S> counted =
        new Algorithm.Rounds<>() {
          @Override
          public S start(Rows theta) {
            return method.start(theta);
          }

          @Override
          public S step(S state, Exchange exchange, Local local, Draws draws) {
            MadeVectors counting = new MadeVectors(exchange);
            S next = method.step(state, counting, local, draws);
            numbers[0] = counting.numbers;
            return next;
          }
        };
    try (Run<S> run = simulation.start(counted)) {
      run.advance(2);
      return (double) numbers[0] / run.theta().rows() / run.theta().width();
    }
  }

  private Rows made(Rows x) {
    numbers += (long) x.rows() * x.width();
    return x;
  }

  @Override
  public Rows mix(Rows x) {
    return exchange.mix(made(x));
  }

  @Override
  public Rows mix(Rows own, CodedRows said) {
    return exchange.mix(made(own), said);
  }

  @Override
  public Rows push(Rows x) {
    return exchange.push(made(x));
  }

  @Override
  public Edges hear(Rows x) {
    return exchange.hear(made(x));
  }

  @Override
  public Edges reply(Edges x) {
    made(x.values());
    return exchange.reply(x);
  }

  @Override
  public double[] linkWeights() {
    return exchange.linkWeights();
  }

  @Override
  public double[] total(double[]... perRow) {
    numbers += (long) perRow.length * perRow[0].length;
    return exchange.total(perRow);
  }

  @Override
  public double[] total(Rows x) {
    return exchange.total(made(x));
  }

  @Override
  public double max(double... perRow) {
    numbers += perRow.length;
    return exchange.max(perRow);
  }
}
