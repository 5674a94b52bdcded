package ngd.core.question;

import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.formula.Design;
import ngd.core.formula.Formula;
import ngd.core.inference.ImputedFit;
import ngd.core.inference.PooledFit;
import ngd.core.preparation.Missing;

/** Multiple imputation of what is missing. */
public final class ImputationKeys {
  private static final String NEEDS = "works only with --impute";

  /** As {@code mice} in R. */
  private static final String USUAL_ITERATIONS = "5";

  private ImputationKeys() {}

  public static final Key<Integer> IMPUTE =
      Key.whole("impute", "M", 2)
          .when(
              question ->
                  question.says(ModelKeys.FORMULA)
                      && MethodKeys.pooled(question)
                      && !MethodKeys.pooledByRounds(question),
              "works only with a pooled fit by sums, and --formula (no --alpha or --algorithm)")
          .help(
              "Impute missing values M times by chained equations, with models of all sites' rows,"
                  + " and put the fits together by Rubin's rules, as mice in R, instead of leaving"
                  + " incomplete rows out.");

  public static final Key<Integer> ITERATIONS =
      Key.whole("impute-iterations", "T", 1)
          .standard(
              question -> question.says(IMPUTE) ? Optional.of(USUAL_ITERATIONS) : Optional.empty())
          .when(question -> question.says(IMPUTE), NEEDS)
          .help("How often each variable is imputed in turn; 5 by default.");

  public static final Key<List<String>> WITH =
      Key.list("impute-with", "NAME")
          .when(question -> question.says(IMPUTE), NEEDS)
          .help("Columns beyond the formula's that help to impute, such as age,sex.");

  /** The formula with all that helps to impute, where rows are imputed. */
  static Formula whole(Question question, Formula outcome) {
    if (!question.says(IMPUTE)) {
      return outcome;
    }
    List<String> more = question.find(WITH).orElse(List.of());
    return (more.isEmpty() ? outcome : outcome.with(Formula.of(more.getFirst(), more, true)))
        .imputed();
  }

  /** The fit that is asked for. */
  public static ImputedFit fit(Question question, PooledFit outcome, Design design) {
    return new ImputedFit(
        outcome,
        design,
        PooledKeys.inference(question),
        question.get(IMPUTE),
        question.get(ITERATIONS));
  }

  /** What is wrong beyond single keys. */
  static void check(Question question, Problems problems) {
    if (question.says(IMPUTE)) {
      problems.collect(
          () -> {
            require(question);
            return true;
          });
    }
  }

  private static void require(Question question) {
    Formula outcome = ModelKeys.formulaOf(question);
    if (ModelKeys.survival(question)
        || ModelKeys.mixed(question)
        || ModelKeys.ofClasses(question)) {
      throw new InvalidInput(
          "impute: works only with generalised linear models, without Surv(…), random terms and the families multinomial and ordered; got the family %s and `%s`"
              .formatted(question.get(ModelKeys.FAMILY), outcome.text()));
    }
    if (outcome.takesAllOthers() || outcome.countsTrials()) {
      throw new InvalidInput(
          "impute: works only with a formula without `.` and cbind(…); got `%s`"
              .formatted(outcome.text()));
    }
    if (question.get(DataKeys.MISSING) == Missing.FAIL) {
      throw new InvalidInput("impute: does not work with --missing fail");
    }
    for (Key<?> key :
        List.<Key<?>>of(
            PooledKeys.RIDGE,
            PenaltyKeys.PENALTY,
            PooledKeys.HETEROGENEITY,
            PooledKeys.ANOVA,
            PooledKeys.META,
            PooledKeys.TEST,
            WeightingKeys.TREATMENT,
            MethodKeys.PRIVACY)) {
      if (question.says(key)) {
        throw new InvalidInput("%s: does not work with --impute".formatted(key.name()));
      }
    }
  }
}
