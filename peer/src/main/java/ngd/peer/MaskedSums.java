package ngd.peer;

import java.util.Arrays;
import java.util.List;
import ngd.core.WorkFailed;
import ngd.core.algorithm.Totals;
import ngd.core.linalg.ExactSum;

/**
 * Sums and maxima over all clients. Every client's term is masked and added to the others' in
 * fixed-point arithmetic: exact, so in any order the same bits. A maximum is found by sums of
 * counts, digit after digit, so that nobody sees whose it is.
 */
final class MaskedSums {
  private static final int DIGIT_BITS = 4;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private final Calls calls;
  private final SumRoute route;
  private final int clients;
  private Masks masks;
  private byte[] bound = {};

  MaskedSums(Calls calls, SumRoute route, int clients, Masks masks) {
    this.calls = calls;
    this.route = route;
    this.clients = clients;
    this.masks = masks;
  }

  /**
   * Every client's commitment to its data, the same at each; from then on masks derive from all of
   * them.
   *
   * @return the clients that hold other commitments than this one does, none where all agree
   */
  List<Integer> commit(byte[] own) {
    byte[] digest = route.digest(own);
    List<Integer> others = route.dissenting(digest);
    if (others.isEmpty()) {
      bind(digest);
    }
    return others;
  }

  /** The clients whose digest of something is another than this one's. */
  List<Integer> dissenting(byte[] digest) {
    return route.dissenting(digest);
  }

  /** Derives masks from what {@link #commit} agreed on. */
  void bind(byte[] digest) {
    masks = masks.bound(digest);
    route.bind(digest);
    bound = digest.clone();
  }

  /** What masks derive from; empty before that is known. */
  byte[] bound() {
    return bound.clone();
  }

  /** The exact sum of all clients' terms, the same bits at each. */
  double[] total(double[] own) {
    int[] terms = new int[own.length * ExactSum.WORDS];
    for (int j = 0; j < own.length; j++) {
      ExactSum sum = new ExactSum();
      sum.add(own[j]);
      sum.words(terms, j * ExactSum.WORDS);
    }
    masks.add(calls.next(), terms);
    int[] sum = route.sum(terms, ExactSum.WORDS);
    double[] sums = new double[own.length];
    for (int j = 0; j < own.length; j++) {
      sums[j] = ExactSum.ofWords(sum, j * ExactSum.WORDS).value();
    }
    return Totals.finite(sums);
  }

  /**
   * The largest of all clients' numbers. Of those that may still be the largest, the next digit is
   * counted: everybody sees how many have which digit, and nobody sees whose they are.
   */
  double max(double own) {
    long code = ordered(own);
    long largest = 0;
    boolean leads = true;
    double leaders = clients;
    for (int shift = Long.SIZE - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
      int digit = (int) (code >>> shift) & (DIGITS - 1);
      double[] counts = new double[DIGITS];
      counts[digit] = leads ? 1 : 0;
      counts = total(counts);
      int top = top(counts, leaders);
      leaders = counts[top];
      leads &= digit == top;
      largest = largest << DIGIT_BITS | top;
    }
    return Totals.largest(number(largest));
  }

  /** The highest digit that any client has; refuses counts that cannot be any. */
  private static int top(double[] counts, double leaders) {
    boolean whole =
        Arrays.stream(counts).allMatch(count -> count >= 0 && count == Math.rint(count));
    if (!whole || Arrays.stream(counts).sum() != leaders) {
      throw new WorkFailed(
          "maximum: the sites' counts must be whole numbers and add up to %.0f; they are %s. Some site does not count what it was asked to, so there is no answer"
              .formatted(leaders, Arrays.toString(counts)));
    }
    int top = DIGITS - 1;
    while (counts[top] == 0) {
      top--;
    }
    return top;
  }

  /** A number's bits in an order that is that of the numbers, NaN last, without their sign. */
  private static long ordered(double number) {
    long bits = Double.doubleToLongBits(number);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  private static double number(long ordered) {
    return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered);
  }
}
