package ngd.app.answer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.data.Table;
import ngd.core.model.Categories;
import ngd.core.run.StoredRun;
import ngd.studies.figure.AgreementFigure;
import ngd.studies.figure.Figure;
import ngd.studies.figure.ForestFigure;
import ngd.studies.report.Html;
import ngd.studies.report.Page;
import ngd.studies.report.Section;
import org.apache.commons.statistics.distribution.NormalDistribution;
import tools.jackson.databind.JsonNode;

/**
 * The page that shows a pooled answer, coefficients or survival curves, from its {@code
 * result.json}: the same for a fit, a rehearsal and a real peer's answer.
 */
public final class AnswerReport {
  /** Lines beyond these make a figure that nobody reads. */
  private static final int MOST_LINES = 150;

  private final JsonNode result;
  private final JsonNode coefficients;
  private final double level;

  private AnswerReport(JsonNode result) {
    this.result = result;
    coefficients = result.path("coefficients");
    level = result.path("level").asDouble(0.95);
  }

  /**
   * The page of a result.
   *
   * @param name what it was read from, for complaints
   */
  public static String html(String name, JsonNode result) {
    AnswerReport report = of(name, result);
    return Page.html(report.title(), report.opening(), report.sections());
  }

  /** The figure of a result: a forest plot, or survival curves. */
  public static Figure figure(String name, JsonNode result) {
    if (CurvesTable.fits(result)) {
      return new CurvesReport(result).figure();
    }
    if (PenaltyTable.fits(result)) {
      PenaltyReport penalised = new PenaltyReport(result);
      penalised.requirePath(name);
      return penalised.figure();
    }
    AnswerReport report = of(name, result);
    return report.forest(result.path("exponentiated").asBoolean(false));
  }

  /** Whether a result has a page and a figure: a pooled answer, with what it claims of them. */
  public static boolean fits(JsonNode result) {
    return CurvesTable.fits(result)
        || PenaltyTable.fits(result)
        || ((result.path("deviance").isNumber() || result.path("imputation").isObject())
            && !result.path("coefficients").isEmpty()
            && !result.at("/model/family").asString("").isEmpty());
  }

  private static AnswerReport of(String name, JsonNode result) {
    if (!fits(result)) {
      throw new InvalidInput(
          "%s: must be from a pooled fit (ngd fit without --alpha and --algorithm)"
              .formatted(name));
    }
    return new AnswerReport(result);
  }

  private String title() {
    return result.at("/model/formula").asString("");
  }

  private String family() {
    return capital(result.at("/model/family").asString().replace('-', ' '));
  }

  private boolean mixed() {
    return result.path("mixed").isObject();
  }

  private List<String> opening() {
    List<String> opening = new ArrayList<>();
    long rows = result.path("rows").asLong();
    opening.add(
        "%s: %s at %s%s."
            .formatted(
                mixed()
                    ? capital(MixedTable.name(result))
                    : CurvesTable.fits(result)
                        ? new CurvesReport(result).opening()
                        : "%s regression with %s link"
                            .formatted(family(), result.at("/model/link").asString("")),
                NumberText.count(rows, "row"),
                NumberText.count(result.path("sites").asLong(), "site"),
                result.path("rowsDropped").asLong(0) > 0
                    ? "; %d more were left out for missing values"
                        .formatted(result.path("rowsDropped").asLong())
                    : ""));
    if (result.has("site")) {
      opening.add(
          "As site %s has it, under plan %s."
              .formatted(result.path("site").asString(), result.path("plan").asString("")));
    }
    return opening;
  }

  private List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    if (CurvesTable.fits(result)) {
      sections.addAll(new CurvesReport(result).sections());
    } else if (PenaltyTable.fits(result)) {
      sections.addAll(new PenaltyReport(result).sections());
    } else {
      addModel(sections);
    }
    if (!result.path("exposure").isEmpty()) {
      sections.add(new Section("What sites could learn of each other", exposure()));
    }
    return sections;
  }

  private void addModel(List<Section> sections) {
    sections.add(new Section("Coefficients", coefficients()));
    if (mixed()) {
      sections.add(new Section("Random effects", random()));
    }
    if (result.path("anova").isObject()) {
      sections.add(new Section("Terms", terms()));
    }
    if (!result.path("tests").isEmpty()) {
      sections.add(new Section("Tests", tests()));
    }
    if (result.path("meta").isObject()) {
      sections.add(
          new Section(
              "Meta-analysis",
              new Html()
                  .paragraph(
                      "The own estimates of %s put together, beside the pooled estimate; from pooled in its standard errors."
                          .formatted(NumberText.count(result.at("/meta/sites").asLong(), "site")))
                  .numbers(MetaTable.HEAD, MetaTable.lines(result))));
    }
    if (result.path("imputation").isObject()) {
      sections.add(
          new Section(
              "Imputation",
              new Html()
                  .paragraph(ImputedTable.words(result) + ".")
                  .numbers(ImputedTable.HEAD, ImputedTable.lines(result))));
      return;
    }
    if (result.path("weighting").isObject()) {
      sections.add(
          new Section(
              "Weights and balance",
              new Html()
                  .paragraph(WeightingTable.words(result))
                  .numbers(WeightingTable.HEAD, WeightingTable.lines(result))));
    }
    sections.add(new Section("Fit", fit()));
    if (!result.path("calibration").isEmpty()) {
      sections.add(new Section("Predictions and responses", agreement()));
    }
    if (result.path("residuals").isObject()) {
      sections.add(new Section("Residuals", residuals()));
    }
  }

  private Html exposure() {
    Html html = new Html();
    for (JsonNode sentence : result.path("exposure")) {
      html.paragraph(capital(sentence.asString()) + ".");
    }
    return html;
  }

  /** The levels of a response that is one of several: in order, or with the baseline. */
  static String levels(JsonNode result) {
    List<String> levels = new ArrayList<>();
    result.at("/model/classes").forEach(level -> levels.add(level.asString()));
    return result.at("/model/family").asString("").equals(Categories.ORDERED)
        ? String.join(" < ", levels)
        : "%s (baseline %s)".formatted(String.join(", ", levels), levels.getFirst());
  }

  private static String number(JsonNode value, int digits) {
    return value.isNumber() ? sign(NumberText.text(value.asDouble(), digits)) : "–";
  }

  private static String sign(String number) {
    return number.replace("-", "−");
  }

  private static String chance(JsonNode value) {
    return value.isNumber() ? sign(PooledTable.chance(value.asDouble())) : "–";
  }

  private Optional<String> ratio() {
    JsonNode name = result.path("ratio");
    return name.isString() ? Optional.of(capital(name.asString())) : Optional.empty();
  }

  private static String capital(String words) {
    return words.isEmpty()
        ? words
        : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private Html coefficients() {
    Html html = new Html();
    boolean ratios = ratio().isPresent();
    html.figure(
        forest(ratios).svg("forest"),
        ratios
            ? "%ss with their intervals, each on a logarithmic scale of its own. Blue where the interval does not hold 1."
                .formatted(ratio().orElseThrow())
            : "Coefficients with their intervals, each on a scale of its own. Blue where the"
                + " interval does not hold 0.");
    String letter = result.path("statistic").asString("z");
    List<String> head =
        new ArrayList<>(
            List.of(
                "",
                "Estimate",
                result.path("covariance").asString("model").startsWith("model")
                    ? "Std. error"
                    : "Robust SE",
                letter + " value",
                "p",
                IntervalNames.low(level),
                IntervalNames.high(level)));
    ratio()
        .ifPresent(
            name ->
                head.addAll(List.of(name, IntervalNames.low(level), IntervalNames.high(level))));
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode one : coefficients) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  one.path("term").asString(),
                  number(one.path("estimate"), 5),
                  number(one.path("stdError"), 4),
                  number(one.path("statistic"), 4),
                  chance(one.path("pValue")),
                  number(one.path("confLow"), 5),
                  number(one.path("confHigh"), 5)));
      if (ratios) {
        row.addAll(
            List.of(
                number(one.path("ratio"), 5),
                number(one.path("ratioLow"), 5),
                number(one.path("ratioHigh"), 5)));
      }
      rows.add(row);
    }
    html.numbers(head, rows);
    if (result.path("withheld").isString()) {
      html.paragraph(
          "Standard errors, tests and intervals are withheld: "
              + result.path("withheld").asString());
    }
    for (JsonNode note : result.path("notes")) {
      html.paragraph("Note: " + note.asString());
    }
    return html;
  }

  /** All coefficients but the intercept, unless that is all there is. */
  private Figure forest(boolean ratios) {
    List<String> heads =
        List.of(
            ratios ? ratio().orElse("Ratio") : "Estimate",
            IntervalNames.low(level),
            IntervalNames.high(level));
    ForestFigure figure = new ForestFigure(heads, ratios);
    int lines = 0;
    for (JsonNode one : coefficients) {
      boolean intercept =
          one.path("term").asString().equals(Table.INTERCEPT)
              || one.path("ofLevel").asBoolean(false);
      if ((!intercept || coefficients.size() == 1) && lines < MOST_LINES) {
        lines++;
        figure.add(
            one.path("term").asString(),
            one.path(ratios ? "ratioLow" : "confLow").asDouble(Double.NaN),
            one.path(ratios ? "ratio" : "estimate").asDouble(Double.NaN),
            one.path(ratios ? "ratioHigh" : "confHigh").asDouble(Double.NaN));
      }
    }
    return figure.figure("Forest plot of the coefficients");
  }

  /** The variances of effects that groups have of their own. */
  private Html random() {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode group : result.at("/mixed/groups")) {
      for (int i = 0; i < group.path("effects").size(); i++) {
        JsonNode effect = group.path("effects").get(i);
        List<String> correlations = new ArrayList<>();
        group.path("correlations").path(i).forEach(one -> correlations.add(number(one, 3)));
        rows.add(
            List.of(
                group.path("group").asString(),
                effect.path("effect").asString(),
                number(effect.path("variance"), 5),
                number(effect.path("sd"), 5),
                String.join(", ", correlations),
                group.path("groups").asString()));
      }
    }
    if (result.at("/mixed/residual").isObject()) {
      rows.add(
          List.of(
              "Residual",
              "",
              number(result.at("/mixed/residual/variance"), 5),
              number(result.at("/mixed/residual/sd"), 5),
              "",
              ""));
    }
    return new Html()
        .numbers(
            List.of(
                "Groups",
                "Effect",
                "Variance",
                "Std. dev.",
                "Correlation with those above",
                "Number"),
            rows);
  }

  private Html terms() {
    JsonNode tests = result.path("anova");
    boolean f = tests.path("distribution").asString().equals("F");
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode line : tests.path("terms")) {
      rows.add(
          List.of(
              line.path("term").asString(),
              line.path("df").asString(),
              number(line.path("deviance"), 5),
              line.path("dfResidual").asString(),
              number(line.path("residualDeviance"), 6),
              number(line.path("statistic"), 5),
              chance(line.path("pValue"))));
    }
    return new Html()
        .paragraph(
            "Terms added one after the other, each tested against the model before it by %s."
                .formatted(f ? "F" : "a likelihood-ratio test"))
        .numbers(
            List.of("", "df", "Deviance", "Residual df", "Residual deviance", f ? "F" : "χ²", "p"),
            rows);
  }

  /** Tests of linear equations in the coefficients. */
  private Html tests() {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode test : result.path("tests")) {
      for (JsonNode line : test.path("equations")) {
        rows.add(
            List.of(
                line.path("equation").asString(),
                number(line.path("estimate"), 5),
                number(line.path("stdError"), 4),
                number(line.path("confLow"), 5),
                number(line.path("confHigh"), 5),
                "",
                "",
                chance(line.path("pValue"))));
      }
      for (String kind : List.of("wald", "likelihoodRatio")) {
        JsonNode one = test.path(kind);
        if (one.isObject()) {
          rows.add(
              List.of(
                  kind.equals("wald") ? "Wald test" : "Likelihood-ratio test",
                  "",
                  "",
                  "",
                  "",
                  "%s = %s"
                      .formatted(
                          one.path("distribution").asString().equals("F") ? "F" : "χ²",
                          number(one.path("statistic"), 5)),
                  one.path("df").asString(),
                  chance(one.path("pValue"))));
        }
      }
    }
    return new Html()
        .paragraph("Linear equations in the coefficients, left side less right side.")
        .numbers(
            List.of(
                "",
                "Estimate",
                "Std. error",
                IntervalNames.low(level),
                IntervalNames.high(level),
                "Statistic",
                "df",
                "p"),
            rows);
  }

  private Html fit() {
    List<List<String>> rows = new ArrayList<>();
    if (mixed()) {
      rows.add(
          List.of(
              result.at("/mixed/reml").asBoolean()
                  ? "REML criterion"
                  : "−2 log-likelihood" + MixedTable.integral(result.path("mixed")),
              number(result.at("/mixed/criterion"), 7)));
    } else {
      rows.add(List.of("Null deviance", onDegrees("nullDeviance", "dfNull")));
      rows.add(List.of("Residual deviance", onDegrees("deviance", "dfResidual")));
    }
    if (result.at("/model/classes").isArray()) {
      rows.add(List.of("Levels", levels(result)));
    }
    for (String[] line :
        List.of(
            new String[] {
              result.at("/mixed/residual").isObject() ? "Residual variance" : "Dispersion",
              "dispersion"
            },
            new String[] {"Log-likelihood", "logLikelihood"},
            new String[] {"AIC", "aic"},
            new String[] {"BIC", "bic"},
            new String[] {"R²", "r2"},
            new String[] {"Adjusted R²", "adjustedR2"},
            new String[] {"McFadden's R²", "mcFaddenR2"})) {
      if (result.path(line[1]).isNumber()) {
        rows.add(List.of(line[0], number(result.path(line[1]), 6)));
      }
    }
    if (result.at("/model/thetaStdError").isNumber()) {
      rows.add(
          List.of(
              "Theta",
              "%s, standard error %s"
                  .formatted(
                      number(result.at("/model/theta"), 5),
                      number(result.at("/model/thetaStdError"), 4))));
    }
    JsonNode test = result.path("heterogeneity");
    if (test.isObject()) {
      rows.add(
          List.of(
              "Heterogeneity between sites",
              "%s = %s, p %s"
                  .formatted(
                      test.path("distribution").asString().equals("F") ? "F" : "χ²",
                      number(test.path("statistic"), 4),
                      "= %s".formatted(chance(test.path("pValue"))).replace("= <", "< "))));
    }
    if (result.path("covariance").isString()) {
      rows.add(List.of("Standard errors", result.path("covariance").asString()));
    }
    return new Html().numbers(List.of("", ""), rows);
  }

  private String onDegrees(String deviance, String freedom) {
    return "%s on %s degrees of freedom"
        .formatted(number(result.path(deviance), 6), result.path(freedom).asString());
  }

  private Html agreement() {
    JsonNode area = result.path("discrimination");
    boolean binary = result.at("/model/family").asString("").equals("binomial");
    // Where rows have weights, a share of them has no such interval.
    boolean intervals = area.path("stdError").isNumber();
    List<AgreementFigure.Point> points = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode group : result.path("calibration")) {
      double observed = group.path("observed").asDouble();
      double[] ends = intervals ? wilson(observed, group.path("rows").asDouble()) : NO_INTERVAL;
      points.add(
          new AgreementFigure.Point(
              group.path("predicted").asDouble(), observed, ends[0], ends[1]));
      rows.add(
          List.of(
              "%s to %s".formatted(limit(group.path("from"), "−∞"), limit(group.path("to"), "∞")),
              group.path("rows").asString(),
              number(group.path("predicted"), 4),
              number(group.path("observed"), 4)));
    }
    AgreementFigure figure = new AgreementFigure();
    figure.points("Calibration", "mean prediction", "mean response", binary, points);
    Html html = new Html();
    if (area.isObject()) {
      List<AgreementFigure.Point> curve = new ArrayList<>();
      for (JsonNode point : area.path("curve")) {
        curve.add(
            new AgreementFigure.Point(
                point.path("falsePositive").asDouble(),
                point.path("truePositive").asDouble(),
                Double.NaN,
                Double.NaN));
      }
      figure.curve(
          "AUC " + number(area.path("auc"), 4), "false positive rate", "true positive rate", curve);
      html.paragraph(
          "Area under the curve: %s%s; within %s of that of the rows one by one. Brier score: %s. Both are of the rows of the fit, and so a little better than new rows would give."
              .formatted(
                  number(area.path("auc"), 4),
                  area.path("confLow").isNumber()
                      ? " (%s: %s, %s: %s)"
                          .formatted(
                              IntervalNames.low(level),
                              number(area.path("confLow"), 4),
                              IntervalNames.high(level),
                              number(area.path("confHigh"), 4))
                      : "",
                  number(area.path("aucWithin"), 2),
                  number(area.path("brier"), 4)));
    }
    return html.figure(
            figure.figure("Predictions against responses").svg("agreement"),
            "Calibration: groups of rows with neighbouring predictions, of all sites together%s; on the dashed line predictions are right on average.%s"
                .formatted(
                    intervals ? ", with intervals of the observed share" : "",
                    area.isObject()
                        ? " Beside it the receiver operating characteristic; the dashed line is"
                            + " chance."
                        : ""))
        .numbers(List.of("Prediction", "Rows", "Mean prediction", "Mean response"), rows);
  }

  private static String limit(JsonNode value, String otherwise) {
    return value.isNumber() ? number(value, 3) : otherwise;
  }

  private static final double[] NO_INTERVAL = {Double.NaN, Double.NaN};

  /** Wilson's interval of a share. */
  private double[] wilson(double share, double n) {
    double z = NormalDistribution.of(0, 1).inverseSurvivalProbability((1 - level) / 2);
    double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    double reach = z / (1 + z * z / n) * Math.sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return new double[] {middle - reach, middle + reach};
  }

  private Html residuals() {
    JsonNode found = result.path("residuals");
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode quantile : found.path("quantiles")) {
      rows.add(
          List.of(
              NumberText.text(100 * quantile.path("share").asDouble(), 4) + " %",
              number(quantile.path("value"), 4)));
    }
    for (String[] line :
        List.of(
            new String[] {"Mean", "mean"},
            new String[] {"Standard deviation", "deviation"},
            new String[] {"Skewness", "skewness"},
            new String[] {"Excess kurtosis", "kurtosis"})) {
      rows.add(List.of(line[0], number(found.path(line[1]), 4)));
    }
    return new Html()
        .paragraph(
            "Deviance residuals of all rows together. Quantiles come from counts on a grid and are within %s; single residuals, and so the smallest and the largest, are not told."
                .formatted(number(found.path("quantilesWithin"), 2)))
        .numbers(List.of("", "Deviance residuals"), rows);
  }

  /** The page of a stored result. */
  public static String of(Path file) {
    return html(file.toString(), StoredRun.object(file));
  }
}
