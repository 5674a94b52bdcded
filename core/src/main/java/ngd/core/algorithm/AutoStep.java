package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * A method with a step size of its own finding: it begins at a share of what the method bears, and
 * is halved whenever the iterates move ever faster, or, for a method whose bias is of order α, have
 * stopped moving (the paper's second open question).
 *
 * <p>At the end of every window all clients learn, by the largest over all of them, how far anyone
 * moved in it; so all cut in the same round, and to the same α. They have stopped when what is left
 * to go, as the last two windows tell it, is less than {@link #STOPPED} of the most they moved in a
 * window since the last cut. Windows grow as α falls: the clients soon agree with each other, while
 * all together they move by α a round, and in windows of one length only the former would show. A
 * cut that moves nobody was the last.
 *
 * <p>They also learn how curved anyone's loss is where it stands. A start far from the answer may
 * be less curved than the way there: α follows the safe limit down, never up.
 *
 * @param <S> the method's own state
 * @param family the method for a constant step size
 * @param scales the factors c_m of the method
 * @param first α · (L + added) to begin with, L = max c_m λmax(H_m)
 * @param added what the method adds to every client's curvature
 * @param exact whether the method comes to its target at any step size that it bears
 */
public record AutoStep<S extends Algorithm.State>(
    DoubleFunction<Algorithm.Rounds<S>> family,
    GradientScales scales,
    double first,
    double added,
    boolean exact)
    implements Algorithm.Rounds<AutoStep.State<S>> {
  /** The share of what a method bears to begin with. */
  static final double SHARE = 0.5;

  /** The rounds between two looks at the curvature, and of the shortest window. */
  public static final int WINDOW = 50;

  /** α · L times the rounds of a window is at least this: e⁻² of a way with curvature L is left. */
  private static final double WAY = 2;

  private static final int LONGEST_WINDOW = WINDOW << 20;

  private static final double STOPPED = 0.02;

  /** A movement this many times the one before is not convergence. */
  private static final double GROWING = 2;

  /** Below this share of the estimates a movement is rounding. */
  private static final double ROUNDING = 1e-14;

  /**
   * The method's own state, and what decides the next cut.
   *
   * @param <S> the method's own state
   * @param alpha the step size now; 0 before the first round
   * @param peak the most that anyone moved in a window since the last cut
   * @param last how far anyone moved in the last window, 0 where that was the first since a cut
   * @param before the estimates at the end of the last window; null before the first
   */
  public record State<S extends Algorithm.State>(
      S inner, double alpha, double peak, double last, @Nullable Rows before)
      implements Algorithm.State {
    @Override
    public int round() {
      return inner.round();
    }

    @Override
    public Rows theta() {
      return inner.theta();
    }

    @Override
    public List<Rows> rows() {
      if (before == null) {
        return inner.rows();
      }
      List<Rows> all = new ArrayList<>(inner.rows());
      all.add(before);
      return all;
    }
  }

  @Override
  public State<S> start(Rows theta) {
    return new State<>(family.apply(1).start(theta), 0, 0, 0, null);
  }

  @Override
  public State<S> step(State<S> s, Exchange exchange, Local local, Draws draws) {
    State<S> now = s.round() % WINDOW == 0 ? look(s, exchange, local) : s;
    S next = family.apply(now.alpha()).step(now.inner(), exchange, local, draws);
    return new State<>(next, now.alpha(), now.peak(), now.last(), now.before());
  }

  private State<S> look(State<S> s, Exchange exchange, Local local) {
    Rows theta = s.theta();
    double most = first / (exchange.max(curvatures(theta, local)) + added);
    Rows before = s.before();
    if (before == null) {
      return new State<>(s.inner(), most, 0, 0, theta);
    }
    double safe = Math.min(s.alpha(), most);
    if (s.round() % window(first * safe / most) != 0) {
      return new State<>(s.inner(), safe, s.peak(), s.last(), before);
    }
    double[] moves = new double[theta.rows()];
    double[] sizes = new double[theta.rows()];
    for (int m = 0; m < moves.length; m++) {
      for (int j = 0; j < theta.width(); j++) {
        moves[m] = Math.max(moves[m], Math.abs(theta.get(m, j) - before.get(m, j)));
        sizes[m] = Math.max(sizes[m], Math.abs(theta.get(m, j)));
      }
    }
    double moved = exchange.max(moves);
    double rounding = ROUNDING * (1 + exchange.max(sizes));
    boolean fresh = s.peak() == 0;
    double peak = Math.max(s.peak(), moved);
    boolean stopped =
        !exact && peak > rounding && (moved <= rounding || left(moved, s.last()) <= STOPPED * peak);
    boolean growing =
        !fresh && moved > rounding && moved > GROWING * (s.last() > 0 ? s.last() : s.peak());
    return stopped || growing
        ? new State<>(s.inner(), Math.min(s.alpha() / 2, most), 0, 0, theta)
        : new State<>(s.inner(), safe, peak, fresh ? 0 : moved, theta);
  }

  /** The rounds of a window. */
  private int window(double step) {
    int rounds = WINDOW;
    while (!exact && rounds * step < WAY && rounds < LONGEST_WINDOW) {
      rounds *= 2;
    }
    return rounds;
  }

  /** What is left to go if every window moves by the same share of the one before. */
  private static double left(double moved, double last) {
    return moved < last ? moved * moved / (last - moved) : Double.POSITIVE_INFINITY;
  }

  /** c_m λmax(H_m) where each client stands, or a bound on it. */
  private double[] curvatures(Rows theta, Local local) {
    CurvedLocal curved = CurvedLocal.in(local);
    double[] curvatures = new double[theta.rows()];
    for (int m = 0; m < curvatures.length; m++) {
      double[] steepness = curved.moments(m).steepness(theta.row(m));
      curvatures[m] = scales.of(m) * SymmetricMatrix.largestEigenvalue(steepness, theta.width());
    }
    return curvatures;
  }
}
