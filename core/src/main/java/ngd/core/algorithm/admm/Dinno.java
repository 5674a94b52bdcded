package ngd.core.algorithm.admm;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/**
 * DiNNO, {@link DAdmm} whose minimum is replaced by some gradient steps (Yu, Vincent and Schwager
 * 2022, with plain gradient steps):
 *
 * <pre>
 * a ← a + ρ Σ (x_m − x_k),
 * ψ ← ψ − α (g(ψ) + a + 2ρ Σ (ψ − (x_m + x_k)/2))  K times from x,  x ← ψ,
 * </pre>
 *
 * a being 0 at first.
 *
 * @param rho the penalty of a link
 */
public record Dinno(StepSize alpha, double rho, LocalDescent descent)
    implements Algorithm.Rounds<DualState> {
  public Dinno {
    Neighbours.requirePositive("dinno", "RHO", rho);
  }

  @Override
  public DualState start(Rows theta) {
    return new DualState(0, theta, null);
  }

  @Override
  public DualState step(DualState s, Exchange exchange, Local local, Draws draws) {
    Rows x = s.theta();
    double step = alpha.at(s.round());
    Edges heard = exchange.hear(x);
    Rows apart = heard.apart(x);
    Rows dual = s.dual() == null ? apart.times(rho) : s.dual().plus(rho, apart);
    Rows force = dual.plus(rho, apart);
    double[] pull = Neighbours.counts(heard, x.rows(), -2 * rho * step);
    Rows theta =
        descent.from(
            x,
            s.round(),
            local,
            (at, gradient) -> at.plus(-step, gradient, -step, force).plusEach(pull, at.minus(x)));
    return new DualState(s.round() + 1, theta, dual);
  }

  /** {@code --algorithm dinno}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final double PENALTY = 0.1;

    public Descriptor() {
      super(
          "dinno",
          "consensus ADMM with some gradient steps for each minimum (Yu, Vincent, Schwager 2022)",
          request ->
              new Dinno(request.step(), request.parameter(0, PENALTY), LocalDescent.of(request)));
      parameters("RHO");
      needs(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH, Option.LOCAL_STEPS);
      traits(Trait.EXACT);
    }

    /**
     * With Q = B + 2ρD and S = Σ (I − αQ)ⁱ over the K steps, t = ⟨v, S⁻¹ v⟩, s = α ⟨v, B v⟩ and a =
     * αρ ⟨v, (D − A) v⟩, t z² − (2t − s − 2a) z + t − s − a = 0 for an eigenvalue z with the vector
     * v. While αQ ≤ 1, S⁻¹ ≥ αQ, so t ≥ s + a as the eigenvalues of D − A are below those of 2D,
     * and 4t &gt; 2s + 3a: no root lies outside the unit circle (Jury).
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      return new StepLimit(
          1,
          2 * choice.parameter(0, PENALTY) * network.mostLinks(),
          "1 / (L + 2 RHO d)",
          "d is the most links of a client");
    }
  }
}
