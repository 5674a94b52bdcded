package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.List;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Any method in rounds, its estimates averaged over rounds (Polyak and Juditsky 1992, Ruppert
 * 1988), with what random scaling needs of the way of the average (Lee, Liao, Seo and Shin 2022):
 *
 * <pre>
 * θ̄_s = θ̄_{s−1} + (x_s − θ̄_{s−1}) / s,  d_s = θ̄_s − θ̄_1
 * A_s = A_{s−1} + s² d_s d_sᵀ,  b_s = b_{s−1} + s² d_s
 * </pre>
 *
 * so that Σ_s s² (θ̄_s − θ̄_n)(θ̄_s − θ̄_n)ᵀ = A_n − d_n b_nᵀ − b_n d_nᵀ + d_n d_nᵀ Σ s² is known
 * at any time while no round is kept. Distances are from the first average, or rounding would eat
 * them.
 *
 * @param <S> the method's own state
 * @param scaled whether A and b are kept
 * @param skip the first rounds, which do not count
 */
public record Averaged<S extends Algorithm.State>(
    Algorithm.Rounds<S> method, boolean scaled, int skip)
    implements Algorithm.Rounds<Averaged.State<S>> {

  /**
   * Where the method stands, and its average.
   *
   * @param <S> the method's own state
   * @param theta the average, or the method's own estimate while none counts
   * @param first θ̄_1; null before
   * @param sums the lower triangle of A, row by row, and b; null before, and where not kept
   */
  public record State<S extends Algorithm.State>(
      S inner, Rows theta, int counted, @Nullable Rows first, @Nullable Rows sums)
      implements Algorithm.State {
    @Override
    public int round() {
      return inner.round();
    }

    @Override
    public List<Rows> rows() {
      List<Rows> all = new ArrayList<>(inner.rows());
      all.add(theta);
      if (first != null) {
        all.add(first);
      }
      if (sums != null) {
        all.add(sums);
      }
      return all;
    }

    /**
     * (1/n²) Σ_s s² (θ̄_s − θ̄_n)(θ̄_s − θ̄_n)ᵀ of a row, p × p, n the rounds that count: the scale
     * of √n times the error of its average.
     */
    public double[] scale(int row) {
      if (first == null || sums == null) {
        throw new IllegalStateException("no round was counted with its scale");
      }
      int p = theta.width();
      double n = counted;
      double squares = n * (n + 1) * (2 * n + 1) / 6;
      double[] kept = sums.row(row);
      double[] scale = new double[p * p];
      int at = 0;
      int b = p * (p + 1) / 2;
      for (int i = 0; i < p; i++) {
        double di = theta.get(row, i) - first.get(row, i);
        for (int j = 0; j <= i; j++) {
          double dj = theta.get(row, j) - first.get(row, j);
          double sum = kept[at++] - di * kept[b + j] - kept[b + i] * dj + di * dj * squares;
          scale[i * p + j] = sum / (n * n);
          scale[j * p + i] = scale[i * p + j];
        }
      }
      return scale;
    }
  }

  @Override
  public State<S> start(Rows theta) {
    return new State<>(method.start(theta), theta, 0, null, null);
  }

  @Override
  public State<S> step(State<S> s, Exchange exchange, Local local, Draws draws) {
    S next = method.step(s.inner(), exchange, local, draws);
    Rows point = next.theta();
    if (next.round() <= skip) {
      return new State<>(next, point, 0, null, null);
    }
    Rows first = s.first();
    if (first == null) {
      return new State<>(next, point, 1, point, scaled ? none(point) : null);
    }
    int counted = s.counted() + 1;
    Rows mean = s.theta().plus(1.0 / counted, point.minus(s.theta()));
    Rows sums = s.sums();
    return new State<>(
        next, mean, counted, first, sums == null ? null : added(sums, mean, first, counted));
  }

  private static Rows none(Rows like) {
    int p = like.width();
    return like.of(new double[like.rows()][p * (p + 1) / 2 + p]);
  }

  private static Rows added(Rows sums, Rows mean, Rows first, int counted) {
    double square = (double) counted * counted;
    int p = mean.width();
    double[][] next = new double[mean.rows()][];
    for (int m = 0; m < next.length; m++) {
      next[m] = sums.row(m);
      int at = 0;
      int b = p * (p + 1) / 2;
      for (int i = 0; i < p; i++) {
        double weighed = square * (mean.get(m, i) - first.get(m, i));
        next[m][b + i] += weighed;
        for (int j = 0; j <= i; j++) {
          next[m][at++] += weighed * (mean.get(m, j) - first.get(m, j));
        }
      }
    }
    return mean.of(next);
  }
}
