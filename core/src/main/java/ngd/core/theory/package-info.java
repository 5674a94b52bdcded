/**
 * What can be proved about a run before it starts: contraction operator, stable solution,
 * convergence certificate, safe step size, the paper's conditions and bounds.
 *
 * <p>Never imports {@code algorithm} or {@code simulation}: it is an independent path to the same
 * numbers, and so an oracle for them.
 */
@NullMarked
package ngd.core.theory;

import org.jspecify.annotations.NullMarked;
