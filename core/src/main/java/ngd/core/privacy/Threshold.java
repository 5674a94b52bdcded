package ngd.core.privacy;

import java.util.function.DoublePredicate;

/**
 * Where a condition that holds for small numbers ends, as fine as doubles get.
 *
 * @param below the largest number found at which it holds
 * @param above the smallest found at which it does not
 */
record Threshold(double below, double above) {
  /** The end between a number at which the condition holds and one at which it does not. */
  static Threshold between(double below, double above, DoublePredicate holds) {
    double low = below;
    double high = above;
    double middle = (low + high) / 2;
    while (low < middle && middle < high) {
      if (holds.test(middle)) {
        low = middle;
      } else {
        high = middle;
      }
      middle = (low + high) / 2;
    }
    return new Threshold(low, high);
  }

  /** The end above a number at which the condition holds; both infinite where there is none. */
  static Threshold above(double below, double first, DoublePredicate holds) {
    double low = below;
    double high = first;
    while (holds.test(high) && Double.isFinite(high)) {
      low = high;
      high *= 2;
    }
    return Double.isFinite(high) ? between(low, high, holds) : new Threshold(high, high);
  }
}
