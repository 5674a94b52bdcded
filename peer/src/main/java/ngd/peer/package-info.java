/**
 * A real peer: one client of a federation in a process of its own, which runs an algorithm over
 * real links, survives crashes and bad neighbours, and ends with the simulator's bits.
 *
 * <p>{@code wire} carries bytes between neighbours, {@code durable} keeps them over a crash, {@code
 * plan} and {@code identity} say who may talk to whom and about what; this package puts them
 * together.
 */
@NullMarked
package ngd.peer;

import org.jspecify.annotations.NullMarked;
