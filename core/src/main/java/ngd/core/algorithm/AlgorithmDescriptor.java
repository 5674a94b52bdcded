package ngd.core.algorithm;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import ngd.core.codec.Codec;

/**
 * An algorithm by name: what it needs, and how it is made from what a person asks for.
 *
 * <p>Each stands in its algorithm's own file, says in its constructor what is not as usual, and is
 * named in {@code META-INF/services/ngd.core.algorithm.AlgorithmDescriptor}, those of the library
 * and your own alike; then {@code ngd fit --algorithm} knows it.
 */
public abstract class AlgorithmDescriptor {
  /** An option of a run that only some algorithms have. */
  public enum Option {
    /** The rows of a mini-batch. */
    BATCH,
    /** The gradient steps between two messages. */
    LOCAL_STEPS,
    /** Which clients take part in a round. */
    SELECTION
  }

  /** What only some algorithms are. */
  protected enum Trait {
    /** It has no step size; all others must be given one. */
    STEPLESS,
    /** Its clients talk through sums over all of them alone, so that no network matters. */
    CENTRAL,
    /**
     * Its clients keep vectors of their own from round to round, so that sums over all of them are
     * of other functions of each client's data in every round.
     */
    OWN_MEMORY,
    /** It is written as events: each client on its own clock. */
    ASYNCHRONOUS,
    /** It comes to its target at a constant step size. */
    EXACT,
    /**
     * All it shows of a client's data is one gradient a round, at a point that is known: what a
     * privacy budget can account for.
     */
    GRADIENTS_ONLY,
    /** W may be another one in every round: its theory says what then comes of it. */
    TIME_VARYING,
    /** It compresses its messages itself and keeps what makes up for it, by {@link CodedRows}. */
    COMPRESSING,
    /**
     * On mini-batches, the mean over its rounds is normal in the limit, with a covariance that is
     * known: the decentralized stochastic gradient descent of Gu and Chen (2024).
     */
    AVERAGED_NORMAL
  }

  private final String name;
  private final String summary;
  private final Function<Request, Algorithm<?>> maker;
  private List<String> parameters = List.of();
  private Set<Need> needs = Set.of();
  private Weighting weighting = Weighting.NONE;
  private Set<Option> options = Set.of();
  private int usualBatch;
  private Set<Trait> traits = Set.of();

  /**
   * An algorithm of this name.
   *
   * @param name the word on the command line
   * @param summary what it is, in half a line
   */
  protected AlgorithmDescriptor(
      String name, String summary, Function<Request, Algorithm<?>> maker) {
    this.name = name;
    this.summary = summary;
    this.maker = maker;
  }

  /** What it may be followed by after a colon, such as {@code E}. */
  protected final void parameters(String... names) {
    parameters = List.of(names);
  }

  /** What must hold of the network, the mixing and the loss. */
  protected final void needs(Need... all) {
    needs = Collections.unmodifiableSet(EnumSet.copyOf(List.of(all)));
  }

  protected final void weighting(Weighting kind) {
    weighting = kind;
  }

  /** The options it has; the others are refused, not ignored. */
  protected final void options(Option... all) {
    options = Collections.unmodifiableSet(EnumSet.copyOf(List.of(all)));
  }

  /** The rows of a mini-batch where none are asked for; without this call all of them. */
  protected final void usualBatch(int rows) {
    usualBatch = rows;
  }

  protected final void traits(Trait... all) {
    traits = EnumSet.copyOf(List.of(all));
  }

  public final String name() {
    return name;
  }

  public final String summary() {
    return summary;
  }

  public final List<String> parameters() {
    return parameters;
  }

  public final Set<Need> needs() {
    return needs;
  }

  /** The same where it also depends on what is asked for, such as its parameters. */
  public Set<Need> needs(AlgorithmChoice choice) {
    return needs;
  }

  public final Weighting weighting() {
    return weighting;
  }

  public final Set<Option> options() {
    return options;
  }

  /** The rows of a mini-batch where none are asked for, or 0 for all of them. */
  public final int usualBatch() {
    return usualBatch;
  }

  public final boolean takesStepSize() {
    return !traits.contains(Trait.STEPLESS);
  }

  public final boolean central() {
    return traits.contains(Trait.CENTRAL);
  }

  public final boolean keepsOwnMemory() {
    return traits.contains(Trait.OWN_MEMORY);
  }

  public final boolean asynchronous() {
    return traits.contains(Trait.ASYNCHRONOUS);
  }

  /** Whether W may change from round to round; those without a network do not notice. */
  public final boolean bearsChange() {
    return traits.contains(Trait.TIME_VARYING) || central();
  }

  public final boolean compresses() {
    return traits.contains(Trait.COMPRESSING);
  }

  /** Whether its messages can have fewer bytes: not where they are shares, replies or sums. */
  public final boolean takesCodec() {
    return compresses() || !(asynchronous() || central() || needs.contains(Need.MEAN_MIXING));
  }

  /** Whether intervals are known around the mean over its rounds on mini-batches. */
  public final boolean hasIntervals() {
    return traits.contains(Trait.AVERAGED_NORMAL);
  }

  /** Whether weight decay reaches all that it learns: not where it uses more than gradients. */
  public final boolean takesDecay() {
    return takesStepSize() && !needs.contains(Need.HESSIAN);
  }

  public final boolean showsGradientsOnly() {
    return traits.contains(Trait.GRADIENTS_ONLY);
  }

  /**
   * Whether it comes to its target at a constant step size. Where not, it stays away from it by a
   * bias of order α, and an automatic step size falls.
   */
  public boolean exact(AlgorithmChoice choice) {
    return traits.contains(Trait.EXACT);
  }

  /**
   * How large a step it bears, derived for quadratic losses; by default that of {@link
   * StepLimit#TWO}. An automatic step size begins at half of it.
   */
  public StepLimit limit(NetworkFacts network) {
    return StepLimit.TWO;
  }

  /** The same where it also depends on what is asked for, such as its parameters. */
  public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
    return limit(network);
  }

  public final Algorithm<?> make(Request request) {
    return maker.apply(request);
  }

  /**
   * What an algorithm is made from.
   *
   * @param choice what a person asked for
   * @param scales the factors that {@link #weighting} asks for
   * @param linear whether the model is the linear one, half the mean squared error
   */
  public record Request(AlgorithmChoice choice, GradientScales scales, boolean linear) {
    /** The step size, which must be there. */
    public StepSize step() {
      return choice.step().given();
    }

    /** The rows of a mini-batch, or 0 for all. */
    public int batch() {
      return choice.rowsOfBatch();
    }

    /** What messages keep of a row. */
    public Codec codec() {
      return choice.codec();
    }

    /** The gradient steps between two messages. */
    public int localSteps() {
      return choice.localSteps();
    }

    /** Which clients take part in a round. */
    public ClientSelection selection() {
      return choice.selection();
    }

    /** The i-th number after the colon, or this one where it was left out. */
    public double parameter(int i, double otherwise) {
      return choice.parameter(i, otherwise);
    }
  }
}
