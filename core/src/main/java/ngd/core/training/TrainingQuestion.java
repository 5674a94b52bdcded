package ngd.core.training;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.question.ClientKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.world.Mixing;
import org.jspecify.annotations.Nullable;

/**
 * A training as it is asked for.
 *
 * @param question every choice that bears on the result
 * @param work how it is done, which changes no result
 */
public record TrainingQuestion(Question question, Work work) {
  /** Evaluations in all where nobody says how often. */
  private static final int EVALUATIONS = 20;

  /**
   * How a training is done.
   *
   * @param checkpointEvery the rounds between two checkpoints; 0 for every evaluation
   * @param out the folder to write, where one is asked for
   * @param resume whether to go on from the checkpoint in {@code out}
   */
  public record Work(int threads, int checkpointEvery, @Nullable Path out, boolean resume) {}

  /** The question that these words ask, whose problems are exceptions. */
  public static TrainingQuestion of(Map<String, String> words, Work work) {
    return new TrainingQuestion(Question.of(TrainingKeys.ALL, words), work);
  }

  public String model() {
    return question.get(TrainingKeys.MODEL);
  }

  public TrainingData data() {
    return TrainingKeys.data(question);
  }

  /** One client with all samples, the optimum that the others are compared with. */
  public boolean pooled() {
    return question.get(TrainingKeys.POOLED);
  }

  /** The number of clients; empty where the partition says it. */
  public OptionalInt clients() {
    return question.find(ClientKeys.CLIENTS).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  public Partition partition() {
    return question.get(ClientKeys.PARTITION);
  }

  public Placement placement() {
    return question.get(ClientKeys.PLACEMENT);
  }

  public String network() {
    return question.get(ClientKeys.NETWORK);
  }

  public Optional<String> weights() {
    return ClientKeys.weights(question);
  }

  public AlgorithmChoice algorithm() {
    return MethodKeys.choice(question);
  }

  public Mixing mix() {
    return question.get(MethodKeys.MIX);
  }

  public int rounds() {
    return question.get(MethodKeys.ROUNDS);
  }

  public String device() {
    return question.get(TrainingKeys.DEVICE);
  }

  public String precision() {
    return question.get(TrainingKeys.PRECISION);
  }

  /** Whether kernels of our own are used where there are some. */
  public boolean fused() {
    return !question.get(TrainingKeys.PLAIN);
  }

  public long seed() {
    return question.get(ClientKeys.SEED);
  }

  /** How many samples of each class to use, for training and for validation; 0 for all. */
  public int samples() {
    return question.find(TrainingKeys.SAMPLES).orElse(0);
  }

  public int evaluateEvery() {
    return question
        .find(TrainingKeys.EVALUATE_EVERY)
        .orElseGet(() -> Math.max(1, rounds() / EVALUATIONS));
  }

  public int checkpointEvery() {
    return work.checkpointEvery() == 0 ? evaluateEvery() : work.checkpointEvery();
  }

  /** A safetensors file with the weights to begin with. */
  public @Nullable Path start() {
    return question.find(TrainingKeys.START).map(Path::of).orElse(null);
  }

  /** Of batch normalisation. */
  public RunningStatistics statistics() {
    return question.get(TrainingKeys.BATCH_NORM);
  }

  public @Nullable Path out() {
    return work.out();
  }

  public boolean resume() {
    return work.resume();
  }

  /** The same, going on from the checkpoint in its folder. */
  public TrainingQuestion resumed() {
    return new TrainingQuestion(
        question, new Work(work.threads(), work.checkpointEvery(), work.out(), true));
  }
}
