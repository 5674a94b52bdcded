package ngd.core.linalg;

import static ngd.core.linalg.Kernels.FRONT;
import static ngd.core.linalg.Kernels.LANES;
import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.WIDTH;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/** Losses of rows from their predictors, and what counts rows by them. */
final class VectorLosses {
  private static final VectorMask<Double> THREE =
      VectorMask.fromLong(SPECIES, WIDTH == LANES ? 0b111 : 0);

  private VectorLosses() {}

  /** {@link Exp#logistic} less y, and the loss from {@link Exp#logOnePlus}: one exponential. */
  static void logistic(
      double[] scratch,
      double factor,
      double[] y,
      int yFrom,
      int count,
      double[] scores,
      double[] losses,
      int first) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
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
      DoubleVector clamped = x.blend(high, x.compare(VectorOperators.GT, high));
      clamped = clamped.blend(low, clamped.compare(VectorOperators.LT, low));
      DoubleVector shifted = clamped.fma(minusLog2e, round);
      DoubleVector k = shifted.sub(round);
      DoubleVector r = k.fma(ln2Low, k.fma(ln2High, clamped));
      DoubleVector square = r.mul(r);
      DoubleVector even = square.fma(e4, e2).fma(square, one);
      DoubleVector odd = square.fma(o5, o3).fma(square, half).mul(r);
      DoubleVector up = even.add(odd);
      DoubleVector raised =
          even.sub(odd)
              .reinterpretAsLongs()
              .add(shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52))
              .reinterpretAsDoubles();
      DoubleVector both = up.add(raised);
      DoubleVector response = DoubleVector.fromArray(SPECIES, y, yFrom + i);
      up.div(both).sub(response).intoArray(scores, first + i);
      VectorMask<Double> falling = raised.compare(VectorOperators.LT, up);
      DoubleVector s = up.blend(raised, falling).div(both.add(raised.blend(up, falling)));
      DoubleVector t = s.mul(s);
      DoubleVector q =
          t.fma(DoubleVector.broadcast(SPECIES, Exp.L9), DoubleVector.broadcast(SPECIES, Exp.L8));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, Exp.L7));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, Exp.L6));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, Exp.L5));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, Exp.L4));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, Exp.L3));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, Exp.L2));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, Exp.L1));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, Exp.L0));
      q = q.fma(t, DoubleVector.broadcast(SPECIES, 2));
      DoubleVector linear =
          response.neg().fma(x, zero.blend(x, x.compare(VectorOperators.GT, zero)));
      linear.add(q.mul(s)).mul(factor).intoArray(losses, first + i);
    }
  }

  /** η − y, and half its square. */
  static void identity(
      double[] scratch,
      double factor,
      double[] y,
      int yFrom,
      int count,
      double[] scores,
      double[] losses,
      int first) {
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector residual =
          DoubleVector.fromArray(SPECIES, scratch, FRONT + i)
              .sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
              .add(0.0);
      residual.intoArray(scores, first + i);
      residual.mul(0.5).mul(residual).mul(factor).intoArray(losses, first + i);
    }
  }

  /** exp(η) less y, and exp(η) − y η; beyond {@link Exp#CEILING} along the tangent. */
  static void exponential(
      double[] scratch,
      double factor,
      double[] y,
      int yFrom,
      int count,
      double[] scores,
      double[] losses,
      int first) {
    System.arraycopy(scratch, FRONT, losses, first, count);
    VectorResiduals.exponential(scratch, FRONT, VectorResiduals.NONE, 0, count, /* clamp= */ true);
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    DoubleVector ceiling = DoubleVector.broadcast(SPECIES, Exp.CEILING);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector mean = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      DoubleVector response = DoubleVector.fromArray(SPECIES, y, yFrom + i);
      mean.sub(response).intoArray(scores, first + i);
      DoubleVector x = DoubleVector.fromArray(SPECIES, losses, first + i);
      DoubleVector beyond =
          zero.blend(x.sub(ceiling), x.compare(VectorOperators.GT, ceiling)).add(one);
      response.neg().fma(x, mean.mul(beyond)).mul(factor).intoArray(losses, first + i);
    }
  }

  /** Takes the least losses off those of a tile. */
  static void lessLeast(double[] losses, int first, double[] leasts, int from, int count) {
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, losses, first + i)
          .sub(DoubleVector.fromArray(SPECIES, leasts, from + i))
          .intoArray(losses, first + i);
    }
  }

  /** The lanes of {@link Kernels#rowLossGradient}'s products from the given one on. */
  static void told(double[] scratch, int first, int count, int lane, int products) {
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    DoubleVector lost = DoubleVector.broadcast(SPECIES, Double.NaN);
    DoubleVector product = one;
    for (int i = first + lane; i < first + count; i += LANES) {
      DoubleVector told = one.sub(DoubleVector.fromArray(SPECIES, scratch, FRONT + i).abs());
      VectorMask<Double> wrong = told.compare(VectorOperators.LT, Kernels.LEAST_TOLD);
      product = product.mul(told.blend(lost, wrong));
    }
    product.intoArray(scratch, products + lane);
  }

  /** The same for its sums. */
  static void sum(double[] scratch, int first, int count, int lane, int sums) {
    DoubleVector sum = DoubleVector.zero(SPECIES);
    for (int i = first + lane; i < first + count; i += LANES) {
      sum = sum.add(DoubleVector.fromArray(SPECIES, scratch, FRONT + i));
    }
    sum.intoArray(scratch, sums + lane);
  }

  /**
   * The lanes of {@link Kernels#excessSums} from the given one on, into the scratch; the sums
   * themselves where these are all lanes, folded as in {@link VectorProjections}.
   */
  static void excess(
      double least,
      double from,
      double[] losses,
      int first,
      double @Nullable [] weights,
      int wOffset,
      int count,
      int lane,
      double[] sums,
      double[] scratch) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    DoubleVector s0 = zero;
    DoubleVector s1 = zero;
    DoubleVector s2 = zero;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector loss = DoubleVector.fromArray(SPECIES, losses, first + i);
      VectorMask<Double> above = loss.compare(VectorOperators.GT, least);
      DoubleVector excess = zero.blend(loss.sub(from), above);
      DoubleVector weight =
          zero.blend(
              weights == null ? one : DoubleVector.fromArray(SPECIES, weights, wOffset + i), above);
      DoubleVector weighted = weight.mul(excess);
      s0 = s0.add(weight);
      s1 = s1.add(weighted);
      s2 = weighted.fma(excess, s2);
    }
    if (WIDTH == LANES) {
      DoubleVector a0 = s0.add(s0.rearrange(VectorProjections.BY4));
      DoubleVector a1 = s1.add(s1.rearrange(VectorProjections.BY4));
      DoubleVector a2 = s2.add(s2.rearrange(VectorProjections.BY4));
      DoubleVector b0 =
          a0.add(a0.rearrange(VectorProjections.BY2))
              .blend(a2.add(a2.rearrange(VectorProjections.BY2)), VectorProjections.HIGH2);
      DoubleVector b1 = a1.add(a1.rearrange(VectorProjections.BY2));
      b0.add(b0.rearrange(VectorProjections.BY1))
          .blend(b1.add(b1.rearrange(VectorProjections.BY1)), VectorProjections.HIGH1)
          .intoArray(sums, 0, THREE);
    } else {
      s0.intoArray(scratch, lane);
      s1.intoArray(scratch, LANES + lane);
      s2.intoArray(scratch, 2 * LANES + lane);
    }
  }

  /** The residuals of a tile of {@link Kernels#scoreGradient}, into the scratch. */
  static void counted(
      double least,
      double from,
      double constant,
      double slope,
      double[] scores,
      double[] losses,
      int first,
      double @Nullable [] weights,
      int wOffset,
      int count,
      double[] scratch) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector base = DoubleVector.broadcast(SPECIES, constant);
    DoubleVector rise = DoubleVector.broadcast(SPECIES, slope);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector loss = DoubleVector.fromArray(SPECIES, losses, first + i);
      DoubleVector counted =
          zero.blend(loss.sub(from).fma(rise, base), loss.compare(VectorOperators.GT, least));
      if (weights != null) {
        counted = counted.mul(DoubleVector.fromArray(SPECIES, weights, wOffset + i));
      }
      DoubleVector.fromArray(SPECIES, scores, first + i).mul(counted).intoArray(scratch, FRONT + i);
    }
  }
}
