package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import ngd.core.Oracles;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Activation;
import ngd.core.network.ImpairedNetwork;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Oracles: {@code oracles/schedules_oracle.py}, the graphs of two papers in exact fractions, and
 * {@code oracles/rounds_oracle.py}, rounds over them by dense matrices.
 */
class OracleScheduleTest {
  private static final double ALPHA = 0.1;

  private static NetworkSchedule named(String spec, int clients) {
    Topology topology = Topology.parse(spec, clients, Streams.of(1));
    return NetworkSchedule.of(topology, Weights.standard(topology));
  }

  /** The oracle's rounds as an edge file: what a client does not give away it keeps. */
  private static NetworkSchedule listed(String name, int clients) {
    StringBuilder text = new StringBuilder("client,hears,weight,round\n");
    Map<String, Double> given = new TreeMap<>();
    for (String[] row : Oracles.table("schedules/" + name + ".csv")) {
      if (Integer.parseInt(row[0]) == clients) {
        text.append("%s,%s,%s,%s\n".formatted(row[2], row[3], row[4], row[1]));
        given.merge(row[2] + "," + row[2] + ":" + row[1], Double.parseDouble(row[4]), Double::sum);
      }
    }
    given.forEach(
        (at, sum) -> {
          if (1 - sum > 1e-15) {
            String[] link = at.split(":", -1);
            text.append("%s,%s,%s\n".formatted(link[0], 1 - sum, link[1]));
          }
        });
    Topology.EdgeFile file = new Topology.EdgeFile(clients, name, Optional.of(text.toString()));
    return NetworkSchedule.of(file, Weights.standard(file));
  }

  @Test
  void base_everyNumberOfClients_hasTheLengthOfTheOracle() {
    int compared = 0;
    for (String[] row : Oracles.table("schedules/lengths.csv")) {
      int degree = row[1].isEmpty() ? 1 : Integer.parseInt(row[1]);
      int clients = Integer.parseInt(row[2]);
      if (row[0].equals("base") && degree < clients) {
        assertThat(named("base:" + degree, clients).period())
            .as("base:%d of %d", degree, clients)
            .hasValue(Integer.parseInt(row[3]));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(80);
  }

  @Test
  void onePeerExponential_everyNumberOfClients_hasTheLinksOfTheOracle() {
    for (int clients = 2; clients <= 30; clients++) {
      NetworkSchedule expected = listed("one-peer-exponential", clients);
      NetworkSchedule found = named("one-peer-exponential", clients);
      assertThat(found.period()).isEqualTo(expected.period());
      for (int t = 0; t < found.period().orElseThrow(); t++) {
        assertThat(found.at(t).heard()).isEqualTo(expected.at(t).heard());
        assertThat(found.at(t).weights()).isEqualTo(expected.at(t).weights());
      }
    }
  }

  /** The oracle's own links, read from a file, average exactly too. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void edgeFile_roundsOfTheOracle_averageExactly(int degree) {
    for (int clients = degree + 1; clients <= 30; clients++) {
      Network product = listed("base-" + degree, clients).overPeriod();
      double even = 1.0 / clients;
      assertThat(Arrays.stream(product.weights()).map(w -> Math.abs(w - even)).max().orElse(1))
          .isLessThan(1e-12);
      assertThat(product.edges()).isEqualTo(clients * clients);
    }
  }

  private static Shards data(int clients) {
    int[] sizes = new int[clients];
    Arrays.setAll(sizes, m -> 4 + m);
    Shards.Filler filler = Shards.sized(3, sizes);
    for (int m = 0; m < clients; m++) {
      for (int i = 0; i < sizes[m]; i++) {
        double[] x = {1, Math.sin(3.0 * m + 7.0 * i), Math.cos(5.0 * m + 2.0 * i)};
        double y = 1 + 0.5 * x[1] - 0.3 * x[2] + 0.2 * Math.sin(11.0 * m + 13.0 * i);
        filler.put(m, i, x, y);
      }
    }
    return filler.done();
  }

  private static NetworkSchedule of(String name, int clients) {
    return name.equals("cyclic:3")
        ? ImpairedNetwork.of(
            Network.of(new Topology.Ring(clients, 1), new Weights.Metropolis()),
            Optional.empty(),
            Optional.of(Activation.parse(name)),
            Streams.of(1))
        : listed(name, clients);
  }

  @Test
  void rounds_overNetworksThatChange_areThoseOfTheOracle() {
    Map<List<String>, List<String[]>> cases =
        Oracles.table("schedules/rounds.csv").stream()
            .collect(Collectors.groupingBy(row -> List.of(row[0], row[1], row[2], row[3])));
    assertThat(cases).hasSize(5);
    cases.forEach(
        (one, values) -> {
          int clients = Integer.parseInt(one.get(2));
          NetworkSchedule schedule = of(one.get(0), clients);
          Linear loss = new Linear();
          Shards shards = data(clients);
          AlgorithmChoice choice =
              AlgorithmChoice.of(one.get(1), new StepChoice.Given(StepSize.constant(ALPHA)));
          Suitability suitability = new Suitability(schedule, loss, new Mixing.Mean());
          suitability.require(choice);
          GradientScales scales = suitability.scales(choice.descriptor(), shards.rowsArray());
          Simulation simulation = new Simulation(schedule, loss.over(shards), Streams.of(1), 1);
          try (Run<?> run = simulation.start(choice.rounds(scales, true))) {
            run.advance(Integer.parseInt(one.get(3)));
            List<Double> apart = new ArrayList<>();
            for (String[] row : values) {
              double found = run.theta().get(Integer.parseInt(row[4]), Integer.parseInt(row[5]));
              apart.add(Math.abs(found - Double.parseDouble(row[6])));
            }
            assertThat(apart).as(one.toString()).hasSize(3 * clients);
            assertThat(apart.stream().max(Double::compare).orElse(1.0))
                .as(one.toString())
                .isCloseTo(0, within(1e-12));
          }
        });
  }
}
