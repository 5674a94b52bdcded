package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;
import ngd.core.InvalidInput;
import ngd.core.codec.Codec;

/**
 * An algorithm as it is asked for: {@code cfa:0.3} with its step size.
 *
 * @param parameters the numbers after the colon
 * @param batch the rows of a mini-batch, or 0 for the algorithm's usual ones
 * @param localSteps the gradient steps between two messages
 * @param codec what messages keep of a row
 * @param intervals those around the mean over rounds, where they are asked for
 * @param decay λ of {@link WeightDecay}, or 0
 * @param selection which clients take part in a round
 */
public record AlgorithmChoice(
    AlgorithmDescriptor descriptor,
    List<Double> parameters,
    StepChoice step,
    int batch,
    int localSteps,
    Codec codec,
    Optional<IntervalChoice> intervals,
    double decay,
    ClientSelection selection) {
  public AlgorithmChoice {
    parameters = List.copyOf(parameters);
  }

  /** Without intervals and weight decay, with all clients in every round. */
  public AlgorithmChoice(
      AlgorithmDescriptor descriptor,
      List<Double> parameters,
      StepChoice step,
      int batch,
      int localSteps,
      Codec codec) {
    this(
        descriptor,
        parameters,
        step,
        batch,
        localSteps,
        codec,
        Optional.empty(),
        0,
        new ClientSelection.All());
  }

  /** With messages of full numbers. */
  public AlgorithmChoice(
      AlgorithmDescriptor descriptor,
      List<Double> parameters,
      StepChoice step,
      int batch,
      int localSteps) {
    this(descriptor, parameters, step, batch, localSteps, new Codec.Full());
  }

  /** The algorithm that a specification names, with a step size and all else as usual. */
  public static AlgorithmChoice of(String spec, StepChoice step) {
    Algorithms.Named named = Algorithms.parse(spec);
    return new AlgorithmChoice(named.descriptor(), named.parameters(), step, 0, 1);
  }

  /** The same with another step size. */
  public AlgorithmChoice with(StepSize alpha) {
    return new AlgorithmChoice(
        descriptor,
        parameters,
        new StepChoice.Given(alpha),
        batch,
        localSteps,
        codec,
        intervals,
        decay,
        selection);
  }

  /** The same with messages of fewer bytes. */
  public AlgorithmChoice with(Codec other) {
    return new AlgorithmChoice(
        descriptor, parameters, step, batch, localSteps, other, intervals, decay, selection);
  }

  /** The same on mini-batches of {@code rows} rows. */
  public AlgorithmChoice withBatch(int rows) {
    return new AlgorithmChoice(
        descriptor, parameters, step, rows, localSteps, codec, intervals, decay, selection);
  }

  /** The same with its estimates averaged over rounds, for these intervals. */
  public AlgorithmChoice with(IntervalChoice asked) {
    return new AlgorithmChoice(
        descriptor,
        parameters,
        step,
        batch,
        localSteps,
        codec,
        Optional.of(asked),
        decay,
        selection);
  }

  /**
   * What must hold for it to run: most theories are for one W, and an automatic step size looks at
   * curvatures.
   */
  public Set<Need> needs() {
    Set<Need> needs = EnumSet.noneOf(Need.class);
    needs.addAll(descriptor.needs(this));
    // What error feedback has left over begins in the first round, in which nobody may rest.
    if (!descriptor.bearsChange() || codec instanceof Codec.ErrorFeedback) {
      needs.add(Need.CONSTANT_NETWORK);
    }
    if (step instanceof StepChoice.Auto) {
      needs.add(Need.HESSIAN);
    }
    if (selection.needsLosses()) {
      needs.add(Need.LOSSES);
    }
    if (intervals.isPresent()) {
      needs.addAll(
          EnumSet.of(Need.CONSTANT_NETWORK, Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.HESSIAN));
    }
    return needs;
  }

  /** What is wrong with this choice by itself, a sentence each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    String name = descriptor.name();
    boolean auto = step instanceof StepChoice.Auto;
    require(
        !descriptor.takesStepSize() || !(step instanceof StepChoice.None),
        "alpha: `%s` needs a learning rate".formatted(name),
        problems);
    require(
        batch == 0 || descriptor.options().contains(AlgorithmDescriptor.Option.BATCH),
        "batch: `%s` has no mini-batches".formatted(name),
        problems);
    require(
        localSteps == 1 || descriptor.options().contains(AlgorithmDescriptor.Option.LOCAL_STEPS),
        "local-steps: `%s` takes no local steps".formatted(name),
        problems);
    require(
        selection instanceof ClientSelection.All
            || descriptor.options().contains(AlgorithmDescriptor.Option.SELECTION),
        "selection: in `%s` all clients take part in every round".formatted(name),
        problems);
    require(
        !auto || selection instanceof ClientSelection.All,
        "alpha: auto waits until the iterates stop moving, which they do not with --selection %s; give a number"
            .formatted(selection.spec()),
        problems);
    require(
        !auto || batch == 0 || settlesOnBatches(),
        "alpha: auto waits until the iterates stop moving, which they do not on mini-batches of %d rows; give a number"
            .formatted(batch),
        problems);
    require(
        !auto || !descriptor.asynchronous(),
        "alpha: `%s` has no common rounds, which auto needs; give a number".formatted(name),
        problems);
    require(
        !auto || descriptor.takesStepSize(),
        "alpha: `%s` has no step size".formatted(name),
        problems);
    require(
        codec instanceof Codec.Full || descriptor.takesCodec(),
        "codec: `%s` does not only average rows, and nothing else is compressed".formatted(name),
        problems);
    require(
        !(codec instanceof Codec.ErrorFeedback) || !descriptor.compresses(),
        "codec: `%s` keeps what messages leave out itself, without error-feedback".formatted(name),
        problems);
    intervals.ifPresent(_ -> requireIntervals(problems));
    require(
        decay >= 0 && Double.isFinite(decay),
        "weight-decay: must be 0 or more; got " + decay,
        problems);
    require(
        !(decay > 0) || descriptor.takesDecay(),
        "weight-decay: `%s` does not learn by gradient steps alone".formatted(name),
        problems);
    return problems;
  }

  /** Whether its mini-batches are what it is made for, and their noise ends. */
  private boolean settlesOnBatches() {
    return descriptor.usualBatch() > 0 && descriptor.exact(this);
  }

  /** What the central limit theorem of an average over rounds does not hold without. */
  private void requireIntervals(List<String> problems) {
    String name = descriptor.name();
    require(
        descriptor.hasIntervals(),
        "intervals: no central limit theorem is known for `%s`; use ngd, d-psgd or cfa"
            .formatted(name),
        problems);
    require(
        rowsOfBatch() > 0,
        "intervals: `%s` must run on mini-batches, given by --batch; on all rows nothing is random"
            .formatted(name),
        problems);
    require(
        step instanceof StepChoice.Given(StepSize.Polynomial(double _, double power))
            && power > 0.5
            && power < 1,
        "intervals: alpha must fall as a/t^P with P between 0.5 and 1, such as 0.5/t^0.6, or the average has no normal limit; got "
            + step.spec(),
        problems);
    require(
        localSteps == 1,
        "intervals: are not known with --local-steps above 1; got " + localSteps,
        problems);
    require(
        decay == 0,
        "intervals: are not known with --weight-decay, which moves what is estimated; got " + decay,
        problems);
    require(
        codec instanceof Codec.Full,
        "intervals: are not known with --codec %s, whose errors they leave out"
            .formatted(codec.spec()),
        problems);
  }

  /** The rows of a mini-batch, or 0 for all rows in every round. */
  public int rowsOfBatch() {
    return batch == 0 ? descriptor.usualBatch() : batch;
  }

  private static void require(boolean holds, String problem, List<String> problems) {
    if (!holds) {
      problems.add(problem);
    }
  }

  /**
   * The algorithm: in rounds, with automatic steps, or in events.
   *
   * @param limit how large a step it bears, where it finds its own
   */
  public Algorithm<?> algorithm(GradientScales scales, boolean linear, StepLimit limit) {
    // Outermost, so that an automatic step size sees the curvature of what is minimised.
    return decayed(
        step instanceof StepChoice.Auto
            ? new AutoStep<>(
                withoutDecay().family(scales, linear),
                scales,
                AutoStep.SHARE * limit.number(),
                limit.added(),
                descriptor.exact(this))
            : made(scales, linear));
  }

  private AlgorithmChoice withoutDecay() {
    return new AlgorithmChoice(
        descriptor, parameters, step, batch, localSteps, codec, intervals, 0, selection);
  }

  private Algorithm<?> decayed(Algorithm<?> plain) {
    return decay > 0 ? new WeightDecay(decay).on(plain) : plain;
  }

  private Algorithm<?> made(GradientScales scales, boolean linear) {
    Algorithm<?> plain = descriptor.make(new AlgorithmDescriptor.Request(this, scales, linear));
    if (intervals.isPresent() && plain instanceof Algorithm.Rounds<?> rounds) {
      IntervalChoice asked = intervals.get();
      return new Averaged<>(
          rounds, asked.kind() == IntervalChoice.Kind.RANDOM_SCALING, asked.skip().orElse(0));
    }
    return codec instanceof Codec.Full
            || descriptor.compresses()
            || !(plain instanceof Algorithm.Rounds<?> rounds)
        ? plain
        : new Coded<>(rounds, codec);
  }

  /** The same where it must run in rounds of given steps; refuses one that is written as events. */
  public Algorithm.Rounds<?> rounds(GradientScales scales, boolean linear) {
    if (decayed(made(scales, linear)) instanceof Algorithm.Rounds<?> rounds) {
      return rounds;
    }
    throw new InvalidInput(
        "algorithm `%s`: is asynchronous and does not run in rounds".formatted(descriptor.name()));
  }

  /** The algorithm as a function of a constant step size, for those who try several. */
  @SuppressWarnings("unchecked") // An algorithm has one kind of state, whatever its step size.
  public DoubleFunction<Algorithm.Rounds<Algorithm.State>> family(
      GradientScales scales, boolean linear) {
    return alpha ->
        (Algorithm.Rounds<Algorithm.State>) with(StepSize.constant(alpha)).rounds(scales, linear);
  }

  /** The i-th number after the colon, or this one where it was left out. */
  public double parameter(int i, double otherwise) {
    return i < parameters.size() ? parameters.get(i) : otherwise;
  }

  /** The name and the numbers after its colon, as on the command line. */
  public String spec() {
    return Algorithms.spec(descriptor, parameters);
  }
}
