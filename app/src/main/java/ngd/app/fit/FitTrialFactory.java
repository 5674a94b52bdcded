package ngd.app.fit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import ngd.app.window.Trial;
import ngd.app.window.TrialFactory;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.algorithm.Algorithms;
import ngd.core.fit.FitSetup;
import ngd.core.fit.MethodRun;
import ngd.core.question.FitKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;

/**
 * Makes the window's runs as {@code ngd fit} makes its own: the same question, read and refused by
 * the same code, gives the same numbers.
 */
public final class FitTrialFactory implements TrialFactory {
  /**
   * What the form has fields for, and what a run that may be stopped, changed and lengthened cannot
   * have: three runs for one, and noise that is measured out for the rounds that were asked for.
   */
  private static final Set<Key<?>> NOT_FURTHER =
      Set.of(
          MethodKeys.ALGORITHM,
          MethodKeys.ALPHA,
          MethodKeys.ROUNDS,
          MethodKeys.EXTRAPOLATE,
          MethodKeys.PRIVACY,
          MethodKeys.TRACE_EVERY);

  @Override
  public Trial begin(Map<String, String> options, Optional<String> edges) {
    Problems problems = new Problems();
    Words words = new Words(Words.Style.KEYS);
    options.forEach(
        (name, value) ->
            FitKeys.ALL.stream()
                .filter(key -> key.name().equals(name))
                .findFirst()
                .ifPresentOrElse(
                    key -> words.say(key, value),
                    () -> problems.add("unknown option `%s`".formatted(name))));
    if (!words.says(MethodKeys.ALGORITHM)) {
      words.say(MethodKeys.ALGORITHM, "ngd");
    }
    Question question = FitKeys.read(words, problems);
    problems.throwIfAny();
    if (MethodKeys.pooled(question)) {
      throw new InvalidInput("algorithm: a pooled fit cannot be watched; choose an algorithm");
    }
    // Watched runs leave cores to each other and to the page; the results are the same.
    FitSetup setup =
        edges
            .map(drawn -> FitSetup.ofDrawn(question, "drawn network", drawn))
            .orElseGet(() -> FitSetup.of(question));
    return new FitTrial(MethodRun.prepare(setup, 1), edges);
  }

  @Override
  public List<Key<?>> further() {
    return Stream.<Key<?>>concat(Stream.of(ModelKeys.LOSS), MethodKeys.ALL.stream())
        .filter(key -> !NOT_FURTHER.contains(key))
        .toList();
  }

  @Override
  public List<MethodWords> methods() {
    return Algorithms.all().stream()
        .map(
            one ->
                new MethodWords(one.name(), one.summary(), one.takesStepSize(), one.asynchronous()))
        .toList();
  }
}
