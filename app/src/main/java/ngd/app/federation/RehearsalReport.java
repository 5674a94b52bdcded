package ngd.app.federation;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import ngd.app.answer.CurvesTable;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.inference.Coefficient;
import ngd.core.question.ImputationKeys;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.WrittenPlan;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.DotFigure;
import tools.jackson.databind.JsonNode;

/**
 * What a rehearsal showed: a table for the terminal, and a page with figures.
 *
 * @param results by site, in the order of the plan
 * @param timeline by site, the rounds done at each moment
 * @param story what happened, a sentence each
 * @param machines on how many
 */
record RehearsalReport(
    WrittenPlan plan,
    List<JsonNode> results,
    PooledComparison comparison,
    Map<String, List<Moment>> timeline,
    List<String> story,
    int machines) {
  /** The rounds done after some seconds. */
  record Moment(double seconds, int round) {}

  /** Whether all sites have the same bits. */
  boolean agree() {
    String found = curves() ? "curves" : "coefficients";
    JsonNode first = results.getFirst().path(found);
    return results.stream().allMatch(result -> result.path(found).equals(first));
  }

  /** Whether the answer is survival curves, of which restricted means are compared. */
  private boolean curves() {
    return CurvesTable.fits(results.getFirst());
  }

  private JsonNode line(int site, int j) {
    return results.get(site).at(curves() ? "/curves/groups" : "/coefficients").get(j);
  }

  private double estimate(int site, int j) {
    return line(site, j).path(curves() ? "restrictedMean" : "estimate").asDouble();
  }

  private Optional<Double> standardError(int j) {
    return number(j, curves() ? "restrictedMeanStdError" : "stdError");
  }

  /** What the first site says of a coefficient, where it says a number. */
  private Optional<Double> number(int j, String key) {
    JsonNode value = line(0, j).path(key);
    return value.isNumber() ? Optional.of(value.asDouble()) : Optional.empty();
  }

  /** The largest distance to the pooled fit, in standard errors where there are any. */
  private String apart(int j) {
    double most = 0;
    for (int site = 0; site < results.size(); site++) {
      most = Math.max(most, Math.abs(estimate(site, j) - comparison.pooled().get(j)));
    }
    double apart = most;
    return standardError(j)
        .map(error -> NumberText.text(apart / error, 2) + " SE")
        .orElseGet(() -> NumberText.text(apart, 2));
  }

  private List<List<String>> lines() {
    List<List<String>> lines = new ArrayList<>();
    for (int j = 0; j < comparison.terms().size(); j++) {
      lines.add(
          List.of(
              comparison.terms().get(j),
              NumberText.text(estimate(0, j), 6),
              standardError(j).map(error -> NumberText.text(error, 4)).orElse("–"),
              NumberText.text(comparison.pooled().get(j), 6),
              apart(j)));
    }
    return lines;
  }

  private static final List<String> HEAD =
      List.of("", "federation", "std. error", "pooled fit", "apart");

  void print(PrintWriter out) {
    TextTable table = new TextTable(HEAD);
    lines().forEach(table::add);
    table.print(out);
    out.println();
    out.println(
        agree()
            ? "all %d sites have bit-identical results".formatted(results.size())
            : "the sites' models differ, as this algorithm does not bring them to one point; the first is shown, the largest difference under `apart`");
    if (plan.plan().question().says(ImputationKeys.IMPUTE)) {
      out.println(
          "each site filled its gaps with random numbers of its own: the pooled fit, with others, is"
              + " as far apart as another seed would be");
    }
  }

  /** What the sites learn of each other. */
  List<String> exposure() {
    return Exposure.statements(plan.plan());
  }

  /** Writes {@code report.html} and its figures. */
  Path write(Path folder) {
    Path file = folder.resolve("report.html");
    try {
      DotFigure dots = new DotFigure(categories(), List.of("estimate"), "pooled fit", "", "", true);
      for (int j = 0; j < comparison.terms().size(); j++) {
        String term = comparison.terms().get(j);
        for (int m = 0; m < results.size(); m++) {
          if (comparison.alone().get(m).isPresent()) {
            Coefficient own = comparison.alone().get(m).get().get(j);
            dots.dot(term, site(m), "estimate", own.low(), own.estimate(), own.high());
          }
        }
        double found = estimate(0, j);
        dots.dot(
            term,
            "all",
            "estimate",
            number(j, "confLow").orElse(found),
            found,
            number(j, "confHigh").orElse(found));
        dots.reference(term, comparison.pooled().get(j));
      }
      var coefficients = dots.figure("Coefficients of each site alone and of the federation");
      Files.write(folder.resolve("coefficients.png"), coefficients.png());
      CurveFigure curves =
          new CurveFigure(
              List.of(""),
              List.of(""),
              plan.plan().names(),
              "",
              "seconds since the start",
              "rounds done",
              true);
      new TreeMap<>(timeline)
          .forEach(
              (name, moments) ->
                  curves.curve(
                      "",
                      "",
                      name,
                      moments.stream().mapToDouble(Moment::seconds).toArray(),
                      moments.stream().mapToDouble(Moment::round).toArray()));
      var rounds = curves.figure("Rounds of each peer over time");
      // Sums have no rounds to show.
      boolean timed =
          timeline.values().stream()
              .anyMatch(moments -> moments.size() > 1 && moments.getLast().round() > 0);
      if (timed) {
        Files.write(folder.resolve("rounds.png"), rounds.png());
      }
      Files.writeString(
          file, html(coefficients.svg("coefficients"), timed ? rounds.svg("rounds") : ""));
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written".formatted(file), e);
    }
    return file;
  }

  private List<String> categories() {
    List<String> categories = new ArrayList<>(plan.plan().names());
    categories.add("all");
    return categories;
  }

  private String site(int m) {
    return plan.plan().names().get(m);
  }

  private String html(String coefficients, String rounds) {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>ngd: federation rehearsal</title><style>
        body { font: 16px/1.5 "DejaVu Sans", Verdana, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #bbb; }
        figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; } figcaption { font-size: .85rem; color: #444; }
        table { border-collapse: collapse; font-size: .9rem; } th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
        th:first-child, td:first-child { text-align: left; } pre { background: #f5f5f5; padding: .8rem; overflow-x: auto; font-size: .85rem; }
        </style></head><body>
        """);
    page.append("<h1>")
        .append(escaped(plan.plan().federation().name()))
        .append(": a federation on ")
        .append(machines == 1 ? "one machine" : machines + " machines")
        .append("</h1>\n");
    story.forEach(line -> page.append("<p>").append(escaped(line)).append("</p>\n"));
    page.append("<h2>Result</h2>\n<table><tr>");
    HEAD.forEach(cell -> page.append("<th>").append(escaped(cell)).append("</th>"));
    page.append("</tr>\n");
    for (List<String> line : lines()) {
      page.append("<tr>");
      line.forEach(cell -> page.append("<td>").append(escaped(cell)).append("</td>"));
      page.append("</tr>\n");
    }
    page.append("</table>\n<p>")
        .append(
            escaped(
                agree()
                    ? "All %d sites have bit-identical results.".formatted(results.size())
                    : "The sites' models differ; the first is shown."))
        .append("</p>\n<figure>")
        .append(coefficients)
        .append(
            "<figcaption>Each site alone, and all of them as a federation with confidence intervals, where there are any; the dotted line is the fit of the pooled rows.</figcaption></figure>\n");
    if (!rounds.isEmpty()) {
      page.append("<h2>Progress</h2>\n<figure>")
          .append(rounds)
          .append(
              "<figcaption>Rounds of each peer. While a peer is down its neighbours wait; once back, it resumes where it was.</figcaption></figure>\n");
    }
    page.append("<table><tr><th>site</th><th>rows</th></tr>\n");
    for (int m = 0; m < results.size(); m++) {
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s</td><td>%d</td></tr>%n",
              escaped(site(m)),
              results.get(m).path("rowsBySite").get(0).path("rows").asLong()));
    }
    page.append("</table>\n<h2>What sites learn of each other</h2>\n");
    exposure().forEach(line -> page.append("<p>").append(escaped(line)).append("</p>\n"));
    page.append("<h2>The plan</h2>\n<pre>")
        .append(escaped(plan.text()))
        .append("</pre>\n</body></html>\n");
    return page.toString();
  }

  private static String escaped(String plain) {
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
