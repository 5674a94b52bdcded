package ngd.core.question;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.Problems;
import ngd.core.formula.Formula;
import ngd.core.inference.ConfidenceType;
import ngd.core.inference.Covariance;
import ngd.core.inference.Inference;
import ngd.core.inference.LinearTest;
import ngd.core.inference.MixedFit;
import ngd.core.inference.PooledFit;
import ngd.core.inference.RandomPart;
import ngd.core.inference.RatioScale;
import ngd.core.inference.SurvivalCurves;
import ngd.core.inference.TimeTransform;
import ngd.core.inference.WeightedFit;
import ngd.core.linalg.GaussHermite;

/** How near the pooled answer must come, and what is reported with it. */
public final class PooledKeys {
  private static final String POOLED_ONLY =
      "works only with a pooled fit (no --alpha, no other --algorithm)";

  private static final String CURVES_ONLY =
      "works only with survival curves: a formula such as Surv(time, event) ~ strata(group)";

  private PooledKeys() {}

  /** What has to do with coefficients. */
  private static <T> Key<T> estimated(Key<T> key, Predicate<Question> condition, String why) {
    return key.when(
        question -> condition.test(question) && !ModelKeys.curves(question),
        question ->
            ModelKeys.curves(question)
                ? "works only with covariates in the formula; survival curves have no coefficients"
                : why);
  }

  /** By rounds alone a millionth of a standard error takes ten times as many rounds and more. */
  private static final double SHARE_BY_ROUNDS = 0.01;

  public static final Key<Boolean> NO_LAST_STEP =
      Key.flag("no-last-step")
          .when(MethodKeys::pooledByRounds, "works only with --algorithm pooled-rounds")
          .help("With pooled-rounds: by rounds alone, without Newton steps; slower.");

  public static final Key<Double> BIAS_SHARE =
      estimated(Key.number("bias-share", "S"), MethodKeys::pooled, POOLED_ONLY)
          .standard(
              question ->
                  Optional.of(
                      Double.toString(
                          question.get(NO_LAST_STEP)
                              ? SHARE_BY_ROUNDS
                              : PooledFit.Settings.STANDARD.biasShare())))
          .help(
              "Stop when the result is within this share of a standard error of the pooled"
                  + " estimate; 1e-6 by default, 0.01 with --no-last-step.");

  public static final Key<String> ROBUST =
      estimated(
              Key.of("robust", "KIND", PooledKeys::robust, kind -> kind)
                  .offering(List.of("hc0", "hc1"))
                  .bare("hc0"),
              MethodKeys::pooled,
              POOLED_ONLY)
          .help("Robust (sandwich) standard errors: hc0 (the default, as R's sandwich) or hc1.");

  public static final Key<String> CLUSTER =
      estimated(
              Key.of("cluster", "WORD", PooledKeys::cluster, word -> word),
              question -> MethodKeys.pooled(question) && !question.says(ROBUST),
              "works only with a pooled fit, and without --robust: it is robust too")
          .help(
              "site: cluster-robust standard errors, for rows that depend on each other within a"
                  + " site; t with one degree of freedom fewer than sites. Needs more sites than"
                  + " coefficients.");

  public static final Key<Double> LEVEL =
      Key.number("level", "L")
          .standard("0.95")
          .when(
              question -> MethodKeys.pooled(question) || question.says(MethodKeys.INTERVALS),
              "works only with a pooled fit (no --alpha, no other --algorithm) or --intervals")
          .help("Confidence level of the intervals; 0.95 by default.");

  public static final Key<Double> RIDGE =
      estimated(Key.number("ridge", "LAMBDA"), MethodKeys::pooled, POOLED_ONLY)
          .standard("0.0")
          .help(
              "Ridge penalty: adds LAMBDA/2 times the squared coefficients, each in units of its"
                  + " column's pooled standard deviation and the intercept left out, to minus the"
                  + " mean log-likelihood of a row (glmnet's scale). Standard errors are"
                  + " withheld.");

  public static final Key<Boolean> HETEROGENEITY =
      estimated(
              Key.flag("heterogeneity"),
              question -> MethodKeys.pooled(question) && question.get(RIDGE) == 0,
              "works only with a pooled fit, and without --ridge, under which the sites' scores do"
                  + " not sum to zero")
          .help("Test whether the sites share one set of coefficients; robust with --robust.");

  public static final Key<Boolean> ANOVA =
      estimated(
              Key.flag("anova"),
              question ->
                  MethodKeys.pooled(question)
                      && question.get(RIDGE) == 0
                      && !question.says(CLUSTER)
                      && !question.get(NO_LAST_STEP),
              "works only with a pooled fit with Newton steps, without --ridge and --cluster:"
                  + " deviances are tested by the likelihood of independent rows")
          .help(
              "Test the terms one after the other, as anova() in R: chi-squared, or F where a"
                  + " dispersion is estimated.");

  public static final Key<Boolean> EXPONENTIATE =
      estimated(
              Key.flag("exponentiate"),
              question -> MethodKeys.pooled(question) && ratio(question).isPresent(),
              "works only with a pooled fit with a logit or log link; elsewhere exp(coefficient) is"
                  + " no ratio")
          .help(
              "Show exp(coefficient) with its interval: odds ratios (binomial, multinomial,"
                  + " ordered), rate ratios (poisson, negative-binomial) or mean ratios (gamma).");

  public static final Key<TimeTransform> ZPH =
      estimated(
              Key.of("zph", "TRANSFORM", TimeTransform::parse, TimeTransform::word)
                  .offering(Stream.of(TimeTransform.values()).map(TimeTransform::word).toList())
                  .bare(TimeTransform.KM.word()),
              question -> MethodKeys.pooled(question) && ModelKeys.survival(question),
              "works only with a pooled fit of a formula that has Surv(time, event)")
          .help(
              "Test proportional hazards, as cox.zph() in R, against a trend in a function of time:"
                  + " km (the default), identity or log; with strata(site) identity or log.");

  public static final Key<List<String>> TEST =
      estimated(
              Key.repeated("test", "EQUATIONS", LinearTest::requireReadable),
              question ->
                  MethodKeys.pooled(question)
                      && question.get(RIDGE) == 0
                      && !question.get(NO_LAST_STEP),
              "works only with a pooled fit with Newton steps, without --ridge")
          .help(
              "Test linear equations in the coefficients, such as 'age + age:sex = 0'; several with"
                  + " semicolons between are tested together. Wald and likelihood-ratio tests. May"
                  + " be repeated.");

  public static final Key<Boolean> META =
      estimated(
              Key.flag("meta"),
              question ->
                  MethodKeys.pooled(question)
                      && question.get(RIDGE) == 0
                      && !question.get(NO_LAST_STEP),
              "works only with a pooled fit with Newton steps, without --ridge")
          .help(
              "Also put the sites' own estimates together by meta-analysis: fixed effects,"
                  + " DerSimonian–Laird, REML and Hartung–Knapp, as metafor in R, to compare with"
                  + " the pooled answer.");

  public static final Key<ConfidenceType> CONF_TYPE =
      Key.of("conf-type", "WORD", ConfidenceType::parse, ConfidenceType::word)
          .offering(Stream.of(ConfidenceType.values()).map(ConfidenceType::word).toList())
          .standard(
              question ->
                  ModelKeys.curves(question)
                      ? Optional.of(ConfidenceType.LOG.word())
                      : Optional.empty())
          .when(ModelKeys::curves, CURVES_ONLY)
          .help(
              "Intervals of survival curves: log (the default), log-log or plain, as conf.type of"
                  + " survfit() in R.");

  public static final Key<Double> TAU =
      Key.number("tau", "T")
          .when(ModelKeys::curves, CURVES_ONLY)
          .help(
              "Time up to which the mean survival time is restricted; the last time of the grid by"
                  + " default.");

  private static final List<Key<?>> OWN =
      List.of(
          BIAS_SHARE,
          NO_LAST_STEP,
          ROBUST,
          CLUSTER,
          LEVEL,
          HETEROGENEITY,
          RIDGE,
          ANOVA,
          TEST,
          EXPONENTIATE,
          ZPH,
          META,
          WeightingKeys.TREATMENT,
          WeightingKeys.ESTIMAND,
          WeightingKeys.STABILISED,
          ImputationKeys.IMPUTE,
          ImputationKeys.ITERATIONS,
          ImputationKeys.WITH,
          CONF_TYPE,
          TAU);

  /** All of them, with those of penalised estimates. */
  public static final List<Key<?>> ALL =
      Stream.<Key<?>>concat(OWN.stream(), PenaltyKeys.ALL.stream()).toList();

  /** What exponentiated coefficients are; nothing where they, or the family, are nothing. */
  private static Optional<RatioScale> ratio(Question question) {
    try {
      return RatioScale.of(ModelKeys.regression(question));
    } catch (InvalidInput notAFamily) {
      return Optional.empty();
    }
  }

  /** When a pooled fit ends, and how. */
  public static PooledFit.Settings settings(Question question) {
    return new PooledFit.Settings(
        question.get(BIAS_SHARE),
        way(question),
        question.get(MethodKeys.ROUNDS),
        question.get(RIDGE));
  }

  /** A model with random terms. */
  public static MixedFit mixed(Question question, List<String> terms, List<RandomPart> random) {
    return new MixedFit(
        ModelKeys.glm(question),
        terms,
        random,
        new MixedFit.Settings(
            question.find(ModelKeys.REML).orElse(false),
            question.find(ModelKeys.QUADRATURE).orElse(1),
            question.get(BIAS_SHARE)));
  }

  private static PooledFit.Way way(Question question) {
    if (!MethodKeys.pooledByRounds(question)) {
      return PooledFit.Way.SUMS;
    }
    return question.get(NO_LAST_STEP) ? PooledFit.Way.ROUNDS_ALONE : PooledFit.Way.ROUNDS;
  }

  /** A fit of rows weighted by a treatment's probability, where that is asked for. */
  public static Optional<WeightedFit> weighted(Question question, PooledFit fit) {
    return question.says(WeightingKeys.TREATMENT)
        ? Optional.of(
            new WeightedFit(
                fit, question.get(WeightingKeys.ESTIMAND), question.get(WeightingKeys.STABILISED)))
        : Optional.empty();
  }

  /** What is wrong with what is to be reported. */
  public static void check(Question question, Problems problems) {
    problems.collect(() -> settings(question));
    problems.collect(() -> inference(question));
    WeightingKeys.check(question, problems);
    ImputationKeys.check(question, problems);
    problems.collect(() -> GaussHermite.of(question.find(ModelKeys.QUADRATURE).orElse(1)));
    if (ModelKeys.curves(question)) {
      problems.collect(() -> curves(question));
    }
    if (PenaltyKeys.asked(question)) {
      problems.collect(() -> PenaltyKeys.settings(question));
    }
  }

  /** What is reported of survival curves. */
  public static SurvivalCurves.Options curves(Question question) {
    return new SurvivalCurves.Options(
        question.get(LEVEL),
        question.get(CONF_TYPE),
        question.find(TAU),
        Formula.parse(question.get(ModelKeys.FORMULA)).weights().isPresent());
  }

  /** What is reported of it. */
  public static Inference.Options inference(Question question) {
    Covariance covariance =
        question.says(CLUSTER)
            ? Covariance.SITE
            : question
                .find(ROBUST)
                .map(kind -> kind.equals("hc0") ? Covariance.HC0 : Covariance.HC1)
                .orElse(
                    question.says(WeightingKeys.TREATMENT) || ModelKeys.named(question).isPresent()
                        ? Covariance.HC0
                        : Covariance.MODEL);
    return new Inference.Options(covariance, question.get(LEVEL), question.get(HETEROGENEITY));
  }

  private static String robust(String word) {
    List<String> kinds = List.of("hc0", "hc1");
    if (!kinds.contains(word)) {
      throw new InvalidInput(
          "robust: must be hc0 or hc1; got `%s`%s".formatted(word, NearestName.hint(word, kinds)));
    }
    return word;
  }

  private static String cluster(String word) {
    if (!word.equals("site")) {
      throw new InvalidInput("cluster: must be site; got `%s`".formatted(word));
    }
    return word;
  }
}
