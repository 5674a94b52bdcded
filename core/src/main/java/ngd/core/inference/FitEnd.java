package ngd.core.inference;

/**
 * Where a fit ended.
 *
 * @param at the sums there
 * @param distance what remains, in standard errors
 * @param rounds of network gradient descent
 * @param steps of Newton's method after them
 */
record FitEnd(Likelihood at, double distance, int rounds, int steps) {
  double[] theta() {
    return at.theta();
  }
}
