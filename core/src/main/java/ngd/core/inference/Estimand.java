package ngd.core.inference;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/**
 * Whose mean effect of a treatment is estimated, and with it how a row is weighted, given its
 * probability p of the treatment.
 */
public enum Estimand {
  /** All rows: 1/p of the treated, 1/(1 − p) of the others. */
  ATE("ate", "average effect of the treatment on all rows"),
  /** The treated: 1, and p/(1 − p) of the others. */
  ATT("att", "average effect of the treatment on the treated"),
  /** Those who were not treated: (1 − p)/p of the treated, and 1. */
  ATC("atc", "average effect of the treatment on the untreated"),
  /** Rows that may be either (Li, Morgan and Zaslavsky 2018): 1 − p of the treated, and p. */
  OVERLAP("overlap", "average effect of the treatment where both are likely");

  private final String word;
  private final String words;

  Estimand(String word, String words) {
    this.word = word;
    this.words = words;
  }

  /** Its name in a question. */
  public String word() {
    return word;
  }

  /** Its name for people. */
  public String words() {
    return words;
  }

  /** Reads its name. */
  public static Estimand parse(String text) {
    List<String> known = Arrays.stream(values()).map(Estimand::word).toList();
    return Arrays.stream(values())
        .filter(one -> one.word.equals(text.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "estimand: must be one of %s; got `%s`%s"
                        .formatted(String.join(", ", known), text, NearestName.hint(text, known))));
  }

  /** The weight of a row whose treatment has this linear predictor under the logit link. */
  double weight(boolean treated, double eta) {
    // The odds of what the row did not get.
    double against = Math.exp(treated ? -eta : eta);
    return switch (this) {
      case ATE -> 1 + against;
      case ATT -> treated ? 1 : against;
      case ATC -> treated ? against : 1;
      case OVERLAP -> against / (1 + against);
    };
  }

  /** The derivative of the weight by the linear predictor. */
  double slope(boolean treated, double eta) {
    double against = Math.exp(treated ? -eta : eta);
    double sign = treated ? -1 : 1;
    return switch (this) {
      case ATE -> sign * against;
      case ATT -> treated ? 0 : against;
      case ATC -> treated ? -against : 0;
      case OVERLAP -> sign * against / ((1 + against) * (1 + against));
    };
  }
}
