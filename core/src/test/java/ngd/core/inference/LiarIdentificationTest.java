package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.Oracles;
import ngd.core.data.Shards;
import ngd.core.model.Cox;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Ties;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** Oracles: R's {@code p.adjust}, {@code lm} and {@code glm}, and {@code oracles/fdr}. */
class LiarIdentificationTest {
  private static final double[] X = {0.1, 0.9, -0.4, 1.3, 0.6, -1.1, 0.2, -0.7};
  private static final double[] Y = {1.2, 2.8, 0.1, 3.9, 1.7, -1.2, 1.6, -0.1};
  private static final double[] Z = {0, 1, 1, 1, 0, 0, 1, 0};

  /** All hear all. */
  private static final Network NETWORK =
      Network.of(
          new double[][] {
            {0.25, 0.25, 0.25, 0.25},
            {0.25, 0.25, 0.25, 0.25},
            {0.25, 0.25, 0.25, 0.25},
            {0.25, 0.25, 0.25, 0.25}
          });

  /** What client 0 makes of three others who say these; all have the same eight rows. */
  private static LiarIdentification.Verdict first(Glm glm, double[] responses, double[]... said) {
    Shards.Filler filler = Shards.sized(2, new int[] {8, 8, 8, 8});
    for (int m = 0; m < 4; m++) {
      for (int i = 0; i < 8; i++) {
        filler.put(m, i, new double[] {1, X[i]}, responses[i]);
      }
    }
    Simulation simulation = new Simulation(NETWORK, glm.over(filler.done()), Streams.of(1), 1);
    return simulation.within(
        world -> {
          double[][] all = {said[0], said[1], said[2], said[3]};
          var theta = world.block(all);
          Edges heard = world.course().exchange().said(theta);
          return LiarIdentification.of(0.1, NETWORK, 0, theta, heard, world.curved(), glm, 32)
              .clients()
              .getFirst();
        });
  }

  private static double[] chances(LiarIdentification.Verdict verdict) {
    return verdict.heard().stream().mapToDouble(LiarIdentification.Heard::pValue).toArray();
  }

  /** R: pf(D / 2, 2, 6, lower.tail = FALSE), D by coef and vcov of lm(y ~ x), times 24/32. */
  @Test
  void of_linear_hasThePValuesOfR() {
    LiarIdentification.Verdict found =
        first(
            new Linear(),
            Y,
            new double[] {1, 2},
            new double[] {1, 2},
            new double[] {1.3, 1.6},
            new double[] {0.9, 2.6});
    assertThat(found.ownPValue()).isCloseTo(0.972807409096223, within(1e-12));
    assertThat(chances(found))
        .containsExactly(
            new double[] {0.972807409096223, 0.0468883805083241, 0.0179354140669811},
            within(1e-12));
    assertThat(found.withheld()).isEmpty();
    assertThat(found.suspects()).as("0.0179 is below 0.1 / 3 / (11/6)").containsExactly(3);
  }

  /** R: pchisq(D, 2, lower.tail = FALSE), D by coef and vcov of glm(z ~ x, binomial). */
  @Test
  void of_logistic_hasThePValuesOfR() {
    LiarIdentification.Verdict found =
        first(
            new Logistic(),
            Z,
            new double[] {0, 1},
            new double[] {0, 1},
            new double[] {-1, 4},
            new double[] {2, -2});
    assertThat(chances(found))
        .containsExactly(
            new double[] {0.905966912306978, 0.221239291061471, 0.00805544812191846},
            within(1e-10));
    assertThat(found.suspects()).containsExactly(3);
  }

  @Test
  void of_anOwnEstimateFarFromOwnRows_namesNobody() {
    LiarIdentification.Verdict found =
        first(
            new Linear(),
            Y,
            new double[] {50, 50},
            new double[] {50, 50},
            new double[] {1, 2},
            new double[] {Double.NaN, 2});
    assertThat(found.suspects()).isEmpty();
    assertThat(found.withheld()).hasValueSatisfying(why -> assertThat(why).contains("own rows"));
    assertThat(chances(found)[2]).as("what is no number").isZero();
  }

  /** R: p.adjust(p, "BY"), to which a rate is compared. */
  @Test
  void rejected_atEveryRate_isAsR() {
    double[] chances = {0.001, 0.2, 0.004, 0.03, 0.011, 0.6, 0.0009, 0.05};
    double[] adjusted = {
      0.0108714285714286,
      0.6212244897959184,
      0.0289904761904762,
      0.1304571428571429,
      0.0597928571428571,
      1,
      0.0108714285714286,
      0.1811904761904762
    };
    for (double rate : new double[] {0.01, 0.02, 0.05, 0.06, 0.15, 0.2, 0.7}) {
      boolean[] found = LiarIdentification.rejected(chances, rate);
      for (int i = 0; i < chances.length; i++) {
        assertThat(found[i]).as("%s at %s", chances[i], rate).isEqualTo(adjusted[i] <= rate);
      }
    }
    assertThat(LiarIdentification.rejected(new double[0], 0.1)).isEmpty();
  }

  @Test
  void stepUp_oracleCases_takeTheSameClients() throws IOException {
    List<String[]> chances = lines("p-values.csv");
    int compared = 0;
    for (String[] line : lines("decisions.csv")) {
      if (line[1].equals("bh")) {
        List<String[]> own =
            new ArrayList<>(chances.stream().filter(one -> one[0].equals(line[0])).toList());
        boolean[] found =
            LiarIdentification.stepUp(
                own.stream().mapToDouble(one -> Double.parseDouble(one[2])).toArray(),
                Double.parseDouble(line[2]));
        String liars =
            IntStream.range(0, found.length)
                .filter(i -> found[i])
                .mapToObj(i -> own.get(i)[1])
                .collect(Collectors.joining(";"));
        assertThat(liars).as(Arrays.toString(line)).isEqualTo(line[3]);
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(5);
  }

  private static List<String[]> lines(String file) throws IOException {
    return Oracles.lines(Path.of("fdr", file)).stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .toList();
  }

  @Test
  void require_whatItIsNotKnownFor_isRefused() {
    NetworkSchedule changing =
        NamedNetwork.of(Topology.parse("base:1", 6, Streams.of(1)), Optional.empty(), new int[6])
            .schedule();
    assertThatThrownBy(() -> LiarIdentification.require(0.1, changing, new Linear()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("stays as it is");
    assertThatThrownBy(() -> LiarIdentification.require(1, NETWORK, new Linear()))
        .hasMessageContaining("between 0 and 1, such as 0.1; got 1");
    assertThatThrownBy(() -> LiarIdentification.require(0.1, NETWORK, new Cox(Ties.EFRON)))
        .hasMessageContaining("generalized linear model");
  }
}
