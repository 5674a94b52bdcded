package ngd.app.fit;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.app.terminal.NumberText;
import ngd.app.terminal.TextTable;
import ngd.core.model.GlobalEstimate;
import ngd.core.rows.Rows;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Extrapolation;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Trace;
import ngd.core.simulation.Traffic;
import org.jspecify.annotations.Nullable;

/**
 * What a fit found: every client's coefficients and how they came about.
 *
 * @param extrapolation where the result is one
 * @param lastAlpha the step size at the end, where the run found its own
 */
record FitResult(
    Fit fit,
    Rows theta,
    Trace trace,
    Traffic traffic,
    Optional<Extrapolation> extrapolation,
    OptionalDouble lastAlpha) {

  private List<String> names() {
    return fit.setup().sample().features();
  }

  private double @Nullable [] global() {
    return fit.globalEstimate().map(GlobalEstimate::theta).orElse(null);
  }

  /** The spread of one coefficient over the clients, their standard deviation. */
  private double spread(int j, double mean) {
    double sum = 0;
    for (int m = 0; m < theta.rows(); m++) {
      sum += (theta.get(m, j) - mean) * (theta.get(m, j) - mean);
    }
    return Math.sqrt(sum / theta.rows());
  }

  /** What {@code result.json} holds and {@code --format json} prints. */
  JsonObject json() {
    double[] mean = Measure.mean(theta);
    double[] global = global();
    double[] truth = fit.truth().orElse(null);
    List<JsonObject> coefficients = new ArrayList<>();
    for (int j = 0; j < mean.length; j++) {
      JsonObject one =
          new JsonObject()
              .put("name", names().get(j))
              .put("mean", mean[j])
              .put("spread", spread(j, mean[j]))
              .put("globalEstimate", global == null ? null : global[j]);
      coefficients.add(truth == null ? one : one.put("truth", truth[j]));
    }
    return new JsonObject()
        .put("algorithm", fit.plan().name())
        .put("alpha", fit.plan().alphaText())
        .put("safeAlpha", fit.safeAlpha().isPresent() ? fit.safeAlpha().getAsDouble() : null)
        .put("rounds", fit.plan().rounds())
        .put("clients", theta.rows())
        .put("rows", fit.setup().sample().rows())
        .put("sites", fit.setup().sample().sites().isEmpty() ? null : fit.setup().sample().sites())
        .put("coefficients", coefficients)
        .put("globalEstimateMethod", fit.globalEstimate().map(GlobalEstimate::method).orElse(null))
        .put("distanceToGlobal", last("distance").orElse(null))
        .put("consensus", last("consensus").orElse(null))
        .put("gradientNorm", last("gradient_norm").orElse(null))
        .put("logMse", last("log_mse").orElse(null))
        .put("messages", traffic.messages())
        .put("bytes", traffic.bytes())
        .put("extrapolationRatio", extrapolation.map(Extrapolation::ratio).orElse(null))
        .put("extrapolationRuns", extrapolation.map(Extrapolation::runs).orElse(null))
        .put("lastAlpha", lastAlpha.isPresent() ? lastAlpha.getAsDouble() : null)
        .put("warnings", fit.warnings());
  }

  /** The rounds of all runs together. */
  int allRounds() {
    return fit.plan().rounds() * extrapolation.map(Extrapolation::runs).orElse(1);
  }

  /** The last value of a column, where it was measured. */
  Optional<Double> last(String column) {
    return trace.columns().contains(column) ? Optional.of(trace.last(column)) : Optional.empty();
  }

  /** A short page. */
  void print(PrintWriter out, @Nullable RunFolder folder) {
    RunOptions.Plan plan = fit.plan();
    Setup setup = fit.setup();
    out.printf(
        "%s of %s, alpha %s: %s of %s, %s on %s%n%n",
        NumberText.count(allRounds(), "round"),
        plan.name(),
        plan.alphaText(),
        NumberText.count(setup.sample().rows(), "row"),
        setup.sample().source(),
        NumberText.count(theta.rows(), "client"),
        setup.network().topology().spec());
    coefficientTable().print(out);
    out.println();
    last("distance")
        .ifPresent(
            distance ->
                out.printf(
                    "%s from the global estimate (root mean square over clients)%n",
                    NumberText.text(distance)));
    last("consensus")
        .ifPresent(
            spread ->
                out.printf(
                    "%s between the clients (root mean square distance to their mean)%n",
                    NumberText.text(spread)));
    last("log_mse")
        .ifPresent(mse -> out.printf("%s is the log MSE to the truth%n", NumberText.text(mse)));
    extrapolation.ifPresent(
        found ->
            out.printf(
                "extrapolated to alpha = 0 from %s at alpha, alpha/2%s; successive differences are in ratio %s%n",
                NumberText.count(found.runs(), "run"),
                found.runs() == 4
                    ? ", alpha/4 and, as three left something over, alpha/8"
                    : " and alpha/4",
                NumberText.text(found.ratio(), 3)));
    lastAlpha.ifPresent(alpha -> out.printf("%s is the last step size%n", NumberText.text(alpha)));
    if (folder != null) {
      out.printf("written to %s%n", folder.path());
    }
  }

  private TextTable coefficientTable() {
    double[] mean = Measure.mean(theta);
    double[] global = global();
    double[] truth = fit.truth().orElse(null);
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
      row.add(names().get(j));
      row.add(NumberText.text(mean[j], 6));
      row.add(NumberText.text(spread(j, mean[j]), 3));
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
