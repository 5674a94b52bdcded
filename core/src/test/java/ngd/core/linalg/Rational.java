package ngd.core.linalg;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/** An exact fraction: least squares without rounding, as an oracle for factorisations. */
public record Rational(BigInteger numerator, BigInteger denominator) {
  public static final Rational ZERO = new Rational(BigInteger.ZERO, BigInteger.ONE);

  public Rational {
    BigInteger divisor = numerator.gcd(denominator);
    if (divisor.signum() != 0 && !divisor.equals(BigInteger.ONE)) {
      numerator = numerator.divide(divisor);
      denominator = denominator.divide(divisor);
    }
  }

  /** The exact value of a double. */
  public static Rational of(double value) {
    BigDecimal exact = new BigDecimal(value);
    return exact.scale() > 0
        ? new Rational(exact.unscaledValue(), BigInteger.TEN.pow(exact.scale()))
        : new Rational(exact.toBigIntegerExact(), BigInteger.ONE);
  }

  public Rational plus(Rational o) {
    return new Rational(
        numerator.multiply(o.denominator).add(o.numerator.multiply(denominator)),
        denominator.multiply(o.denominator));
  }

  public Rational minus(Rational o) {
    return plus(new Rational(o.numerator.negate(), o.denominator));
  }

  public Rational times(Rational o) {
    return new Rational(numerator.multiply(o.numerator), denominator.multiply(o.denominator));
  }

  public Rational over(Rational o) {
    return new Rational(numerator.multiply(o.denominator), denominator.multiply(o.numerator));
  }

  public double toDouble() {
    return new BigDecimal(numerator)
        .divide(new BigDecimal(denominator), MathContext.DECIMAL64)
        .doubleValue();
  }

  /** The regression of y on the columns of x by the normal equations, which are exact here. */
  public static double[] leastSquares(double[][] x, double[] y) {
    int p = x[0].length;
    Rational[][] system = new Rational[p][p + 1];
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= p; k++) {
        Rational sum = ZERO;
        for (int i = 0; i < x.length; i++) {
          sum = sum.plus(of(x[i][j]).times(of(k < p ? x[i][k] : y[i])));
        }
        system[j][k] = sum;
      }
    }
    for (int k = 0; k < p; k++) {
      for (int i = 0; i < p; i++) {
        if (i == k) {
          continue;
        }
        Rational share = system[i][k].over(system[k][k]);
        for (int j = k; j <= p; j++) {
          system[i][j] = system[i][j].minus(share.times(system[k][j]));
        }
      }
    }
    double[] solution = new double[p];
    for (int k = 0; k < p; k++) {
      solution[k] = system[k][p].over(system[k][k]).toDouble();
    }
    return solution;
  }
}
