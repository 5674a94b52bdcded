package ngd.core.algorithm;

import ngd.core.linalg.Eigenvalues;

/** What of a network decides how large a step may be; each is computed when it is asked for. */
public interface NetworkFacts {
  /** M. */
  int clients();

  /** Of W, but for a single 1. */
  Eigenvalues mixing();

  /** Of the matrix of {@link Exchange#push}, but for a single 1. */
  Eigenvalues pushing();

  /** The smallest weight that a client gives itself in W. */
  double leastSelfWeight();

  /** The most clients, itself not among them, that a client hears. */
  int mostLinks();

  /** The smallest of the weights that push-sum comes to; their mean is 1. */
  double leastPushWeight();

  /**
   * M Σ π_m ρ_m, π being the stationary distribution of W and ρ the shares that pushing comes to: 1
   * where either is even, more where those who are heard most also receive most.
   */
  double overlap();
}
