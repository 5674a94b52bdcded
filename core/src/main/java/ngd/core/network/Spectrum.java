package ngd.core.network;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import ngd.core.linalg.Arnoldi;
import ngd.core.linalg.DenseSpectrum;

/**
 * The numbers of W on which the paper's bounds rest.
 *
 * @param sigmaMax σmax(W), the largest singular value
 * @param sigmaMinPlus the smallest positive singular value of I − W
 * @param rhoSigmaW λmax(Σ_w)^½ with Σ_w = Wᵀ(I − 11ᵀ/M)W, the largest singular value of (I −
 *     11ᵀ/M)W
 * @param secondEigenvalue the second largest modulus of the eigenvalues of W
 */
public record Spectrum(
    Measured sigmaMax, Measured sigmaMinPlus, Measured rhoSigmaW, Measured secondEigenvalue) {

  /** Up to here dense methods come first; they cannot miss a value. */
  static final int DENSE_FIRST = 600;

  /** Up to here dense methods step in where an iteration does not converge. */
  static final int DENSE_LAST = 2000;

  /**
   * The same for all eigenvalues of a matrix that is not symmetric, which take ten times longer.
   */
  static final int DENSE_LAST_GENERAL = 1200;

  private static final int ITERATIVE_LIMIT = 300_000;
  private static final long WORK_LIMIT = 8_000_000_000L;

  private static final String DENSE = "dense";
  private static final String CIRCULANT = "closed form (circulant)";
  private static final String LANCZOS = "iterative (Lanczos)";
  private static final String ARNOLDI = "iterative (Arnoldi)";

  public static Spectrum of(Network network, CommunicatingClasses classes) {
    Optional<Circulant> circulant = Circulant.of(network);
    if (circulant.isPresent()) {
      return ofCirculant(circulant.get(), network.clients(), classes);
    }
    Whole whole = new Whole(network);
    return new Spectrum(
        sigmaMax(whole),
        sigmaMinPlus(whole, classes),
        rhoSigmaW(whole),
        secondEigenvalue(network, classes));
  }

  private static Spectrum ofCirculant(
      Circulant circulant, int clients, CommunicatingClasses classes) {
    double[] moduli = circulant.distances(0);
    double second = 0;
    for (int j = 1; j < clients; j++) {
      second = Math.max(second, moduli[j]);
    }
    // A vector that sums to 0 may not grow: what lies above 1 is rounding.
    second = Math.min(second, 1);
    double[] fromOne = circulant.distances(1);
    Arrays.sort(fromOne);
    int zeros = classes.closedClasses().length;
    Optional<Measured> structural = structuralSecond(clients, classes);
    return new Spectrum(
        Measured.of(1, CIRCULANT),
        zeros == clients ? noneIsPositive() : Measured.of(fromOne[zeros], CIRCULANT),
        Measured.of(second, CIRCULANT),
        structural.orElse(Measured.of(second, CIRCULANT)));
  }

  private static Measured noneIsPositive() {
    return Measured.not("every client hears only itself: I − W is zero");
  }

  private static Measured sigmaMax(Whole w) {
    if (w.doublyStochastic()) {
      return Measured.of(1, "closed form (doubly stochastic)");
    }
    return largestSingular(w, w::dense, w::times, w::transposeTimes);
  }

  private static Measured rhoSigmaW(Whole w) {
    return largestSingular(
        w,
        w::denseCentred,
        (x, product) -> {
          w.times(x, product);
          centre(product);
        },
        (x, product) -> {
          double[] centred = x.clone();
          centre(centred);
          w.transposeTimes(centred, product);
        });
  }

  private static Measured largestSingular(
      Whole w, Supplier<double[]> dense, Arnoldi.LinearMap times, Arnoldi.LinearMap transpose) {
    int clients = w.clients();
    if (clients > ITERATIVE_LIMIT) {
      return tooLarge();
    }
    if (clients > DENSE_FIRST) {
      double[] between = new double[clients];
      OptionalDouble square =
          Arnoldi.largest(
              clients,
              (x, product) -> {
                times.apply(x, between);
                transpose.apply(between, product);
              },
              restarts(clients, 2L * w.links(), Arnoldi.LANCZOS_BASIS));
      if (square.isPresent() || clients > DENSE_LAST) {
        return rooted(square);
      }
    }
    return DenseSpectrum.singularValues(dense.get(), clients)
        .map(values -> Measured.of(values[clients - 1], DENSE))
        .orElse(unsettled(DENSE));
  }

  private static Measured sigmaMinPlus(Whole w, CommunicatingClasses classes) {
    int clients = w.clients();
    // The null space of I − W has one dimension for each closed class.
    int zeros = classes.closedClasses().length;
    if (zeros == clients) {
      return noneIsPositive();
    }
    if (clients > ITERATIVE_LIMIT) {
      return tooLarge();
    }
    if (clients > DENSE_FIRST && zeros == 1) {
      OptionalDouble square = smallestPositive(w);
      if (square.isPresent() || clients > DENSE_LAST) {
        return rooted(square);
      }
    }
    if (clients > DENSE_LAST) {
      return Measured.not(
          "not computed: %d closed classes and more than %d clients".formatted(zeros, DENSE_LAST));
    }
    double[] matrix = w.dense();
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = -matrix[i];
    }
    for (int m = 0; m < clients; m++) {
      matrix[m * clients + m] += 1;
    }
    return DenseSpectrum.singularValues(matrix, clients)
        .map(values -> Measured.of(values[zeros], DENSE))
        .orElse(unsettled(DENSE));
  }

  /**
   * The smallest eigenvalue of (I − W)ᵀ(I − W) + 5 · 11ᵀ/M, for one closed class: the null vector 1
   * moves to 5, and the smallest positive eigenvalue stays the smallest, since it is at most the
   * mean ‖I − W‖²_F / (M − 1) ≤ 2M / (M − 1) &lt; 5.
   */
  private static OptionalDouble smallestPositive(Whole w) {
    int clients = w.clients();
    double[] between = new double[clients];
    return Arnoldi.smallest(
        clients,
        (x, product) -> {
          w.times(x, between);
          double mean = 0;
          for (int m = 0; m < clients; m++) {
            between[m] = x[m] - between[m];
            mean += x[m];
          }
          mean /= clients;
          w.transposeTimes(between, product);
          for (int m = 0; m < clients; m++) {
            product[m] = between[m] - product[m] + 5 * mean;
          }
        },
        restarts(clients, 2L * w.links(), Arnoldi.LANCZOS_BASIS));
  }

  /** What the classes alone decide: 1 where W has several closed classes, or a periodic one. */
  private static Optional<Measured> structuralSecond(int clients, CommunicatingClasses classes) {
    if (clients == 1) {
      return Optional.of(Measured.not("a single client has only the eigenvalue 1"));
    }
    int[] closed = classes.closedClasses();
    if (closed.length > 1) {
      return Optional.of(Measured.of(1, "structure (several closed classes)"));
    }
    if (classes.period(closed[0]) > 1) {
      return Optional.of(Measured.of(1, "structure (periodic)"));
    }
    return Optional.empty();
  }

  /** The eigenvalues of W are those of its classes' blocks, whoever hears whom between them. */
  private static Measured secondEigenvalue(Network network, CommunicatingClasses classes) {
    Optional<Measured> structural = structuralSecond(network.clients(), classes);
    if (structural.isPresent()) {
      return structural.get();
    }
    double second = 0;
    String how = DENSE;
    for (int c = 0; c < classes.count(); c++) {
      if (classes.size(c) == 1) {
        if (!classes.closed(c)) {
          int client = classes.members(c)[0];
          second = Math.max(second, network.weight(client, client));
        }
        continue;
      }
      Measured largest = largestModulus(new ClassBlock(network, classes, c), classes.closed(c));
      if (largest.value().isEmpty()) {
        return largest;
      }
      second = Math.max(second, largest.value().getAsDouble());
      how = largest.how().equals(DENSE) ? how : largest.how();
    }
    return Measured.of(Math.min(second, 1), how);
  }

  /** The largest modulus of a block's eigenvalues; of a closed one's, the eigenvalue 1 aside. */
  private static Measured largestModulus(ClassBlock block, boolean closed) {
    int size = block.size();
    if (size > ITERATIVE_LIMIT) {
      return tooLarge();
    }
    boolean reversible = block.balance().isPresent();
    if (size > DENSE_FIRST) {
      OptionalDouble radius = iteratedModulus(block, closed);
      if (radius.isPresent()) {
        return Measured.of(radius.getAsDouble(), ARNOLDI);
      }
      if (size > (reversible ? DENSE_LAST : DENSE_LAST_GENERAL)) {
        return unsettled(ARNOLDI);
      }
    }
    return reversible
        ? DenseSpectrum.symmetricEigenvalues(block.denseSymmetric(), size)
            .map(values -> Measured.of(largestModulus(values, closed), DENSE))
            .orElse(unsettled(DENSE))
        : DenseSpectrum.eigenvalues(block.dense(), size)
            .map(values -> Measured.of(largestModulus(values, closed), DENSE))
            .orElse(unsettled(DENSE));
  }

  /** W − 1uᵀ with uᵀ1 = 1 has the eigenvalues of W with 0 in place of one 1; here u = 1/n. */
  static OptionalDouble iteratedModulus(ClassBlock block, boolean closed) {
    int size = block.size();
    return Arnoldi.radius(
        size,
        (x, product) -> {
          block.times(x, product);
          if (closed) {
            double mean = Arrays.stream(x).sum() / size;
            for (int i = 0; i < size; i++) {
              product[i] -= mean;
            }
          }
        },
        restarts(size, block.links(), Arnoldi.ARNOLDI_BASIS));
  }

  /** Of real eigenvalues in ascending order, the last of which is 1 for a closed class. */
  private static double largestModulus(double[] values, boolean withoutOne) {
    return Math.max(Math.abs(values[0]), Math.abs(values[values.length - (withoutOne ? 2 : 1)]));
  }

  private static double largestModulus(double[][] values, boolean withoutOne) {
    int one = withoutOne ? nearestOne(values) : -1;
    double largest = 0;
    for (int i = 0; i < values.length; i++) {
      if (i != one) {
        largest = Math.max(largest, Math.hypot(values[i][0], values[i][1]));
      }
    }
    return largest;
  }

  /** The place of the eigenvalue that is 1. */
  static int nearestOne(double[][] values) {
    int one = 0;
    for (int i = 1; i < values.length; i++) {
      if (fromOne(values[i]) < fromOne(values[one])) {
        one = i;
      }
    }
    return one;
  }

  private static double fromOne(double[] value) {
    return Math.hypot(value[0] - 1, value[1]);
  }

  private static void centre(double[] x) {
    double mean = Arrays.stream(x).sum() / x.length;
    for (int m = 0; m < x.length; m++) {
      x[m] -= mean;
    }
  }

  private static Measured rooted(OptionalDouble square) {
    return square.isPresent()
        ? Measured.of(Math.sqrt(Math.max(square.getAsDouble(), 0)), LANCZOS)
        : unsettled(LANCZOS);
  }

  /** As many restarts as a person waits for; each takes the products and sums of a basis. */
  static int restarts(int size, long links, int basis) {
    return Math.clamp(WORK_LIMIT / (basis * (links + 2L * basis * size)), 3, 1000);
  }

  private static Measured unsettled(String method) {
    return Measured.not("not computed: the %s method did not converge".formatted(method));
  }

  private static Measured tooLarge() {
    return Measured.not(
        "not computed: more than %d clients and no closed form".formatted(ITERATIVE_LIMIT));
  }

  /** W as a whole, in the shapes that the computations want. */
  private record Whole(Network network) {
    int clients() {
      return network.clients();
    }

    int links() {
      return network.edges();
    }

    double[] dense() {
      int clients = clients();
      double[] matrix = new double[clients * clients];
      for (int m = 0; m < clients; m++) {
        for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
          matrix[m * clients + network.heard()[e]] = network.weights()[e];
        }
      }
      return matrix;
    }

    /** (I − 11ᵀ/M) W: each column less its mean. */
    double[] denseCentred() {
      double[] matrix = dense();
      double[] columns = network.columnSums();
      for (int i = 0; i < matrix.length; i++) {
        matrix[i] -= columns[i % columns.length] / columns.length;
      }
      return matrix;
    }

    boolean doublyStochastic() {
      return Arrays.stream(network.columnSums()).allMatch(sum -> Math.abs(sum - 1) <= 1e-12);
    }

    void times(double[] x, double[] product) {
      for (int m = 0; m < clients(); m++) {
        double sum = 0;
        for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
          sum += network.weights()[e] * x[network.heard()[e]];
        }
        product[m] = sum;
      }
    }

    void transposeTimes(double[] x, double[] product) {
      Arrays.fill(product, 0);
      for (int m = 0; m < clients(); m++) {
        for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
          product[network.heard()[e]] += network.weights()[e] * x[m];
        }
      }
    }
  }
}
