package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.data.PaperModel;
import ngd.core.inference.AveragedIntervals;
import ngd.core.inference.Coefficient;
import ngd.core.inference.LiarIdentification;
import ngd.core.model.GlobalEstimate;
import ngd.core.rows.Rows;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Cost;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Trace;
import ngd.core.world.Extrapolation;
import org.jspecify.annotations.Nullable;

/**
 * What an algorithm came to: the coefficients of every client that is known here, all of them in a
 * simulation, its own at a peer.
 *
 * @param terms the coefficients' names
 * @param theta a row of coefficients for each client here
 * @param firstClient the number of the first of them
 * @param clients M, over all processes
 * @param rounds the rounds that were asked for
 * @param intervals those around the mean over rounds, which theta then is
 * @param identification whom the clients here suspect, where it was asked for
 * @param course what else is known of the way there
 */
public record MethodAnswer(
    AlgorithmChoice algorithm,
    List<String> terms,
    Rows theta,
    int firstClient,
    int clients,
    int rounds,
    RowsUsed rowsUsed,
    Optional<AveragedIntervals> intervals,
    Optional<LiarIdentification> identification,
    RunDetails course)
    implements Answer {
  public MethodAnswer {
    terms = List.copyOf(terms);
  }

  /**
   * What only somebody knows who sees all clients at once, as far as it is known.
   *
   * @param trace what was measured on the way
   * @param cost what it cost
   * @param globalEstimate what the pooled data give
   * @param model what the data were simulated from
   * @param safeAlpha the largest step size that is known to be safe
   * @param lastAlpha the step size at the end, where the run found its own
   * @param extrapolation where the result is one
   */
  public record RunDetails(
      Optional<Trace> trace,
      Optional<Cost> cost,
      Optional<GlobalEstimate> globalEstimate,
      Optional<PaperModel> model,
      OptionalDouble safeAlpha,
      OptionalDouble lastAlpha,
      Optional<Extrapolation.Summary> extrapolation,
      List<String> warnings) {
    /** The same of a result that is an extrapolation. */
    public RunDetails extrapolated(Extrapolation.Summary summary) {
      return new RunDetails(
          trace, cost, globalEstimate, model, safeAlpha, lastAlpha, Optional.of(summary), warnings);
    }

    /** The same with these warnings. */
    public RunDetails warning(List<String> others) {
      return new RunDetails(
          trace, cost, globalEstimate, model, safeAlpha, lastAlpha, extrapolation, others);
    }

    /** Nothing. */
    public static final RunDetails UNKNOWN =
        new RunDetails(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            List.of());
  }

  /** The mean of each coefficient over the clients here; with intervals, what these are around. */
  public double[] estimate() {
    return intervals
        .map(found -> found.coefficients().stream().mapToDouble(Coefficient::estimate).toArray())
        .orElseGet(() -> Measure.mean(theta));
  }

  /** The standard deviation of each coefficient over the clients here. */
  public double[] spread() {
    double[] mean = Measure.mean(theta);
    double[] spread = new double[mean.length];
    for (int j = 0; j < spread.length; j++) {
      double sum = 0;
      for (int m = 0; m < theta.rows(); m++) {
        sum += (theta.get(m, j) - mean[j]) * (theta.get(m, j) - mean[j]);
      }
      spread[j] = Math.sqrt(sum / theta.rows());
    }
    return spread;
  }

  /** The rounds of all runs together. */
  public int allRounds() {
    return rounds * course.extrapolation().map(Extrapolation.Summary::runs).orElse(1);
  }

  /** The last value of a measure, where it was measured. */
  public Optional<Double> last(String column) {
    return course
        .trace()
        .filter(trace -> trace.columns().contains(column))
        .map(trace -> trace.last(column));
  }

  @Override
  public JsonObject json() {
    double[] mean = estimate();
    double[] spread = spread();
    Optional<double[]> global = course.globalEstimate().map(GlobalEstimate::theta);
    List<JsonObject> coefficients = new ArrayList<>();
    for (int j = 0; j < mean.length; j++) {
      int column = j;
      JsonObject one =
          new JsonObject()
              .put("term", terms.get(j))
              .put("estimate", mean[j])
              .put("spread", spread[j])
              .put("globalEstimate", global.map(g -> g[column]).orElse(null));
      course.model().ifPresent(model -> one.put("truth", model.truth()[column]));
      intervals
          .map(found -> found.coefficients().get(column))
          .ifPresent(
              line ->
                  one.put("stdError", line.standardError())
                      .put("statistic", line.statistic())
                      .put("pValue", line.pValue())
                      .put("confLow", line.low())
                      .put("confHigh", line.high()));
      coefficients.add(one);
    }
    JsonObject json =
        new JsonObject()
            .put("algorithm", algorithm.spec())
            .put("alpha", algorithm.step().spec())
            .put("safeAlpha", number(course.safeAlpha()))
            .put("rounds", allRounds())
            .put("clients", clients)
            .put("coefficients", coefficients);
    rowsUsed.describe(json);
    intervals.ifPresent(
        found ->
            json.put("level", found.level())
                .put(
                    "intervals",
                    new JsonObject()
                        .put("kind", found.kind().word())
                        .put("rounds", found.rounds())
                        .put("skippedRounds", found.skipped())
                        .put("critical", found.critical())));
    identification.ifPresent(found -> json.put("identification", json(found)));
    return json.put(
            "globalEstimateMethod",
            course.globalEstimate().map(GlobalEstimate::method).orElse(null))
        .put("distanceToGlobal", last("distance").orElse(null))
        .put("consensus", last("consensus").orElse(null))
        .put("gradientNorm", last("gradient_norm").orElse(null))
        .put("logMse", last("log_mse").orElse(null))
        .put("messages", course.cost().map(cost -> cost.traffic().messages()).orElse(null))
        .put("bytes", course.cost().map(cost -> cost.traffic().bytes()).orElse(null))
        .put("gradients", course.cost().map(Cost::gradients).orElse(null))
        .put(
            "extrapolationRatio",
            course.extrapolation().map(Extrapolation.Summary::ratio).orElse(null))
        .put(
            "extrapolationRuns",
            course.extrapolation().map(Extrapolation.Summary::runs).orElse(null))
        .put("lastAlpha", number(course.lastAlpha()))
        .put("warnings", course.warnings());
  }

  private static JsonObject json(LiarIdentification found) {
    return new JsonObject()
        .put("falseDiscoveryRate", found.rate())
        .put(
            "clients",
            found.clients().stream()
                .map(
                    one ->
                        new JsonObject()
                            .put("client", one.client())
                            .put("ownPValue", one.ownPValue())
                            .put("suspects", one.suspects())
                            .put("withheld", one.withheld().orElse(null)))
                .toList());
  }

  /** {@code suspects.csv}: a line for each neighbour of each client here. */
  private static RunFolder.Content suspects(LiarIdentification found) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("client", "heard", "p_value", "suspected"));
    for (LiarIdentification.Verdict one : found.clients()) {
      for (LiarIdentification.Heard heard : one.heard()) {
        lines.add(
            List.of(
                Integer.toString(one.client()),
                Integer.toString(heard.client()),
                PooledAnswer.text(heard.pValue()),
                Boolean.toString(heard.suspected())));
      }
    }
    return RunFolder.csv(lines);
  }

  private static @Nullable Double number(OptionalDouble value) {
    return value.isPresent() ? (Double) value.getAsDouble() : null;
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put("theta.csv", RunFolder.theta(terms, theta, firstClient));
    course.trace().ifPresent(trace -> files.put("trace.csv", RunFolder.trace(trace)));
    identification.ifPresent(found -> files.put("suspects.csv", suspects(found)));
    intervals.ifPresent(
        found -> {
          files.put("coefficients.csv", PooledAnswer.table(found.coefficients(), Optional.empty()));
          files.put("vcov.csv", PooledAnswer.table(terms, found.covariance().rows()));
        });
    return files;
  }
}
