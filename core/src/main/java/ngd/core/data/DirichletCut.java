package ngd.core.data;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;

/** Spreads classes of rows over clients by Dirichlet shares, then sees to it that all have rows. */
record DirichletCut(double concentration, int clients) {

  Assignment of(int[][] classes, UniformRandomProvider draws) {
    int[] clientOf = new int[Arrays.stream(classes).mapToInt(own -> own.length).sum()];
    for (int[] rows : classes) {
      int[] order = rows.clone();
      PermutationSampler.shuffle(draws, order);
      double[] shares = shares(draws);
      double share = 0;
      int next = 0;
      for (int m = 0; m < clients; m++) {
        share += shares[m];
        int end = m == clients - 1 ? order.length : (int) Math.rint(share * order.length);
        for (; next < Math.min(end, order.length); next++) {
          clientOf[order[next]] = m;
        }
      }
    }
    fillEmpty(clientOf, draws);
    return new Assignment(clients, clientOf);
  }

  /**
   * Normalised gamma variables, by their logarithms: G(a) = G(a + 1) U^{1/a}, whose factors
   * underflow for small concentrations but whose logarithms do not.
   */
  private double[] shares(UniformRandomProvider draws) {
    SharedStateContinuousSampler gamma =
        AhrensDieterMarsagliaTsangGammaSampler.of(draws, concentration + 1, 1);
    double[] shares = new double[clients];
    double largest = Double.NEGATIVE_INFINITY;
    for (int m = 0; m < clients; m++) {
      shares[m] = Math.log(gamma.sample()) + Math.log1p(-draws.nextDouble()) / concentration;
      largest = Math.max(largest, shares[m]);
    }
    double sum = 0;
    for (int m = 0; m < clients; m++) {
      shares[m] = Math.exp(shares[m] - largest);
      sum += shares[m];
    }
    for (int m = 0; m < clients; m++) {
      shares[m] /= sum;
    }
    return shares;
  }

  private void fillEmpty(int[] clientOf, UniformRandomProvider draws) {
    int[] sizes = new Assignment(clients, clientOf).sizes();
    int[][] rows = new int[clients][];
    Arrays.setAll(rows, m -> new int[sizes[m]]);
    int[] filled = new int[clients];
    for (int row = 0; row < clientOf.length; row++) {
      int client = clientOf[row];
      rows[client][filled[client]++] = row;
    }
    Comparator<Integer> mostRows = Comparator.comparingInt(m -> -sizes[m]);
    PriorityQueue<Integer> largest =
        new PriorityQueue<>(mostRows.thenComparing(Comparator.naturalOrder()));
    for (int m = 0; m < clients; m++) {
      if (sizes[m] > 0) {
        largest.add(m);
      }
    }
    for (int empty = 0; empty < clients; empty++) {
      if (sizes[empty] > 0) {
        continue;
      }
      int donor = largest.remove();
      int chosen = draws.nextInt(sizes[donor]);
      clientOf[rows[donor][chosen]] = empty;
      rows[donor][chosen] = rows[donor][--sizes[donor]];
      sizes[empty] = 1;
      largest.add(donor);
    }
  }
}
