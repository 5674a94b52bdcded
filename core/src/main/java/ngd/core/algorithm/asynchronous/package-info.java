/**
 * Algorithms without rounds: each client on its own clock, and letters that arrive when they do.
 */
@NullMarked
package ngd.core.algorithm.asynchronous;

import org.jspecify.annotations.NullMarked;
