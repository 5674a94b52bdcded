/**
 * What survives a crash: snapshots written whole or not at all, and an append-only journal. Every
 * file carries checksums, so that a torn or corrupt one is noticed and the one before it is used.
 *
 * <p>It knows bytes and files. It must not know connections, algorithms or plans.
 */
@NullMarked
package ngd.peer.durable;

import org.jspecify.annotations.NullMarked;
