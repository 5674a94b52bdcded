package ngd.core.linalg;

/**
 * Numbers to compute with: doubles as they are, or whole numbers modulo a large prime, in which
 * nothing is ever rounded. A computation written over it runs in both.
 */
public interface Arithmetic {
  /** A number of the outside world. */
  double of(double real);

  double plus(double a, double b);

  double times(double a, double b);

  /** {@code to += factor · from}. */
  void addTimes(double[] to, double factor, double[] from);

  /** Doubles as they are. */
  Arithmetic REALS =
      new Arithmetic() {
        @Override
        public double of(double real) {
          return real;
        }

        @Override
        public double plus(double a, double b) {
          return a + b;
        }

        @Override
        public double times(double a, double b) {
          return a * b;
        }

        @Override
        public void addTimes(double[] to, double factor, double[] from) {
          for (int j = 0; j < to.length; j++) {
            to[j] += factor * from[j];
          }
        }
      };
}
