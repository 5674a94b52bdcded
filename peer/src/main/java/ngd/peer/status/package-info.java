/**
 * How a peer is watched: {@link ngd.peer.status.PeerStatus} is what it says of itself, {@link
 * ngd.peer.status.StatusServer} says it on the loopback address alone.
 *
 * <p>Rounds, names, counts and times; never a value of the data or of the model.
 */
@NullMarked
package ngd.peer.status;

import org.jspecify.annotations.NullMarked;
