package ngd.core.algorithm.federated;

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
import ngd.core.algorithm.local.ProxSkip;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Scaffnew: local steps, and the mean over all clients when a common coin says so (Mishchenko,
 * Malinovsky, Stich and Richtárik 2022, Algorithm 2; {@link ProxSkip} over a network without one):
 * x̂ = x − α (g − h); with probability p, x ← mean of x̂, otherwise x ← x̂; h ← h + (p/α)(x − x̂).
 * The h begin at 0.
 *
 * @param probability p, in (0, 1]
 */
public record Scaffnew(StepSize alpha, double probability, GradientScales scales)
    implements Algorithm.Rounds<ProxSkip.State> {
  public Scaffnew {
    ProxSkip.requireProbability("scaffnew", probability);
  }

  @Override
  public ProxSkip.State start(Rows theta) {
    return new ProxSkip.State(0, theta, null);
  }

  @Override
  public ProxSkip.State step(ProxSkip.State s, Exchange exchange, Local local, Draws draws) {
    return step(s, ProxSkip.toss(draws, probability), exchange, local);
  }

  /** A round for which the coin is tossed: all clients talk, or none does. */
  public ProxSkip.State step(ProxSkip.State s, boolean talk, Exchange exchange, Local local) {
    return ProxSkip.step(
        s,
        alpha.at(s.round()),
        probability,
        scales.times(local.gradient(s.theta())),
        talk
            ? sent ->
                sent.everywhere(Shares.divided(exchange.total(sent), exchange.clients(sent.rows())))
            : null);
  }

  /** {@code --algorithm scaffnew}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "scaffnew",
          "local steps, the mean over all now and then (Mishchenko et al. 2022)",
          request -> new Scaffnew(request.step(), request.parameter(0, 0.5), request.scales()));
      parameters("P");
      needs(Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.CENTRAL, Trait.OWN_MEMORY, Trait.EXACT);
    }

    /** As in {@link ProxSkip}. */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return new StepLimit(1, "1 / L", "");
    }
  }
}
