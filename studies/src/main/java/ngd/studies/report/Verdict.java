package ngd.studies;

/** What data say of a claim. */
enum Verdict {
  SUPPORTED("supported"),
  IN_PART("supported in part"),
  NOT_SUPPORTED("not supported");

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /** By how many of the cases agree: all, some or none. */
  static Verdict of(int agreeing, int cases) {
    if (agreeing == cases) {
      return SUPPORTED;
    }
    return agreeing > 0 ? IN_PART : NOT_SUPPORTED;
  }
}
