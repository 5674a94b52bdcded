package ngd.core.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.Weighting;
import ngd.core.linalg.Eigenvalues;
import ngd.core.model.Loss;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.EigenvalueBounds;
import ngd.core.network.Network;
import ngd.core.network.NetworkProperty;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Stationary;
import org.jspecify.annotations.Nullable;

/**
 * Whether an algorithm can do its work on a network with a loss, the gradient scales it asks for,
 * and how large a step it bears: the one place where this is decided, for every world and before a
 * plan is signed.
 */
public final class Suitability {
  private static final double ROUNDING = 1e-12;

  /** Where networks are drawn anew, or their period is long. */
  private static final int ROUNDS_LOOKED_AT = 64;

  /** What is known of the eigenvalues of networks that change: they may be the worst there are. */
  private static final Eigenvalues UNKNOWN =
      new Eigenvalues(false, List.of(new Eigenvalues.Value(-1, 0)));

  private final NetworkSchedule schedule;

  /** Who hears whom in any round; W where it is constant. */
  private final Network network;

  private final Predicate<Need> data;
  private final Mixing mixing;
  private final CommunicatingClasses classes;
  private @Nullable Eigenvalues eigenvalues;

  /**
   * For the data that a process holds, and a mixing rule.
   *
   * @param data what the data can do, as a type
   */
  public Suitability(NetworkSchedule schedule, Class<? extends Local> data, Mixing mixing) {
    this(schedule, need -> need.metBy(data), mixing);
  }

  /** The same where their loss is known too. */
  public Suitability(
      NetworkSchedule schedule, Class<? extends Local> data, Loss loss, Mixing mixing) {
    this(schedule, need -> need.metBy(data) && metBy(loss, need), mixing);
  }

  private static boolean metBy(Loss loss, Need need) {
    return need != Need.ROW_LOSSES || loss.isMean();
  }

  private Suitability(NetworkSchedule schedule, Predicate<Need> data, Mixing mixing) {
    this.schedule = schedule;
    network = schedule.mean();
    this.data = data;
    this.mixing = mixing;
    classes = CommunicatingClasses.of(network);
  }

  /** For a loss on shards in this process. */
  public Suitability(NetworkSchedule schedule, Loss loss, Mixing mixing) {
    this(schedule, ShardsLocal.kind(loss), loss, mixing);
  }

  /** Refuses an algorithm whose needs are not met, naming each with what would do. */
  public void require(AlgorithmChoice choice) {
    List<String> unmet = unmet(choice);
    if (!unmet.isEmpty()) {
      throw new InvalidInput(String.join("\n", unmet));
    }
  }

  /** The needs that are not met, a sentence each. */
  public List<String> unmet(AlgorithmChoice choice) {
    List<String> unmet = new ArrayList<>();
    String name = choice.descriptor().name();
    for (Need need : choice.needs()) {
      if (!met(need)) {
        unmet.add("algorithm `%s`: needs %s; %s".formatted(name, need.what(), need.remedy()));
      }
    }
    if (choice.selection().least() > schedule.clients()) {
      unmet.add(
          "selection %s: must select at most the %d clients there are"
              .formatted(choice.selection().spec(), schedule.clients()));
    }
    if (unmet.isEmpty() && choice.step() instanceof StepChoice.Auto && !constant()) {
      unmet.add(
          "alpha: auto waits until the iterates stop moving, which they do not on a network that"
              + " changes from round to round; give a number");
    }
    if (unmet.isEmpty() && choice.step() instanceof StepChoice.Auto && !limit(choice).isKnown()) {
      unmet.add(
          "alpha: no safe step size of `%s` is known on this network; give a number"
              .formatted(name));
    }
    return unmet;
  }

  /** What the mixing rule promises and cannot keep where a client averages too few vectors. */
  public List<String> warnings() {
    int fewest = mixing.fewest();
    return fewest == 1
        ? List.of()
        : IntStream.range(0, Math.min(ROUNDS_LOOKED_AT, schedule.period().orElse(ROUNDS_LOOKED_AT)))
            .boxed()
            .flatMap(round -> tooFew(round, fewest).stream())
            .limit(1)
            .toList();
  }

  private Optional<String> tooFew(int round, int fewest) {
    Network w = schedule.at(round);
    for (int m = 0; m < w.clients(); m++) {
      int heard = heard(w, m);
      if (heard > 0 && heard + 1 < fewest && !schedule.rests(m, round)) {
        return Optional.of(
            "mix %s: needs %d vectors or more, one's own among them, to bear as many bad ones as it says; client %d averages %d%s, and the rule does less there (docs/algorithms.md)"
                .formatted(
                    mixing.spec(),
                    fewest,
                    m,
                    heard + 1,
                    constant() ? "" : " in round %d".formatted(round)));
      }
    }
    return Optional.empty();
  }

  /** How many others a client hears. */
  private static int heard(Network w, int client) {
    int heard = 0;
    for (int e = w.offsets()[client]; e < w.offsets()[client + 1]; e++) {
      heard += w.heard()[e] == client ? 0 : 1;
    }
    return heard;
  }

  private boolean constant() {
    return schedule instanceof Network;
  }

  private boolean met(Need need) {
    return switch (need) {
      case CONSTANT_NETWORK -> constant();
      case STRONGLY_CONNECTED -> classes.count() == 1;
      case APERIODIC -> aperiodic();
      case DOUBLY_STOCHASTIC -> schedule.always(NetworkProperty.DOUBLY_STOCHASTIC);
      case SYMMETRIC -> schedule.always(NetworkProperty.SYMMETRIC);
      case EIGENVALUES_ABOVE_MINUS_A_THIRD ->
          constant() && eigenvalues().smallest() > -1.0 / 3 + ROUNDING;
      case MUTUAL_LINKS -> schedule.always(NetworkProperty.MUTUAL);
      case MEAN_MIXING -> mixing instanceof Mixing.Mean;
      case LINK_GRADIENTS, LOSSES, ROW_LOSSES, PROXIMAL_STEPS, HESSIAN -> data.test(need);
    };
  }

  /** Whether mixing converges within each closed class; a period of rounds counts as one step. */
  private boolean aperiodic() {
    if (constant() || schedule.period().isEmpty()) {
      return periods(classes, 1);
    }
    return periods(
        CommunicatingClasses.of(schedule.unrolled().orElseThrow()), schedule.period().getAsInt());
  }

  private static boolean periods(CommunicatingClasses classes, int period) {
    return Arrays.stream(classes.closedClasses()).allMatch(c -> classes.period(c) == period);
  }

  /**
   * How large a step an algorithm bears on this network, where averaging is the mean by W.
   *
   * @return 0 where nothing is known
   */
  public StepLimit limit(AlgorithmChoice choice) {
    return choice
        .descriptor()
        .limit(constant() ? new Facts() : new ChangingFacts(network.clients()), choice);
  }

  /** Computed from W when asked for. */
  private final class Facts implements NetworkFacts {
    @Override
    public int clients() {
      return network.clients();
    }

    @Override
    public Eigenvalues mixing() {
      return eigenvalues();
    }

    @Override
    public Eigenvalues pushing() {
      return EigenvalueBounds.of(network.toListeners(true));
    }

    @Override
    public double leastSelfWeight() {
      return IntStream.range(0, network.clients())
          .mapToDouble(m -> network.weight(m, m))
          .min()
          .orElseThrow();
    }

    @Override
    public int mostLinks() {
      return IntStream.range(0, network.clients())
          .map(
              m ->
                  (int)
                      Arrays.stream(network.heard(), network.offsets()[m], network.offsets()[m + 1])
                          .filter(k -> k != m)
                          .count())
          .max()
          .orElseThrow();
    }

    @Override
    public double leastPushWeight() {
      return stationary(network.toListeners(true))
          .map(shares -> network.clients() * Arrays.stream(shares).min().orElseThrow())
          .orElse(0.0);
    }

    @Override
    public double overlap() {
      Optional<double[]> pushed = stationary(network.toListeners(true));
      Optional<double[]> pi = stationary(network);
      if (pushed.isEmpty() || pi.isEmpty()) {
        return Double.POSITIVE_INFINITY;
      }
      double sum = 0;
      for (int m = 0; m < network.clients(); m++) {
        sum += pi.get()[m] * pushed.get()[m];
      }
      return network.clients() * sum;
    }
  }

  /** Of networks that change nothing is known: a limit that asks for it is none. */
  private static final class ChangingFacts implements NetworkFacts {
    private final int clients;

    ChangingFacts(int clients) {
      this.clients = clients;
    }

    @Override
    public int clients() {
      return clients;
    }

    @Override
    public Eigenvalues mixing() {
      return UNKNOWN;
    }

    @Override
    public Eigenvalues pushing() {
      return UNKNOWN;
    }

    @Override
    public double leastSelfWeight() {
      return 0;
    }

    @Override
    public int mostLinks() {
      return Integer.MAX_VALUE;
    }

    @Override
    public double leastPushWeight() {
      return 0;
    }

    @Override
    public double overlap() {
      return Double.POSITIVE_INFINITY;
    }
  }

  private Eigenvalues eigenvalues() {
    Eigenvalues known = eigenvalues;
    if (known == null) {
      known = EigenvalueBounds.of(network);
      eigenvalues = known;
    }
    return known;
  }

  private static Optional<double[]> stationary(Network network) {
    return Stationary.of(network, CommunicatingClasses.of(network)).distribution();
  }

  /**
   * The scales with which the algorithm's target is the pooled estimate, where there are such:
   * clients that nobody hears have no weight that could be scaled up.
   */
  public GradientScales scales(AlgorithmDescriptor algorithm, int[] rows) {
    return switch (algorithm.weighting()) {
      case NONE -> GradientScales.NONE;
      case BY_SIZE -> GradientScales.bySize(rows);
      case BY_SIZE_AND_WEIGHT, BY_SIZE_AND_PUSHES ->
          weights(algorithm)
              .map(pi -> GradientScales.bySizeAndWeight(rows, pi))
              .orElse(GradientScales.NONE);
    };
  }

  /**
   * The same for one client in a process of its own, as a factor for its one row.
   *
   * @param rows of this client
   * @param total of all clients
   */
  public GradientScales scaleOf(AlgorithmDescriptor algorithm, int client, long rows, long total) {
    double share = (double) rows / total;
    double factor =
        switch (algorithm.weighting()) {
          case NONE -> 1;
          case BY_SIZE -> network.clients() * share;
          case BY_SIZE_AND_WEIGHT, BY_SIZE_AND_PUSHES ->
              weights(algorithm).map(pi -> share / pi[client]).orElse(1.0);
        };
    // Asynchronous algorithms look it up by the client's number.
    double[] factors = new double[algorithm.asynchronous() ? network.clients() : 1];
    Arrays.fill(factors, factor);
    return GradientScales.of(factors);
  }

  /** How much each client counts in what the algorithm minimises, where nobody's weight is 0. */
  private Optional<double[]> weights(AlgorithmDescriptor algorithm) {
    return (algorithm.weighting() == Weighting.BY_SIZE_AND_PUSHES
            ? stationary(network.toListeners(false))
            : schedule.stationary())
        .filter(pi -> Arrays.stream(pi).allMatch(share -> share > 0));
  }
}
