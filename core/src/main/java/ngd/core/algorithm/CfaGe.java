package ngd.core.algorithm;

import java.util.Arrays;
import ngd.core.linalg.Edges;
import ngd.core.linalg.Rows;
import ngd.core.random.Draws;

/**
 * Consensus-based federated averaging with gradient exchange (Savazzi, Nicoli and Rampa 2020,
 * section III-B): as {@link Cfa}, but between consensus and the own step each client also descends
 * along the mean of its neighbours' gradients at its model, which they take on their data and send
 * back: ψ = x + ε (W x − x); φ = ψ − α · mean ∇L_k(ψ) over the neighbours k; x ← φ − α ∇L(φ). It
 * wants mutual links.
 *
 * @param epsilon the consensus step ε, in (0, 1]
 * @param batch the rows of a mini-batch, or 0 for all rows in every round
 */
public record CfaGe(StepSize alpha, double epsilon, int batch, GradientScales scales)
    implements Algorithm.Rounds<Ngd.State> {
  public CfaGe {
    Cfa.requireShare(epsilon);
  }

  @Override
  public String name() {
    return "cfa-ge";
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    double step = alpha.at(s.round());
    Rows psi = Cfa.consensus(s.theta(), epsilon, exchange);
    Edges answers = exchange.reply(scaled(data.gradient(exchange.hear(psi)), psi.rows()));
    double[] perLink = new double[psi.rows()];
    Arrays.setAll(perLink, m -> 1.0 / Math.max(1, answers.first(m + 1) - answers.first(m)));
    Rows phi = psi.minus(step, answers.sum().timesEach(perLink));
    return new Ngd.State(s.round() + 1, phi.minus(step, scales.times(data.gradient(phi))));
  }

  /** Gradients of the hearing client's loss, times that client's scale. */
  private Edges scaled(Edges gradients, int rows) {
    double[] each = new double[gradients.values().rows()];
    for (int m = 0; m < rows; m++) {
      Arrays.fill(each, gradients.first(m), gradients.first(m + 1), scales.of(m));
    }
    return gradients.with(gradients.values().timesEach(each));
  }
}
