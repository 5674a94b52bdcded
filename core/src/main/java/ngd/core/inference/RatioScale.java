package ngd.core.inference;

import java.util.Optional;
import ngd.core.model.Cox;
import ngd.core.model.Gamma;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Poisson;
import ngd.core.model.Probit;
import ngd.core.model.Regression;

/**
 * What exp(coefficient) is: how many times larger something gets where a covariate is larger by 1.
 * That of the intercept is no ratio but the value itself where all covariates are 0.
 */
public enum RatioScale {
  ODDS("odds ratio"),
  RATE("rate ratio"),
  MEAN("mean ratio"),
  HAZARD("hazard ratio");

  private final String words;

  RatioScale(String words) {
    this.words = words;
  }

  /** Its name for people. */
  public String words() {
    return words;
  }

  /** That of a model; none where differences of the linear predictor are no logarithms. */
  public static Optional<RatioScale> of(Regression regression) {
    return switch (regression) {
      case Logistic _ -> Optional.of(ODDS);
      case Poisson _, NegativeBinomial _ -> Optional.of(RATE);
      case Gamma _ -> Optional.of(MEAN);
      case Cox _ -> Optional.of(HAZARD);
      case Linear _, Probit _ -> Optional.empty();
    };
  }
}
