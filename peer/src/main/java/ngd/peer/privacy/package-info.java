/**
 * What keeps a site's data from being read out of its messages (docs/privacy.md).
 *
 * <p>{@link ngd.peer.privacy.PairwiseMasks} hide a site's term of a sum: pairs of sites add and
 * subtract the same random numbers, which cancel in the total and nowhere else. {@link
 * ngd.peer.privacy.SecretNoise} is what {@link ngd.core.privacy.NoisedLocal} adds to gradients, of
 * which a part may cancel over neighbours; {@link ngd.peer.privacy.PairKeys} are the keys of both.
 * {@link ngd.peer.privacy.PrivacyLog} keeps every noised gradient before it is used, so that a
 * restart repeats it and the budget is spent once.
 *
 * <p>Randomness here is secret and comes from {@link java.security.SecureRandom}, not from the
 * seeded streams.
 */
@NullMarked
package ngd.peer.privacy;

import org.jspecify.annotations.NullMarked;
