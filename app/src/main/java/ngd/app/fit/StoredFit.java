package ngd.app.fit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import ngd.app.answer.MixedTable;
import ngd.core.InvalidInput;
import ngd.core.data.Table;
import ngd.core.model.Cox;
import ngd.core.model.Families;
import ngd.core.model.Losses;
import ngd.core.run.StoredRun;
import tools.jackson.databind.JsonNode;

/**
 * A pooled fit read back, whoever computed it, as far as its deviance goes.
 *
 * @param terms the coefficients' names
 * @param family with its link, and theta where it has one
 * @param dispersed whether the family's dispersion is estimated
 */
record StoredFit(
    String name,
    JsonNode result,
    String formula,
    String response,
    List<String> terms,
    String family,
    boolean dispersed) {
  private static final double ROUNDING = 1e-7;

  /** Reads a run folder or its {@code result.json}; refuses fits whose deviances test nothing. */
  static StoredFit read(Path path) {
    if (!Files.exists(path)) {
      throw new InvalidInput(
          "RUN: must be a run folder written by ngd fit, or its result.json; %s does not exist"
              .formatted(path));
    }
    Path file = Files.isDirectory(path) ? path.resolve("result.json") : path;
    JsonNode result = StoredRun.object(file);
    JsonNode model = result.path("model");
    for (String option : List.of("imputation", "weighting")) {
      if (result.path(option).isObject()) {
        throw new InvalidInput(
            "%s: must be fitted without --%s; its deviances follow no known distribution"
                .formatted(path, option.equals("imputation") ? "impute" : "treatment"));
      }
    }
    if (!result.path("deviance").isNumber() || !model.isObject()) {
      throw new InvalidInput(
          "%s: must be from a pooled fit (ngd fit without --alpha and --algorithm)"
              .formatted(path));
    }
    if (model.has("ridge") || result.has("penalty")) {
      throw new InvalidInput(
          "%s: must be fitted without --ridge and --penalty; penalised deviances follow no known distribution"
              .formatted(path));
    }
    if (model.has("randomFeatures")) {
      throw new InvalidInput(
          "%s: must be fitted to the columns themselves, not to random features of them"
              .formatted(path));
    }
    if (result.path("covariance").asString("").startsWith("cluster")) {
      throw new InvalidInput(
          "%s: must be fitted without --cluster; deviances are tested by the likelihood of independent rows"
              .formatted(path));
    }
    boolean mixed = result.path("mixed").isObject();
    if (result.at("/mixed/reml").asBoolean(false)) {
      throw new InvalidInput(
          "%s: must be fitted with --reml no; restricted likelihoods of other fixed effects are of other data"
              .formatted(path));
    }
    List<String> terms = new ArrayList<>();
    model.path("terms").forEach(term -> terms.add(term.asString()));
    String family = model.path("family").asString("");
    if (!mixed && !Losses.ofFamily(family) && !family.equals(Cox.FAMILY)) {
      throw new InvalidInput(
          "%s: must be fitted by the likelihood of a family, by which deviances are tested; its loss is %s"
              .formatted(path, family));
    }
    return new StoredFit(
        path.toString(),
        result,
        model.path("formula").asString(""),
        model.path("response").asString(""),
        terms,
        mixed
            ? MixedTable.name(result) + MixedTable.integral(result.path("mixed"))
            : "%s with %s link%s"
                .formatted(
                    family,
                    model.path("link").asString(""),
                    model.has("theta") ? " and theta " + model.path("theta").asString() : ""),
        !mixed
            && !Families.ofClasses(family)
            && !family.equals(Cox.FAMILY)
            && Families.parse(
                    family,
                    Optional.of(model.path("link").asString("")),
                    model.has("theta")
                        ? OptionalDouble.of(model.path("theta").asDouble())
                        : OptionalDouble.empty())
                .dispersed());
  }

  /** What varies between groups, a line for each effect; nothing where no random terms are. */
  private List<String> varying() {
    List<String> effects = new ArrayList<>();
    for (JsonNode group : result.at("/mixed/groups")) {
      for (JsonNode effect : group.path("effects")) {
        effects.add(
            "%s of %s".formatted(effect.path("effect").asString(), group.path("group").asString()));
      }
    }
    return effects;
  }

  double deviance() {
    return result.path("deviance").asDouble();
  }

  long residualFreedom() {
    return result.path("dfResidual").asLong();
  }

  double dispersion() {
    return result.path("mixed").isObject() ? 1 : result.path("dispersion").asDouble(Double.NaN);
  }

  boolean robust() {
    return result.path("covariance").asString("").startsWith("robust");
  }

  private long rows() {
    return result.path("rows").asLong();
  }

  /** Why a larger model cannot be compared with this one, if it cannot. */
  Optional<String> objection(StoredFit larger) {
    if (!family.equals(larger.family)) {
      return differ("be of one family", family, larger, larger.family);
    }
    if (!response.equals(larger.response)) {
      return differ("have one response", response, larger, larger.response);
    }
    if (rows() != larger.rows()) {
      return differ(
          "rest on the same rows (rows with a missing value in a model's columns are left out of"
              + " it)",
          rows() + " rows",
          larger,
          larger.rows() + " rows");
    }
    if (terms.contains(Table.INTERCEPT) != larger.terms.contains(Table.INTERCEPT)) {
      return differ("both have an intercept or both have none", formula, larger, larger.formula);
    }
    double here = result.path("nullDeviance").asDouble();
    double there = larger.result.path("nullDeviance").asDouble();
    boolean mixed = result.path("mixed").isObject();
    if (!mixed
        && !(Math.abs(here - there) <= ROUNDING * Math.max(Math.abs(here), Math.abs(there)))) {
      return differ(
          "have the same responses, weights and offsets, and so one null deviance",
          Double.toString(here),
          larger,
          Double.toString(there));
    }
    List<String> missing =
        Stream.concat(
                terms.stream().filter(term -> !larger.terms.contains(term)),
                varying().stream().filter(effect -> !larger.varying().contains(effect)))
            .toList();
    if (!missing.isEmpty() || residualFreedom() == larger.residualFreedom()) {
      return Optional.of(
          "%s: must be nested in %s, which must have all its coefficients and more; %s"
              .formatted(
                  name,
                  larger.name,
                  missing.isEmpty()
                      ? "both have the same"
                      : "it lacks " + String.join(", ", missing)));
    }
    if (larger.deviance() > deviance() + ROUNDING * Math.abs(mixed ? deviance() : here)) {
      return differ(
          "be fits of the same data, of which the larger model leaves no more deviance",
          Double.toString(deviance()),
          larger,
          Double.toString(larger.deviance()));
    }
    return Optional.empty();
  }

  private Optional<String> differ(String must, String own, StoredFit other, String others) {
    return Optional.of(
        "%s and %s: must %s; got %s and %s".formatted(name, other.name, must, own, others));
  }
}
