package ngd.core.model;

import java.util.Arrays;

/**
 * What the derivatives of minus twice the logarithm of an integral over random effects are made of.
 *
 * @param rows twice the rows' scores, as the integral weighs them
 * @param factors the sum over groups of twice their scores times the effects, by term, row by row
 * @param spread what log|M| counts for in each block
 * @param mode the derivative by the mode, which quadrature of few points still has
 */
@SuppressWarnings("ArrayRecordComponent")
record IntegralSlopes(double[] rows, double[][] factors, double[] spread, double[][] mode) {
  /** Of Laplace's approximation, which takes scores and effects at the mode. */
  static IntegralSlopes laplace(EffectBlocks blocks, double[] scores, EffectMode mode) {
    double[] rows = new double[scores.length];
    Arrays.setAll(rows, i -> 2 * scores[i]);
    double[] spread = new double[blocks.count()];
    Arrays.fill(spread, 1);
    return new IntegralSlopes(
        rows, blocks.byTerm(blocks.gathered(rows), mode.u()), spread, blocks.vector(1));
  }
}
