package ngd.core.inference;

import java.util.Optional;
import ngd.core.model.Glm;

/**
 * What exp(coefficient) is: how many times larger something gets where a covariate is larger by 1.
 * That of the intercept is no ratio but the value itself where all covariates are 0.
 */
public enum RatioScale {
  ODDS("odds ratio"),
  RISK("risk ratio"),
  RATE("rate ratio"),
  MEAN("mean ratio");

  private final String words;

  RatioScale(String words) {
    this.words = words;
  }

  /** Its name for people. */
  public String words() {
    return words;
  }

  /** That of a model; none where differences of the linear predictor are no logarithms. */
  public static Optional<RatioScale> of(Glm glm) {
    return switch (glm.link()) {
      case "logit" -> Optional.of(ODDS);
      case "log" ->
          Optional.of(
              switch (glm.family().replaceFirst("^quasi-", "").replaceFirst(":.*", "")) {
                case "binomial" -> RISK;
                case "poisson", "negative-binomial" -> RATE;
                default -> MEAN;
              });
      default -> Optional.empty();
    };
  }
}
