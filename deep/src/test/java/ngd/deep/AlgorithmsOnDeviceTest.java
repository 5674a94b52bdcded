package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.Loss;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.world.Course;
import ngd.core.world.Mixing;
import ngd.deep.data.Samples;
import ngd.deep.device.Device;
import ngd.deep.device.DeviceExchange;
import ngd.deep.device.Precision;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every synchronous algorithm runs on a device as it is. Oracle: the simulator with a multinomial
 * logistic loss written out here; the network without hidden layers is that model.
 */
final class AlgorithmsOnDeviceTest {
  private static final int CLIENTS = 6;
  private static final int CLASSES = 3;
  private static final Shape ROW = Shape.row(4);

  /**
   * Mean cross-entropy of weights (classes × features) and shifts, as {@link Net} lays them out.
   */
  private record Softmax() implements Loss {
    @Override
    public String name() {
      return "softmax";
    }

    @Override
    public int parameters(int features) {
      return CLASSES * features + CLASSES;
    }

    private static double[] shares(Shard shard, int row, double[] theta) {
      int p = shard.features();
      double[] z = new double[CLASSES];
      double sum = 0;
      for (int k = 0; k < CLASSES; k++) {
        z[k] = theta[CLASSES * p + k];
        for (int j = 0; j < p; j++) {
          z[k] += theta[k * p + j] * shard.x(row, j);
        }
        z[k] = Math.exp(z[k]);
        sum += z[k];
      }
      for (int k = 0; k < CLASSES; k++) {
        z[k] /= sum;
      }
      return z;
    }

    @Override
    public double value(Shard shard, double[] theta) {
      double sum = 0;
      for (int i = 0; i < shard.rows(); i++) {
        sum -= Math.log(shares(shard, i, theta)[(int) shard.y(i)]) / shard.rows();
      }
      return sum;
    }

    @Override
    public void gradient(Shard shard, double[] theta, double[] gradient) {
      Arrays.fill(gradient, 0);
      int p = shard.features();
      for (int i = 0; i < shard.rows(); i++) {
        double[] share = shares(shard, i, theta);
        share[(int) shard.y(i)] -= 1;
        for (int k = 0; k < CLASSES; k++) {
          for (int j = 0; j < p; j++) {
            gradient[k * p + j] += share[k] * shard.x(i, j) / shard.rows();
          }
          gradient[CLASSES * p + k] += share[k] / shard.rows();
        }
      }
    }
  }

  static Stream<String> algorithms() {
    return Algorithms.all().stream()
        .filter(one -> !one.asynchronous())
        .filter(one -> one.needs().stream().allMatch(need -> need.metBy(DeviceLocal.class)))
        .map(AlgorithmDescriptor::name);
  }

  private static int[] sizes() {
    int[] sizes = new int[CLIENTS];
    Arrays.setAll(sizes, m -> 5 + m);
    return sizes;
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void run_everySynchronousAlgorithm_isThatOfTheSimulator(String name) {
    Network network = Network.of(new Topology.Ring(CLIENTS, 1), new Weights.LazyMetropolis());
    Algorithm.Rounds<?> algorithm =
        AlgorithmChoice.of(name, StepChoice.parse("0.1")).rounds(GradientScales.NONE, false);
    Pictures samples = new Pictures(ROW, CLASSES, 80, 4);
    Net net = new Net(Model.parse("mlp"), ROW, CLASSES);
    double[][] start = Pictures.theta(net, CLIENTS);
    try (Device device = Device.of("cpu", Precision.FLOAT64, 1);
        Run<?> expected =
            new Simulation(network, new Softmax().over(shards(samples)), Streams.of(1), 1)
                .start(algorithm, start)) {
      DeviceRun<?> run =
          new DeviceRun<>(
              algorithm,
              new Course(
                  new DeviceExchange(network, device, new Mixing.Mean()),
                  new DeviceLocal(
                      net,
                      Pictures.clients(samples, device, sizes()),
                      device,
                      Streams.of(1),
                      new Statistics(device, net, CLIENTS)),
                  device,
                  Streams.of(1),
                  0),
              device.of(start));
      run.advance(8, () -> {});
      expected.advance(8);
      assertThat(run.round()).isEqualTo(8);
      GradientTest.assertClose(
          GradientTest.rows(run.theta()), GradientTest.rows(expected.theta()), 1e-11);
      // Only what the state shows is alive.
      assertThat(device.blocks()).isEqualTo(run.state().rows().stream().distinct().count());
    }
  }

  private static Shards shards(Samples samples) {
    Shards.Filler filler = Shards.sized(ROW.channels(), sizes());
    float[] one = new float[ROW.channels()];
    double[] features = new double[one.length];
    int next = 0;
    for (int m = 0; m < CLIENTS; m++) {
      for (int i = 0; i < sizes()[m]; i++) {
        samples.copy(next, one, 0);
        for (int j = 0; j < one.length; j++) {
          features[j] = one[j];
        }
        filler.put(m, i, features, samples.label(next++));
      }
    }
    return filler.done();
  }
}
