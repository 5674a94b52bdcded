package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * A method with a step size of its own finding: half the safe α, 2 / max c_m λmax(H_m), and half as
 * large again whenever the iterates stop moving (the paper's second open question) or move ever
 * faster.
 *
 * <p>Every {@link #WINDOW} rounds all clients learn, by the largest over all of them, how far
 * anyone moved and how curved anyone's loss is where it stands; so all cut in the same round, and
 * to the same α. They have stopped when they move less than {@link #STOPPED} of the most they moved
 * since the last cut. A start far from the answer may be less curved than the way there: α follows
 * the safe limit down, never up.
 *
 * @param family the method for a constant step size
 * @param scales the factors c_m of the method
 * @param share the share of the safe α to begin with, ½ for most methods
 */
public record AutoStep<S extends Algorithm.State>(
    DoubleFunction<Algorithm.Rounds<S>> family, GradientScales scales, double share)
    implements Algorithm.Rounds<AutoStep.State<S>> {
  /** The rounds between two looks. */
  public static final int WINDOW = 50;

  private static final double STOPPED = 0.02;

  /** A movement this many times the one before is not convergence. */
  private static final double GROWING = 2;

  /** Below this share of the estimates a movement is rounding. */
  private static final double ROUNDING = 1e-14;

  /**
   * The method's own state, and what decides the next cut.
   *
   * @param alpha the step size now; 0 before the first round
   * @param peak the most that anyone moved in a window since the last cut
   * @param last how far anyone moved in the last window
   * @param before the estimates at the last look; null before the first
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
    double most = share * 2 / exchange.max(curvatures(theta, local));
    Rows before = s.before();
    if (before == null) {
      return new State<>(s.inner(), most, 0, 0, theta);
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
    double peak = Math.max(s.peak(), moved);
    boolean stopped = moved <= STOPPED * peak && moved > ROUNDING * (1 + exchange.max(sizes));
    boolean growing = s.last() > 0 && moved > GROWING * s.last();
    boolean cut = stopped || growing;
    double alpha = Math.min(cut ? s.alpha() / 2 : s.alpha(), most);
    return new State<>(s.inner(), alpha, cut ? 0 : peak, cut ? 0 : moved, theta);
  }

  /** c_m λmax(H_m) where each client stands. */
  private double[] curvatures(Rows theta, Local local) {
    CurvedLocal curved = CurvedLocal.in(local);
    double[] curvatures = new double[theta.rows()];
    for (int m = 0; m < curvatures.length; m++) {
      double[] hessian = curved.moments(m).hessian(theta.row(m));
      curvatures[m] = scales.of(m) * SymmetricMatrix.largestEigenvalue(hessian, theta.width());
    }
    return curvatures;
  }
}
