package ngd.core.linalg;

/**
 * How a residual follows from a linear predictor η and a response y: the mean less y. What the row
 * kernels know of a model.
 */
public enum Link {
  /** η − y. */
  IDENTITY,
  /** 1 / (1 + exp(−η)) − y. */
  LOGISTIC,
  /** exp(η) − y; predictors above {@link Exp#CEILING} count as that, so that nothing overflows. */
  EXPONENTIAL
}
