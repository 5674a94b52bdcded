package ngd.app.fit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.app.answer.CurvesTable;
import ngd.app.answer.PenaltyTable;
import ngd.core.InvalidInput;
import ngd.core.data.RandomFeatures;
import ngd.core.formula.Basis;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Formula;
import ngd.core.formula.Frame;
import ngd.core.formula.Variable;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.Families;
import ngd.core.model.Losses;
import ngd.core.model.Regression;
import ngd.core.model.Ties;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The model that {@code result.json} describes (docs/estimates.md). */
final class FittedModel {
  private final Regression regression;
  private final Formula formula;
  private final List<Column> columns;
  private final Map<String, List<String>> levels;
  private final Map<String, Map<String, List<Double>>> bases;
  private final double[] theta;
  private final double @Nullable [] covariance;
  private final String withheld;
  private final double level;
  private final OptionalDouble freedom;
  private final RandomFeatures.@Nullable Drawn random;

  private FittedModel(JsonNode json) {
    JsonNode model = required(json, "model");
    JsonNode given = model.get("theta");
    String family = required(model, "family").asString();
    regression =
        family.equals(Cox.FAMILY)
            ? new Cox(Ties.parse(required(required(json, "cox"), "ties").asString()))
            : !Losses.ofFamily(family)
                ? (Regression) Losses.parse(family).loss()
                : Families.ofClasses(family)
                    ? Families.classes(family, Optional.of(required(model, "link").asString()))
                    : Families.parse(
                        family,
                        Optional.of(required(model, "link").asString()),
                        given == null
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(given.asDouble()));
    Formula written = Formula.parse(required(model, "formula").asString()).withoutRandom();
    formula =
        regression instanceof Categories classes
            ? written.ofClasses(List.of(), classes.ordered())
            : written;
    columns = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : required(model, "columns").properties()) {
      columns.add(
          new Column(
              entry.getKey(),
              ColumnType.valueOf(entry.getValue().asString().toUpperCase(Locale.ROOT))));
    }
    levels = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : required(model, "levels").properties()) {
      List<String> own = new ArrayList<>();
      entry.getValue().forEach(level -> own.add(level.asString()));
      levels.put(entry.getKey(), own);
    }
    bases = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : model.path("bases").properties()) {
      Map<String, List<Double>> own = new HashMap<>();
      for (Map.Entry<String, JsonNode> numbers : entry.getValue().properties()) {
        List<Double> list = new ArrayList<>();
        numbers.getValue().forEach(number -> list.add(number.asDouble()));
        own.put(numbers.getKey(), list);
      }
      bases.put(entry.getKey(), own);
    }
    JsonNode features = model.get("randomFeatures");
    // The intercept is not a column; the response is.
    random =
        features == null
            ? null
            : RandomFeatures.parse(features.asString())
                .draw(columns.size() - 1, Streams.of(required(model, "seed").asLong()));
    JsonNode coefficients = required(json, "coefficients");
    if (PenaltyTable.fits(json) && coefficients.isEmpty()) {
      throw new InvalidInput(
          "--model: must have a penalty that was chosen; the fit has a path alone (--folds 0); ask"
              + " with --folds, or for one --lambda");
    }
    int p = coefficients.size();
    double[] told = new double[p];
    for (int i = 0; i < p; i++) {
      told[i] = coefficients.get(i).get("estimate").asDouble();
    }
    // Penalised coefficients are of every class; those beside the first class's say as much.
    theta =
        PenaltyTable.fits(json) && regression instanceof Categories
            ? beside(told, p / required(model, "classes").size())
            : told;
    JsonNode reason = json.get("withheld");
    withheld = reason == null || reason.isNull() ? "" : reason.asString();
    covariance = withheld.isEmpty() ? matrix(required(json, "vcov"), p) : null;
    level = required(json, "level").asDouble();
    freedom =
        required(json, "statistic").asString().equals("t")
            ? OptionalDouble.of(required(json, "dfStatistic").asDouble())
            : OptionalDouble.empty();
  }

  /** The coefficients of all classes but the first beside those of the first, its columns first. */
  private static double[] beside(double[] all, int columns) {
    double[] beside = new double[all.length - columns];
    Arrays.setAll(beside, t -> all[columns + t] - all[t % columns]);
    return beside;
  }

  private static double[] matrix(JsonNode rows, int p) {
    double[] matrix = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j < p; j++) {
        matrix[i * p + j] = rows.get(i).get(j).asDouble(Double.NaN);
      }
    }
    return matrix;
  }

  /** Reads the model of a run folder, or of the file itself. */
  static FittedModel read(Path path) {
    Path file = Files.isDirectory(path) ? path.resolve("result.json") : path;
    if (!Files.isRegularFile(file)) {
      throw new InvalidInput(
          "--model: must be a run folder written by ngd fit, or its result.json; %s does not exist"
              .formatted(file));
    }
    boolean curves = false;
    try {
      JsonNode json = JsonMapper.shared().readTree(file.toFile());
      curves = CurvesTable.fits(json);
      return new FittedModel(json);
    } catch (JacksonException | IllegalArgumentException | NullPointerException e) {
      throw new InvalidInput(
          (curves
                  ? "--model: %s must have coefficients to predict with; it has survival curves,"
                      + " which are in curves.csv"
                  : "--model: %s must be from a pooled fit (ngd fit without --alpha and"
                      + " --algorithm)")
              .formatted(file),
          e);
    }
  }

  private static JsonNode required(JsonNode object, String key) {
    JsonNode value = object.get(key);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException(key);
    }
    return value;
  }

  Regression regression() {
    return regression;
  }

  Formula formula() {
    return formula;
  }

  /** The columns of the tables that it was fitted to. */
  List<Column> columns() {
    return List.copyOf(columns);
  }

  /** Each factor's levels, the reference first, by the factor's text. */
  Map<String, List<String>> levels() {
    return levels;
  }

  /** The functions of numbers with the knots, centres and the like of the fit. */
  Map<Variable, Basis> bases(Frame frame) {
    Map<Variable, Basis> known = new HashMap<>();
    for (Variable variable : frame.bases()) {
      Map<String, List<Double>> numbers = bases.get(variable.text());
      if (numbers == null) {
        throw new InvalidInput(
            "--model: the knots, or centre and scale, of %s must be in result.json; they are not"
                .formatted(variable.text()));
      }
      known.put(variable, Basis.of(variable.basis().orElseThrow(), numbers));
    }
    return known;
  }

  /** What stands in the place of the formula's columns; null where they stand for themselves. */
  RandomFeatures.@Nullable Drawn random() {
    return random;
  }

  double[] theta() {
    return theta;
  }

  /**
   * The coefficients' covariance, row by row.
   *
   * @throws InvalidInput where the fit withheld it, with the reason
   */
  double[] covariance() {
    double[] known = covariance;
    if (known == null) {
      throw new InvalidInput(
          "--interval: needs the covariance of the coefficients, which the fit withheld: "
              + withheld);
    }
    return known;
  }

  /** The coverage of its intervals. */
  double level() {
    return level;
  }

  /** The degrees of freedom of its t statistics; empty where they are z. */
  OptionalDouble freedom() {
    return freedom;
  }
}
