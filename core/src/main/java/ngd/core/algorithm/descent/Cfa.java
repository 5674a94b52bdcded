package ngd.core.algorithm.descent;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Consensus-based federated averaging (Savazzi, Nicoli and Rampa 2020, section III): move by a
 * share ε towards what you hear, then descend there: ψ = x + ε (W x − x); x ← ψ − α ∇L(ψ).
 *
 * @param epsilon the consensus step ε, in (0, 1]
 * @param batch the rows of a mini-batch, or 0 for all rows in every round
 */
public record Cfa(StepSize alpha, double epsilon, int batch, GradientScales scales)
    implements Algorithm.Rounds<Ngd.State> {
  public Cfa {
    requireShare(epsilon);
  }

  static void requireShare(double epsilon) {
    if (!(epsilon > 0 && epsilon <= 1)) {
      throw new InvalidInput(
          "cfa: the consensus step must lie in (0, 1], it is a share of the way; got " + epsilon);
    }
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Rows psi = consensus(s.theta(), epsilon, exchange);
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    return new Ngd.State(
        s.round() + 1, psi.minus(alpha.at(s.round()), scales.times(data.gradient(psi))));
  }

  /** x + ε (W x − x). */
  static Rows consensus(Rows x, double epsilon, Exchange exchange) {
    return x.times(1 - epsilon).plus(epsilon, exchange.mix(x));
  }

  /** {@code --algorithm cfa}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "cfa",
          "consensus-based federated averaging (Savazzi, Nicoli, Rampa 2020)",
          request ->
              new Cfa(
                  request.step(), request.parameter(0, 0.5), request.batch(), request.scales()));
      parameters("E");
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
      traits(Trait.TIME_VARYING, Trait.AVERAGED_NORMAL);
      options(Option.BATCH);
    }
  }
}
