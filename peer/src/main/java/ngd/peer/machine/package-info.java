/**
 * What a peer needs of the machine under it: a clock, timers, threads, secret randomness, and locks
 * under which it waits. Everything in a peer that waits, counts time or draws a secret asks here,
 * so that a simulation, which gives every peer a machine of its own, runs the same code.
 *
 * <p>Knows nothing of peers.
 */
@NullMarked
package ngd.peer.machine;

import org.jspecify.annotations.NullMarked;
