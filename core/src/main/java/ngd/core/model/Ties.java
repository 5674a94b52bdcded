package ngd.core.model;

import ngd.core.InvalidInput;

/** How the partial likelihood takes events at one time. */
public enum Ties {
  /** The risk set counts those with an event there in shares: nearer to no ties, R's default. */
  EFRON("efron"),
  /** Everyone with an event there is in the risk set of each of them. */
  BRESLOW("breslow");

  private final String word;

  Ties(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  public static Ties parse(String word) {
    return switch (word) {
      case "efron" -> EFRON;
      case "breslow" -> BRESLOW;
      default -> throw new InvalidInput("ties: must be efron or breslow; got `%s`".formatted(word));
    };
  }
}
