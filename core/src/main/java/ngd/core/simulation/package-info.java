/**
 * The simulator: runs an algorithm over M virtual clients in one process and records a trace.
 *
 * <p>Mixing is the sparse W times the block of rows, data are the shards' SIMD kernels, buffers are
 * recycled from round to round, and the bits do not depend on the number of threads.
 *
 * <p>{@link ngd.core.world.Suitability} says beforehand whether a method can do its work on a
 * network. {@link ngd.core.simulation.Trust} is who lies and how clients guard against it, {@link
 * ngd.core.simulation.Attack} how. {@link ngd.core.simulation.EventRun} runs methods without
 * rounds, one event after another in simulated time, under given {@link
 * ngd.core.simulation.Impairments}.
 */
@NullMarked
package ngd.core.simulation;

import org.jspecify.annotations.NullMarked;
