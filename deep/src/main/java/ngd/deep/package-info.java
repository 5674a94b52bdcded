/**
 * Neural networks on libtorch: the clients' weights are one M×p tensor on a {@link
 * ngd.deep.device.Device}, so that the synchronous methods of {@link ngd.core.algorithm} run on
 * them as they are.
 *
 * <p>{@link ngd.deep.device} is where tensors live, {@link ngd.deep.model} what is learned, {@link
 * ngd.deep.data} what from. {@link ngd.deep.DeviceLocal} is each client's loss and gradient, by
 * library calls or by kernels of our own. {@link ngd.deep.Training} puts them together; it
 * evaluates, checkpoints and resumes.
 *
 * <p>Native memory is owned: what an operation makes on the way ends with its scope, blocks of rows
 * end when a round no longer shows them, and all else when its device is closed. Nothing waits for
 * the garbage collector, which does not see native memory.
 */
@NullMarked
package ngd.deep;

import org.jspecify.annotations.NullMarked;
