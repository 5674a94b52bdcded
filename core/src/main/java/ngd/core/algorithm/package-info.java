/**
 * Algorithms, one file each, each citing its paper, and the three things an algorithm sees: its
 * {@link ngd.core.algorithm.Algorithm.State}, the {@link ngd.core.algorithm.Exchange} through which
 * it hears others, and its {@link ngd.core.algorithm.Local} data.
 *
 * <p>An algorithm does not know whether it holds one row or a million, in an array or on a device,
 * nor who carries its messages. It keeps nothing between rounds but its state.
 *
 * <p>{@link ngd.core.algorithm.Algorithms} finds a {@link ngd.core.algorithm.AlgorithmDescriptor}
 * by its name: what it needs of network and loss, how it wants gradients scaled, and how it is
 * made. {@link ngd.core.algorithm.AlgorithmChoice} is one that was asked for, with its step size.
 */
@NullMarked
package ngd.core.algorithm;

import org.jspecify.annotations.NullMarked;
