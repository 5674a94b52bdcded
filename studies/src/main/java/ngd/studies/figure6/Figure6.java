package ngd.studies.training;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.question.WordsFile;
import ngd.core.training.RunningStatistics;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingKeys;
import ngd.core.training.TrainingQuestion;
import org.jspecify.annotations.Nullable;

/**
 * Figure 6 of the paper: the mean validation error over clients and the logarithm of its standard
 * deviation, by rounds, for three networks on sorted data, beside the error of the pooled data.
 *
 * <p>Each training has a run folder of its own in the study's folder; one that is finished is not
 * done again, so that a study goes on where it was stopped, and trainings of another machine can be
 * laid beside each other.
 */
public final class Figure6 {
  static final List<String> NETWORKS = List.of("central", "circle:2", "fixed:6");
  static final String POOLED = "pooled";
  private static final String LEARNED = "learned-before";

  /** Choices that may differ between trainings of one figure: where and how they were computed. */
  private static final List<String> FREE =
      List.of("data", "device", "precision", "plain", "evaluate-every", "start");

  private final Trainer trainer;
  private final List<Experiment> experiments;
  private final Machine machine;
  private final long seed;
  private final Path folder;

  public Figure6(
      Trainer trainer, List<Experiment> experiments, Machine machine, long seed, Path folder) {
    this.trainer = trainer;
    this.experiments = List.copyOf(experiments);
    this.machine = machine;
    this.seed = seed;
    this.folder = folder;
  }

  /** Where the trainings are computed, in the words of the command line. */
  public record Machine(String device, String precision, int threads, boolean plain) {}

  /** Who is told how the study goes. */
  public interface Watch {
    void at(String what, double share);

    /** Something that the person should know. */
    void warning(String text);
  }

  /** One training, and what to call it. */
  private record Part(String what, TrainingQuestion plan) {}

  /** Trains what is not there yet, then draws; gives the names of the files. */
  public List<String> run(Watch watch) {
    List<Part> parts = new ArrayList<>();
    for (Experiment experiment : experiments) {
      if (experiment.start() instanceof Experiment.Start.Learned few) {
        parts.add(new Part(experiment.title() + ", learned before", before(experiment, few)));
      }
      for (String network : NETWORKS) {
        parts.add(new Part(experiment.title() + ", " + network, plan(experiment, network)));
      }
      parts.add(new Part(experiment.title() + ", " + POOLED, plan(experiment, POOLED)));
    }
    // All that is there is looked at before anything is done.
    List<Part> missing = parts.stream().filter(part -> !isDone(part.plan())).toList();
    for (int i = 0; i < missing.size(); i++) {
      train(missing.get(i), i, missing.size(), watch);
    }
    return new Figure6Report(folder, experiments, this::place).write();
  }

  private Path place(Experiment experiment, String network) {
    return folder.resolve(experiment.stem() + "-" + network.replace(':', '-'));
  }

  private TrainingQuestion before(Experiment experiment, Experiment.Start.Learned few) {
    return plan(
        experiment,
        POOLED,
        few.alpha(),
        few.rounds(),
        few.batch(),
        few.samples(),
        Math.max(1, few.rounds() / 10),
        null,
        RunningStatistics.LOCAL,
        place(experiment, LEARNED));
  }

  private TrainingQuestion plan(Experiment experiment, String network) {
    return plan(
        experiment,
        network,
        experiment.alpha(),
        experiment.rounds(),
        // Pooled: as many samples a round as all clients together.
        network.equals(POOLED) ? experiment.batch() * experiment.clients() : experiment.batch(),
        experiment.samples(),
        experiment.every(),
        start(experiment),
        experiment.statistics(),
        place(experiment, network));
  }

  private @Nullable Path start(Experiment experiment) {
    return switch (experiment.start()) {
      case null -> null;
      case Experiment.Start.Given given -> given.file();
      case Experiment.Start.Learned _ -> place(experiment, LEARNED).resolve("theta.safetensors");
    };
  }

  private TrainingQuestion plan(
      Experiment experiment,
      String network,
      String alpha,
      int rounds,
      int batch,
      int samples,
      int every,
      @Nullable Path start,
      RunningStatistics statistics,
      Path place) {
    boolean pooled = network.equals(POOLED);
    Map<String, String> words = new LinkedHashMap<>();
    words.put("model", experiment.model());
    words.put("data", experiment.data());
    if (pooled) {
      words.put("pooled", "true");
    } else {
      words.put("clients", Integer.toString(experiment.clients()));
      words.put("partition", "sorted");
      words.put("network", network);
    }
    words.put("algorithm", "ngd");
    words.put("alpha", alpha);
    words.put("rounds", Integer.toString(rounds));
    if (batch > 0) {
      words.put("batch", Integer.toString(batch));
    }
    if (samples > 0) {
      words.put("samples", Integer.toString(samples));
    }
    if (start != null) {
      words.put("start", start.toString());
    }
    words.put("batch-norm", statistics.spec());
    words.put("device", machine.device());
    words.put("precision", machine.precision());
    words.put("plain", Boolean.toString(machine.plain()));
    words.put("seed", Long.toString(seed));
    words.put("evaluate-every", Integer.toString(every));
    return TrainingQuestion.of(
        words, new TrainingQuestion.Work(machine.threads(), every * 10, place, false));
  }

  /** Whether its folder holds this training, finished; refuses a folder that holds another. */
  private static boolean isDone(TrainingQuestion plan) {
    Path manifest = manifest(plan);
    if (!Files.exists(manifest)) {
      return false;
    }
    Problems problems = new Problems();
    Words words =
        WordsFile.read(manifest, TrainingKeys.ALL, Map.of(), new Words(Words.Style.KEYS), problems);
    Question found = Question.read(TrainingKeys.ALL, words, problems);
    if (problems.any()) {
      throw new InvalidInput(
          "%s: must be the manifest of a training; it is damaged".formatted(manifest));
    }
    for (String choice : plan.question().differences(found)) {
      if (!FREE.contains(choice)) {
        throw new InvalidInput(
            "figure6: %s must hold a training with %s %s, or none; it holds one with %s (another --out begins anew)"
                .formatted(
                    manifest.getParent(),
                    choice,
                    said(plan.question(), choice),
                    said(found, choice)));
      }
    }
    return true;
  }

  private static String said(Question question, String choice) {
    return String.join(",", question.words().getOrDefault(choice, List.of("nothing said")));
  }

  private static Path manifest(TrainingQuestion plan) {
    return java.util.Objects.requireNonNull(plan.out()).resolve("manifest.json");
  }

  private void train(Part part, int before, int all, Watch watch) {
    boolean stopped = Files.exists(manifest(part.plan()).resolveSibling("checkpoint.bin"));
    trainer.train(
        stopped ? part.plan().resumed() : part.plan(),
        new Trainer.Watch() {
          @Override
          public void round(int now, int rounds) {
            watch.at(part.what(), (before + (double) now / rounds) / all);
          }

          @Override
          public void warning(String text) {
            watch.warning("%s: %s".formatted(part.what(), text));
          }
        });
  }
}
