package ngd.core.simulation;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;

/** A process that runs small fits of all families and prints a digest of their bits. */
final class SmallFit {
  private SmallFit() {}

  public static void main(String[] arguments) {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    out.println("fit " + digest());
    out.println("kernels " + Kernels.best().description());
  }

  static String digest() {
    long digest = 0;
    double[] truth = {0.5, -0.4, 0.2, 0.3, -0.2};
    for (Glm loss : new Glm[] {new Linear(), new Logistic(), new Poisson()}) {
      Shards shards =
          RandomData.shards(
              5,
              5,
              new int[] {9, 3, 17, 8, 40},
              loss instanceof Poisson ? RandomData.counts(truth) : RandomData.labels(truth));
      Network network = Network.of(new Topology.Circle(5, 2));
      for (int batch : new int[] {0, 4}) {
        Simulation simulation = new Simulation(network, loss.over(shards), Streams.of(1), 2);
        try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(0.02), batch))) {
          run.advance(100);
          for (int m = 0; m < 5; m++) {
            for (double value : run.theta().row(m)) {
              digest = Long.rotateLeft(digest ^ Double.doubleToRawLongBits(value), 23) * 31;
            }
          }
        }
      }
    }
    return Long.toHexString(digest);
  }
}
