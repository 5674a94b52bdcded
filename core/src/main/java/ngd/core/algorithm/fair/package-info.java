/** Algorithms that weigh clients or rows by their losses, so that the worst served count most. */
@NullMarked
package ngd.core.algorithm.fair;

import org.jspecify.annotations.NullMarked;
