package ngd.core.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.NumberText;
import ngd.core.data.PaperModel;

/** The families in the words of the command line. */
public final class Families {
  private static final List<String> NAMES =
      List.of("gaussian", "binomial", "poisson", "gamma", "negative-binomial", Cox.FAMILY);

  private Families() {}

  /**
   * The model of a family.
   *
   * @param family its name; {@code negative-binomial:THETA} says the dispersion, too
   * @param link probit instead of logit for the binomial family; the others have one link each
   * @param dispersion theta of the negative binomial family, where its name does not say it
   */
  public static Glm parse(String family, Optional<String> link, OptionalDouble dispersion) {
    int colon = family.indexOf(':');
    String name = requireKnown(family).split(":", 2)[0];
    if (name.equals(Cox.FAMILY)) {
      throw new InvalidInput("family cox: needs a formula with Surv(time, event) on its left side");
    }
    boolean negativeBinomial = name.equals("negative-binomial");
    if (dispersion.isPresent() && !negativeBinomial) {
      throw new InvalidInput(
          "dispersion: works only with the negative-binomial family; the family is " + name);
    }
    Glm glm =
        switch (name) {
          case "gaussian" -> new Linear();
          case "binomial" ->
              link.filter(word -> word.equals("probit")).isPresent()
                  ? new Probit()
                  : new Logistic();
          case "poisson" -> new Poisson();
          case "gamma" -> new Gamma();
          default -> new NegativeBinomial(theta(family, colon, dispersion));
        };
    if (link.isPresent() && !link.get().equals(glm.link())) {
      throw new InvalidInput(
          "link: of the %s family must be %s; got `%s`"
              .formatted(
                  name, name.equals("binomial") ? "logit or probit" : glm.link(), link.get()));
    }
    return glm;
  }

  /** Refuses a word that names no family. */
  public static String requireKnown(String family) {
    int colon = family.indexOf(':');
    String name = colon < 0 ? family : family.substring(0, colon);
    if (!NAMES.contains(name) || (colon >= 0 && !name.equals("negative-binomial"))) {
      throw new InvalidInput(
          "family: must be one of gaussian, binomial, poisson, gamma, negative-binomial:THETA, cox; got `%s`%s"
              .formatted(family, NearestName.hint(name, NAMES)));
    }
    return family;
  }

  /** The model from which the paper's data are simulated. */
  public static Glm of(PaperModel model) {
    return switch (model) {
      case LINEAR -> new Linear();
      case LOGISTIC -> new Logistic();
      case POISSON -> new Poisson();
    };
  }

  /** The model of a family with its usual link. */
  public static Glm parse(String family) {
    return parse(family, Optional.empty(), OptionalDouble.empty());
  }

  private static double theta(String family, int colon, OptionalDouble dispersion) {
    if ((colon >= 0) == dispersion.isPresent()) {
      throw new InvalidInput(
          "family negative-binomial: needs its dispersion theta (the variance is mean + mean² / theta) %s; got `%s`"
              .formatted(
                  colon < 0
                      ? "as negative-binomial:THETA or --dispersion THETA"
                      : "once, not in the name and as --dispersion",
                  family));
    }
    if (colon < 0) {
      return dispersion.getAsDouble();
    }
    return NumberText.read(
        family.substring(colon + 1),
        Double::parseDouble,
        () ->
            "family negative-binomial: THETA after the colon must be a number; got `%s`"
                .formatted(family));
  }
}
