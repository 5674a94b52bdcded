package ngd.app.federation;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import ngd.app.terminal.NumberText;
import ngd.app.terminal.TextTable;
import ngd.core.inference.Coefficient;
import ngd.peer.SiteResult;

/** What a federation came to, in the layout that users of R know. */
final class ResultTable {
  private ResultTable() {}

  static void print(SiteResult result, PrintWriter out) {
    out.printf(
        "plan %s: %s of all sites, %d of them at %s%n%n",
        result.plan(), NumberText.count(result.allRows(), "row"), result.siteRows(), result.site());
    boolean inferred = result.inference().isPresent();
    TextTable table =
        new TextTable(
            inferred
                ? List.of("", "Estimate", "Std. Error", "z value", "Pr(>|z|)")
                : List.of("", "Estimate"));
    for (int j = 0; j < result.terms().size(); j++) {
      String estimate = NumberText.text(result.theta().get(j), 6);
      if (inferred) {
        Coefficient line = result.inference().orElseThrow().coefficients().get(j);
        table.add(
            List.of(
                line.term(),
                estimate,
                NumberText.text(line.standardError(), 5),
                String.format(Locale.ROOT, "%.3f", line.statistic()),
                line.pValue() < 2e-16 ? "<2e-16" : NumberText.text(line.pValue(), 3)));
      } else {
        table.add(List.of(result.terms().get(j), estimate));
      }
    }
    table.print(out);
    out.printf("%n%s", NumberText.count(result.rounds(), "round"));
    result
        .inference()
        .ifPresent(
            found ->
                out.printf(
                    "; what remains is below %s standard errors of every coefficient",
                    NumberText.text(found.estimate().distance(), 2)));
    out.println();
  }
}
