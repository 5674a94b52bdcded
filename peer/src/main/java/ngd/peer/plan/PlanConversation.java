package ngd.peer.plan;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Dgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.codec.Codec;
import ngd.core.formula.Formula;
import ngd.core.formula.Term;
import ngd.core.inference.StationaryWeights;
import ngd.core.network.Network;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.theory.Conversation;
import ngd.core.world.Mixing;

/**
 * What is said in the rounds of a plan, where it is known well enough to compute with; else why it
 * is not.
 *
 * @param unknown why the way of the models is not known; empty where it is
 */
record PlanConversation(Optional<Conversation> said, String unknown) {
  /** Rounds of balanced NGD before the last steps of a pooled answer by rounds. */
  private static final int POOLED_ROUNDS = 300;

  /**
   * Reads a plan in which models are exchanged.
   *
   * @param asked what a person knows beyond the plan
   */
  static PlanConversation of(Plan plan, Exposure.Options asked) {
    Question question = plan.question();
    if (ModelKeys.named(question).isPresent()) {
      return unknown(
          "gradients of the loss %s are not linear".formatted(question.get(ModelKeys.LOSS)));
    }
    String family = question.get(ModelKeys.FAMILY);
    if (!family.equals("gaussian")) {
      return unknown("models of the family %s are not linear".formatted(family));
    }
    Formula formula = ModelKeys.formulaOf(question);
    if (formula.takesAllOthers() && asked.coefficients().isEmpty()) {
      return unknown("the number of coefficients is not in the plan (--coefficients gives it)");
    }
    List<Term> terms = formula.terms(List.of());
    int coefficients = asked.coefficients().orElse(Math.max(1, terms.size()));
    boolean intercept = terms.stream().anyMatch(term -> term.variables().isEmpty());
    if (!(plan.schedule() instanceof Network network)) {
      return unknown("networks that change from round to round are not followed");
    }
    boolean waits = plan.federation().policy() instanceof Policy.Wait;
    double precision =
        plan.federation().precision() == WirePrecision.FLOAT32
            ? Conversation.FLOAT32
            : Conversation.FLOAT64;
    if (plan.pooled()) {
      List<Double> pi = StationaryWeights.of(network);
      int rounds = Math.min(POOLED_ROUNDS, question.get(MethodKeys.ROUNDS));
      return known(
          new Conversation(
              network,
              coefficients,
              /* atOwnPoint= */ false,
              scales(pi),
              Conversation.Steps.chosen(),
              asked.rounds().orElse(rounds),
              pi,
              intercept,
              /* everything= */ false,
              precision));
    }
    AlgorithmChoice choice = MethodKeys.choice(question);
    AlgorithmDescriptor method = choice.descriptor();
    boolean balanced = method instanceof BalancedNgd.Descriptor || method instanceof Dgd.Descriptor;
    if (!balanced && !(method instanceof Ngd.Descriptor)) {
      return unknown("the rounds of %s are not followed".formatted(method.name()));
    }
    if (!(question.get(MethodKeys.MIX) instanceof Mixing.Mean)
        || !(choice.codec() instanceof Codec.Full)
        || choice.batch() > 0
        || choice.localSteps() > 1
        || choice.decay() > 0
        || question.get(MethodKeys.EXTRAPOLATE)) {
      return unknown(
          "robust mixing, codecs, mini-batches, local steps, weight decay and extrapolation are not"
              + " followed");
    }
    List<Double> pi =
        balanced
            ? StationaryWeights.of(network)
            : IntStream.range(0, network.clients()).mapToObj(k -> Math.sqrt(k + 2)).toList();
    StepChoice step = choice.step();
    return known(
        new Conversation(
            network,
            coefficients,
            method instanceof Dgd.Descriptor,
            balanced ? scales(pi) : Collections.nCopies(network.clients(), 1.0),
            steps(step),
            asked.rounds().orElse(question.get(MethodKeys.ROUNDS)),
            asked.totals() ? pi : List.of(),
            intercept,
            waits && step instanceof StepChoice.Given,
            precision));
  }

  private static PlanConversation known(Conversation said) {
    return new PlanConversation(Optional.of(said), "");
  }

  private static PlanConversation unknown(String why) {
    return new PlanConversation(Optional.empty(), why);
  }

  /** c_m of sites with as many rows each. */
  private static List<Double> scales(List<Double> pi) {
    return pi.stream().map(share -> 1 / (share * pi.size())).toList();
  }

  private static Conversation.Steps steps(StepChoice step) {
    if (!(step instanceof StepChoice.Given(StepSize alpha))) {
      return Conversation.Steps.chosen();
    }
    return alpha instanceof StepSize.Constant(double constant)
        ? Conversation.Steps.constant(constant)
        : alpha::at;
  }
}
