package ngd.peer.plan;

/** Plans for tests. */
public final class Plans {
  private Plans() {}

  /** Three sites in a ring; comments, blank lines and a default or two. */
  public static final String THREE =
      """
      # A comment.
      federation: heart-study
      run: first

      sites:
        - name: a
          address: a.example.org:7400
        - {name: b, address: "localhost:7401"}   # in one line
        - name: c
          address: "[::1]:7402"
      network: ring:1
      weights: metropolis
      formula: y ~ x + z
      family: binomial
      """;

  public static WrittenPlan three() {
    return PlanReader.parse(THREE);
  }
}
