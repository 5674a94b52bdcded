package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnosisTest {
  private static final Weights UNIFORM = new Weights.Uniform();

  private static Diagnosis of(String spec, int clients, String weights) {
    Topology topology = Topology.parse(spec, clients, Streams.of(1));
    return Diagnosis.of(topology, Weights.parse(weights, topology, new int[0]));
  }

  /** Oracle: the closed forms of SE²(W); for lazy weights (1 − S)² of it, for symmetric W none. */
  @ParameterizedTest
  @CsvSource({
    "central,40,uniform",
    "central,2,uniform",
    "circle:3,40,uniform",
    "regular:3,40,uniform",
    "ring:3,40,uniform",
    "complete,40,uniform",
    "complete,1,uniform",
    "torus,40,uniform",
    "exponential,40,uniform",
    "central,40,lazy:0.25",
    "central,40,metropolis",
    "small-world:2:0.4,40,lazy-metropolis",
    "erdos-renyi:0.3,40,metropolis"
  })
  void se_ofAKindWithAClosedForm_isIt(String spec, int clients, String weights) {
    Diagnosis diagnosis = of(spec, clients, weights);
    double expected = diagnosis.expectedSe2().orElseThrow();
    assertThat(diagnosis.se() * diagnosis.se()).isCloseTo(expected, within(1e-13 * (1 + expected)));
    if (spec.equals("central") && weights.equals("uniform")) {
      assertThat(expected).isEqualTo((clients - 2.0) * (clients - 2.0) / (clients - 1.0));
    }
  }

  /** Oracle: the expectation 1/D − 1/(M − 1), within five standard errors of the mean. */
  @Test
  void se_ofFixedOverSeeds_isTheExpectationOnAverage() {
    int seeds = 400;
    double[] squares = new double[seeds];
    for (int seed = 0; seed < seeds; seed++) {
      double se = Network.of(new Topology.Fixed(60, 3, Streams.of(seed))).se();
      squares[seed] = se * se;
    }
    double mean = Arrays.stream(squares).average().orElseThrow();
    double variance = Arrays.stream(squares).map(s -> (s - mean) * (s - mean)).sum() / (seeds - 1);
    double expected = new Topology.Fixed(60, 3, Streams.of(0)).expectedSe2().orElseThrow();
    assertThat(expected).isCloseTo(1.0 / 3 - 1.0 / 59, within(1e-15));
    assertThat(mean).isCloseTo(expected, within(5 * Math.sqrt(variance / seeds)));
  }

  /** Oracle: (1 − D/(M − 1))^(M − 1), about e^−D, clients that nobody draws. */
  @Test
  void unheard_ofFixedOverSeeds_isTheChanceThatNobodyDraws() {
    int seeds = 200;
    double unheard = 0;
    for (int seed = 0; seed < seeds; seed++) {
      Network network = Network.of(new Topology.Fixed(200, 2, Streams.of(seed)));
      unheard += Arrays.stream(network.columnSums()).filter(sum -> sum == 0).count();
    }
    double chance = Math.pow(1 - 2.0 / 199, 199);
    assertThat(unheard / (seeds * 200))
        .isCloseTo(chance, within(5 * Math.sqrt(chance / (200.0 * seeds))));
  }

  @Test
  void of_central_countsItsLinks() {
    Diagnosis diagnosis = of("central", 10, "metropolis");
    assertThat(diagnosis.edges()).isEqualTo(18);
    assertThat(diagnosis.inDegree()).isEqualTo(new Diagnosis.Range(1, 9));
    assertThat(diagnosis.outDegree()).isEqualTo(new Diagnosis.Range(1, 9));
    assertThat(diagnosis.irreducible()).isTrue();
    assertThat(diagnosis.period()).isEqualTo(1);
    assertThat(of("central", 10, "uniform").period()).isEqualTo(2);
    assertThat(of("circle:1", 10, "uniform").period()).isEqualTo(10);
    assertThat(of("circle:2", 10, "uniform").warnings()).isEmpty();
  }

  @Test
  void of_aSingleClient_isIrreducibleAndEven() {
    Diagnosis single = of("complete", 1, "uniform");
    assertThat(single.irreducible()).isTrue();
    assertThat(single.unheard()).isEmpty();
    assertThat(single.edges()).isZero();
    assertThat(single.se()).isZero();
    assertThat(single.warnings()).isEmpty();
  }

  /** Oracle: the same facts under other names. */
  @Test
  void of_relabelledNetworks_saysTheSame() {
    UniformRandomProvider random = Streams.of(4).stream(Streams.Purpose.NETWORK);
    for (int trial = 0; trial < 100; trial++) {
      Network network = RandomNetworks.rowStochastic(2 + random.nextInt(9), 0.25, random);
      Diagnosis one = Diagnosis.of(network);
      Diagnosis other = Diagnosis.of(SpectrumTest.relabelled(network, random));
      assertThat(other.edges()).isEqualTo(one.edges());
      assertThat(other.inDegree()).isEqualTo(one.inDegree());
      assertThat(other.outDegree()).isEqualTo(one.outDegree());
      assertThat(other.unheard()).hasSameSizeAs(one.unheard());
      assertThat(other.transientClients()).hasSameSizeAs(one.transientClients());
      assertThat(other.closedClassSizes())
          .containsExactlyInAnyOrderElementsOf(one.closedClassSizes());
      assertThat(other.period()).isEqualTo(one.period());
      assertThat(other.se()).isCloseTo(one.se(), within(1e-14));
    }
  }

  /** Two cycles of 2 and 3, and a client that hears the first and is heard by nobody. */
  private static Network threeParts() {
    double[][] w = new double[6][6];
    w[0][1] = w[1][0] = 1;
    w[2][3] = w[3][4] = w[4][2] = 1;
    w[5][0] = 1;
    return Network.of(w);
  }

  @Test
  void warnings_ofSeveralClasses_nameThemAll() {
    Diagnosis diagnosis = Diagnosis.of(threeParts());
    assertThat(diagnosis.closedClassSizes()).containsExactly(2, 3);
    assertThat(diagnosis.transientClients()).containsExactly(5);
    assertThat(diagnosis.unheard()).containsExactly(5);
    assertThat(diagnosis.period()).isEqualTo(6);
    assertThat(diagnosis.stationary().distribution()).isEmpty();
    assertThat(diagnosis.warnings())
        .containsExactly(
            "1 of 6 clients is heard by nobody (5): none of its data reaches the estimate;"
                + " `regular:1` costs the same and has none",
            "2 groups of clients hear nobody outside their group (2 clients from client 0; 3"
                + " clients from client 2): each settles on an estimate of its own",
            "mixing has period 6: by itself it never converges; NGD still does with a small enough"
                + " alpha, if the data determine every parameter");
  }

  @Test
  void warnings_ofFixedOfTwo_countWhoIsLostAndOfferTheRegularNetwork() {
    Diagnosis diagnosis = Diagnosis.of(new Topology.Fixed(200, 2, Streams.of(1)), UNIFORM);
    assertThat(diagnosis.warnings())
        .hasSize(2)
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith(
                        diagnosis.unheard().length + " of 200 clients are heard by nobody (")
                    .endsWith(
                        ", …): none of their data reaches the estimate; `regular:2` costs the same"
                            + " and has none"),
            second ->
                assertThat(second)
                    .startsWith(
                        diagnosis.transientClients().length
                            + " of 200 clients lie in no closed class ("));
    assertThat(diagnosis.transientClients().length).isGreaterThan(diagnosis.unheard().length);
  }

  @Test
  void warnings_ofTheCentralNetwork_tellOfItsPeriodAndImbalance() {
    assertThat(of("central", 40, "uniform").warnings())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("mixing has period 2"),
            second ->
                assertThat(second).startsWith("SE(W) is 6.08: client 0 has 39 times its weight"));
    assertThat(of("central", 40, "metropolis").warnings()).isEmpty();
  }

  @Test
  void warnings_ofAClientHardlyHeard_tellThePriceOfBalance() {
    // π_1 = 0.001 π_0 + π_2 / 2 and π_2 = π_1 / 2, so π_2 = 0.002/3 π_0 = 0.000665.
    double[][] w = {{0.999, 0.001, 0}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    assertThat(Diagnosis.of(Network.of(w)).warnings())
        .anySatisfy(
            warning ->
                assertThat(warning)
                    .startsWith(
                        "the smallest entry of the stationary distribution is 0.00067, 0.0020 of")
                    .contains("`metropolis:rows`"));
  }
}
