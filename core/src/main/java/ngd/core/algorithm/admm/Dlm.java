package ngd.core.algorithm.admm;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/**
 * DLM, {@link DAdmm} with a linearised loss (Ling, Shi, Wu and Ribeiro 2015), whose proximal weight
 * is 1/α:
 *
 * <pre>
 * x ← x − (g(x) + a + c Σ (x_m − x_k)) / (1/α + 2c |N_m|),  a ← a + c Σ (x_m − x_k),
 * </pre>
 *
 * a being 0 at first.
 *
 * @param penalty c, of a link
 */
public record Dlm(StepSize alpha, double penalty, GradientScales scales)
    implements Algorithm.Rounds<DualState> {
  public Dlm {
    Neighbours.requirePositive("dlm", "C", penalty);
  }

  @Override
  public DualState start(Rows theta) {
    return new DualState(0, theta, null);
  }

  @Override
  public DualState step(DualState s, Exchange exchange, Local local, Draws draws) {
    Rows x = s.theta();
    Edges heard = exchange.hear(x);
    Rows apart = heard.apart(x);
    double[] counts = Neighbours.counts(heard, x.rows());
    double[] lengths = Neighbours.shares(-1, 1 / alpha.at(s.round()), 2 * penalty, counts);
    Rows gradient = scales.times(local.gradient(x));
    if (s.dual() == null) {
      return new DualState(1, x.plusEach(lengths, gradient.plus(penalty, apart)), x.times(0));
    }
    Rows dual = s.dual().plus(penalty, apart);
    return new DualState(
        s.round() + 1, x.plusEach(lengths, gradient.plus(penalty, apart, 1, dual)), dual);
  }

  /** {@code --algorithm dlm}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "dlm",
          "consensus ADMM with a linearised loss (Ling, Shi, Wu, Ribeiro 2015)",
          request -> new Dlm(request.step(), request.parameter(0, 0.5), request.scales()));
      parameters("C");
      needs(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * With P = 1/α + 2cD and ℓ = c ⟨v, (D − A) v⟩, D holding the numbers of links and A the links,
     * p z² − (2p − b − 2ℓ) z + p − b − ℓ = 0 for an eigenvalue z with the unit vector v, p = ⟨v, P
     * v⟩ and b = ⟨v, B v⟩: no root lies outside the unit circle while 4p &gt; 2b + 3ℓ (Jury), and ℓ
     * is at most 2c ⟨v, D v⟩.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return StepLimit.TWO;
    }
  }
}
