package ngd.core.question;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.data.PaperModel;
import ngd.core.data.RandomFeatures;
import ngd.core.formula.Formula;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.Families;
import ngd.core.model.Glm;
import ngd.core.model.Loss;
import ngd.core.model.Losses;
import ngd.core.model.Regression;
import ngd.core.model.Ties;
import ngd.core.model.TimeGrid;

/** What is to be explained by what: formula, family, or a simulated model. */
public final class ModelKeys {
  private ModelKeys() {}

  public static final Key<String> FORMULA =
      Key.of("formula", "TEXT", ModelKeys::formula, text -> text)
          .when(DataKeys::readable, "needs --data or --site")
          .help(
              "Model formula in R's notation: 'visits ~ age + factor(health) + log(income) +"
                  + " age:chronic - 1'.");

  public static final Key<PaperModel> SIMULATE =
      Key.of("simulate", "MODEL", PaperModel::parse, PaperModel::spec)
          .when(
              question -> !DataKeys.given(question),
              "only one of --data, --site and --simulate may be given")
          .help(
              "Simulate data instead of reading a file: the paper's linear, logistic or poisson, or"
                  + " survival (proportional hazards with censored times).");

  public static final Key<String> RESPONSE =
      Key.text("response", "NAME")
          .when(
              question -> !question.says(FORMULA) && !question.says(SIMULATE),
              "works only without --formula and --simulate, which name the response")
          .help("Response, the column to predict, if there is no --formula.");

  public static final Key<List<String>> FEATURES =
      Key.list("features", "NAME")
          .when(
              question -> !question.says(FORMULA) && !question.says(SIMULATE),
              "works only without --formula and --simulate, which name the predictors")
          .help("Predictors, if there is no --formula; all other columns by default.");

  public static final Key<Boolean> NO_INTERCEPT =
      Key.flag("no-intercept")
          .when(
              question -> !question.says(FORMULA) && !question.says(SIMULATE),
              "works only without --formula, which can say `- 1`, and --simulate")
          .help("Fit without an intercept.");

  public static final Key<RandomFeatures> RANDOM_FEATURES =
      Key.of("random-features", "D:BANDWIDTH", RandomFeatures::parse, RandomFeatures::spec)
          .when(
              question -> !question.says(FORMULA) && !question.says(DataKeys.SITE),
              "works only with --data without --formula, or --simulate")
          .help(
              "Replace the predictors by D random Fourier features of them: non-parametric"
                  + " regression.");

  public static final Key<Integer> ROWS =
      Key.whole("rows", "N", 1)
          .when(question -> question.says(SIMULATE), "works only with --simulate")
          .help("Number of rows to simulate, over all clients.");

  public static final Key<String> LOSS =
      Key.of("loss", "WORD", ModelKeys::loss, word -> word)
          .when(ModelKeys::oneLoss, "works only without --family, which names a loss too")
          .help(
              "What each client minimises, where that is not the loss of a family: %s. A family's name is the loss of that family; more may be on the class path."
                  .formatted(String.join(", ", Losses.words())));

  public static final Key<String> FAMILY =
      Key.of("family", "WORD", Families::requireKnown, word -> word)
          .offering(Families.names())
          .standard(
              question ->
                  question.find(LOSS).isPresent()
                      ? question.find(LOSS).filter(Losses::ofFamily)
                      : Optional.of(
                          question
                              .find(SIMULATE)
                              .map(model -> Families.of(model).family())
                              .orElseGet(() -> usualFamily(question))))
          .help(
              "Family, gaussian by default, with Surv(…) cox, or survival where there are no covariates; one of %s. Of the negative-binomial family, whose variance is mean + mean² / THETA, THETA is estimated where it is not given."
                  .formatted(Families.labels()));

  public static final Key<Double> DISPERSION =
      Key.number("dispersion", "THETA")
          .when(question -> !question.says(SIMULATE), "works only without --simulate")
          .help("THETA of the negative-binomial family, if --family does not give it.");

  public static final Key<String> LINK =
      Key.text("link", "WORD")
          .standard(ModelKeys::usualLink)
          .help("Link, the family's first by default; %s.".formatted(Families.links()));

  public static final Key<Ties> TIES =
      Key.of("ties", "WORD", Ties::parse, Ties::word)
          .offering(Stream.of(Ties.values()).map(Ties::word).toList())
          .standard(
              question -> hazards(question) ? Optional.of(Ties.EFRON.word()) : Optional.empty())
          .when(
              ModelKeys::hazards,
              "works only with a formula that has Surv(time, event) and covariates")
          .help("Events at one time in a Cox model: efron (the default, as in R) or breslow.");

  public static final Key<List<Double>> TIMES =
      Key.listed("times", "T", ModelKeys::times, ModelKeys::words)
          .when(
              question -> survival(question) && (curves(question) || !stratifiedBySite(question)),
              "works only with a formula that has Surv(time, event), and no strata(site) beside"
                  + " covariates")
          .help(
              "Times at which sites pool their risk sets, such as 90,180,365; a row that stops"
                  + " between two of them stops at the later one. By default as many as leave"
                  + " every site enough rows in each interval.");

  public static final Key<Boolean> REML =
      Key.of("reml", "yes|no", ModelKeys::yes, yes -> yes ? "yes" : "no")
          .offering(List.of("yes", "no"))
          .standard(question -> linearMixed(question) ? Optional.of("yes") : Optional.empty())
          .when(
              ModelKeys::linearMixed,
              "works only with a formula that has random terms, such as (1 | ward), and the"
                  + " gaussian family")
          .help(
              "Variances of a model with random terms: yes (the default, as in lme4) by restricted"
                  + " maximum likelihood, no by maximum likelihood.");

  public static final Key<Integer> QUADRATURE =
      Key.whole("quadrature", "K", 1)
          .standard(
              question ->
                  mixed(question) && !linearMixed(question) ? Optional.of("1") : Optional.empty())
          .when(
              question -> mixed(question) && !linearMixed(question),
              "works only with a formula that has random terms, such as (1 | ward), and the"
                  + " binomial or poisson family")
          .help(
              "Points of adaptive Gauss-Hermite quadrature over random effects, as nAGQ of"
                  + " lme4::glmer: 1 (the default) is Laplace's approximation; more need one random"
                  + " term of one effect.");

  public static final Key<List<String>> ORDER =
      Key.of("order", "A<B<C", ModelKeys::order, levels -> String.join("<", levels))
          .when(
              ModelKeys::ofClasses,
              "works only with the families multinomial and ordered, whose responses are classes")
          .help(
              "Levels of the response in their order, such as 'low<middle<high': for the family"
                  + " ordered where they are text, and for multinomial to choose the baseline, the"
                  + " first. Numbers, dates and levels of the dictionary have an order already.");

  /** All of them. */
  public static final List<Key<?>> ALL =
      List.of(
          FORMULA,
          SIMULATE,
          RESPONSE,
          FEATURES,
          NO_INTERCEPT,
          RANDOM_FEATURES,
          ROWS,
          LOSS,
          FAMILY,
          DISPERSION,
          LINK,
          ORDER,
          TIES,
          TIMES,
          REML,
          QUADRATURE);

  /** Those that a site's own table decides nothing of: what a plan says of the model. */
  public static final List<Key<?>> AGREED =
      List.of(FORMULA, LOSS, FAMILY, DISPERSION, LINK, ORDER, TIES, TIMES, REML, QUADRATURE);

  private static String formula(String text) {
    var _ = Formula.parse(text);
    return text.strip();
  }

  /** The formula, or the response with its predictors; one of the two must be there. */
  public static Formula formulaOf(Question question, boolean intercept) {
    Formula formula =
        question
            .find(FORMULA)
            .map(Formula::parse)
            .orElseGet(
                () ->
                    Formula.of(
                        question.get(RESPONSE),
                        question.find(FEATURES).orElse(List.of()),
                        intercept));
    return ofClasses(question)
        ? formula.ofClasses(
            question.find(ORDER).orElse(List.of()), question.get(FAMILY).equals(Categories.ORDERED))
        : formula;
  }

  /**
   * All that is read of the rows: the formula, and with it the treatment's, where rows are weighted
   * by one, or what helps to impute.
   */
  public static Formula wholeFormula(Question question, boolean intercept) {
    Formula outcome = formulaOf(question, intercept);
    return ImputationKeys.whole(
        question, WeightingKeys.treatment(question).map(outcome::with).orElse(outcome));
  }

  /** The same of a question that must have a formula. */
  public static Formula wholeFormula(Question question) {
    var _ = question.get(FORMULA);
    return wholeFormula(question, true);
  }

  /** The formula of a question that must have one. */
  public static Formula formulaOf(Question question) {
    var _ = question.get(FORMULA);
    return formulaOf(question, true);
  }

  /** Whether the response is one of several classes. */
  public static boolean ofClasses(Question question) {
    return question.find(FAMILY).filter(Families::ofClasses).isPresent()
        && !question.says(SIMULATE);
  }

  private static List<String> order(String text) {
    List<String> levels = Arrays.stream(text.split("<", -1)).map(String::strip).toList();
    if (levels.size() < 2 || levels.stream().anyMatch(String::isEmpty)) {
      throw new InvalidInput(
          "order: must be levels with `<` between them, such as low<middle<high; got `%s`"
              .formatted(text));
    }
    if (levels.stream().distinct().count() < levels.size()) {
      throw new InvalidInput("order: must name every level once; got `%s`".formatted(text));
    }
    return levels;
  }

  /** Whether the response is an event in time. */
  public static boolean survival(Question question) {
    return simulatedTimes(question)
        || question.find(FORMULA).map(Formula::parse).flatMap(Formula::survival).isPresent();
  }

  /** Whether groups of rows have effects of their own. */
  public static boolean mixed(Question question) {
    return question
        .find(FORMULA)
        .map(Formula::parse)
        .filter(formula -> !formula.random().isEmpty())
        .isPresent();
  }

  /** The same of normal responses, which is what the family is unless it is said. */
  private static boolean linearMixed(Question question) {
    return mixed(question) && question.find(FAMILY).filter("gaussian"::equals).isPresent();
  }

  private static boolean yes(String word) {
    if (!word.equals("yes") && !word.equals("no")) {
      throw new InvalidInput("reml: must be yes or no; got `%s`".formatted(word));
    }
    return word.equals("yes");
  }

  /** Whether survival curves are asked for, and no coefficients. */
  public static boolean curves(Question question) {
    return question.find(FORMULA).map(Formula::parse).filter(Formula::asksForCurves).isPresent();
  }

  /** Whether a Cox model is asked for. */
  private static boolean hazards(Question question) {
    return survival(question) && !curves(question);
  }

  private static String usualFamily(Question question) {
    return curves(question) ? Families.CURVES : survival(question) ? Cox.FAMILY : "gaussian";
  }

  private static boolean simulatedTimes(Question question) {
    return question.find(SIMULATE).filter(PaperModel::timed).isPresent();
  }

  /**
   * Whether rows are compared within their sites alone, as {@code strata(site)} says; simulated
   * ones are.
   */
  public static boolean stratifiedBySite(Question question) {
    return simulatedTimes(question)
        || question.find(FORMULA).map(Formula::parse).filter(Formula::stratifiedBySite).isPresent();
  }

  private static List<Double> times(List<String> words) {
    List<Double> times =
        words.stream()
            .map(
                word ->
                    NumberText.read(
                        word,
                        Double::parseDouble,
                        () -> "times: must be numbers, such as 30,60,90; got `%s`".formatted(word)))
            .toList();
    return new TimeGrid(times, List.of("")).times();
  }

  private static List<String> words(List<Double> times) {
    return times.stream().map(time -> NumberText.text(time, 17)).toList();
  }

  /** A loss; whoever gives a share of messages instead is told where that belongs. */
  private static String loss(String words) {
    try {
      return Losses.require(words);
    } catch (InvalidInput e) {
      if (words.strip().matches("0|0?\\.[0-9]+")) {
        throw new InvalidInput(
            e.getMessage() + "; the share of lost messages is --message-loss " + words.strip());
      }
      throw e;
    }
  }

  /** Whether --loss says nothing else than --family. */
  private static boolean oneLoss(Question question) {
    return !question.says(FAMILY) || question.find(LOSS).equals(question.find(FAMILY));
  }

  /** The loss that --loss names, where that is not a family's. */
  public static Optional<Losses.Named> named(Question question) {
    return question.find(LOSS).filter(word -> !Losses.ofFamily(word)).map(Losses::parse);
  }

  /** What is minimised: the loss of a model, or one that is no model's. */
  public static Loss loss(Question question) {
    return named(question).map(Losses.Named::loss).orElseGet(() -> regression(question));
  }

  /**
   * The model that is fitted; survival curves are those of a Cox model without covariates.
   *
   * @throws InvalidInput where --loss names a loss of which there are no pooled estimates
   */
  public static Regression regression(Question question) {
    Optional<Losses.Named> named = named(question);
    if (named.isPresent()) {
      return named
          .map(Losses.Named::loss)
          .filter(Regression.class::isInstance)
          .map(Regression.class::cast)
          .orElseThrow(() -> SuitedModel.notPooled(named.get()));
    }
    if (!survival(question)) {
      return ofClasses(question)
          ? Families.classes(question.get(FAMILY), question.find(LINK))
          : glm(question);
    }
    if (curves(question)) {
      requireCurves(question);
      return new Cox(Ties.EFRON);
    }
    if (question.get(FAMILY).equals(Families.CURVES)) {
      throw new InvalidInput(
          "family: survival is for curves by groups, which stand in strata(…), as in Surv(time,"
              + " event) ~ strata(group); with covariates it must be cox");
    }
    if (!question.get(FAMILY).equals(Cox.FAMILY)) {
      throw new InvalidInput(
          "family: must be cox where responses are events in time; got `%s`"
              .formatted(question.get(FAMILY)));
    }
    if (question.find(LINK).filter(link -> !link.equals("log")).isPresent()) {
      throw new InvalidInput(
          "link: of the cox family must be log; got `%s`".formatted(question.get(LINK)));
    }
    return new Cox(question.get(TIES));
  }

  private static void requireCurves(Question question) {
    if (!question.get(FAMILY).equals(Families.CURVES)) {
      throw new InvalidInput(
          "family: must be survival where the formula has no covariates, which asks for survival curves; got `%s`"
              .formatted(question.get(FAMILY)));
    }
    if (question.says(LINK)) {
      throw new InvalidInput(
          "link: works only with covariates; survival curves have none; got `%s`"
              .formatted(question.get(LINK)));
    }
  }

  /** The model's family with its link. */
  public static Glm glm(Question question) {
    if (named(question).isPresent()) {
      throw new InvalidInput(
          "loss: must be that of a family of generalised linear models; got `%s`"
              .formatted(question.get(LOSS)));
    }
    Optional<PaperModel> simulated = question.find(SIMULATE);
    if (simulated.isPresent()) {
      if (!(Families.of(simulated.get()) instanceof Glm glm)) {
        throw new InvalidInput(
            "simulate: %s makes no generalised linear model".formatted(simulated.get().spec()));
      }
      String family = question.get(FAMILY);
      Optional<String> link = question.find(LINK);
      if (!family.equals(glm.family()) || link.filter(glm.link()::equals).isEmpty()) {
        throw new InvalidInput(
            "family: --simulate %s makes it %s with link %s; got `%s`%s"
                .formatted(
                    simulated.get().spec(),
                    glm.family(),
                    glm.link(),
                    family,
                    link.map(" with `%s`"::formatted).orElse("")));
      }
      return glm;
    }
    Optional<Double> theta = question.find(DISPERSION);
    return Families.parse(
        question.get(FAMILY),
        question.find(LINK),
        theta.isPresent() ? OptionalDouble.of(theta.get()) : OptionalDouble.empty());
  }

  /** The family's own link, where the family is one. */
  private static Optional<String> usualLink(Question question) {
    try {
      if (named(question).isPresent()) {
        return Optional.empty();
      }
      if (survival(question)) {
        return curves(question) ? Optional.empty() : Optional.of("log");
      }
      if (ofClasses(question)) {
        return Optional.of(Families.classes(question.get(FAMILY), Optional.empty()).link());
      }
      Optional<Double> theta = question.find(DISPERSION);
      return Optional.of(
          Families.parse(
                  question.get(FAMILY),
                  Optional.empty(),
                  theta.isPresent() ? OptionalDouble.of(theta.get()) : OptionalDouble.empty())
              .link());
    } catch (InvalidInput notAFamily) {
      return Optional.empty();
    }
  }
}
