package ngd.core.inference;

/** What the covariance of the coefficients rests on. */
public enum Covariance {
  /** The model: dispersion times the inverse of the expected information, as {@code glm} in R. */
  MODEL("model-based"),
  /** The rows' own scores (Huber and White), as {@code sandwich::sandwich} in R. */
  HC0("robust (HC0)"),
  /** The same times n / (n − p), for small samples. */
  HC1("robust (HC1)"),
  /**
   * The sites' own scores, times M / (M − 1): rows of one site may depend on each other, as {@code
   * sandwich::vcovCL(type = "HC0")} in R.
   */
  SITE("cluster-robust by site");

  private final String words;

  Covariance(String words) {
    this.words = words;
  }

  /** Its name for people. */
  public String words() {
    return words;
  }
}
