import java.util.Random;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.data.Shards;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;

/**
 * Microseconds of a round of each method that is named, on one thread: 100 clients of 10 rows with
 * 3 features, logistic, ring:2. The best of stretches of about 20 ms, after a second of warm-up.
 */
public final class MethodRounds {
  private static final int CLIENTS = 100;
  private static final int ROWS = 10;
  private static final int FEATURES = 3;

  private MethodRounds() {}

  public static void main(String[] methods) {
    Random draw = new Random(1);
    double[][][] x = new double[CLIENTS][ROWS][FEATURES];
    double[][] y = new double[CLIENTS][ROWS];
    for (int m = 0; m < CLIENTS; m++) {
      for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < FEATURES; j++) {
          x[m][i][j] = draw.nextGaussian();
        }
        y[m][i] = draw.nextDouble() < 1 / (1 + Math.exp(-x[m][i][0])) ? 1 : 0;
      }
    }
    Network network = Network.of(new Topology.Ring(CLIENTS, 2), new Weights.LazyMetropolis());
    Simulation simulation =
        new Simulation(network, new Logistic().over(Shards.of(x, y)), Streams.of(1), 1);
    for (String method : methods) {
      Algorithms.Named named = Algorithms.parse(method);
      // One row a batch where the method is one of batches.
      int batch = named.descriptor().usualBatch() > 0 ? 1 : 0;
      AlgorithmChoice choice =
          new AlgorithmChoice(
              named.descriptor(), named.parameters(), StepChoice.parse("0.01"), batch, 1);
      try (Run<?> run = simulation.start(choice.rounds(GradientScales.NONE, false))) {
        System.out.printf("ngd %s %.3f%n", method, micros(run));
      }
    }
  }

  private static double micros(Run<?> run) {
    long start = System.nanoTime();
    int rounds = 1;
    while (System.nanoTime() - start < 1_000_000_000L) {
      rounds = (int) Math.clamp(20e6 / time(run, rounds), 1, 1 << 16);
    }
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 20; i++) {
      best = Math.min(best, time(run, rounds));
    }
    return best / 1e3;
  }

  /** Nanoseconds of a round. */
  private static double time(Run<?> run, int rounds) {
    long before = System.nanoTime();
    run.advance(rounds);
    return (System.nanoTime() - before) / (double) rounds;
  }
}
