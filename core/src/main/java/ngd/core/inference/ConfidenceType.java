package ngd.core.inference;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/** The scale on which the interval of a probability is symmetric, as {@code conf.type} in R. */
public enum ConfidenceType {
  LOG("log"),
  LOG_LOG("log-log"),
  PLAIN("plain");

  private final String word;

  ConfidenceType(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  public static ConfidenceType parse(String word) {
    for (ConfidenceType type : values()) {
      if (type.word.equals(word)) {
        return type;
      }
    }
    List<String> words = List.of(LOG.word, LOG_LOG.word, PLAIN.word);
    throw new InvalidInput(
        "conf-type: must be log, log-log or plain; got `%s`%s"
            .formatted(word, NearestName.hint(word, words)));
  }

  /**
   * Both ends of the interval; not numbers where R has none, at 0 and on the log-log scale at 1.
   *
   * @param error the standard error of the probability
   * @param z how many standard errors lie to each side
   */
  double[] interval(double probability, double error, double z) {
    double relative = error == 0 ? 0 : error / probability;
    return switch (this) {
      case PLAIN ->
          new double[] {
            Math.max(probability - z * relative * probability, 0),
            Math.min(probability + z * relative * probability, 1)
          };
      case LOG ->
          probability == 0
              ? new double[] {Double.NaN, Double.NaN}
              : new double[] {
                probability * Math.exp(-z * relative),
                Math.min(probability * Math.exp(z * relative), 1)
              };
      case LOG_LOG -> {
        double log = Math.log(probability);
        yield probability == 0 || probability == 1
            ? new double[] {Double.NaN, Double.NaN}
            : new double[] {
              Math.exp(log * Math.exp(-z * relative / log)),
              Math.exp(log * Math.exp(z * relative / log))
            };
      }
    };
  }
}
