package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.model.Concordance;
import ngd.core.model.Cox;
import ngd.core.model.EventCounts;
import ngd.core.model.OwnRiskSets;
import ngd.core.model.RiskSet;
import ngd.core.model.TimeGrid;
import ngd.core.model.TimeMoments;
import ngd.core.world.World;

/**
 * What is reported of a Cox model beside its coefficients, by totals.
 *
 * @param events over all sites, of rows of positive weight
 * @param likelihoodRatio against the model without covariates, as the two after it
 * @param wald with the covariance that was asked for; none where that is singular, as a clustered
 *     one of as many coefficients as sites is
 * @param concordance the share of comparable pairs of rows at one site whose order the linear
 *     predictor tells, ties counting half
 * @param baseline of each stratum, at the times of the grid; none where times stay at their sites
 * @param trends the test of proportional hazards, a line for each term and one for all together
 */
public record ProportionalHazards(
    Cox model,
    long events,
    ChiSquaredTest likelihoodRatio,
    Optional<ChiSquaredTest> wald,
    ChiSquaredTest score,
    OptionalDouble concordance,
    List<BaselinePoint> baseline,
    Optional<TimeTransform> transform,
    List<Trend> trends) {

  /**
   * A point of the baseline, where all covariates are 0.
   *
   * @param events there, over all sites
   * @param atRisk the rows at risk there, over all sites
   * @param hazard the cumulative hazard up to there
   */
  public record BaselinePoint(
      String stratum, double time, long atRisk, long events, double hazard) {}

  /** Whether a term's coefficient has a trend in time. */
  public record Trend(String term, ChiSquaredTest test) {
    /** The name of the line for all terms together. */
    public static final String GLOBAL = "GLOBAL";
  }

  public ProportionalHazards {
    baseline = List.copyOf(baseline);
    trends = List.copyOf(trends);
  }

  /**
   * That of an estimate.
   *
   * @param termOfEach the term of each coefficient, those of one term side by side
   */
  public static ProportionalHazards of(
      Inference inference, Cox cox, List<String> termOfEach, Optional<TimeTransform> transform) {
    PooledEstimate estimate = inference.estimate();
    int p = estimate.terms().size();
    PooledLikelihood likelihood = estimate.likelihood();
    World world = estimate.world();
    Likelihood none = likelihood.at(new double[p]);
    double[] theta = estimate.end().theta();
    double[] counts =
        Pooled.total(
            world,
            m ->
                Pooled.joined(
                    world.rowSums(m, ProportionalHazards::events),
                    Concordance.pairs(world.shards(), m, theta, times(likelihood, world, m))));
    double pairs = counts[1] + counts[2] + counts[3];
    return new ProportionalHazards(
        cox,
        (long) counts[0],
        ChiSquaredTest.of(2 * (estimate.nullModel().loss() - estimate.end().at().loss()), p),
        ChiSquaredTest.of(estimate.theta(), inference.covariance().orElseThrow(), p),
        ChiSquaredTest.of(none.score(), none.hessian(), p).orElseThrow(),
        pairs > 0
            ? OptionalDouble.of((counts[1] + 0.5 * counts[3]) / pairs)
            : OptionalDouble.empty(),
        likelihood instanceof GridLikelihood grid ? baseline(estimate, grid) : List.of(),
        transform,
        transform.map(g -> trends(estimate, cox, termOfEach, g)).orElse(List.of()));
  }

  /** The times at which a client's rows are compared, by stratum. */
  private static double[][] times(PooledLikelihood likelihood, World world, int client) {
    return likelihood instanceof GridLikelihood grid
        ? grid.grid().arrays()
        : OwnRiskSets.of(world.shards(), client).eventTimes();
  }

  /** How many rows that count have an event. */
  private static double[] events(Shard rows) {
    return new double[] {
      IntStream.range(0, rows.rows()).filter(i -> rows.y(i) > 0 && rows.weight(i) > 0).count()
    };
  }

  /** Rows at risk and events, unweighted. */
  private static EventCounts counts(GridLikelihood grid) {
    World world = grid.world();
    TimeGrid times = grid.grid();
    EventCounts.Kind kind = new EventCounts.Kind(1, EventCounts.Weights.NONE, false);
    return EventCounts.heard(
        Pooled.total(world, m -> world.rowSums(m, shard -> EventCounts.said(shard, times, kind))),
        times,
        kind);
  }

  private static List<BaselinePoint> baseline(PooledEstimate estimate, GridLikelihood grid) {
    double[] theta = estimate.end().theta();
    List<RiskSet> sets = grid.riskSets(theta, 0);
    EventCounts counts = counts(grid);
    double level = 0;
    double[] here = estimate.theta();
    for (int j = 0; j < here.length; j++) {
      level = Math.fma(here[j], estimate.coordinates().centre()[j], level);
    }
    int times = grid.grid().times().size();
    List<BaselinePoint> points = new ArrayList<>();
    for (int s = 0; s < grid.grid().strata().size(); s++) {
      double hazard = 0;
      for (int k = times - 1; k >= 0; k--) {
        RiskSet set = sets.get(s * times + k);
        // Sums there are of predictors around the mean of the covariates.
        hazard += set.increment(grid.sets().ties()) * Math.exp(-level);
        points.add(
            new BaselinePoint(
                grid.grid().strata().get(s),
                set.time(),
                Math.round(counts.atRisk(s, times - 1 - k)),
                Math.round(counts.events(s, times - 1 - k)),
                hazard));
      }
    }
    return points;
  }

  private static List<Trend> trends(
      PooledEstimate estimate, Cox cox, List<String> termOfEach, TimeTransform transform) {
    int p = estimate.terms().size();
    double[] sums =
        estimate.likelihood() instanceof GridLikelihood grid
            ? ofGrid(grid, estimate.end().theta(), transform)
            : ofSites(estimate, cox, transform);
    int triangle = p * (p + 1) / 2;
    Coordinates coordinates = estimate.coordinates();
    double[] score = coordinates.slope(Arrays.copyOf(sums, p));
    double[][] matrices = new double[3][];
    for (int k = 0; k < 3; k++) {
      matrices[k] = coordinates.curvature(Pooled.symmetric(sums, p + k * triangle, p));
    }
    List<Trend> trends = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int from = 0; from < p; ) {
      String term = termOfEach.get(from);
      List<Integer> own = new ArrayList<>();
      for (; from < p && termOfEach.get(from).equals(term); from++) {
        own.add(from);
      }
      trends.add(new Trend(term, test(score, matrices, own, p)));
      all.addAll(own);
    }
    trends.add(new Trend(Trend.GLOBAL, test(score, matrices, all, p)));
    return trends;
  }

  /** The score test of trends of some coefficients, all coefficients themselves being free. */
  private static ChiSquaredTest test(double[] score, double[][] matrices, List<Integer> of, int p) {
    int size = p + of.size();
    double[] vector = new double[size];
    double[] matrix = new double[size * size];
    for (int i = 0; i < p; i++) {
      System.arraycopy(matrices[0], i * p, matrix, i * size, p);
    }
    for (int a = 0; a < of.size(); a++) {
      vector[p + a] = score[of.get(a)];
      for (int j = 0; j < p; j++) {
        matrix[(p + a) * size + j] = matrices[1][of.get(a) * p + j];
        matrix[j * size + p + a] = matrices[1][of.get(a) * p + j];
      }
      for (int b = 0; b < of.size(); b++) {
        matrix[(p + a) * size + p + b] = matrices[2][of.get(a) * p + of.get(b)];
      }
    }
    return ChiSquaredTest.of(vector, matrix, of.size())
        .orElseThrow(
            () ->
                new InvalidInput(
                    "zph: a trend in time cannot be told from the coefficients themselves: there"
                        + " are too few times of events"));
  }

  private static double[] ofSites(PooledEstimate estimate, Cox cox, TimeTransform transform) {
    if (transform == TimeTransform.KM) {
      throw new InvalidInput(
          "zph: must be identity or log with strata(site): km needs the times of all sites' events");
    }
    World world = estimate.world();
    double[] theta = estimate.end().theta();
    return Pooled.total(
        world,
        m -> OwnRiskSets.of(world.shards(), m).weightedByTime(cox.ties(), theta, transform::of));
  }

  private static double[] ofGrid(GridLikelihood grid, double[] theta, TimeTransform transform) {
    int times = grid.grid().times().size();
    double[] g = new double[times];
    if (transform == TimeTransform.KM) {
      EventCounts counts = counts(grid);
      double survival = 1;
      for (int k = times - 1; k >= 0; k--) {
        double events = 0;
        double atRisk = 0;
        for (int s = 0; s < grid.grid().strata().size(); s++) {
          events += counts.events(s, times - 1 - k);
          atRisk += counts.atRisk(s, times - 1 - k);
        }
        g[k] = 1 - survival;
        survival *= events == 0 ? 1 : 1 - events / atRisk;
      }
    } else {
      for (int k = 0; k < times; k++) {
        g[k] = transform.of(grid.grid().times().get(times - 1 - k));
      }
    }
    List<RiskSet> sets = grid.riskSets(theta, 2);
    TimeMoments moments = new TimeMoments(theta.length);
    for (int i = 0; i < sets.size(); i++) {
      moments.add(sets.get(i), grid.sets().ties(), g[i % times]);
    }
    return moments.said();
  }
}
