package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.stream.DoubleStream;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: the Taylor series in 45 decimal digits, and StrictMath where there are many points. */
class ExpTest {
  private static final MathContext DIGITS = new MathContext(45);

  /** exp(x) = exp(x / 2^k)^(2^k), the series at an argument below 1/8. */
  private static BigDecimal exp(double x) {
    int halvings = Math.max(0, Math.getExponent(x) + 4);
    BigDecimal small = new BigDecimal(x).divide(BigDecimal.TWO.pow(halvings), DIGITS);
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int i = 1; i < 34; i++) {
      term = term.multiply(small, DIGITS).divide(BigDecimal.valueOf(i), DIGITS);
      sum = sum.add(term, DIGITS);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, DIGITS);
    }
    return sum;
  }

  private static BigDecimal logistic(double x) {
    return BigDecimal.ONE.divide(exp(-x).add(BigDecimal.ONE, DIGITS), DIGITS);
  }

  private static double ulps(double found, BigDecimal truth) {
    return new BigDecimal(found)
        .subtract(truth)
        .abs()
        .divide(new BigDecimal(Math.ulp(truth.doubleValue())), new MathContext(10))
        .doubleValue();
  }

  /** Dense around 0 and at every scale, both signs, and the neighbours of multiples of ln 2 / 2. */
  private static DoubleStream points(int count, double limit) {
    UniformRandomProvider draw = Streams.of(3).stream(Streams.Purpose.DATA);
    DoubleStream uniform =
        DoubleStream.generate(() -> (2 * draw.nextDouble() - 1) * limit).limit(count);
    DoubleStream near = DoubleStream.generate(() -> 4 * draw.nextDouble() - 2).limit(count);
    DoubleStream scales =
        DoubleStream.generate(
                () ->
                    (draw.nextBoolean() ? 1 : -1)
                        * Math.min(limit, Math.exp(60 * draw.nextDouble() - 53)))
            .limit(count);
    DoubleStream seams =
        DoubleStream.iterate(-limit, x -> x <= limit, x -> x + Math.log(2) / 2)
            .flatMap(x -> DoubleStream.of(x, Math.nextUp(x), Math.nextDown(x)))
            .filter(x -> Math.abs(x) <= limit);
    return DoubleStream.concat(
        DoubleStream.concat(uniform, near), DoubleStream.concat(scales, seams));
  }

  @Test
  void exp_wholeRange_isWithinOneUlpOfTheTruth() {
    double worst = points(2500, Exp.LIMIT).map(x -> ulps(Exp.exp(x), exp(x))).max().orElseThrow();
    assertThat(worst).isLessThan(1);
  }

  @Test
  void logistic_wholeRange_isWithinThreeUlpsOfTheTruth() {
    double worst =
        points(2500, Exp.LIMIT).map(x -> ulps(Exp.logistic(x), logistic(x))).max().orElseThrow();
    assertThat(worst).isLessThan(3);
  }

  /** log(1 + e) = 2 artanh(e / (2 + e)), by its series. */
  private static BigDecimal logOnePlus(double x) {
    BigDecimal e = exp(-Math.abs(x));
    BigDecimal s = e.divide(e.add(BigDecimal.TWO), DIGITS);
    BigDecimal square = s.multiply(s, DIGITS);
    BigDecimal power = s;
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 1; i < 60; i += 2) {
      sum = sum.add(power.divide(BigDecimal.valueOf(i), DIGITS), DIGITS);
      power = power.multiply(square, DIGITS);
    }
    return sum.multiply(BigDecimal.TWO);
  }

  @Test
  void logOnePlus_wholeRange_isWithinFourUlpsOfTheTruth() {
    double worst =
        points(1000, 700).map(x -> ulps(Exp.logOnePlus(x), logOnePlus(x))).max().orElseThrow();
    assertThat(worst).isLessThan(4);
  }

  @Test
  void exp_manyPoints_isWithinTwoUlpsOfStrictMath() {
    points(300_000, Exp.LIMIT)
        .forEach(
            x -> {
              double truth = StrictMath.exp(x);
              if (!(Math.abs(Exp.exp(x) - truth) <= 2 * Math.ulp(truth))) {
                throw new AssertionError("exp(%s) = %s, not %s".formatted(x, Exp.exp(x), truth));
              }
            });
  }

  @Test
  void logistic_manyPoints_isWithinAFewUlpsOfStrictMath() {
    points(300_000, Exp.LIMIT)
        .forEach(
            x -> {
              double truth = 1 / (1 + StrictMath.exp(-x));
              if (!(Math.abs(Exp.logistic(x) - truth) <= 4 * Math.ulp(truth))) {
                throw new AssertionError(
                    "logistic(%s) = %s, not %s".formatted(x, Exp.logistic(x), truth));
              }
            });
  }

  @Test
  void both_beyondTheRange_stayAtItsEndsAndFinite() {
    for (double x : new double[] {709, 1e6, 1e300, Double.MAX_VALUE}) {
      assertThat(Exp.exp(x)).isEqualTo(Exp.exp(Exp.LIMIT)).isFinite();
      assertThat(Exp.exp(-x)).isEqualTo(Exp.exp(-Exp.LIMIT)).isPositive();
      assertThat(Exp.logistic(x)).isEqualTo(1);
      assertThat(Exp.logistic(-x)).isEqualTo(Exp.logistic(-Exp.LIMIT)).isPositive();
    }
  }

  @Test
  void both_atZeroAndTinyNumbers_areExact() {
    for (double x : new double[] {0.0, -0.0, Double.MIN_VALUE, -Double.MIN_VALUE, 1e-300}) {
      assertThat(Exp.exp(x)).isEqualTo(1);
      assertThat(Exp.logistic(x)).isEqualTo(0.5);
    }
  }
}
