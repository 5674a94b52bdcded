package ngd.app.answer;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import ngd.app.terminal.TextTable;
import ngd.core.NumberText;
import ngd.core.algorithm.IntervalChoice;
import ngd.core.answer.MethodAnswer;
import ngd.core.fit.FitSetup;
import ngd.core.inference.LiarIdentification;
import ngd.core.model.GlobalEstimate;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/** What an algorithm came to, on a short page. */
public record MethodTable(FitSetup setup, MethodAnswer answer) {
  public void print(PrintWriter out, @Nullable RunFolder folder) {
    out.printf(
        "%s of %s, alpha %s: %s of %s, %s on %s%n%n",
        NumberText.count(answer.allRounds(), "round"),
        answer.algorithm().descriptor().name(),
        answer.algorithm().step().spec(),
        NumberText.count(setup.sample().rows(), "row"),
        setup.sample().source(),
        NumberText.count(answer.clients(), "client"),
        setup.network().topology().spec());
    coefficientTable().print(out);
    out.println();
    printIntervals(answer, out);
    printSuspects(answer, out);
    answer
        .last("distance")
        .ifPresent(
            distance ->
                out.printf(
                    "distance to the global estimate: %s (root mean square over clients)%n",
                    NumberText.text(distance)));
    answer
        .last("consensus")
        .ifPresent(
            spread ->
                out.printf(
                    "distance between clients: %s (root mean square distance to their mean)%n",
                    NumberText.text(spread)));
    answer
        .last("log_mse")
        .ifPresent(mse -> out.printf("log MSE to the truth: %s%n", NumberText.text(mse)));
    answer
        .course()
        .extrapolation()
        .ifPresent(
            found ->
                out.printf(
                    "extrapolated to alpha = 0 from %s at alpha, alpha/2%s; successive differences are in ratio %s%n",
                    NumberText.count(found.runs(), "run"),
                    found.runs() == 4
                        ? ", alpha/4 and, as three were not enough, alpha/8"
                        : " and alpha/4",
                    NumberText.text(found.ratio(), 3)));
    answer
        .course()
        .lastAlpha()
        .ifPresent(alpha -> out.printf("last step size: %s%n", NumberText.text(alpha)));
    if (folder != null) {
      out.printf("written to %s%n", folder.path());
    }
  }

  /** Intervals around the mean over rounds, where they were asked for. */
  public static void printIntervals(MethodAnswer answer, PrintWriter out) {
    answer
        .intervals()
        .ifPresent(
            found -> {
              out.printf(
                  "%s intervals around the mean over the last %s, the same for every client:%n%n",
                  found.kind().word(), NumberText.count(found.rounds(), "round"));
              new CoefficientTable(
                      found.coefficients(),
                      found.kind() == IntervalChoice.Kind.PLUG_IN ? "z" : "t*",
                      found.level(),
                      false)
                  .coefficients()
                  .print(out);
              out.println();
            });
  }

  /** Whom clients suspect, where it was asked for. */
  public static void printSuspects(MethodAnswer answer, PrintWriter out) {
    answer
        .identification()
        .ifPresent(
            found -> {
              SortedMap<Integer, Integer> listeners = new TreeMap<>();
              SortedMap<Integer, Integer> hearing = new TreeMap<>();
              Map<String, Integer> withheld = new LinkedHashMap<>();
              for (LiarIdentification.Verdict one : found.clients()) {
                one.withheld().ifPresent(why -> withheld.merge(why, 1, Integer::sum));
                one.heard().forEach(heard -> hearing.merge(heard.client(), 1, Integer::sum));
                one.suspects().forEach(suspect -> listeners.merge(suspect, 1, Integer::sum));
              }
              out.printf(
                  "suspected liars, at a false-discovery rate of %s:%s%n",
                  NumberText.text(found.rate()), listeners.isEmpty() ? " none" : "");
              listeners.forEach(
                  (suspect, count) ->
                      out.printf(
                          "  client %d, by %d of %d that hear it%n",
                          suspect, count, hearing.getOrDefault(suspect, 0)));
              withheld.forEach(
                  (why, count) ->
                      out.printf(
                          "%d of %s cannot tell: %s%n",
                          count, NumberText.count(found.clients().size(), "client"), why));
              out.println();
            });
  }

  private TextTable coefficientTable() {
    double[] mean = answer.estimate();
    double[] spread = answer.spread();
    double[] global = answer.course().globalEstimate().map(GlobalEstimate::theta).orElse(null);
    double[] truth = setup.truth().orElse(null);
    List<String> head = new ArrayList<>(List.of("coefficient", "mean", "spread"));
    if (global != null) {
      head.addAll(List.of("global", "difference"));
    }
    if (truth != null) {
      head.add("truth");
    }
    TextTable table = new TextTable(head);
    for (int j = 0; j < mean.length; j++) {
      List<String> row = new ArrayList<>();
      row.add(answer.terms().get(j));
      row.add(NumberText.text(mean[j], 6));
      row.add(NumberText.text(spread[j], 3));
      if (global != null) {
        row.add(NumberText.text(global[j], 6));
        row.add(NumberText.text(mean[j] - global[j], 3));
      }
      if (truth != null) {
        row.add(NumberText.text(truth[j]));
      }
      table.add(row);
    }
    return table;
  }
}
