package ngd.studies.figure6;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.training.RunningStatistics;
import org.jspecify.annotations.Nullable;

/**
 * A network that is trained on sorted data over several networks of clients, and pooled: one column
 * of figure 6.
 *
 * @param stem how its folders begin
 * @param samples how many samples of each class to use, or 0 for all
 * @param every rounds between two evaluations
 * @param start where it begins; null for Xavier weights
 */
public record Experiment(
    String stem,
    String title,
    String model,
    String data,
    int clients,
    String alpha,
    int rounds,
    int batch,
    int samples,
    int every,
    @Nullable Start start) {

  /** Weights that were learned before, with their running statistics, which are frozen. */
  public sealed interface Start {
    /** Those of a file. */
    record Given(Path file) implements Start {
      public Given {
        if (!Files.isRegularFile(file)) {
          throw new InvalidInput(
              "start: must be a safetensors file with weights; %s is not".formatted(file));
        }
      }
    }

    /**
     * Those of a training on a few pooled samples, in place of the paper's ImageNet weights.
     *
     * @param samples how many of each class to use
     */
    record Learned(int samples, int batch, String alpha, int rounds) implements Start {}
  }

  /** What becomes of the statistics of batch normalisation: kept where they were learned before. */
  RunningStatistics statistics() {
    return start == null ? RunningStatistics.LOCAL : RunningStatistics.FROZEN;
  }

  /**
   * The paper's two experiments at their full size, as far as a folder holds their data: {@code
   * mnist}, {@code cifar10}.
   *
   * @param given weights for MobileNet to begin with, such as ImageNet's; null to learn some first
   */
  public static List<Experiment> full(Path folder, @Nullable Path given) {
    List<Experiment> all = new ArrayList<>();
    if (holds(folder, "mnist")) {
      all.add(
          new Experiment(
              "mnist",
              "LeNet on MNIST",
              "lenet",
              images(folder, "mnist"),
              40,
              "0.01,0.005@1000,0.001@4000",
              10_000,
              0,
              0,
              50,
              null));
    }
    if (holds(folder, "cifar10")) {
      all.add(
          new Experiment(
              "cifar10",
              "MobileNet on CIFAR-10",
              "mobilenet",
              images(folder, "cifar10"),
              25,
              "0.002",
              6400,
              128,
              0,
              160,
              given == null
                  ? new Start.Learned(500, 128, "0.05,0.01@1600,0.002@2400", 3000)
                  : new Start.Given(given)));
    }
    return some(all, folder);
  }

  /** The same, small enough for a processor. */
  public static List<Experiment> reduced(Path folder, @Nullable Path given) {
    List<Experiment> all = new ArrayList<>();
    if (holds(folder, "mnist")) {
      all.add(
          new Experiment(
              "mnist",
              "LeNet on MNIST, reduced",
              "lenet",
              images(folder, "mnist"),
              20,
              "0.05,0.02@400",
              500,
              0,
              60,
              25,
              null));
    }
    if (holds(folder, "cifar10")) {
      all.add(
          new Experiment(
              "cifar10",
              "MobileNet on CIFAR-10, reduced",
              "mobilenet",
              images(folder, "cifar10"),
              10,
              "0.002",
              100,
              20,
              150,
              20,
              given == null
                  ? new Start.Learned(50, 50, "0.05,0.01@120", 160)
                  : new Start.Given(given)));
    }
    return some(all, folder);
  }

  private static boolean holds(Path folder, String word) {
    return Files.isDirectory(folder.resolve(word));
  }

  private static String images(Path folder, String word) {
    return word + ":" + folder.resolve(word);
  }

  private static List<Experiment> some(List<Experiment> found, Path folder) {
    if (found.isEmpty()) {
      throw new InvalidInput(
          "figure6: %s must hold the folders mnist or cifar10, or both; it holds neither"
              .formatted(folder));
    }
    return found;
  }

  /** What a reader of the figure must know of it. */
  String inWords() {
    StringBuilder words =
        new StringBuilder("%s: %d clients, sorted data, in order; ".formatted(title, clients));
    words
        .append(batch == 0 ? "full batches" : "batches of " + batch)
        .append("; alpha %s; %d rounds; ".formatted(alpha, rounds))
        .append(
            samples == 0
                ? "all samples"
                : "the first %d samples of each class, to learn and to validate"
                    .formatted(samples));
    switch (start) {
      case null -> words.append("; Xavier weights to begin with, the same for all clients");
      case Start.Given file ->
          words.append("; begins with the weights of %s".formatted(file.file().getFileName()));
      case Start.Learned few ->
          words.append(
              "; begins, in place of the paper's ImageNet weights, with weights learned in %d rounds from the first %d samples of each class, pooled, batches of %d, alpha %s"
                  .formatted(few.rounds(), few.samples(), few.batch(), few.alpha()));
    }
    if (start != null) {
      words.append(
          "; the running statistics of batch normalisation are frozen at those of these weights");
    }
    return words.append('.').toString();
  }
}
