package ngd.app.fit;

import java.util.List;
import java.util.Optional;
import ngd.core.Problems;
import ngd.core.algorithm.StepChoice;
import ngd.core.question.Approach;
import ngd.core.question.FitKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;

/** A fit's question as the theory can judge it: NGD with one step on all rows. */
final class CheckQuestion {
  private CheckQuestion() {}

  /** What of a fit the theory leaves out. */
  private static final List<Key<?>> BEYOND =
      List.of(
          MethodKeys.BATCH,
          MethodKeys.LOCAL_STEPS,
          MethodKeys.MIX,
          MethodKeys.PRIVACY,
          MethodKeys.ATTACK,
          MethodKeys.EXTRAPOLATE);

  /** The question of a fit, in which rounds and step size may be left out. */
  static Question read(Words words, Problems problems) {
    // Rounds and a step size do not matter where nothing runs.
    if (!words.says(MethodKeys.ROUNDS)) {
      words.say(MethodKeys.ROUNDS, "0");
    }
    if (!words.says(MethodKeys.ALGORITHM)) {
      words.say(MethodKeys.ALGORITHM, "ngd");
    }
    boolean stepGiven = words.says(MethodKeys.ALPHA);
    if (!stepGiven) {
      words.say(MethodKeys.ALPHA, "auto");
    }
    Question question = FitKeys.read(words, problems);
    if (!problems.any()) {
      Approach approach = question.get(MethodKeys.ALGORITHM);
      // A verdict on NGD must not pass for one on another algorithm.
      problems.require(
          approach.spec().equals("ngd"),
          "--algorithm: must be `ngd`, the only algorithm that check has a theory for; got `%s`"
              .formatted(approach.spec()));
    }
    return stepGiven ? question : question.with(MethodKeys.ALPHA, new StepChoice.Auto());
  }

  /** What was asked of a run that the theory leaves out. */
  static Optional<String> beyondTheTheory(Question question) {
    List<String> left =
        BEYOND.stream().filter(question::says).map(key -> "--" + key.name()).toList();
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "ignores %s: it assumes one step on all rows from the weighted mean, and honest clients"
                .formatted(String.join(", ", left)));
  }
}
