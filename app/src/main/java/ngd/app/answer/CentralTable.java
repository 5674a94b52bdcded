package ngd.app.answer;

import java.io.PrintWriter;
import java.util.List;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.CentralAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/** A pooled fit with noise in its sums, as text. */
public final class CentralTable {
  private CentralTable() {}

  /** The answer of a fit, with what it was asked of. */
  public static void print(
      FitSetup setup, CentralAnswer answer, PrintWriter out, @Nullable RunFolder folder) {
    out.printf(
        "%s regression with %s link: %s of %s, %s on %s%n%n",
        answer.glm().family(),
        answer.glm().link(),
        NumberText.count(answer.rowsUsed().rows(), "row"),
        setup.sample().source(),
        NumberText.count(answer.sites(), "site"),
        setup.network().topology().spec());
    printBody(answer, out);
    if (folder != null) {
      out.printf("written to %s%n", folder.path());
    }
  }

  /** The coefficients, and what they cost. */
  public static void printBody(CentralAnswer answer, PrintWriter out) {
    TextTable table = new TextTable(List.of("", "Estimate", "Noise SD"));
    for (int j = 0; j < answer.model().terms().size(); j++) {
      table.add(
          List.of(
              answer.model().terms().get(j),
              NumberText.text(answer.estimate().theta().get(j), 6),
              NumberText.text(answer.estimate().noise().get(j), 3)));
    }
    table.print(out);
    out.println("---");
    out.println("Standard errors, tests and intervals are withheld: " + CentralAnswer.WITHHELD);
    out.println();
    answer.notes().forEach(note -> out.println("Note: " + note));
    out.printf(
        "%s with noise; (epsilon, delta) = (%s, %s) for every row%n",
        NumberText.count(answer.estimate().totals(), "sum") + " over all sites",
        NumberText.text(answer.privacy().epsilon()),
        NumberText.text(answer.privacy().delta()));
  }
}
