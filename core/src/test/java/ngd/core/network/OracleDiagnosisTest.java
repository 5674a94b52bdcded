package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import ngd.core.Oracles;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Oracle: {@code oracles/theory}, the same networks diagnosed by an independent program. */
class OracleDiagnosisTest {
  static Stream<Oracles.Case> cases() {
    return Oracles.networks();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void of_everyNetwork_equalsTheIndependentProgram(Oracles.Case expected) {
    Diagnosis found = Diagnosis.of(expected.topology(), expected.weights());
    JsonNode json = expected.json();
    assertThat(found.clients()).isEqualTo(expected.clients());
    assertThat(found.edges()).isEqualTo(json.get("edges").intValue());
    int selfWeights =
        (int)
            IntStream.range(0, found.clients())
                .filter(m -> found.network().weight(m, m) > 0)
                .count();
    assertThat(selfWeights).isEqualTo(json.get("selfWeights").intValue());
    assertThat(found.inDegree()).isEqualTo(range(json.get("inDegree")));
    assertThat(found.outDegree()).isEqualTo(range(json.get("outDegree")));
    assertThat(found.unheard()).isEqualTo(Oracles.integers(json.get("unheard")));
    assertThat(found.transientClients()).isEqualTo(Oracles.integers(json.get("transient")));
    int[][] closed =
        Arrays.stream(found.classes().closedClasses())
            .mapToObj(found.classes()::members)
            .toArray(int[][]::new);
    assertThat(closed)
        .isDeepEqualTo(
            StreamSupport.stream(json.get("closedClasses").spliterator(), false)
                .map(Oracles::integers)
                .toArray(int[][]::new));
    assertThat(found.irreducible()).isEqualTo(json.get("irreducible").booleanValue());
    if (!json.get("period").isNull()) {
      // Where W is reducible the oracle gives none; ours is that of the closed classes together.
      assertThat(found.period()).isEqualTo(json.get("period").longValue());
    }
    assertThat(found.se()).isCloseTo(expected.number("seW"), within(1e-14));
    Spectrum spectrum = found.spectrum();
    assertThat(spectrum.sigmaMax().orNaN()).isCloseTo(expected.number("sigmaMax"), within(1e-12));
    assertThat(spectrum.sigmaMinPlus().orNaN())
        .isCloseTo(expected.number("sigmaMinPlus"), within(1e-12));
    assertThat(spectrum.rhoSigmaW().orNaN()).isCloseTo(expected.number("rhoSigmaW"), within(1e-12));
    assertThat(spectrum.secondEigenvalue().orNaN())
        .isCloseTo(expected.number("secondEigenvalue"), within(1e-9));
    if (json.get("stationary").isNull()) {
      assertThat(found.stationary().distribution()).isEmpty();
    } else {
      assertThat(found.stationary().distribution().orElseThrow())
          .containsExactly(Oracles.numbers(json.get("stationary")), within(1e-13));
    }
  }

  private static Diagnosis.Range range(JsonNode json) {
    return new Diagnosis.Range(json.get("min").intValue(), json.get("max").intValue());
  }
}
