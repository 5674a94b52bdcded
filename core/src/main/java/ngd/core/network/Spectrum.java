package ngd.core.network;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import ngd.core.linalg.Arnoldi;
import ngd.core.linalg.DenseSpectrum;
import ngd.core.linalg.Lanczos;
import ngd.core.linalg.PowerNorms;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of W on which the paper's bounds rest, each found when it is first asked for: on
 * large networks they take their time, and few askers need all of them.
 */
public final class Spectrum {
  /** Up to here dense methods come first; they cannot miss a value. */
  static final int DENSE_FIRST = 600;

  /** Up to here dense methods step in where an iteration does not converge. */
  static final int DENSE_LAST = 2000;

  /**
   * The same for all eigenvalues of a matrix that is not symmetric, which take ten times longer.
   */
  static final int DENSE_LAST_GENERAL = 1200;

  private static final int ITERATIVE_LIMIT = 300_000;

  /** Up to here the basis of Arnoldi iteration costs little enough. */
  private static final int ARNOLDI_LIMIT = 20_000;

  /** Power times links and clients for norms of powers: about a second. */
  private static final long GROWTH_WORK = 25_000_000L;

  /** Sums and products that Arnoldi iteration may take: about a second. */
  private static final long ARNOLDI_WORK = 1_500_000_000L;

  private static final String DENSE = "dense";
  private static final String CIRCULANT = "closed form (circulant)";
  private static final String DOUBLY_STOCHASTIC = "closed form (doubly stochastic)";
  private static final String ARNOLDI = "iterative (Arnoldi)";

  private final Once sigmaMax;
  private final Once sigmaMinPlus;
  private final Once rhoSigmaW;
  private final Once secondEigenvalue;

  private Spectrum(
      Supplier<Measured> sigmaMax,
      Supplier<Measured> sigmaMinPlus,
      Supplier<Measured> rhoSigmaW,
      Supplier<Measured> secondEigenvalue) {
    this.sigmaMax = new Once(sigmaMax);
    this.sigmaMinPlus = new Once(sigmaMinPlus);
    this.rhoSigmaW = new Once(rhoSigmaW);
    this.secondEigenvalue = new Once(secondEigenvalue);
  }

  /** Numbers that are known. */
  Spectrum(
      Measured sigmaMax, Measured sigmaMinPlus, Measured rhoSigmaW, Measured secondEigenvalue) {
    this(() -> sigmaMax, () -> sigmaMinPlus, () -> rhoSigmaW, () -> secondEigenvalue);
  }

  public static Spectrum of(Network network, CommunicatingClasses classes) {
    Optional<Circulant> circulant = Circulant.of(network);
    if (circulant.isPresent()) {
      return ofCirculant(circulant.get(), network.clients(), classes);
    }
    Whole whole = Whole.of(network);
    if (whole.symmetric() && iterated(network.clients()) && classes.count() == 1) {
      return ofSymmetric(whole, network.clients(), classes);
    }
    return new Spectrum(
        () -> sigmaMax(whole),
        () -> sigmaMinPlus(whole, classes),
        () -> rhoSigmaW(whole),
        () -> secondEigenvalue(network, classes));
  }

  /** σmax(W), the largest singular value. */
  public Measured sigmaMax() {
    return sigmaMax.get();
  }

  /** The smallest positive singular value of I − W. */
  public Measured sigmaMinPlus() {
    return sigmaMinPlus.get();
  }

  /** λmax(Σ_w)^½ with Σ_w = Wᵀ(I − 11ᵀ/M)W, the largest singular value of (I − 11ᵀ/M)W. */
  public Measured rhoSigmaW() {
    return rhoSigmaW.get();
  }

  /** The second largest modulus of the eigenvalues of W. */
  public Measured secondEigenvalue() {
    return secondEigenvalue.get();
  }

  /** A number that is found once. */
  private static final class Once {
    private @Nullable Supplier<Measured> how;
    private @Nullable Measured found;

    Once(Supplier<Measured> how) {
      this.how = how;
    }

    synchronized Measured get() {
      Supplier<Measured> next = how;
      if (next != null) {
        found = next.get();
        how = null;
      }
      return Objects.requireNonNull(found);
    }
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

  /**
   * One iteration for all: singular values are the moduli of the eigenvalues, 1 − λ those of I − W.
   */
  private static Spectrum ofSymmetric(Whole w, int clients, CommunicatingClasses classes) {
    Lanczos.Ends ends =
        Lanczos.ends(
            clients,
            (x, product) -> {
              w.rows.times(x, product);
              centre(product);
            },
            Lanczos.End.BOTH,
            LanczosNumbers.steps(clients, w.links()),
            LanczosNumbers.TOLERANCE);
    Measured second =
        structuralSecond(clients, classes).orElse(LanczosNumbers.largestModulus(ends));
    return new Spectrum(
        Measured.of(1, DOUBLY_STOCHASTIC),
        LanczosNumbers.lessThanOne(ends.largest()),
        second,
        second);
  }

  private static boolean iterated(int clients) {
    return clients > DENSE_LAST && clients <= ITERATIVE_LIMIT;
  }

  private static Measured noneIsPositive() {
    return Measured.not("every client hears only itself: I − W is zero");
  }

  private static Measured sigmaMax(Whole w) {
    if (w.doublyStochastic()) {
      return Measured.of(1, DOUBLY_STOCHASTIC);
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
      Measured iterated =
          LanczosNumbers.root(
              Lanczos.ends(
                      clients,
                      (x, product) -> {
                        times.apply(x, between);
                        transpose.apply(between, product);
                      },
                      Lanczos.End.LARGEST,
                      LanczosNumbers.steps(clients, 2L * w.links()),
                      LanczosNumbers.TOLERANCE)
                  .largest(),
              clients > DENSE_LAST);
      if (iterated.value().isPresent() || clients > DENSE_LAST) {
        return iterated;
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
      Measured iterated = LanczosNumbers.root(smallestPositive(w), clients > DENSE_LAST);
      if (iterated.value().isPresent() || clients > DENSE_LAST) {
        return iterated;
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
  private static Lanczos.Value smallestPositive(Whole w) {
    int clients = w.clients();
    double[] between = new double[clients];
    return Lanczos.ends(
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
            Lanczos.End.SMALLEST,
            LanczosNumbers.steps(clients, 2L * w.links()),
            LanczosNumbers.TOLERANCE)
        .smallest();
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
    double error = 0;
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
      error = Math.max(error, largest.error());
      how = largest.how().equals(DENSE) ? how : largest.how();
    }
    return Measured.within(Math.min(second, 1), error, how);
  }

  /** The largest modulus of a block's eigenvalues; of a closed one's, the eigenvalue 1 aside. */
  private static Measured largestModulus(ClassBlock block, boolean closed) {
    int size = block.size();
    if (size > ITERATIVE_LIMIT) {
      return tooLarge();
    }
    Optional<double[]> scales = block.balance();
    boolean reversible = scales.isPresent();
    if (reversible && size > DENSE_LAST) {
      return LanczosNumbers.largestModulus(reversibleEnds(block, scales.get(), closed));
    }
    if (size > DENSE_FIRST) {
      OptionalDouble radius =
          size > ARNOLDI_LIMIT ? OptionalDouble.empty() : iteratedModulus(block, closed);
      if (radius.isPresent()) {
        return Measured.of(radius.getAsDouble(), ARNOLDI);
      }
      if (size > DENSE_LAST_GENERAL && !reversible) {
        PowerNorms.Radius grown = grownModulus(block, closed);
        double atMost = Math.min(1, grown.atMost());
        return Measured.within(
            Math.min(1, grown.near()),
            atMost - Math.min(1, grown.near()),
            "growth of powers up to %d; at most %.5g".formatted(grown.power(), atMost));
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

  /**
   * The ends of the spectrum of a block in detailed balance, which is similar to the symmetric S^½
   * W S^−½; of a closed one's without the eigenvalue 1, whose vector is S^½ 1.
   */
  static Lanczos.Ends reversibleEnds(ClassBlock block, double[] scales, boolean closed) {
    int size = block.size();
    double[] roots = Arrays.stream(scales).map(Math::sqrt).toArray();
    double total = Arrays.stream(scales).sum();
    double[] scaled = new double[size];
    return Lanczos.ends(
        size,
        (x, product) -> {
          double along = 0;
          for (int i = 0; i < size; i++) {
            scaled[i] = x[i] / roots[i];
            along += roots[i] * x[i];
          }
          block.times(scaled, product);
          double taken = closed ? along / total : 0;
          for (int i = 0; i < size; i++) {
            product[i] = roots[i] * (product[i] - taken);
          }
        },
        Lanczos.End.BOTH,
        LanczosNumbers.steps(size, block.links()),
        LanczosNumbers.TOLERANCE);
  }

  /** The same number from norms of powers, in about a second; see {@link #iteratedModulus}. */
  static PowerNorms.Radius grownModulus(ClassBlock block, boolean closed) {
    int size = block.size();
    ClassBlock transposed = block.transposed();
    long power = GROWTH_WORK / (block.links() + 4L * size);
    return PowerNorms.radius(
        size,
        (x, product) -> {
          block.times(x, product);
          if (closed) {
            subtract(product, mean(x));
          }
        },
        (x, product) -> {
          transposed.times(x, product);
          if (closed) {
            subtract(product, mean(x));
          }
        },
        2 * Math.clamp(power / 2, 8, 512));
  }

  /** What the modulus cannot exceed: found by Arnoldi iteration, or bounded by norms of powers. */
  static double modulusAtMost(ClassBlock block, boolean closed) {
    if (block.size() > ITERATIVE_LIMIT) {
      return 1;
    }
    OptionalDouble found =
        block.size() > ARNOLDI_LIMIT ? OptionalDouble.empty() : iteratedModulus(block, closed);
    return found.orElseGet(() -> grownModulus(block, closed).atMost());
  }

  private static double mean(double[] x) {
    double sum = 0;
    for (double value : x) {
      sum += value;
    }
    return sum / x.length;
  }

  private static void subtract(double[] x, double mean) {
    for (int m = 0; m < x.length; m++) {
      x[m] -= mean;
    }
  }

  /** W − 1uᵀ with uᵀ1 = 1 has the eigenvalues of W with 0 in place of one 1; here u = 1/n. */
  static OptionalDouble iteratedModulus(ClassBlock block, boolean closed) {
    int size = block.size();
    return Arnoldi.radius(
        size,
        (x, product) -> {
          block.times(x, product);
          if (closed) {
            subtract(product, mean(x));
          }
        },
        restarts(size, block.links(), Arnoldi.BASIS));
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
    subtract(x, mean(x));
  }

  /** As many restarts as a person waits for; each takes the products and sums of a basis. */
  static int restarts(int size, long links, int basis) {
    return Math.clamp(ARNOLDI_WORK / (basis * (links + 2L * basis * size)), 3, 1000);
  }

  private static Measured unsettled(String method) {
    return Measured.not("not computed: the %s method did not converge".formatted(method));
  }

  private static Measured tooLarge() {
    return Measured.not(
        "not computed: more than %d clients and no closed form".formatted(ITERATIVE_LIMIT));
  }

  /** W as a whole, in the shapes that the computations want. */
  private record Whole(ClassBlock rows, ClassBlock columns) {
    static Whole of(Network network) {
      ClassBlock rows = ClassBlock.whole(network);
      return new Whole(rows, rows.transposed());
    }

    int clients() {
      return rows.size();
    }

    int links() {
      return rows.links();
    }

    boolean symmetric() {
      return rows.hasRowsOf(columns);
    }

    double[] dense() {
      return rows.dense();
    }

    /** (I − 11ᵀ/M) W: each column less its mean. */
    double[] denseCentred() {
      double[] matrix = dense();
      double[] sums = columnSums();
      for (int i = 0; i < matrix.length; i++) {
        matrix[i] -= sums[i % sums.length] / sums.length;
      }
      return matrix;
    }

    boolean doublyStochastic() {
      return Arrays.stream(columnSums()).allMatch(sum -> Math.abs(sum - 1) <= 1e-12);
    }

    private double[] columnSums() {
      double[] ones = new double[clients()];
      Arrays.fill(ones, 1);
      double[] sums = new double[clients()];
      columns.times(ones, sums);
      return sums;
    }

    void times(double[] x, double[] product) {
      rows.times(x, product);
    }

    void transposeTimes(double[] x, double[] product) {
      columns.times(x, product);
    }
  }
}
