/**
 * What travels between neighbours: gRPC over mutual TLS 1.3, one long-lived stream for each pair of
 * neighbours, and nothing else. There is no mode without TLS.
 *
 * <p>It knows names, numbers and bytes. It must not know algorithms, data or plans.
 */
@NullMarked
package ngd.peer.wire;

import org.jspecify.annotations.NullMarked;
