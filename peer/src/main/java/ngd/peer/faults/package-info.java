/**
 * Whole federations in one thread, from one seed: production peers on simulated machines, whose
 * clock, threads, disk and network a seed decides, with crashes and faults in all of them. What
 * must hold is checked as they go, against the simulator's bits.
 *
 * <p>Knows every room of the peer; nothing but the command line knows it.
 */
@NullMarked
package ngd.peer.faults;

import org.jspecify.annotations.NullMarked;
