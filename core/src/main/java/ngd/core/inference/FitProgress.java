package ngd.core.inference;

/** Receives the progress of a fit: for a bar, and for the time that each part took. */
public interface FitProgress {
  /** The parts of a fit, in their order. */
  enum Stage {
    /** Sizes and the pooled second moments. */
    COORDINATES("agreeing on coordinates"),
    /** The model with an intercept alone. */
    NULL_MODEL("the null model"),
    /** Network gradient descent. */
    ROUNDS("rounds of balanced ngd"),
    /** Newton steps on pooled sums. */
    LAST_STEPS("Newton steps"),
    /** Penalised fits, one λ after the other. */
    PATH("the path of penalties"),
    /** Covariance, deviance, tests. */
    INFERENCE("inference"),
    IMPUTATION("imputing and fitting");

    private final String words;

    Stage(String words) {
      this.words = words;
    }

    /** What is done, in words. */
    public String words() {
      return words;
    }
  }

  /** A part begins. */
  void begin(Stage stage);

  /** Rounds done, of at most {@code most}. */
  void rounds(int done, int most);

  /** Tells nobody. */
  FitProgress NONE =
      new FitProgress() {
        @Override
        public void begin(Stage stage) {}

        @Override
        public void rounds(int done, int most) {}
      };
}
