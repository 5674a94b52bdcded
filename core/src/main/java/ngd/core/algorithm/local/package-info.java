/** Exact methods that take several steps between two messages. */
@NullMarked
package ngd.core.algorithm.local;

import org.jspecify.annotations.NullMarked;
