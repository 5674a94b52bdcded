package ngd.core.theory;

import java.util.Arrays;

/**
 * One communicating class of the contraction operator, taken apart into its cyclic classes.
 *
 * <p>In a class of period d the clients fall into d cyclic classes such that those of one hear only
 * those of the next. The operator's d-th power then maps each cyclic class to itself, and its
 * eigenvalues there are the d-th powers of the class's eigenvalues other than 0, whichever cyclic
 * class is looked at. Looking at the smallest turns central-client networks and circle(1) into one
 * p × p product.
 */
final class CyclicClass {
  private final ContractionOperator operator;

  /** {@code levels[r]} hears only {@code levels[r + 1]}, and the last hears {@code levels[0]}. */
  private final int[][] levels;

  private final double[] mixed;

  private CyclicClass(ContractionOperator operator, int[][] levels) {
    this.operator = operator;
    this.levels = levels;
    mixed = new double[operator.parameters()];
  }

  /** The class of the given members, which communicate, with the given period, 1 or more. */
  static CyclicClass of(ContractionOperator whole, int[] members, int period) {
    ContractionOperator operator = whole.restrictedTo(members);
    int clients = members.length;
    int[] level = new int[clients];
    Arrays.fill(level, -1);
    int[] queue = new int[clients];
    int tail = 0;
    level[0] = 0;
    queue[tail++] = 0;
    for (int head = 0; head < tail; head++) {
      int m = queue[head];
      for (int k : operator.hears(m)) {
        if (level[k] < 0) {
          level[k] = (level[m] + 1) % period;
          queue[tail++] = k;
        }
      }
    }
    int[] sizes = new int[period];
    for (int r : level) {
      sizes[r]++;
    }
    int smallest = 0;
    for (int r = 1; r < period; r++) {
      smallest = sizes[r] < sizes[smallest] ? r : smallest;
    }
    int[][] levels = new int[period][];
    for (int r = 0; r < period; r++) {
      levels[r] = new int[sizes[(r + smallest) % period]];
    }
    int[] filled = new int[period];
    for (int m = 0; m < clients; m++) {
      int r = Math.floorMod(level[m] - smallest, period);
      levels[r][filled[r]++] = m;
    }
    return new CyclicClass(operator, levels);
  }

  int period() {
    return levels.length;
  }

  /** The length of a vector on the smallest cyclic class. */
  int dimension() {
    return levels[0].length * operator.parameters();
  }

  int parameters() {
    return operator.parameters();
  }

  /** How many a cycle takes. */
  long multiplications() {
    return (long) operator.parameters()
        * (operator.links() + (long) operator.parameters() * operator.clients());
  }

  /** The length of a vector on the whole class. */
  int wholeDimension() {
    return operator.dimension();
  }

  /**
   * One cycle: y = A^d x on the smallest cyclic class, each of the d steps divided by {@code pace}
   * so that long products neither vanish nor overflow.
   */
  void cycle(double[] x, double[] y, double pace, Scratch scratch) {
    scatter(x, scratch.current);
    for (int r = period() - 1; r >= 0; r--) {
      step(r, scratch);
      scale(r, scratch.current, 1 / pace);
    }
    gather(scratch.current, y);
  }

  /**
   * One cycle of x ← A x + b from what {@code whole} holds on the smallest cyclic class; on return
   * {@code whole} holds every cyclic class as the cycle left it.
   */
  void affineCycle(double[] whole, double[] b, Scratch scratch) {
    System.arraycopy(whole, 0, scratch.current, 0, whole.length);
    int p = operator.parameters();
    for (int r = period() - 1; r >= 0; r--) {
      step(r, scratch);
      for (int m : levels[r]) {
        for (int j = m * p; j < (m + 1) * p; j++) {
          scratch.current[j] += b[j];
        }
      }
    }
    System.arraycopy(scratch.current, 0, whole, 0, whole.length);
  }

  /**
   * Runs one cycle of x in place, brought back to size after every step; gives the logarithm of
   * what it grew by.
   */
  double growth(double[] x, Scratch scratch) {
    scatter(x, scratch.current);
    double log = 0;
    for (int r = period() - 1; r >= 0; r--) {
      step(r, scratch);
      double largest = largest(r, scratch.current);
      log += Math.log(largest); // minus infinity once nothing is left
      if (largest > 0) {
        scale(r, scratch.current, 1 / largest);
      }
    }
    gather(scratch.current, x);
    return log;
  }

  /** The matrix of {@link #cycle}, row by row, as (matrix, log) with A^d = e^log · matrix. */
  Product product() {
    int n = dimension();
    double[] matrix = new double[Math.multiplyExact(n, n)];
    double[] logs = new double[n];
    Scratch scratch = scratch();
    for (int j = 0; j < n; j++) {
      double[] column = new double[n];
      column[j] = 1;
      logs[j] = growth(column, scratch);
      for (int i = 0; i < n; i++) {
        matrix[i * n + j] = column[i];
      }
    }
    double top = Arrays.stream(logs).max().orElse(Double.NEGATIVE_INFINITY);
    for (int j = 0; j < n; j++) {
      double share = top == Double.NEGATIVE_INFINITY ? 0 : Math.exp(logs[j] - top);
      for (int i = 0; i < n; i++) {
        matrix[i * n + j] = share == 0 ? 0 : share * matrix[i * n + j];
      }
    }
    return new Product(matrix, n, top);
  }

  /** A matrix with its scale taken out as a logarithm; minus infinity for the zero matrix. */
  static final class Product {
    private final double[] matrix;
    private final int n;
    private final double log;

    Product(double[] matrix, int n, double log) {
      this.matrix = matrix;
      this.n = n;
      this.log = log;
    }

    double[] matrix() {
      return matrix;
    }

    int n() {
      return n;
    }

    double log() {
      return log;
    }
  }

  Scratch scratch() {
    return new Scratch(operator.dimension());
  }

  /** Two vectors on the whole class. */
  static final class Scratch {
    private double[] current;
    private double[] spare;

    Scratch(int dimension) {
      current = new double[dimension];
      spare = new double[dimension];
    }
  }

  /** Replaces the values of one cyclic class by what its clients make of the next one's. */
  private void step(int r, Scratch scratch) {
    // With a single cyclic class the rows read what they would write.
    double[] into = period() == 1 ? scratch.spare : scratch.current;
    for (int m : levels[r]) {
      operator.row(m, scratch.current, into, mixed);
    }
    if (period() == 1) {
      scratch.spare = scratch.current;
      scratch.current = into;
    }
  }

  private void scale(int r, double[] whole, double factor) {
    int p = operator.parameters();
    for (int m : levels[r]) {
      for (int j = m * p; j < (m + 1) * p; j++) {
        whole[j] *= factor;
      }
    }
  }

  private double largest(int r, double[] whole) {
    int p = operator.parameters();
    double largest = 0;
    for (int m : levels[r]) {
      for (int j = m * p; j < (m + 1) * p; j++) {
        largest = Math.max(largest, Math.abs(whole[j]));
      }
    }
    return largest;
  }

  void scatter(double[] x, double[] whole) {
    Arrays.fill(whole, 0);
    int p = operator.parameters();
    for (int i = 0; i < levels[0].length; i++) {
      System.arraycopy(x, i * p, whole, levels[0][i] * p, p);
    }
  }

  void gather(double[] whole, double[] x) {
    int p = operator.parameters();
    for (int i = 0; i < levels[0].length; i++) {
      System.arraycopy(whole, levels[0][i] * p, x, i * p, p);
    }
  }
}
