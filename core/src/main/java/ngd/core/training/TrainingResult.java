package ngd.core.training;

import java.util.List;
import ngd.core.run.JsonObject;

/**
 * What a training came to.
 *
 * @param parameters p
 * @param data where the samples came from
 * @param hash their fingerprint
 * @param points the evaluations, in the order of their rounds
 * @param secondsPerRound the mean over the rounds of this process, evaluations left out
 * @param passes what computed the gradients, in words
 */
public record TrainingResult(
    int parameters,
    int clients,
    int samples,
    String data,
    String hash,
    List<Point> points,
    double secondsPerRound,
    String passes) {
  public TrainingResult {
    points = List.copyOf(points);
  }

  /**
   * The validation errors of all clients after a round.
   *
   * @param epoch how often each client has gone through its samples
   * @param errors Err of each client
   */
  public record Point(int round, double epoch, List<Double> errors) {
    public Point {
      errors = List.copyOf(errors);
    }

    public double mean() {
      return errors.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** The natural logarithm of the standard deviation over clients; −∞ where all agree. */
    public double logSd() {
      if (errors.stream().distinct().count() == 1) {
        return Double.NEGATIVE_INFINITY;
      }
      double mean = mean();
      double squares = errors.stream().mapToDouble(err -> (err - mean) * (err - mean)).sum();
      return Math.log(Math.sqrt(squares / Math.max(1, errors.size() - 1)));
    }
  }

  public Point last() {
    return points.getLast();
  }

  /** What {@code result.json} holds and {@code --format json} prints. */
  public JsonObject json() {
    return new JsonObject()
        .put("parameters", parameters)
        .put("clients", clients)
        .put("samples", samples)
        .put("rounds", last().round())
        .put("epochs", last().epoch())
        .put("meanErr", last().mean())
        .put("logSdErr", last().logSd())
        .put("secondsPerRound", secondsPerRound)
        .put("passes", passes);
  }
}
