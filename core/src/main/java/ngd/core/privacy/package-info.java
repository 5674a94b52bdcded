/**
 * Differential privacy by noise (docs/privacy.md): what is clipped, which noise is added, and what
 * it costs.
 *
 * <p>{@link ngd.core.privacy.Privacy} is the budget that a question states, with the kind of noise.
 * {@link ngd.core.privacy.NoisedLocal} lets an algorithm see clipped and noised gradients alone,
 * with the noise that {@link ngd.core.privacy.GradientPrivacy} says: a client's own, or less of its
 * own and more that cancels over neighbours ({@link ngd.core.privacy.CorrelatedAccount}). Where the
 * random numbers come from is a {@link ngd.core.privacy.NoiseSource}: seeded in a simulation,
 * secret at a real peer.
 *
 * <p>Must not know who carries messages, questions or files.
 */
@NullMarked
package ngd.core.privacy;

import org.jspecify.annotations.NullMarked;
