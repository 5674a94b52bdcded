package ngd.core.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import org.junit.jupiter.api.Test;

/** Oracle: the three measures by hand on two clients. */
class DataHeterogeneityTest {
  // Client 0: rows (1, 0), (0, 2), responses 1, 2: Σ̂xx = diag(½, 2), Σ̂xy = (½, 2).
  // Client 1: row (1, 1), response 3: Σ̂xx all ones, Σ̂xy = (3, 3).
  private static final Shards SHARDS =
      Shards.of(new double[][][] {{{1, 0}, {0, 2}}, {{1, 1}}}, new double[][] {{1, 2}, {3}});

  private static Problem problem() {
    return Problem.of(Network.of(Cases.circle(2, 1)), new Linear(), SHARDS, 0.1);
  }

  @Test
  void of_twoClients_areTheDeviationsByHand() {
    DataHeterogeneity found = DataHeterogeneity.of(problem(), Optional.of(new double[] {1, 1}));
    // Over the three rows Σ̂xx = [2 1; 1 5] / 3 and Σ̂xy = (4, 7) / 3; client 0 lies at squared
    // distances 13/36 and 29/36 from them, client 1 at 13/9 and 29/9.
    double xx = Math.sqrt((13.0 / 36 + 13.0 / 9) / 2);
    double xy = Math.sqrt((29.0 / 36 + 29.0 / 9) / 2);
    assertThat(found.seSigmaXX()).isCloseTo(xx, within(1e-15));
    assertThat(found.seSigmaXY()).isCloseTo(xy, within(1e-15));
  }

  @Test
  void of_knownTruth_takesTheScoreThere() {
    // At (1, 1) client 0 fits exactly, client 1's gradient is Σ̂xx θ − Σ̂xy = (2 − 3, 2 − 3).
    DataHeterogeneity found = DataHeterogeneity.of(problem(), Optional.of(new double[] {1, 1}));
    assertThat(found.seScore().value().getAsDouble()).isCloseTo(1, within(1e-15));
    assertThat(found.seScore().how()).contains("true");
  }

  @Test
  void of_unknownTruth_takesTheScoreAtTheGlobalEstimateAndSaysSo() {
    DataHeterogeneity found =
        DataHeterogeneity.of(problem().near(new double[] {1, 2}), Optional.empty());
    // At (1, 2): client 0 (0, 2), client 1 (0, 0).
    assertThat(found.seScore().value().getAsDouble()).isCloseTo(Math.sqrt(2), within(1e-15));
    assertThat(found.seScore().how()).contains("global estimate");
  }

  @Test
  void of_neitherTruthNorEstimate_saysWhy() {
    DataHeterogeneity found =
        DataHeterogeneity.of(problem().withoutEstimate("the labels separate"), Optional.empty());
    assertThat(found.seScore().value()).isEmpty();
    assertThat(found.seScore().how()).contains("the labels separate");
  }
}
