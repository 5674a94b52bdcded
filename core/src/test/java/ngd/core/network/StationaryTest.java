package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class StationaryTest {

  private static Stationary of(Network network) {
    return Stationary.of(network, CommunicatingClasses.of(network));
  }

  /** Laws: πᵀW = πᵀ, π sums to 1, and mixing keeps the π-weighted mean of anything. */
  @Seeds(300)
  void of_anyNetwork_isKeptByMixing(RandomInput input) {
    int clients = input.between(1, 12);
    UniformRandomProvider random = input.random();
    Network network = RandomNetworks.rowStochastic(clients, input.between(0.1, 0.9), random);
    CommunicatingClasses classes = CommunicatingClasses.of(network);
    Stationary stationary = of(network);
    if (classes.closedClasses().length > 1) {
      assertThat(stationary.distribution()).isEmpty();
      assertThat(stationary.how()).startsWith("not unique");
      assertThat(stationary.min().value()).isEmpty();
      return;
    }
    double[] pi = stationary.distribution().orElseThrow();
    assertThat(Arrays.stream(pi).sum()).isCloseTo(1, within(1e-14));
    double[] x = random.doubles(clients).toArray();
    double before = 0;
    double after = 0;
    for (int m = 0; m < clients; m++) {
      assertThat(pi[m] > 0).isEqualTo(classes.closed(classes.classOf(m)));
      before += pi[m] * x[m];
      double flow = 0;
      for (int k = 0; k < clients; k++) {
        flow += pi[k] * network.weight(k, m);
        after += pi[m] * network.weight(m, k) * x[k];
      }
      assertThat(flow).isCloseTo(pi[m], within(1e-14));
    }
    assertThat(after).isCloseTo(before, within(1e-14));
  }

  /** Oracle: half the visits are to the centre. */
  @Test
  void of_central_givesTheCentreHalf() {
    double[] pi = of(Network.of(new Topology.Central(11))).distribution().orElseThrow();
    assertThat(pi[0]).isCloseTo(0.5, within(1e-15));
    assertThat(pi[7]).isCloseTo(0.05, within(1e-15));
  }

  @Test
  void of_doublyStochastic_isExactlyEven() {
    Stationary stationary = of(Network.of(new Topology.Regular(30, 3, Streams.of(2))));
    assertThat(stationary.distribution().orElseThrow()).containsOnly(1.0 / 30);
    assertThat(stationary.how()).isEqualTo("closed form (doubly stochastic)");
  }

  /** Oracle: the distribution that the rule is made for, n_m / N. */
  @Test
  void of_metropolisRows_isTheShareOfRows() {
    int[] rows = new int[40];
    Arrays.setAll(rows, m -> 20 + 10 * ((m * 7) % 39));
    Network network =
        Network.of(
            new Topology.SmallWorld(40, 2, 0.4, Streams.of(3)), new Weights.MetropolisRows(rows));
    double total = Arrays.stream(rows).sum();
    double[] pi = of(network).distribution().orElseThrow();
    for (int m = 0; m < 40; m++) {
      assertThat(pi[m]).isCloseTo(rows[m] / total, within(1e-14));
    }
  }

  /**
   * Oracle: client m hears m + 1 with weight ε and 0 with 1 − ε, so π_m = ε^m π_0 up to the last
   * one; elimination keeps all digits of numbers as small as ε⁸.
   */
  @Test
  void of_aChainOfTinyWeights_keepsTheDigitsOfTheSmallest() {
    double epsilon = 1e-6;
    int clients = 9;
    double[][] w = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      w[m][0] = 1 - epsilon;
      w[m][(m + 1) % clients] += epsilon;
    }
    Stationary stationary = of(Network.of(w));
    assertThat(stationary.how()).isEqualTo("dense (GTH elimination)");
    double[] pi = stationary.distribution().orElseThrow();
    for (int m = 1; m < clients; m++) {
      double expected = pi[0] * Math.pow(epsilon, m);
      assertThat(pi[m]).isCloseTo(expected, within(1e-13 * expected));
    }
  }

  @Test
  void of_moreClientsThanElimination_iterates() {
    Network network = Network.of(new Topology.Fixed(5000, 4, Streams.of(1)));
    Stationary stationary = of(network);
    assertThat(stationary.how()).isEqualTo("iterative (power iteration)");
    double[] pi = stationary.distribution().orElseThrow();
    double[] flow = new double[5000];
    for (int m = 0; m < 5000; m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        flow[network.heard()[e]] += pi[m] * network.weights()[e];
      }
    }
    assertThat(flow).containsExactly(pi, within(1e-12));
    assertThat(stationary.min().orNaN()).isEqualTo(0);
  }
}
