package ngd.peer;

import ngd.core.simulation.Mixing;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Numbers;

/**
 * How a peer hears and speaks.
 *
 * @param mixing how it averages what it hears
 * @param policy what it does about a neighbour that is slow or gone
 * @param numbers how numbers travel
 * @param masks what hides its terms of sums
 */
public record Manner(Mixing mixing, Policy policy, Numbers numbers, Masks masks) {
  /** Trusts, waits, rounds nothing and hides nothing. */
  public static final Manner PLAIN =
      new Manner(new Mixing.Mean(), new Policy.Wait(), Numbers.FLOAT64, Masks.NONE);
}
