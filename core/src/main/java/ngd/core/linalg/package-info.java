/**
 * Numbers in blocks: {@link ngd.core.linalg.Rows}, the SIMD kernels beside their scalar twins, and
 * the solves, ranks and eigenvalues that a library does for us.
 *
 * <p>The only room that may import {@code jdk.incubator.vector}, EJML or netlib. It knows nothing
 * of clients, networks or data: here there are rows, weights and offsets.
 *
 * <p>Every kernel gives the same bits on every machine. Sums run over eight virtual lanes in a
 * fixed order, whatever the width of the hardware's vectors, and every multiply-add is fused; the
 * scalar twin of a kernel is its definition and agrees with it to the last bit.
 */
@NullMarked
package ngd.core.linalg;

import org.jspecify.annotations.NullMarked;
