package ngd.core.privacy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.linalg.SymmetricMatrix;

/**
 * The account of noise that cancels over neighbours (Allouah, Koloskova, El Firdoussi, Jaggi and
 * Guerraoui 2024, DECOR).
 *
 * <p>Each client adds noise of its own, N(0, a²), and for each neighbour noise N(0, b²) that the
 * neighbour subtracts. A coalition of q clients that sees every message knows the noise that its
 * members have a part in and subtracts it. What is left on the messages of the others, the set H,
 * is normal with covariance
 *
 * <pre>Σ = a² 1 + b² L(H)</pre>
 *
 * in every coordinate, L(H) the Laplacian of the graph that they form among themselves. One row of
 * client i moves its message by Δ and no other, so the two cases are as hard to tell apart as two
 * normal distributions at distance μ = Δ √(Σ⁻¹)ᵢᵢ, and T rounds as two at √T μ (Dong, Roth and Su
 * 2022). In Rényi's terms the divergence of order α is α T μ² / 2; the curve δ(ε) of {@link
 * GaussianAccount} is what that bounds, exactly. A larger coalition knows more, so those of exactly
 * q clients are the worst.
 *
 * <p>With λₖ and vₖ the eigenvalues and eigenvectors of L(H), (Σ⁻¹)ᵢᵢ = Σₖ vₖᵢ² / (a² + b² λₖ):
 * from 1 / a² without common noise down to 1 / (n a²) as b grows, n the clients that i is connected
 * with in H.
 */
public final class CorrelatedAccount {
  /** Coalitions times clients cubed: up to here each coalition is looked at. */
  private static final double MOST_WORK = 3e8;

  /** An eigenvalue below this is 0: those of a connected graph of n clients exceed 4 / n². */
  private static final double ZERO = 1e-10;

  /** What one client's message shows: squared eigenvector entries, by eigenvalue. */
  private static final class Exposure {
    private final double[] eigenvalues;
    private final double[] shares;

    Exposure(double[] eigenvalues, double[] shares) {
      this.eigenvalues = eigenvalues;
      this.shares = shares;
    }

    double inverse(double own, double pair) {
      double sum = 0;
      for (int k = 0; k < eigenvalues.length; k++) {
        sum += shares[k] / (own * own + pair * pair * eigenvalues[k]);
      }
      return sum;
    }
  }

  private final int colluders;
  private final List<Exposure> worst;
  private final int smallest;
  private final boolean exact;

  private CorrelatedAccount(int colluders, List<Exposure> worst, int smallest, boolean exact) {
    this.colluders = colluders;
    this.worst = worst;
    this.smallest = smallest;
    this.exact = exact;
  }

  /**
   * The account against coalitions of this many clients; 0 for somebody who sees all messages and
   * is no client.
   */
  public static CorrelatedAccount of(PairGraph pairs, int colluders) {
    int clients = pairs.clients();
    if (colluders < 0 || colluders >= clients) {
      throw new InvalidInput(
          "privacy: colluders must be fewer than the %d sites; got %d"
              .formatted(clients, colluders));
    }
    double work = Math.pow(clients, 3);
    for (int k = 0; k < colluders; k++) {
      work *= (clients - k) / (k + 1.0);
    }
    return work <= MOST_WORK ? enumerated(pairs, colluders) : bounded(pairs, colluders);
  }

  private static CorrelatedAccount enumerated(PairGraph pairs, int colluders) {
    List<Exposure> exposures = new ArrayList<>();
    int[] smallest = {pairs.clients()};
    coalitions(
        pairs.clients(),
        colluders,
        new ArrayList<>(),
        coalition -> {
          List<Integer> honest =
              IntStream.range(0, pairs.clients())
                  .filter(m -> !coalition.contains(m))
                  .boxed()
                  .toList();
          smallest[0] = Math.min(smallest[0], smallestGroup(pairs, honest));
          exposures.addAll(exposures(pairs, honest));
        });
    return new CorrelatedAccount(colluders, exposures, smallest[0], true);
  }

  private static void coalitions(
      int clients, int left, List<Integer> chosen, Consumer<List<Integer>> each) {
    if (left == 0) {
      each.accept(chosen);
      return;
    }
    for (int m = chosen.isEmpty() ? 0 : chosen.getLast() + 1; m <= clients - left; m++) {
      chosen.add(m);
      coalitions(clients, left - 1, chosen, each);
      chosen.removeLast();
    }
  }

  private static List<Exposure> exposures(PairGraph pairs, List<Integer> honest) {
    int n = honest.size();
    SymmetricMatrix.Spectrum spectrum = SymmetricMatrix.spectrum(pairs.laplacian(honest), n);
    double[] eigenvalues = new double[n];
    for (int k = 0; k < n; k++) {
      double value = spectrum.value(k);
      eigenvalues[k] = value < ZERO ? 0 : value;
    }
    List<Exposure> exposures = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double[] shares = new double[n];
      for (int k = 0; k < n; k++) {
        shares[k] = spectrum.vector(k, i) * spectrum.vector(k, i);
      }
      exposures.add(new Exposure(eigenvalues, shares));
    }
    return exposures;
  }

  private static int smallestGroup(PairGraph pairs, List<Integer> honest) {
    Set<Integer> left = new HashSet<>(honest);
    int smallest = honest.size();
    for (int start : honest) {
      if (!left.remove(start)) {
        continue;
      }
      int size = 0;
      Deque<Integer> open = new ArrayDeque<>(List.of(start));
      while (!open.isEmpty()) {
        size++;
        for (int other : pairs.neighbours(open.pop())) {
          if (left.remove(other)) {
            open.push(other);
          }
        }
      }
      smallest = Math.min(smallest, size);
    }
    return smallest;
  }

  /**
   * Where coalitions are too many: without q clients the second smallest eigenvalue of a graph's
   * Laplacian falls by at most q (Fiedler 1973), so the others stay connected where it exceeds q.
   */
  private static CorrelatedAccount bounded(PairGraph pairs, int colluders) {
    List<Integer> all = IntStream.range(0, pairs.clients()).boxed().toList();
    double[] eigenvalues = SymmetricMatrix.eigenvalues(pairs.laplacian(all), all.size());
    double second = Arrays.stream(eigenvalues).sorted().toArray()[1] - colluders;
    int n = pairs.clients() - colluders;
    return second > ZERO
        ? new CorrelatedAccount(
            colluders,
            List.of(new Exposure(new double[] {0, second}, new double[] {1.0 / n, 1 - 1.0 / n})),
            n,
            false)
        : new CorrelatedAccount(
            colluders, List.of(new Exposure(new double[] {0}, new double[] {1})), 1, false);
  }

  /** Whether every coalition was looked at; if not, the account is a bound. */
  public boolean isExact() {
    return exact;
  }

  /** The fewest honest clients that a coalition leaves connected with each other. */
  public int smallestGroup() {
    return smallest;
  }

  /**
   * μ of one gradient, the worst over clients and coalitions.
   *
   * @param own a, in units of what one row can move
   * @param pair b, in the same units
   */
  public double distance(double own, double pair) {
    double largest = 0;
    for (Exposure one : worst) {
      largest = Math.max(largest, one.inverse(own, pair));
    }
    return Math.sqrt(largest);
  }

  /**
   * The variance of a client's own noise as a share of what local noise needs.
   *
   * <p>It must exceed 1 / n, with n the smallest group, which it reaches as the common noise grows
   * without bound. Twice that is the standard, √n times in small groups: on a complete graph all
   * noise in a message then has about twice the variance of local noise.
   */
  public double ownShare(OptionalDouble wanted) {
    if (smallest == 1) {
      throw new InvalidInput(
          "privacy: correlated noise needs a network on which %d colluding sites leave every other site connected with an honest one; here they may cut a site off, which then needs local noise"
              .formatted(colluders));
    }
    double least = 1.0 / smallest;
    double share = wanted.orElse(Math.min(2, Math.sqrt(smallest)) * least);
    if (!(share > least && share <= 1)) {
      throw new InvalidInput(
          "privacy: own must lie above 1/%d, the share of each of the %d sites that stay connected, and be at most 1; got %s"
              .formatted(smallest, smallest, share));
    }
    return share;
  }

  /**
   * The least b at which a gradient's distance is at most this.
   *
   * @param own a
   */
  public double pair(double own, double distance) {
    if (distance(own, 0) <= distance) {
      return 0;
    }
    double pair = Threshold.above(0, own, b -> distance(own, b) > distance).above();
    if (Double.isInfinite(pair)) {
      throw new IllegalArgumentException("no common noise hides so much with own = " + own);
    }
    return pair;
  }
}
