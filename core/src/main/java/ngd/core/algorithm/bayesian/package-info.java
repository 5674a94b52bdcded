/** Algorithms whose clients hold beliefs, normal distributions, instead of points. */
@NullMarked
package ngd.core.algorithm.bayesian;

import org.jspecify.annotations.NullMarked;
