package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import ngd.core.model.EventCounts;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The Kaplan–Meier estimate of one group of rows on a grid of times, as {@code survfit} gives it,
 * and of several causes the cumulative incidence of each (Aalen and Johansen).
 *
 * @param stratum the name of the group; empty where there is one alone
 * @param rows of the group
 * @param points at the times up to the last at which somebody is at risk
 * @param events of any cause
 * @param restrictedMean the area under the curve up to τ, with its standard error
 * @param median where the curve falls to a half, if it does, and the same of its interval's ends
 * @param incidences of each cause, where there are several
 */
public record SurvivalCurve(
    String stratum,
    long rows,
    List<Point> points,
    double events,
    double restrictedMean,
    double restrictedMeanError,
    OptionalDouble median,
    OptionalDouble medianLow,
    OptionalDouble medianHigh,
    List<Incidence> incidences) {

  /** R takes what is this near to a half for one. */
  private static final double HALF = 0.5 + Math.sqrt(Math.ulp(1.0));

  /**
   * A step of a curve.
   *
   * @param events there, of those at risk
   * @param value the probability from there on, with its standard error and interval
   */
  public record Point(
      double time,
      double atRisk,
      double events,
      double value,
      double standardError,
      double low,
      double high) {}

  /**
   * The probability that an event of one cause has happened.
   *
   * @param timeLost the area under it up to τ: how much of the time is lost by this cause
   */
  public record Incidence(int cause, List<Point> points, double events, double timeLost) {
    public Incidence {
      points = List.copyOf(points);
    }
  }

  public SurvivalCurve {
    points = List.copyOf(points);
    incidences = List.copyOf(incidences);
  }

  /** The last time at which somebody was at risk. */
  public double end() {
    return points.getLast().time();
  }

  /** The curve of one stratum, in which somebody must be at risk. */
  static SurvivalCurve of(
      EventCounts counts, int stratum, List<Integer> causes, SurvivalCurves.Settings settings) {
    Steps steps = Steps.of(counts, stratum);
    double z = NormalDistribution.of(0, 1).inverseSurvivalProbability((1 - settings.level()) / 2);
    List<Point> points = new ArrayList<>();
    double greenwood = 0;
    boolean robust = counts.kind().weights() == EventCounts.Weights.FRACTIONS;
    for (int k = 0; k < steps.size(); k++) {
      double n = steps.atRisk(k);
      double d = steps.events(k);
      greenwood += d == 0 ? 0 : d / n / (n - d);
      points.add(
          point(
              settings,
              z,
              steps.time(k),
              n,
              d,
              steps.after(k),
              robust ? steps.jackknife(k) : steps.after(k) * Math.sqrt(greenwood)));
    }
    double tau = settings.tau();
    List<Incidence> incidences = new ArrayList<>();
    if (causes.size() > 1) {
      causes.forEach(cause -> incidences.add(incidence(steps, cause, settings, z)));
    }
    return new SurvivalCurve(
        counts.grid().strata().get(stratum),
        counts.rows(stratum),
        points,
        points.stream().mapToDouble(Point::events).sum(),
        steps.area(tau),
        steps.areaError(tau),
        half(points.stream().map(p -> new double[] {p.time(), p.value()}).toList()),
        half(points.stream().map(p -> new double[] {p.time(), p.low()}).toList()),
        half(points.stream().map(p -> new double[] {p.time(), p.high()}).toList()),
        incidences);
  }

  private static Point point(
      SurvivalCurves.Settings settings,
      double z,
      double time,
      double atRisk,
      double events,
      double value,
      double error) {
    double[] ends =
        Double.isNaN(error)
            ? new double[] {Double.NaN, Double.NaN}
            : settings.type().interval(value, error, z);
    return new Point(time, atRisk, events, value, error, ends[0], ends[1]);
  }

  /** Where a falling curve comes to a half; halfway along a step that is one, as R has it. */
  private static OptionalDouble half(List<double[]> curve) {
    List<double[]> below =
        curve.stream().filter(at -> !Double.isNaN(at[1]) && at[1] < HALF).toList();
    if (below.isEmpty()) {
      return OptionalDouble.empty();
    }
    double[] first = below.getFirst();
    OptionalDouble lower =
        below.stream().filter(at -> at[1] < first[1]).mapToDouble(at -> at[0]).findFirst();
    return OptionalDouble.of(
        Math.abs(first[1] - 0.5) < HALF - 0.5 && lower.isPresent()
            ? (first[0] + lower.getAsDouble()) / 2
            : first[0]);
  }

  /**
   * The cumulative incidence of a cause. Its variance is that of the infinitesimal jackknife: at
   * each time s a row at risk that has an event of cause k moves the curve at t by H_k(s, t), less
   * what all at risk there expect. Without squared weights, the squares of that, summed over those
   * at risk at each time, are Greenwood's variance, which holds where rows start late as well;
   * where none does, both are the same.
   */
  private static Incidence incidence(
      Steps steps, int cause, SurvivalCurves.Settings settings, double z) {
    int size = steps.size();
    double[] value = new double[size];
    for (int k = 0; k < size; k++) {
      double d = steps.events(k, cause);
      // Before the first row starts nobody is at risk.
      double step = d == 0 ? 0 : steps.before(k) * d / steps.atRisk(k);
      value[k] = (k == 0 ? 0 : value[k - 1]) + step;
    }
    List<Point> points = new ArrayList<>();
    double events = 0;
    double lost = 0;
    for (int t = 0; t < size; t++) {
      double variance = 0;
      // What those lose who are at risk up to a time, each for a unit of weight.
      double expected = 0;
      for (int s = 0; s < size; s++) {
        double n = steps.atRisk(s);
        double d = steps.events(s);
        double own = steps.events(s, cause);
        // What an event of any cause takes away later, and one of this cause adds at once.
        boolean moves = s <= t && d > 0;
        double later = !moves || d == n ? 0 : (value[t] - value[s]) / (n - d);
        double at = moves ? steps.before(s) / n - later : 0;
        double sum = own * at - (d - own) * later;
        expected += moves ? sum / n : 0;
        if (steps.counts().kind().squares()) {
          variance += steps.squares(s, cause, at - expected, -later - expected, -expected);
        } else if (moves) {
          variance += own * at * at + (d - own) * later * later - sum * sum / n;
        }
      }
      events += steps.events(t, cause);
      double until = t + 1 < size ? steps.time(t + 1) : settings.tau();
      lost += value[t] * Math.max(0, Math.min(until, settings.tau()) - steps.time(t));
      points.add(
          point(
              settings,
              z,
              steps.time(t),
              steps.atRisk(t),
              steps.events(t, cause),
              value[t],
              Math.sqrt(Math.max(variance, 0))));
    }
    return new Incidence(cause, points, events, lost);
  }

  /** The steps of one stratum, to the last time at which somebody is at risk. */
  private record Steps(EventCounts counts, int stratum, int size, List<Double> survival) {
    static Steps of(EventCounts counts, int stratum) {
      int size = counts.grid().times().size();
      while (size > 1 && counts.atRisk(stratum, size - 1) == 0) {
        size--;
      }
      List<Double> survival = new ArrayList<>();
      double now = 1;
      for (int k = 0; k < size; k++) {
        double n = counts.atRisk(stratum, k);
        double d = counts.events(stratum, k);
        now *= d == 0 ? 1 : (n - d) / n;
        survival.add(now);
      }
      return new Steps(counts, stratum, size, survival);
    }

    double time(int k) {
      return counts.grid().times().get(k);
    }

    double atRisk(int k) {
      return counts.atRisk(stratum, k);
    }

    double events(int k) {
      return counts.events(stratum, k);
    }

    double events(int k, int cause) {
      return counts.events(stratum, k, cause);
    }

    double after(int k) {
      return survival.get(k);
    }

    double before(int k) {
      return k == 0 ? 1 : survival.get(k - 1);
    }

    /**
     * Squared weights of those who stop at a step, times the squares of what moves the curve: of
     * those with an event of a cause, of another, and of none.
     */
    double squares(int k, int cause, double own, double other, double none) {
      double sum = counts.squares(stratum, k, 0) * none * none;
      for (int c = 1; c <= counts.kind().causes(); c++) {
        double moves = c == cause ? own : other;
        sum = Math.fma(counts.squares(stratum, k, c) * moves, moves, sum);
      }
      return sum;
    }

    /** The standard error by the infinitesimal jackknife, which weights of any size have. */
    double jackknife(int t) {
      if (after(t) == 0) {
        return 0;
      }
      double variance = 0;
      double hazards = 0;
      for (int s = 0; s < size; s++) {
        double left = s > t ? 1 : atRisk(s) - events(s);
        hazards += s > t ? 0 : events(s) / atRisk(s) / left;
        double event = s > t ? hazards : hazards - 1 / left;
        variance += squares(s, 1, event, event, hazards);
      }
      return after(t) * Math.sqrt(variance);
    }

    /** The area under the curve from a step to τ. */
    private double areaFrom(int k, double tau) {
      double area = 0;
      for (int i = k; i < size && time(i) < tau; i++) {
        double until = i + 1 < size ? Math.min(time(i + 1), tau) : tau;
        area += after(i) * (until - time(i));
      }
      return area;
    }

    double area(double tau) {
      return Math.min(time(0), tau) + areaFrom(0, tau);
    }

    /** Each event moves the area that is still to come. */
    double areaError(double tau) {
      double variance = 0;
      for (int k = 0; k < size && time(k) <= tau; k++) {
        double n = atRisk(k);
        double d = events(k);
        if (d > 0 && d < n) {
          double area = areaFrom(k, tau);
          variance += area * area * d / n / (n - d);
        }
      }
      return Math.sqrt(variance);
    }
  }
}
