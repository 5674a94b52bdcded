package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.EventCounts;
import ngd.core.model.EventCounts.Weights;
import ngd.core.model.TimeGrid;

/**
 * The survival curves of groups of rows, of all sites together: counts at the times of an agreed
 * grid are summed over the sites, and all else follows from them.
 *
 * @param curves of the groups that have rows at risk
 * @param weights of the rows
 * @param late whether rows have a start
 * @param causes the codes of the events that happened; more than one are competing risks
 * @param test whether the groups have the same hazard; none where there is one group, or none can
 *     be told from another
 * @param causeTests the same of each of several causes, others ending the watching
 */
public record SurvivalCurves(
    TimeGrid grid,
    Settings settings,
    List<SurvivalCurve> curves,
    Weights weights,
    boolean late,
    List<Integer> causes,
    Optional<LogRankTest> test,
    List<Optional<LogRankTest>> causeTests) {

  /**
   * What is reported.
   *
   * @param level of the intervals
   * @param tau up to which means are restricted
   */
  public record Settings(double level, ConfidenceType type, double tau) {}

  /**
   * What is asked.
   *
   * @param tau the last time of the grid where it is not said
   * @param weighted whether rows have weights
   */
  public record Options(double level, ConfidenceType type, Optional<Double> tau, boolean weighted) {
    public Options {
      if (!(level > 0 && level < 1)) {
        throw new InvalidInput(
            "level: the intervals' coverage must lie between 0 and 1, such as 0.95; got " + level);
      }
      if (tau.isPresent() && !(tau.get() > 0 && tau.get() < Double.POSITIVE_INFINITY)) {
        throw new InvalidInput(
            "tau: must be a time above 0, up to which means are restricted; got "
                + NumberText.text(tau.get(), 9));
      }
    }

    private Settings on(TimeGrid grid) {
      double end = tau.orElse(grid.last());
      if (end > grid.last()) {
        throw new InvalidInput(
            "tau: must be at most %s, the last time of the grid, as nothing is known of later ones; got %s"
                .formatted(NumberText.text(grid.last(), 9), NumberText.text(end, 9)));
      }
      return new Settings(level, type, end);
    }
  }

  public SurvivalCurves {
    curves = List.copyOf(curves);
    causes = List.copyOf(causes);
    causeTests = List.copyOf(causeTests);
  }

  /**
   * Counts the rows of the sites here, and adds up with the others: two totals, with weights one
   * more.
   *
   * @param shards of the sites here, their times of the grid
   */
  public static SurvivalCurves of(Totals totals, Shards shards, TimeGrid grid, Options options) {
    Settings settings = options.on(grid);
    int codes =
        (int)
            totals.max(
                IntStream.range(0, shards.clients())
                    .mapToDouble(m -> shards.folded(m, SurvivalCurves::largest, Math::max))
                    .toArray());
    if (codes == 0) {
      throw new InvalidInput(
          "the event of Surv(…): must be 1 in at least one row up to the last time, %s; it is 0 in every row of every site"
              .formatted(NumberText.text(grid.last(), 9)));
    }
    Weights weights = options.weighted() ? weights(totals, shards) : Weights.NONE;
    EventCounts.Kind kind =
        new EventCounts.Kind(
            codes,
            weights,
            weights == Weights.FRACTIONS
                || (weights == Weights.WHOLE && codes > 1 && !shards.haveStarts()));
    double[][] said = new double[shards.clients()][];
    Arrays.parallelSetAll(said, m -> shards.sum(m, rows -> EventCounts.said(rows, grid, kind)));
    EventCounts counts = EventCounts.heard(totals.total(said), grid, kind);
    List<Integer> causes =
        IntStream.rangeClosed(1, codes).filter(cause -> happens(counts, cause)).boxed().toList();
    List<SurvivalCurve> curves = new ArrayList<>();
    for (int s = 0; s < grid.strata().size(); s++) {
      int stratum = s;
      if (IntStream.range(0, grid.times().size()).anyMatch(k -> counts.atRisk(stratum, k) > 0)) {
        curves.add(SurvivalCurve.of(counts, s, causes, settings));
      }
    }
    return new SurvivalCurves(
        grid,
        settings,
        curves,
        weights,
        shards.haveStarts(),
        causes,
        weights == Weights.FRACTIONS ? Optional.empty() : LogRankTest.of(counts),
        causes.size() > 1
            ? causes.stream()
                .map(
                    cause ->
                        weights == Weights.FRACTIONS
                            ? Optional.<LogRankTest>empty()
                            : LogRankTest.of(counts, cause))
                .toList()
            : List.of());
  }

  /** Whether all sites' weights are whole numbers, as counts of equal rows are. */
  private static Weights weights(Totals totals, Shards shards) {
    double[] fractions = new double[shards.clients()];
    for (int m = 0; m < fractions.length; m++) {
      fractions[m] = shards.folded(m, SurvivalCurves::haveFractions, Boolean::logicalOr) ? 1 : 0;
    }
    if (totals.max(fractions) == 0) {
      return Weights.WHOLE;
    }
    if (shards.haveStarts()) {
      throw new InvalidInput(
          "formula: weights(…) must be whole numbers where Surv(start, stop, event) has a start, as"
              + " other standard errors are no function of sums at the times; some are not");
    }
    return Weights.FRACTIONS;
  }

  private static boolean haveFractions(Shard rows) {
    return IntStream.range(0, rows.rows())
        .anyMatch(i -> rows.weight(i) != Math.rint(rows.weight(i)));
  }

  private static boolean happens(EventCounts counts, int cause) {
    return IntStream.range(0, counts.grid().strata().size())
        .anyMatch(
            s ->
                IntStream.range(0, counts.grid().times().size())
                    .anyMatch(k -> counts.events(s, k, cause) > 0));
  }

  private static double largest(Shard shard) {
    double largest = 0;
    for (int i = 0; i < shard.rows(); i++) {
      largest = Math.max(largest, shard.y(i));
    }
    return largest;
  }

  /** Whether several causes compete. */
  public boolean competing() {
    return causes.size() > 1;
  }

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (weights == Weights.FRACTIONS) {
      notes.add(
          "weights are not all whole numbers: standard errors are robust, and there is no log-rank"
              + " test; a Cox model with weights and --robust compares groups");
    }
    if (competing() && late) {
      notes.add(
          "rows start late: standard errors of incidences are Greenwood's, as those of survival"
              + " are");
    }
    double first = grid.times().getFirst();
    if (settings.tau() < first) {
      notes.add(
          "tau, %s, is before the first time, %s, to which all earlier ones were rounded up: the restricted means say nothing"
              .formatted(NumberText.text(settings.tau()), NumberText.text(first)));
    }
    for (SurvivalCurve curve : curves) {
      if (curve.end() < settings.tau() && curve.points().getLast().value() > 0) {
        notes.add(
            "%snobody is at risk after %s; the restricted mean takes the curve as level from there to %s"
                .formatted(
                    curve.stratum().isEmpty() ? "" : curve.stratum() + ": ",
                    NumberText.text(curve.end()),
                    NumberText.text(settings.tau())));
      }
    }
    return notes;
  }
}
