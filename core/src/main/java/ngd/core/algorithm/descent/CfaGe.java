package ngd.core.algorithm.descent;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LinkLocal;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Consensus-based federated averaging with gradient exchange (Savazzi, Nicoli and Rampa 2020,
 * section III): as {@link Cfa}, but between consensus and the own step each client also descends
 * along its neighbours' gradients at its model, which they take on their data and send back.
 *
 * <pre>
 * ψ = x + ε (W x − x)
 * s = ρ Σ_k w_mk ∇L_k(ψ) + (1 − ρ) s₋,  the sum itself in the first round
 * φ = ψ − α s
 * x ← φ − α ∇L(φ)
 * </pre>
 *
 * s is the paper's exponentially weighted moving average (MEWMA) of the gradients received; it is
 * linear, so the average over links is smoothed and not each link. The paper sums over neighbours
 * with step sizes of their own; here they are averaged by W, the own gradient with them where W has
 * a weight for it, and take α: then a client counts in s as it does in the mixing, and the target
 * is that of {@link Cfa}. It wants mutual links.
 *
 * @param epsilon the consensus step ε, in (0, 1]
 * @param rho ρ in (0, 1], the weight of what was just received; 1 smooths nothing
 * @param batch the rows of a mini-batch, or 0 for all rows in every round
 */
public record CfaGe(StepSize alpha, double epsilon, double rho, int batch, GradientScales scales)
    implements Algorithm.Rounds<CfaGe.State> {
  public CfaGe {
    Cfa.requireShare(epsilon);
    if (!(rho > 0 && rho <= 1)) {
      throw new InvalidInput(
          "cfa-ge: the weight of new gradients must lie in (0, 1], 1 for all of it; got " + rho);
    }
  }

  /** Less than this of a weight of 1 that was divided among others is none. */
  private static final double ROUNDING = 1e-12;

  /**
   * Where each client stands.
   *
   * @param received s, the neighbours' gradients, smoothed; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows received) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return received == null ? List.of(theta) : List.of(theta, received);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    LinkLocal all = LinkLocal.in(local);
    LinkLocal data = batch == 0 ? all : all.batch(batch, s.round());
    double step = alpha.at(s.round());
    Rows psi = Cfa.consensus(s.theta(), epsilon, exchange);
    Edges answers = exchange.reply(scaled(data.gradient(exchange.hear(psi)), psi.rows()));
    Rows mean = mean(answers, exchange.linkWeights(), psi, data);
    Rows received =
        s.received() == null || rho == 1 ? mean : mean.times(rho).plus(1 - rho, s.received());
    Rows phi = psi.minus(step, received);
    return new State(s.round() + 1, phi.minus(step, scales.times(data.gradient(phi))), received);
  }

  /** By W, own gradients included. */
  private Rows mean(Edges answers, double[] weights, Rows psi, LinkLocal data) {
    Rows others = answers.sum(weights);
    double[] own = new double[psi.rows()];
    for (int m = 0; m < own.length; m++) {
      double given = 0;
      for (int e = answers.first(m); e < answers.first(m + 1); e++) {
        given += weights[e];
      }
      own[m] = 1 - given > ROUNDING ? (1 - given) * scales.of(m) : 0;
    }
    return Arrays.stream(own).allMatch(weight -> weight == 0)
        ? others
        : others.plusEach(own, data.gradient(psi));
  }

  /** Gradients of the hearing client's loss, times that client's scale. */
  private Edges scaled(Edges gradients, int rows) {
    if (scales.areAllOne()) {
      return gradients;
    }
    double[] each = new double[gradients.values().rows()];
    for (int m = 0; m < rows; m++) {
      Arrays.fill(each, gradients.first(m), gradients.first(m + 1), scales.of(m));
    }
    return gradients.with(gradients.values().timesEach(each));
  }

  /** {@code --algorithm cfa-ge}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "cfa-ge",
          "cfa with gradients exchanged too (Savazzi, Nicoli, Rampa 2020)",
          request ->
              new CfaGe(
                  request.step(),
                  request.parameter(0, 0.5),
                  request.parameter(1, 0.99),
                  request.batch(),
                  request.scales()));
      parameters("E", "RHO");
      needs(Need.MUTUAL_LINKS, Need.MEAN_MIXING, Need.LINK_GRADIENTS);
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
      options(Option.BATCH);
    }
  }
}
