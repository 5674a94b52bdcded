package ngd.core.question;

import java.util.List;
import java.util.Optional;
import ngd.core.Problems;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;

/** A fit's question as the theory can judge it: NGD with one step on all rows. */
public final class CheckKeys {
  private CheckKeys() {}

  /** What of a fit the theory leaves out. */
  private static final List<Key<?>> BEYOND =
      List.of(
          MethodKeys.BATCH,
          MethodKeys.LOCAL_STEPS,
          MethodKeys.MIX,
          MethodKeys.CODEC,
          MethodKeys.WEIGHT_DECAY,
          MethodKeys.PRIVACY,
          MethodKeys.ATTACK,
          MethodKeys.EXTRAPOLATE);

  /** The question of a fit, in which rounds and step size may be left out. */
  public static Question read(Words words, Problems problems) {
    boolean stepGiven = words.says(MethodKeys.ALPHA);
    complete(words);
    Question question = FitKeys.read(words, problems);
    if (!problems.any()) {
      check(question, problems);
    }
    return stepGiven ? question : question.with(MethodKeys.ALPHA, new StepChoice.Auto());
  }

  /** Says what need not be said. */
  public static void complete(Words words) {
    // Rounds and a step size do not matter where nothing runs.
    if (!words.says(MethodKeys.ROUNDS)) {
      words.say(MethodKeys.ROUNDS, "0");
    }
    if (!words.says(MethodKeys.ALGORITHM)) {
      words.say(MethodKeys.ALGORITHM, "ngd");
    }
    if (!words.says(MethodKeys.ALPHA)) {
      words.say(MethodKeys.ALPHA, "auto");
    }
  }

  /** A verdict on NGD must not pass for one on another algorithm. */
  public static void check(Question question, Problems problems) {
    Approach approach = question.get(MethodKeys.ALGORITHM);
    problems.require(
        approach.spec().equals("ngd"),
        "--algorithm: must be `ngd`, the only algorithm that check has a theory for; got `%s`"
            .formatted(approach.spec()));
    checkConstant(question, problems);
  }

  /** Neither may anything be said of links and clients that come and go. */
  private static void checkConstant(Question question, Problems problems) {
    for (Key<?> key : List.of(MethodKeys.LINK_FAILURES, MethodKeys.ACTIVATION)) {
      problems.require(
          !question.says(key),
          "--%s: check has no theory for links and clients that come and go; `ngd network` analyses the expected W"
              .formatted(key.name()));
    }
  }

  /** The step size that was given, if any. */
  public static Optional<StepSize> step(Question question) {
    return question.find(MethodKeys.ALPHA).orElse(new StepChoice.None())
            instanceof StepChoice.Given(StepSize alpha)
        ? Optional.of(alpha)
        : Optional.empty();
  }

  /** What was asked of a run that the theory leaves out. */
  public static Optional<String> beyondTheTheory(Question question) {
    List<String> left =
        BEYOND.stream().filter(question::says).map(key -> "--" + key.name()).toList();
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "ignores %s: it assumes one step on all rows from the weighted mean, and honest clients"
                .formatted(String.join(", ", left)));
  }
}
