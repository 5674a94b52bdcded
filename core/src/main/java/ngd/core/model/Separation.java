package ngd.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.core.data.Table;

/**
 * A direction along which the likelihood may grow forever: no row's fit gets worse along it, and
 * some rows' linear predictors run off to where their responses are certain.
 *
 * <p>There Newton's steps keep their length, about one unit of those linear predictors, while the
 * likelihood gains a factor e less each time; where an estimate exists, they shrink quadratically.
 */
public final class Separation {
  /** The decrement below which the likelihood no longer changes. */
  public static final double FLAT = 1e-4;

  /** A row moves against its response if it does so by this share of the largest move. */
  public static final double AGAINST = 1e-5;

  /**
   * A row escapes if its linear predictor moves by more than this: steps of logits are about 1, in
   * the tail of the normal distribution they are about 1 over the predictor.
   */
  public static final double MOVES = 0.1;

  /** Newton's decrement shrinks by less than this from one step to the next. */
  public static final double SLOW = 0.3;

  private final double[] direction;
  private final PooledRows rows;
  private double largest;
  private double against;
  private long escaping;
  private final double[] norms;

  private Separation(double[] direction, PooledRows rows) {
    this.direction = direction;
    this.rows = rows;
    norms = new double[direction.length];
  }

  static Separation along(double[] direction, PooledRows rows) {
    return new Separation(direction, rows);
  }

  /**
   * Throws where the direction separates.
   *
   * @param rate the decrement over the one before: about e^−½ under separation
   */
  void check(double rate) {
    if (rate < SLOW) {
      return;
    }
    rows.forEach(this::look);
    if (largest > MOVES && against <= AGAINST * largest) {
      throw found();
    }
  }

  private void look(double[] x, double y, double offset, double weight) {
    if (weight == 0) {
      return;
    }
    double move = 0;
    for (int j = 0; j < x.length; j++) {
      move = Math.fma(x[j], direction[j], move);
      norms[j] = Math.hypot(norms[j], x[j]);
    }
    double wrong = rows.glm().against(move, y);
    against = Math.max(against, wrong);
    largest = Math.max(largest, Math.abs(move));
    escaping += Math.abs(move) > MOVES ? 1 : 0;
  }

  private NoEstimate found() {
    return found(
        direction,
        norms,
        rows.features(),
        "%d of %d".formatted(escaping, rows.shards().totalRows()));
  }

  /** The same of a partial likelihood, in which no coefficient fits a row by itself. */
  public static NoEstimate monotone(double[] direction, double[] norms, List<String> features) {
    int first = 0;
    for (int j = 1; j < direction.length; j++) {
      if (Math.abs(direction[j]) * norms[j] > Math.abs(direction[first]) * norms[first]) {
        first = j;
      }
    }
    return new NoEstimate(
        NoEstimate.Reason.SEPARATION,
        "no maximum-likelihood estimate exists (monotone likelihood): it increases without bound as the coefficient of `%s` goes to %s∞, since in every risk set the events are where it is %s; leave the term out, or merge its category with another"
            .formatted(
                features.get(first),
                direction[first] < 0 ? "−" : "+",
                direction[first] < 0 ? "least" : "largest"));
  }

  /**
   * Names the terms that escape, the one with the largest share first.
   *
   * @param norms the norm of each feature's column
   * @param escaping how many rows do, in words
   */
  public static NoEstimate found(
      double[] direction, double[] norms, List<String> features, String escaping) {
    double[] share = new double[direction.length];
    Arrays.setAll(share, j -> Math.abs(direction[j]) * norms[j]);
    double most = Arrays.stream(share).max().orElse(0);
    List<Integer> terms =
        new ArrayList<>(
            IntStream.range(0, share.length)
                .filter(j -> share[j] >= 0.05 * most)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -share[j]))
                .toList());
    int first = terms.getFirst();
    String name = features.get(first);
    String others =
        terms.stream()
            .skip(1)
            .limit(3)
            .map(j -> "`%s`".formatted(features.get(j)))
            .collect(Collectors.joining(", "));
    return new NoEstimate(
        NoEstimate.Reason.SEPARATION,
        "no maximum-likelihood estimate exists (separation): the likelihood increases without bound"
            + " as the"
            + " coefficient of `%s` goes to %s∞%s, which fits %s rows perfectly; %s"
                .formatted(
                    name,
                    direction[first] < 0 ? "−" : "+",
                    others.isEmpty() ? "" : " together with those of " + others,
                    escaping,
                    name.equals(Table.INTERCEPT)
                        ? "check the response, which hardly varies"
                        : "leave the term out, or merge its category with another"));
  }
}
