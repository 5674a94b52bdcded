/**
 * Numbers in blocks: {@link ngd.core.rows.Rows}, the SIMD kernels beside their scalar twins, and
 * the factorisations, ranks and eigenvalues of small dense matrices, most of which a library does
 * for us. {@link ngd.core.linalg.QrAccumulator} is our own, as it must not keep the rows it sees.
 * {@link ngd.core.linalg.DampedNewton} is the loop of Newton steps that all rooms share.
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
