package ngd.studies.engine;

import java.util.OptionalInt;

/** What computes replicates: the cores of this machine, or a cluster. The results are the same. */
public interface Engine extends AutoCloseable {
  /** Who hears of finished replicates, in any order, from one thread at a time. */
  @FunctionalInterface
  interface Sink {
    void finished(int replicate, double[] values);
  }

  /** What this is, in words, for the manifest. */
  String description();

  /** The threads of this machine that it uses; empty where it computes elsewhere. */
  default OptionalInt threads() {
    return OptionalInt.empty();
  }

  /** Computes these replicates and tells the sink of each as soon as it is there. */
  void run(Replicated study, long seed, int[] replicates, Sink sink);

  @Override
  void close();
}
