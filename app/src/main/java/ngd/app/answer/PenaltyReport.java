package ngd.app.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.inference.ElasticNet;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.Figure;
import ngd.studies.report.Html;
import ngd.studies.report.Section;
import tools.jackson.databind.JsonNode;

/** Penalised estimates on an answer's page: the path, the curve of unseen rows, the choice. */
final class PenaltyReport {
  /** Curves beyond these make a figure that nobody reads. */
  private static final int MOST_CURVES = 12;

  private final JsonNode result;
  private final JsonNode penalty;
  private final JsonNode path;

  PenaltyReport(JsonNode result) {
    this.result = result;
    penalty = result.path("penalty");
    path = penalty.path("path");
  }

  List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    if (!result.path("coefficients").isEmpty()) {
      sections.add(new Section("Coefficients", coefficients()));
    }
    if (path.size() > 1) {
      sections.add(new Section("Path", path()));
    }
    if (penalty.path("folds").isNumber() && path.size() > 1) {
      sections.add(new Section("Cross-validation", validation()));
    }
    return sections;
  }

  private String shape() {
    return ElasticNet.parse(penalty.path("shape").asString()).words();
  }

  private Html coefficients() {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode line : result.path("coefficients")) {
      double value = line.path("estimate").asDouble();
      rows.add(
          List.of(
              line.path("term").asString(),
              value == 0 ? "0" : NumberText.text(value, 5).replace("-", "−")));
    }
    Html html =
        new Html()
            .paragraph(
                "%s with λ = %s%s."
                    .formatted(
                        shape().substring(0, 1).toUpperCase(Locale.ROOT) + shape().substring(1),
                        NumberText.text(penalty.path("lambda").asDouble(), 5),
                        penalty.path("select").isString()
                            ? ", chosen by cross-validation (%s)"
                                .formatted(penalty.path("select").asString())
                            : ""))
            .numbers(List.of("", "Estimate"), rows)
            .paragraph(
                "Standard errors, tests and intervals are withheld: "
                    + result.path("withheld").asString());
    result.path("notes").forEach(note -> html.paragraph("Note: " + note.asString()));
    return html;
  }

  /** How far down the path each λ is: the logarithm of the largest over it. */
  private double[] logarithms() {
    double largest = path.get(0).path("lambda").asDouble();
    return IntStream.range(0, path.size())
        .mapToDouble(l -> Math.log(largest / path.get(l).path("lambda").asDouble()))
        .toArray();
  }

  private double coefficient(int step, int j) {
    return path.get(step).path("coefficients").get(j).asDouble()
        * penalty.path("deviations").get(j).asDouble();
  }

  /** Refuses a result without anything to draw. */
  void requirePath(String name) {
    if (path.size() < 2) {
      throw new InvalidInput(
          "%s: must have a path of penalties, which is what is drawn; it has one penalty, whose estimates are in coefficients.csv and in ngd report"
              .formatted(name));
    }
  }

  /** The coefficients along the path, in units of their columns' deviations. */
  Figure figure() {
    List<Integer> penalised = new ArrayList<>();
    for (int j = 0; j < penalty.path("factors").size(); j++) {
      if (penalty.path("factors").get(j).asDouble() > 0) {
        penalised.add(j);
      }
    }
    int last = path.size() - 1;
    List<Integer> shown =
        penalised.stream()
            .sorted(Comparator.comparingDouble(j -> -Math.abs(coefficient(last, j))))
            .limit(MOST_CURVES)
            .sorted()
            .toList();
    List<String> labels = shown.stream().map(this::term).toList();
    CurveFigure figure =
        new CurveFigure(
            List.of(""),
            List.of(""),
            labels,
            "",
            "log (largest λ / λ)",
            "standardised coefficient",
            true);
    double[] x = logarithms();
    for (int j : shown) {
      figure.curve(
          "",
          "",
          term(j),
          x,
          IntStream.range(0, path.size()).mapToDouble(l -> coefficient(l, j)).toArray());
    }
    return figure.figure("Coefficients along the path of penalties");
  }

  private String term(int j) {
    return penalty.path("terms").get(j).asString();
  }

  private Html path() {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode step : path) {
      rows.add(
          List.of(
              NumberText.text(step.path("lambda").asDouble(), 5),
              step.path("nonzero").asString(),
              String.format(Locale.ROOT, "%.2f %%", 100 * step.path("explained").asDouble()),
              PenaltyTable.choice(penalty, step)));
    }
    return new Html()
        .figure(
            figure().svg("path"),
            "Coefficients in units of their columns' standard deviations, from the largest λ, at"
                + " the left, to the smallest.")
        .numbers(List.of("λ", "Not 0", "Deviance explained", "Choice"), rows);
  }

  private Html validation() {
    double[] x = logarithms();
    double[] mean = numbers("cvMean");
    double[] error = numbers("cvStdError");
    String label = "mean deviance";
    CurveFigure figure =
        new CurveFigure(
            List.of(""),
            List.of(""),
            List.of(label),
            "least and one standard error",
            "log (largest λ / λ)",
            "deviance of unseen rows",
            true);
    figure.curve("", "", label, x, mean);
    figure.band(
        "",
        "",
        label,
        x,
        IntStream.range(0, x.length).mapToDouble(l -> mean[l] - error[l]).toArray(),
        IntStream.range(0, x.length).mapToDouble(l -> mean[l] + error[l]).toArray());
    int least =
        IntStream.range(0, x.length)
            .filter(l -> PenaltyTable.choice(penalty, path.get(l)).contains("min"))
            .findFirst()
            .orElse(0);
    figure.reference("", "", mean[least] + error[least]);
    return new Html()
        .figure(
            figure.figure("Cross-validated deviance along the path").svg("validation"),
            "Mean deviance of a row that the model has not seen, of %s folds, with one standard error to both sides. λ with the least: %s; largest within one standard error of it, the dotted line: %s."
                .formatted(
                    penalty.path("folds").asString(),
                    NumberText.text(penalty.path("lambdaMin").asDouble(), 5),
                    NumberText.text(penalty.path("lambda1se").asDouble(), 5)));
  }

  private double[] numbers(String name) {
    return IntStream.range(0, path.size())
        .mapToDouble(l -> penalty.path(name).get(l).asDouble())
        .toArray();
  }
}
