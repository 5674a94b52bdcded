/**
 * Who a peer is, and how others know.
 *
 * <p>The {@link ngd.peer.identity.Authority} of a federation signs plans, certificates and the list
 * of revoked ones. A site makes its {@link ngd.peer.identity.SiteKeys} itself and shows them in a
 * {@link ngd.peer.identity.CertificateRequest}; a {@link ngd.peer.identity.Kit} brings back what it
 * needs from the others, and no secret. {@link ngd.peer.identity.PeerIdentity} is what connections
 * are made with.
 *
 * <p>Knows the plan. Must not know messages, rounds or data. Secrets are files that only their
 * owner may read, and are looked at in this package alone.
 */
@NullMarked
package ngd.peer.identity;

import org.jspecify.annotations.NullMarked;
