package ngd.bench;

import java.util.concurrent.TimeUnit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.model.Families;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One round of NGD at the paper's scale: 50 rows a client, fixed:2, one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-XX:+UseParallelGC"})
public class RoundBenchmark {
  private static final int ROUNDS = 1000;

  @Param({"LINEAR", "LOGISTIC", "POISSON"})
  public PaperModel model = PaperModel.LINEAR;

  @Param({"200", "5000"})
  public int clients;

  @Param({"0", "10"})
  public int batch;

  private Run<?> run = null;

  @Setup
  public void start() {
    Streams streams = Streams.of(1);
    Shards shards = model.shards(clients, 50, streams);
    Network network = Network.of(new Topology.Fixed(clients, 2, streams));
    run =
        new Simulation(network, Families.of(model).over(shards), streams, 1)
            .start(new Ngd(StepSize.constant(1e-4), batch));
  }

  @Benchmark
  @OperationsPerInvocation(ROUNDS)
  public Rows rounds() {
    run.advance(ROUNDS);
    return run.theta();
  }

  @TearDown
  public void stop() {
    run.close();
  }
}
