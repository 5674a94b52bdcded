/**
 * Algorithms that correct for the differences between clients and so come to the pooled estimate
 * with a constant step size.
 */
@NullMarked
package ngd.core.algorithm.exact;

import org.jspecify.annotations.NullMarked;
