package ngd.core.algorithm;

/** Something without which a method does not do what its theory says: checked before a run. */
public enum Need {
  STRONGLY_CONNECTED(
      "a strongly connected network, in which word of every client reaches every other",
      "use a network such as regular:D, circle:D or ring:K"),
  APERIODIC(
      "a W without a period, or mixing never settles",
      "give clients some weight on themselves, such as --weights lazy:0.5"),
  DOUBLY_STOCHASTIC(
      "a doubly stochastic W, whose columns also sum to 1",
      "use a network in which all are heard alike, such as regular:D, or --weights metropolis on mutual links"),
  SYMMETRIC(
      "a symmetric W", "use --weights metropolis on a network with mutual links such as ring:2"),
  EIGENVALUES_ABOVE_MINUS_A_THIRD(
      "a W whose eigenvalues lie above -1/3", "use --weights lazy-metropolis"),
  MUTUAL_LINKS(
      "mutual links, along which a client can answer whom it hears",
      "use a network such as ring:K, torus or complete"),
  HESSIAN("a loss with a Hessian", "use one of the families gaussian, binomial, poisson");

  private final String what;
  private final String remedy;

  Need(String what, String remedy) {
    this.what = what;
    this.remedy = remedy;
  }

  /** What is needed, in words. */
  public String what() {
    return what;
  }

  /** What would do, in words. */
  public String remedy() {
    return remedy;
  }
}
