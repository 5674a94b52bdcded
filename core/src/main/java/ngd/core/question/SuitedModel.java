package ngd.core.question;

import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.formula.Formula;
import ngd.core.formula.RandomTerm;
import ngd.core.inference.MixedFit;
import ngd.core.model.Categories;
import ngd.core.model.Glm;
import ngd.core.model.Loss;
import ngd.core.model.Losses;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Regression;

/** Whether the way to an answer can bear the loss that it is asked of. */
public final class SuitedModel {
  /**
   * The families of models with random terms, and their links: those under which the modes of
   * random effects are unique at any coefficients.
   */
  private static final Map<String, List<String>> MIXED =
      Map.of(
          "gaussian", List.of("identity"),
          "binomial", List.of("logit", "probit", "cloglog"),
          "poisson", List.of("log"));

  private SuitedModel() {}

  /** What is minimised, where the way to the answer can bear it. */
  public static Loss of(Question question) {
    if (ModelKeys.named(question).isPresent()) {
      return named(question, ModelKeys.named(question).get());
    }
    if (PenaltyKeys.asked(question)) {
      requirePenalised(question);
    }
    return ModelKeys.survival(question)
        ? ModelKeys.regression(question)
        : ModelKeys.mixed(question)
            ? mixed(question)
            : ModelKeys.ofClasses(question) ? classes(question) : glm(question);
  }

  /** Refuses what penalised estimates do not have, or are not found by. */
  private static void requirePenalised(Question question) {
    if (MethodKeys.pooledByRounds(question) || question.says(MethodKeys.PRIVACY)) {
      throw new InvalidInput(
          "penalty: works only with a pooled fit by sums (no --algorithm or --privacy)");
    }
    if (ModelKeys.mixed(question)
        || (!ModelKeys.survival(question)
            && question.get(ModelKeys.FAMILY).equals(Categories.ORDERED))) {
      throw new InvalidInput(
          "penalty: works with generalised linear, multinomial and Cox models; not with random"
              + " terms, and not with the family ordered");
    }
    refuse(
        question,
        "does not work with --penalty, under which no standard errors are known",
        List.of(
            PooledKeys.ROBUST,
            PooledKeys.CLUSTER,
            PooledKeys.LEVEL,
            PooledKeys.HETEROGENEITY,
            PooledKeys.ANOVA,
            PooledKeys.TEST,
            PooledKeys.EXPONENTIATE,
            PooledKeys.ZPH,
            PooledKeys.META));
    if (question.get(PooledKeys.RIDGE) > 0 && question.get(PenaltyKeys.PENALTY).gamma().isEmpty()) {
      throw new InvalidInput(
          "ridge: works with --penalty only for the first estimate of adaptive-lasso; --penalty"
              + " ridge --lambda LAMBDA says the same as --ridge LAMBDA");
    }
  }

  /** The same of a loss that is no family's. */
  private static Loss named(Question question, Losses.Named named) {
    Loss loss = named.loss();
    if (ModelKeys.survival(question) || ModelKeys.mixed(question)) {
      throw new InvalidInput(
          "loss: %s works only without Surv(…) and random terms such as (1 | ward)"
              .formatted(named.words()));
    }
    question
        .find(ModelKeys.FORMULA)
        .map(Formula::parse)
        .ifPresent(formula -> requireLabels(formula, "none; the loss is " + named.words()));
    refuse(
        question,
        "does not work with --loss " + named.words(),
        List.of(
            ModelKeys.DISPERSION,
            ModelKeys.LINK,
            PooledKeys.RIDGE,
            PooledKeys.HETEROGENEITY,
            PooledKeys.ANOVA,
            PooledKeys.META,
            WeightingKeys.TREATMENT,
            ImputationKeys.IMPUTE,
            PenaltyKeys.PENALTY));
    if (question.says(MethodKeys.PRIVACY) && !loss.isMean()) {
      throw new InvalidInput(
          "privacy: works only with a loss that is a mean over rows (isMean), as each row's gradient is clipped; the loss is %s"
              .formatted(named.words()));
    }
    if (MethodKeys.pooled(question)) {
      if (!(loss instanceof Regression)) {
        throw notPooled(named);
      }
      if (MethodKeys.pooledByRounds(question) || question.says(MethodKeys.PRIVACY)) {
        throw new InvalidInput(
            "loss: a pooled fit of %s goes by sums alone (no --algorithm pooled-rounds or --privacy)"
                .formatted(named.words()));
      }
    }
    return loss;
  }

  /** The refusal of a pooled fit. */
  static InvalidInput notPooled(Losses.Named named) {
    String name = named.words().replaceFirst(":.*", "");
    return new InvalidInput(
        "loss: %s has no pooled fit with standard errors%s; give an algorithm (--algorithm d-admm, or ngd with --alpha and --rounds)"
            .formatted(
                named.words(),
                switch (name) {
                  case "quantile" ->
                      ", for which its kink must be smoothed, such as quantile:0.5:0.1";
                  case "hinge" -> ": its minimiser need not be unique, and no covariance is known";
                  default -> "";
                }));
  }

  /** The same of a response that is one of several classes: by sums, or multinomial in rounds. */
  private static Regression classes(Question question) {
    String family = question.get(ModelKeys.FAMILY);
    boolean inRounds = !MethodKeys.pooled(question) && !family.equals(Categories.ORDERED);
    if (!inRounds
        && (!MethodKeys.pooled(question)
            || MethodKeys.pooledByRounds(question)
            || question.says(MethodKeys.PRIVACY))) {
      throw new InvalidInput(
          "family: %s works only with a pooled fit by sums (no %s)"
              .formatted(
                  family,
                  family.equals(Categories.ORDERED)
                      ? "--alpha, --algorithm or --privacy"
                      : "--algorithm pooled-rounds or --privacy"));
    }
    refuse(
        question,
        "does not work with the family " + family,
        List.of(
            ModelKeys.RANDOM_FEATURES,
            ModelKeys.DISPERSION,
            PooledKeys.ROBUST,
            PooledKeys.CLUSTER,
            PooledKeys.RIDGE,
            PooledKeys.HETEROGENEITY,
            PooledKeys.META));
    question
        .find(ModelKeys.FORMULA)
        .map(Formula::parse)
        .ifPresent(formula -> requireClasses(formula, family));
    return ModelKeys.regression(question);
  }

  private static void requireClasses(Formula formula, String family) {
    requireLabels(formula, family);
    if (!family.equals(Categories.ORDERED) && !formula.offsets().isEmpty()) {
      throw new InvalidInput(
          "formula: offset(…) does not work with the family multinomial, where every level would"
              + " need one of its own");
    }
  }

  private static void refuse(Question question, String why, List<Key<?>> keys) {
    for (Key<?> key : keys) {
      if (question.says(key)) {
        throw new InvalidInput("%s: %s".formatted(key.name(), why));
      }
    }
  }

  /** The same with random terms: by sums. */
  private static Glm mixed(Question question) {
    String family = question.get(ModelKeys.FAMILY);
    String link = question.find(ModelKeys.LINK).orElse("");
    if (!MIXED.getOrDefault(family, List.of()).contains(link)) {
      throw new InvalidInput(
          "family: must be gaussian with link identity, binomial with link logit, probit or cloglog, or poisson with link log where the formula has random terms such as (1 | ward); got `%s` with link `%s`"
              .formatted(family, link));
    }
    Formula formula = Formula.parse(question.get(ModelKeys.FORMULA));
    requireLabels(formula, family);
    if (question.find(ModelKeys.QUADRATURE).orElse(1) > 1
        && formula.random().stream().mapToInt(term -> term.effects().size()).sum() > 1) {
      throw MixedFit.severalEffects(formula.random().stream().map(RandomTerm::text).toList());
    }
    if (!MethodKeys.pooled(question)
        || MethodKeys.pooledByRounds(question)
        || question.says(MethodKeys.PRIVACY)) {
      throw new InvalidInput(
          "formula: random terms such as (1 | ward) work only with a pooled fit by sums (no"
              + " --alpha, --algorithm or --privacy)");
    }
    refuse(
        question,
        "does not work with random terms such as (1 | ward)",
        List.of(
            PooledKeys.ROBUST,
            PooledKeys.CLUSTER,
            PooledKeys.RIDGE,
            PooledKeys.HETEROGENEITY,
            PooledKeys.TEST,
            PooledKeys.META));
    return ModelKeys.glm(question);
  }

  /** The same of a generalised linear model. */
  private static Glm glm(Question question) {
    Glm glm = ModelKeys.glm(question);
    question
        .find(ModelKeys.FORMULA)
        .map(Formula::parse)
        .ifPresent(formula -> requireLabels(formula, glm.family()));
    boolean sums = MethodKeys.pooled(question) && !MethodKeys.pooledByRounds(question);
    if (!sums && !glm.everywhere()) {
      throw new InvalidInput(
          "link: %s of the %s family works only with a pooled fit by sums (no --alpha or --algorithm); rounds pass through linear predictors that have no mean under it"
              .formatted(glm.link(), glm.family()));
    }
    if (glm instanceof NegativeBinomial counts && counts.estimated()) {
      if (!sums) {
        throw new InvalidInput(
            "family: theta is estimated only by a pooled fit by sums (no --alpha or --algorithm);"
                + " give negative-binomial:THETA");
      }
      if (question.get(PooledKeys.RIDGE) > 0 || PenaltyKeys.asked(question)) {
        throw new InvalidInput(
            "family: theta is estimated only without --ridge and --penalty; give"
                + " negative-binomial:THETA");
      }
    }
    return glm;
  }

  private static void requireLabels(Formula formula, String family) {
    if (formula.countsTrials() && !List.of("binomial", "quasi-binomial").contains(family)) {
      throw new InvalidInput(
          "formula: %s works only with the binomial and quasi-binomial families; the family is %s"
              .formatted(formula.responseText(), family));
    }
  }
}
