package ngd.core.question;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.formula.Formula;
import ngd.core.inference.Estimand;

/** Weighting by the inverse probability of a treatment. */
public final class WeightingKeys {
  private static final String NEEDS = "works only with --treatment";

  private WeightingKeys() {}

  public static final Key<String> TREATMENT =
      Key.of("treatment", "FORMULA", WeightingKeys::formula, text -> text)
          .when(
              question ->
                  question.says(ModelKeys.FORMULA)
                      && MethodKeys.pooled(question)
                      && !MethodKeys.pooledByRounds(question),
              "works only with a pooled fit by sums, and --formula (no --alpha or --algorithm)")
          .help(
              "Treatment model, such as 'smoker ~ age + factor(race)': weights rows by the inverse"
                  + " probability of the treatment that they got, from a logistic regression;"
                  + " standard errors account for the estimated weights.");

  public static final Key<Estimand> ESTIMAND =
      Key.of("estimand", "WORD", Estimand::parse, Estimand::word)
          .offering(Stream.of(Estimand.values()).map(Estimand::word).toList())
          .standard(
              question ->
                  question.says(TREATMENT) ? Optional.of(Estimand.ATE.word()) : Optional.empty())
          .when(question -> question.says(TREATMENT), NEEDS)
          .help(
              "Whose mean effect --treatment weights for: ate (all rows, the default), att (the"
                  + " treated), atc (the untreated) or overlap (where both are likely).");

  public static final Key<Boolean> STABILISED =
      Key.flag("stabilised")
          .when(
              question ->
                  question.says(TREATMENT)
                      && question.find(ESTIMAND).filter(e -> e == Estimand.ATE).isPresent(),
              "works only with --treatment and --estimand ate")
          .help(
              "Multiply the weights by the share of rows with the same treatment, so that they are"
                  + " near 1.");

  private static String formula(String text) {
    Formula formula;
    try {
      formula = Formula.parse(text);
    } catch (InvalidInput e) {
      throw new InvalidInput(
          String.valueOf(e.getMessage()).replaceFirst("^formula:", "treatment:"), e);
    }
    boolean plain =
        formula.weights().isEmpty()
            && formula.survival().isEmpty()
            && formula.strata().isEmpty()
            && formula.random().isEmpty()
            && !formula.countsTrials()
            && !formula.takesAllOthers();
    if (!plain) {
      throw new InvalidInput(
          "treatment: must be a treatment and its named predictors, such as smoker ~ age + factor(race), without `.`, cbind(…), Surv(…), strata(…), weights(…) and random terms; got `%s`"
              .formatted(text));
    }
    return text.strip();
  }

  /** The treatment's model, where rows are weighted by it. */
  public static Optional<Formula> treatment(Question question) {
    return question.find(TREATMENT).map(Formula::parse);
  }

  /** What is wrong beyond single keys. */
  static void check(Question question, Problems problems) {
    treatment(question)
        .ifPresent(
            treatment ->
                problems.collect(
                    () -> {
                      require(question, treatment);
                      return true;
                    }));
  }

  private static void require(Question question, Formula treatment) {
    Formula outcome = ModelKeys.formulaOf(question);
    if (ModelKeys.survival(question)
        || ModelKeys.mixed(question)
        || ModelKeys.ofClasses(question)) {
      throw new InvalidInput(
          "treatment: works only with generalised linear models of the outcome, without Surv(…), random terms and the families multinomial and ordered; got the family %s and `%s`"
              .formatted(question.get(ModelKeys.FAMILY), outcome.text()));
    }
    if (outcome.takesAllOthers() || outcome.weights().isPresent() || outcome.countsTrials()) {
      throw new InvalidInput(
          "treatment: works only with a formula without `.`, weights(…) and cbind(…); got `%s`"
              .formatted(outcome.text()));
    }
    for (String column : treatment.response().columns()) {
      if (!outcome.columns().contains(column) || outcome.response().columns().contains(column)) {
        throw new InvalidInput(
            "treatment: must be a predictor of --formula, whose effect is asked for; `%s` is none of `%s`"
                .formatted(column, outcome.text()));
      }
    }
    for (Key<?> key :
        List.<Key<?>>of(
            PooledKeys.RIDGE,
            PenaltyKeys.PENALTY,
            PooledKeys.HETEROGENEITY,
            PooledKeys.ANOVA,
            PooledKeys.META)) {
      if (question.says(key)) {
        throw new InvalidInput("%s: does not work with --treatment".formatted(key.name()));
      }
    }
    if (question.says(MethodKeys.PRIVACY)) {
      throw new InvalidInput("treatment: does not work with --privacy");
    }
  }
}
