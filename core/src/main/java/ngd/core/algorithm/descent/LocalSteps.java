package ngd.core.algorithm.descent;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Network gradient descent with several steps between two messages: average what you hear, then
 * descend {@code steps} times on your own data (the paper's local updates; {@link Ngd} is the case
 * of one).
 */
public record LocalSteps(StepSize alpha, LocalDescent descent)
    implements Algorithm.Rounds<Ngd.State> {

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    double step = alpha.at(s.round());
    return new Ngd.State(
        s.round() + 1,
        descent.from(
            exchange.mix(s.theta()), s.round(), local, (at, gradient) -> at.minus(step, gradient)));
  }
}
