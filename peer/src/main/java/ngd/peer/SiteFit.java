package ngd.peer;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import ngd.core.WorkFailed;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Averaged;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.answer.Answer;
import ngd.core.answer.CentralAnswer;
import ngd.core.answer.CheckAnswer;
import ngd.core.answer.CurvesAnswer;
import ngd.core.answer.ImputedAnswer;
import ngd.core.answer.MethodAnswer;
import ngd.core.answer.MixedAnswer;
import ngd.core.answer.ModelDescription;
import ngd.core.answer.PenalisedAnswer;
import ngd.core.answer.PooledAnswer;
import ngd.core.answer.RowsUsed;
import ngd.core.data.Shards;
import ngd.core.formula.Formula;
import ngd.core.inference.AveragedIntervals;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Forecast;
import ngd.core.inference.GapDraws;
import ngd.core.inference.ImputedFit;
import ngd.core.inference.LiarIdentification;
import ngd.core.inference.MixedEstimate;
import ngd.core.inference.MixedFit;
import ngd.core.inference.PenalisedFit;
import ngd.core.inference.PooledEstimate;
import ngd.core.inference.PooledFit;
import ngd.core.inference.RandomPart;
import ngd.core.inference.SharedDerivatives;
import ngd.core.inference.StationaryWeights;
import ngd.core.inference.SurvivalCurves;
import ngd.core.inference.TreatmentRows;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.Glm;
import ngd.core.model.GradientCheck;
import ngd.core.model.Linear;
import ngd.core.model.Loss;
import ngd.core.model.Losses;
import ngd.core.model.NoEstimate;
import ngd.core.model.Objective;
import ngd.core.model.Regression;
import ngd.core.model.ResponseRule;
import ngd.core.model.TimeGrid;
import ngd.core.network.NetworkSchedule;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.Preparation;
import ngd.core.privacy.CentralFit;
import ngd.core.privacy.NoiseSource;
import ngd.core.privacy.NoisedLocal;
import ngd.core.privacy.PairGraph;
import ngd.core.privacy.Privacy;
import ngd.core.question.CheckKeys;
import ngd.core.question.ImputationKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PenaltyKeys;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Extrapolation;
import ngd.core.world.Hook;
import ngd.core.world.Listening;
import ngd.core.world.ShardsLocal;
import ngd.core.world.Suitability;
import ngd.core.world.World;
import ngd.peer.plan.Plan;
import ngd.peer.plan.QuestionKind;
import ngd.peer.privacy.PairKeys;
import ngd.peer.privacy.PrivacyBudget;
import ngd.peer.privacy.PrivacyLog;
import ngd.peer.privacy.SecretNoise;

/**
 * What one site does once all have agreed on columns, levels and rows: sums or rounds, as the
 * question wants it, and the answer, by the same algorithms and inference as in a rehearsal.
 */
final class SiteFit {
  /**
   * Whose part it is.
   *
   * @param place its place among the sites of the plan
   * @param rules its own, for what an answer tells
   * @param budget what it may spend of its privacy, where the plan has a budget
   */
  record Site(
      Plan plan,
      int place,
      NetworkSchedule schedule,
      Streams streams,
      DisclosureRules rules,
      Optional<PrivacyBudget> budget) {}

  /**
   * What the site keeps to itself.
   *
   * @param pairs the keys that it shares with one other site each
   * @param draws what it fills its gaps with
   */
  record Secrets(PairKeys pairs, GapDraws draws) {}

  /**
   * @param data a hash of the rows that the answer is from
   */
  record Found(Answer answer, String data) {}

  private final Site site;
  private final Question question;
  private final Secrets secrets;
  private final Preparation prepared;
  private final Optional<TreatmentRows> treated;
  private final SiteWatch watch;

  /**
   * @param treated rows of the model of a treatment, where rows are weighted by it
   */
  SiteFit(
      Site site,
      Secrets secrets,
      Preparation prepared,
      Optional<TreatmentRows> treated,
      SiteWatch watch) {
    this.site = site;
    question = site.plan().question();
    this.secrets = secrets;
    this.prepared = prepared;
    this.treated = treated;
    this.watch = watch;
  }

  /** Whether sites share noise that cancels in sums. */
  static boolean correlated(Plan plan) {
    return plan.privacy().filter(p -> p.noise() instanceof Privacy.Noise.Correlated).isPresent();
  }

  /** The answer, from this site's rows and what the others say. */
  Found of(Shards read, PeerContext peer) {
    Formula formula = ModelKeys.formulaOf(question);
    Loss loss = ModelKeys.loss(question);
    Shards shards = read;
    Optional<TimeGrid> grid = Optional.empty();
    if (loss instanceof Cox cox) {
      prepared.requireResponses(cox, read);
      if (!prepared.design().frame().stratifiedBySite()) {
        TimeGrid agreed = prepared.timeGrid(read, peer.totals(), question.find(ModelKeys.TIMES));
        grid = Optional.of(agreed);
        loss = new Cox(cox.ties(), grid);
        shards = agreed.of(read);
      }
    }
    if (loss instanceof Categories classes) {
      loss = classes.of(prepared.design());
    }
    List<String> parameters = loss.parameterNames(prepared.design().columns());
    Optional<Losses.Named> named = ModelKeys.named(question);
    if (named.isPresent() && loss instanceof ResponseRule rule) {
      prepared.requireResponses(rule, read);
    }
    if (named.filter(Losses.Named::own).isPresent()) {
      GradientCheck.require(loss, shards, parameters);
    }
    String hash = TreatmentRows.hash(prepared.design().coefficients(), shards, treated);
    Objective objective = loss.over(shards);
    RowsUsed rows =
        new RowsUsed(
            prepared.totalRows(), prepared.totalDropped(), prepared.rows(), prepared.notes());
    Answer answer =
        site.plan().kind() == QuestionKind.CHECK
            ? forecast(peer, objective, rows)
            : formula.asksForCurves()
                ? curves(peer, shards, grid, rows)
                : MethodKeys.central(question).isPresent()
                    ? central(peer, objective, ModelKeys.glm(question), rows)
                    : answer(peer, objective, loss, rows);
    return new Found(answer, hash);
  }

  /** Survival curves, from counts at the times that all sites agreed on. */
  private Answer curves(PeerContext peer, Shards shards, Optional<TimeGrid> grid, RowsUsed rows) {
    watch.stage("counting at agreed times");
    return CurvesAnswer.of(
        SurvivalCurves.of(peer.totals(), shards, grid.orElseThrow(), PooledKeys.curves(question)),
        question,
        ModelDescription.of(prepared.design()),
        site.plan().sites().size(),
        rows);
  }

  /** A pooled fit whose sums have noise, to which every site adds a share. */
  private Answer central(PeerContext peer, Objective objective, Glm glm, RowsUsed rows) {
    watch.stage("sums with noise");
    PrivacyBudget spending = site.budget().orElseThrow();
    try (PrivacyLog log = spending.log(CentralFit.width(objective.parameters()))) {
      CentralFit fit =
          new CentralFit(
              objective,
              glm,
              spending.privacy(),
              spending.gradients(),
              List.of(SecretNoise.alone()),
              List.of(log),
              site.plan().sites().size());
      return new CentralAnswer(
          ModelDescription.of(prepared.design()),
          glm,
          fit.run(peer.totals()),
          spending.privacy(),
          site.plan().sites().size(),
          rows);
    }
  }

  /** What the theory says; each site shows all others the derivatives of its own loss. */
  private Answer forecast(PeerContext peer, Objective objective, RowsUsed rows) {
    World world = peer.world(ShardsLocal.of(objective, peer.host(), site.streams(), site.place()));
    Optional<StepSize> step = CheckKeys.step(question);
    return new CheckAnswer(
        Forecast.of(
            site.schedule(),
            objective.loss(),
            new SharedDerivatives(
                objective.shards(), site.place(), site.plan().sites().size(), peer.totals()),
            () -> estimate(world, objective.loss()),
            step,
            Optional.empty()),
        step,
        rows);
  }

  /** The pooled estimate, which sites find by sums. */
  private double[] estimate(World world, Loss loss) {
    if (!(loss instanceof Regression regression)) {
      throw new NoEstimate(
          NoEstimate.Reason.NOT_CONVERGED,
          "sites find none of the loss `%s` by sums".formatted(loss.name()));
    }
    PooledFit fit =
        new PooledFit(
            regression,
            prepared.design().coefficients(),
            List.of(StationaryWeights.of(site.schedule()).get(site.place())),
            PooledFit.Settings.STANDARD);
    return fit.run(world, watch.fitProgress()).theta();
  }

  private Answer answer(PeerContext peer, Objective objective, Loss loss, RowsUsed rows) {
    Local local =
        site.budget().isPresent()
            ? noised(objective, site.budget().get())
            : ShardsLocal.of(objective, peer.host(), site.streams(), site.place());
    World world = peer.world(local);
    if (!site.plan().pooled()) {
      return method(
          peer,
          world,
          objective,
          objective.loss().parameterNames(prepared.design().columns()),
          rows);
    }
    // Not the objective's loss, which under quasi-likelihood is that of the family it stands for.
    Regression regression = (Regression) loss;
    return ModelKeys.mixed(question)
        ? mixed(world, rows)
        : question.says(ImputationKeys.IMPUTE)
            ? imputed(world, regression, rows)
            : PenaltyKeys.asked(question)
                ? penalised(world, regression, rows)
                : pooled(world, objective, regression, rows);
  }

  private Local noised(Objective objective, PrivacyBudget spending) {
    NoiseSource source =
        correlated(site.plan())
            ? SecretNoise.with(
                PairGraph.of(site.schedule().union()).neighbours(site.place()), secrets.pairs())
            : SecretNoise.alone();
    return NoisedLocal.of(
        objective,
        spending.gradients(),
        source,
        spending.log(objective.parameters()),
        site.streams(),
        site.place());
  }

  /** A path of penalised estimates; folds of this site's rows are as large as its rules say. */
  private Answer penalised(World world, Regression regression, RowsUsed rows) {
    PenalisedFit fit = new PenalisedFit(fit(regression), PenaltyKeys.settings(question));
    return PenalisedAnswer.of(
        fit.run(
            world,
            new PenalisedFit.Drawing(site.streams(), site.place(), site.rules().ofFold()),
            watch.fitProgress()),
        question,
        ModelDescription.of(prepared.design()),
        rows);
  }

  private Answer pooled(World world, Objective objective, Regression regression, RowsUsed rows) {
    PooledFit fit = fit(regression);
    PooledEstimate estimate =
        PooledKeys.weighted(question, fit)
            .map(
                weighted ->
                    weighted.run(
                        world, objective.shards(), treated.orElseThrow(), watch.fitProgress()))
            .orElseGet(() -> fit.run(world, watch.fitProgress()));
    watch.stage(FitProgress.Stage.INFERENCE.words());
    return PooledAnswer.of(
        estimate,
        question,
        ModelDescription.of(prepared.design()),
        rows,
        site.rules().tab(),
        site.rules().glm());
  }

  /** A fit of rows whose gaps are imputed, each site's by itself. */
  private Answer imputed(World world, Regression regression, RowsUsed rows) {
    ImputedFit fit = ImputationKeys.fit(question, fit(regression), prepared.design());
    return ImputedAnswer.of(
        ModelDescription.of(prepared.design()),
        fit.run(
            world,
            prepared.incomplete(),
            site.place(),
            site.streams(),
            secrets.draws(),
            watch.fitProgress()),
        question.get(PooledKeys.EXPONENTIATE),
        rows);
  }

  private PooledFit fit(Regression regression) {
    return new PooledFit(
        regression,
        prepared.design().coefficients(),
        List.of(StationaryWeights.of(site.schedule()).get(site.place())),
        PooledKeys.settings(question));
  }

  /** A model with random terms; the predicted effects of this site's groups stay in its folder. */
  private Answer mixed(World world, RowsUsed rows) {
    MixedFit fit =
        PooledKeys.mixed(
            question, prepared.design().coefficients(), RandomPart.of(prepared.design()));
    MixedEstimate estimate = fit.run(world, watch.fitProgress());
    watch.stage(FitProgress.Stage.INFERENCE.words());
    return MixedAnswer.of(
        estimate, question, ModelDescription.of(prepared.design()), rows, List.of(""));
  }

  private Answer method(
      PeerContext peer, World world, Objective objective, List<String> terms, RowsUsed used) {
    AlgorithmChoice choice = MethodKeys.choice(question);
    Suitability suitability =
        new Suitability(
            site.schedule(),
            world.local().getClass(),
            objective.loss(),
            question.get(MethodKeys.MIX));
    suitability.require(choice);
    int rounds = question.get(MethodKeys.ROUNDS);
    Optional<AveragedIntervals.Settings> intervals = MethodKeys.intervals(question, terms);
    intervals.ifPresent(
        asked -> asked.requireNewRows(world.totals(), new int[] {world.local().rows(0)}));
    Optional<Double> rate = question.find(MethodKeys.IDENTIFY);
    rate.ifPresent(bound -> LiarIdentification.require(bound, site.schedule(), objective.loss()));
    GradientScales scales =
        suitability.scaleOf(
            choice.descriptor(), site.place(), used.sites().getFirst().complete(), used.rows());
    boolean linear = objective.loss() instanceof Linear;
    watch.stage("rounds of " + choice.descriptor().name());
    watch.rounds(0, rounds);
    int width = objective.parameters();
    MethodAnswer.RunDetails course =
        MethodAnswer.RunDetails.UNKNOWN.warning(suitability.warnings());
    Optional<AveragedIntervals> around = Optional.empty();
    Rows theta;
    if (question.get(MethodKeys.EXTRAPOLATE)) {
      Extrapolation.Outcome found =
          Extrapolation.run(
              world,
              choice.family(scales, linear),
              choice.step().given().largest(),
              rounds,
              width,
              _ -> Hook.none());
      if (!found.summary().sound()) {
        throw new WorkFailed(found.summary().problem());
      }
      theta = found.theta();
      course = course.extrapolated(found.summary());
    } else {
      Algorithm.State end =
          switch (choice.algorithm(scales, linear, suitability.limit(choice))) {
            case Algorithm.Events<?> events ->
                peer.advance(events, world.local(), new double[width], rounds);
            case Algorithm.Rounds<?> inRounds -> advanced(world, inRounds, width, rounds);
          };
      theta = end.theta();
      if (intervals.isPresent() && end instanceof Averaged.State<?> averaged) {
        AveragedIntervals.Shares shares =
            new AveragedIntervals.Shares(
                List.of(StationaryWeights.of(site.schedule()).get(site.place())), scales);
        around =
            Optional.of(
                AveragedIntervals.of(world, averaged, objective.loss(), shares, intervals.get()));
      }
    }
    Rows last = theta;
    return new MethodAnswer(
        choice,
        terms,
        theta,
        site.place(),
        site.plan().sites().size(),
        rounds,
        used,
        around,
        rate.map(bound -> identified(bound, world, (Glm) objective.loss(), last, used.rows())),
        course);
  }

  /** Whom this site suspects of those it hears, who say once more where they stand. */
  private LiarIdentification identified(
      double rate, World world, Glm glm, Rows theta, long allRows) {
    Listening listening = new Listening();
    Listening.State state = world.advance(listening, listening.start(theta), 1);
    return LiarIdentification.of(
        rate,
        site.plan().network(),
        site.place(),
        state.theta(),
        Objects.requireNonNull(state.heard()),
        world.curved(),
        glm,
        allRows);
  }

  private static <S extends Algorithm.State> S advanced(
      World world, Algorithm.Rounds<S> algorithm, int width, int rounds) {
    S start = algorithm.start(world.block(new double[1][width]));
    return world.advance(algorithm, start, rounds);
  }
}
