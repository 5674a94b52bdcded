/**
 * Neural networks on libtorch: the clients' weights are one M×p tensor on a {@link
 * ngd.deep.Device}, so that the synchronous methods of {@link ngd.core.algorithm} run on them as
 * they are.
 *
 * <p>{@link ngd.deep.DeviceRows}, {@link ngd.deep.DeviceExchange} and {@link ngd.deep.DeviceLocal}
 * are this world's rows, exchange and data. A {@link ngd.deep.Model} lists {@link ngd.deep.Layer}s,
 * which work on all clients at once; {@link ngd.deep.Net} lays its weights out in a row of θ.
 * {@link ngd.deep.Samples} are what is learned from. {@link ngd.deep.Training} puts them together;
 * it evaluates, checkpoints and resumes.
 *
 * <p>Native memory is owned: what an operation makes on the way ends with its scope, blocks of rows
 * end when a round no longer shows them, and all else when its device is closed. Nothing waits for
 * the garbage collector, which does not see native memory.
 */
@NullMarked
package ngd.deep;

import org.jspecify.annotations.NullMarked;
