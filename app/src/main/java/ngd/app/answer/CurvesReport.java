package ngd.app.answer;

import java.util.ArrayList;
import java.util.List;
import ngd.core.NumberText;
import ngd.studies.figure.Figure;
import ngd.studies.figure.SurvivalFigure;
import ngd.studies.report.Html;
import ngd.studies.report.Section;
import tools.jackson.databind.JsonNode;

/** Survival curves on an answer's page: figures with numbers at risk, groups, tests. */
final class CurvesReport {
  /** Curves beyond these make a figure that nobody reads. */
  private static final int MOST_CURVES = 12;

  private final JsonNode curves;
  private final JsonNode notes;
  private final double level;

  CurvesReport(JsonNode result) {
    curves = result.path("curves");
    notes = result.path("notes");
    level = result.path("level").asDouble(0.95);
  }

  String opening() {
    return CurvesTable.title(competing());
  }

  private boolean competing() {
    return !curves.path("causes").isEmpty();
  }

  List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    sections.add(new Section("Survival", survival()));
    if (competing()) {
      sections.add(new Section("Cumulative incidence", incidence()));
    }
    if (curves.path("logRank").isObject()) {
      sections.add(new Section("Differences between groups", tests()));
    }
    return sections;
  }

  /** All curves with the numbers at risk: survival and, below it, the incidence of each cause. */
  Figure figure() {
    List<Figure> figures = new ArrayList<>(List.of(survivalFigure()));
    for (int c = 0; c < curves.path("causes").size(); c++) {
      figures.add(incidenceFigure(c));
    }
    return Figure.stacked(
        "Survival curves and cumulative incidences with numbers at risk", figures);
  }

  private Figure survivalFigure() {
    SurvivalFigure figure = new SurvivalFigure("survival", 1);
    for (JsonNode group : shown()) {
      figure.add(name(group), steps(group, "survival"));
    }
    return figure.figure("Survival curves with numbers at risk");
  }

  private Figure incidenceFigure(int c) {
    String cause = cause(c);
    SurvivalFigure figure = new SurvivalFigure("incidence of cause " + cause, 0);
    for (JsonNode group : shown()) {
      figure.add(name(group), steps(group.path("incidences").get(c), "incidence"));
    }
    return figure.figure("Cumulative incidence of cause " + cause);
  }

  private String cause(int c) {
    return curves.path("causes").get(c).path("cause").asString();
  }

  private List<JsonNode> shown() {
    List<JsonNode> shown = new ArrayList<>();
    curves.path("groups").forEach(shown::add);
    return shown.subList(0, Math.min(MOST_CURVES, shown.size()));
  }

  private static String name(JsonNode group) {
    String stratum = group.path("stratum").asString("");
    return stratum.isEmpty() ? "all" : stratum;
  }

  private static List<SurvivalFigure.Step> steps(JsonNode curve, String value) {
    List<SurvivalFigure.Step> steps = new ArrayList<>();
    for (JsonNode point : curve.path("points")) {
      steps.add(
          new SurvivalFigure.Step(
              point.path("time").asDouble(),
              Math.round(point.path("atRisk").asDouble()),
              point.path(value).asDouble(),
              point.path("low").asDouble(Double.NaN),
              point.path("high").asDouble(Double.NaN)));
    }
    return steps;
  }

  private String intervals() {
    return "with intervals of level %s (%s)"
        .formatted(NumberText.text(level), curves.path("confType").asString());
  }

  private Html survival() {
    List<List<String>> rows = new ArrayList<>();
    curves.path("groups").forEach(group -> rows.add(CurvesTable.line(group)));
    Html html =
        new Html()
            .figure(
                survivalFigure().svg("survival"),
                "Kaplan–Meier curves %s; below, the rows at risk.%s"
                    .formatted(
                        intervals(),
                        curves.path("groups").size() > MOST_CURVES
                            ? " Of %d groups the first %d are drawn."
                                .formatted(curves.path("groups").size(), MOST_CURVES)
                            : ""))
            .numbers(CurvesTable.head(curves, level), rows);
    notes.forEach(note -> html.paragraph("Note: " + note.asString()));
    return html;
  }

  private Html incidence() {
    Html html = new Html();
    for (int c = 0; c < curves.path("causes").size(); c++) {
      html.figure(
          incidenceFigure(c).svg("incidence-" + c),
          "Cumulative incidence of cause %s (Aalen–Johansen) %s; other causes compete. Below, the rows at risk."
              .formatted(cause(c), intervals()));
    }
    List<List<String>> rows = new ArrayList<>();
    curves.path("groups").forEach(group -> rows.addAll(CurvesTable.incidenceLines(group)));
    return html.numbers(CurvesTable.incidenceHead(curves, level), rows);
  }

  private Html tests() {
    Html html = new Html();
    List<List<String>> rows = new ArrayList<>();
    add(html, rows, curves.path("logRank"), "");
    for (JsonNode cause : curves.path("causes")) {
      add(html, rows, cause.path("logRank"), " of cause " + cause.path("cause").asString());
    }
    return html.numbers(List.of("", "Observed", "Expected"), rows);
  }

  private static void add(Html html, List<List<String>> rows, JsonNode test, String of) {
    if (!test.isObject()) {
      return;
    }
    html.paragraph("Log-rank test%s: %s.".formatted(of, CurvesTable.words(test)));
    for (JsonNode group : test.path("groups")) {
      rows.add(
          List.of(
              "Events%s, %s".formatted(of, name(group)),
              CurvesTable.count(group.path("observed")),
              NumberText.text(group.path("expected").asDouble())));
    }
  }
}
