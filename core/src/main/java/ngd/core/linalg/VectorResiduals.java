package ngd.core.linalg;

import static ngd.core.linalg.Kernels.FRONT;
import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.WIDTH;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;

/**
 * From predictors to residuals, in place: what {@link RowScore} says, offsets and weights around
 * it.
 */
final class VectorResiduals {
  /** A tile of responses 0, for the exponential alone. */
  static final double[] NONE = new double[Kernels.TILE];

  private VectorResiduals() {}

  static void identity(double[] scratch, double[] y, int yFrom, int count) {
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, scratch, FRONT + i)
          .sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
          .intoArray(scratch, FRONT + i);
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
      DoubleVector x = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
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
          .intoArray(scratch, FRONT + i);
    }
  }

  /** {@link Exp#exp} less y, of numbers from the first on. */
  static void exponential(
      double[] scratch, int first, double[] y, int yFrom, int count, boolean clamp) {
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
      DoubleVector x = DoubleVector.fromArray(SPECIES, scratch, first + i);
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
          .intoArray(scratch, first + i);
    }
  }

  /** Adds the offsets to the predictors. */
  static void shift(double[] scratch, double[] offsets, int from, int count) {
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, scratch, FRONT + i)
          .add(DoubleVector.fromArray(SPECIES, offsets, from + i))
          .intoArray(scratch, FRONT + i);
    }
  }

  /** Multiplies the residuals by the weights. */
  static void weigh(double[] scratch, double[] weights, int from, int count) {
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, scratch, FRONT + i)
          .mul(DoubleVector.fromArray(SPECIES, weights, from + i))
          .intoArray(scratch, FRONT + i);
    }
  }

  static void gamma(double[] scratch, double[] y, int yFrom, int count, boolean clamp) {
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, scratch, FRONT + i).neg().intoArray(scratch, FRONT + i);
    }
    exponential(scratch, FRONT, NONE, 0, count, clamp);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, y, yFrom + i)
          .neg()
          .fma(DoubleVector.fromArray(SPECIES, scratch, FRONT + i), one)
          .intoArray(scratch, FRONT + i);
    }
  }

  static void negativeBinomial(
      double[] scratch, double shape, double[] y, int yFrom, int count, boolean clamp) {
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    DoubleVector inverse = DoubleVector.broadcast(SPECIES, 1 / shape);
    exponential(scratch, FRONT, NONE, 0, count, clamp);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector mean = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      mean.sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
          .div(mean.fma(inverse, one))
          .intoArray(scratch, FRONT + i);
    }
  }

  /**
   * {@link Mills#ratio} with the sign of the response.
   *
   * @param spare where a second tile begins, for the predictors while their exponentials are made
   */
  static void probit(double[] scratch, int spare, double[] y, int yFrom, int count) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    DoubleVector two = DoubleVector.broadcast(SPECIES, 2);
    DoubleVector minusOne = DoubleVector.broadcast(SPECIES, -1);
    DoubleVector minusHalf = DoubleVector.broadcast(SPECIES, -0.5);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector sign = DoubleVector.fromArray(SPECIES, y, yFrom + i).fma(two, minusOne);
      DoubleVector z = DoubleVector.fromArray(SPECIES, scratch, FRONT + i).mul(sign);
      z.intoArray(scratch, spare + i);
      z.mul(z).mul(minusHalf).intoArray(scratch, FRONT + i);
    }
    exponential(scratch, FRONT, NONE, 0, count, /* clamp= */ true);
    DoubleVector rootHalf = DoubleVector.broadcast(SPECIES, Mills.ROOT_HALF);
    DoubleVector centre = DoubleVector.broadcast(SPECIES, Mills.CENTRE);
    DoubleVector tail = DoubleVector.broadcast(SPECIES, Mills.TAIL);
    DoubleVector density = DoubleVector.broadcast(SPECIES, Mills.DENSITY);
    double[] coefficients = Mills.ERFCX;
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector bell = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      DoubleVector z = DoubleVector.fromArray(SPECIES, scratch, spare + i);
      DoubleVector u = z.abs().mul(rootHalf);
      DoubleVector v = u.sub(centre).div(u.add(centre));
      DoubleVector q = DoubleVector.broadcast(SPECIES, coefficients[0]);
      for (int k = 1; k < coefficients.length; k++) {
        q = q.fma(v, DoubleVector.broadcast(SPECIES, coefficients[k]));
      }
      DoubleVector erfcx = q.div(u.fma(two, one));
      DoubleVector ratio =
          bell.mul(density)
              .div(bell.mul(erfcx).fma(minusHalf, one))
              .blend(tail.div(erfcx), z.compare(VectorOperators.LT, zero));
      DoubleVector sign = DoubleVector.fromArray(SPECIES, y, yFrom + i).fma(two, minusOne);
      ratio.mul(sign.neg()).intoArray(scratch, FRONT + i);
    }
  }
}
