package ngd.core.algorithm;

/** How clients scale their gradients so that a method's target is the pooled estimate. */
public enum Weighting {
  /** Not at all. */
  NONE,
  /** By M n_m / N: all clients count alike in what the method minimises. */
  BY_SIZE,
  /** By (n_m / N) / π_m: client m counts with its share π_m of the stationary distribution. */
  BY_SIZE_AND_WEIGHT,
  /**
   * By (n_m / N) / q_m: client m counts with its share q_m of the stationary distribution of a walk
   * that goes to a listener chosen at random.
   */
  BY_SIZE_AND_PUSHES
}
