package ngd.app.federation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.NumberText;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.formula.RiskTime;
import ngd.core.inference.Coefficient;
import ngd.core.inference.Covariance;
import ngd.core.inference.FitProgress;
import ngd.core.inference.GapDraws;
import ngd.core.inference.Inference;
import ngd.core.inference.MixedEstimate;
import ngd.core.inference.MixedFit;
import ngd.core.inference.PenalisedEstimate;
import ngd.core.inference.PenalisedFit;
import ngd.core.inference.PooledFit;
import ngd.core.inference.RandomPart;
import ngd.core.inference.SurvivalCurve;
import ngd.core.inference.SurvivalCurves;
import ngd.core.inference.TreatmentRows;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.MEstimator;
import ngd.core.model.NoEstimate;
import ngd.core.model.Regression;
import ngd.core.model.TimeGrid;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.IncompleteRows;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.Sites;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.ImputationKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PenaltyKeys;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.question.WeightingKeys;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import ngd.peer.plan.Plan;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * What the data of all sites give in one place, by an own way (iteratively reweighted least squares
 * on all rows; of survival curves, the area under each by its rows), and what each site would find
 * alone: what a rehearsal is held against.
 *
 * @param terms the coefficients, or the groups that have curves
 * @param alone by site; empty where its rows alone determine no coefficients
 */
record PooledComparison(
    List<String> terms, List<Double> pooled, List<Optional<List<Coefficient>>> alone) {

  private static final double LEVEL = Inference.Options.STANDARD.level();

  static PooledComparison of(Plan plan, List<TableAddress> data) {
    Question question = plan.question();
    Regression regression = ModelKeys.regression(question);
    List<SiteTable> tables = data.stream().map(TableAddress::open).toList();
    Totals totals = Simulation.exchange(Network.of(new Topology.Complete(tables.size())));
    try {
      Preparation prepared =
          Preparation.of(
              ModelKeys.wholeFormula(question),
              Sites.all(tables),
              totals,
              question.get(DataKeys.MISSING));
      if (question.says(WeightingKeys.TREATMENT)) {
        return weighted(question, prepared, regression);
      }
      if (question.says(ImputationKeys.IMPUTE)) {
        return imputed(question, prepared.under(ModelKeys.formulaOf(question)), regression);
      }
      List<String> terms = prepared.design().coefficients();
      Shards read = prepared.shards(Memory.ofProcess(), Memory.folder());
      if (regression instanceof Categories classes && PenaltyKeys.asked(question)) {
        return penalised(question, terms, classes.of(prepared.design()), read);
      }
      if (regression instanceof Categories classes) {
        return ofClasses(classes.of(prepared.design()), terms, read);
      }
      if (ModelKeys.mixed(question)) {
        return mixed(question, prepared, regression, read);
      }
      boolean pooled = regression instanceof Cox && !prepared.design().frame().stratifiedBySite();
      Optional<TimeGrid> grid =
          pooled
              ? Optional.of(prepared.timeGrid(read, totals, question.find(ModelKeys.TIMES)))
              : Optional.empty();
      Shards shards = grid.map(times -> times.of(read)).orElse(read);
      if (prepared.design().frame().formula().asksForCurves()) {
        return ofCurves(question, grid.orElseThrow(), shards);
      }
      if (PenaltyKeys.asked(question)) {
        return penalised(
            question,
            terms,
            regression instanceof Cox cox ? new Cox(cox.ties(), grid) : regression,
            shards);
      }
      // Risk sets of all sites are those of one that has all rows.
      double[] theta =
          GlobalEstimate.of(regression, pooled ? shards.asOne() : shards, terms).theta();
      List<Optional<List<Coefficient>>> alone = new ArrayList<>();
      for (int m = 0; m < tables.size(); m++) {
        alone.add(alone(regression, terms, shards.only(m)));
      }
      return new PooledComparison(terms, DoubleStream.of(theta).boxed().toList(), alone);
    } finally {
      tables.forEach(SiteTable::close);
    }
  }

  /** Of imputed rows, over all sites and within each. */
  private static PooledComparison imputed(
      Question question, Preparation prepared, Regression regression) {
    List<IncompleteRows> rows = prepared.incomplete();
    Shards shards = prepared.shards();
    List<Optional<List<Coefficient>>> alone = new ArrayList<>();
    for (int m = 0; m < rows.size(); m++) {
      Optional<List<Coefficient>> own = Optional.empty();
      try {
        own =
            Optional.of(
                imputed(question, prepared, regression, List.of(rows.get(m)), shards.only(m)));
      } catch (NoEstimate | InvalidInput tooFew) {
        // A site whose own rows impute nothing has no estimate of its own.
      }
      alone.add(own);
    }
    List<Coefficient> pooled = imputed(question, prepared, regression, rows, shards);
    return new PooledComparison(
        prepared.design().coefficients(),
        pooled.stream().map(Coefficient::estimate).toList(),
        alone);
  }

  private static List<Coefficient> imputed(
      Question question,
      Preparation prepared,
      Regression regression,
      List<IncompleteRows> rows,
      Shards shards) {
    Network network = Network.of(new Topology.Complete(rows.size()));
    Streams streams = ClientKeys.streams(question);
    PooledFit fit =
        PooledFit.on(
            network, regression, prepared.design().coefficients(), PooledFit.Settings.STANDARD);
    return new Simulation(network, regression.over(shards), streams, 1)
        .within(
            world ->
                ImputationKeys.fit(question, fit, prepared.design())
                    .run(world, rows, 0, streams, GapDraws.seeded(streams), FitProgress.NONE)
                    .pooled()
                    .lines());
  }

  /** Of rows weighted by a treatment's probability, over all sites and within each. */
  private static PooledComparison weighted(
      Question question, Preparation whole, Regression regression) {
    Preparation outcome = whole.under(ModelKeys.formulaOf(question));
    Preparation treatment = whole.under(WeightingKeys.treatment(question).orElseThrow());
    Shards rows = outcome.shards();
    Shards treated = treatment.shards();
    List<String> terms = outcome.design().coefficients();
    BiFunction<Shards, Shards, List<Coefficient>> fitted =
        (own, ofTreatment) ->
            new Simulation(
                    Network.of(new Topology.Complete(1)), regression.over(own), Streams.of(1), 1)
                .within(
                    world -> {
                      PooledFit fit =
                          new PooledFit(
                              regression, terms, List.of(1.0), PooledFit.Settings.STANDARD);
                      return Inference.of(
                              PooledKeys.weighted(question, fit)
                                  .orElseThrow()
                                  .run(
                                      world,
                                      own,
                                      new TreatmentRows(treatment.design().columns(), ofTreatment),
                                      FitProgress.NONE),
                              PooledKeys.inference(question))
                          .coefficients();
                    });
    List<Optional<List<Coefficient>>> alone = new ArrayList<>();
    for (int m = 0; m < rows.clients(); m++) {
      Optional<List<Coefficient>> own = Optional.empty();
      try {
        own = Optional.of(fitted.apply(rows.only(m), treated.only(m)));
      } catch (NoEstimate | InvalidInput tooFew) {
        // A site whose own rows determine no weights has no estimate of its own.
      }
      alone.add(own);
    }
    return new PooledComparison(
        terms,
        fitted.apply(rows.asOne(), treated.asOne()).stream().map(Coefficient::estimate).toList(),
        alone);
  }

  /**
   * Of a model with random terms, fitted to all rows as those of one client, and to each site's.
   */
  private static PooledComparison mixed(
      Question question, Preparation prepared, Regression regression, Shards shards) {
    List<String> terms = prepared.design().coefficients();
    MixedFit fit = PooledKeys.mixed(question, terms, RandomPart.of(prepared.design()));
    List<Optional<List<Coefficient>>> alone = new ArrayList<>();
    for (int m = 0; m < shards.clients(); m++) {
      try {
        alone.add(Optional.of(fitted(fit, regression, shards.only(m)).coefficients(LEVEL)));
      } catch (NoEstimate | InvalidInput tooFew) {
        alone.add(Optional.empty());
      }
    }
    double[] theta = fitted(fit, regression, shards.asOne()).theta();
    return new PooledComparison(terms, DoubleStream.of(theta).boxed().toList(), alone);
  }

  /**
   * Of penalised estimates, by the same sites in one process, since folds are drawn site by site;
   * what a site alone would choose is no estimate of the same.
   */
  private static PooledComparison penalised(
      Question question, List<String> terms, Regression regression, Shards shards) {
    int sites = shards.clients();
    PenalisedFit fit =
        new PenalisedFit(
            new PooledFit(
                regression,
                terms,
                Collections.nCopies(sites, 1.0 / sites),
                PooledKeys.settings(question)),
            PenaltyKeys.settings(question));
    Streams streams = ClientKeys.streams(question);
    PenalisedEstimate found =
        new Simulation(
                Network.of(new Topology.Complete(sites)), regression.over(shards), streams, 1)
            .within(
                world ->
                    fit.run(
                        world,
                        new PenalisedFit.Drawing(streams, 0, DisclosureRules.STANDARD.ofFold()),
                        FitProgress.NONE));
    List<Double> theta =
        found.chosen().isPresent()
            ? found.path().get(found.chosen().getAsInt()).coefficients()
            : List.of();
    return new PooledComparison(
        theta.isEmpty() ? List.of() : found.terms(),
        theta,
        Collections.nCopies(sites, Optional.empty()));
  }

  /** Of a response that is one of several classes, fitted to all rows as those of one client. */
  private static PooledComparison ofClasses(Categories classes, List<String> terms, Shards shards) {
    List<Optional<List<Coefficient>>> alone = new ArrayList<>();
    for (int m = 0; m < shards.clients(); m++) {
      Optional<List<Coefficient>> own = Optional.empty();
      try {
        own = alone(classes, terms, shards.only(m));
      } catch (InvalidInput lacking) {
        // A site that lacks a class has no estimate of its own.
      }
      alone.add(own);
    }
    List<Double> theta =
        fitted(classes, terms, shards.asOne()).stream().map(Coefficient::estimate).toList();
    return new PooledComparison(terms, theta, alone);
  }

  private static MixedEstimate fitted(MixedFit fit, Regression regression, Shards rows) {
    return new Simulation(
            Network.of(new Topology.Complete(1)), regression.over(rows), Streams.of(1), 1)
        .within(world -> fit.run(world, FitProgress.NONE));
  }

  /** Restricted means of groups, in the order in which an answer has them. */
  private static PooledComparison ofCurves(Question question, TimeGrid grid, Shards shards) {
    List<SurvivalCurve> together = curves(question, grid, shards.asOne()).orElseThrow();
    double tau = question.find(PooledKeys.TAU).orElse(grid.last());
    Shard all = shards.asOne().shard(0);
    List<Double> means =
        together.stream()
            .map(curve -> mean(all, grid.strata().indexOf(curve.stratum()), tau))
            .toList();
    List<Optional<List<Coefficient>>> alone = new ArrayList<>();
    for (int m = 0; m < shards.clients(); m++) {
      alone.add(
          curves(question, grid, shards.only(m))
              .filter(own -> own.size() == together.size())
              .map(own -> own.stream().map(curve -> line(curve, question)).toList()));
    }
    return new PooledComparison(
        together.stream()
            .map(
                curve ->
                    "mean to %s%s"
                        .formatted(
                            NumberText.text(tau),
                            curve.stratum().isEmpty() ? "" : ", " + curve.stratum()))
            .toList(),
        means,
        alone);
  }

  private static Optional<List<SurvivalCurve>> curves(
      Question question, TimeGrid grid, Shards shards) {
    try {
      return Optional.of(
          SurvivalCurves.of(
                  Simulation.exchange(Network.of(new Topology.Complete(1))),
                  shards,
                  grid,
                  PooledKeys.curves(question))
              .curves());
    } catch (InvalidInput noEvent) {
      return Optional.empty();
    }
  }

  private static Coefficient line(SurvivalCurve curve, Question question) {
    double reach =
        NormalDistribution.of(0, 1)
                .inverseSurvivalProbability((1 - question.get(PooledKeys.LEVEL)) / 2)
            * curve.restrictedMeanError();
    return new Coefficient(
        curve.stratum(),
        curve.restrictedMean(),
        curve.restrictedMeanError(),
        Double.NaN,
        Double.NaN,
        curve.restrictedMean() - reach,
        curve.restrictedMean() + reach);
  }

  /** The area under a Kaplan–Meier curve, by looking at every row at every time of an event. */
  private static double mean(Shard rows, int stratum, double tau) {
    double[] times =
        IntStream.range(0, rows.rows())
            .filter(i -> rows.time(i).stratum() == stratum && rows.y(i) > 0)
            .mapToDouble(i -> rows.time(i).stop())
            .filter(time -> time < tau)
            .sorted()
            .distinct()
            .toArray();
    double area = 0;
    double last = 0;
    double survival = 1;
    for (double time : times) {
      area += survival * (time - last);
      last = time;
      double atRisk = 0;
      double events = 0;
      for (int i = 0; i < rows.rows(); i++) {
        RiskTime own = rows.time(i);
        if (own.stratum() == stratum && own.start() < time && time <= own.stop()) {
          atRisk += rows.weight(i);
          events += own.stop() == time && rows.y(i) > 0 ? rows.weight(i) : 0;
        }
      }
      survival *= 1 - events / atRisk;
    }
    return area + survival * (tau - last);
  }

  private static Optional<List<Coefficient>> alone(
      Regression regression, List<String> terms, Shards rows) {
    try {
      return Optional.of(fitted(regression, terms, rows));
    } catch (NoEstimate tooFew) {
      return Optional.empty();
    }
  }

  /** The pooled fit of rows that one client has. */
  private static List<Coefficient> fitted(Regression regression, List<String> terms, Shards rows) {
    Simulation one =
        new Simulation(
            Network.of(new Topology.Complete(1)), regression.over(rows), Streams.of(1), 1);
    return one.within(
        world ->
            Inference.of(
                    new PooledFit(regression, terms, List.of(1.0), PooledFit.Settings.STANDARD)
                        .run(world, FitProgress.NONE),
                    regression instanceof MEstimator
                        ? new Inference.Options(
                            Covariance.HC0, Inference.Options.STANDARD.level(), false)
                        : Inference.Options.STANDARD)
                .coefficients());
  }
}
