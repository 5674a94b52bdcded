/**
 * The simulator: runs an algorithm over M virtual clients in one process and records a trace.
 *
 * <p>Mixing is the sparse W times the block of rows, data are the shards' SIMD kernels, buffers are
 * recycled from round to round, and the bits do not depend on the number of threads.
 */
@NullMarked
package ngd.core.simulation;

import org.jspecify.annotations.NullMarked;
