package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.core.NumberText;
import ngd.core.inference.LogRankTest;
import ngd.core.inference.SurvivalCurve;
import ngd.core.inference.SurvivalCurves;
import ngd.core.model.Families;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/**
 * Survival curves of groups, with means, medians and tests; see docs/survival.md.
 *
 * @param gridNote how the times at which rows are counted came to be
 */
public record CurvesAnswer(
    ModelDescription model, SurvivalCurves curves, String gridNote, int sites, RowsUsed rowsUsed)
    implements Answer {

  /** Of curves that a question asked for. */
  public static CurvesAnswer of(
      SurvivalCurves curves,
      Question question,
      ModelDescription model,
      int sites,
      RowsUsed rowsUsed) {
    List<Double> times = curves.grid().times();
    String range =
        "%s, %s to %s"
            .formatted(
                NumberText.count(times.size(), "time"),
                NumberText.text(times.getFirst()),
                NumberText.text(times.getLast()));
    return new CurvesAnswer(
        model,
        curves,
        question.says(ModelKeys.TIMES)
            ? "times are rounded up to the grid that was given (%s)".formatted(range)
            : "times are rounded up to a grid (%s), the finest of a hundred steps that leaves every site none or enough rows in each interval"
                .formatted(range),
        sites,
        rowsUsed);
  }

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(List.of(gridNote));
    notes.addAll(curves.notes());
    return notes;
  }

  @Override
  public JsonObject json() {
    JsonObject json =
        new JsonObject()
            .put("model", model.describe(new JsonObject().put("family", Families.CURVES)))
            .put("curves", describe())
            .put("level", curves.settings().level())
            .put("notes", notes())
            .put("sites", sites);
    return rowsUsed.describe(json);
  }

  private JsonObject describe() {
    JsonObject json =
        new JsonObject()
            .put("times", curves.grid().times())
            .put("confType", curves.settings().type().word())
            .put("tau", curves.settings().tau())
            .put("groups", curves.curves().stream().map(this::json).toList())
            .put("logRank", curves.test().map(CurvesAnswer::json).orElse(null));
    if (curves.competing()) {
      List<JsonObject> causes = new ArrayList<>();
      for (int c = 0; c < curves.causes().size(); c++) {
        causes.add(
            new JsonObject()
                .put("cause", curves.causes().get(c))
                .put("logRank", curves.causeTests().get(c).map(CurvesAnswer::json).orElse(null)));
      }
      json.put("causes", causes);
    }
    return json;
  }

  private JsonObject json(SurvivalCurve curve) {
    JsonObject json =
        new JsonObject()
            .put("stratum", curve.stratum())
            .put("rows", curve.rows())
            .put("events", count(curve.events()))
            .put("restrictedMean", curve.restrictedMean())
            .put("restrictedMeanStdError", curve.restrictedMeanError())
            .put("median", optional(curve.median()))
            .put("medianLow", optional(curve.medianLow()))
            .put("medianHigh", optional(curve.medianHigh()))
            .put("points", curve.points().stream().map(p -> json(p, "survival")).toList());
    if (curves.competing()) {
      json.put(
          "incidences",
          curve.incidences().stream()
              .map(
                  one ->
                      new JsonObject()
                          .put("cause", one.cause())
                          .put("events", count(one.events()))
                          .put("timeLost", one.timeLost())
                          .put(
                              "points",
                              one.points().stream().map(p -> json(p, "incidence")).toList()))
              .toList());
    }
    return json;
  }

  private static JsonObject json(SurvivalCurve.Point point, String value) {
    return new JsonObject()
        .put("time", point.time())
        .put("atRisk", count(point.atRisk()))
        .put("events", count(point.events()))
        .put(value, point.value())
        .put("stdError", point.standardError())
        .put("low", point.low())
        .put("high", point.high());
  }

  private static JsonObject json(LogRankTest test) {
    return new JsonObject()
        .put("statistic", test.test().statistic())
        .put("df", test.test().freedom())
        .put("pValue", test.test().pValue())
        .put(
            "groups",
            test.groups().stream()
                .map(
                    group ->
                        new JsonObject()
                            .put("stratum", group.stratum())
                            .put("observed", count(group.observed()))
                            .put("expected", group.expected()))
                .toList());
  }

  /** Rows, or the sum of their weights. */
  private static Number count(double sum) {
    if (sum == Math.rint(sum)) {
      return Math.round(sum);
    }
    return sum;
  }

  private static @Nullable Double optional(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    List<List<String>> survival = new ArrayList<>();
    survival.add(
        List.of("stratum", "time", "at_risk", "events", "survival", "std_error", "lower", "upper"));
    List<List<String>> incidence = new ArrayList<>();
    incidence.add(
        List.of(
            "stratum",
            "cause",
            "time",
            "at_risk",
            "events",
            "incidence",
            "std_error",
            "lower",
            "upper"));
    for (SurvivalCurve curve : curves.curves()) {
      curve.points().forEach(point -> survival.add(line(List.of(curve.stratum()), point)));
      for (SurvivalCurve.Incidence one : curve.incidences()) {
        List<String> names = List.of(curve.stratum(), Integer.toString(one.cause()));
        one.points().forEach(point -> incidence.add(line(names, point)));
      }
    }
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put("curves.csv", RunFolder.csv(survival));
    if (curves.competing()) {
      files.put("incidence.csv", RunFolder.csv(incidence));
    }
    return files;
  }

  private static List<String> line(List<String> names, SurvivalCurve.Point point) {
    List<String> line = new ArrayList<>(names);
    line.add(Double.toString(point.time()));
    line.add(count(point.atRisk()).toString());
    line.add(count(point.events()).toString());
    for (double value :
        new double[] {point.value(), point.standardError(), point.low(), point.high()}) {
      line.add(Double.isNaN(value) ? "" : Double.toString(value));
    }
    return line;
  }
}
