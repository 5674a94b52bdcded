package ngd.core.algorithm;

import ngd.core.linalg.Rows;
import ngd.core.random.Draws;

/**
 * Decentralized gradient descent: average what you hear, and descend along the gradient at your own
 * point (Yuan, Ling and Yin 2016): x ← W x − α ∇L(x).
 */
public record Dgd(StepSize alpha, GradientScales scales) implements Algorithm.Rounds<Ngd.State> {

  @Override
  public String name() {
    return "dgd";
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Rows gradient = scales.times(local.gradient(s.theta()));
    return new Ngd.State(
        s.round() + 1, exchange.mix(s.theta()).minus(alpha.at(s.round()), gradient));
  }
}
