package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import ngd.core.data.RowParts;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;

/** Gradients over parts of rows, some clients' from moments and some from rows. */
class PartMomentsTest {
  private static final int[] ROWS = {50, 3, 29, 41};

  /** Oracle: Σ w (xᵀθ + offset − y) x over the part, times the number of parts, over n. */
  @Seeds(40)
  void partGradients_linearModel_areTheSumsOverTheirRows(RandomInput input) {
    int p = input.between(1, 17);
    int of = input.between(1, 12);
    Shards shards = shards(input, p);
    RowParts parts = new RowParts(ROWS, of);
    int stride = Kernels.padded(p);
    double[] at = new double[ROWS.length * stride];
    int[] chosen = new int[ROWS.length];
    for (int m = 0; m < ROWS.length; m++) {
      chosen[m] = input.between(0, of - 1);
      for (int j = 0; j < p; j++) {
        at[m * stride + j] = input.between(-2.0, 2.0);
      }
    }
    Objective objective = new Linear().over(shards);
    double[] found = new double[at.length];
    objective.partGradients(parts, chosen, at, found, stride, 0, ROWS.length);
    for (int m = 0; m < ROWS.length; m++) {
      double[] theta = Arrays.copyOfRange(at, m * stride, m * stride + p);
      double[] expected = sums(shards.shard(m), parts, m, chosen[m], theta);
      for (int j = 0; j < p; j++) {
        assertThat(found[m * stride + j]).isCloseTo(expected[j], within(1e-12 * ROWS[m] * p));
      }
      double[] alone = new double[stride];
      new Linear()
          .over(shards.only(m))
          .partGradients(
              new RowParts(new int[] {ROWS[m]}, of),
              new int[] {chosen[m]},
              Arrays.copyOf(theta, stride),
              alone,
              stride,
              0,
              1);
      assertThat(alone).isEqualTo(Arrays.copyOfRange(found, m * stride, (m + 1) * stride));
    }
  }

  private static double[] sums(Shard rows, RowParts parts, int client, int part, double[] theta) {
    double[] sums = new double[theta.length];
    for (int i = parts.first(client, part); i < parts.first(client, part + 1); i++) {
      double residual = rows.offset(i) - rows.y(i);
      for (int j = 0; j < theta.length; j++) {
        residual += rows.x(i, j) * theta[j];
      }
      for (int j = 0; j < theta.length; j++) {
        sums[j] += rows.weight(i) * residual * rows.x(i, j) * parts.of() / rows.rows();
      }
    }
    return sums;
  }

  private static Shards shards(RandomInput input, int p) {
    Shards.Filler filler = Shards.sized(p, ROWS);
    double[] x = new double[p];
    for (int m = 0; m < ROWS.length; m++) {
      for (int i = 0; i < ROWS[m]; i++) {
        Arrays.setAll(x, _ -> input.between(-1.0, 1.0));
        filler.put(
            m, i, x, input.between(-3.0, 3.0), input.between(-1.0, 1.0), input.between(0.5, 2.0));
      }
    }
    return filler.done();
  }
}
