package ngd.app.federation;

import java.io.PrintWriter;
import java.util.List;
import ngd.app.answer.CentralTable;
import ngd.app.answer.CurvesTable;
import ngd.app.answer.DescriptionTable;
import ngd.app.answer.ImputedTable;
import ngd.app.answer.MethodTable;
import ngd.app.answer.MixedTable;
import ngd.app.answer.PenaltyTable;
import ngd.app.answer.PooledTable;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.answer.Answer;
import ngd.core.answer.CentralAnswer;
import ngd.core.answer.CheckAnswer;
import ngd.core.answer.CurvesAnswer;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.answer.ImputedAnswer;
import ngd.core.answer.MethodAnswer;
import ngd.core.answer.MixedAnswer;
import ngd.core.answer.PenalisedAnswer;
import ngd.core.answer.PooledAnswer;
import ngd.peer.SiteAnswer;

/** What a federation came to, in the layout that users of R know. */
final class ResultTable {
  private ResultTable() {}

  static void print(SiteAnswer result, PrintWriter out) {
    Answer answer = result.answer();
    String here =
        answer.rowsUsed().sites().stream()
            .findFirst()
            .map(own -> ", %d of them at %s".formatted(own.complete(), result.site()))
            .orElse("");
    out.printf(
        "plan %s: %s of all sites%s%n%n",
        result.plan(), NumberText.count(answer.rowsUsed().rows(), "row"), here);
    switch (answer) {
      case PooledAnswer pooled -> PooledTable.printBody(pooled, out);
      case ImputedAnswer imputed -> ImputedTable.printBody(imputed, out);
      case PenalisedAnswer penalised -> PenaltyTable.print(penalised, out);
      case MixedAnswer mixed -> MixedTable.printBody(mixed, out);
      case CurvesAnswer curves -> CurvesTable.print(curves, out);
      case CentralAnswer central -> CentralTable.printBody(central, out);
      case MethodAnswer method -> print(method, out);
      case CheckAnswer check -> out.println(check.check().reason());
      case DescriptionAnswer description -> new DescriptionTable(description).print(out);
    }
  }

  private static void print(MethodAnswer answer, PrintWriter out) {
    TextTable table = new TextTable(List.of("", "Estimate"));
    double[] estimate = answer.estimate();
    for (int j = 0; j < estimate.length; j++) {
      table.add(List.of(answer.terms().get(j), NumberText.text(estimate[j], 6)));
    }
    table.print(out);
    out.println();
    MethodTable.printIntervals(answer, out);
    MethodTable.printSuspects(answer, out);
    out.printf("%s%n", NumberText.count(answer.allRounds(), "round"));
  }
}
