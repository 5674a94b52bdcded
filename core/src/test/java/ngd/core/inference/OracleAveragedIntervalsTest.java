package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import ngd.core.Oracles;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Averaged;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.IntervalChoice;
import ngd.core.algorithm.Local;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.simulation.Simulation;
import ngd.core.world.Course;
import ngd.core.world.Hook;
import ngd.core.world.ShardsLocal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Oracle: {@code oracles/inference}, averages of a recorded path and their intervals by an
 * independent program, from sums over the whole path.
 */
class OracleAveragedIntervalsTest {
  private static final int P = 3;

  private static List<String[]> lines(String file) throws IOException {
    return Oracles.lines(Path.of("inference", file)).stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .toList();
  }

  private static double[] numbers(String[] line, int from) {
    return Arrays.stream(line, from, line.length).mapToDouble(Double::parseDouble).toArray();
  }

  private static double[] matrix(String file) throws IOException {
    return lines(file).stream().flatMapToDouble(line -> Arrays.stream(numbers(line, 0))).toArray();
  }

  /** Where a recorded path is after so many rounds. */
  private record OnPath(int round, Rows theta) implements Algorithm.State {}

  /** A method that goes along a recorded path. */
  private record Path3(List<String[]> path) implements Algorithm.Rounds<OnPath> {
    @Override
    public OnPath start(Rows theta) {
      return new OnPath(0, theta);
    }

    @Override
    public OnPath step(OnPath s, Exchange exchange, Local local, Draws draws) {
      return new OnPath(
          s.round() + 1, s.theta().of(new double[][] {numbers(path.get(s.round()), 1)}));
    }
  }

  /** The average of the recorded path, as a course of rounds comes to it. */
  private static Averaged.State<OnPath> averaged(int skip) throws IOException {
    List<String[]> path = lines("iterates.csv");
    Host host = new Host(Kernels.best(), new Workers(1));
    Network alone = Network.of(new double[][] {{1}});
    Shards.Filler filler = Shards.sized(P, new int[] {1});
    filler.put(0, 0, new double[P], 0);
    Course course =
        new Course(
            Simulation.exchange(alone),
            ShardsLocal.of(new Linear().over(filler.done()), host, Streams.of(1), 0),
            host,
            Streams.of(1),
            0);
    Averaged<OnPath> method = new Averaged<>(new Path3(path), true, skip);
    return course.advance(method, method.start(host.zeros(1, P)), path.size(), Hook.none());
  }

  @ParameterizedTest
  @CsvSource({"plug-in, 0", "plug-in, 150", "random-scaling, 0", "random-scaling, 150"})
  void lines_recordedPath_equalTheIndependentProgram(String kind, int skip) throws IOException {
    Averaged.State<OnPath> state = averaged(skip);
    double[] covariance =
        kind.equals("plug-in")
            ? AveragedIntervals.sandwich(matrix("hessian.csv"), matrix("score.csv"), P)
            : state.scale(0);
    for (String[] line : lines("covariance.csv")) {
      if (line[0].equals(kind) && Integer.parseInt(line[1]) == skip) {
        int row = Integer.parseInt(line[2]);
        double[] expected = numbers(line, 3);
        for (int j = 0; j < P; j++) {
          assertThat(covariance[row * P + j]).isCloseTo(expected[j], within(1e-11));
        }
      }
    }
    for (int i = 0; i < covariance.length; i++) {
      covariance[i] /= state.counted();
    }
    int compared = 0;
    for (String[] line : lines("intervals.csv")) {
      if (line[0].equals(kind) && Integer.parseInt(line[1]) == skip) {
        AveragedIntervals found =
            AveragedIntervals.lines(
                new AveragedIntervals.Settings(
                    new IntervalChoice(IntervalChoice.parse(kind).kind(), OptionalInt.of(skip)),
                    1500,
                    1,
                    Double.parseDouble(line[2]),
                    List.of("a", "b", "c")),
                state.counted(),
                state.theta().row(0),
                covariance);
        Coefficient one = found.coefficients().get(Integer.parseInt(line[3]));
        double[] expected = numbers(line, 4);
        double[] here = {
          one.estimate(), one.standardError(), found.critical(), one.low(), one.high()
        };
        assertThat(here).containsExactly(expected, within(1e-10));
        compared++;
      }
    }
    assertThat(compared).isEqualTo(15);
  }

  @Test
  void critical_everyLevel_equalsTheIndependentProgram() throws IOException {
    for (String[] line : lines("critical.csv")) {
      double critical = RandomScalingLaw.critical(1 - Double.parseDouble(line[0]));
      assertThat(critical).isCloseTo(Double.parseDouble(line[1]), within(1e-9));
    }
    assertThat(RandomScalingLaw.beyond(0)).isEqualTo(1);
    assertThat(RandomScalingLaw.beyond(1e4)).isZero();
  }
}
