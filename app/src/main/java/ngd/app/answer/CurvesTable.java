package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.CurvesAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Survival curves in the layout that users of R know: a line for each group as {@code
 * print(survfit, rmean = tau)} has it, and the log-rank test as {@code survdiff}. It reads {@code
 * result.json}, which is all that whoever asked a federation has.
 */
public final class CurvesTable {
  private final JsonNode curves;
  private final double level;

  private CurvesTable(JsonNode result) {
    curves = result.path("curves");
    level = result.path("level").asDouble(0.95);
  }

  /** Whether a document has survival curves. */
  public static boolean fits(JsonNode result) {
    return result.path("curves").path("groups").isArray();
  }

  /** The answer of a fit, with what it was asked of. */
  public static void print(
      FitSetup setup, CurvesAnswer answer, PrintWriter out, @Nullable RunFolder folder) {
    out.printf(
        "%s: %s of %s, %s on %s%n%n",
        title(answer.curves().competing()),
        NumberText.count(answer.rowsUsed().rows(), "row"),
        setup.sample().source(),
        NumberText.count(answer.sites(), "site"),
        setup.network().topology().spec());
    print(answer, out);
    if (folder != null) {
      out.printf("written to %s%n", folder.path());
    }
  }

  static String title(boolean competing) {
    return competing
        ? "Cumulative incidence (Aalen–Johansen) and survival (Kaplan–Meier)"
        : "Survival curves (Kaplan–Meier)";
  }

  /** What there is to say of an answer, without what it was asked of. */
  public static void print(CurvesAnswer answer, PrintWriter out) {
    print(JsonMapper.shared().readTree(answer.json().toString()), out);
  }

  /** The same of its document. */
  public static void print(JsonNode result, PrintWriter out) {
    CurvesTable table = new CurvesTable(result);
    table.groups().print(out);
    if (table.competing()) {
      out.println();
      table.incidences().print(out);
    }
    out.println();
    table.tests(out);
    result.path("notes").forEach(note -> out.printf("Note: %s%n", note.asString()));
  }

  private boolean competing() {
    return !curves.path("causes").isEmpty();
  }

  private TextTable groups() {
    TextTable table = new TextTable(head(curves, level));
    for (JsonNode group : curves.path("groups")) {
      table.add(line(group));
    }
    return table;
  }

  /** What stands over the lines of groups. */
  static List<String> head(JsonNode curves, double level) {
    return List.of(
        "",
        "rows",
        "events",
        "mean to " + NumberText.text(curves.path("tau").asDouble()),
        "std. error",
        "median",
        IntervalNames.low(level),
        IntervalNames.high(level));
  }

  /** A group's line. */
  static List<String> line(JsonNode group) {
    String stratum = group.path("stratum").asString("");
    return List.of(
        stratum.isEmpty() ? "all" : stratum,
        group.path("rows").asString(),
        count(group.path("events")),
        number(group, "restrictedMean"),
        number(group, "restrictedMeanStdError"),
        number(group, "median"),
        number(group, "medianLow"),
        number(group, "medianHigh"));
  }

  /** Rows, or the sum of their weights. */
  static String count(JsonNode sum) {
    return sum.isIntegralNumber() ? sum.asString() : PooledTable.number(sum.asDouble());
  }

  private static String number(JsonNode node, String key) {
    return PooledTable.number(node.path(key).asDouble(Double.NaN));
  }

  private TextTable incidences() {
    TextTable table = new TextTable(incidenceHead(curves, level));
    for (JsonNode group : curves.path("groups")) {
      incidenceLines(group).forEach(table::add);
    }
    return table;
  }

  /** What stands over the lines of causes. */
  static List<String> incidenceHead(JsonNode curves, double level) {
    return List.of(
        "",
        "events",
        "time lost to " + NumberText.text(curves.path("tau").asDouble()),
        "incidence at the end",
        "std. error",
        IntervalNames.low(level),
        IntervalNames.high(level));
  }

  /** A line for each cause of a group. */
  static List<List<String>> incidenceLines(JsonNode group) {
    List<List<String>> lines = new ArrayList<>();
    String stratum = group.path("stratum").asString("");
    for (JsonNode one : group.path("incidences")) {
      JsonNode last = one.path("points").get(one.path("points").size() - 1);
      lines.add(
          List.of(
              "%scause %s"
                  .formatted(stratum.isEmpty() ? "" : stratum + ", ", one.path("cause").asString()),
              count(one.path("events")),
              number(one, "timeLost"),
              number(last, "incidence"),
              number(last, "stdError"),
              number(last, "low"),
              number(last, "high")));
    }
    return lines;
  }

  private void tests(PrintWriter out) {
    boolean any = tested(curves.path("logRank"), "Log-rank test", out);
    for (JsonNode cause : curves.path("causes")) {
      any |=
          tested(
              cause.path("logRank"),
              "Log-rank test of cause " + cause.path("cause").asString(),
              out);
    }
    if (any) {
      out.println();
    }
  }

  private static boolean tested(JsonNode test, String name, PrintWriter out) {
    if (!test.isObject()) {
      return false;
    }
    out.printf("%s: %s%n", name, words(test));
    return true;
  }

  /** A test in words. */
  static String words(JsonNode test) {
    double p = test.path("pValue").asDouble(Double.NaN);
    return "chi-squared = %s on %s, p %s"
        .formatted(
            NumberText.text(test.path("statistic").asDouble()),
            NumberText.count(test.path("df").asLong(), "degree") + " of freedom",
            p < 2e-16 ? PooledTable.chance(p) : "= " + PooledTable.chance(p));
  }
}
