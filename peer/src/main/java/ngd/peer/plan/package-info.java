/**
 * The plan of a federation: the signed contract that every peer holds alike.
 *
 * <p>It must not know connections or running peers.
 */
@NullMarked
package ngd.peer.plan;

import org.jspecify.annotations.NullMarked;
