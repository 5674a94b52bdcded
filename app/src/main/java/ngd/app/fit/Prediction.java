package ngd.app.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.data.NumericText;
import ngd.core.data.RandomFeatures;
import ngd.core.data.SiteTable;
import ngd.core.data.Table;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Design;
import ngd.core.formula.Frame;
import ngd.core.formula.RowValues;
import ngd.core.formula.Variable;
import ngd.core.model.Categories;
import ngd.core.model.Glm;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/** A model's predictions for the rows of a table, which must have the columns that it needs. */
final class Prediction {
  private final FittedModel model;
  private final SiteTable table;
  private final boolean response;
  private final boolean interval;
  private final double[] covariance;
  private final Frame frame;
  private final Design design;
  private final double criticalValue;
  private final @Nullable Categories classes;

  Prediction(FittedModel model, SiteTable table, boolean response, boolean interval) {
    this.model = model;
    this.table = table;
    this.response = response;
    this.interval = interval;
    covariance = interval ? model.covariance() : new double[0];
    frame = Frame.of(model.formula(), columns());
    requireColumns();
    Map<Variable, List<String>> levels = new HashMap<>();
    for (Variable factor : frame.factors()) {
      levels.put(factor, model.levels().getOrDefault(factor.text(), List.of()));
    }
    design =
        Design.of(
            frame, levels, model.bases(frame), model.levels().getOrDefault(Frame.SITE, List.of()));
    classes = model.regression() instanceof Categories asked ? asked.of(design) : null;
    if (classes != null) {
      requireClasses();
    }
    double tail = (1 - model.level()) / 2;
    criticalValue =
        model.freedom().isPresent()
            ? TDistribution.of(model.freedom().getAsDouble()).inverseSurvivalProbability(tail)
            : NormalDistribution.of(0, 1).inverseSurvivalProbability(tail);
  }

  private void requireClasses() {
    if (!response) {
      throw new InvalidInput(
          "--type: must be response where the response is one of several levels, which have"
              + " probabilities; got `link`");
    }
    if (interval) {
      throw new InvalidInput(
          "--interval: does not work where the response is one of several levels");
    }
  }

  /**
   * The fit's columns; where it had effects of its sites, the table says which site a row is at.
   */
  private List<Column> columns() {
    List<Column> columns = new ArrayList<>(model.columns());
    boolean known = columns.stream().anyMatch(column -> column.name().equals(Frame.SITE));
    if (model.levels().containsKey(Frame.SITE) && !known) {
      columns.add(new Column(Frame.SITE, ColumnType.TEXT));
    }
    return columns;
  }

  private void requireColumns() {
    Map<String, ColumnType> here = new HashMap<>();
    table.columns().forEach(column -> here.put(column.name(), column.type()));
    SequencedSet<String> needed = new LinkedHashSet<>();
    frame.predictors().forEach(expression -> needed.addAll(expression.columns()));
    List<String> problems = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (Column column : frame.columns()) {
      if (!needed.contains(column.name())) {
        continue;
      }
      ColumnType found = here.get(column.name());
      if (found == null) {
        problems.add(
            "%s: must have the column `%s`, which the model uses; it does not%s"
                .formatted(
                    table.source(), column.name(), NearestName.hint(column.name(), here.keySet())));
      } else if (found != column.type() && found != ColumnType.EMPTY) {
        problems.add(
            "%s: the column `%s` must hold %s as in the fitted data; it holds %s"
                .formatted(table.source(), column.name(), column.type().words(), found.words()));
        if (found == ColumnType.TEXT) {
          texts.add(column.name());
        }
      }
    }
    problems.addAll(NumericText.warnings(table, texts));
    if (!problems.isEmpty()) {
      throw new InvalidInput(String.join("\n", problems));
    }
  }

  /** Hands over the lines of a CSV file, its header first. */
  void write(Consumer<String> lines) {
    lines.accept(head());
    int p = design.coefficients().size();
    if (model.random() == null && p != model.theta().length) {
      throw new InvalidInput(
          "the model has %d coefficients, its formula and levels give %d: was result.json edited?"
              .formatted(model.theta().length, p));
    }
    double[] x = new double[design.columns().size()];
    long[] row = {0};
    table.scan(frame.predictors(), values -> lines.accept(++row[0] + predicted(values, x, row[0])));
  }

  private String head() {
    if (classes == null) {
      return interval ? "row,prediction,conf_low,conf_high" : "row,prediction";
    }
    return "row,prediction"
        + classes.classes().stream()
            .map(level -> "," + quoted("p(%s)".formatted(level)))
            .collect(Collectors.joining());
  }

  /** A field of a CSV file. */
  private static String quoted(String text) {
    return text.matches("[^,\"\r\n]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }

  private String predicted(RowValues values, double[] x, long row) {
    if (!frame.isComplete(values, frame.predictors().size())) {
      return ",".repeat(classes != null ? 1 + classes.classes().size() : interval ? 3 : 1);
    }
    try {
      design.expand(values, 0, x);
    } catch (InvalidInput e) {
      throw new InvalidInput("%s, row %d: %s".formatted(table.source(), row, e.getMessage()), e);
    }
    if (classes != null) {
      return likely(classes, classes.probabilities(model.theta(), x, frame.offset(values)));
    }
    double[] features = features(x);
    double eta = Glm.dot(features, model.theta()) + frame.offset(values);
    String prediction = "," + shown(response ? model.regression().mean(eta) : eta);
    if (!interval) {
      return prediction;
    }
    double reach = criticalValue * Math.sqrt(variance(features));
    double one = end(eta - reach, eta);
    double other = end(eta + reach, eta);
    return prediction
        + ",%s,%s".formatted(shown(Math.min(one, other)), shown(Math.max(one, other)));
  }

  private double end(double eta, double inside) {
    if (!response) {
      return eta;
    }
    return model.regression() instanceof Glm glm
        ? glm.end(eta, inside)
        : model.regression().mean(eta);
  }

  /** The level that is most likely, the first of equals, and the probability of each. */
  private static String likely(Categories classes, double[] shares) {
    int most = 0;
    for (int k = 1; k < shares.length; k++) {
      most = shares[k] > shares[most] ? k : most;
    }
    return ","
        + quoted(classes.classes().get(most))
        + Arrays.stream(shares)
            .mapToObj(share -> "," + Double.toString(share))
            .collect(Collectors.joining());
  }

  /** The numbers that the coefficients belong to: those of the formula, or random features. */
  private double[] features(double[] x) {
    RandomFeatures.Drawn random = model.random();
    if (random == null) {
      return x;
    }
    boolean intercept = design.columns().getFirst().equals(Table.INTERCEPT);
    double[] features = new double[model.theta().length];
    random.of(Arrays.copyOfRange(x, intercept ? 1 : 0, x.length), features);
    return features;
  }

  private double variance(double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        sum += x[i] * covariance[i * x.length + j] * x[j];
      }
    }
    return sum;
  }

  private static String shown(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "";
  }
}
