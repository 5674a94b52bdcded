/** Methods whose clients talk through sums over all of them alone: the central baselines. */
@NullMarked
package ngd.core.algorithm.federated;

import org.jspecify.annotations.NullMarked;
