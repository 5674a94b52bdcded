/**
 * What can be proved about a run before it starts: contraction operator, stable solution,
 * convergence certificate, safe step size, the paper's conditions and bounds.
 *
 * <p>A {@link ngd.core.theory.Problem} is what is judged. {@link ngd.core.theory.Curvature} holds
 * its local Hessians, from which the {@link ngd.core.theory.ContractionOperator} is made; {@link
 * ngd.core.theory.SpectralRadius}, {@link ngd.core.theory.StableSolution} and {@link
 * ngd.core.theory.Certificate} read that, {@link ngd.core.theory.DataHeterogeneity} reads the data,
 * and a {@link ngd.core.theory.Check} collects all of it. Whatever could not be computed is absent
 * and says why.
 *
 * <p>{@link ngd.core.theory.Identification} says who can solve for whose moments from what is heard
 * in a {@link ngd.core.theory.Conversation}.
 *
 * <p>Never imports {@code algorithm} or {@code simulation}: it is an independent path to the same
 * numbers, and so an oracle for them.
 */
@NullMarked
package ngd.core.theory;

import org.jspecify.annotations.NullMarked;
