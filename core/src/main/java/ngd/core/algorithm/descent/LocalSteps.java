package ngd.core.algorithm.descent;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Network gradient descent with several steps between two messages: average what you hear, then
 * descend {@code steps} times on your own data (the paper's local updates; {@link Ngd} is the case
 * of one).
 *
 * @param batch the rows of a mini-batch, a new one for each step, or 0 for all rows
 */
public record LocalSteps(StepSize alpha, int batch, int steps)
    implements Algorithm.Rounds<Ngd.State> {
  public LocalSteps {
    if (steps < 1) {
      throw new InvalidInput("local steps: must be at least 1; got " + steps);
    }
    if (batch < 0) {
      throw new InvalidInput("batch: must be at least 1 row, or 0 for all of them; got " + batch);
    }
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    return new Ngd.State(
        s.round() + 1, descend(exchange.mix(s.theta()), s.round(), local, alpha, batch, steps));
  }

  /** Gradient steps of each client on its own data. */
  static Rows descend(Rows from, int round, Local local, StepSize alpha, int batch, int steps) {
    Rows theta = from;
    for (int i = 0; i < steps; i++) {
      Local data = batch == 0 ? local : local.batch(batch, round * steps + i);
      theta = theta.minus(alpha.at(round), data.gradient(theta));
    }
    return theta;
  }
}
