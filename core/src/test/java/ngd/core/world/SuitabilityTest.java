package ngd.core.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracle: small networks whose properties are known by construction. */
class SuitabilityTest {
  private static Network network(String spec, String weights) {
    Topology topology = Topology.parse(spec, 8, Streams.of(1));
    return Network.of(topology, Weights.parse(weights, topology, new int[0]));
  }

  private static AlgorithmChoice choice(String name) {
    return AlgorithmChoice.of(name, StepChoice.parse("0.1"));
  }

  private static AlgorithmDescriptor algorithm(String name) {
    return Algorithms.parse(name).descriptor();
  }

  private static Suitability suitability(Network network) {
    return new Suitability(network, new Linear(), new Mixing.Mean());
  }

  @ParameterizedTest
  @CsvSource({
    "extra, circle:2, uniform, symmetric W; use --weights metropolis",
    "exact-diffusion, circle:1, uniform, symmetric",
    "diging, central, uniform, doubly stochastic",
    "diging, circle:1, uniform, period",
    "d2, ring:1, uniform, -1/3; use --weights lazy-metropolis",
    "push-pull, ring:1, uniform, period",
    "dgd, central, uniform, period",
    "cfa-ge, circle:2, uniform, mutual links",
    "collaborative, regular:2, uniform, mutual links",
  })
  void require_needNotMet_saysWhatAndWhatWouldDo(
      String name, String spec, String weights, String message) {
    assertThatThrownBy(() -> suitability(network(spec, weights)).require(choice(name)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("algorithm `" + name + "`: needs")
        .hasMessageContaining(message);
  }

  @Test
  void require_notConnected_isRefused() {
    Network apart = Network.of(new double[][] {{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0, 0, 1}});
    for (String name :
        new String[] {"push-diging", "sgp", "balanced-ngd", "d2", "extra", "bayesian"}) {
      assertThatThrownBy(() -> suitability(apart).require(choice(name)))
          .hasMessageContaining("strongly connected");
    }
  }

  @Test
  void require_everyMethodOnALazyMetropolisRing_isSatisfied() {
    Suitability suitability = suitability(network("ring:2", "lazy-metropolis"));
    for (AlgorithmDescriptor one : Algorithms.all()) {
      assertThatCode(() -> suitability.require(choice(one.name())))
          .as(one.name())
          .doesNotThrowAnyException();
    }
  }

  /** On the star π is ½ for the centre and 1/14 for each of the seven others. */
  @Test
  void scales_star_undoTheStationaryDistribution() {
    Suitability star = suitability(network("central", "uniform"));
    int[] rows = {10, 20, 10, 10, 10, 10, 10, 20};
    GradientScales balanced = star.scales(algorithm("balanced-ngd"), rows);
    assertThat(balanced.of(0)).isCloseTo(0.1 / 0.5, within(1e-12));
    assertThat(balanced.of(1)).isCloseTo(0.2 * 14, within(1e-12));
    assertThat(balanced.largest()).isCloseTo(2.8, within(1e-12));
    assertThat(star.scales(algorithm("push-diging"), rows).of(7)).isCloseTo(1.6, within(1e-12));
    assertThat(star.scales(algorithm("ngd"), rows)).isSameAs(GradientScales.NONE);
  }

  @Test
  void scales_clientsThatNobodyHears_cannotBeScaledUp() {
    Network unheard = Network.of(new double[][] {{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.5, 0.5, 0}});
    assertThat(suitability(unheard).scales(algorithm("dgd"), new int[] {1, 2, 3}))
        .isSameAs(GradientScales.NONE);
  }
}
