package ngd.studies.report;

/** What data say of a claim. */
public enum Verdict {
  SUPPORTED("supported"),
  IN_PART("supported in part"),
  NOT_SUPPORTED("not supported"),
  /** Nothing in the data bears on the claim. */
  NO_CASES("no cases");

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }

  /** By how many of the cases agree: all, some or none; {@code NO_CASES} without a case. */
  public static Verdict of(int agreeing, int cases) {
    if (agreeing < 0 || agreeing > cases) {
      throw new IllegalArgumentException(
          "agreeing: must lie in [0, %d], the cases; got %d".formatted(cases, agreeing));
    }
    if (cases == 0) {
      return NO_CASES;
    }
    if (agreeing == cases) {
      return SUPPORTED;
    }
    return agreeing > 0 ? IN_PART : NOT_SUPPORTED;
  }

  /** Of a claim about most cases: more than half will do. */
  public static Verdict most(int agreeing, int cases) {
    Verdict all = of(agreeing, cases);
    return all == IN_PART && 2 * agreeing > cases ? SUPPORTED : all;
  }
}
