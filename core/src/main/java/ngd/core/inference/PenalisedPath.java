package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.model.Categories;
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
  private final int classes;
  private final PooledLikelihood all;
  private final List<Part> parts = new ArrayList<>();
  private final List<PenalisedModel> models = new ArrayList<>();
  private final List<PooledLikelihood> folds = new ArrayList<>();
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
    classes = fit.pooled().regression() instanceof Categories of ? of.classes().size() : 1;
    all = likelihood(there);
  }

  private PooledLikelihood likelihood(World of) {
    int q = fit.pooled().terms().size();
    Penalty none = Penalty.of(new double[q * q], q);
    PooledLikelihood plain = PooledFit.likelihood(fit.pooled().regression(), of, q, size, none);
    return classes > 1 ? new SymmetricLikelihood((SummedLikelihood) plain, classes) : plain;
  }

  /** The model without columns: its loss, and its coefficients with zeros for the others. */
  private NullModel nullModel() {
    return fit.pooled()
        .nullModel(all instanceof SymmetricLikelihood of ? of.plain() : all, coordinates);
  }

  private double[] start(NullModel nullModel) {
    double[] start = nullModel.point(fit.pooled().terms().size());
    return all instanceof SymmetricLikelihood of ? of.around(start) : start;
  }

  /**
   * Walks it.
   *
   * @param world the clients with their columns as they are, whose classes folds respect
   */
  PenalisedEstimate run(World world, PenalisedFit.Drawing drawing, FitProgress progress) {
    NullModel nullModel = nullModel();
    prepare(world, drawing, start(nullModel));
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
        fit.terms(),
        ofEach(j -> factors[j]),
        ofEach(j -> coordinates.upper()[j * (p + 1)] * parts.getFirst().deviations().get(j)),
        nullDeviance,
        path,
        validation,
        fit.chosen(path.size(), validation),
        (int) size.clients(),
        (long) size.rows(),
        totals);
  }

  /** What belongs to the column of each coefficient, in the order of an answer. */
  private List<Double> ofEach(IntToDoubleFunction ofColumn) {
    return IntStream.range(0, classes * p)
        .mapToObj(place -> ofColumn.applyAsDouble(place % p))
        .toList();
  }

  /** Draws folds and puts the models of all rows, and of those outside each fold, at the start. */
  private void prepare(World world, PenalisedFit.Drawing drawing, double[] start) {
    List<World> worlds = new ArrayList<>();
    worlds.add(all.world());
    int folds = fit.settings().folds();
    if (folds > 0) {
      requireAllowed(world, drawing, folds);
      short[][] drawn = drawn(world, drawing, folds);
      for (int k = 0; k < folds; k++) {
        int fold = k;
        worlds.add(all.world().weighted((m, row) -> drawn[m][row] == fold ? 0 : 1));
        this.folds.add(likelihood(all.world().weighted((m, row) -> drawn[m][row] == fold ? 1 : 0)));
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
  private short[][] drawn(World world, PenalisedFit.Drawing drawing, int folds) {
    short[][] drawn = new short[world.rows()][];
    Streams streams = drawing.protective() ? SAME : drawing.streams();
    for (int m = 0; m < drawn.length; m++) {
      long client = (long) drawing.first() + m;
      drawn[m] =
          Folds.of(
              world.shards(),
              m,
              drawing.protective() ? FIXED : folds,
              drawing.fewest(),
              classes > 1,
              streams.stream(Streams.Purpose.FOLDS, client));
      for (int i = 0; i < drawn[m].length; i++) {
        drawn[m][i] %= (short) folds;
      }
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
    double[] absolute = new double[classes * p];
    double[] squared = new double[classes * p];
    for (int t = 0; t < absolute.length; t++) {
      int j = t / classes;
      double deviation = part.deviations().get(j);
      if (factors[j] > 0) {
        // A column that is constant outside a fold has no coefficient there.
        absolute[t] =
            deviation > CONSTANT ? mix * factors[j] * deviation : Double.POSITIVE_INFINITY;
        squared[t] = (1 - mix) * factors[j] * deviation * deviation;
      } else if (classes > 1 && t % classes == 0) {
        // Without a penalty the coefficients of the other classes say all.
        absolute[t] = Double.POSITIVE_INFINITY;
      }
    }
    return new PenalisedModel(
        of, part.weight(), absolute, squared, fit.pooled().settings().biasShare(), classes, start);
  }

  /** Brings all models to their estimates at a λ. */
  private void walk(double lambda) {
    models.forEach(model -> model.begin(lambda));
    for (int steps = 0; steps < MOST_STEPS; steps++) {
      List<PenalisedModel> moving = models.stream().filter(model -> !model.done()).toList();
      if (moving.isEmpty()) {
        return;
      }
      // Those that say as much go together.
      moving.stream()
          .collect(Collectors.partitioningBy(PenalisedModel::saysScore))
          .values()
          .forEach(
              together -> {
                if (!together.isEmpty()) {
                  move(together);
                }
              });
    }
    throw new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "penalised Newton steps: came to no end at λ = %s; take a larger smallest λ (--lambda-ratio)"
            .formatted(lambda));
  }

  private void move(List<PenalisedModel> together) {
    List<double[]> sums =
        total(together.stream().<IntFunction<double[]>>map(one -> one::said).toList());
    for (int k = 0; k < together.size(); k++) {
      together.get(k).heard(sums.get(k));
    }
  }

  /** Whether the loss of all rows is the sum of those of a fold and of the others. */
  private boolean additive() {
    return !(fit.pooled().regression() instanceof Cox);
  }

  private PenalisedEstimate.Step step(double lambda) {
    PenalisedModel model = models.getFirst();
    List<Double> theta = back(model.estimate());
    int nonzero = 0;
    for (int j = 0; j < p; j++) {
      int column = j;
      boolean some = IntStream.range(0, classes).anyMatch(k -> theta.get(k * p + column) != 0);
      nonzero += factors[j] > 0 && some ? 1 : 0;
    }
    return new PenalisedEstimate.Step(
        lambda, theta, nonzero, 2 * (model.loss() - parts.getFirst().least()));
  }

  /** The coefficients here, class by class, of a point there. */
  private List<Double> back(double[] point) {
    double[][] theta = new double[classes][];
    for (int k = 0; k < classes; k++) {
      double[] own = new double[p];
      for (int j = 0; j < p; j++) {
        own[j] = point[j * classes + k];
      }
      theta[k] = coordinates.back(own);
    }
    for (int j = 0; classes > 1 && j < p; j++) {
      int column = j;
      double by = centre(Arrays.stream(theta).mapToDouble(own -> own[column]).toArray(), j);
      for (double[] own : theta) {
        own[j] -= by;
      }
    }
    return Arrays.stream(theta).flatMapToDouble(DoubleStream::of).boxed().toList();
  }

  /**
   * Of all numbers that can be taken off a column's coefficients at no cost, that which glmnet
   * takes: without a penalty their mean, under absolute values alone the middle of the medians;
   * else there is one answer.
   */
  private double centre(double[] ofClasses, int column) {
    if (factors[column] == 0) {
      return DoubleStream.of(ofClasses).sum() / classes;
    }
    Arrays.sort(ofClasses);
    return fit.settings().penalty().mix() < 1
        ? 0
        : 0.5 * (ofClasses[(classes - 1) / 2] + ofClasses[classes / 2]);
  }

  /**
   * The deviance of each fold's rows under the model of the others; where risk sets hold rows of
   * all folds, that of all less that of the others.
   */
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
                  IntStream.range(0, points.size())
                      .<IntFunction<double[]>>mapToObj(
                          k -> m -> (additive() ? folds.get(k) : all).saidLoss(m, points.get(k)))
                      .toList())
              .stream()
              .map(all::heardLoss)
              .toList();
    }
    boolean apart = additive() && !(fit.pooled().regression() instanceof Linear);
    double[] weights = foldWeights();
    double[] deviances = new double[weights.length];
    for (int k = 0; k < weights.length; k++) {
      double loss = apart ? losses.get(k) : losses.get(k) - others.get(k).loss();
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
    int q = fit.pooled().terms().size();
    int most =
        all instanceof GridLikelihood ? 1 : Math.max(1, MOST_NUMBERS / (q * (q + 3) / 2 + 2));
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
