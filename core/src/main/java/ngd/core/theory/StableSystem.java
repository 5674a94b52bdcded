package ngd.core.theory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import ngd.core.linalg.DenseSolve;
import ngd.core.linalg.Gmres;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;

/**
 * Solves x = Δ*(W ⊗ I) x + b, that is Ω̂ x = b (2.4), class by class.
 *
 * <p>The closed classes hear only themselves and come first, then those that hear only solved ones.
 * Within a class of period d one cyclic class is enough: x there is the fixed point of one cycle of
 * d steps, and the others follow from it.
 */
final class StableSystem {
  /** Up to this dimension a class is solved by elimination, in some hundredths of a second. */
  private static final int DENSE = 400;

  /** Up to this dimension elimination takes half a minute: worth it when iteration has failed. */
  private static final int DENSE_LAST_RESORT = 4000;

  /** Up to this dimension the vectors of the iteration fit any heap. */
  private static final int ITERATED = 100_000;

  private static final int SPACE = 150;
  private static final int PRODUCTS = 1500;

  /** Iteration may use this many products times unknowns: some ten seconds. */
  private static final long WORK = 10_000_000;

  private static final double TOLERANCE = 1e-13;

  /** What the answer may leave of its own equation, relative to its right side and itself. */
  private static final double RESIDUAL = 1e-11;

  /** Iteration sees the operator to about this power, whose steps are cheap beside its own. */
  private static final int POWER = 32;

  private final CommunicatingClasses classes;
  private final int[] order;

  StableSystem(Network network, CommunicatingClasses classes) {
    this.classes = classes;
    order = heardFirst(network, classes);
  }

  double[] solve(ContractionOperator operator, double[] b) throws NotComputed {
    int p = operator.parameters();
    double[] x = new double[b.length];
    double[] y = new double[b.length];
    double[] mixed = new double[p];
    for (int c : order) {
      int[] members = classes.members(c);
      double[] own = new double[members.length * p];
      for (int i = 0; i < members.length; i++) {
        // The class's own part of x is still 0, so this is what it hears from solved classes.
        operator.row(members[i], x, y, mixed);
        for (int j = 0; j < p; j++) {
          own[i * p + j] = y[members[i] * p + j] + b[members[i] * p + j];
        }
      }
      if (classes.period(c) > 0) {
        own = solveClass(CyclicClass.of(operator, members, classes.period(c)), own, members[0]);
      }
      for (int i = 0; i < members.length; i++) {
        System.arraycopy(own, i * p, x, members[i] * p, p);
      }
    }
    return x;
  }

  private static double[] solveClass(CyclicClass cyclic, double[] b, int name) throws NotComputed {
    CyclicClass.Scratch scratch = cyclic.scratch();
    double[] whole = new double[b.length];
    cyclic.affineCycle(whole, b, scratch);
    double[] once = new double[cyclic.dimension()];
    cyclic.gather(whole, once);
    double[] fixed = fixedPoint(cyclic, once, name);
    cyclic.scatter(fixed, whole);
    cyclic.affineCycle(whole, b, scratch);
    return whole;
  }

  /** x with x = A^d x + once on the smallest cyclic class. */
  private static double[] fixedPoint(CyclicClass cyclic, double[] once, int name)
      throws NotComputed {
    int n = cyclic.dimension();
    if (n > DENSE && cyclic.wholeDimension() > ITERATED) {
      throw new NotComputed(
          "the class of client %d has %d unknowns, more than the %d up to which a stable solution is computed"
              .formatted(name, cyclic.wholeDimension(), ITERATED));
    }
    if (n > DENSE) {
      Optional<double[]> found =
          iterate(cyclic, once, Math.ceilDiv(POWER, cyclic.period()))
              .or(() -> n > DENSE_LAST_RESORT ? iterate(cyclic, once, 1) : Optional.empty());
      if (found.isPresent()) {
        return found.get();
      }
      if (n > DENSE_LAST_RESORT) {
        throw new NotComputed(
            "iteration for the %d unknowns of the class of client %d did not converge, and elimination stops at %d unknowns"
                .formatted(n, name, DENSE_LAST_RESORT));
      }
    }
    CyclicClass.Product product = cyclic.product();
    double scale = Math.exp(product.log());
    double[] matrix = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        matrix[i * n + j] = (i == j ? 1 : 0) - scale * product.matrix()[i * n + j];
      }
    }
    return DenseSolve.solve(matrix, n, once)
        .orElseThrow(
            () ->
                new NotComputed(
                    "Ω̂ is singular on the class of client %d: no stable solution, or more than one"
                        .formatted(name)));
  }

  /**
   * The same from x = A^{dk} x + (I + A^d + … + A^{d(k−1)}) once with k cycles a product: where the
   * powers of A decay this is far better conditioned. Where they grow it is not, so the answer has
   * to satisfy the equation of a single cycle.
   */
  private static Optional<double[]> iterate(CyclicClass cyclic, double[] once, int cycles) {
    int n = once.length;
    CyclicClass.Scratch scratch = cyclic.scratch();
    double[] right = once.clone();
    for (int i = 1; i < cycles; i++) {
      cyclic.cycle(right, right, 1, scratch);
      for (int j = 0; j < n; j++) {
        right[j] += once[j];
      }
    }
    int products = Math.clamp(WORK / cyclic.wholeDimension(), 100, PRODUCTS);
    return new Gmres(SPACE, products, TOLERANCE)
        .solve(
            (x, y) -> {
              cyclic.cycle(x, y, 1, scratch);
              for (int i = 1; i < cycles; i++) {
                cyclic.cycle(y, y, 1, scratch);
              }
              for (int i = 0; i < n; i++) {
                y[i] = x[i] - y[i];
              }
            },
            right)
        .filter(
            x -> {
              double[] y = new double[n];
              cyclic.cycle(x, y, 1, scratch);
              double left = 0;
              double size = 0;
              for (int i = 0; i < n; i++) {
                left = Math.hypot(left, x[i] - y[i] - once[i]);
                size = Math.hypot(size, Math.abs(x[i]) + Math.abs(once[i]));
              }
              return left <= RESIDUAL * size;
            });
  }

  /** The classes, each after all those that it hears. */
  private static int[] heardFirst(Network network, CommunicatingClasses classes) {
    int count = classes.count();
    int[] waits = new int[count];
    int[] starts = new int[count + 1];
    int[] from = new int[network.edges()];
    int[] to = new int[network.edges()];
    int links = 0;
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int own = classes.classOf(m);
        int other = classes.classOf(network.heard()[e]);
        if (own != other) {
          waits[own]++;
          starts[other + 1]++;
          from[links] = other;
          to[links++] = own;
        }
      }
    }
    for (int c = 0; c < count; c++) {
      starts[c + 1] += starts[c];
    }
    int[] next = Arrays.copyOf(starts, count);
    int[] heardBy = new int[links];
    for (int i = 0; i < links; i++) {
      heardBy[next[from[i]]++] = to[i];
    }
    Deque<Integer> ready = new ArrayDeque<>();
    for (int c = 0; c < count; c++) {
      if (waits[c] == 0) {
        ready.add(c);
      }
    }
    int[] order = new int[count];
    int done = 0;
    while (!ready.isEmpty()) {
      int c = ready.remove();
      order[done++] = c;
      for (int i = starts[c]; i < starts[c + 1]; i++) {
        if (--waits[heardBy[i]] == 0) {
          ready.add(heardBy[i]);
        }
      }
    }
    return order;
  }
}
