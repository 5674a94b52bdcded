package ngd.core.linalg;

import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.WIDTH;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;

/** From predictors to residuals, in place: the mean that a link gives, less the response. */
final class VectorResiduals {
  private VectorResiduals() {}

  static void identity(double[] scratch, double[] y, int yFrom, int count) {
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, scratch, i)
          .sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
          .intoArray(scratch, i);
    }
  }

  /**
   * {@link Exp#logistic} less y. Clamps, where it must, by comparison: {@code min} and {@code max}
   * obey Java's rules for −0 and NaN, which cost half of the loop.
   */
  static void logistic(double[] scratch, double[] y, int yFrom, int count, boolean clamp) {
    DoubleVector high = DoubleVector.broadcast(SPECIES, Exp.LIMIT);
    DoubleVector low = DoubleVector.broadcast(SPECIES, -Exp.LIMIT);
    DoubleVector minusLog2e = DoubleVector.broadcast(SPECIES, -Exp.LOG2E);
    DoubleVector round = DoubleVector.broadcast(SPECIES, Exp.ROUND);
    DoubleVector ln2Low = DoubleVector.broadcast(SPECIES, Exp.LN2_LOW);
    DoubleVector ln2High = DoubleVector.broadcast(SPECIES, Exp.LN2_HIGH);
    DoubleVector e2 = DoubleVector.broadcast(SPECIES, Exp.E2);
    DoubleVector e4 = DoubleVector.broadcast(SPECIES, Exp.E4);
    DoubleVector o3 = DoubleVector.broadcast(SPECIES, Exp.O3);
    DoubleVector o5 = DoubleVector.broadcast(SPECIES, Exp.O5);
    DoubleVector half = DoubleVector.broadcast(SPECIES, 0.5);
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, scratch, i);
      if (clamp) {
        x = x.blend(high, x.compare(VectorOperators.GT, high));
        x = x.blend(low, x.compare(VectorOperators.LT, low));
      }
      DoubleVector shifted = x.fma(minusLog2e, round);
      DoubleVector k = shifted.sub(round);
      DoubleVector r = k.fma(ln2Low, k.fma(ln2High, x));
      DoubleVector square = r.mul(r);
      DoubleVector even = square.fma(e4, e2).fma(square, one);
      DoubleVector odd = square.fma(o5, o3).fma(square, half).mul(r);
      DoubleVector up = even.add(odd);
      DoubleVector raised =
          even.sub(odd)
              .reinterpretAsLongs()
              .add(shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52))
              .reinterpretAsDoubles();
      up.div(up.add(raised))
          .sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
          .intoArray(scratch, i);
    }
  }

  /** {@link Exp#exp} less y. */
  static void exponential(double[] scratch, double[] y, int yFrom, int count, boolean clamp) {
    DoubleVector high = DoubleVector.broadcast(SPECIES, Exp.CEILING);
    DoubleVector low = DoubleVector.broadcast(SPECIES, -Exp.LIMIT);
    DoubleVector log2e = DoubleVector.broadcast(SPECIES, Exp.LOG2E);
    DoubleVector round = DoubleVector.broadcast(SPECIES, Exp.ROUND);
    DoubleVector minusLn2Low = DoubleVector.broadcast(SPECIES, -Exp.LN2_LOW);
    DoubleVector minusLn2High = DoubleVector.broadcast(SPECIES, -Exp.LN2_HIGH);
    DoubleVector c0 = DoubleVector.broadcast(SPECIES, Exp.C0);
    DoubleVector c1 = DoubleVector.broadcast(SPECIES, Exp.C1);
    DoubleVector c2 = DoubleVector.broadcast(SPECIES, Exp.C2);
    DoubleVector c3 = DoubleVector.broadcast(SPECIES, Exp.C3);
    DoubleVector c4 = DoubleVector.broadcast(SPECIES, Exp.C4);
    DoubleVector c5 = DoubleVector.broadcast(SPECIES, Exp.C5);
    DoubleVector c6 = DoubleVector.broadcast(SPECIES, Exp.C6);
    DoubleVector c7 = DoubleVector.broadcast(SPECIES, Exp.C7);
    DoubleVector c8 = DoubleVector.broadcast(SPECIES, Exp.C8);
    DoubleVector c9 = DoubleVector.broadcast(SPECIES, Exp.C9);
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, scratch, i);
      if (clamp) {
        x = x.blend(high, x.compare(VectorOperators.GT, high));
        x = x.blend(low, x.compare(VectorOperators.LT, low));
      }
      DoubleVector shifted = x.fma(log2e, round);
      DoubleVector k = shifted.sub(round);
      DoubleVector r = k.fma(minusLn2Low, k.fma(minusLn2High, x));
      DoubleVector q = r.fma(c9, c8);
      q = q.fma(r, c7);
      q = q.fma(r, c6);
      q = q.fma(r, c5);
      q = q.fma(r, c4);
      q = q.fma(r, c3);
      q = q.fma(r, c2);
      q = q.fma(r, c1);
      q = q.fma(r, c0);
      q = q.fma(r, one);
      q = q.fma(r, one);
      q.reinterpretAsLongs()
          .add(shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52))
          .reinterpretAsDoubles()
          .sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
          .intoArray(scratch, i);
    }
  }
}
