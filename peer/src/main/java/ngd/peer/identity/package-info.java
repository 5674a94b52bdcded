/**
 * Who is who: keys, certificates, kits and the list of revoked certificates.
 *
 * <p>It must not know connections or running peers.
 */
@NullMarked
package ngd.peer.identity;

import org.jspecify.annotations.NullMarked;
