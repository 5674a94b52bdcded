package ngd.peer;

import java.time.Duration;
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
 * @param linger how long it stays, once it is done, for neighbours that may still need its messages
 *     and are out of reach
 */
public record PeerOptions(
    Mixing mixing,
    Policy policy,
    NumberCodec numbers,
    Masks masks,
    Signatures signatures,
    Duration linger) {
  /** As long as a machine takes to start again. */
  public static final Duration LINGER = Duration.ofMinutes(5);

  /** Trusts, waits, rounds nothing and hides nothing. */
  public static final PeerOptions PLAIN =
      new PeerOptions(new Mixing.Mean(), new Policy.Wait(), NumberCodec.FLOAT64, Masks.NONE);

  /** With terms that are believed as they come. */
  public PeerOptions(Mixing mixing, Policy policy, NumberCodec numbers, Masks masks) {
    this(mixing, policy, numbers, masks, Signatures.NONE, LINGER);
  }
}
