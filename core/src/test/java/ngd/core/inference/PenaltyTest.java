package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.algorithm.Moments;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.Triangular;
import ngd.core.model.Logistic;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.HostEdges;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.world.ModelledLocal;
import ngd.core.world.ShardsLocal;
import org.junit.jupiter.api.Test;

/** Every way to see penalised data. Oracles: difference quotients, the optimality condition. */
class PenaltyTest {
  private static final double FACTOR = 2;
  private static final double[] MATRIX = {0.4, 0.1, 0.1, 0.9};

  private final Host host = new Host(Kernels.best(), new Workers(1));
  private final Shards shards =
      Shards.of(
          new double[][][] {{{1, 0.5}, {1, -2}, {1, 0.1}}, {{1, 1.5}, {1, -0.4}}},
          new double[][] {{1, 0, 1}, {0, 1}});
  private final ModelledLocal plain =
      (ModelledLocal) ShardsLocal.of(new Logistic().over(shards), host, Streams.of(1), 0);
  private final CurvedLocal penalised = Penalty.of(MATRIX, 2).on(plain, FACTOR);

  /** The client's loss and factor / 2 · θᵀPθ, written out. */
  private double value(int m, double[] theta) {
    double quadratic = 0;
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        quadratic += theta[i] * MATRIX[2 * i + j] * theta[j];
      }
    }
    return new Logistic().value(shards.shard(m), theta) + FACTOR / 2 * quadratic;
  }

  private double[] quotient(int m, double[] at) {
    double h = 1e-5;
    double[] quotient = new double[2];
    for (int j = 0; j < 2; j++) {
      double[] up = at.clone();
      double[] down = at.clone();
      up[j] += h;
      down[j] -= h;
      quotient[j] = (value(m, up) - value(m, down)) / (2 * h);
    }
    return quotient;
  }

  @Test
  void gradients_rowsLinksAndMoments_areTheDifferenceQuotients() {
    double[][] at = {{0.3, -0.7}, {1.1, 0.2}};
    Rows gradient = penalised.gradient(host.of(at));
    for (int m = 0; m < 2; m++) {
      assertThat(gradient.row(m)).containsExactly(quotient(m, at[m]), within(1e-9));
      Moments moments = penalised.moments(m);
      assertThat(moments.value(at[m])).isCloseTo(value(m, at[m]), within(1e-14));
      assertThat(moments.gradient(at[m])).containsExactly(quotient(m, at[m]), within(1e-9));
    }
    HostEdges links =
        new HostEdges(
            host, new int[] {0, 1, 3}, host.of(new double[][] {{1, 2}, {0.5, -1}, {0, 3}}));
    HostRows onLinks = HostRows.in(penalised.gradient(links).values());
    assertThat(onLinks.row(0)).containsExactly(quotient(0, new double[] {1, 2}), within(1e-9));
    assertThat(onLinks.row(2)).containsExactly(quotient(1, new double[] {0, 3}), within(1e-9));
  }

  /** Batches of all rows are all rows. */
  @Test
  void batch_ofAllRows_isTheWholeLoss() {
    Rows at = host.of(new double[][] {{0.3, -0.7}, {1.1, 0.2}});
    for (int m = 0; m < 2; m++) {
      assertThat(penalised.batch(3, 0).gradient(at).row(m))
          .containsExactly(penalised.gradient(at).row(m), within(1e-14));
    }
  }

  @Test
  void prox_anyCentre_meetsTheOptimalityConditionOfThePenalisedLoss() {
    double[][] centre = {{2, -1}, {0.5, 3}};
    Rows prox = penalised.prox(host.of(centre), 0.3);
    for (int m = 0; m < 2; m++) {
      double[] slope = quotient(m, prox.row(m));
      for (int j = 0; j < 2; j++) {
        assertThat(slope[j] + 0.3 * (prox.get(m, j) - centre[m][j])).isCloseTo(0, within(1e-9));
      }
    }
  }

  /** The value at a model is that at the same model in other coordinates. */
  @Test
  void in_otherCoordinates_givesTheSameLossAtTheSameModel() {
    double[] upper = {2, -0.5, 0, 3};
    CurvedLocal there = penalised.in(upper);
    for (double[] theta : List.of(new double[] {0.4, -1}, new double[] {2, 0.7})) {
      double[] here = Triangular.solve(upper, 2, theta);
      for (int m = 0; m < 2; m++) {
        assertThat(there.moments(m).value(theta)).isCloseTo(value(m, here), within(1e-12));
      }
    }
  }
}
