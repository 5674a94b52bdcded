package ngd.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import ngd.core.data.Shard;

/**
 * Who of one shard's rows is at risk at which times, by strata: at a time are those that started
 * before it and stop there or later. Rows of weight 0 are in none.
 */
public final class RiskSets implements OwnRiskSets {
  /** Where a sum has fallen to this share of what was taken from it, it is made anew. */
  private static final double CANCELLED = 1e-6;

  private final Shard shard;

  /** For each stratum its rows by falling stop. */
  private final int[][] byStop;

  /** For each stratum the rows with a start, by falling start. */
  private final int[][] byStart;

  /** For each stratum the times to look at, falling. */
  private final double[][] times;

  /** Whether predictors are taken from the largest one: a constant is of no account in a shard. */
  private final boolean alone;

  private RiskSets(Shard shard, double[][] given, boolean alone) {
    this.shard = shard;
    this.alone = alone;
    int[] counted = IntStream.range(0, shard.rows()).filter(i -> shard.weight(i) > 0).toArray();
    int strata = given.length;
    for (int i : counted) {
      strata = Math.max(strata, shard.time(i).stratum() + 1);
    }
    byStop = new int[strata][];
    byStart = new int[strata][];
    times = new double[strata][];
    int[][] rows = inStrata(counted, strata);
    for (int s = 0; s < strata; s++) {
      byStop[s] = falling(rows[s], i -> shard.time(i).stop());
      byStart[s] =
          falling(
              Arrays.stream(rows[s])
                  .filter(i -> shard.time(i).start() > Double.NEGATIVE_INFINITY)
                  .toArray(),
              i -> shard.time(i).start());
      times[s] =
          alone
              ? Arrays.stream(byStop[s])
                  .filter(i -> shard.y(i) > 0)
                  .mapToDouble(i -> shard.time(i).stop())
                  .distinct()
                  .toArray()
              : s < given.length ? reversed(given[s]) : new double[0];
    }
  }

  private int[][] inStrata(int[] rows, int strata) {
    int[] sizes = new int[strata];
    for (int i : rows) {
      sizes[shard.time(i).stratum()]++;
    }
    int[][] of = new int[strata][];
    Arrays.setAll(of, s -> new int[sizes[s]]);
    int[] next = new int[strata];
    for (int i : rows) {
      int s = shard.time(i).stratum();
      of[s][next[s]++] = i;
    }
    return of;
  }

  /** Rows by falling times; of equal ones in their order. */
  private static int[] falling(int[] rows, IntToDoubleFunction time) {
    double[] rising = Arrays.stream(rows).mapToDouble(time).sorted().toArray();
    double[] distinct =
        IntStream.range(0, rising.length)
            .filter(k -> k == 0 || Double.compare(rising[k - 1], rising[k]) != 0)
            .mapToDouble(k -> rising[k])
            .toArray();
    int[] ranks = new int[rows.length];
    int[] from = new int[distinct.length + 1];
    for (int k = 0; k < rows.length; k++) {
      ranks[k] = distinct.length - 1 - Arrays.binarySearch(distinct, time.applyAsDouble(rows[k]));
      from[ranks[k] + 1]++;
    }
    for (int r = 1; r < from.length; r++) {
      from[r] += from[r - 1];
    }
    int[] sorted = new int[rows.length];
    for (int k = 0; k < rows.length; k++) {
      sorted[from[ranks[k]]++] = rows[k];
    }
    return sorted;
  }

  /** At the times of the shard's own events. */
  public static RiskSets of(Shard shard) {
    return new RiskSets(shard, new double[0][], true);
  }

  /** At given times of each stratum. */
  public static RiskSets at(Shard shard, double[][] times) {
    return new RiskSets(shard, times, false);
  }

  private static double[] reversed(double[] times) {
    double[] reversed = new double[times.length];
    Arrays.setAll(reversed, k -> times[times.length - 1 - k]);
    return reversed;
  }

  /** The linear predictors of all rows. */
  private double[] predictors(double[] theta) {
    double[] eta = new double[shard.rows()];
    double[] x = new double[shard.features()];
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < eta.length; i++) {
      shard.row(i, x);
      eta[i] = Glm.dot(x, theta) + shard.offset(i);
      most = Math.max(most, eta[i]);
    }
    if (alone) {
      for (int i = 0; i < eta.length; i++) {
        eta[i] -= most;
      }
    }
    return eta;
  }

  /** Each stratum's risk sets by falling time, with sums up to the given order. */
  void visit(double[] theta, int order, Consumer<RiskSet> visitor) {
    double[] eta = predictors(theta);
    for (int s = 0; s < times.length; s++) {
      visit(s, eta, order, visitor);
    }
  }

  private void visit(int stratum, double[] eta, int order, Consumer<RiskSet> visitor) {
    int p = shard.features();
    double[] x = new double[p];
    double[] running = new double[RiskSet.width(p, order)];
    double most = 0;
    int[] rows = byStop[stratum];
    int[] starts = byStart[stratum];
    int in = 0;
    int out = 0;
    for (double time : times[stratum]) {
      RiskSet set = new RiskSet(stratum, time, p, order);
      for (; in < rows.length && shard.time(rows[in]).stop() >= time; in++) {
        int i = rows[in];
        shard.row(i, x);
        RiskSet.add(running, x, shard.weight(i) * Math.exp(eta[i]), p);
      }
      most = Math.max(most, running[0]);
      for (; out < starts.length && shard.time(starts[out]).start() >= time; out++) {
        int i = starts[out];
        shard.row(i, x);
        RiskSet.add(running, x, -shard.weight(i) * Math.exp(eta[i]), p);
      }
      if (out > 0 && running[0] < CANCELLED * most) {
        again(rows, in, time, eta, running);
        most = running[0];
      }
      System.arraycopy(running, 0, set.risk(), 0, running.length);
      for (int k = in - 1; k >= 0 && shard.time(rows[k]).stop() == time; k--) {
        int i = rows[k];
        if (shard.y(i) > 0) {
          shard.row(i, x);
          set.add(x, eta[i], shard.weight(i), shard.weight(i) * Math.exp(eta[i]));
        }
      }
      visitor.accept(set);
    }
  }

  /** Sums from the rows at risk alone, with nothing taken off. */
  private void again(int[] rows, int in, double time, double[] eta, double[] running) {
    Arrays.fill(running, 0);
    double[] x = new double[shard.features()];
    for (int k = 0; k < in; k++) {
      int i = rows[k];
      if (shard.time(i).start() < time) {
        shard.row(i, x);
        RiskSet.add(running, x, shard.weight(i) * Math.exp(eta[i]), x.length);
      }
    }
  }

  @Override
  public double[][] eventTimes() {
    return Arrays.stream(times).map(RiskSets::reversed).toArray(double[][]::new);
  }

  @Override
  public double[] likelihood(Ties ties, double[] theta, int order) {
    int p = theta.length;
    double[] loss = new double[1];
    double[] score = new double[order > 0 ? p : 0];
    double[] hessian = new double[order > 1 ? p * (p + 1) / 2 : 0];
    visit(theta, order, set -> set.contribute(ties, loss, score, hessian));
    double[] all = Arrays.copyOf(loss, 1 + score.length + hessian.length);
    System.arraycopy(score, 0, all, 1, score.length);
    System.arraycopy(hessian, 0, all, 1 + score.length, hessian.length);
    return all;
  }

  /** Takes a row's score residual; the array is reused. */
  @FunctionalInterface
  interface Residuals {
    void row(int row, double[] residual);
  }

  /** Each row's score residual, times its weight, from the shard's own risk sets. */
  void residuals(Ties ties, double[] theta, Residuals sink) {
    List<List<RiskSet.Hazard>> hazards = new ArrayList<>();
    for (int s = 0; s < times.length; s++) {
      hazards.add(new ArrayList<>());
    }
    visit(theta, 1, set -> hazards.get(set.stratum()).add(set.hazard(ties)));
    residuals(theta, hazards, sink);
  }

  /**
   * Each row's score residual, times its weight.
   *
   * @param hazards for each stratum, by falling time
   */
  void residuals(double[] theta, List<List<RiskSet.Hazard>> hazards, Residuals sink) {
    int p = shard.features();
    double[] eta = predictors(theta);
    double[] x = new double[p];
    double[] residual = new double[p];
    for (int s = 0; s < times.length; s++) {
      List<RiskSet.Hazard> rising = hazards.get(s).reversed();
      double[] at = rising.stream().mapToDouble(RiskSet.Hazard::time).toArray();
      double[][] sums = new double[at.length + 1][1 + p];
      for (int k = 0; k < at.length; k++) {
        sums[k + 1] = sums[k].clone();
        rising.get(k).cumulate(sums[k + 1]);
      }
      for (int i : byStop[s]) {
        shard.row(i, x);
        double r = Math.exp(eta[i]);
        boolean event = shard.y(i) > 0;
        // Those with an event bear less of the hazard at their own time: it is added apart.
        int to = event ? below(at, shard.time(i).stop()) : upTo(at, shard.time(i).stop());
        int from = Math.min(to, upTo(at, shard.time(i).start()));
        for (int j = 0; j < p; j++) {
          double hazard = sums[to][0] - sums[from][0];
          residual[j] = -r * (x[j] * hazard - (sums[to][1 + j] - sums[from][1 + j]));
        }
        if (event) {
          rising.get(to).bear(residual, x, r, true);
        }
        for (int j = 0; j < p; j++) {
          residual[j] *= shard.weight(i);
        }
        sink.row(i, residual);
      }
    }
  }

  /** How many of rising times are at most this. */
  private static int upTo(double[] rising, double time) {
    int found = Arrays.binarySearch(rising, time);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** How many of rising times are below this. */
  private static int below(double[] rising, double time) {
    int found = Arrays.binarySearch(rising, time);
    return found >= 0 ? found : -found - 1;
  }

  @Override
  public double[] squares(Ties ties, double[] theta) {
    return squaresOf(theta.length, sink -> residuals(ties, theta, sink));
  }

  static double[] squaresOf(int p, Consumer<Residuals> rows) {
    double[] sums = new double[p * (p + 1) / 2];
    rows.accept(
        (_, s) -> {
          int at = 0;
          for (int j = 0; j < p; j++) {
            for (int k = 0; k <= j; k++) {
              sums[at] = Math.fma(s[j], s[k], sums[at]);
              at++;
            }
          }
        });
    return sums;
  }

  @Override
  public double[] weightedByTime(Ties ties, double[] theta, DoubleUnaryOperator g) {
    TimeMoments sums = new TimeMoments(theta.length);
    visit(theta, 2, set -> sums.add(set, ties, g.applyAsDouble(set.time())));
    return sums.said();
  }
}
