package ngd.core.training;

import java.nio.file.Path;
import ngd.core.algorithm.StepSize;
import ngd.core.run.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A training as it is asked for, in the words of the command line.
 *
 * @param pooled one client with all samples, the optimum that the others are compared with
 * @param alpha null where the algorithm takes none
 * @param batch the samples of a mini-batch, or 0 for all
 * @param samples the first so many samples of each class only, to learn and to validate, or 0 for
 *     all
 * @param start a safetensors file with the weights to begin with
 * @param statistics of batch normalisation
 * @param out the folder to write, where one is asked for
 * @param resume whether to go on from the checkpoint in {@code out}
 */
public record TrainingPlan(
    String model,
    TrainingData data,
    Clients clients,
    boolean pooled,
    String algorithm,
    @Nullable StepSize alpha,
    int rounds,
    int batch,
    int localSteps,
    Machine machine,
    long seed,
    int samples,
    int evaluateEvery,
    int checkpointEvery,
    @Nullable Path start,
    RunningStatistics statistics,
    @Nullable Path out,
    boolean resume) {

  /**
   * Who learns what, and who hears whom.
   *
   * @param count null where the partition says it
   */
  public record Clients(
      @Nullable Integer count,
      String partition,
      String placement,
      String network,
      @Nullable String weights) {}

  /**
   * Where it is computed.
   *
   * @param device cpu or cuda
   * @param fused whether kernels of our own are used where there are some
   */
  public record Machine(String device, String precision, int threads, boolean fused) {}

  /** Every choice that bears on the result: what a manifest says and a resumed run must repeat. */
  public JsonObject request() {
    return data.describe(new JsonObject().put("model", model))
        .put("clients", pooled ? Integer.valueOf(1) : clients.count())
        .put("partition", pooled ? "pooled" : clients.partition())
        .put("placement", clients.placement())
        .put("network", pooled ? "pooled" : clients.network())
        .put("weights", clients.weights())
        .put("algorithm", algorithm)
        .put("alpha", alpha == null ? null : alpha.toString())
        .put("rounds", rounds)
        .put("batch", batch)
        .put("localSteps", localSteps)
        .put("device", machine.device())
        .put("precision", machine.precision())
        .put("fusedKernels", machine.fused())
        .put("seed", seed)
        .put("samplesPerClass", samples)
        .put("evaluateEvery", evaluateEvery)
        .put("start", start == null ? null : start.toString())
        .put("batchNormStatistics", statistics.spec());
  }

  /** The same, going on from the checkpoint in its folder. */
  public TrainingPlan resumed() {
    return new TrainingPlan(
        model,
        data,
        clients,
        pooled,
        algorithm,
        alpha,
        rounds,
        batch,
        localSteps,
        machine,
        seed,
        samples,
        evaluateEvery,
        checkpointEvery,
        start,
        statistics,
        out,
        true);
  }
}
