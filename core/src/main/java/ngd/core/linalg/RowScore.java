package ngd.core.linalg;

/**
 * How the derivative of a row's loss follows from its linear predictor η and its response y: what
 * the row kernels know of a model. For a canonical link that is the mean less y.
 */
public enum RowScore {
  /** η − y. */
  IDENTITY,
  /** 1 / (1 + exp(−η)) − y. */
  LOGISTIC,
  /** exp(η) − y; predictors above {@link Exp#CEILING} count as that, so that nothing overflows. */
  EXPONENTIAL,
  /** −φ(η) / Φ(η) for y = 1 and φ(η) / Φ(−η) for y = 0. */
  PROBIT,
  /** 1 − y exp(−η); predictors below −{@link Exp#CEILING} count as that. */
  GAMMA,
  /** (exp(η) − y) / (1 + exp(η) / shape), predictors cut as for {@link #EXPONENTIAL}. */
  NEGATIVE_BINOMIAL;

  /** Whether a row's curvature follows from its mean alone; {@link Kernels} know its loss too. */
  public boolean isCanonical() {
    return this == IDENTITY || this == LOGISTIC || this == EXPONENTIAL;
  }

  IllegalArgumentException notCanonical() {
    return new IllegalArgumentException("link: must be canonical; got " + this);
  }
}
