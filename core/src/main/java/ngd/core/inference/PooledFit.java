package ngd.core.inference;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Table;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.Glm;
import ngd.core.model.MEstimator;
import ngd.core.model.Narrowing;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.NoEstimate;
import ngd.core.model.Poisson;
import ngd.core.model.Regression;
import ngd.core.model.RiskSetSums;
import ngd.core.model.TimeGrid;
import ngd.core.network.NetworkSchedule;
import ngd.core.rows.Rows;
import ngd.core.world.Diverged;
import ngd.core.world.World;
import org.jspecify.annotations.Nullable;

/**
 * The estimate that the pooled data would give, by clients of any size on any strongly connected
 * network, with nothing to choose: whitened coordinates, and Newton steps on pooled sums until what
 * remains is a stated share of the standard error (docs/theory.md, 6 and 7). Sums over all clients
 * are all that is shared. On request, balanced NGD with the automatic step size comes before the
 * steps (docs/theory.md, 4), or takes their place.
 *
 * <p>Every decision is made from totals, which are the same bits at every client, so clients that
 * run this apart from each other stay together.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="pooled"}
 *
 * @param regression the model
 * @param terms the coefficients' names, in order
 * @param pi the stationary weight of each client whose rows this process holds
 * @param settings when it ends, and how
 */
public record PooledFit(
    Regression regression, List<String> terms, List<Double> pi, Settings settings) {
  /** Rounds before the last steps: more would bring the start of those steps little nearer. */
  private static final int ROUNDS_BEFORE_STEPS = 300;

  /** The rounds bring less than this share of their gain so far: time for the last steps. */
  private static final double USEFUL = 0.01;

  /** How often the step size is cut where the rounds lead away from the answer. */
  private static final int MOST_RESTARTS = 8;

  /**
   * Rows within this many standard deviations have a curvature under the first of several losses.
   */
  private static final double SPREADS = 4;

  /** Half of what balanced NGD bears. */
  private static final double FIRST_STEP = 0.5 * StepLimit.TWO.number();

  /** What clients share on the way to the estimate. */
  public enum Way {
    /** Sums over all clients: Newton's method from the null model. */
    SUMS,
    /** Models with those who listen, in rounds of balanced NGD; then sums, in Newton steps. */
    ROUNDS,
    /** Models in rounds, and at the end the sum of the clients' information. */
    ROUNDS_ALONE
  }

  /**
   * When a fit ends, and how.
   *
   * @param biasShare the share of a standard error that may remain between the result and the
   *     pooled estimate
   * @param way what is shared on the way
   * @param mostRounds a limit for the rounds
   * @param ridge λ of the penalty λ/2 Σ (s_j θ_j)² on minus the mean log-likelihood of a row, s_j
   *     the standard deviation of column j over all rows, the intercept left out; 0 for none
   * @param mostCurved by sums, the most coefficients whose Hessians are summed; of more, only
   *     scores are
   */
  public record Settings(double biasShare, Way way, int mostRounds, double ridge, int mostCurved) {
    /**
     * A number of an exact sum takes 272 bytes, so that a Hessian's p (p + 1) / 2 of this many
     * coefficients take 16 MB, from every site and in every step.
     */
    public static final int MOST_CURVED = 350;

    /** A millionth of a standard error, by sums. */
    public static final Settings STANDARD = new Settings(1e-6, Way.SUMS, 100_000, 0);

    public Settings(double biasShare, Way way, int mostRounds, double ridge) {
      this(biasShare, way, mostRounds, ridge, MOST_CURVED);
    }

    public Settings {
      if (!(biasShare > 0 && biasShare <= 1)) {
        throw new InvalidInput(
            "bias share: must be a share of the standard error above 0, at most 1; got "
                + biasShare);
      }
      if (mostRounds < 1) {
        throw new InvalidInput("rounds: must be at least 1; got " + mostRounds);
      }
      if (!(ridge >= 0) || Double.isInfinite(ridge)) {
        throw new InvalidInput("ridge: the penalty must be 0 or a positive number; got " + ridge);
      }
    }
  }

  public PooledFit {
    terms = List.copyOf(terms);
    pi = List.copyOf(pi);
    for (double share : pi) {
      if (!(share > 0)) {
        throw new InvalidInput(
            "network: every client must be heard, directly or through others; one has weight "
                + share);
      }
    }
    if (!(regression instanceof Glm)) {
      requireSums(regression.family(), settings, terms.size());
    }
  }

  /** Refuses ways that models of other likelihoods are not fitted by. */
  private static void requireSums(String family, Settings settings, int coefficients) {
    if (settings.way() != Way.SUMS || settings.ridge() > 0) {
      throw new InvalidInput(
          "family %s: a pooled fit goes by sums alone, without a penalty; leave out --algorithm pooled-rounds and --ridge"
              .formatted(family));
    }
    if (coefficients > settings.mostCurved()) {
      throw new InvalidInput(
          "family %s: sums of Hessians are of at most %d coefficients; got %d"
              .formatted(family, settings.mostCurved(), coefficients));
    }
  }

  /** The columns of the data: as many as coefficients, unless classes have some each. */
  List<String> columns() {
    return regression instanceof Categories classes ? classes.columns() : terms;
  }

  /**
   * A fit in a process that holds the rows of all clients of a network.
   *
   * @throws InvalidInput if the network is not strongly connected, naming its classes
   */
  public static PooledFit on(
      NetworkSchedule schedule, Regression regression, List<String> terms, Settings settings) {
    return new PooledFit(regression, terms, StationaryWeights.of(schedule), settings);
  }

  /** Whether sums of scores are all that is shared, since Hessians would be too large. */
  boolean byScores() {
    return settings.way() == Way.SUMS && terms.size() > settings.mostCurved();
  }

  /**
   * Finds the estimate.
   *
   * @throws NoEstimate if it does not exist: redundant columns, too few rows, separation, or a
   *     limit that was reached
   */
  public PooledEstimate run(World world, FitProgress progress) {
    progress.begin(FitProgress.Stage.COORDINATES);
    Size size = Size.of(world, columns().size());
    if (size.counted() < terms.size()) {
      throw new NoEstimate(
          NoEstimate.Reason.TOO_FEW_ROWS,
          "the data: %d coefficients need at least as many rows; got %d"
              .formatted(terms.size(), size.counted()));
    }
    Coordinates coordinates =
        byScores()
            ? Coordinates.standardised(world, terms, size)
            : regression instanceof Cox
                ? Coordinates.centred(world, terms, size)
                : Coordinates.agree(world, columns(), size);
    if (regression instanceof Categories classes) {
      return found(
          classes, world, coordinates.in(world), coordinates.of(classes), size, null, progress);
    }
    requireResponses(world);
    World there = coordinates.in(world);
    if (regression instanceof MEstimator robust) {
      return narrowed(robust, world, there, coordinates, size, progress);
    }
    if (regression instanceof NegativeBinomial counts && counts.estimated()) {
      requireSums();
      return ThetaFit.from(
          under(new Poisson(), world, there, coordinates, size, null, progress),
          (at, start) -> under(at, world, there, coordinates, size, start, progress),
          settings.biasShare());
    }
    return found(regression, world, there, coordinates, size, null, progress);
  }

  /**
   * The estimate under a loss with a curvature near each row's centre alone, from those under wider
   * ones ({@link Narrowing}).
   */
  private PooledEstimate narrowed(
      MEstimator robust,
      World world,
      World there,
      Coordinates coordinates,
      Size size,
      FitProgress progress) {
    double factor = Narrowing.widest(robust, SPREADS * spread(there));
    double @Nullable [] start = null;
    int steps = 0;
    while (factor > 1) {
      MEstimator wide = robust.widened(factor);
      PooledEstimate found =
          found(wide, world, there.under(wide), coordinates, size, start, progress);
      start = found.end().theta();
      steps += found.steps();
      factor = Narrowing.narrower(factor);
    }
    return found(robust, world, there, coordinates, size, start, progress).withSteps(steps);
  }

  /** The standard deviation of the responses less their offsets. */
  private double spread(World there) {
    double[] sums =
        Pooled.bounded(
            there,
            m ->
                there
                    .curved()
                    .moments(m)
                    .sums(
                        new double[terms.size()],
                        (eta, y, offset, w) -> w,
                        (eta, y, offset, w) -> w * (y - offset),
                        (eta, y, offset, w) -> w * (y - offset) * (y - offset)));
    double mean = sums[1] / sums[0];
    return Math.sqrt(Math.max(0, sums[2] / sums[0] - mean * mean));
  }

  private void requireSums() {
    if (settings.way() != Way.SUMS || byScores() || settings.ridge() > 0) {
      throw new InvalidInput(
          "family negative-binomial: theta is estimated only by sums, without ridge, of at most %d coefficients; give it: negative-binomial:THETA"
              .formatted(settings.mostCurved()));
    }
  }

  /** Real sites see their own rows alone, so that all learn together whether some cannot be. */
  void requireResponses(World world) {
    double[] refused =
        Pooled.having(
            world,
            m ->
                world
                    .curved()
                    .moments(m)
                    .sums(
                        new double[terms.size()],
                        (eta, y, offset, w) ->
                            w > 0 && regression.objection(y, w).isPresent() ? 1 : 0));
    if (refused[0] > 0) {
      throw new InvalidInput(
          "the response: must be possible under the %s family in every row; it is not in some rows of %s"
              .formatted(regression.family(), NumberText.count((long) refused[0], "client")));
    }
  }

  private PooledEstimate under(
      Glm other,
      World world,
      World there,
      Coordinates coordinates,
      Size size,
      double @Nullable [] start,
      FitProgress progress) {
    return found(other, world, there.under(other), coordinates, size, start, progress);
  }

  /**
   * The estimate under a model.
   *
   * @param there the clients in the coordinates, under the model
   * @param start where to start there; the null model by default
   */
  private PooledEstimate found(
      Regression under,
      World world,
      World there,
      Coordinates coordinates,
      Size size,
      double @Nullable [] start,
      FitProgress progress) {
    Penalty penalty = penalty(world, coordinates, size);
    World rounds = penalty.on(there, under.factor()).unseen();
    progress.begin(FitProgress.Stage.NULL_MODEL);
    int p = terms.size();
    PooledLikelihood likelihood = likelihood(under, there, p, size, penalty);
    NullModel nullModel = nullModel(likelihood, coordinates);
    double[] from = start == null ? nullModel.point(p) : start;
    FitEnd end = end(world, rounds, coordinates, from, likelihood, progress);
    return new PooledEstimate(this, likelihood, coordinates, nullModel, end);
  }

  /** The likelihood of all clients' rows under a model; of risk sets without a penalty. */
  static PooledLikelihood likelihood(
      Regression under, World there, int p, Size size, Penalty penalty) {
    return under instanceof Cox cox && cox.grid().isPresent()
        ? onGrid(there, cox, cox.grid().get(), p, size)
        : new SummedLikelihood(there, under, p, p, size, penalty);
  }

  private static PooledLikelihood onGrid(World there, Cox cox, TimeGrid grid, int p, Size size) {
    return new GridLikelihood(there, cox, grid, RiskSetSums.at(cox.ties(), grid), p, p, size);
  }

  NullModel nullModel(PooledLikelihood likelihood, Coordinates coordinates) {
    return switch (likelihood.regression()) {
      case Glm glm ->
          NullModel.fit(
              likelihood.world(),
              glm,
              coordinates,
              terms.size(),
              terms.getFirst().equals(Table.INTERCEPT),
              likelihood.size());
      case MEstimator _ ->
          NullModel.ofLevel(
              likelihood,
              coordinates,
              terms.getFirst().equals(Table.INTERCEPT),
              new PooledNewton(likelihood.leading(1), terms, coordinates, settings.biasShare()));
      case Categories classes ->
          NullModel.ofClasses(
              likelihood,
              classes,
              coordinates,
              new PooledNewton(
                  likelihood.leading(classes.levels()), terms, coordinates, settings.biasShare()));
      case Cox _ -> {
        World world = likelihood.world();
        double[] events =
            Pooled.total(
                world,
                m ->
                    world
                        .curved()
                        .moments(m)
                        .sums(
                            new double[terms.size()],
                            (eta, y, offset, w) -> w > 0 && y > 0 ? 1 : 0));
        if (events[0] == 0) {
          throw new NoEstimate(
              NoEstimate.Reason.SEPARATION,
              "the event of Surv(…): must be 1 in at least one row; it is 0 in every row of every"
                  + " site");
        }
        yield NullModel.atZero(likelihood);
      }
    };
  }

  private FitEnd end(
      World world,
      World rounds,
      Coordinates coordinates,
      double[] start,
      PooledLikelihood likelihood,
      FitProgress progress) {
    PooledNewton newton = new PooledNewton(likelihood, terms, coordinates, settings.biasShare());
    if (byScores()) {
      progress.begin(FitProgress.Stage.LAST_STEPS);
      return new PooledScores(
              (SummedLikelihood) likelihood, terms, coordinates, settings.biasShare())
          .from(start);
    }
    if (settings.way() == Way.SUMS) {
      progress.begin(FitProgress.Stage.LAST_STEPS);
      return newton.from(start);
    }
    progress.begin(FitProgress.Stage.ROUNDS);
    Descent descent = descend(rounds, start, likelihood, progress);
    if (settings.way() == Way.ROUNDS_ALONE) {
      return new WithoutSteps(
              rounds,
              scales(world, likelihood.size()),
              (SummedLikelihood) likelihood,
              settings,
              progress)
          .from(descent.theta(), descent.alpha(), descent.rounds());
    }
    progress.begin(FitProgress.Stage.LAST_STEPS);
    FitEnd steps = newton.from(descent.theta());
    return new FitEnd(steps.at(), steps.distance(), descent.rounds(), steps.steps());
  }

  private Penalty penalty(World world, Coordinates coordinates, Size size) {
    if (settings.ridge() == 0) {
      return Penalty.of(new double[terms.size() * terms.size()], terms.size());
    }
    double[] variances =
        terms.getFirst().equals(Table.INTERCEPT)
            ? coordinates.variances()
            : Pooled.variances(world, terms.size(), size.weight());
    // A penalty on the mean over weights counts less where weights are fewer than rows.
    return Penalty.of(settings.ridge() * (size.weight() / size.rows()), variances, coordinates);
  }

  /** c_m = (n_m / N) / π_m of the clients that this process holds. */
  private GradientScales scales(World world, Size size) {
    double[] factors = new double[world.rows()];
    Arrays.setAll(factors, m -> world.curved().moments(m).rows() / size.rows() / pi.get(m));
    return GradientScales.of(factors);
  }

  /** Where the rounds ended: a point that all share. */
  private record Descent(List<Double> point, double alpha, int rounds) {
    double[] theta() {
      return point.stream().mapToDouble(t -> t).toArray();
    }
  }

  /**
   * Balanced NGD with the automatic step size from a common point. Where the pooled loss at the
   * clients' mean does not fall, as may happen to losses whose curvature has no bound, all go back
   * to the best mean and take smaller steps.
   */
  private Descent descend(
      World world, double[] start, PooledLikelihood likelihood, FitProgress progress) {
    GradientScales scales = scales(world, likelihood.size());
    double step = FIRST_STEP;
    double[] best = start;
    double first = likelihood.value(start);
    double least = first;
    int most = Math.min(ROUNDS_BEFORE_STEPS, settings.mostRounds());
    int done = 0;
    int restarts = 0;
    double alpha = 0;
    AutoStep<Ngd.State> method = method(scales, step);
    AutoStep.State<Ngd.State> state = method.start(common(world, best));
    while (done < most && restarts <= MOST_RESTARTS) {
      int rounds = Math.min(AutoStep.WINDOW, most - done);
      double[] mean = {};
      try {
        state = world.advance(method, state, rounds);
        alpha = state.alpha();
        mean = mean(world, state.theta(), likelihood.size().clients());
      } catch (Diverged lost) {
        // Found by a total, so by all clients alike: they begin again below.
      }
      done += rounds;
      progress.rounds(done, most);
      double loss = mean.length == 0 ? Double.POSITIVE_INFINITY : likelihood.value(mean);
      if (loss <= least && mean.length > 0) {
        boolean little = least - loss < USEFUL * (first - loss);
        best = mean;
        least = loss;
        if (little) {
          break;
        }
      } else if (loss - least < USEFUL * (first - least)) {
        break;
      } else {
        restarts++;
        step /= 4;
        method = method(scales, step);
        state = method.start(common(world, best));
      }
    }
    return new Descent(DoubleStream.of(best).boxed().toList(), alpha, done);
  }

  private static AutoStep<Ngd.State> method(GradientScales scales, double first) {
    return new AutoStep<>(
        alpha -> new BalancedNgd(StepSize.constant(alpha), scales), scales, first, 0, false);
  }

  /** The same point for every client. */
  static Rows common(World world, double[] point) {
    double[][] rows = new double[world.rows()][];
    Arrays.fill(rows, point);
    return world.block(rows);
  }

  /** The clients' mean; nothing where some client's estimate is lost. */
  static double[] mean(World world, Rows theta, double clients) {
    double lost =
        Pooled.max(
            world, m -> Arrays.stream(theta.row(m)).allMatch(t -> Math.abs(t) < 1e150) ? 0 : 1);
    return lost > 0
        ? new double[0]
        : Arrays.stream(Pooled.total(world, theta::row)).map(sum -> sum / clients).toArray();
  }
}
