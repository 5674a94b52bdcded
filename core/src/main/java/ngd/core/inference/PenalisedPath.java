package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.model.Cox;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.random.Streams;
import ngd.core.world.World;

/** The way along a path of λ: the model of all rows and those of all but a fold, side by side. */
final class PenalisedPath {
  /** Steps of one λ before it is given up. */
  private static final int MOST_STEPS = 500;

  /** Numbers that one total takes: those of a Hessian of the most coefficients. */
  private static final int MOST_NUMBERS =
      PooledFit.Settings.MOST_CURVED * (PooledFit.Settings.MOST_CURVED + 3) / 2 + 2;

  /** A column that deviates by less, in units of its deviation over all rows, is constant. */
  private static final double CONSTANT = 1e-7;

  /** The folds that protected rows are in, and the draw that put them there. */
  private static final int FIXED = 10;

  private static final Streams SAME = Streams.of(1);

  private final PenalisedFit fit;
  private final Coordinates coordinates;
  private final Size size;
  private final double[] factors;
  private final int p;
  private final PooledLikelihood all;
  private final List<Part> parts = new ArrayList<>();
  private final List<PenalisedModel> models = new ArrayList<>();
  private final List<double[]> unseen = new ArrayList<>();
  private int totals;

  /**
   * All rows, or those outside a fold.
   *
   * @param weight the sum of their weights
   * @param events the same of rows with events, where responses are events in time
   * @param least their loss under the saturated model
   * @param deviations of the columns, in the coordinates
   */
  private record Part(
      World there, double weight, double events, double least, List<Double> deviations) {}

  PenalisedPath(
      PenalisedFit fit, World there, Coordinates coordinates, Size size, double[] factors) {
    this.fit = fit;
    this.coordinates = coordinates;
    this.size = size;
    this.factors = factors;
    p = factors.length;
    all = likelihood(there);
  }

  private PooledLikelihood likelihood(World of) {
    Penalty none = Penalty.of(new double[p * p], p);
    return PooledFit.likelihood(fit.pooled().regression(), of, p, size, none);
  }

  /**
   * Walks it.
   *
   * @param world the clients with their columns as they are, whose classes folds respect
   */
  PenalisedEstimate run(World world, PenalisedFit.Drawing drawing, FitProgress progress) {
    NullModel nullModel = fit.pooled().nullModel(all, coordinates);
    double[] start = nullModel.point(p);
    prepare(world, drawing, start);
    List<Double> lambdas =
        fit.lambdas(
            models.getFirst(),
            size.counted() < DoubleStream.of(factors).filter(factor -> factor > 0).count());
    double nullDeviance = 2 * (nullModel.loss() - parts.getFirst().least());
    progress.begin(FitProgress.Stage.PATH);
    List<PenalisedEstimate.Step> path = new ArrayList<>();
    for (double lambda : lambdas) {
      walk(lambda);
      path.add(step(lambda));
      validate();
      progress.rounds(path.size(), lambdas.size());
      if (fit.ends(path, nullDeviance)) {
        break;
      }
    }
    Optional<CrossValidation> validation =
        unseen.isEmpty()
            ? Optional.empty()
            : Optional.of(CrossValidation.of(unseen, foldWeights()));
    return new PenalisedEstimate(
        fit.pooled().regression(),
        fit.settings().penalty(),
        fit.pooled().terms(),
        DoubleStream.of(factors).boxed().toList(),
        IntStream.range(0, p)
            .mapToObj(j -> coordinates.upper()[j * (p + 1)] * parts.getFirst().deviations().get(j))
            .toList(),
        nullDeviance,
        path,
        validation,
        fit.chosen(path.size(), validation),
        (int) size.clients(),
        (long) size.rows(),
        totals);
  }

  /** Draws folds and puts the models of all rows, and of those outside each fold, at the start. */
  private void prepare(World world, PenalisedFit.Drawing drawing, double[] start) {
    List<World> worlds = new ArrayList<>();
    worlds.add(all.world());
    int folds = fit.settings().folds();
    if (folds > 0) {
      requireAllowed(world, drawing, folds);
      double[][] drawn = drawn(world, drawing, folds);
      for (int k = 0; k < folds; k++) {
        double fold = k;
        worlds.add(
            all.world()
                .weighted(
                    Arrays.stream(drawn)
                        .map(rows -> DoubleStream.of(rows).map(f -> f == fold ? 0 : 1).toArray())
                        .toArray(double[][]::new)));
      }
    }
    describe(worlds);
    for (double weight : foldWeights()) {
      if (!(weight > 0)) {
        throw new InvalidInput(
            "folds: must be so few that each has %s of some site, %d at least; of %d some have none"
                .formatted(
                    fit.pooled().regression() instanceof Cox ? "rows with events" : "rows",
                    drawing.fewest(),
                    folds));
      }
    }
    List<PooledLikelihood> likelihoods =
        worlds.stream().map(w -> w.equals(all.world()) ? all : likelihood(w)).toList();
    List<double[]> sums =
        total(
            IntStream.range(0, worlds.size())
                .<IntFunction<double[]>>mapToObj(
                    k -> m -> PenalisedModel.said(likelihoods.get(k), m, start))
                .toList());
    for (int k = 0; k < worlds.size(); k++) {
      models.add(
          model(likelihoods.get(k), parts.get(k), likelihoods.get(k).heard(start, sums.get(k))));
    }
  }

  /**
   * Sites whose rules protect rows draw ten folds, the same in every question, or put every two of
   * them together: sums over ever new folds could be solved for single rows.
   */
  private static void requireAllowed(World world, PenalisedFit.Drawing drawing, int folds) {
    boolean refused = drawing.protective() && folds != FIXED && 2 * folds != FIXED;
    double[] sites = Pooled.total(world, _ -> new double[] {refused ? 1 : 0});
    if (sites[0] > 0) {
      throw new InvalidInput(
          "folds: must be %d or %d where sites have rules for their rows, so that all questions have the same folds; got %d"
              .formatted(FIXED / 2, FIXED, folds));
    }
  }

  /** The folds of the rows of the clients here; they do not leave their clients. */
  private static double[][] drawn(World world, PenalisedFit.Drawing drawing, int folds) {
    double[][] drawn = new double[world.rows()][];
    for (int m = 0; m < drawn.length; m++) {
      long client = (long) drawing.first() + m;
      Streams streams = drawing.protective() ? SAME : drawing.streams();
      int parts = drawing.protective() ? FIXED : folds;
      drawn[m] =
          world.sums(
              m,
              shard ->
                  Arrays.stream(
                          Folds.of(
                              shard,
                              parts,
                              drawing.fewest(),
                              streams.stream(Streams.Purpose.FOLDS, client)))
                      .map(part -> part % folds)
                      .asDoubleStream()
                      .toArray());
    }
    return drawn;
  }

  /** Weights, means and deviations of the columns of each part, by two totals. */
  private void describe(List<World> worlds) {
    List<double[]> first =
        total(
            worlds.stream()
                .<IntFunction<double[]>>map(w -> m -> w.rowSums(m, this::counted))
                .toList());
    List<double[]> means = new ArrayList<>();
    for (double[] sums : first) {
      means.add(IntStream.range(0, p).mapToDouble(j -> sums[3 + j] / sums[0]).toArray());
    }
    List<double[]> second =
        total(
            IntStream.range(0, worlds.size())
                .<IntFunction<double[]>>mapToObj(
                    k -> m -> worlds.get(k).rowSums(m, shard -> squares(shard, means.get(k))))
                .toList());
    for (int k = 0; k < worlds.size(); k++) {
      double[] sums = first.get(k);
      parts.add(
          new Part(
              worlds.get(k),
              sums[0],
              sums[1],
              sums[2],
              DoubleStream.of(second.get(k)).map(s -> Math.sqrt(s / sums[0])).boxed().toList()));
    }
  }

  private double[] counted(Shard shard) {
    double[] sums = new double[3 + p];
    Glm glm = fit.pooled().regression() instanceof Glm one ? one : null;
    for (int i = 0; i < shard.rows(); i++) {
      double weight = shard.weight(i);
      if (weight > 0) {
        sums[0] += weight;
        sums[1] += weight * (shard.isTimed() ? shard.y(i) : 0);
        sums[2] += glm == null ? 0 : weight * glm.least(shard.y(i));
        for (int j = 0; j < p; j++) {
          sums[3 + j] = Math.fma(weight, shard.x(i, j), sums[3 + j]);
        }
      }
    }
    return sums;
  }

  private double[] squares(Shard shard, double[] means) {
    double[] sums = new double[p];
    for (int i = 0; i < shard.rows(); i++) {
      for (int j = 0; j < p; j++) {
        double way = shard.x(i, j) - means[j];
        sums[j] = Math.fma(shard.weight(i) * way, way, sums[j]);
      }
    }
    return sums;
  }

  private PenalisedModel model(PooledLikelihood of, Part part, Likelihood start) {
    double mix = fit.settings().penalty().mix();
    double[] absolute = new double[p];
    double[] squared = new double[p];
    for (int j = 0; j < p; j++) {
      double deviation = part.deviations().get(j);
      if (factors[j] > 0) {
        // A column that is constant outside a fold has no coefficient there.
        absolute[j] =
            deviation > CONSTANT ? mix * factors[j] * deviation : Double.POSITIVE_INFINITY;
        squared[j] = (1 - mix) * factors[j] * deviation * deviation;
      }
    }
    return new PenalisedModel(
        of, part.weight(), absolute, squared, fit.pooled().settings().biasShare(), start);
  }

  /** Brings all models to their estimates at a λ. */
  private void walk(double lambda) {
    models.forEach(model -> model.begin(lambda));
    for (int steps = 0; steps < MOST_STEPS; steps++) {
      List<PenalisedModel> moving = models.stream().filter(model -> !model.done()).toList();
      if (moving.isEmpty()) {
        return;
      }
      List<double[]> sums =
          total(moving.stream().<IntFunction<double[]>>map(one -> one::said).toList());
      for (int k = 0; k < moving.size(); k++) {
        moving.get(k).heard(sums.get(k));
      }
    }
    throw new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "penalised Newton steps: came to no end at λ = %s; take a larger smallest λ (--lambda-ratio)"
            .formatted(lambda));
  }

  private PenalisedEstimate.Step step(double lambda) {
    PenalisedModel model = models.getFirst();
    double[] theta = coordinates.back(model.estimate());
    int nonzero = 0;
    for (int j = 0; j < p; j++) {
      nonzero += factors[j] > 0 && theta[j] != 0 ? 1 : 0;
    }
    return new PenalisedEstimate.Step(
        lambda,
        DoubleStream.of(theta).boxed().toList(),
        nonzero,
        2 * (model.loss() - parts.getFirst().least()));
  }

  /** The deviance of each fold's rows under the model of the others: of all less of the others. */
  private void validate() {
    List<PenalisedModel> others = models.subList(1, models.size());
    if (others.isEmpty()) {
      return;
    }
    List<double[]> points = others.stream().map(PenalisedModel::estimate).toList();
    List<Double> losses;
    if (fit.pooled().regression() instanceof Linear) {
      losses = points.stream().map(point -> models.getFirst().quadratic(point)).toList();
    } else {
      losses =
          total(
                  points.stream()
                      .<IntFunction<double[]>>map(point -> m -> all.saidLoss(m, point))
                      .toList())
              .stream()
              .map(all::heardLoss)
              .toList();
    }
    double[] weights = foldWeights();
    double[] deviances = new double[weights.length];
    for (int k = 0; k < weights.length; k++) {
      double loss = losses.get(k) - others.get(k).loss();
      double least = parts.getFirst().least() - parts.get(k + 1).least();
      deviances[k] = 2 * (loss - least) / weights[k];
    }
    unseen.add(deviances);
  }

  /** What each fold counts: the weights of its rows, or of those with events. */
  private double[] foldWeights() {
    boolean timed = fit.pooled().regression() instanceof Cox;
    Part whole = parts.getFirst();
    return parts.stream()
        .skip(1)
        .mapToDouble(
            part -> timed ? whole.events() - part.events() : whole.weight() - part.weight())
        .toArray();
  }

  /** Sums over all clients, as many together as one total takes. */
  private List<double[]> total(List<IntFunction<double[]>> terms) {
    List<double[]> sums = new ArrayList<>();
    int from = 0;
    int most =
        all instanceof GridLikelihood ? 1 : Math.max(1, MOST_NUMBERS / (p * (p + 3) / 2 + 2));
    while (from < terms.size()) {
      List<IntFunction<double[]>> together =
          terms.subList(from, Math.min(terms.size(), from + most));
      double[] found =
          Pooled.bounded(
              all.world(),
              m ->
                  Pooled.joined(
                      together.stream().map(term -> term.apply(m)).toArray(double[][]::new)));
      totals++;
      int width = found.length / together.size();
      for (int k = 0; k < together.size(); k++) {
        sums.add(Arrays.copyOfRange(found, k * width, (k + 1) * width));
      }
      from += together.size();
    }
    return sums;
  }
}
