package ngd.peer;

import ngd.core.world.Mixing;
import ngd.peer.plan.Policy;
import ngd.peer.wire.NumberCodec;

/**
 * How a peer hears and speaks.
 *
 * @param mixing how it averages what it hears
 * @param policy what it does about a neighbour that is slow or gone
 * @param numbers how numbers travel
 * @param masks what hides its terms of sums
 * @param signatures what proves whose terms of sums are
 */
public record PeerOptions(
    Mixing mixing, Policy policy, NumberCodec numbers, Masks masks, Signatures signatures) {
  /** Trusts, waits, rounds nothing and hides nothing. */
  public static final PeerOptions PLAIN =
      new PeerOptions(new Mixing.Mean(), new Policy.Wait(), NumberCodec.FLOAT64, Masks.NONE);

  /** With terms that are believed as they come. */
  public PeerOptions(Mixing mixing, Policy policy, NumberCodec numbers, Masks masks) {
    this(mixing, policy, numbers, masks, Signatures.NONE);
  }
}
