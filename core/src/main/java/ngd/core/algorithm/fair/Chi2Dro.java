package ngd.core.algorithm.fair;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LossLocal;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Totals;
import ngd.core.algorithm.Weighting;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Network gradient descent on the worst loss that any group of at least a share of the rows may
 * have, whoever belongs to it (Hashimoto, Srivastava, Namkoong and Liang 2018): the largest mean
 * loss over all weights of rows in a χ² ball is, in its dual form,
 *
 * <pre>
 * min over η of C (mean of [ℓ − η]₊²)^½ + η,  C = (2 (1/share − 1)² + 1)^½,
 * </pre>
 *
 * and its gradient counts a row by q = [ℓ − η]₊ over its mean: v = W x, then x ← v − α c Σ q ∇ℓ(v)
 * / n. All rows of all clients have one η, found from sums alone.
 *
 * <p>At the minimum C² (mean of u)² = mean of u², u = [ℓ − η]₊. While the same share s of rows lies
 * above η, with the mean a and the variance v of their losses, that is solved by a − (v / (C² s −
 * 1))^½. From below, where all rows lie above, this climbs to the minimum in finitely many steps,
 * since the rows that fall below only move it up.
 *
 * @param share how small a share of the rows may count alone, in (0, 1]; 1 for all alike
 */
public record Chi2Dro(StepSize alpha, double share, GradientScales scales)
    implements Algorithm.Rounds<Ngd.State> {
  /** Losses that differ by less beside their mean count as equal: sums show no more. */
  private static final double EQUAL = 1e-6;

  public Chi2Dro {
    if (!(share > 0 && share <= 1)) {
      throw new InvalidInput(
          "chi2-dro: SHARE must lie in (0, 1], 1 for all rows alike; got " + share);
    }
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Rows mixed = exchange.mix(s.theta());
    LossLocal.RowLosses losses = LossLocal.in(local).rowLosses(mixed);
    Rows gradient = scales.times(weighed(losses, exchange));
    return new Ngd.State(s.round() + 1, mixed.minus(alpha.at(s.round()), gradient));
  }

  /** The gradient in which a row counts by q, the same function of its loss at all clients. */
  private Rows weighed(LossLocal.RowLosses losses, Totals totals) {
    double square = 2 * (1 / share - 1) * (1 / share - 1) + 1;
    double eta = Double.NEGATIVE_INFINITY;
    double all = 0;
    double before = Double.POSITIVE_INFINITY;
    while (true) {
      double least = eta;
      double from = Double.isInfinite(eta) ? 0 : eta;
      double[] sums = totals.total(losses.above(least, from));
      double above = sums[0];
      all = Math.max(all, above);
      double mean = sums[1] / above;
      double variance = sums[2] / above - mean * mean;
      double spread = square * above / all - 1;
      if (!(spread > 0) || !(variance > EQUAL * EQUAL * (from + mean) * (from + mean))) {
        return losses.gradient(least, from, all / above, 0);
      }
      double next = from + mean - Math.sqrt(variance / spread);
      if (above >= before) {
        double average = above / all * (from + mean - next);
        return losses.gradient(next, next, 0, 1 / average);
      }
      before = above;
      eta = next;
    }
  }

  /** {@code --algorithm chi2-dro}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "chi2-dro",
          "ngd on the worst loss of any share of the rows (Hashimoto et al. 2018)",
          request -> new Chi2Dro(request.step(), request.parameter(0, 0.5), request.scales()));
      parameters("SHARE");
      needs(Need.STRONGLY_CONNECTED, Need.ROW_LOSSES);
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
    }

    /** None is known: the worst group changes with every step, and the worst loss has corners. */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return StepLimit.UNKNOWN;
    }
  }
}
