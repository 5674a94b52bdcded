package ngd.core.question;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.inference.ElasticNet;
import ngd.core.inference.PenalisedFit;

/** Penalised estimates along a path of λ, and how one of them is chosen. */
public final class PenaltyKeys {
  private static final String FOLDS_STANDARD = "10";

  private PenaltyKeys() {}

  private static <T> Key<T> penalised(Key<T> key) {
    return key.when(PenaltyKeys::asked, "works only with --penalty");
  }

  public static final Key<ElasticNet> PENALTY =
      Key.of("penalty", "SHAPE", ElasticNet::parse, ElasticNet::word)
          .offering(List.of("lasso", "ridge", "elastic-net", "adaptive-lasso"))
          .when(
              question -> MethodKeys.pooled(question) && !ModelKeys.curves(question),
              "works only with a pooled fit (no --alpha, no other --algorithm) of a model with"
                  + " coefficients")
          .help(
              "Penalised estimates along a path of penalties, as glmnet: lasso, ridge,"
                  + " elastic-net:SHARE (of the lasso; 0.5 by default) or adaptive-lasso:POWER (1"
                  + " by default; the first estimate is unpenalised, or by --ridge). Columns count"
                  + " in units of their pooled standard deviation; the intercept is not penalised."
                  + " Standard errors are withheld.");

  public static final Key<List<Double>> LAMBDA =
      penalised(
              Key.listed(
                  "lambda",
                  "L",
                  words -> words.stream().map(PenaltyKeys::lambda).toList(),
                  values -> values.stream().map(value -> Double.toString(value)).toList()))
          .help(
              "With --penalty: the penalties, such as 0.1 or 1,0.1,0.01, on glmnet's scale; by"
                  + " default from the least at which all coefficients are 0 down to --lambda-ratio"
                  + " of it.");

  public static final Key<Integer> LAMBDA_COUNT =
      Key.whole("lambda-count", "N", 2)
          .standard(
              question ->
                  ownPath(question)
                      ? Optional.of(Integer.toString(PenalisedFit.Settings.COUNT))
                      : Optional.empty())
          .when(PenaltyKeys::ownPath, "works only with --penalty, and without --lambda")
          .help("With --penalty: how many penalties the path has at most; 100 by default.");

  public static final Key<Double> LAMBDA_RATIO =
      Key.number("lambda-ratio", "R")
          .when(PenaltyKeys::ownPath, "works only with --penalty, and without --lambda")
          .help(
              "With --penalty: the smallest penalty of the path beside the largest; by default"
                  + " 0.0001, or 0.01 where rows are fewer than coefficients.");

  public static final Key<Integer> FOLDS =
      penalised(Key.whole("folds", "K", 0))
          .standard(
              question ->
                  !asked(question)
                      ? Optional.empty()
                      : Optional.of(
                          question.find(LAMBDA).filter(path -> path.size() == 1).isPresent()
                              ? "0"
                              : FOLDS_STANDARD))
          .help(
              "With --penalty: folds into which each site draws its rows to choose a penalty by"
                  + " cross-validation; 10 by default, 0 for the path alone.");

  public static final Key<PenalisedFit.Choice> SELECT =
      Key.of("select", "RULE", PenalisedFit.Choice::parse, PenalisedFit.Choice::word)
          .offering(Stream.of(PenalisedFit.Choice.values()).map(PenalisedFit.Choice::word).toList())
          .standard(
              question ->
                  validated(question)
                      ? Optional.of(PenalisedFit.Choice.ONE_SE.word())
                      : Optional.empty())
          .when(PenaltyKeys::validated, "works only with --penalty and --folds")
          .help(
              "With --penalty: the penalty that is chosen: 1se (the default), the largest whose"
                  + " deviance is within one standard error of the least, or min, the one of the"
                  + " least.");

  /** All of them. */
  public static final List<Key<?>> ALL =
      List.of(PENALTY, LAMBDA, LAMBDA_COUNT, LAMBDA_RATIO, FOLDS, SELECT);

  /** Whether penalised estimates are asked for. */
  public static boolean asked(Question question) {
    return question.says(PENALTY);
  }

  private static boolean ownPath(Question question) {
    return asked(question) && !question.says(LAMBDA);
  }

  /** Whether the penalty is chosen by cross-validation, for which folds of rows are summed. */
  public static boolean validated(Question question) {
    return asked(question) && question.get(FOLDS) > 0;
  }

  private static double lambda(String word) {
    double lambda =
        NumberText.read(
            word,
            Double::parseDouble,
            () -> "lambda: must be positive numbers; got `%s`".formatted(word));
    if (!(lambda > 0) || Double.isInfinite(lambda)) {
      throw new InvalidInput(
          "lambda: must be positive numbers (without a penalty, leave out --penalty); got `%s`"
              .formatted(word));
    }
    return lambda;
  }

  /** What is asked of a path. */
  public static PenalisedFit.Settings settings(Question question) {
    return new PenalisedFit.Settings(
        question.get(PENALTY),
        question.find(LAMBDA).orElse(List.of()),
        question.find(LAMBDA_COUNT).orElse(PenalisedFit.Settings.COUNT),
        question.find(LAMBDA_RATIO).map(OptionalDouble::of).orElse(OptionalDouble.empty()),
        question.get(FOLDS),
        question.find(SELECT).orElse(PenalisedFit.Choice.ONE_SE));
  }
}
