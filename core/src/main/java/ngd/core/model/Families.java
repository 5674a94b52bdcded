package ngd.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.NumberText;
import ngd.core.data.PaperModel;

/** The families in the words of the command line: the one list that help, plans and docs show. */
public final class Families {
  /**
   * A family.
   *
   * @param name on the command line
   * @param parameter what may follow its name after a colon; empty for nothing
   * @param links the words of its links, the usual one first
   * @param variance the variance at a mean, for people
   */
  public record Family(String name, String parameter, List<String> links, String variance) {
    public Family {
      links = List.copyOf(links);
    }

    /** How it is written. */
    public String label() {
      return parameter.isEmpty() ? name : name + ":" + parameter;
    }
  }

  /** The word for survival curves, which have no coefficients. */
  public static final String CURVES = "survival";

  private static final List<String> BINARY =
      List.of("logit", "probit", "cloglog", "cauchit", "log");
  private static final List<String> COUNTS = List.of("log", "identity", "sqrt");

  /** All of generalised linear models. */
  public static final List<Family> ALL =
      List.of(
          new Family("gaussian", "", List.of("identity", "log", "inverse"), "constant"),
          new Family("binomial", "", BINARY, "mean (1 − mean)"),
          new Family("poisson", "", COUNTS, "mean"),
          new Family("gamma", "", List.of("log", "inverse", "identity"), "mean²"),
          new Family("negative-binomial", "THETA", List.of("log"), "mean + mean² / THETA"),
          new Family("quasi-binomial", "", BINARY, "a multiple of mean (1 − mean)"),
          new Family("quasi-poisson", "", COUNTS, "a multiple of mean"),
          new Family(
              "inverse-gaussian", "", List.of("1/mu^2", "inverse", "identity", "log"), "mean³"),
          new Family("tweedie", "POWER", List.of("log", "identity", "inverse"), "mean^POWER"));

  /** Those whose response is one of several classes. */
  public static final List<Family> CLASSES =
      List.of(
          new Family(Categories.MULTINOMIAL, "", List.of("logit"), "share (1 − share)"),
          new Family(
              Categories.ORDERED,
              "",
              Stream.of(Thresholds.values()).map(Thresholds::word).toList(),
              "share (1 − share)"));

  private Families() {}

  /** Whether a family's response is one of several classes. */
  public static boolean ofClasses(String family) {
    return CLASSES.stream().anyMatch(one -> one.name().equals(family));
  }

  /** The model of such a family; which classes there are, the data say. */
  public static Categories classes(String family, Optional<String> link) {
    Family known =
        CLASSES.stream().filter(one -> one.name().equals(family)).findFirst().orElseThrow();
    Thresholds thresholds = Thresholds.named(requireLink(known, link)).orElseThrow();
    return known.name().equals(Categories.ORDERED)
        ? Categories.ordered(thresholds)
        : Categories.multinomial();
  }

  private static String requireLink(Family family, Optional<String> link) {
    String word = link.orElse(family.links().getFirst());
    if (!family.links().contains(word)) {
      throw new InvalidInput(
          "link: of the %s family must be %s%s; got `%s`%s"
              .formatted(
                  family.name(),
                  family.links().size() > 1 ? "one of " : "",
                  String.join(", ", family.links()),
                  word,
                  NearestName.hint(word, family.links())));
    }
    return word;
  }

  private static List<Family> all() {
    return Stream.concat(ALL.stream(), CLASSES.stream()).toList();
  }

  /** Whether a word is the name of a family whose loss is a mean over rows. */
  static boolean isKnown(String name) {
    return all().stream().anyMatch(family -> family.name().equals(name));
  }

  /** The families whose losses are means over rows, with what may follow their names. */
  static List<String> rowLosses() {
    return all().stream().map(Family::label).toList();
  }

  /** The families' names alone. */
  public static List<String> names() {
    return Stream.concat(all().stream().map(Family::name), Stream.of(Cox.FAMILY, CURVES)).toList();
  }

  /** The families with what may follow their names, for help. */
  public static String labels() {
    return all().stream().map(Family::label).collect(Collectors.joining(", "))
        + ", "
        + Cox.FAMILY
        + ", "
        + CURVES;
  }

  /** Each family with more links than one and those, for help. */
  public static String links() {
    return all().stream()
        .filter(family -> family.links().size() > 1)
        .map(family -> "%s: %s".formatted(family.name(), String.join(", ", family.links())))
        .collect(Collectors.joining("; "));
  }

  /**
   * The model of a family.
   *
   * @param family its name; {@code negative-binomial:THETA} says the dispersion, too
   * @param link one of the family's; the usual one where it is not said
   * @param dispersion theta of the negative binomial family, where its name does not say it
   */
  public static Glm parse(String family, Optional<String> link, OptionalDouble dispersion) {
    if (family.equals(Cox.FAMILY)) {
      throw new InvalidInput("family cox: needs a formula with Surv(time, event) on its left side");
    }
    if (family.equals(CURVES)) {
      throw new InvalidInput(
          "family survival: is for curves, and needs a formula such as Surv(time, event) ~"
              + " strata(group)");
    }
    Family known = known(family);
    String name = known.name();
    if (ofClasses(name)) {
      throw new InvalidInput(
          "family %s: its response is one of several classes, which works only with a pooled fit by sums (no --alpha, --algorithm or --privacy)"
              .formatted(name));
    }
    if (dispersion.isPresent() && !name.equals("negative-binomial")) {
      throw new InvalidInput(
          "dispersion: works only with the negative-binomial family; the family is " + name);
    }
    Link by = Link.named(requireLink(known, link)).orElseThrow();
    return switch (name) {
      case "gaussian" -> gaussian(by);
      case "binomial" -> binary(by);
      case "poisson" -> counts(by);
      case "gamma" -> by == Link.LOG ? new Gamma() : new LinkedGlm(Spread.Power.GAMMA, by);
      case "quasi-binomial" -> new Quasi(binary(by));
      case "quasi-poisson" -> new Quasi(counts(by));
      case "inverse-gaussian" -> new LinkedGlm(Spread.Power.INVERSE_GAUSSIAN, by);
      case "tweedie" -> new LinkedGlm(Spread.Power.tweedie(power(family)), by);
      default -> negativeBinomial(family, dispersion);
    };
  }

  private static Glm gaussian(Link by) {
    return by == Link.IDENTITY ? new Linear() : new LinkedGlm(new Spread.Gaussian(), by);
  }

  private static Glm binary(Link by) {
    return switch (by) {
      case LOGIT -> new Logistic();
      case PROBIT -> new Probit();
      default -> new LinkedGlm(new Spread.Binary(), by);
    };
  }

  private static Glm counts(Link by) {
    return by == Link.LOG ? new Poisson() : new LinkedGlm(new Spread.Counts(), by);
  }

  /** Refuses a word that names no family. */
  public static String requireKnown(String family) {
    if (!family.equals(Cox.FAMILY) && !family.equals(CURVES)) {
      var _ = known(family);
    }
    return family;
  }

  private static Family known(String family) {
    int colon = family.indexOf(':');
    String name = colon < 0 ? family : family.substring(0, colon);
    List<String> names = new ArrayList<>();
    for (Family one : all()) {
      if (one.name().equals(name) && (colon < 0 || !one.parameter().isEmpty())) {
        return one;
      }
      names.add(one.name());
    }
    throw new InvalidInput(
        "family: must be one of %s; got `%s`%s"
            .formatted(labels(), family, NearestName.hint(name, names)));
  }

  /** The model from which data are simulated. */
  public static Regression of(PaperModel model) {
    return switch (model) {
      case LINEAR -> new Linear();
      case LOGISTIC -> new Logistic();
      case POISSON -> new Poisson();
      case SURVIVAL -> new Cox(Ties.EFRON);
    };
  }

  /** The model of a family with its usual link. */
  public static Glm parse(String family) {
    return parse(family, Optional.empty(), OptionalDouble.empty());
  }

  private static Glm negativeBinomial(String family, OptionalDouble dispersion) {
    Optional<Double> named = parameter(family, "negative-binomial", "THETA");
    if (named.isPresent() && dispersion.isPresent()) {
      throw new InvalidInput(
          "family negative-binomial: needs its dispersion theta (the variance is mean + mean² / theta) once, not in the name and as --dispersion; got `%s`"
              .formatted(family));
    }
    if (named.isEmpty() && dispersion.isEmpty()) {
      return NegativeBinomial.estimated(1);
    }
    return new NegativeBinomial(named.orElseGet(dispersion::getAsDouble));
  }

  private static double power(String family) {
    return parameter(family, "tweedie", "POWER")
        .orElseThrow(
            () ->
                new InvalidInput(
                    "family tweedie: needs the power of its variance, such as tweedie:1.5; got `%s`"
                        .formatted(family)));
  }

  private static Optional<Double> parameter(String family, String name, String label) {
    int colon = family.indexOf(':');
    return colon < 0
        ? Optional.empty()
        : Optional.of(
            NumberText.read(
                family.substring(colon + 1),
                Double::parseDouble,
                () ->
                    "family %s: %s after the colon must be a number; got `%s`"
                        .formatted(name, label, family)));
  }
}
