package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

/** Rounds recycle their blocks: oracle is the virtual machine's own count of allocated bytes. */
class AllocationTest {
  @Test
  void advance_afterWarmUp_allocatesAFewHundredBytesARound() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Network network = Network.of(Topology.parse("fixed:2", 200, Streams.of(1)));
    for (Glm loss : new Glm[] {new Linear(), new Logistic()}) {
      Shards shards =
          RandomData.shards(1, 6, RandomData.equal(200, 50), RandomData.labels(1, 1, 0, 0, 0, 0));
      Simulation simulation = new Simulation(network, loss.over(shards), Streams.of(1), 1);
      try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(0.01)))) {
        run.advance(20_000);
        long before = threads.getCurrentThreadAllocatedBytes();
        run.advance(2000);
        double perRound = (threads.getCurrentThreadAllocatedBytes() - before) / 2000.0;
        // One block alone would be 200 · 8 numbers, 12 800 bytes.
        assertThat(perRound).as(loss.name()).isLessThan(500);
      }
    }
  }
}
