/** Algorithms for directed networks that push shares of a total instead of averaging. */
@NullMarked
package ngd.core.algorithm.pushing;

import org.jspecify.annotations.NullMarked;
